// Command echo-gen compiles the JSON Schemas of a folder into Go: types, validators and a
// registry. It is made for go generate, as a tool of the module that owns the schemas:
//
//	go get -tool github.com/zenlix/echo-mcp/cmd/echo-gen
//	go tool echo-gen -schemas schemas -out messages -package messages
//
// echo-gen -help lists the flags.
package main

import (
	"os"

	"github.com/zenlix/echo-mcp/gen"
)

func main() { os.Exit(gen.Run(os.Args[1:], os.Stdout, os.Stderr)) }
