package jsonrt

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// strings checks an array of strings, as generated code would.
var stringsSchema = &Schema{ID: "strings", Check: func(c *Checker, v int) bool {
	const at = "strings.json#"
	if c.Kind(v) != jsontape.Array {
		return c.Fail(v, at, "type", "must be array")
	}
	for item, end := v+1, c.Next(v); item < end; item = c.Next(item) {
		if c.Kind(item) != jsontape.String && !c.Fail(item, at+"/items", "type", "must be string") {
			return false
		}
	}
	return true
}}

func TestValidateKinds(t *testing.T) {
	require.NoError(t, stringsSchema.Validate([]byte(`["a","b"]`)))

	var syntax *jsontape.SyntaxError
	require.ErrorAs(t, stringsSchema.Validate([]byte(`["a",]`)), &syntax)

	var repeated *RepeatedNameError
	require.ErrorAs(t, stringsSchema.Validate([]byte(`[{"a":1,"b~/":2,"\u0062~/":3}]`)), &repeated)
	require.Equal(t, "/0/b~0~1", repeated.Path)

	var invalid *ValidationError
	require.ErrorAs(t, stringsSchema.Validate([]byte(`["a",1,null]`)), &invalid)
	require.Equal(t, []Detail{
		{Path: "/1", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"},
		{Path: "/2", Message: "must be string", Keyword: "type", SchemaPath: "#/items/type"},
	}, invalid.Details)
	require.Equal(t, "/1: must be string\n/2: must be string", invalid.Error())
}

func TestDetailsAreBoundedAndTheRestCounted(t *testing.T) {
	for _, faults := range []int{MaxDetails, MaxDetails + 1, 5000, 100_000} {
		document := "[" + strings.TrimSuffix(strings.Repeat("1,", faults), ",") + "]"
		var invalid *ValidationError
		require.ErrorAs(t, stringsSchema.Validate([]byte(document)), &invalid)
		require.Len(t, invalid.Details, MaxDetails)
		require.Equal(t, faults-MaxDetails, invalid.More)
	}
}

// A value inside a larger tape is checked as a document of its own.
func TestValidateTape(t *testing.T) {
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(`{"x":1,"x":2,"payload":["a",{"k":1}],"last":{"y":1,"y":2}}`), jsontape.Options{}))
	payload := tape.Member(0, "payload")
	var invalid *ValidationError
	require.ErrorAs(t, stringsSchema.ValidateTape(t.Context(), &tape, payload), &invalid)
	require.Equal(t, "/1", invalid.Details[0].Path)
}

func TestCheckersMayRunAtTheSameTime(t *testing.T) {
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 200 {
				if err := stringsSchema.Validate([]byte(`["a"]`)); err != nil {
					t.Error(err)
				}
				var invalid *ValidationError
				if err := stringsSchema.Validate(fmt.Appendf(nil, `[%d]`, i)); !errors.As(err, &invalid) || len(invalid.Details) != 1 {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestRegistry(t *testing.T) {
	r := NewRegistry(&Schema{ID: "b"}, &Schema{ID: "B"}, &Schema{ID: "a"})
	var ids []string
	for _, s := range r.Schemas() {
		ids = append(ids, s.ID)
	}
	require.Equal(t, []string{"B", "a", "b"}, ids)
	require.Equal(t, 3, r.Len())
	s, ok := r.Lookup("B")
	require.True(t, ok)
	require.Equal(t, "B", s.ID)
	_, ok = r.Lookup("c")
	require.False(t, ok)
	_, ok = Registry{}.Lookup("")
	require.False(t, ok)
}

func TestNearest(t *testing.T) {
	known := []string{"stage", "stage_status", "next_stage", "extra", "é", strings.Repeat("x", 70)}
	for name, want := range map[string]string{
		"stag": "stage", "stgae": "stage", "Stage": "stage", "stageStatus": "stage_status", "STAGE-STATUS": "stage_status", "next stage": "next_stage",
		"extras": "extra", "color": "", "": "", "x": "", "e": "", strings.Repeat("x", 69): "",
	} {
		require.Equal(t, want, nearest(name, known), "%q", name)
	}
}

// Strings with escapes are decoded once, and cost no allocation when the memory is warm.
func TestNamesWithEscapes(t *testing.T) {
	schema := &Schema{ID: "x", Check: func(c *Checker, v int) bool {
		ok := true
		for k, end := v+1, c.Next(v); k < end; k = c.Next(k + 1) {
			ok = ok && c.Name(k) == "name\n" && (c.StringIs(k+1, "vé😀") || c.StringOrNone(k+1) == "\xed\xa0\x80")
		}
		return ok || c.Fail(v, "x.json#", "", "differs")
	}}
	for _, document := range []string{`{"name\n":"vé😀"}`, `{"nam\u0065\u000a":"v\u00e9\ud83d\ude00"}`, `{"name\n":"\ud800"}`} {
		require.NoError(t, schema.Validate([]byte(document)), document)
	}
	require.Error(t, schema.Validate([]byte(`{"name\\n":"vé😀"}`)))
}
