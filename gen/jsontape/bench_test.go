package jsontape_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// benchTexts is a small corpus that shows each part of the reader on its own.
func benchTexts() map[string]string {
	list := func(n int, element func(i int) string) string {
		elements := make([]string, n)
		for i := range elements {
			elements[i] = element(i)
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	return map[string]string{
		"message":  `{"stage": "build", "stage_status": "success", "attempt": 3, "ratio": 0.75, "tags": ["linux", "amd64"], "detail": {"log": "ok\n", "cached": true, "parent": null}}`,
		"names":    list(1000, func(i int) string { return fmt.Sprintf(`{"identifier":%d,"ok":true,"ref":null}`, i) }),
		"integers": list(10_000, func(i int) string { return fmt.Sprint(i * i) }),
		"floats":   list(10_000, func(i int) string { return fmt.Sprintf("-%d.%015d", i%180, i*7919) }),
		"plain":    list(100, func(i int) string { return `"` + strings.Repeat("plain ascii text ", i) + `"` }),
		"escapes":  list(1000, func(i int) string { return `"line one\nline \"two\"\t\u00e9\ud83d\ude00\n"` }),
		"greek":    list(1000, func(i int) string { return `"Τα πάντα ρεῖ και οὐδὲν μένει"` }),
		"japanese": list(1000, func(i int) string { return `"吾輩は猫である。名前はまだ無い。"` }),
		"indented": "[\n" + strings.Repeat("    {\n        \"a\": [\n            1,\n            2\n        ]\n    },\n", 1000) + "    0\n]\n",
		"deep":     strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	}
}

func BenchmarkRead(b *testing.B) {
	var tape jsontape.Tape
	texts := benchTexts()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		data := []byte(texts[name])
		for _, reader := range []struct {
			name string
			ok   func() bool
		}{
			{"Parse", func() bool { return tape.Parse(data, jsontape.Options{}) == nil }},
			{"Valid", func() bool { return jsontape.Valid(data) == nil }},
			{"encoding-json", func() bool { return json.Valid(data) }},
		} {
			b.Run(name+"/"+reader.name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if !reader.ok() {
						b.Fatal("refused")
					}
				}
			})
		}
	}
}
