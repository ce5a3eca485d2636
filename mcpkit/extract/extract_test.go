package extract

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// q is a JSON string that says s.
func q(s string) string { return string(jsontape.AppendQuoted(nil, s)) }

// row is a line of text for what a loop yields.
func row(m Message, err error) string {
	var broken *BrokenError
	switch {
	case errors.As(err, &broken):
		return broken.Error()
	case err != nil:
		return "error: " + err.Error()
	case m.Failure != nil:
		return fmt.Sprintf("line %d: refused: %s %s", m.Line, m.Failure.Code, m.SchemaID)
	}
	return fmt.Sprintf("line %d: %s %s", m.Line, m.SchemaID, m.Payload)
}

// rows reads text with one worker and with several, in small reads, which must make no difference.
func rows(t *testing.T, text string, o Options) []string {
	t.Helper()
	var first []string
	for _, workers := range []int{1, 3} {
		o.Workers = workers
		got := []string{}
		for m, err := range Messages(iotest.HalfReader(strings.NewReader(text)), o) {
			got = append(got, row(m, err))
		}
		if first == nil {
			first = got
		}
		require.Equal(t, first, got, "%d workers", workers)
	}
	return first
}

func TestMessages(t *testing.T) {
	const a, one = `{"ok":true,"schema_id":"a","payload":1}`, "a 1"
	result := func(text, structured string) string {
		return `{"content":[{"type":"text","text":` + q(text) + `}],"structuredContent":` + structured + `}`
	}
	refused := `{"ok":false,"error":{"code":"SCHEMA_NOT_FOUND","message":"no","schema_id":"b"}}`
	for _, c := range []struct {
		name, in string
		o        Options
		want     []string
	}{
		{"alone", a, Options{}, []string{"line 1: " + one}},
		{"lines, the last without end", a + "\n\r\n \t\n" + a, Options{}, []string{"line 1: " + one, "line 4: " + one}},
		{"a byte order mark before lines", "\ufeff" + a + "\n" + a, Options{}, []string{"line 1: " + one, "line 2: " + one}},
		{"a byte order mark before a document", "\ufeff[\n" + a + "\n]", Options{}, []string{"line 2: " + one}},
		{"structuredContent", `{"structuredContent":` + a + `}`, Options{}, []string{"line 1: " + one}},
		{"strings in strings", q(q(q(a))), Options{}, []string{"line 1: " + one}},
		{"text around JSON", q("Output:\n" + a + "\nand\r\ndata: " + a + "\n"), Options{}, []string{"line 1: " + one, "line 1: " + one}},
		{"JSON inside of a line of text is none", q("Output: " + a), Options{}, []string{}},
		{"escaped letters", `{"o\u006B":true,"schem\u0061_id":"\u0061","payload":1}`, Options{}, []string{"line 1: " + one}},
		{"escaped quotes", `"{\u0022ok\u0022:true,\u0022schema_id\u0022:\u0022a\u0022,\u0022payload\u0022:1}"`, Options{}, []string{"line 1: " + one}},
		{"escaped backslashes", `"` + strings.ReplaceAll(strings.Trim(q(a), `"`), `\"`, `\u005c\u0022`) + `"`, Options{}, []string{}},
		{"escapes of escapes", `"\u0022` + strings.ReplaceAll(strings.Trim(q(a), `"`), `\"`, `\u005c\u0022`) + `\u0022"`, Options{}, []string{"line 1: " + one}},
		{"exact bytes", `{"ok":true,"schema_id":"a","payload":{ "n" : 1.0e400, "s":"\u0041\/<" }}`, Options{}, []string{`line 1: a { "n" : 1.0e400, "s":"\u0041\/<" }`}},
		{"members in another order, and more", `{"payload":1,"x":[],"schema_id":"a","ok":true}`, Options{}, []string{"line 1: " + one}},
		{"the first of a repeated name counts", `{"ok":true,"schema_id":"a","payload":1,"payload":2,"ok":false}`, Options{}, []string{"line 1: " + one}},
		{"a payload is not looked into", `{"ok":true,"schema_id":"b","payload":` + a + `}`, Options{}, []string{"line 1: b " + a}},
		{"arguments of a call are no message", `{"name":"echo","arguments":{"schema_id":"a","payload":1}}`, Options{}, []string{}},
		{"a filter", a + "\n" + strings.Replace(a, `"a"`, `"b"`, 1), Options{SchemaID: "b"}, []string{"line 2: b 1"}},
		{"a refused call, not asked for", refused, Options{}, []string{}},
		{"a refused call", refused + "\n" + q(refused), Options{Failures: true}, []string{"line 1: refused: SCHEMA_NOT_FOUND b", "line 2: refused: SCHEMA_NOT_FOUND b"}},
		{"a refused call twice", result(refused, refused), Options{Failures: true}, []string{"line 1: refused: SCHEMA_NOT_FOUND b"}},
		{"a refused call, of another schema", refused, Options{Failures: true, SchemaID: "c"}, []string{}},

		{"a result has it twice", result(a, a), Options{}, []string{"line 1: " + one}},
		{"the text is closer to the server", result(`{"ok":true,"schema_id":"a","payload":{"x":1.0,"y":1e400}}`, `{"ok":true,"payload":{"y":null,"x":1},"schema_id":"a"}`), Options{}, []string{`line 1: a {"x":1.0,"y":1e400}`}},
		{"two different ones", result(a, strings.Replace(a, ":1}", ":2}", 1)), Options{}, []string{"line 1: " + one, "line 1: a 2"}},
		{"equal messages on two lines", result(a, a) + "\n" + result(a, a), Options{}, []string{"line 1: " + one, "line 2: " + one}},
		{"equal messages in elements of an array that look different", "[" + q(a) + "," + a + "]", Options{}, []string{"line 1: " + one, "line 1: " + one}},
		{"equal messages in one array", "[" + result(a, a) + "," + result(a, a) + "]", Options{}, []string{"line 1: " + one, "line 1: " + one}},
		{
			"equal messages of two calls at different places", `[{"tool_call_id":"1","content":` + q(a) + `},{"tool_call_id":"2","content":[{"text":` + q(a) + `}]}]`,
			Options{},
			[]string{"line 1: " + one, "line 1: " + one},
		},
		{"one call, and a copy outside of it", `{"message":{"tool_use_id":"1","content":` + q(a) + `},"toolUseResult":` + q(a) + `}`, Options{}, []string{"line 1: " + one}},
		{
			"one call on two lines", `{"call_id":"1","output":` + q(a) + "}\n" + `{"call_id":"1","result":` + a + "}\n" + `{"call_id":"2","result":` + a + "}",
			Options{},
			[]string{"line 1: " + one, "line 3: " + one},
		},
		{"a line that is there twice", strings.Repeat(`{"call_id":"1","output":`+q(a)+"}\n", 2), Options{}, []string{"line 1: " + one, "line 2: " + one}},

		{
			"broken lines", "nope\n" + a + "\n{\"a\":\n\"x\n\xff\n" + a + "\n[1,\n",
			Options{File: "f"},
			[]string{
				`f:1:1: not JSON: expected a value, found "nope"`, "line 2: " + one,
				`f:3:6: not JSON: the document ends inside the object that starts at byte 0: expected a value after ':'`,
				`f:4:3: not JSON: the document ends inside the string that starts at byte 0`,
				`f:5:1: not JSON: expected UTF-8, found byte 0xFF`, "line 6: " + one,
				`f:7:4: not JSON: the document ends inside the array that starts at byte 0: expected a value after ','`,
			},
		},
		{"the first line is cut off", "{\"a\":\n" + a + "\n", Options{}, []string{`line 1:6: not JSON: the document ends inside the object that starts at byte 0: expected a value after ':'`, "line 2: " + one}},
		{"too deep", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "\n" + a, Options{}, []string{"line 1:10001: arrays and objects nest more than 10000 deep", "line 2: " + one}},
		{"nothing", "", Options{}, []string{}},
		{"blank", " \n\n", Options{}, []string{}},

		{"a document", "{\n  \"a\": [\n    " + a + "\n  ]\n}\n", Options{}, []string{"line 3: " + one}},
		{"a line for each element", "[\n" + a + ",\n" + a + "\n]", Options{}, []string{"line 2: " + one, "line 3: " + one}},
		{"documents", "{\n\"a\":" + a + "}\n[\n" + a + "]{\"b\":" + a + "}", Options{}, []string{"line 2: " + one, "line 4: " + one, "line 4: " + one}},
		{"a document that is cut off", "[\n" + a + ",\n{\"x\":[" + a + ",\n" + a + "\n", Options{}, []string{"line 2: " + one, "line 3: " + one, "line 4: " + one, "line 5: not JSON: the document ends inside the array that begins on line 3"}},
		{"a broken document, and another", "{\n\"a\":1]\n{\"b\":\n" + a + "}\n", Options{}, []string{"line 2:6: not JSON: expected ',' or '}' after a member, found ']'", "line 4: " + one}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, rows(t, c.in, c.o))
		})
	}
}

