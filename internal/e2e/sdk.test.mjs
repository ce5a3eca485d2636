// The official TypeScript SDKs against the built binary. What they decode is compared as
// values: JavaScript rewrites numbers, so bytes are for the raw client (bytes_test.go).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { connections, servers } from "./harness.mjs";

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const stage = "zenlix-agent-stage-v1";

// call calls a tool and checks what holds for every answer: one text block, which says the
// same as the structured content.
async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.content.length, 1);
  assert.equal(result.content[0].type, "text");
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result;
}

async function echo(client, schema_id, payload) {
  const result = await call(client, "echo", { schema_id, payload });
  assert.notEqual(result.isError, true, result.content[0].text.slice(0, 300));
  assert.deepEqual(result.structuredContent, { ok: true, schema_id, payload });
}

async function fails(client, name, args, code) {
  const result = await call(client, name, args);
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent.ok, false);
  assert.equal(result.structuredContent.error.code, code);
  return result.structuredContent.error;
}

for (const connection of connections()) {
  describe(connection.name, () => {
    let client, close;
    before(async () => {
      ({ client, close } = await connection.open(servers.shipped.binary));
      // From here on the client validates every answer against the tool's output schema.
      await client.listTools();
    });
    after(async () => {
      const ended = await close();
      if (connection.transport === "http") assert.deepEqual(ended, { code: 0, signal: null });
    });

    test("the server says who it is and which protocol it speaks", () => {
      assert.equal(client.getServerVersion().name, "echo-mcp");
      assert.notEqual(client.getServerVersion().version, "");
      if (client.getNegotiatedProtocolVersion) {
        assert.equal(client.getNegotiatedProtocolVersion(), connection.client.protocol);
      }
    });

    test("exactly three tools, each described, annotated, with both schemas", async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name).sort(), ["echo", "get_schema", "list_schemas"]);
      for (const tool of tools) {
        assert.ok(tool.description);
        assert.deepEqual({ ...tool.annotations, title: undefined }, { ...annotations, title: undefined });
        assert.equal(tool.inputSchema.type, "object");
        assert.equal(typeof tool.inputSchema.properties, "object");
        assert.equal(tool.outputSchema.type, "object");
      }
      const required = Object.fromEntries(tools.map((tool) => [tool.name, tool.inputSchema.required ?? []]));
      assert.deepEqual(required, { echo: ["schema_id", "payload"], get_schema: ["schema_id"], list_schemas: [] });
    });

    test("list_schemas lists them all", async () => {
      const { structuredContent } = await call(client, "list_schemas", {});
      assert.deepEqual(
        structuredContent.schemas.map((schema) => schema.schema_id),
        ["__schemaless__", ...servers.shipped.schemas.map((schema) => schema.id)],
      );
      assert.ok(structuredContent.schemas.every((schema) => schema.builtin === true));
    });

    test("get_schema gives each file's own JSON, null for __schemaless__", async () => {
      for (const { id, schema } of [...servers.shipped.schemas, { id: "__schemaless__", schema: null }]) {
        const { structuredContent } = await call(client, "get_schema", { schema_id: id });
        assert.equal(structuredContent.schema_id, id);
        assert.equal(structuredContent.builtin, true);
        assert.deepEqual(structuredContent.schema, schema);
      }
    });

    test("an unknown schema id is an error with the nearest ids", async () => {
      for (const [tool, args] of [["get_schema", {}], ["echo", { payload: 1 }]]) {
        const error = await fails(client, tool, { schema_id: "zenlix-agent-stage", ...args }, "SCHEMA_NOT_FOUND");
        assert.match(error.message, /zenlix-agent-stage-v1/);
      }
    });

    test("echo gives a good payload back", async () => {
      await echo(client, stage, { stage: "build", stage_status: "running", extra: { n: [1, 2.5, null], "": "é😀" } });
      await echo(client, "__schemaless__", { any: ["thing", { constructor: 1, toString: [] }] });
    });

    test("echo leaves strings, null and scalars what they are", async () => {
      for (const payload of ["57785654", "1e234567", "true", "null", "[1]", "", null, true, 0, [], {}]) {
        await echo(client, "__schemaless__", payload);
      }
    });

    test("echo refuses a bad payload with all its faults", async () => {
      const error = await fails(client, "echo", { schema_id: stage, payload: { stage: 1, stage_staus: "x" } }, "SCHEMA_VALIDATION_FAILED");
      assert.equal(error.schema_id, stage);
      assert.deepEqual(error.details.map((detail) => detail.path).sort(), ["/stage", "/stage_staus"]);
      for (const detail of error.details) {
        assert.deepEqual(Object.keys(detail).sort(), ["keyword", "message", "path", "schema_path"]);
      }
      assert.match(error.details.find((detail) => detail.path === "/stage_staus").message, /stage_status/);
    });

    test("missing and wrong arguments are errors of the tool", async () => {
      await fails(client, "echo", { schema_id: "__schemaless__" }, "INVALID_REQUEST");
      await fails(client, "echo", { payload: 1 }, "INVALID_REQUEST");
      await fails(client, "echo", { schema_id: "", payload: 1 }, "INVALID_REQUEST");
      await fails(client, "get_schema", {}, "INVALID_REQUEST");
    });

    test("an unknown tool is an error of the protocol", async () => {
      await assert.rejects(client.callTool({ name: "no-such-tool", arguments: {} }), (error) => error.code === -32602);
    });

    test("5 MB come back whole", async () => {
      await echo(client, "__schemaless__", { blob: "x".repeat(5_000_000) });
      await echo(client, "__schemaless__", Array.from({ length: 400_000 }, (_, i) => i * 1_000_003));
    });

    test("100 calls at once get each its own answer", async () => {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => echo(client, i % 2 ? stage : "__schemaless__", { stage: `${i}`, extra: { pad: "x".repeat(i * 500) } })),
      );
    });
  });

  describe(`${connection.name}, odd ids`, () => {
    let client, close;
    before(async () => {
      ({ client, close } = await connection.open(servers.odd.binary));
      await client.listTools();
    });
    after(() => close());

    test("are listed, read and echoed like any other", async () => {
      const ids = servers.odd.schemas.map((schema) => schema.id);
      assert.ok(ids.includes("__proto__") && ids.includes("über v1") && ids.includes("a b"));
      const { structuredContent } = await call(client, "list_schemas", {});
      assert.deepEqual(structuredContent.schemas.map((schema) => schema.schema_id), ["__schemaless__", ...ids]);
      for (const { id, schema } of servers.odd.schemas) {
        assert.deepEqual((await call(client, "get_schema", { schema_id: id })).structuredContent.schema, schema);
        await echo(client, id, { id });
        const error = await fails(client, "echo", { schema_id: id, payload: { id: 1 } }, "SCHEMA_VALIDATION_FAILED");
        assert.deepEqual(error.details.map((detail) => detail.path), ["/id"]);
      }
    });
  });
}
