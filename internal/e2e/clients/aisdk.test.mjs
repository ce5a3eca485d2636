// Vercel's AI SDK: its MCP client, and its agent loop with the model that it has for tests.
//
// To the model it offers each schema with additionalProperties: false, and gives it the text of
// an answer only; the program has the whole result. Arguments are not checked before they are
// sent, so that what the server says about wrong ones reaches the model.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";

import { check } from "./checks.mjs";
import { shown } from "./harness.mjs";

const rest = {
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
};
const done = { ...rest, content: [{ type: "text", text: "done" }], finishReason: { unified: "stop", raw: undefined } };

async function open({ command, args, url, headers }) {
  const client = await createMCPClient({ transport: command ? new Stdio({ command, args, stderr: "ignore" }) : { type: "http", url, headers } });
  const tools = await client.tools();
  const drive = (doGenerate, more) => generateText({ model: new MockLanguageModelV4({ doGenerate }), tools, prompt: "go", stopWhen: stepCountIs(10), ...more });
  return {
    async tools() {
      let offered;
      await drive(async (options) => {
        offered = options.tools;
        return done;
      });
      return offered.map(({ name, inputSchema }) => ({ name, schema: inputSchema }));
    },
    async run(step) {
      const marks = new Map();
      const respond = async ({ prompt }) => {
        const last = prompt.at(-1);
        const calls = step(last.role === "tool" ? last.content.map(({ toolCallId, output }) => read(output, marks.get(toolCallId))) : undefined);
        if (!calls) return done;
        return {
          ...rest,
          content: calls.map(({ name, json }, i) => ({ type: "tool-call", toolCallId: `${prompt.length}-${i}`, toolName: name, input: json })),
          finishReason: { unified: "tool-calls", raw: undefined },
        };
      };
      await drive(respond, { onStepFinish: ({ toolResults }) => toolResults.forEach(({ toolCallId, output }) => marks.set(toolCallId, output._meta)) });
    },
    close: () => client.close(),
  };
}

function read(output, meta) {
  return output.type === "content" ? shown(output.value[0]?.text, { meta }) : shown(output.value);
}

check({
  name: "AI SDK",
  transports: ["stdio", "http"],
  open,
  withoutText: undefined,
  unknownTool: /unavailable tool 'no-such-tool'. Available tools: echo, get_schema, list_schemas/,
});
