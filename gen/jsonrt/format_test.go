package jsonrt

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var formats = map[string]struct {
	decide  func(string) bool
	yes, no []string
}{
	"date-time": {
		FormatDateTime,
		[]string{"1963-06-19T08:30:06.283185Z", "1963-06-19t08:30:06z", "1998-12-31T15:59:60.123-08:00", "2016-12-31T23:59:60Z", "2024-02-29T00:00:00+23:59", "0000-01-01T00:00:00-00:00"},
		[]string{"", "2021-01-01", "2021-01-01T", "2021-01-01 00:00:00Z", "2021-01-01T00:00:00", "2021-02-30T00:00:00Z", "2021-01-01T24:00:00Z", "1998-12-31T23:58:60Z", "2021-01-01T00:00:00+01", "2021-01-01T00:00:00Z\n", "2021-01-01T00:00Z", "12021-01-01T00:00:00Z"},
	},
	"date": {
		FormatDate,
		[]string{"2020-01-31", "2020-02-29", "2000-02-29", "0400-02-29", "0000-02-29", "2021-04-30", "9999-12-31"},
		[]string{"", "2021-02-29", "1900-02-29", "2100-02-29", "2021-04-31", "2021-00-01", "2021-13-01", "2021-01-00", "2021-1-01", "2021-01-1", "20210101", "2021/01/01", "2021-01-01 ", "২021-01-01", "2021-01-0:"},
	},
	"time": {
		FormatTime,
		[]string{"00:00:00Z", "23:59:59.999999999999z", "23:59:60Z", "01:29:60+01:30", "15:59:60-08:00", "00:29:60-23:30", "23:29:60+23:30", "12:00:00+00:00"},
		[]string{"", "12:00:00", "12:00Z", "24:00:00Z", "12:60:00Z", "12:00:61Z", "22:59:60Z", "23:59:60+01:00", "12:00:00.Z", "12:00:00,1Z", "12:00:00.1", "12:00:00+24:00", "12:00:00+01:60", "12:00:00+0100", "12:00:00+1:00", "12:00:00Z+00:30", "12:00:00 Z", "1২:00:00Z"},
	},
	"duration": {
		FormatDuration,
		[]string{"P4DT12H30M5S", "P1Y2M3DT4H5M6S", "PT0S", "P0D", "P2W", "P1YT1S", "PT1M", "P01D", "P1M2D", "PT1H2M", "P" + strings.Repeat("9", 100) + "D"},
		[]string{"", "P", "PT", "P1YT", "1D", "P1", "PD", "P1S", "PT1D", "P2D1Y", "P1Y2D", "PT1H2S", "P1Y2W", "P1W2D", "P1WT1H", "P1D2H", "PT0.5S", "-P1D", "P-1D", "p1d", "P1D ", "P1DD", "P1D1D", "P1W1W", "P২Y"},
	},
	"email": {
		FormatEmail,
		[]string{"joe.bloggs@example.com", "a@b", "te~st@example.com", `"joe bloggs"@example.com`, `"a@b"@example.com`, `"\""@example.com`, `""@a.b`, "joe@[127.0.0.1]", "joe@[IPv6:::1]", "joe@[ipv6:1::2]", strings.Repeat("a", 64) + "@b.c", "!#$%&'*+-/=?^_`{|}~@x.y"},
		[]string{"", "@", "2962", "a@", "@b", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c", "a@-b", "a@b-", "a@b..c", "a@b.", "a@b_c", "a@[1.2.3]", "a@[127.0.0.300]", "a@[::1]", "a@[IPv6:1]", "a@[127.0.0.1", "a@[]", `"a@b`, `"a"b@c`, `"a\"@c`, `"` + "\n" + `"@c`, strings.Repeat("a", 65) + "@b.c", "a@" + strings.Repeat("b", 64), "a@" + strings.Repeat("b.", 128) + "c", "é@b", "a@é.b", "a, b@c", "a\x00@b"},
	},
	"idn-email": {
		FormatIDNEmail,
		[]string{"실례@실례.테스트", "joe@example.com", `"δ οκ"@example.com`, "a@cafe\u0301.com", "\u0085@example.com"},
		[]string{"", "2962", "user\uff20example.com", "δ@", "@δ", ".δ@a", "δ@-a", "δ\xed\xa0\x80@a", "δ δ@a"},
	},
	"ipv4": {
		FormatIPv4,
		[]string{"0.0.0.0", "255.255.255.255", "192.168.0.1"},
		[]string{"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "192.168.01.1", "1.2.3.4 ", "0x7f.0.0.1", "::1", "::ffff:1.2.3.4", "1.2.3.4/8", "１.2.3.4"},
	},
	"ipv6": {
		FormatIPv6,
		[]string{"::", "::1", "1:2:3:4:5:6:7:8", "1::8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "ABCD:ef::"},
		[]string{"", ":", "1", "1.2.3.4", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", ":::", "12345::", "::g", "fe80::1%eth0", "[::1]", "::1/64", "::1.2.3", "::01.2.3.4", " ::1"},
	},
	"uuid": {
		FormatUUID,
		[]string{"2EB8AA08-AA98-11EA-B4AA-73B441D16380", "00000000-0000-0000-0000-000000000000"},
		[]string{"", "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa98-11ea-b4aa-73b441d163800-", "2eb8aa08-aa98-11ea-b4ga-73b441d16380", "2eb8aa0-8aa98-11ea-b4aa-73b441d16380", "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380"},
	},
	"regex": {
		FormatRegex,
		[]string{"", "^a+$", "([abc])+\\s+$", "(?<n>a)\\k<n>", "[]", `\p{L}`},
		[]string{"^(abc]", "*", `\a`, `\-`, "(?i)a", "[z-a]", "a{2,1}", `\p{Nope}`},
	},
	"json-pointer": {
		FormatJSONPointer,
		[]string{"", "/", "/foo", "/foo/0", "//", "/a~1b~0c", "/c%d", "/ ", "/é\x00\xed\xa0\x80", "/-"},
		[]string{"a", "#", "#/a", "/~", "/~2", "/a~", "/~~", "a/b", "0"},
	},
	"relative-json-pointer": {
		FormatRelativeJSONPointer,
		[]string{"0", "1", "10", "0#", "1/a", "0/", "2/0/b~1", "0+1", "0-1#", "1+12/a", "0//"},
		[]string{"", "/a", "#", "-1", "+1/a", "01", "01/a", "0##", "0#/a", "1#a", "0/~", "a", "0+0", "0+", "0+01", "0a", "١/a", "1\n"},
	},
	"uri": {
		FormatURI,
		[]string{"http://foo.bar/?baz=qux#quux", "a:", "a:b", "a:/b", "a://", "urn:x:y", "mailto:a@b.c", "http://[::1]:80/", "http://[v1.a:b]", "http://a:@b:/", "file:///x", "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "A+b-c.1:x", "http://a?b?c/d#e?f/g"},
		[]string{"", "abc", "/abc", "//a/b", ":a", "1a:b", "a_b:c", "http:// a", "http://a b", "http://[::1", "http://[::1]a", "http://[]", "http://[v.a]", "http://[v1.]", "http://[vg.a]", "http://[v1.a%20]", "http://[::1%25eth0]", "http://a:b", "http://a@b@c", "http://a/[", "http://a#b#c", "http://a/%", "http://a/%1", "http://a/%1g", "http://a/é", `http://a\b`, "http://a/<>", "http://a/{}", "http://a/^`|\"", "http:/[::1]", "a:\x00", "a:\x7f"},
	},
	"uri-reference": {
		FormatURIReference,
		[]string{"", "a", "/a", "//a", "//", "?a", "#a", "a/b:c", "./a:b", "../x", "a:b", "//a:80/b", "a?b:c"},
		[]string{":", "1:b", "a b", `a\b`, "#a#b", "é", "//a:b", "//[::1", "%", "/[", "a_b:c"},
	},
	"iri": {
		FormatIRI,
		[]string{"http://ƒøø.ßår/?∂éœ=πîx#πîüx", "http://é@ß:1/π", "a:é", "http://a/?\ue000\U000f0000", "http://a/\U00010300\U000e1000"},
		[]string{"", "âππ", "/é", "http://a/\ue000", "http://a/\U000f0000", "http://a/#\ue000", "http://2001:0db8::7334", "http://a/\n", "http://a/\ufffe", "http://a/\ufffd", "http://a/\x80", "http://a/\xed\xa0\x80", "é:a", "http://a/\ufdd0", "http://a/\U000e0fff", "http://a/\U0001ffff", "http://[é]"},
	},
	"iri-reference": {
		FormatIRIReference,
		[]string{"", "é", "/é", "#ƒ", "//é/π", "http://ƒøø.ßår/"},
		[]string{`\é`, "#ƒ\\", "é:b", "é b", "\u009f"},
	},
	"uri-template": {
		FormatURITemplate,
		[]string{"", "http://a/{b}", "{a}{b}", "{+a}", "{#a,b}", "{?a*,b:3}", "{a.b}", "{%41_1}", "a%41", "{v:9999}", "é'", "{=a}", "\ue000", "a=b;c[d]"},
		[]string{"{", "}", "{}", "a}b", "{a", "{a,}", "{,,a}", "{a..b}", "{.}", "{a.}", "{a:0}", "{a:}", "{a:01}", "{a:10000}", "{a:1x}", "{a**}", "{a:1*}", "{a b}", "{a-b}", "{é}", "{%4}", "a b", "%", "%4", `"`, "<", ">", `\`, "^", "`", "|", "\x00", "\x7f", "\x80", "\xed\xa0\x80", "{{a}}"},
	},
}

func TestFormats(t *testing.T) {
	for name, f := range formats {
		for _, s := range f.yes {
			require.True(t, f.decide(s), "%s: %q", name, s)
		}
		for _, s := range f.no {
			require.False(t, f.decide(s), "%s: %q", name, s)
		}
	}
}

func TestFormatsDoNotAllocate(t *testing.T) {
	for name, f := range formats {
		if name == "regex" {
			continue // it builds a tree
		}
		for _, s := range f.yes {
			require.Zero(t, testing.AllocsPerRun(10, func() { f.decide(s) }), "%s: %q", name, s)
		}
	}
}

// TestFormatCostIsLinear repeats every string of every table to 32 kilobytes.
func TestFormatCostIsLinear(t *testing.T) {
	start := time.Now()
	for _, f := range formats {
		for _, s := range append(f.yes, f.no...) {
			if s == "" {
				continue
			}
			long := strings.Repeat(s, 1<<15/len(s))
			f.decide(long)
			f.decide("a:" + long)
			f.decide("/" + long)
		}
	}
	require.Less(t, time.Since(start), time.Minute)
}

// FuzzFormats compares the formats with the standard library where that is as strict or
// accepts more.
func FuzzFormats(f *testing.F) {
	for _, format := range formats {
		for _, s := range append(format.yes, format.no...) {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, format := range formats {
			format.decide(s)
		}
		require.Equal(t, dateExists(s), FormatDate(s))
		if FormatDateTime(s) && !strings.Contains(s, ":60") {
			_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
			require.NoError(t, err)
		}
		if FormatURIReference(s) {
			require.True(t, FormatIRIReference(s))
		}
		if FormatIPv4(s) || FormatIPv6(s) {
			_, err := netip.ParseAddr(s)
			require.NoError(t, err)
		}
		if FormatEmail(s) {
			require.True(t, FormatIDNEmail(s))
		}
	})
}

func dateExists(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func BenchmarkFormat(b *testing.B) {
	for name, f := range formats {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f.decide(f.yes[0])
			}
		})
	}
}
