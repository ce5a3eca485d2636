package gen

import (
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// help is the text of -help. In it COMMAND stands for how the command is called, and DIALECTS
// for the names of the dialects.
const help = `Usage: COMMAND [flags]
       COMMAND init DIR [-module PATH]

Compiles every JSON Schema of a folder into Go types, validators and a registry, or the tools of
an MCP server into a client with a method for each.

One file of the folder is one message type; its name without .json is the schema id.
Sub-folders hold shared definitions for $ref. Nothing is fetched, and nothing outside
the folder is read except behind -map. To start a module for message types of your own, use init.

The tools come from a catalogue, a file that echo-mcp catalog --json writes. Arguments are
checked before they are sent, and answers before they are returned.

What to read and write:
  -schemas DIR              the folder of the schemas (default schemas)
  -catalog FILE             the catalogue of an MCP server, instead of schemas
  -out DIR                  the folder to write to (default generated), which must be given with
                            -catalog; files in it that were generated and are no longer needed are
                            removed
  -package NAME             the name of the generated package; without this flag it is that of the
                            folder of -out
  -map PREFIX=DIR           answer references to URIs that begin with PREFIX from a folder;
                            may be repeated
  -root FILE#POINTER        make a definition of a file a message type under its name, such as
                            'common/mcp.json#/$defs/Tool', or all: 'common/mcp.json#/$defs/*';
                            may be repeated
  -only FILE,…              leave out the message types that are not made of any of these files,
                            named as in the folder of the schemas: hello_v1.json,common/money.json

What the schemas mean:
  -default-dialect DIALECT  the dialect of schemas without $schema (default 2020-12), one of
                            DIALECTS
  -dialect URI=DIALECT      read schemas with this $schema, which no draft has, as a dialect; may be
                            repeated
  -dialect-of FILES=DIALECT the dialect of the files without $schema whose names match FILES, such
                            as 'typebox-*=draft7'; may be repeated, the first that matches counts
  -assert-format            make format an assertion; without this flag it is an annotation, as
                            the specification says of all drafts but v1, where it always asserts
  -types                    write Go types beside the validators; -types=false leaves them out
  -strict                   make warnings errors: nothing is written; with -catalog a tool whose
                            schema has faults, which is left out else, is one
  -exact-numbers            make every number in Go a json.Number, which keeps the digits as written

Instead of writing files:
  -check                    list files that are stale, and exit with 1 if there are any
  -diff DIR|git:REV         compare with older schemas, those in DIR or those of this folder at a
                            revision of its git repository: print which old messages may be
                            refused now and which Go identifiers changed, and exit with 1 if
                            something breaks; with -catalog, DIR is an older catalogue's file
  -dump STAGE               print a stage of the compiler and write nothing: facts, what the
                            schemas say; plan, what the validators check; code, how; types, the
                            Go types
  -version                  print the version of echo-gen

The flags that say what the schemas mean are recorded in what is generated. With -check, -diff and
-dump those that you leave out, and -package, are as recorded in the folder of -out.

Exit codes:
  0  done
  1  the answer is no: a schema has faults, a file is stale, or a change breaks something
  2  the command line is wrong

Examples:
  COMMAND -schemas schemas -out messages -package messages
  COMMAND -check -out messages
  COMMAND -diff git:origin/main
  COMMAND -map https://example.com/schemas/=../shared-schemas
  COMMAND -catalog github.json -out githubmcp
`

// helpText is the help for a command that is called so.
func helpText(command string) string {
	return strings.NewReplacer("COMMAND", command, "DIALECTS", strings.Join(load.DraftNames(), ", ")).Replace(help)
}
