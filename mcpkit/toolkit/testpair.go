package toolkit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/protocol"
)

// TB is what TestPair needs of a *testing.T.
type TB interface {
	Helper()
	Cleanup(end func())
	Fatalf(format string, args ...any)
}

// TestPair connects a client to a server, in memory, for the tests of tools. It ends with the test.
// The test fails where no connection comes about.
//
//	client := toolkit.TestPair(t, s)
//	result, err := client.Call("search", Query{Text: "go"})
func TestPair(t TB, s *Server) *TestClient {
	t.Helper()
	c := &TestClient{conn: s.Connect(context.Background()), waiting: make(map[int]chan message), changed: make(chan struct{}, 1), done: make(chan struct{})}
	go c.read()
	t.Cleanup(func() {
		_ = c.conn.Close() // the server sees the end
		<-c.done
	})
	if _, err := c.ask("initialize", []byte(`{"protocolVersion":"`+testVersion+`","capabilities":{},"clientInfo":{"name":"toolkit-test","version":"1"}}`)); err != nil {
		t.Fatalf("the server does not begin: %v", err)
	}
	if err := c.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		t.Fatalf("the server does not begin: %v", err)
	}
	return c
}

// testVersion is the protocol version that a TestClient speaks.
const testVersion = protocol.InputErrors

// TestClient is a client for tests. Its methods may be used at the same time.
type TestClient struct {
	conn    io.ReadWriteCloser
	changed chan struct{}
	done    chan struct{} // closed when nothing more comes

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
}

// ToolInfo is a tool as a client sees it.
type ToolInfo struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"` // nil for none
}

// CallError is the JSON-RPC error that a call has ended in.
type CallError struct {
	// Code is the code: -32602 for wrong arguments and for a tool that there is not, -32603 for a
	// result that does not satisfy its schema and for a call that takes too long.
	Code int
	// Message says what is wrong.
	Message string
	// Details are the faults, where they are told.
	Details []jsonrt.Detail
}

// Error gives code and message.
func (e *CallError) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// message is what the server sends.
type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// Tools lists the tools, of all pages. A server that has never had any has none.
func (c *TestClient) Tools() ([]ToolInfo, error) {
	var all []ToolInfo
	params := []byte(`{}`)
	for {
		result, err := c.ask("tools/list", params)
		if e := new(CallError); errors.As(err, &e) && e.Code == codeNoMethod {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []ToolInfo `json:"tools"`
			NextCursor string     `json:"nextCursor"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		if page.NextCursor == "" {
			return all, nil
		}
		if params, err = encode(map[string]any{"cursor": page.NextCursor}); err != nil {
			return nil, err
		}
	}
}

// codeNoMethod is the code of a method that the server does not have (JSON-RPC 2.0, section 5.1).
const codeNoMethod = -32601

// Call calls a tool and waits for its result, in which Structured is a json.RawMessage with the
// bytes that the server has sent. arguments are a json.RawMessage, which is sent as it is, or any
// value that encoding/json encodes as an object; nil are none. An error that the server answers is
// a *CallError; a tool that has failed is a result with IsError.
func (c *TestClient) Call(tool string, arguments any) (*Result, error) {
	params, err := encode(map[string]any{"name": tool})
	if err != nil {
		return nil, err
	}
	if arguments != nil {
		data, err := encode(arguments)
		if err != nil {
			return nil, err
		}
		params = fmt.Appendf(nil, `%s,"arguments":%s}`, params[:len(params)-1], data)
	}
	answer, err := c.ask("tools/call", params)
	if err != nil {
		return nil, err
	}
	return readResult(answer)
}

// Changed gets a value when the server has told that its list of tools is another now.
func (c *TestClient) Changed() <-chan struct{} { return c.changed }

var errEnded = errors.New("the connection has ended")

// ask sends a request and waits for its result.
func (c *TestClient) ask(method string, params []byte) (json.RawMessage, error) {
	answered := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = answered
	c.mu.Unlock()
	if err := c.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)); err != nil {
		return nil, err
	}
	var m message
	select {
	case m = <-answered:
	case <-c.done:
		return nil, errEnded
	}
	if m.Error != nil {
		e := &CallError{Code: m.Error.Code, Message: m.Error.Message}
		_ = json.Unmarshal(m.Error.Data, &e.Details) // other data are not about arguments
		return nil, e
	}
	return m.Result, nil
}

// send sends a message as one line: line breaks between the tokens of JSON become spaces.
func (c *TestClient) send(m []byte) error {
	line := append(bytes.ReplaceAll(m, []byte("\n"), []byte(" ")), '\n')
	_, err := c.conn.Write(line)
	return err
}

// read hands the answers to those who wait for them.
func (c *TestClient) read() {
	defer close(c.done)
	lines := bufio.NewReader(c.conn)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		switch {
		case m.ID != nil:
			c.mu.Lock()
			answered := c.waiting[*m.ID]
			delete(c.waiting, *m.ID)
			c.mu.Unlock()
			if answered != nil {
				answered <- m
			}
		case m.Error != nil: // about a message that could not be read: it may be anybody's
			c.mu.Lock()
			for id, answered := range c.waiting {
				answered <- m
				delete(c.waiting, id)
			}
			c.mu.Unlock()
		case m.Method == "notifications/tools/list_changed":
			select {
			case c.changed <- struct{}{}:
			default:
			}
		}
	}
}

// readResult reads the result of a call.
func readResult(data []byte) (*Result, error) {
	var r struct {
		Content    []json.RawMessage `json:"content"`
		Structured json.RawMessage   `json:"structuredContent"`
		IsError    bool              `json:"isError"`
		Meta       map[string]any    `json:"_meta"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	result := &Result{IsError: r.IsError, Meta: r.Meta, Content: make([]Content, len(r.Content))}
	if r.Structured != nil {
		result.Structured = r.Structured
	}
	for i, block := range r.Content {
		content, err := readContent(block)
		if err != nil {
			return nil, err
		}
		result.Content[i] = content
	}
	return result, nil
}

func readContent(block []byte) (Content, error) {
	var b struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
		Resource struct {
			URI      string  `json:"uri"`
			MIMEType string  `json:"mimeType"`
			Text     string  `json:"text"`
			Blob     *string `json:"blob"`
		} `json:"resource"`
	}
	if err := json.Unmarshal(block, &b); err != nil {
		return nil, err
	}
	switch b.Type {
	case "text":
		return Text(b.Text), nil
	case "image":
		data, err := base64.StdEncoding.DecodeString(b.Data)
		return Image{data, b.MIMEType}, err
	case "audio":
		data, err := base64.StdEncoding.DecodeString(b.Data)
		return Audio{data, b.MIMEType}, err
	case "resource":
		if b.Resource.Blob == nil {
			return FileText(b.Resource.URI, b.Resource.MIMEType, b.Resource.Text), nil
		}
		data, err := base64.StdEncoding.DecodeString(*b.Resource.Blob)
		return FileBytes(b.Resource.URI, b.Resource.MIMEType, data), err
	}
	return nil, fmt.Errorf("content of type %q", b.Type)
}
