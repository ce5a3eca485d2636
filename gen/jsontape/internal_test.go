package jsontape

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestMultibyte(t *testing.T) {
	for a := 0x80; a < 0x100; a++ {
		for b := range 0x100 {
			for _, c := range []int{0, 0x7f, 0x80, 0xbf, 0xc0} {
				for _, d := range []int{0, 0x7f, 0x80, 0xbf, 0xc0} {
					text := []byte{byte(a), byte(b), byte(c), byte(d)}
					r, size := utf8.DecodeRune(text)
					if r == utf8.RuneError && size == 1 {
						size = 0
					}
					require.Equal(t, size, multibyte(uint32(a|b<<8|c<<16|d<<24)), "% x", text)
				}
			}
		}
	}
}
