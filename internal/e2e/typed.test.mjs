// From any server to typed Go: the reference servers are catalogued, echo-gen makes a package of
// each, and a Go program calls their tools through the packages.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { servers } from "./server.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = fileURLToPath(new URL("node_modules/.bin/", import.meta.url));

// What a program does with a client c of each server, and what it prints.
const programs = {
  everything: {
    body: `
	weather, err := c.GetStructuredContent(ctx, typedmcp.GetStructuredContentInput{Location: "Chicago"})
	fmt.Println(weather.Conditions, weather.Temperature, err)
	sum, err := c.GetSum(ctx, typedmcp.GetSumInput{A: 1, B: 2.5})
	fmt.Println(sum.Text(), err)
	_, err = c.GetStructuredContent(ctx, typedmcp.GetStructuredContentInput{Location: "Nowhere"})
	fmt.Println(err)`,
    prints: [
      "Light rain / drizzle 36 <nil>",
      "The sum of 1 and 2.5 is 3.5. <nil>",
      'the tool get-structured-content was not called, as it does not take these arguments: /location: must be one of "New York", "Chicago", "Los Angeles"',
    ],
  },
  filesystem: {
    body: `
	_, err = c.WriteFile(ctx, typedmcp.WriteFileInput{Path: os.Getenv("ROOM") + "/a.txt", Content: "one\\ntwo\\n"})
	fmt.Println(err)
	text, err := c.ReadTextFile(ctx, typedmcp.ReadTextFileInput{Path: os.Getenv("ROOM") + "/a.txt", Tail: new(2.0)})
	fmt.Printf("%q %v\\n", text.Content, err)
	_, err = c.ReadTextFile(ctx, typedmcp.ReadTextFileInput{Path: "/etc/passwd"})
	failed, ok := errors.AsType[*typed.ToolError](err)
	fmt.Println(ok && strings.HasPrefix(failed.Result.Text(), "Access denied"))`,
    prints: ["<nil>", '"two\\n" <nil>', "true"],
  },
  memory: {
    body: `
	_, err = c.CreateEntities(ctx, typedmcp.CreateEntitiesInput{Entities: []typedmcp.CreateEntitiesInput_EntitiesItem{{Name: "Ada", EntityType: "person", Observations: []string{"wrote programs"}}}})
	fmt.Println(err)
	graph, err := c.ReadGraph(ctx, typedmcp.ReadGraphInput{})
	fmt.Println(len(graph.Entities), graph.Entities[0].Name, graph.Entities[0].Observations, err)`,
    prints: ["<nil>", "1 Ada [wrote programs] <nil>"],
  },
  "sequential-thinking": {
    body: `
	var more typedmcp.SequentialthinkingInput_NextThoughtNeeded
	more.SetBool(true)
	out, err := c.Sequentialthinking(ctx, typedmcp.SequentialthinkingInput{Thought: "first", NextThoughtNeeded: more, ThoughtNumber: 1, TotalThoughts: 2})
	fmt.Println(out.ThoughtNumber, out.TotalThoughts, out.NextThoughtNeeded, err)`,
    prints: ["1 2 true <nil>"],
  },
};

const program = (path, body) => `package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	typedmcp "${path}"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
	"github.com/zenlix/echo-mcp/mcpkit/client/typed"
)

var (
	_ = errors.AsType[*typed.ToolError]
	_ = strings.HasPrefix
)

func main() {
	ctx := context.Background()
	session, err := client.Connect(ctx, stdio.New(os.Args[1:], stdio.Options{}), client.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	c := typedmcp.New(session)
${body}
}
`;

describe("typed Go for any server", () => {
  let made; // inside the module, whose packages the program imports
  let room; // what the servers may write to
  before(() => {
    made = mkdtempSync(join(root, "bin/typed-"));
    room = realpathSync(mkdtempSync(join(tmpdir(), "typed-")));
  });
  after(() => {
    for (const folder of [made, room]) rmSync(folder, { recursive: true, force: true });
  });

  test("every tool of the reference servers compiles, and calls work", async (t) => {
    for (const [name, { body, prints }] of Object.entries(programs)) {
      await t.test(name, () => {
        const command = [`${bin}mcp-server-${name}`, ...(name === "filesystem" ? [room] : [])];
        const options = { cwd: root, encoding: "utf8", env: { ...process.env, ROOM: room, MEMORY_FILE_PATH: join(room, "memory.json") }, stdio: ["ignore", "pipe", "pipe"] };
        const catalog = join(made, `${name}.json`);
        writeFileSync(catalog, execFileSync(servers.shipped.binary, ["catalog", "--json", "--", ...command], options));
        const folder = join(made, name.replaceAll("-", ""));
        execFileSync("go", ["run", "./cmd/echo-gen", "-strict", "-catalog", catalog, "-out", folder], options);
        mkdirSync(join(folder, "call"));
        const path = `github.com/zenlix/echo-mcp/bin/${basename(made)}/${basename(folder)}`;
        writeFileSync(join(folder, "call/main.go"), program(path, body));
        assert.equal(execFileSync("gofmt", ["-l", folder], options), "");
        execFileSync("go", ["vet", `./bin/${basename(made)}/${basename(folder)}/...`], options);
        assert.deepEqual(execFileSync("go", ["run", `${path}/call`, ...command], options).trimEnd().split("\n"), prints);
      });
    }
  });
});
