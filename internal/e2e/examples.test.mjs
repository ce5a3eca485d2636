// The programs of examples/ as a stranger's clients meet them: the official TypeScript clients and
// the Inspector's command line. (examples/examples_test.go has the official Go client.)
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { clients } from "./harness.mjs";
import { answers, freePort } from "./server.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));
const token = "a-token-of-the-newsroom";

let bin;
before(() => {
  bin = mkdtempSync(join(tmpdir(), "echo-mcp-examples-"));
  execFileSync("go", ["build", "-o", bin, "./examples/..."], { cwd: root });
});
after(() => rmSync(bin, { recursive: true }));

const program = (name) => join(bin, name);

// inspect runs the Inspector's command line and gives its exit code and its result.
function inspect(target, ...args) {
  return new Promise((resolve) => {
    const command = ["--cli", ...target, "--format", "json", "--quiet", ...args];
    execFile(process.execPath, [inspector, ...command], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, result: stdout.trim() ? JSON.parse(stdout).result : undefined, stderr });
    });
  });
}

// listening starts a program on a free port and stops it as an operator would.
async function listening(name) {
  const port = await freePort();
  const child = spawn(program(name), [`127.0.0.1:${port}`], { stdio: ["ignore", "ignore", "ignore"], env: { ...process.env, NEWSROOM_TOKEN: token } });
  const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  for (let attempt = 0; !(await answers(port)); attempt++) {
    assert.ok(attempt < 200 && child.exitCode === null, `${name} does not listen`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGINT");
      assert.equal(await ended, 0);
    },
  };
}

for (const { name, make, Stdio } of clients) {
  describe(`examples/toolserver, ${name}`, () => {
    let client;
    before(async () => {
      client = make();
      await client.connect(new Stdio({ command: program("toolserver"), stderr: "ignore" }));
      await client.listTools(); // from here on the client checks results against output schemas
    });
    after(() => client.close());

    test("its tools have both schemas", async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), ["cover", "search"]);
      const search = tools.find((tool) => tool.name === "search");
      assert.deepEqual(search.inputSchema.required, ["text"]);
      assert.equal(search.outputSchema.properties.found.type, "array");
      assert.equal(search.annotations.readOnlyHint, true);
    });

    test("a call gives structured content and the same as text", async () => {
      const result = await client.callTool({ name: "search", arguments: { text: "go" } });
      assert.deepEqual(result.structuredContent, { found: [{ title: "The Go Programming Language", year: 2015 }] });
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    });

    test("wrong arguments are a result that a model can read", async () => {
      const result = await client.callTool({ name: "search", arguments: { text: "", limit: 11 } });
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /\/text: must not be empty/);
      assert.match(result.content[0].text, /\/limit: must be at most 10/);
    });

    test("a tool that there is not is an error of the protocol", async () => {
      await assert.rejects(client.callTool({ name: "lend", arguments: {} }), (error) => error.code === -32602);
    });
  });
}

describe("examples/toolserver, Inspector", () => {
  test("finds nothing to object to, and calls", async () => {
    const target = [program("toolserver")];
    const list = await inspect(target, "--method", "tools/list", "--strict");
    assert.equal(list.code, 0, list.stderr);
    assert.equal(list.result.tools.length, 2);
    const call = await inspect(target, "--method", "tools/call", "--tool-name", "search", "--tool-arg", "text=practice");
    assert.equal(call.code, 0, call.stderr);
    assert.equal(call.result.structuredContent.found[0].year, 1999);
  });
});

describe("examples/mux", () => {
  let server;
  before(async () => {
    server = await listening("mux");
  });
  after(() => server.stop());

  test("MCP is one route, the shop another", async () => {
    assert.equal(await (await fetch(server.url)).text(), "the shop\n");
    for (const { make, Http } of clients) {
      const client = make();
      await client.connect(new Http(new URL(`${server.url}/agents/mcp`)));
      const result = await client.callTool({ name: "echo", arguments: { schema_id: "__schemaless__", payload: [1] } });
      assert.deepEqual(result.structuredContent.payload, [1]);
      await client.close();
    }
    const list = await inspect([`${server.url}/agents/mcp`, "--transport", "http"], "--method", "tools/list", "--strict");
    assert.equal(list.code, 0, list.stderr);
  });
});

describe("examples/ownserver", () => {
  let server;
  before(async () => {
    server = await listening("ownserver");
  });
  after(() => server.stop());

  test("says who it is to who has its token, with a tool for each message type", async () => {
    const open = (options) => {
      const { make, Http } = clients[0];
      const client = make();
      return client.connect(new Http(new URL(`${server.url}/mcp`), options)).then(() => client);
    };
    await assert.rejects(open({}));
    const client = await open({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
    assert.equal(client.getServerVersion().name, "newsroom");
    assert.equal(client.getServerVersion().version, "2.1.0");
    assert.match(client.getInstructions(), /^Emit a stage message/);
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name.startsWith("emit_")));
    await client.close();
    const list = await inspect([`${server.url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${token}`], "--method", "tools/list", "--strict");
    assert.equal(list.code, 0, list.stderr);
  });
});
