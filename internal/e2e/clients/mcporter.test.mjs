// mcporter: as a library, and its command line, which guesses types from the text of an argument.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createRuntime } from "mcporter";

import { check, suite } from "./checks.mjs";
import { run, shown } from "./harness.mjs";

async function open({ command, args, url, headers, folder }) {
  const runtime = await createRuntime({
    servers: [{ name: "echo", command: command ? { kind: "stdio", command, args, cwd: folder } : { kind: "http", url: new URL(url), headers } }],
    logger: { info() {}, warn() {}, error() {}, debug() {} },
  });
  return {
    async tools() {
      return (await runtime.listTools("echo", { includeSchema: true })).map(({ name, inputSchema }) => ({ name, schema: inputSchema }));
    },
    async run(step) {
      let results;
      for (let calls; (calls = step(results)); ) {
        results = await Promise.all(
          calls.map(async ({ name, json }) => {
            const { content, isError, _meta } = await runtime.callTool("echo", name, { args: JSON.parse(json) });
            return shown(content[0].text, { isError: isError === true, meta: _meta });
          }),
        );
      }
    },
    close: () => runtime.close(),
  };
}

check({ name: "mcporter", transports: ["stdio", "http"], open, errors: true, unknownTool: /no-such-tool/ });

// The command line. A session runs a command on the server.
const cli = {
  name: "mcporter's command line",
  async open({ command, args, url, headers, folder }) {
    const server = command
      ? ["--stdio", [command, ...args].join(" ")]
      : ["--http-url", url, "--allow-http", ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}=${value}`])];
    const options = { env: { ...process.env, HOME: folder }, cwd: folder };
    return { run: (what, ...more) => run("mcporter", [what, ...server, "--log-level", "error", ...more], options), close() {} };
  },
};

const limit = { timeout: 60_000 };
const call = (session, ...more) => session().run("call", ...more, "--output", "json");

for (const transport of ["stdio", "http"]) {
  suite(cli, transport, [], (session) => {
    // Where a string is allowed as well, a number stays text: --args sends it as it is.
    for (const [text, got] of [
      ['{"a":[1.5,null]}', { a: [1.5, null] }],
      ["[1,2]", [1, 2]],
      ["true", true],
      ["null", null],
      ["hello", "hello"],
      ["12", "12"],
      ["1.0", "1.0"],
    ]) {
      test(`payload=${text} is sent as ${JSON.stringify(got)}`, limit, async () => {
        const { code, stdout, stderr } = await call(session, "echo", "schema_id=__schemaless__", `payload=${text}`);
        assert.equal(code, 0, stderr);
        assert.deepEqual(JSON.parse(stdout), { ok: true, schema_id: "__schemaless__", payload: got });
      });
    }

    test("--args sends what it is given", limit, async () => {
      const { code, stdout, stderr } = await call(session, "echo", "--args", '{"schema_id":"__schemaless__","payload":{"n":12}}');
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), { ok: true, schema_id: "__schemaless__", payload: { n: 12 } });
    });

    test("lists the tools with their schemas", limit, async () => {
      const { code, stdout, stderr } = await session().run("list", "--json", "--schema");
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout).tools.map((tool) => tool.name).sort(), ["echo", "get_schema", "list_schemas"]);
    });

    test("a refused payload's details are printed", limit, async () => {
      const { code, stdout } = await call(session, "echo", "schema_id=zenlix-agent-stage-v1", 'payload={"stage":1}');
      assert.equal(code, 1);
      assert.deepEqual(JSON.parse(stdout).error.details.map((detail) => detail.path), ["/stage"]);
    });

    test("a tool that there isn't", limit, async () => {
      const { code, stderr, stdout } = await call(session, "no-such-tool");
      assert.equal(code, 1);
      assert.match(stdout + stderr, /no-such-tool/);
    });
  });
}
