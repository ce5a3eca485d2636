// The MCP Inspector's command line against the built binary.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { serveHttp, servers } from "./harness.mjs";

const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));

// The eras of the protocol as the Inspector calls them: legacy is the one with the
// initialize handshake (2025-11-25), modern the one without (2026-07-28).
for (const era of ["legacy", "modern"]) {
  for (const transport of ["stdio", "http"]) {
    describe(`inspector, ${era} era, ${transport}`, () => {
      let target, stop;
      before(async () => {
        if (transport === "stdio") {
          target = [servers.shipped.binary, "serve"];
          return;
        }
        const server = await serveHttp(servers.shipped.binary);
        target = [server.url, "--transport", "http"];
        stop = server.stop;
      });
      after(() => stop?.());

      // inspect runs the Inspector and gives its exit code, its result and what it said.
      function inspect(...args) {
        return new Promise((resolve) => {
          const command = ["--cli", ...target, "--protocol-era", era, "--format", "json", "--quiet", ...args];
          execFile(process.execPath, [inspector, ...command], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
            resolve({ code: error ? error.code : 0, result: stdout.trim() ? JSON.parse(stdout).result : undefined, stderr });
          });
        });
      }

      const tool = (name, args) => inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));

      test("lists three tools, whose schemas it has nothing against", async () => {
        const { code, result, stderr } = await inspect("--method", "tools/list", "--strict");
        assert.equal(code, 0, stderr);
        assert.deepEqual(result.tools.map((each) => each.name).sort(), ["echo", "get_schema", "list_schemas"]);
      });

      test("lists and gets schemas", async () => {
        const list = await tool("list_schemas", {});
        assert.equal(list.code, 0, list.stderr);
        assert.equal(list.result.structuredContent.schemas.length, servers.shipped.schemas.length + 1);
        const [{ id, schema }] = servers.shipped.schemas;
        const got = await tool("get_schema", { schema_id: id });
        assert.deepEqual(got.result.structuredContent.schema, schema);
      });

      test("echoes a good payload", async () => {
        const payload = { stage: "build", stage_status: "success", extra: { n: 1.5 } };
        const { code, result, stderr } = await tool("echo", { schema_id: "zenlix-agent-stage-v1", payload });
        assert.equal(code, 0, stderr);
        assert.deepEqual(result.structuredContent, { ok: true, schema_id: "zenlix-agent-stage-v1", payload });
      });

      test("shows why a bad payload is refused", async () => {
        const { code, result } = await tool("echo", { schema_id: "zenlix-agent-stage-v1", payload: {} });
        assert.notEqual(code, 0);
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent.error.code, "SCHEMA_VALIDATION_FAILED");
        assert.equal(result.structuredContent.error.details[0].path, "/stage");
      });

      test("is told that a tool is unknown", async () => {
        const { code, stderr } = await tool("no-such-tool", {});
        assert.notEqual(code, 0);
        assert.match(stderr, /no-such-tool/);
      });
    });
  }
}
