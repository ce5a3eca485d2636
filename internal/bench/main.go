// Command bench measures this server, with fifty schemas compiled in, beside two plain ones:
// an echo tool on mcp-go and one on the official Go SDK, neither of which validates. And it
// measures typed tools of the toolkit, of a generated and of a plain Go type, beside the same
// tool on mcp-go, which validates neither arguments nor results.
//
//	go run ./internal/bench [-rounds 5] [-check]
//
// For each size and transport the servers take turns; the figures are those of each one's
// best turn, since other work on the machine only ever makes one slower. Start-up and
// memory are medians.
// Run it in the root of the module. With -check it exits with 1 where a goal is missed:
// at least as fast as both at 100 B, 5 times at 10 KB, 20 times at 1 MB; start-up and
// memory at rest at most 1.5 times those of the plain server on mcp-go; tools at least as fast
// at 100 B, and 10 times at 1 MB.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zenlix/echo-mcp/internal/e2e"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	rounds := flags.Int("rounds", 5, "how many rounds of turns the servers have")
	check := flags.Bool("check", false, "exit with 1 where a goal is missed")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 || *rounds < 1 {
		fmt.Fprintln(stderr, "usage: bench [flags]")
		return 2
	}
	missed, err := measure(ctx, stdout, *rounds)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	for _, goal := range missed {
		fmt.Fprintln(stdout, "goal missed:", goal)
	}
	if *check && len(missed) > 0 {
		return 1
	}
	return 0
}

// servers are the servers, this one first, and tools the typed tools.
var (
	servers = []string{"echo-mcp", "mcp-go", "go-sdk", "toolkit"}
	tools   = []string{"generated", "reflected", "mcp-go"}
)

const schemaCount = 50

// build compiles the servers and gives their binaries.
func build(ctx context.Context, dir string) ([]string, error) {
	schemas := filepath.Join(dir, "schemas")
	if err := os.Mkdir(schemas, 0o755); err != nil {
		return nil, err
	}
	for i := range schemaCount {
		name := filepath.Join(schemas, fmt.Sprintf("events_%02d.json", i))
		if err := os.WriteFile(name, []byte(schema), 0o600); err != nil {
			return nil, err
		}
	}
	binaries := make([]string, 0, len(servers))
	for _, name := range servers {
		binaries = append(binaries, filepath.Join(dir, name))
	}
	if err := e2e.Build(ctx, ".", schemas, binaries[0]); err != nil {
		return nil, err
	}
	for i, pkg := range []string{"./internal/bench/mcpgo", "./internal/bench/gosdk", "./internal/bench/toolkit"} {
		if err := e2e.GoBuild(ctx, ".", pkg, binaries[i+1]); err != nil {
			return nil, err
		}
	}
	return binaries, nil
}

// sizes are those of the payloads, each with how much faster than the plain servers this one is
// meant to be, and the toolkit: 0 is not measured.
var sizes = []struct {
	name    string
	bytes   int
	echo    float64
	toolkit float64
}{{"100 B", 100, 1, 1}, {"10 KB", 10_000, 5, 1}, {"1 MB", 1_000_000, 20, 10}, {"10 MB", 10_000_000, 20, 0}}

