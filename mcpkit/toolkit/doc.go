// Package toolkit makes MCP servers of typed tools: a tool is a Go function whose argument and
// result are Go types.
//
//	type Query struct {
//		Text  string `json:"text" jsonschema:"minLength=1"`
//		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50"`
//	}
//
//	s := toolkit.New(toolkit.Info{Name: "library"}, toolkit.Options{})
//	err := toolkit.Tool(s, "search", "Finds books.", func(ctx context.Context, q Query) (Books, error) {
//		…
//	})
//	err = s.ServeStdio(ctx, os.Stdin, os.Stdout)
//
// # Schemas
//
// The schemas of arguments and results come from Go types, with the struct tags of
// github.com/invopop/jsonschema; from types that echo-gen has generated, which bring a compiled
// check (Options.Types); or from the author ([InputSchema], [OutputSchema]). Both sides are checked
// at every call. A call with wrong arguments never reaches the function: the client is told where
// the faults are and what is wrong, as a result that the model can read, or as the error -32602
// (see [InputErrors]). A result that does not satisfy its schema is not sent: the client gets the
// error -32603, and the log says which tool it was.
//
// In a Go type a field is required unless it is a pointer, or has omitempty or omitzero. Members that
// no field has are refused. A nil slice is null in JSON, which no array may be: make an empty one.
//
// # Resources and prompts
//
// [Resource] adds what clients can read, under a URI or a template of URIs: the function is called when
// one reads it, [Static] is for what does not change. [Prompt] adds a prompt, whose arguments are typed
// like those of tools and whose result is a text or a list of messages. What has to do with long work
// tells [Progress]. A section that nothing was added to is not declared, and its methods are unknown to
// the server; lists come in pages (Options.PageSize).
//
// # Exactness
//
// Arguments are taken out of a message before anything decodes it. A json.RawMessage has their
// bytes, and one that a tool returns is sent byte for byte, both as structured content and in the
// text beside it. Names of members count as they are written, no number is rounded on its way into
// an integer or a json.Number, and what an escape such as \ud800 would lose is refused.
//
// # Serving
//
// A server speaks MCP over stdio, HTTP and in memory, in the versions of the protocol that
// mcp-go knows, with the limits of every server of this module: of size, depth, time, memory and
// connections. Tools, resources and prompts can come and go while clients are connected. [TestPair] connects a client to
// a server for a test.
package toolkit
