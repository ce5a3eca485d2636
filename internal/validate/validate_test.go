package validate_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/validate"
)

// stage is a hand-written check of {"stage": string (required)} and nothing else, also
// inside the items of an array, so that pointers have depth.
var stage = &jsonrt.Schema{ID: "stage", Check: checkStages}

func checkStages(c *jsonrt.Checker, v int) bool {
	if c.Kind(v) != jsontape.Array {
		return checkStage(c, v)
	}
	for i := v + 1; i < c.Next(v); i = c.Next(i) {
		if !checkStage(c, i) {
			return false
		}
	}
	return true
}

func checkStage(c *jsonrt.Checker, v int) bool {
	if c.Kind(v) != jsontape.Object {
		return c.Fail(v, "#", "type", "must be object")
	}
	var seen uint64
	for n := v + 1; n < c.Next(v); n = c.Next(n + 1) {
		if c.Name(n) != "stage" {
			if !c.Unknown(n, "#", "additionalProperties", "stage") {
				return false
			}
			continue
		}
		seen = 1
		if c.Kind(n+1) != jsontape.String && !c.Fail(n+1, "#/properties/stage", "type", "must be string") {
			return false
		}
	}
	return seen == 1 || c.Required(v, "#", seen, "stage")
}

func TestDocument(t *testing.T) {
	for _, c := range []struct {
		name, in, text, json string
		totals               validate.Totals
	}{
		{
			"valid", `{"stage":"a"}`, "", `{"file":"f","valid":true,"details":[]}`,
			validate.Totals{Valid: 1},
		},
		{
			"the member's name is the place", "{\n  \"stage\":\n    1}", "f:2:3: /stage: must be string\n",
			`{"file":"f","valid":false,"details":[{"path":"/stage","message":"must be string","keyword":"type","schema_path":"#/properties/stage/type","line":2,"column":3}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"a missing member is looked for in its object", "[\n {\"stage\":\"é\"}, {}]", "f:2:17: /1/stage: is required\n",
			`{"file":"f","valid":false,"details":[{"path":"/1/stage","message":"is required","keyword":"required","schema_path":"#/required","line":2,"column":17}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"an element of an array is its own place", `[{"stage":"a"}, 5]`, "f:1:17: /1: must be object\n",
			`{"file":"f","valid":false,"details":[{"path":"/1","message":"must be object","keyword":"type","schema_path":"#/type","line":1,"column":17}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"the root has no pointer", ` 5`, "f:1:2: must be object\n",
			`{"file":"f","valid":false,"details":[{"path":"","message":"must be object","keyword":"type","schema_path":"#/type","line":1,"column":2}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"control characters stay escaped", `{"stage":"a","\n\u009bm\ud800":1}`, "f:1:14: /\\u000a\\u009bm\ufffd\ufffd\ufffd: is not allowed here\n",
			`{"file":"f","valid":false,"details":[{"path":"/\n` + "\u009b" + `m\ud800","message":"is not allowed here","keyword":"additionalProperties","schema_path":"#/additionalProperties","line":1,"column":14}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"the second of two names is the place", "{\"stage\":\"a\",\n\"st\\u0061ge\":\"b\"}", "f:2:1: /stage: this member name is repeated; keep one of the two\n",
			`{"file":"f","valid":false,"details":[{"path":"/stage","message":"this member name is repeated; keep one of the two","keyword":"","schema_path":"","line":2,"column":1}]}`,
			validate.Totals{Invalid: 1},
		},
		{
			"not JSON", "{\n \"stage\" 1}", "f:2:10: not JSON: expected ':' after a member name, found '1'\n",
			`{"file":"f","valid":false,"details":[{"path":"","message":"not JSON: expected ':' after a member name, found '1'","keyword":"","schema_path":"","line":2,"column":10}]}`,
			validate.Totals{NotJSON: 1},
		},
		{
			"a limit isn't called a fault of grammar", `{"stage":[[[[[]]]]]}`, "f:1:14: arrays and objects nest more than 5 deep\n",
			`{"file":"f","valid":false,"details":[{"path":"","message":"arrays and objects nest more than 5 deep","keyword":"","schema_path":"","line":1,"column":14}]}`,
			validate.Totals{NotJSON: 1},
		},
		{
			"too long", `{"stage":"` + strings.Repeat("x", 100) + `"}`, "f:1:1: longer than 100 bytes\n",
			`{"file":"f","valid":false,"details":[{"path":"","message":"longer than 100 bytes","keyword":"","schema_path":"","line":1,"column":1}]}`,
			validate.Totals{NotJSON: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, asJSON := range []bool{false, true} {
				var out bytes.Buffer
				r := validate.New(&out, validate.Options{Schema: stage, JSON: asJSON, MaxBytes: 100, MaxDepth: 5})
				require.NoError(t, r.Document("f", strings.NewReader(c.in)))
				want := c.text
				if asJSON {
					want = c.json + "\n"
				}
				require.Equal(t, want, out.String())
				require.Equal(t, c.totals, r.Totals())
			}
		})
	}
}

func TestLines(t *testing.T) {
	in := "{\"stage\":\"a\"}\r\n" +
		"\n" +
		" \t\r\n" +
		"{\"x\":\n" + // not JSON
		"[{}," + strings.Repeat(" ", 30) + "5]\n" +
		"{\"stage\":\"" + strings.Repeat("x", 90) + "\"}\n" + // too long
		"{\"stage\":1}" // no line feed
	var out bytes.Buffer
	r := validate.New(&out, validate.Options{Schema: stage, MaxBytes: 100})
	require.NoError(t, r.Lines("f", strings.NewReader(in)))
	require.Equal(t, `f:4:6: not JSON: the document ends inside the object that starts at byte 0: expected a value after ':'
f:5:2: /0/stage: is required
f:5:35: /1: must be object
f:6:1: longer than 100 bytes
f:7:2: /stage: must be string
`, out.String())
	require.Equal(t, validate.Totals{Valid: 1, Invalid: 2, NotJSON: 2, Blank: 2}, r.Totals())
	require.Equal(t, "5 documents: 1 valid, 2 invalid, 2 not JSON; 2 blank lines skipped", r.Totals().String())

	out.Reset()
	r = validate.New(&out, validate.Options{Schema: stage, MaxBytes: 100, JSON: true, NameFiles: true})
	require.NoError(t, r.Lines("a\"b", strings.NewReader("{\"stage\":\"a\"}\n\n5")))
	require.Equal(t, `{"file":"a\"b","line":1,"valid":true,"details":[]}
{"file":"a\"b","line":3,"valid":false,"details":[{"path":"","message":"must be object","keyword":"type","schema_path":"#/type","column":1}]}
`, out.String())
}

// TestMoreFaults: what lies beyond the listed details is counted.
func TestMoreFaults(t *testing.T) {
	in := "[" + strings.Repeat("0,", jsonrt.MaxDetails+6) + "0]"
	var out bytes.Buffer
	r := validate.New(&out, validate.Options{Schema: stage})
	require.NoError(t, r.Document("f", strings.NewReader(in)))
	require.Equal(t, jsonrt.MaxDetails+1, strings.Count(out.String(), "\n"))
	require.True(t, strings.HasSuffix(out.String(), "f:1:1: and 7 more\n"))

	out.Reset()
	r = validate.New(&out, validate.Options{Schema: stage, JSON: true})
	require.NoError(t, r.Lines("f", strings.NewReader(in)))
	require.True(t, strings.HasSuffix(out.String(), "],\"more\":7}\n"))
}

// TestLongLines: lines around the size of the reader's buffer come out whole, or are
// refused whole, and the line after them is read as ever.
func TestLongLines(t *testing.T) {
	const buffer = 256 << 10
	for _, limit := range []int{0, 2*buffer - 1, 2 * buffer, 3 * buffer} {
		for n := 2*buffer - 2; n <= 2*buffer+2; n++ {
			line := `{"stage":"` + strings.Repeat("x", n-len(`{"stage":""}`)) + `"}`
			want := validate.Totals{Valid: 2}
			if limit > 0 && n > limit {
				want = validate.Totals{Valid: 1, NotJSON: 1}
			}
			r := validate.New(io.Discard, validate.Options{Schema: stage, MaxBytes: limit})
			require.NoError(t, r.Lines("f", strings.NewReader(line+"\n{\"stage\":\"a\"}")))
			require.Equal(t, want, r.Totals(), "limit %d, line of %d bytes", limit, n)
		}
	}
}

// TestAnswersComeBeforeWaiting: a program that writes a line and waits for its answer gets
// it.
func TestAnswersComeBeforeWaiting(t *testing.T) {
	in, toRun := io.Pipe()
	fromRun, out := io.Pipe()
	done := make(chan error)
	go func() {
		err := validate.New(out, validate.Options{Schema: stage, JSON: true}).Lines("-", in)
		out.Close()
		done <- err
	}()
	for range 3 {
		_, err := io.WriteString(toRun, "{\"stage\":\"a\"}\n")
		require.NoError(t, err)
		answer := make([]byte, 1000)
		n, err := fromRun.Read(answer)
		require.NoError(t, err)
		require.Contains(t, string(answer[:n]), `"valid":true`)
	}
	toRun.Close()
	require.NoError(t, <-done)
}

func TestReadAndWriteErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, read := range []func(*validate.Run) error{
		func(r *validate.Run) error { return r.Document("f", iotest.ErrReader(broken)) },
		func(r *validate.Run) error {
			return r.Lines("f", io.MultiReader(strings.NewReader("5\n"), iotest.ErrReader(broken)))
		},
	} {
		r := validate.New(io.Discard, validate.Options{Schema: stage})
		require.ErrorIs(t, read(r), broken)
		require.NoError(t, r.Flush())
	}
	r := validate.New(brokenWriter{broken}, validate.Options{Schema: stage})
	require.ErrorIs(t, r.Document("f", strings.NewReader("5")), broken)
	require.ErrorIs(t, r.Flush(), broken)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// FuzzLines: every line gets the verdict that the schema gives on it alone, in text and in
// JSON, and every row is JSON.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "\n", "{\"stage\":\"a\"}", "{\"stage\":1,\"\\ud800\":2}\n5\r\n\n[{}]", "{\"a\":1,\"a\":2}\n\xff\n[[["} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var want validate.Totals
		lines := bytes.Split(in, []byte{'\n'})
		if last := len(lines) - 1; len(lines[last]) == 0 {
			lines = lines[:last]
		}
		for _, line := range lines {
			var invalid *jsonrt.ValidationError
			var repeated *jsonrt.RepeatedNameError
			err := stage.Validate(line)
			switch {
			case len(bytes.Trim(line, " \t\r")) == 0:
				want.Blank++
			case err == nil:
				want.Valid++
			case errors.As(err, &invalid), errors.As(err, &repeated):
				want.Invalid++
			default:
				want.NotJSON++
			}
		}
		for _, asJSON := range []bool{false, true} {
			var out bytes.Buffer
			r := validate.New(&out, validate.Options{Schema: stage, JSON: asJSON})
			require.NoError(t, r.Lines("f", bytes.NewReader(in)))
			require.Equal(t, want, r.Totals())
			if asJSON {
				require.Equal(t, want.Valid+want.Invalid+want.NotJSON, bytes.Count(out.Bytes(), []byte{'\n'}))
				for row := range bytes.Lines(out.Bytes()) {
					require.NoError(t, jsontape.Valid(row))
				}
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	in := strings.Repeat("{\"stage\":\"running the tests of the second stage\"}\n", 10_000)
	for _, mode := range []struct {
		name string
		json bool
	}{{"text", false}, {"json", true}} {
		b.Run(mode.name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				r := validate.New(io.Discard, validate.Options{Schema: stage, JSON: mode.json})
				if err := r.Lines("f", strings.NewReader(in)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestUndecided: there is a third outcome, which is no verdict.
func TestUndecided(t *testing.T) {
	endless := &jsonrt.Schema{ID: "endless", Check: func(c *jsonrt.Checker, v int) bool {
		for c.Kind(v) == jsontape.Null && c.Step(v, "endless.json#/type") {
		}
		return c.Kind(v) != jsontape.String || c.Fail(v, "endless.json#", "type", "must not be string")
	}}
	in := "1\n null\n\"s\"\n"
	var out bytes.Buffer
	r := validate.New(&out, validate.Options{Schema: endless})
	require.NoError(t, r.Lines("f", strings.NewReader(in)))
	require.Equal(t, "f:2:2: can't be decided: checking this against #/type takes more work than one document may cost\nf:3:1: must not be string\n", out.String())
	require.Equal(t, validate.Totals{Valid: 1, Invalid: 1, Undecided: 1}, r.Totals())
	require.Equal(t, "3 documents: 1 valid, 1 invalid, 1 undecided", r.Totals().String())

	out.Reset()
	r = validate.New(&out, validate.Options{Schema: endless, JSON: true})
	require.NoError(t, r.Lines("f", strings.NewReader(in)))
	require.Contains(t, out.String(), `{"line":2,"valid":false,"undecided":true,"details":[{"path":"",`)
}
