// The checks that every client goes through. A client is
//
//   name               how its suites are called
//   transports         stdio, http: how it reaches the server
//   open(target)       connects to what place().target gave, and gives a session
//   errors             true where it hands on that a result is an error, beside its text
//   toolName(name)     what it calls a tool that it renames
//   numbers            how it sends [1.0,9007199254740993,1e400,1E2] where it is more exact than
//                      JavaScript's JSON.parse and JSON.stringify
//   limit              the size of payloads, in bytes, beyond which it sends nothing
//   refuses            its own words where it doesn't send wrong arguments
//   withoutText        what a model sees of an answer that has no text block, for agents
//   unknownTool        its own words, thrown or shown, about a tool that there isn't
//
// and a session has
//
//   tools()            the tools as the model is offered them: name and schema
//   run(step)          an agent loop. step gets what the model was shown of the calls before,
//                      undefined at first, and gives the next calls, or null at the end
//   close()
//
// What is shown is compared as text: the text block of an answer is not decoded on its way.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { call, place, servers, together } from "./harness.mjs";

const stage = "zenlix-agent-stage-v1";
const limit = { timeout: 60_000 };

const payloads = {
  "an object": { any: ["thing", { constructor: 1, "": "é😀" }], n: 1.5 },
  "an array": [1, [2], { three: null }],
  "a string": "57785654",
  "a string that holds JSON": '{"a":[1]}',
  "an integer": 12,
  "a number": -0.25,
  true: true,
  false: false,
  null: null,
};

// A model pays for what an answer carries beside its payload, where its client hands that on.
const allowance = 1000;

const unwrapped = ({ meta }) => meta?.["io.github.zenlix.echo-mcp/unwrapped"] === true;

const echoed = (id, payload) => `{"ok":true,"schema_id":"${id}","payload":${JSON.stringify(payload)}}`;

// check declares the suites of a client.
export function check(client) {
  for (const transport of client.transports) {
    suite(client, transport, [], (get) => checks(client, get));
    const sessions = transport === "http" ? ["--stateless"] : [];
    suite(client, transport, ["--typed-tools", ...sessions], (get) => typedChecks(client, get));
  }
  if ("withoutText" in client) suite(client, "stdio", ["--text", "none"], (get) => textlessChecks(client, get));
}

// suite connects a client to a server with flags, declares tests on the session, and checks
// that both end.
export function suite(client, transport, flags, declare) {
  describe([client.name, transport, ...flags].join(", "), () => {
    let here, target, session;
    before(async () => {
      here = place();
      target = await here.target(transport, ...flags);
      session = await client.open({ ...target, folder: here.folder });
    }, limit);
    after(async () => {
      try {
        await session?.close();
        const ended = await target?.stop();
        if (ended) assert.deepEqual(ended, { code: 0, signal: null });
      } finally {
        await here.ended();
      }
    }, limit);
    declare(() => session);
  });
}