// TestTakenApart: what is larger than the window gives the same messages on the same lines, be it
// one line or a document.
func TestTakenApart(t *testing.T) {
	long := strings.Repeat("long é 𝄞 \n\t\"text\" \\ ", 40)
	message := func(id, payload string) string {
		return `{"ok":true,"schema_id":"` + id + `","payload":` + payload + `}`
	}
	document := "{\n\"first\": [1, [2], {}, " + message("a", `{"x":[1,2]}`) + ",\n" +
		`"` + strings.Repeat("x", 300) + `", 1.5e3, true, null, ` + strings.Repeat(" ", 300) + "[]],\n" +
		`"large": {"structuredContent":` + message("b", q(long)) + `, "content":[{"type":"text","text":` + q(message("b", q(long))) + "}]},\n" +
		`"sorted":{"ok":true,"payload":` + q(long+"s") + `,"schema_id":"c"}, "prose":` + q(long+message("x", "1")) + ",\n" +
		`"lines":` + q("Output:\n"+message("d", q(long+"d"))+"\n") + `, "nested":` + q(`{"a":[`+message("e", q(long+"e"))+`,1]}`) + ",\n" +
		`"` + strings.Repeat("n", 400) + `": ` + strings.Repeat("7", 400) + ", \"deep\":" + strings.Repeat("[", 400) + message("f", "1") + strings.Repeat("]", 400) + "\n}\n"
	require.NoError(t, jsontape.Valid([]byte(document)))

	ids := []string{}
	for m, err := range Messages(strings.NewReader(document), Options{}) {
		require.NoError(t, err)
		ids = append(ids, fmt.Sprintf("%s%d", m.SchemaID, m.Line))
	}
	require.Equal(t, []string{"a2", "b4", "c5", "d6", "e6", "f7"}, ids)

	line := strings.ReplaceAll(document, "\n", " ")
	for _, text := range []string{document, line, line + "\n" + message("last", "1") + "\n", document + document} {
		whole := rows(t, text, Options{})
		for _, window := range []int{100, 256, 1000, 5000} {
			t.Run(fmt.Sprint(window), func(t *testing.T) {
				got := rows(t, text, Options{window: window})
				// Of a pair that does not fit together into the window, the first one is given.
				require.Equal(t, heads(whole), heads(got))
				require.Equal(t, whole, got)
			})
		}
	}
}