func measure(ctx context.Context, out io.Writer, rounds int) (missed []string, err error) {
	dir, err := os.MkdirTemp("", "echo-mcp-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binaries, err := build(ctx, dir)
	if err != nil {
		return nil, err
	}
	var echoes, typed []contestant
	for _, binary := range binaries[:3] {
		echoes = append(echoes, contestant{binary, "echo"})
	}
	for i, tool := range []string{"generated", "reflected", "outline"} {
		typed = append(typed, contestant{[]string{binaries[3], binaries[3], binaries[1]}[i], tool})
	}
	heading(out, servers[:3])
	for _, transport := range []string{"stdio", "http"} {
		for _, size := range sizes {
			times, err := calls(ctx, echoes, transport, size.bytes, rounds)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", transport, size.name, err)
			}
			row(out, transport, size.name, times)
			for i, d := range times[1:] {
				if ratio := d.Seconds() / times[0].Seconds(); ratio < size.echo {
					missed = append(missed, fmt.Sprintf("%s over %s: %.1f times as fast as %s, not %.0f", size.name, transport, ratio, servers[i+1], size.echo))
				}
			}
		}
	}
	startup, memory, err := atRest(ctx, binaries[:3], 3*rounds)
	if err != nil {
		return nil, err
	}
	row(out, "start", "", startup)
	fmt.Fprintf(out, "%-14s", "memory")
	for i, kb := range memory {
		fmt.Fprintf(out, " %9.1f MB", float64(kb)/1e3)
		if i > 0 {
			fmt.Fprintf(out, " %6.2fx", float64(kb)/float64(memory[0]))
		}
	}
	fmt.Fprintln(out)
	const most = 1.5
	if ratio := startup[0].Seconds() / startup[1].Seconds(); ratio > most {
		missed = append(missed, fmt.Sprintf("start-up takes %.2f times that of mcp-go, not %.1f", ratio, most))
	}
	if ratio := float64(memory[0]) / float64(memory[1]); ratio > most {
		missed = append(missed, fmt.Sprintf("memory at rest is %.2f times that of mcp-go, not %.1f", ratio, most))
	}
	fmt.Fprintln(out)
	heading(out, tools)
	for _, transport := range []string{"stdio", "http"} {
		for _, size := range sizes {
			if size.toolkit == 0 {
				continue
			}
			times, err := calls(ctx, typed, transport, size.bytes, rounds)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", transport, size.name, err)
			}
			row(out, transport, size.name, times)
			for i, d := range times[:2] {
				if ratio := times[2].Seconds() / d.Seconds(); ratio < size.toolkit {
					missed = append(missed, fmt.Sprintf("%s over %s: a %s tool is %.1f times as fast as one of mcp-go, not %.0f", size.name, transport, tools[i], ratio, size.toolkit))
				}
			}
		}
	}
	return missed, nil
}

// heading prints who is measured.
func heading(out io.Writer, names []string) {
	fmt.Fprintf(out, "%-7s %-6s", "", "")
	for i, name := range names {
		fmt.Fprintf(out, " %12s", name)
		if i > 0 {
			fmt.Fprintf(out, " %7s", "")
		}
	}
	fmt.Fprintln(out)
}

// row prints the times of the servers, and how many times as long as this one the others
// take.
func row(out io.Writer, what, size string, times []time.Duration) {
	fmt.Fprintf(out, "%-7s %-6s", what, size)
	for i, d := range times {
		fmt.Fprintf(out, " %12s", d.Round(max(time.Microsecond/10, d/1000)))
		if i > 0 {
			fmt.Fprintf(out, " %6.2fx", d.Seconds()/times[0].Seconds())
		}
	}
	fmt.Fprintln(out)
}

func median[T int | time.Duration](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// schema is that of all fifty message types.
const schema = `{
  "type": "object",
  "properties": {
    "events": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "stage": { "type": "string", "minLength": 1, "maxLength": 40 },
          "sequence": { "type": "integer", "minimum": 0 },
          "message": { "type": "string" },
          "ok": { "type": "boolean" },
          "took": { "type": "number", "minimum": 0 }
        },
        "required": ["stage", "sequence"],
        "additionalProperties": false
      }
    }
  },
  "required": ["events"],
  "additionalProperties": false
}
`

// outlineOf makes an outline of about size bytes.
func outlineOf(size int) string {
	var b strings.Builder
	b.WriteString(`{"title":"A","items":[`)
	for i := 1; ; i++ {
		item := fmt.Sprintf(`{"index":%d,"heading":"Section %d","notes":"step %d is done"}`, i, i, i)
		if i > 1 && b.Len()+len(item)+3 > size {
			break
		}
		if i > 1 {
			b.WriteByte(',')
		}
		b.WriteString(item)
	}
	b.WriteString(`]}`)
	return b.String()
}

// eventsOf makes events of about size bytes.
func eventsOf(size int) string {
	var b strings.Builder
	b.WriteString(`{"events":[`)
	for i := 0; ; i++ {
		event := fmt.Sprintf(`{"stage":"build","sequence":%d,"message":"step %d is done","ok":true,"took":%d.25}`, i, i, i)
		if i > 0 && b.Len()+len(event)+3 > size {
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(event)
	}
	b.WriteString(`]}`)
	return b.String()
}
