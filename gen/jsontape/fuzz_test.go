package jsontape_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a" : [1, -2.5e+7 ,true], "b\n": {"é":null}, "c":"" } `, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := jsontape.Valid(data)
		require.Equal(t, json.Valid(data) && utf8.Valid(data), err == nil, "%v", err)
	})
}
