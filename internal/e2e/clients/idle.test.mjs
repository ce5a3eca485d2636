// A client that waits: its stream stays open and is not silent, which proxies and the official
// SDK itself, after five minutes, take for a dead one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { suite } from "./checks.mjs";
import { call, sdkSession } from "./harness.mjs";

const client = {
  name: "an idle client",
  async open({ url, headers }) {
    const streams = [];
    const errors = [];
    // watched notes the streams that the client opens, and what comes on them.
    async function watched(url, init) {
      const response = await fetch(url, init);
      if (init.method !== "GET" || !response.ok) return response;
      const stream = { text: "" };
      streams.push(stream);
      const copy = new TransformStream({
        transform(chunk, controller) {
          stream.text += Buffer.from(chunk).toString();
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body.pipeThrough(copy), response);
    }
    const connected = new Client({ name: "echo-mcp-e2e", version: "1" });
    connected.onerror = (error) => errors.push(error.message);
    await connected.connect(new Http(new URL(url), { requestInit: { headers }, fetch: watched }));
    return { ...sdkSession(connected), streams, errors };
  },
};

suite(client, "http", [], (session) => {
  test("keeps one stream, on which something comes in half a minute", { timeout: 60_000 }, async () => {
    await sleep(32_000);
    const { streams, errors } = session();
    assert.deepEqual(errors, []);
    assert.equal(streams.length, 1);
    assert.match(streams[0].text, /^:/m);
    const { envelope } = await call(session(), "echo", { schema_id: "__schemaless__", payload: [] });
    assert.deepEqual(envelope, { ok: true, schema_id: "__schemaless__", payload: [] });
  });
});
