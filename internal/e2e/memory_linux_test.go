package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// promisedMemory is what a server with default limits takes at most, all of the process
// counted, whatever it is sent (docs/security.md).
const promisedMemory = 512 << 20

// largest is a little less than the largest message that is taken.
const largest = 16<<20 - 1000

// attack is a message that costs much for its size, and what its sender is told.
type attack struct {
	name    string
	message []byte
	says    string
}

// attacks are messages of this size. They are made anew for each use: together they are
// larger than what they attack.
func attacks(era rawclient.Era, size int) []func() attack {
	size -= 1000 // for what is around it
	upTo := func(size int, begin, piece, end string) string {
		return begin + strings.Repeat(piece, (size-len(begin)-len(end))/len(piece)) + end
	}
	fill := func(begin, piece, end string) string { return upTo(size, begin, piece, end) }
	message := func(name, method string, members func() string, says string) func() attack {
		return func() attack { return attack{name, era.Request("1", method, []byte(members())), says} }
	}
	payload := func(name, schema, says string, text func() string) func() attack {
		return func() attack { return attack{name, era.Echo("1", schema, []byte(text())), says} }
	}
	// In the era without a handshake every request has a _meta of its own.
	wide := func(member, value string) func() string {
		return func() string { return member + fill(`[`, value, `0]`) }
	}
	const objects, numbers = `{"a":0},`, `0,`
	all := []func() attack{
		message("ping", "ping", wide(`"x":`, objects), "bytes"),
		message("a call's params", "tools/call", wide(`"name":"list_schemas","x":`, numbers), "bytes"),
		message("a cursor", "tools/list", wide(`"cursor":`, objects), "bytes"),
		message("arguments of a prompt", "prompts/get", wide(`"name":"emit","arguments":`, objects), "bytes"),
		message("a completion", "completion/complete", wide(`"ref":`, objects), "bytes"),
		message("an unknown method", "no/such", wide(`"arguments":`, objects), "bytes"),
		message("many values", "ping", func() string { return `"x":` + upTo(60_000, `[`, objects, `0]`) }, "values"),
		message("arguments that nobody reads", "tools/call", wide(`"name":"list_schemas","arguments":`, objects), "INVALID_REQUEST"),
		message("arguments with many members", "tools/call", func() string {
			return fill(`"name":"echo","arguments":{"schema_id":"__schemaless__","payload":1,`, `"":0,`, `"a":0}`)
		}, "is there twice"),
		message("arguments that are the payload", "tools/call", func() string {
			return fill(`"name":"emit_zenlix-agent-stage-v1","arguments":{"stage":[`, numbers, `"\n"]}`)
		}, "SCHEMA_VALIDATION_FAILED"),
		payload("names", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string {
			var b strings.Builder
			b.WriteString(`{"labels":{`)
			for i := 0; b.Len() < size; i++ {
				b.WriteString(`"` + strconv.FormatInt(int64(i), 36) + `":"",`)
			}
			return b.String() + `"-":0}}`
		}),
		payload("steps", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string { return fill(`{"steps":[`, numbers, `0]}`) }),
		payload("steps and an escape", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string { return fill(`{"\n":1,"steps":[`, `{},`, `0]}`) }),
		payload("items that must be unique", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string {
			return fill(`{"steps":[{"tool":"a","duration_ms":1,"outcome":{"status":"success","artifacts":[`, numbers, `0]}}]}`)
		}),
		payload("one name", "tool_run_report_v1", "is there twice", func() string { return fill(`{`, `"":0,`, `"":0}`) }),
		payload("text that holds JSON", "tool_run_report_v1", "a string that holds JSON", func() string { return fill(`"[`, numbers, `0]"`) }),
		payload("escaped text that holds JSON", "tool_run_report_v1", "a string that holds JSON", func() string { return fill(`"[`, `0\u002c`, `0]"`) }),
		payload("a payload as text", "zenlix-agent-stage-v1", "schema_id", func() string {
			return fill(`"{\"stage\":\"a\",\"extra\":{\"a\":[`, numbers, `0]}}"`)
		}),
		payload("nests", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string {
			return fill(`[`, strings.Repeat(`[`, 9990)+strings.Repeat(`]`, 9990)+`,`, `0]`)
		}),
		payload("deep", "tool_run_report_v1", "SCHEMA_VALIDATION_FAILED", func() string { return nests(10_000)["steps"] }),
	}
	for _, schema := range []string{"__schemaless__", "zenlix-agent-stage-v1"} {
		says := "SCHEMA_VALIDATION_FAILED"
		if schema == "__schemaless__" {
			says = `ok\":true`
		}
		for name, piece := range map[string]string{"numbers": numbers, "objects": objects, "arrays": `[],`, "texts": `"",`} {
			all = append(all,
				payload(name+" for "+schema, schema, says, func() string { return fill(`[`, piece, `0]`) }),
				payload(name+" and an escape for "+schema, schema, says, func() string { return fill(`["\n",`, piece, `0]`) }))
		}
	}
	if era == rawclient.Handshake {
		all = append(all,
			message("meta of a ping", "ping", func() string { return `"_meta":{"a":` + fill(`[`, objects, `0]`) + `}` }, "bytes"),
			message("initialize", "initialize", func() string {
				return `"protocolVersion":"2025-11-25","clientInfo":{"name":"n","version":"1"},"capabilities":{"experimental":{"a":` +
					fill(`[`, objects, `0]`) + `}}`
			}, `"serverInfo"`),
			func() attack {
				return attack{"notification", []byte(`{"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":` + fill(`[`, objects, `0]`) + `}}`), ""}
			},
			func() attack {
				return attack{"a long id", []byte(`{"jsonrpc":"2.0","method":"ping","id":"` + fill(``, `é`, ``) + `"}`), "the id has"}
			},
			func() attack {
				return attack{"a response", []byte(`{"jsonrpc":"2.0","id":1,"result":` + fill(`[`, objects, `0]`) + `}`), "bytes"}
			})
	} else {
		all = append(all, message("capabilities", "server/discover", wide(`"x":`, objects), "bytes"))
	}
	return all
}

