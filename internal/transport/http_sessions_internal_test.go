package transport

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSessionIDs(t *testing.T) {
	t.Parallel()
	ids := &sessionIDs{}
	inRequest, outside := ids.ResolveSessionIdManager(&http.Request{}), ids.ResolveSessionIdManager(nil)
	ended := func(id string) bool {
		ended, err := inRequest.Validate(id)
		require.NoError(t, err)
		return ended
	}
	first, second := inRequest.Generate(), inRequest.Generate()
	require.NotEqual(t, first, second)
	require.False(t, ended(first))

	_, err := outside.Terminate(first)
	require.NoError(t, err)
	require.False(t, ended(first), "what mcp-go drops for being idle goes on")

	for _, id := range []string{"", "x", "mcp-session-", "mcp-session-x"} {
		_, err := inRequest.Validate(id)
		require.Error(t, err)
		_, err = inRequest.Terminate(id)
		require.Error(t, err)
	}
	for range 2 {
		notAllowed, err := inRequest.Terminate(first)
		require.NoError(t, err)
		require.False(t, notAllowed)
		require.True(t, ended(first))
		require.False(t, ended(second))
	}
	for range maxRecent - 1 {
		_, err := inRequest.Terminate(inRequest.Generate())
		require.NoError(t, err)
	}
	require.True(t, ended(first))
	_, err = inRequest.Terminate(second)
	require.NoError(t, err)
	require.True(t, ended(second))
	require.False(t, ended(first), "the oldest is forgotten")
}
