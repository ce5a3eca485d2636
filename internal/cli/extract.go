package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/validate"
	"github.com/zenlix/echo-mcp/mcpkit/extract"
)

const extractLong = `Find the messages that agents have emitted in what was recorded of them, and print their
payloads, one a line. FILE is JSON lines or JSON: results of tools, logs of MCP, transcripts of
Claude Code and Codex, requests and answers of the APIs of models. "-", or no FILE at all, is
standard input; FILEs that end in .gz or .zst are decompressed.

A message is found wherever it stands, {"ok":true,"schema_id":…,"payload":…}: in
structuredContent, in a text, in a string inside of a string. A result that has it twice, or is
recorded twice, is one message.

A payload is printed byte for byte as it was recorded, but for line breaks between its values,
which become spaces. With --where FILE:LINE: stands before it. With --json there is one object
for each message instead:

  {"file":"a.jsonl","line":7,"offset":4711,"schema_id":"…","payload":…}

It has "call_id" too where the recording says which call it was. With --failures calls that were
refused are printed as well, as {"ok":false,"error":{…}}; with --json the object has "error".

With --validate payloads are checked against the schemas of {program}. Those that are invalid, or
have a schema that {program} does not know, are not printed but reported on standard error; with
--json they are printed, as {…,"valid":false,"details":[…]}.

A line that is not JSON is reported on standard error, and the next ones are read. A summary
goes to standard error.

Exit codes: 0 messages found, 1 none found, or with --validate some invalid, 2 wrong usage,
3 some input can't be read or is not JSON; 3 also where messages were found.`

type extractFlags struct {
	options  extract.Options
	validate bool
	where    bool
	json     bool
}

func newExtract(p Program) *cobra.Command {
	var o extractFlags
	cmd := &cobra.Command{
		Use:   "extract [FILE…]",
		Short: "Find messages in transcripts of agents and other recorded JSON",
		Long:  extractLong,
		Example: `  {program} extract ~/.claude/projects/*/*.jsonl
  {program} extract --schema {schema} --where rollout.jsonl.zst
  {program} extract --validate --json transcript.jsonl.gz`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, files []string) error {
		if err := checkLimits(cmd.Flags(), map[string]int64{"max-bytes": math.MaxInt32}); err != nil {
			return err
		}
		if id := o.options.SchemaID; o.validate && id != "" && id != echo.Schemaless {
			if _, err := p.lookup(id); err != nil {
				return err
			}
		}
		if len(files) == 0 {
			files = []string{"-"}
		}
		return p.extractFiles(cmd, files, o)
	})
	f := cmd.Flags()
	f.StringVar(&o.options.SchemaID, "schema", "", "print messages of the schema `ID` only")
	f.BoolVar(&o.validate, "validate", false, "check the payloads against the schemas of {program}")
	f.BoolVar(&o.options.Failures, "failures", false, "print calls that were refused, too")
	f.BoolVar(&o.where, "where", false, "print FILE:LINE: before each payload")
	f.BoolVar(&o.json, "json", false, "print one JSON object for each message")
	f.IntVar(&o.options.MaxBytes, "max-bytes", extract.DefaultMaxBytes, "in lines and documents of more than 256 KiB, look for messages of up to `N` bytes")
	cmd.MarkFlagsMutuallyExclusive("where", "json")
	must(cmd.RegisterFlagCompletionFunc("schema", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return append(ids(p.Registry), echo.Schemaless), cobra.ShellCompDirectiveNoFileComp
	}))
	return cmd
}

// extraction is one run of extract.
type extraction struct {
	extractFlags
	program  Program
	out      *bufio.Writer
	stderr   io.Writer
	progress *validate.Progress
	row      []byte

	messages, failures, invalid, broken, unreadable int

	seen map[string]bool // schema ids, for who asks for one that is not there
}

func (p Program) extractFiles(cmd *cobra.Command, files []string, flags extractFlags) error {
	stderr := cmd.ErrOrStderr()
	progress := validate.NewProgress(stderr, totalSize(files), os.Getenv)
	x := &extraction{
		extractFlags: flags, program: p, progress: progress, seen: map[string]bool{},
		stderr: progress.Writer(stderr), out: bufio.NewWriterSize(progress.Writer(cmd.OutOrStdout()), 64<<10),
	}
	for _, name := range files {
		err := withFile(name, cmd.InOrStdin(), func(in io.Reader) error { return x.file(cmd.Context(), name, in) })
		if writing := x.out.Flush(); writing != nil {
			return writing
		}
		if err != nil {
			x.unreadable++
			fmt.Fprintf(x.stderr, "%s: %v\n", p.Name, readFault(name, err))
		}
	}
	fmt.Fprintln(x.stderr, x.summary())
	switch {
	case x.unreadable > 0 || x.broken > 0:
		return &exitError{code: exitInput}
	case x.invalid > 0 || x.messages+x.failures == 0:
		return &exitError{code: exitNo}
	}
	return nil
}

