package jsontape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// TestIterators: they yield what walking by hand does, stop where they are told to, and yield
// nothing of what has no elements, or none that are indexed.
func TestIterators(t *testing.T) {
	t.Parallel()
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(`[{"a":1,"b":[2,3],"a":{}},[],{},"x",null]`), jsontape.Options{}))
	var got []string
	for i := range tape.Elements(0) {
		got = append(got, string(tape.Bytes(i)))
		for name, value := range tape.Members(i) {
			got = append(got, tape.Str(name)+"="+string(tape.Bytes(value)))
			for j := range tape.Elements(value) {
				got = append(got, string(tape.Bytes(j)))
				break
			}
		}
	}
	require.Equal(t, []string{`{"a":1,"b":[2,3],"a":{}}`, "a=1", "b=[2,3]", "2", "a={}", "[]", "{}", `"x"`, "null"}, got)
	for range tape.Members(0) {
		require.Fail(t, "an array has no members")
	}
	for range tape.Elements(1) {
		require.Fail(t, "an object has no elements")
	}
	for range tape.Members(1) {
		got = got[:0]
		break
	}
	require.Empty(t, got)

	require.NoError(t, tape.Parse([]byte(`[[1],{"a":1}]`), jsontape.Options{IndexDepth: 2}))
	for i := range tape.Elements(0) {
		got = append(got, string(tape.Bytes(i)))
		for range tape.Elements(i) {
			require.Fail(t, "not indexed")
		}
		for range tape.Members(i) {
			require.Fail(t, "not indexed")
		}
	}
	require.Equal(t, []string{"[1]", `{"a":1}`}, got)
}