function checks(client, session) {
  test("offers the three tools, with schemas that say what a payload may be", limit, async () => {
    const tools = Object.fromEntries((await session().tools()).map((tool) => [tool.name, tool.schema]));
    assert.deepEqual(Object.keys(tools).sort(), ["echo", "get_schema", "list_schemas"]);
    for (const schema of Object.values(tools)) {
      assert.equal(schema.type, "object");
      assert.equal(typeof schema.properties, "object");
    }
    assert.deepEqual(Object.keys(tools.echo.properties).sort(), ["payload", "schema_id"]);
    assert.deepEqual(tools.echo.properties.payload.type, ["object", "array", "string", "number", "boolean", "null"]);
    assert.deepEqual(tools.echo.required.toSorted(), ["payload", "schema_id"]);
  });

  test("an agent finds a schema, reads it, sends a payload and repairs it by the details", limit, async () => {
    const seen = [];
    let schema_id;
    let payload = { stage_staus: "runing" };
    const next = (name, args) => [{ name, json: JSON.stringify(args) }];
    await session().run((results) => {
      if (!results) return next("list_schemas", {});
      const [{ envelope }] = results;
      seen.push(Object.keys(envelope).join(" "));
      if (envelope.schemas) return next("get_schema", { schema_id: envelope.schemas.find(({ title }) => title === "Agent stage").schema_id });
      if (envelope.schema) schema_id = envelope.schema_id;
      else if (envelope.ok) return null;
      else payload = repaired(payload, envelope.error.details);
      return next("echo", { schema_id, payload });
    });
    assert.deepEqual(seen, ["schemas", "schema_id description builtin schema", "ok error", "ok error", "ok schema_id payload"]);
    assert.deepEqual(payload, { stage: "build", stage_status: "running" });
  });

  test("get_schema gives each file's own JSON", limit, async () => {
    for (const { id, schema } of servers.shipped.schemas) {
      const { envelope } = await call(session(), "get_schema", { schema_id: id });
      assert.deepEqual(envelope.schema, schema);
    }
  });

  for (const [what, payload] of Object.entries(payloads)) {
    test(`echoes ${what}`, limit, async () => {
      const result = await call(session(), "echo", { schema_id: "__schemaless__", payload });
      assert.equal(result.text, echoed("__schemaless__", payload));
      if (client.errors) assert.equal(result.isError, false);
      assert.ok(JSON.stringify(result.meta ?? {}).length < allowance, "_meta is too long");
      assert.ok(!unwrapped(result));
    });
  }

  test("echoes numbers as the client sends them", limit, async () => {
    const { text } = await call(session(), "echo", '{"schema_id":"__schemaless__","payload":[1.0,9007199254740993,1e400,1E2]}');
    assert.equal(text, `{"ok":true,"schema_id":"__schemaless__","payload":${client.numbers ?? "[1,9007199254740992,null,100]"}}`);
  });

  test("a payload that came as text counts as the value in it", limit, async () => {
    const payload = { stage: "build", stage_status: "running", extra: { n: 1.5 } };
    const result = await call(session(), "echo", { schema_id: stage, payload: JSON.stringify(payload) });
    assert.equal(result.text, echoed(stage, payload));
    assert.ok(unwrapped(result));
  });

  test("a refused payload's details reach the model", limit, async () => {
    for (const payload of [{ stage: 1, stage_staus: "x" }, '{"stage":1,"stage_staus":"x"}']) {
      const result = await call(session(), "echo", { schema_id: stage, payload });
      assert.equal(result.envelope.error.code, "SCHEMA_VALIDATION_FAILED");
      assert.deepEqual(result.envelope.error.details.map((detail) => detail.path).sort(), ["/stage", "/stage_staus"]);
      if (client.errors) assert.equal(result.isError, true);
    }
  });

  test("wrong arguments are answered in words that help", limit, async () => {
    const result = await call(session(), "echo", { schemaId: stage, payload: {} });
    if (client.refuses) {
      assert.match(result.text, client.refuses);
      return;
    }
    assert.equal(result.envelope.error.code, "INVALID_REQUEST");
    assert.match(result.envelope.error.message, /did you mean "schema_id"\?/);
  });

  test("a tool that there isn't", limit, async () => {
    const seen = await call(session(), "no-such-tool", {}).then(
      (result) => result.text,
      (error) => error.message,
    );
    assert.match(seen, client.unknownTool);
  });

  const size = client.limit ?? 1_000_000;
  test(`a payload of ${size / 1000} kB comes back whole`, limit, async () => {
    const payload = { blob: "x".repeat(size - 5000), list: Array.from({ length: 1000 }, (_, i) => i) };
    const { text } = await call(session(), "echo", { schema_id: "__schemaless__", payload });
    assert.ok(text === echoed("__schemaless__", payload), `${text.length} characters: ${text.slice(0, 300)}`);
  });

  if (client.limit) {
    test("a larger one is refused by the client, in words that say so", limit, async () => {
      const payload = "x".repeat(client.limit * 1.2);
      await assert.rejects(call(session(), "echo", { schema_id: "__schemaless__", payload }), /too large/);
    });
  }

  test("20 calls at once get each its own answer", limit, async () => {
    const sent = Array.from({ length: 20 }, (_, i) => ({ stage: `stage ${i}`, extra: { pad: "x".repeat(i * 500) } }));
    const results = await together(
      session(),
      sent.map((payload) => ({ name: "echo", json: JSON.stringify({ schema_id: stage, payload }) })),
    );
    assert.deepEqual(
      results.map((result) => result.text),
      sent.map((payload) => echoed(stage, payload)),
    );
  });
}

function typedChecks({ refuses, toolName = (name) => name }, session) {
  const names = servers.shipped.schemas.map(({ id }) => toolName(`emit_${id}`));

  test("offers a tool for every schema, with its members", limit, async () => {
    const tools = Object.fromEntries((await session().tools()).map((tool) => [tool.name, tool.schema]));
    assert.deepEqual(Object.keys(tools).sort(), ["echo", "get_schema", "list_schemas", ...names].sort());
    for (const { id, schema } of servers.shipped.schemas) {
      assert.deepEqual(Object.keys(tools[toolName(`emit_${id}`)].properties).sort(), Object.keys(schema.properties).sort());
    }
  });

  test("its arguments are the message", limit, async () => {
    const payload = { stage: "build", stage_status: "running", extra: { any: [null] } };
    const { text } = await call(session(), toolName(`emit_${stage}`), payload);
    assert.equal(text, echoed(stage, payload));
  });

  test("a message that is refused", limit, async () => {
    const result = await call(session(), toolName(`emit_${stage}`), { stage: "build", stage_status: "runing" });
    if (refuses) {
      assert.match(result.text, refuses);
      return;
    }
    assert.deepEqual(result.envelope.error.details.map((detail) => detail.path), ["/stage_status"]);
  });
}

function textlessChecks({ withoutText }, session) {
  test("without text blocks the model sees nothing of what went well, but all that did not", limit, async () => {
    const good = await call(session(), "echo", { schema_id: stage, payload: { stage: "build" } });
    assert.equal(good.text, withoutText);
    const bad = await call(session(), "echo", { schema_id: stage, payload: {} });
    assert.deepEqual(bad.envelope.error.details.map((detail) => detail.path), ["/stage"]);
  });
}

// repaired does what a model would: it reads what each detail says of a member, and does that.
function repaired(payload, details) {
  for (const { path, keyword, message } of details) {
    const member = path.slice(1);
    const [, meant] = /did you mean "(.*?)"/.exec(message) ?? [];
    const [, ...allowed] = /^must be one of "(.*?)"/.exec(message) ?? [];
    if (keyword === "required") {
      payload[member] = "build";
    } else if (keyword === "additionalProperties" && meant) {
      payload[meant] = payload[member];
      delete payload[member];
    } else if (keyword === "enum" && (meant ?? allowed[0])) {
      payload[member] = meant ?? allowed[0];
    } else {
      assert.fail(`a model can't tell what to do: ${path} ${message}`);
    }
  }
  return payload;
}
