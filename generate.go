// Package echomcp is the root of the module. It holds no code: what ships is
// cmd/echo-mcp (the server), generated (the schemas as Go) and gen/json* (their run time).
package echomcp

// -assert-format: what an agent sends here is checked, so `format` is an assertion in
// this repository. The specification's default, an annotation, is echo-gen's default too.
//
//go:generate go run ./cmd/echo-gen -assert-format
