package jsontape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func TestPosition(t *testing.T) {
	const text = "a\né😀b\r\n\n\xffc\n"
	for _, c := range []struct{ offset, line, column int }{
		{-1, 1, 1},
		{0, 1, 1},
		{1, 1, 2},
		{2, 2, 1},
		{4, 2, 2},
		{8, 2, 3},
		{9, 2, 4},
		{10, 2, 5},
		{11, 3, 1},
		{12, 4, 1},
		{13, 4, 2},
		{14, 4, 3},
		{15, 5, 1},
		{99, 5, 1},
	} {
		line, column := jsontape.Position([]byte(text), c.offset)
		require.Equal(t, [2]int{c.line, c.column}, [2]int{line, column}, "offset %d", c.offset)
	}
	line, column := jsontape.Position(nil, 0)
	require.Equal(t, [2]int{1, 1}, [2]int{line, column})
}
