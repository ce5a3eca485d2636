//go:build !race

package runtimeschema

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongRing: which of many schemas contain themselves is found out in one walk. One for each of
// them took a quarter of a gigabyte.
func TestLongRing(t *testing.T) {
	const n = 1600
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"n%d":{"properties":{"x":{"$ref":"#/$defs/n%d"}}}`, i, (i+1)%n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	check, err := Compile([]byte(`{"$ref":"#/$defs/n0","$defs":{` + b.String()[1:] + `}}`))
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Equal(t, 1, check.looks)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

// TestLooks: how often a schema has one member or element checked against schemas that contain
// themselves.
func TestLooks(t *testing.T) {
	for schema, want := range map[string]int{
		`{"properties":{"a":{"type":"string"}}}`:                                                                                                          0,
		`{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"items":{"type":"string"}}}}`:                                                             0,
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`:                                                                                              1,
		`{"anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`:                                                                                       2,
		`{"properties":{"a":{"$ref":"#"}},"patternProperties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`:                                                       3,
		`{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"items":{"$ref":"#/$defs/m"}},"m":{"$ref":"#"}}}`:                                                    1,
		`{"$ref":"#/$defs/n","$defs":{"n":{"oneOf":[{"items":{"$ref":"#/$defs/m"}},{"items":{"$ref":"#/$defs/n"}}]},"m":{"items":{"$ref":"#/$defs/n"}}}}`: 2,
		`{"allOf":[{"items":{"$ref":"#/$defs/n"}},{"items":{"$ref":"#/$defs/n"}}],"$defs":{"n":{"items":{"$ref":"#/$defs/n"}}}}`:                          1,
	} {
		check, err := Compile([]byte(schema))
		require.NoError(t, err)
		require.Equal(t, want, check.looks, schema)
	}
}
