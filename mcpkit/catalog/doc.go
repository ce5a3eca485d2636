// Package catalog makes of any MCP server one document: its tools, resources, resource templates and
// prompts in one form, each with its schemas as the server sent them, byte for byte.
//
//	session, err := client.Connect(ctx, stdio.Command("npx", "-y", "@modelcontextprotocol/server-everything"), client.Options{})
//	defer session.Close()
//	c, err := catalog.Extract(ctx, session)
//	os.Stdout.Write(c.AppendJSON(nil))
//
// Extract reads a live session, Compose raw definitions, and Parse a document that was written
// before. The same definitions always give the same bytes.
//
// One bad schema harms nothing else: each is compiled alone, in the dialect of its $schema (2020-12
// without one), and no reference leads out of it. What can't be compiled has an Error with the place in
// the schema, and what is odd about an item is among its Warnings.
//
// The document is a message of this module: its schema is mcp_catalog_v1, and
// generated.MCPCatalogV1 is its type.
package catalog