// file prints the messages of one file. The error is one of reading it; writing is asked after by
// the caller.
func (x *extraction) file(ctx context.Context, name string, in io.Reader) error {
	content, err := extract.Decompress(name, x.progress.Reader(in))
	if err != nil {
		return err
	}
	defer content.Close()
	o := x.options
	o.File = name
	// All messages are looked at, to be able to say which there are.
	o.SchemaID = ""
	o.Idle = func() { _ = x.out.Flush() }
	for m, err := range extract.Messages(content, o) {
		var broken *extract.BrokenError
		switch {
		case errors.As(err, &broken):
			x.broken++
			_ = x.out.Flush()
			fmt.Fprintln(x.stderr, string(validate.AppendPlain(nil, broken.Error())))
		case err != nil:
			return err
		default:
			x.message(ctx, &m)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// message prints a message, if it is one that was asked for.
func (x *extraction) message(ctx context.Context, m *extract.Message) {
	if len(x.seen) < 1000 {
		x.seen[m.SchemaID] = true
	}
	if x.options.SchemaID != "" && m.SchemaID != x.options.SchemaID {
		return
	}
	if m.Failure != nil {
		x.failures++
		x.print(m, nil)
		return
	}
	x.messages++
	if !x.validate {
		x.print(m, nil)
		return
	}
	verdict := x.check(ctx, m)
	if !verdict.valid {
		x.invalid++
		if !x.json {
			_ = x.out.Flush()
			for _, d := range verdict.details {
				b := fmt.Appendf(nil, "%s:%d: %s: ", m.File, m.Line, m.SchemaID)
				if d.Path != "" {
					b = append(append(b, d.Path...), ": "...)
				}
				fmt.Fprintln(x.stderr, string(validate.AppendPlain(nil, string(append(b, d.Message...)))))
			}
			return
		}
	}
	x.print(m, &verdict)
}

// verdict is what the check of a payload gave.
type verdict struct {
	valid   bool
	details []jsonrt.Detail
}

func (x *extraction) check(ctx context.Context, m *extract.Message) verdict {
	if m.SchemaID == echo.Schemaless {
		return verdict{valid: true}
	}
	schema, ok := x.program.Registry.Lookup(m.SchemaID)
	if !ok {
		return verdict{details: []jsonrt.Detail{{Message: fmt.Sprintf("%s has no schema %q, so the payload can't be checked", x.program.Name, m.SchemaID)}}}
	}
	var t jsontape.Tape
	if err := t.Parse(m.Payload, jsontape.Options{MaxDepth: transport.MaxDepthCeiling}); err != nil {
		return verdict{details: []jsonrt.Detail{{Message: err.Error()}}}
	}
	err := schema.ValidateTape(ctx, &t, 0)
	var invalid *jsonrt.ValidationError
	switch {
	case err == nil:
		return verdict{valid: true}
	case errors.As(err, &invalid):
		return verdict{details: invalid.Details}
	}
	return verdict{details: []jsonrt.Detail{{Message: err.Error()}}}
}

// print writes a message on a line of its own.
func (x *extraction) print(m *extract.Message, v *verdict) {
	b := x.row[:0]
	switch {
	case x.json:
		b = x.appendRow(b, m, v)
	case x.where:
		b = validate.AppendPlain(b, m.File)
		b = append(strconv.AppendInt(append(b, ':'), int64(m.Line), 10), ": "...)
		fallthrough
	default:
		if m.Failure != nil {
			b = append(appendFailure(append(b, `{"ok":false,"error":`...), m.Failure), '}')
		} else {
			b = appendOneLine(b, m.Payload)
		}
	}
	x.row = append(b, '\n')
	_, _ = x.out.Write(x.row) // Flush tells
}

func (x *extraction) appendRow(b []byte, m *extract.Message, v *verdict) []byte {
	b = jsontape.AppendQuoted(append(b, `{"file":`...), m.File)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(m.Line), 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), m.Offset, 10)
	if m.CallID != "" {
		b = jsontape.AppendQuoted(append(b, `,"call_id":`...), m.CallID)
	}
	if m.Failure != nil {
		return append(appendFailure(append(b, `,"error":`...), m.Failure), '}')
	}
	b = jsontape.AppendQuoted(append(b, `,"schema_id":`...), m.SchemaID)
	b = appendOneLine(append(b, `,"payload":`...), m.Payload)
	if v != nil {
		b = strconv.AppendBool(append(b, `,"valid":`...), v.valid)
		b = append(b, `,"details":[`...)
		for i := range v.details {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(validate.AppendDetail(b, &v.details[i]), '}')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// appendOneLine appends JSON on one line: line breaks can only stand between its values, where a
// space means the same.
func appendOneLine(b, payload []byte) []byte {
	at := len(b)
	b = append(b, payload...)
	if bytes.ContainsAny(payload, "\r\n") {
		for i := at; i < len(b); i++ {
			if b[i] == '\n' || b[i] == '\r' {
				b[i] = ' '
			}
		}
	}
	return b
}

func appendFailure(b []byte, f *extract.Failure) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	must(e.Encode(f)) // strings encode
	return append(b, bytes.TrimSpace(text.Bytes())...)
}

// summary is what a person learns in the end.
func (x *extraction) summary() string {
	count := func(n int, noun string) string {
		if n == 1 {
			return "1 " + noun
		}
		return fmt.Sprintf("%d %ss", n, noun)
	}
	var b strings.Builder
	b.WriteString(count(x.messages, "message"))
	if x.validate {
		fmt.Fprintf(&b, ": %d valid, %d invalid", x.messages-x.invalid, x.invalid)
	}
	if x.options.Failures {
		b.WriteString("; " + count(x.failures, "refused call"))
	}
	if x.broken > 0 {
		b.WriteString("; " + count(x.broken, "fault") + " in the input, see above")
	}
	if x.unreadable > 0 {
		b.WriteString("; " + count(x.unreadable, "file") + " could not be read")
	}
	if id := x.options.SchemaID; id != "" && x.messages+x.failures == 0 && len(x.seen) > 0 {
		known := slices.Sorted(maps.Keys(x.seen))
		if nearest := near.Names(id, known); len(nearest) > 0 {
			fmt.Fprintf(&b, "; there are messages of %q, did you mean that?", nearest[0])
		} else {
			fmt.Fprintf(&b, "; there are messages of %q", known[:min(5, len(known))])
		}
	}
	return b.String()
}
