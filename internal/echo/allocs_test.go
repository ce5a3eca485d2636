//go:build !race

package echo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
)

func TestEchoAllocatesNothing(t *testing.T) {
	s := echo.New(registry(), echo.Options{})
	payload := []byte(`{"stage":"build","list":[1,2,3]}`)
	for _, id := range []string{echo.Schemaless, "zenlix-agent-stage-v1"} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if s.Echo(t.Context(), id, payload).Failed() {
				t.Fatal("refused")
			}
		}), id)
	}
}
