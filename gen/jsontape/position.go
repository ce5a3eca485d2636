package jsontape

import (
	"bytes"
	"unicode/utf8"
)

// Position is the line and column of an offset into data, both counted from 1. Lines end
// with a line feed; columns count code points, and a byte that is not UTF-8 counts as one.
// An offset outside data is taken as the nearest one inside.
func Position(data []byte, offset int) (line, column int) {
	before := data[:min(max(offset, 0), len(data))]
	line = bytes.Count(before, []byte{'\n'}) + 1
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, utf8.RuneCount(before[start:]) + 1
}
