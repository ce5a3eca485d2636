// OpenAI's agents SDK: its MCP servers, and its agent loop with a model that is a script.
//
// The model gets the text of an answer only, and no word of its being an error; with
// useStructuredContent it gets the structured content of what went well. The program gets
// _meta through customDataExtractor. Tools are offered with strict: false; an agent with
// mcpConfig.convertSchemasToStrict gets those strictly that fit strict mode. In the names of
// tools every character but letters, digits and _ becomes a _.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Agent, MCPServerStdio, MCPServerStreamableHttp, Runner, Usage } from "@openai/agents";

import { check, suite } from "./checks.mjs";
import { call, shown } from "./harness.mjs";

const usage = new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 });
const done = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "done" }] };

async function open({ command, args, url, headers }, mcpConfig) {
  const common = { name: "echo", cacheToolsList: true, customDataExtractor: ({ resultMeta }) => ({ meta: resultMeta }) };
  const server = command ? new MCPServerStdio({ ...common, command, args }) : new MCPServerStreamableHttp({ ...common, url, requestInit: { headers } });
  await server.connect();
  const runner = new Runner({ tracingDisabled: true });
  const drive = (respond) =>
    runner.run(new Agent({ name: "tester", model: { getResponse: async (request) => ({ usage, output: respond(request) }) }, mcpServers: [server], mcpConfig }), "go");
  return {
    async tools() {
      let offered;
      await drive((request) => {
        offered = request.tools;
        return [done];
      });
      return offered.map(({ name, parameters, strict }) => ({ name, schema: parameters, strict }));
    },
    async run(step) {
      const seen = new Map();
      const { newItems } = await drive(({ input }) => {
        const results = input.slice(input.findLastIndex((item) => item.type !== "function_call_result") + 1);
        const read = (item) => {
          const result = shown((item.output[0] ?? item.output).text);
          seen.set(item.callId, result);
          return result;
        };
        const calls = step(results.length > 0 ? results.map(read) : undefined);
        if (!calls) return [done];
        return calls.map(({ name, json }, i) => ({ type: "function_call", callId: `${input.length}-${i}`, name, arguments: json, status: "completed" }));
      });
      for (const { type, rawItem, customData } of newItems) {
        if (type === "tool_call_output_item") seen.get(rawItem.callId).meta = customData?.meta;
      }
    },
    close: () => server.close(),
  };
}

const client = {
  name: "OpenAI agents",
  transports: ["stdio", "http"],
  open,
  withoutText: "[]",
  toolName: (name) => name.replace(/\W/g, "_"),
  unknownTool: /Tool no-such-tool not found in agent tester/,
};
check(client);

const strict = { ...client, name: "OpenAI agents, strict", open: (target) => open(target, { convertSchemasToStrict: true }) };
suite(strict, "stdio", ["--typed-tools"], (session) => {
  // Strict mode takes no schema under which members may have any name: echo's payload is an
  // object, list_schemas takes any argument, and so do members of the three other messages.
  test("what fits strict mode is offered strictly, the rest as it is", async () => {
    const tools = await session().tools();
    assert.deepEqual(tools.filter((tool) => tool.strict).map((tool) => tool.name).sort(), ["emit_report_outline_v1", "emit_workflow_stage_v1", "get_schema"]);
    assert.equal(tools.length, 8);
  });

  test("null for a member that may be left out leaves it out", async () => {
    const message = { event_type: "stage_started", stage: "build", sequence: 1 };
    const { text } = await call(session(), "emit_workflow_stage_v1", { ...message, message: null });
    assert.equal(text, JSON.stringify({ ok: true, schema_id: "workflow_stage_v1", payload: message }));
  });
});
