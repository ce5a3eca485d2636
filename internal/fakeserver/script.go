// Package fakeserver is an MCP server that does what a script says, over stdio or HTTP, for tests
// of clients. What no decent server does it does well.
//
// A test binary is the server when it is run again: see Main.
package fakeserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Script says for each method what the server does at the first call, at the second, and so on;
// the last step is repeated. In JSON a single step needs no list around it. The method "start"
// stands for the start of the program, before it reads anything, and "end" for the end of its
// input. A notification takes a step too, but gets no answer. initialize, ping and tools/list have
// decent answers of their own; any other method that the script lacks is refused with -32601.
type Script map[string][]Step

// Step is what the server does with one message, in the order of the fields. With neither Result,
// Error, Tools nor Pages nothing answers the message but Raw.
type Step struct {
	// Stderr is written to the standard error, as often as Times says, at least once.
	Stderr string `json:"stderr,omitempty"`
	Times  int    `json:"times,omitempty"`
	// Sleep is how many seconds pass before anything else.
	Sleep float64 `json:"sleep,omitempty"`
	// Exit is the exit status with which the program ends.
	Exit *int `json:"exit,omitempty"`
	// Raw are lines to write, over HTTP events; $ID in them stands for the id of the request.
	Raw []string `json:"raw,omitempty"`
	// Result and Error are members of the answer.
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	// Tools makes the result a list of one or two tools: "giant" has a schema of 20 MB, "deep" one
	// of 20,000 levels, "same $id" are two tools whose schemas have the same $id.
	Tools string `json:"tools,omitempty"`
	// Pages makes the result one of so many pages of a list of tools, each with one tool.
	Pages int `json:"pages,omitempty"`
	// Drip is how many seconds pass after each byte of the answer.
	Drip float64 `json:"drip,omitempty"`
	// Status is the HTTP status, 200 if 0; over stdio it means nothing. Body is then all of the
	// answer, unless it is "", and Type its content type.
	Status int    `json:"status,omitempty"`
	Body   string `json:"body,omitempty"`
	Type   string `json:"type,omitempty"`
}

// UnmarshalJSON takes a list of steps or a single one for each method.
func (s *Script) UnmarshalJSON(text []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*s = Script{}
	for method, step := range raw {
		if step[0] != '[' {
			step = slices.Concat([]byte("["), step, []byte("]"))
		}
		var steps []Step
		if err := json.Unmarshal(step, &steps); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		(*s)[method] = steps
	}
	return nil
}

// decent answers what a script doesn't mention.
const decent = `{
	"initialize": {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "0"}}},
	"ping": {"result": {}},
	"tools/list": {"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}},
	"tools/call": {"result": {"content": [{"type": "text", "text": "done"}]}}
}`

// Hostile are scripts by name, one for each way in which a server goes wrong.
func Hostile() map[string]string {
	return map[string]string{
		"decent":          `{}`,
		"repeated cursor": `{"tools/list": {"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "nextCursor": "same"}}}`,
		"pages":           `{"tools/list": {"pages": 3}}`,
		"endless pages":   `{"tools/list": {"pages": 1000000}}`,
		"noise":           `{"start": {"raw": ["Server listening…", "", "{ not JSON", "[1]", "42"]}, "tools/list": {"raw": ["one moment"], "result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}}`,
		"stderr":          `{"start": {"stderr": "0123456789abcde\n", "times": 16384}, "tools/list": {"stderr": "0123456789abcde\n", "times": 16384, "result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}}`,
		"stderr, no line": `{"start": {"stderr": "0123456789abcdef", "times": 32768}}`,
		"death":           `{"tools/list": {"stderr": "out of luck\n", "exit": 3}, "tools/call": {"stderr": "out of luck\n", "exit": 3}}`,
		"death at start":  `{"start": {"stderr": "no key\u0007 given\n", "exit": 3}}`,
		"late reply":      `{"tools/call": [{"sleep": 1, "result": {"content": [{"type": "text", "text": "late"}]}}, {"result": {"content": [{"type": "text", "text": "in time"}]}}]}`,
		"wrong id":        `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{\"tools\":[]}}"]}}`,
		"no id":           `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[]}}"]}}`,
		"error, null id":  `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no JSON\"}}"]}}`,
		"neither":         `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"id\":$ID}"]}}`,
		"notifications":   `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}"], "result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}}`,
		"asks":            `{"tools/list": {"raw": ["{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"ping\"}", "{\"jsonrpc\":\"2.0\",\"id\":\"s2\",\"method\":\"sampling/createMessage\",\"params\":{}}"], "result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}}`,
		"giant schema":    `{"tools/list": {"tools": "giant"}}`,
		"deep schema":     `{"tools/list": {"tools": "deep"}}`,
		"same $id":        `{"tools/list": {"tools": "same $id"}}`,
		"silent":          `{"start": {"stderr": "thinking\n"}, "initialize": {}, "server/discover": {}}`,
		"silent list":     `{"tools/list": {}}`,
		"slow":            `{"tools/list": {"drip": 1, "result": {"tools": []}}}`,
		"stays":           `{"end": {"sleep": 3600}}`,
		"tool fails":      `{"tools/call": {"result": {"isError": true, "content": [{"type": "text", "text": "no such file"}]}}}`,
		"refuses":         `{"tools/call": {"error": {"code": -32602, "message": "unknown tool", "data": {"have": ["a"]}}}}`,
	}
}

