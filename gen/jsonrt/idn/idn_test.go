package idn

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHostname(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, s := range []string{
		"www.example.com", "hostname", "h0stn4me", "1host", "a", "0", "a-b", "a--b.com", "ab--cd.example", long + ".com",
		long + "." + long + "." + long + "." + strings.Repeat("a", 61), "EXAMPLE.com", "xn--9n2bp8q.xn--9t4b11yi5a", "XN--9n2bp8q",
		"xn--4gbwdl.xn--wgbh1c", "xn--zca29lwxobi7a", "xn--ll-0ea", "999.999.999.999",
	} {
		require.True(t, Hostname(s), s)
		require.True(t, IDNHostname(s), s)
	}
	for _, s := range []string{
		"", ".", "a.", ".a", "a..b", "-a", "a-", "a-.b", "a_b", "a b", "a\n", "é", "example\uff0ecom", "a\u3002b", "\u212aelvin", long + "a",
		long + "." + long + "." + long + "." + strings.Repeat("a", 62), "xn--", "xn--X", "xn--07jt112bpxg.xn--9t4b11yi5a", "xn--hello-txk",
		"XN--aa---o47jg78q", "xn--example-", "xn---9uc", "xn--7a", "xn--l-fda", "\xed\xa0\x80", "a.xn--0ca24w", strings.Repeat("a.", 2000) + "a",
	} {
		require.False(t, Hostname(s), s)
	}
}

func TestIDNHostname(t *testing.T) {
	for _, s := range []string{
		"실례.테스트", "bücher.example", "faß.de", "例え.jp", "ßς\u0f0b\u3007", "\u06fd\u06fe", "l·l", "α\u0375β", "א\u05f3ב", "א\u05f4ב",
		"\u30fbぁ", "\u30fbァ", "\u30fb丈", "ب\u0660ب", "\u06f00", "क\u094d\u200dष", "क\u094d\u200cष", "بي\u200cبي", "ب\u064e\u200c\u064eب",
		"אב.xn--4dbc8h", "א1", strings.Repeat("ü", 50), "\u13a0\u13a1", "a\u3002b", "a\uff0eb", "é\uff61b",
	} {
		require.True(t, IDNHostname(s), s)
		require.False(t, Hostname(s), s)
	}
	for _, s := range []string{
		"\u302e실례", "실\u302e례", "\u0903hello", "\u0300hello", "\u0488hello", "\u0640\u07fa", "\u3031", "a·l", "·l", "l·", "l·a", "α\u0375S", "α\u0375",
		"A\u05f3ב", "\u05f3ב", "def\u30fbabc", "\u30fb", "ب\u0660\u06f0", "क\u200dष", "\u200dष", "क\u094d\u200cषx\u200cy", "ب\u200cx", "x\u200cب",
		"-é", "é-", "éa--b", "aé--b", "Bücher", "bu\u0308cher", "0a.א", "0ا", "aא", "א0\u0660", strings.Repeat("ü", 60), "a.\u00e9_", "é b",
		"\xed\xa0\x80", "é\xff", "\uab70", "\u1100", "\u20d0a", "a\u20d0", "\u0378a", "é。", "。é", "é。。a", strings.Repeat("é.", 200) + "é",
	} {
		require.False(t, IDNHostname(s), "%q", s)
	}
}

func TestPlainHostnamesDoNotAllocate(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() {
		Hostname("www.example.com")
		IDNHostname("www.example.com")
		Hostname("www..com")
	}))
}

func FuzzHostname(f *testing.F) {
	for _, s := range []string{"www.example.com", "실례.테스트", "xn--9n2bp8q", "l·l", "א\u05f3ב", "a..b", "بي\u200cبي"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Hostname(s) {
			require.True(t, IDNHostname(s))
			require.True(t, isASCII(s))
		}
	})
}