// heads are the beginnings of rows.
func heads(rows []string) []string {
	var all []string
	for _, r := range rows {
		all = append(all, fmt.Sprintf("%.12s… %d", r, len(r)))
	}
	return all
}

// TestTooLarge: what is larger than it may be is an error that says so, and the rest is read.
func TestTooLarge(t *testing.T) {
	large := `{"ok":true,"schema_id":"a","payload":"` + strings.Repeat("x", 5000) + `"}`
	small := `{"ok":true,"schema_id":"b","payload":1}`
	o := Options{window: 100, MaxBytes: 1000}
	require.Equal(t, []string{
		"line 1: a message of more than 1000 bytes is not looked into; raise MaxBytes (--max-bytes) for it", "line 1: b 1", "line 2: b 1",
	}, rows(t, "["+large+","+small+"]\n"+small, o))
	require.Equal(t, []string{
		"line 1: a string that may hold a message of more than 1000 bytes is not looked into; raise MaxBytes (--max-bytes) for it", "line 2: b 1",
	}, rows(t, `{"text":`+q(large)+"}\n"+small, o))
	require.Equal(t, []string{"line 1: not JSON: expected the end of the line after its value, found 'n'", "line 2: b 1"}, rows(t, q(strings.Repeat("x", 5000))+" nope\n"+small, o))
	require.Equal(t, []string{"line 1: not JSON: the line ends inside a value", "line 2: b 1"}, rows(t, `"`+strings.Repeat("x", 5000)+"\n"+small, o))
}

