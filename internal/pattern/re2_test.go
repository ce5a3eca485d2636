package pattern

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRE2Notation(t *testing.T) {
	for pattern, want := range map[string]string{
		`^(?:\p{L}a)*$`:             `\A(?:[\p{L}]a)*\z`,
		`^(?:\P{L}a)*$`:             `\A(?:[^\p{L}]a)*\z`,
		`^(?:[\p{Lu}\d_]a)*$`:       `\A(?:[\p{Lu}0-9_]a)*\z`,
		`^(?:[^\p{Lu}\s]a)*$`:       `\A(?:[^\p{Z}\p{Lu}\t-\r\x{FEFF}]a)*\z`,
		`^(?:\p{Script=Greek}a)*$`:  `\A(?:[\p{Greek}]a)*\z`,
		`^(?:[.]a|\\b|\$|é|\n)*$`:   `\A(?:\.a|\\b|[\n$é])*\z`,
		`^(?:[^]a|[]b)*$`:           `\A(?:(?s:.)a)*\z`,
		`^(?:[\]\-^\\]a)*$`:         `\A(?:[\-\\-\^]a)*\z`,
		`^(?:\u200b\u00ad😀a)*$`:     `\A(?:\x{200B}\xAD\x{1F600}a)*\z`,
		`^(?:\bab|\B){3,}(?:x|yz)$`: `\A(?:\bab|\B){3,}(?:x|yz)\z`,
		`^(?:ab){2}?(?:cd){1,1}$`:   `\A(?:ab){2}cd\z`,
		`(?:ab){1001}c|d(?:e|fg)?$`: `(?:ab){1000}(?:ab)c|d(?:e|fg)?\z`,
		`^(?:ab){3,1500}c`:          `\A(?:ab){3,1000}(?:ab){0,500}c`,
		`^(?:(?:ab){100}c){0,20}d`:  `\A(?:(?:ab){100}c){0,10}(?:(?:ab){100}c){0,10}d`,
	} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		expr, ok := p.node.re2()
		require.True(t, ok)
		require.Equal(t, want, expr, pattern)
	}
}

// TestRE2ClassesMeanTheirSets compares each property's notation with its set.
func TestRE2ClassesMeanTheirSets(t *testing.T) {
	for _, name := range []string{"L", "Lu", "Cn", "C", "LC", "P", "Alphabetic", "Cased", "ID_Continue", "Emoji", "Script=Latin", "scx=Latin", "Script=Common", "Script=Unknown"} {
		p, err := Compile(`^(?:\p{` + name + `}-)*$`)
		require.NoError(t, err)
		require.Less(t, len(p.expr), 8000, name)
		s := p.node.sub[1].sub[0].sub[0].set
		for r := rune(0); r < 0x20000; r++ {
			if 0xD800 <= r && r <= 0xDFFF {
				continue
			}
			if s.contains(r) != p.Match(string(r)+"-") {
				t.Fatalf("%U in %s: %s", r, name, comment(p.expr))
			}
		}
	}
}