// Read reads a script: the name of one in Hostile, JSON, or a file that holds it.
func Read(text string) (Script, error) {
	named := Hostile()[text]
	switch {
	case named != "":
		text = named
	case !strings.HasPrefix(strings.TrimSpace(text), "{"):
		content, err := os.ReadFile(text) //nolint:gosec // a test's own file
		if err != nil {
			return nil, fmt.Errorf("there is no script %q; there are %q, or give JSON or a file", text, slices.Sorted(maps.Keys(Hostile())))
		}
		text = string(content)
	}
	var script, base Script
	if err := json.Unmarshal([]byte(decent), &base); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &script); err != nil {
		return nil, err
	}
	maps.Copy(base, script)
	return base, nil
}

// player keeps where a script is.
type player struct {
	script Script
	mu     sync.Mutex
	at     map[string]int
}

// next is what to do with a message of this method; false says that the script lacks it.
func (p *player) next(method string) (Step, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	steps := p.script[method]
	if len(steps) == 0 {
		return Step{Error: json.RawMessage(`{"code":-32601,"message":"Method not found"}`)}, false
	}
	n := p.at[method]
	p.at[method]++
	return steps[min(n, len(steps)-1)], true
}

// request is what of a message decides the answer.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor string `json:"cursor"`
	} `json:"params"`
}

// answer is the text of the answer to a request, "" if there is none.
func (s Step) answer(r request) string {
	result := string(s.Result)
	switch {
	case s.Tools != "":
		result = tools(s.Tools)
	case s.Pages > 0:
		result = page(r.Params.Cursor, s.Pages)
	}
	switch {
	case s.Error != nil:
		return `{"jsonrpc":"2.0","id":` + string(r.ID) + `,"error":` + string(s.Error) + `}`
	case result != "":
		return `{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":` + result + `}`
	}
	return ""
}

// raw are the lines to write before the answer.
func (s Step) raw(r request) []string {
	lines := make([]string, len(s.Raw))
	for i, line := range s.Raw {
		lines[i] = strings.ReplaceAll(line, "$ID", string(r.ID))
	}
	return lines
}

func (s Step) sleep() { time.Sleep(time.Duration(s.Sleep * float64(time.Second))) }

// page is one of so many pages; its cursor is its number.
func page(cursor string, pages int) string {
	n := 1
	if cursor != "" {
		_, _ = fmt.Sscan(cursor, &n)
	}
	next := ""
	if n < pages {
		next = fmt.Sprintf(`,"nextCursor":"%d"`, n+1)
	}
	return fmt.Sprintf(`{"tools":[{"name":"t%d","inputSchema":{"type":"object"}}]%s}`, n, next)
}

// tools are lists of tools that are too large to write down.
func tools(kind string) string {
	tool := func(name, schema string) string { return `{"name":"` + name + `","inputSchema":` + schema + `}` }
	var list []string
	switch kind {
	case "giant":
		list = []string{tool("giant", `{"type":"object","description":"`+strings.Repeat("x", 20<<20)+`"}`)}
	case "deep":
		const levels = 20_000
		list = []string{tool("deep", strings.Repeat(`{"not":`, levels)+"true"+strings.Repeat("}", levels)), tool("flat", `{"type":"object"}`)}
	case "same $id":
		for _, name := range []string{"first", "second"} {
			list = append(list, tool(name, `{"$id":"https://example.com/same","type":"object","properties":{"`+name+`":{"type":"string"}}}`))
		}
	}
	return `{"tools":[` + strings.Join(list, ",") + `]}`
}
