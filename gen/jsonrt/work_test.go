package jsonrt

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// hopeless is a pattern that no search decides for hopelessText.
var (
	hopeless     = LookPattern{Expr: `^(?:([a-z]+[-]?)+\u{2c}(?:\1)|([a]*)*(?:\2)b!)$`}
	hopelessText = `"` + strings.Repeat("a", 3000) + `!"`
)

// searching checks that a string, or each string of an array, matches the pattern; with not that
// it doesn't.
func searching(not bool) *Schema {
	return &Schema{ID: "x", Check: func(c *Checker, v int) bool {
		if c.Kind(v) == jsontape.String {
			return hopeless.Match(c, v, "x.json#/pattern") != not || c.Fail(v, "x.json#", "pattern", "must match")
		}
		for item, end := v+1, c.Next(v); item < end; item = c.Next(item) {
			if !(hopeless.Match(c, item, "x.json#/items/pattern") != not || c.Fail(item, "x.json#/items", "pattern", "must match")) {
				return false
			}
		}
		return true
	}}
}

func TestUndecided(t *testing.T) {
	for _, not := range []bool{false, true} {
		s := searching(not)
		for range 2 {
			var undecided *UndecidedError
			require.ErrorAs(t, s.Validate([]byte(hopelessText)), &undecided)
			require.Equal(t, UndecidedError{Path: "", SchemaPath: "#/pattern"}, *undecided)
			if !not {
				require.ErrorAs(t, s.Validate([]byte(`["a,a",`+hopelessText+`]`)), &undecided)
				require.Equal(t, UndecidedError{Path: "/1", SchemaPath: "#/items/pattern"}, *undecided)
				require.Contains(t, undecided.Error(), "/1")
			}
		}
	}
}

// TestExplainingEnds: when a document is invalid for sure, faults that can't be decided are left
// out, and the error says so.
func TestExplainingEnds(t *testing.T) {
	s := searching(false)
	var invalid *ValidationError
	require.ErrorAs(t, s.Validate([]byte(`["x",`+hopelessText+`,"y"]`)), &invalid)
	require.Equal(t, []Detail{{Path: "/0", Message: "must match", Keyword: "pattern", SchemaPath: "#/items/pattern"}}, invalid.Details)
	require.True(t, invalid.Incomplete)
	require.Zero(t, invalid.More)
	require.Contains(t, invalid.Error(), "perhaps others")

	pattern := searching(true)
	hidden := &Schema{ID: "x", Check: func(c *Checker, v int) bool { return c.loud && pattern.Check(c, v) }}
	require.ErrorAs(t, hidden.Validate([]byte(hopelessText)), &invalid)
	require.Len(t, invalid.Details, 1)
	require.Contains(t, invalid.Details[0].Message, "more than one call may")
}

// TestCheckingEndsWithItsContext: nobody works for a client that has left.
func TestCheckingEndsWithItsContext(t *testing.T) {
	gone := errors.New("the client has left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(hopelessText), jsontape.Options{}))
	steps := 0
	s := &Schema{ID: "x", Check: func(c *Checker, _ int) bool {
		for c.Spend(1) {
			steps++
		}
		return true
	}}
	require.ErrorIs(t, s.ValidateTape(ctx, &tape, 0), gone)
	require.Less(t, steps, stepsBetweenLooks)
	steps = 0
	var undecided *UndecidedError
	require.ErrorAs(t, s.ValidateTape(t.Context(), &tape, 0), &undecided)
	require.Equal(t, freeSteps+stepsPerByte*len(hopelessText), steps)
}

// TestVerdictsAreBounded: what is remembered takes a few bytes a token, and is right.
func TestVerdictsAreBounded(t *testing.T) {
	var m verdicts
	const tokens = 100_000
	for v := range tokens {
		for id := range uint32(40) {
			m.put(id, v, (v+int(id))%3 == 0, tokens)
		}
	}
	require.LessOrEqual(t, len(m.pages), freePages+tokens/tokensForPage)
	found := 0
	for v := range tokens {
		for id := range uint32(40) {
			if verdict, known := m.get(id, v); known {
				found++
				require.Equal(t, (v+int(id))%3 == 0, verdict)
			}
		}
	}
	require.Greater(t, found, tokens*10)
	_, known := m.get(99, 1)
	require.False(t, known)
}

// TestDetailsAreBoundedInBytes: paths through names of any length, at any depth.
func TestDetailsAreBoundedInBytes(t *testing.T) {
	// Every value that is no object is a fault.
	var check CheckFunc
	check = func(c *Checker, v int) bool {
		if c.Kind(v) != jsontape.Object {
			return c.Fail(v, "x.json#", "type", "must be object")
		}
		for k, end := v+1, c.Next(v); k < end; k = c.Next(k + 1) {
			if !check(c, k+1) {
				return false
			}
		}
		return true
	}
	s := &Schema{ID: "x", Check: check}
	for what, tt := range map[string]struct {
		document string
		path     string // of the first detail
		details  int
	}{
		"a long name":          {`{"` + strings.Repeat("n", 1<<20) + `":{"a":1,"b":2}}`, "", 2},
		"a long name, escaped": {`{"k":{"` + strings.Repeat(`\u006e`, 1<<17) + `":{"a":1,"b":2}}}`, "/k", 2},
		"as long as may be":    {`{"` + strings.Repeat("n", MaxPointerBytes-3) + `":{"a":1,"b":2}}`, "/" + strings.Repeat("n", MaxPointerBytes-3) + "/a", 2},
		"escapes in pointers":  {`{"` + strings.Repeat("~", MaxPointerBytes/2) + `":1}`, "", 1},
		"depth":                {strings.Repeat(`{"step":`, 9000) + "1" + strings.Repeat("}", 9000), strings.Repeat("/step", MaxPointerBytes/5), 1},
		"many":                 {`{"` + strings.Repeat("n", 8000) + `":{"a1":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11}}`, "/" + strings.Repeat("n", 8000) + "/a1", 8},
	} {
		var invalid *ValidationError
		require.ErrorAs(t, s.Validate([]byte(tt.document)), &invalid, what)
		require.Len(t, invalid.Details, tt.details, what)
		require.Equal(t, tt.path, invalid.Details[0].Path, what)
		size := 0
		for _, d := range invalid.Details {
			size += len(d.Path) + len(d.Message) + len(d.SchemaPath) + len(d.Keyword)
			require.LessOrEqual(t, len(d.Path), MaxPointerBytes)
		}
		require.LessOrEqual(t, size, MaxDetailBytes, what)
	}
	var invalid *ValidationError
	require.ErrorAs(t, s.Validate([]byte(`{"`+strings.Repeat("n", 1<<20)+`":1}`)), &invalid)
	require.Equal(t, "inside this, 1048580 bytes into the payload, at a path that is too long to tell: must be object", invalid.Details[0].Message)

	var repeated *RepeatedNameError
	require.ErrorAs(t, s.Validate([]byte(`{"k":{"`+strings.Repeat("n", 1<<20)+`":{"a":1,"a":2}}}`)), &repeated)
	require.Equal(t, "/k", repeated.Path)
}
