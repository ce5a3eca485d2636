// The MCP Inspector's command line with --tool-arg, which guesses types from the text of an
// argument; `make e2e` has it with --tool-args-json.
import assert from "node:assert/strict";
import { test } from "node:test";

import { suite } from "./checks.mjs";
import { run } from "./harness.mjs";

const client = {
  name: "Inspector's command line",
  async open({ command, args, url, headers, folder }) {
    const server = command ? [command, ...args] : [url, "--transport", "http", ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`])];
    const options = { env: { ...process.env, HOME: folder }, cwd: folder };
    return {
      async call(name, args) {
        const pairs = Object.entries(args).flatMap(([name, text]) => ["--tool-arg", `${name}=${text}`]);
        const { code, stdout, stderr } = await run("mcp-inspector", ["--cli", ...server, "--format", "json", "--quiet", "--method", "tools/call", "--tool-name", name, ...pairs], options);
        return { code, result: stdout ? JSON.parse(stdout).result : undefined, stderr };
      },
      close() {},
    };
  },
};

const limit = { timeout: 60_000 };

for (const transport of ["stdio", "http"]) {
  suite(client, transport, ["--typed-tools"], (session) => {
    for (const [text, got] of [
      ['{"a":[1.5,null]}', { a: [1.5, null] }],
      ["[1,2]", [1, 2]],
      ["12", 12],
      ["true", true],
      ["null", null],
      ["hello", "hello"],
    ]) {
      test(`payload=${text} is sent as ${JSON.stringify(got)}`, limit, async () => {
        const { code, result, stderr } = await session().call("echo", { schema_id: "__schemaless__", payload: text });
        assert.equal(code, 0, stderr);
        assert.deepEqual(result.structuredContent, { ok: true, schema_id: "__schemaless__", payload: got });
      });
    }

    test("a payload for a schema, and one that is refused", limit, async () => {
      const schema_id = "zenlix-agent-stage-v1";
      const good = await session().call("echo", { schema_id, payload: '{"stage":"build"}' });
      assert.deepEqual(good.result.structuredContent, { ok: true, schema_id, payload: { stage: "build" } });
      const bad = await session().call("echo", { schema_id, payload: '{"stage":1}' });
      assert.notEqual(bad.code, 0);
      assert.deepEqual(bad.result.structuredContent.error.details.map((detail) => detail.path), ["/stage"]);
    });

    test("a typed tool", limit, async () => {
      const { code, result, stderr } = await session().call("emit_workflow_stage_v1", { event_type: "stage_started", stage: "build", sequence: "0" });
      assert.equal(code, 0, stderr);
      assert.deepEqual(result.structuredContent.payload, { event_type: "stage_started", stage: "build", sequence: 0 });
    });
  });
}
