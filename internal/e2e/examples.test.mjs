// The official clients and the Inspector's command line against the programs of examples/.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { clients } from "./harness.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));
const token = "a-token-of-a-test";
const bin = mkdtempSync(join(tmpdir(), "echo-mcp-examples-"));
const sites = {}; // the URL of MCP at each program that listens
const ends = [];

before(async () => {
  execFileSync("go", ["build", "-o", bin, "./examples/..."], { cwd: root });
  for (const [name, path] of [["mux", "/agents/mcp"], ["ownserver", "/mcp"]]) {
    const port = await freePort();
    const child = spawn(join(bin, name), [`127.0.0.1:${port}`], { env: { ...process.env, NEWSROOM_TOKEN: token }, stdio: "ignore" });
    ends.push(() => child.kill("SIGINT"));
    sites[name] = `http://127.0.0.1:${port}${path}`;
    await until(() => fetch(sites[name], { method: "DELETE" }));
  }
});

after(() => {
  ends.forEach((end) => end());
  rmSync(bin, { recursive: true });
});

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// until waits for the first success.
async function until(attempt) {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

for (const { name, make, Stdio, Http } of clients) {
  describe(`examples, ${name}`, () => {
    test("toolserver: typed tools check both ways", async () => {
      const client = make();
      await client.connect(new Stdio({ command: join(bin, "toolserver") }));
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), ["cover", "search"]);
      const good = await client.callTool({ name: "search", arguments: { text: "go" } });
      assert.deepEqual(good.structuredContent, { found: [{ title: "The Go Programming Language", year: 2015 }] });
      assert.deepEqual(JSON.parse(good.content[0].text), good.structuredContent);
      const bad = await client.callTool({ name: "search", arguments: { text: "", limit: 11 } });
      assert.equal(bad.isError, true);
      assert.match(bad.content[0].text, /\n\/text: must not be empty\n\/limit: must be at most 10$/);
      await assert.rejects(client.callTool({ name: "absent", arguments: {} }), /there is no tool/);
      await client.close();
    });

    for (const server of ["mux", "ownserver"]) {
      test(`${server}: messages are echoed`, async () => {
        const client = make();
        await client.connect(new Http(new URL(sites[server]), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
        const { structuredContent } = await client.callTool({ name: "echo", arguments: { schema_id: "zenlix-agent-stage-v1", payload: { stage: "build" } } });
        assert.deepEqual(structuredContent, { ok: true, schema_id: "zenlix-agent-stage-v1", payload: { stage: "build" } });
        await client.close();
      });
    }
  });
}

// inspect lists the tools with the Inspector.
function inspect(...target) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [inspector, "--cli", ...target, "--format", "json", "--quiet", "--method", "tools/list"], (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout).result.tools.map((tool) => tool.name).sort()),
    );
  });
}

describe("examples, inspector", () => {
  test("toolserver", async () => assert.deepEqual(await inspect(join(bin, "toolserver")), ["cover", "search"]));
  test("mux", async () => assert.deepEqual(await inspect(sites.mux, "--transport", "http"), ["echo", "get_schema", "list_schemas"]));
  test("ownserver", async () => {
    const tools = await inspect(sites.ownserver, "--transport", "http", "--header", `Authorization: Bearer ${token}`);
    assert.ok(tools.length > 3 && tools.includes("echo"));
  });
});
