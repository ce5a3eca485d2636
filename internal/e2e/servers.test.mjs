// The reference servers of the MCP project, asked by mcpkit/client over stdio and HTTP.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const server = (name) => here(`node_modules/.bin/mcp-server-${name}`);

// survey is what a server has, and what came of calls of [tool, arguments].
function survey(target, calls, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(here("../../bin/mcpclient"), ["survey", ...target], { env: { ...process.env, ...env } });
    let out = "";
    let err = "";
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (err += text));
    child.on("close", (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`status ${code}: ${err}`))));
    child.stdin.end(JSON.stringify(calls.map(([tool, args]) => ({ tool, arguments: args }))));
  });
}

const names = (items) => items.map((item) => item.name);

describe("server-everything", () => {
  const check = async (target) => {
    const found = await survey(target, [
      ["echo", { message: "hé\n\u2028<&>" }],
      ["get-sum", { a: 1, b: 2 }],
      ["trigger-long-running-operation", { duration: 0.4, steps: 4 }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-sum", { a: "one" }],
      ["no-such-tool", {}],
    ]);
    assert.equal(found.name, "mcp-servers/everything");
    assert.ok(found.tools.length >= 13, names(found.tools).join());
    for (const tool of found.tools) assert.equal(tool.inputSchema.type, "object");
    assert.ok(names(found.prompts).includes("args-prompt"));
    assert.ok(found.resources.length > 0);
    assert.ok(found.templates.length > 0);
    const [echo, sum, long, structured, wrong, unknown] = found.calls;
    assert.equal(echo.text, "Echo: hé\n\u2028<&>");
    assert.match(sum.text, /\b3\b/);
    assert.match(long.text, /completed/i);
    assert.equal(typeof structured.raw.structuredContent.temperature, "number");
    for (const failed of [wrong, unknown]) assert.ok(failed.isError || failed.error, JSON.stringify(failed));
    assert.equal(found.notifications.filter((method) => method === "progress").length, 4);
    assert.equal(found.strays, null);
  };

  test("over stdio", () => check(["--", server("everything")]));

  describe("over HTTP", () => {
    let child, url;
    before(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}/mcp`;
      child = spawn(server("everything"), ["streamableHttp"], { env: { ...process.env, PORT: String(port) }, stdio: "ignore" });
      for (let tries = 0; ; tries++) {
        try {
          await fetch(url);
          break;
        } catch (error) {
          if (tries === 300) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    });
    after(() => new Promise((resolve) => child.on("close", resolve) && child.kill("SIGKILL")));

    test("it answers the same", () => check([url]));
  });
});

// freePort is a port that nobody listens on.
function freePort() {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const { port } = listener.address();
      listener.close(() => resolve(port));
    });
  });
}

describe("servers over stdio", () => {
  let folder;
  before(() => (folder = mkdtempSync(`${tmpdir()}/echo-mcp-servers-`)));
  after(() => rmSync(folder, { recursive: true }));

  test("server-filesystem", async () => {
    const text = "x".repeat(300_000) + "\n€\r\n";
    writeFileSync(`${folder}/large.txt`, text);
    const found = await survey(["--", server("filesystem"), folder], [
      ["write_file", { path: `${folder}/new.txt`, content: text }],
      ["read_text_file", { path: `${folder}/large.txt` }],
      ["read_text_file", { path: "/etc/passwd" }],
    ]);
    assert.ok(names(found.tools).includes("edit_file"));
    assert.equal(readFileSync(`${folder}/new.txt`, "utf8"), text);
    assert.equal(found.calls[1].text, text);
    assert.equal(found.calls[2].isError, true);
  });

  test("server-memory", async () => {
    const found = await survey(
      ["--", server("memory")],
      [
        ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }] }],
        ["search_nodes", { query: "Ada" }],
      ],
      { MEMORY_FILE_PATH: `${folder}/memory.json` },
    );
    assert.deepEqual(found.calls.map((call) => call.isError), [false, false]);
    assert.match(found.calls[1].text, /wrote the first program/);
  });

  test("server-sequential-thinking", async () => {
    const thought = { thought: "a", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const found = await survey(["--", server("sequential-thinking")], [["sequentialthinking", thought]]);
    assert.deepEqual(names(found.tools), ["sequentialthinking"]);
    assert.equal(found.calls[0].isError, false);
    assert.equal(JSON.parse(found.calls[0].text).thoughtHistoryLength, 1);
  });
});