// TestRecordings: each format has two messages or three, and says them once.
func TestRecordings(t *testing.T) {
	const plan, build = `{"stage": "plan", "stage_status": "running"}`, `{"stage":"build","stage_status":"success"}`
	for file, want := range map[string][]string{
		"claude_code.jsonl":       {"3 " + plan, "4 " + build, "5 SCHEMA_NOT_FOUND", "6 " + build},
		"codex_rollout.jsonl":     {"3 " + plan, "5 " + build},
		"openai_chat.json":        {"33 " + plan, "41 " + plan},
		"openai_responses.json":   {"13 " + plan, "21 " + build},
		"anthropic_messages.json": {"26 " + plan, "47 " + build},
		"mcp_log.jsonl":           {"1 " + plan, "2 " + build, "3 " + plan, "broken 4"},
	} {
		var got []string
		for m, err := range File(filepath.Join("testdata", file), Options{Failures: true}) {
			var broken *BrokenError
			switch {
			case errors.As(err, &broken):
				got = append(got, fmt.Sprintf("broken %d", broken.Line))
			case m.Failure != nil:
				got = append(got, fmt.Sprintf("%d %s", m.Line, m.Failure.Code))
			default:
				require.NoError(t, err)
				got = append(got, fmt.Sprintf("%d %s", m.Line, m.Payload))
			}
		}
		require.Equal(t, want, got, file)
	}
}

// TestCompressed: files are decompressed by their extension, also those of several members.
func TestCompressed(t *testing.T) {
	var plain strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&plain, `{"ok":true,"schema_id":"a","payload":%d}`+"\n", i)
	}
	var gz, zst bytes.Buffer
	for range 2 {
		w := gzip.NewWriter(&gz)
		_, err := io.WriteString(w, plain.String())
		require.NoError(t, errors.Join(err, w.Close()))
		z, err := zstd.NewWriter(&zst)
		require.NoError(t, err)
		_, err = io.WriteString(z, plain.String())
		require.NoError(t, errors.Join(err, z.Close()))
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.jsonl.gz": gz.Bytes(), "a.jsonl.zst": zst.Bytes(), "A.JSONL.GZ": gz.Bytes(), "a.jsonl": []byte(plain.String() + plain.String())} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		n := 0
		for m, err := range File(path, Options{}) {
			require.NoError(t, err, name)
			require.Equal(t, fmt.Sprint(n%1000), string(m.Payload))
			require.Equal(t, path, m.File)
			n++
		}
		require.Equal(t, 2000, n, name)
	}
	for name, data := range map[string][]byte{"cut.gz": gz.Bytes()[:gz.Len()-20], "cut.zst": zst.Bytes()[:zst.Len()-20], "no.gz": []byte("{}"), "no.zst": []byte("{}\n{}\n")} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		var last error
		for _, err := range File(path, Options{}) {
			last = err
		}
		require.Error(t, last, name)
	}
}

// TestReadError: the messages before it are given, then the error, once.
func TestReadError(t *testing.T) {
	for _, workers := range []int{1, 2} {
		gone := errors.New("the disk is gone")
		in := io.MultiReader(strings.NewReader(`{"ok":true,"schema_id":"a","payload":1}`+"\n"+`{"ok":tr`), iotest.ErrReader(gone))
		var got []string
		for m, err := range Messages(in, Options{Workers: workers}) {
			got = append(got, row(m, err))
		}
		require.Equal(t, []string{"line 1: a 1", "error: the disk is gone"}, got)
	}
}

// TestLeftEarly: a loop that is left ends all that was started for it; TestMain looks for goroutines.
func TestLeftEarly(t *testing.T) {
	text := strings.Repeat(`{"ok":true,"schema_id":"a","payload":1}`+"\n", 100_000)
	for _, workers := range []int{1, 2, 8} {
		for _, err := range Messages(strings.NewReader(text), Options{Workers: workers}) {
			require.NoError(t, err)
			break
		}
	}
}

// TestIdle: what can be said is said before more input is waited for.
func TestIdle(t *testing.T) {
	in, out := io.Pipe()
	given, idle := make(chan string), make(chan struct{}, 100)
	go func() {
		defer close(given)
		for m, err := range Messages(in, Options{Workers: 2, Idle: func() { idle <- struct{}{} }}) {
			given <- row(m, err)
		}
	}()
	for range 3 {
		_, err := io.WriteString(out, `{"ok":true,"schema_id":"a","payload":1}`+"\n")
		require.NoError(t, err)
		require.Contains(t, <-given, "a 1")
		<-idle
	}
	require.NoError(t, out.Close())
	<-given
}