// process is a server that is watched.
type process struct{ cmd *exec.Cmd }

// peak is the most memory that the process has had, in bytes.
func (p process) peak(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		kib := 0
		if n, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 && err == nil {
			return kib << 10
		}
	}
	require.Fail(t, "no VmHWM")
	return 0
}

// cpu is how much time of a processor the process has used. A tick is a hundredth of a second
// on every system that Go runs on.
func (p process) cpu(t *testing.T) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	require.NoError(t, err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(t, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// afterwards is how much time of a processor the process uses until it is idle.
func (p process) afterwards(t *testing.T) time.Duration {
	t.Helper()
	begin := p.cpu(t)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		before := p.cpu(t)
		time.Sleep(300 * time.Millisecond)
		if now := p.cpu(t); now-before <= 10*time.Millisecond {
			return now - begin
		}
	}
	require.Fail(t, "the server works on though nobody asks it anything")
	return 0
}

// TestMemoryHTTP: a server over HTTP keeps within the promised memory, whatever is sent to
// it, one after the other and by sixteen clients at once; it rests when they are gone, and
// others are answered.
func TestMemoryHTTP(t *testing.T) {
	for era, args := range map[rawclient.Era][]string{
		rawclient.Handshake: {"--typed-tools"},
		rawclient.Stateless: {"--typed-tools", "--stateless", "--unwrap-json-strings=false"},
	} {
		t.Run(string(era), func(t *testing.T) {
			t.Setenv("GOMEMLIMIT", "")
			cmd, url := startHTTP(t, nil, args...)
			p := process{cmd}
			conn, err := rawclient.DialHTTP(t.Context(), era, url)
			require.NoError(t, err)
			for _, make := range attacks(era, largest) {
				a := make()
				r, err := conn.Post(t.Context(), a.message, nil)
				require.NoError(t, err, a.name)
				require.Contains(t, string(r.Body[:min(len(r.Body), 10_000)]), a.says, a.name)
				require.Less(t, p.peak(t), promisedMemory, a.name)
			}
			t.Logf("one after the other: peak %d MiB", p.peak(t)>>20)

			ctx, leave := context.WithTimeout(t.Context(), 6*time.Second)
			defer leave()
			var answered atomic.Int64
			var clients sync.WaitGroup
			for i := range 16 {
				clients.Go(func() { answered.Add(assault(ctx, era, url, i)) })
			}
			for ctx.Err() == nil { // a stranger, meanwhile
				require.NoError(t, rawclient.CallEcho(t.Context(), conn, "1", "__schemaless__", []byte(`{"a":[1.0]}`)))
				time.Sleep(10 * time.Millisecond)
			}
			clients.Wait()
			rest := p.afterwards(t)
			t.Logf("sixteen at once: peak %d MiB, %d answered, %v of work after they left", p.peak(t)>>20, answered.Load(), rest)
			require.Less(t, p.peak(t), promisedMemory)
			require.Less(t, rest, 2*time.Second, "work for clients that are gone")
			require.NoError(t, rawclient.CallEcho(t.Context(), conn, "1", "__schemaless__", []byte(`{"a":[1.0]}`)))
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			require.NoError(t, waitAtMost(cmd, 30*time.Second))
		})
	}
}

// assault sends one attack after the other, of several sizes, until ctx ends, and breaks off
// the last. It returns how many were answered.
func assault(ctx context.Context, era rawclient.Era, url string, first int) (answered int64) {
	conn, err := rawclient.DialHTTP(ctx, era, url)
	if err != nil {
		return 0
	}
	for i := first; ctx.Err() == nil; i++ {
		all := attacks(era, largest>>(2*(i%4)))
		a := all[i*7%len(all)]()
		for ctx.Err() == nil {
			r, err := conn.Post(ctx, a.message, nil)
			if err == nil && r.Status != http.StatusTooManyRequests {
				answered++
				break
			}
			time.Sleep(50 * time.Millisecond) // or too much of it was not wanted
		}
	}
	return answered
}

// TestMemoryStdio: the same on stdio, where a client sends all of it without waiting for
// an answer.
func TestMemoryStdio(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), binary, "serve", "--typed-tools")
	cmd.Env = withoutLimit()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var wanted atomic.Int64 // answers, of which the last is awaited once all is sent
	var all atomic.Bool
	go func() {
		for _, era := range []rawclient.Era{rawclient.Handshake, rawclient.Stateless} {
			for _, make := range attacks(era, largest) {
				a := make()
				if a.says != "" {
					wanted.Add(1)
				}
				_, _ = in.Write(append(a.message, '\n')) // an error shows as an answer that is missing
			}
		}
		wanted.Add(1)
		all.Store(true)
		_, _ = in.Write(append(rawclient.Handshake.Request("2", "ping", nil), '\n'))
	}()
	p := process{cmd}
	answers := bufio.NewReaderSize(out, 1<<20)
	for got := int64(0); !all.Load() || got < wanted.Load(); {
		_, err := answers.ReadSlice('\n')
		if err == nil {
			got++
			require.Less(t, p.peak(t), promisedMemory)
		} else {
			require.ErrorIs(t, err, bufio.ErrBufferFull)
		}
	}
	t.Logf("peak %d MiB", p.peak(t)>>20)
	require.Less(t, p.afterwards(t), 2*time.Second)
	require.NoError(t, in.Close())
	require.NoError(t, waitAtMost(cmd, 30*time.Second))
}
