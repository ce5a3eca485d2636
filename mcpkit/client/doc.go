// Package client calls the MCP servers of others: it lists what a server has, calls its tools, reads
// its resources and prompts.
//
//	s, err := client.Connect(ctx, stdio.Command("npx", "-y", "@modelcontextprotocol/server-everything"), client.Options{})
//	defer s.Close()
//	tools, err := s.Tools(ctx)
//	result, err := s.CallTool(ctx, "echo", json.RawMessage(`{"message":"hello"}`))
//
// A [Session] speaks over any [Transport]: package stdio starts a command, package streamable speaks
// HTTP, [InMemory] reaches a server in the same program, and [Fake] is a server for tests. This
// package itself starts no process and opens no connection.
//
// Arguments and results are bytes and stay what they are: numbers of any size, the order of members,
// white space. (One exception: messages on stdio are lines, so a line break between two tokens of
// arguments travels as a space.)
//
// A request that the server rejects is an [*Error]. A tool that was called and has failed is no
// error but a [Result] with IsError.
package client
