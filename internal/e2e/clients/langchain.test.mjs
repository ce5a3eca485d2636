// LangChain: its MCP adapters, and its agent with the model that it has for tests.
//
// An answer reaches the model twice: as {"type":"text","text":…,"structuredContent":…,"meta":…}. An
// error reaches it once, as "ToolException: … returned an error: …\n Please fix your mistakes.".
// Wrong arguments are not sent: the model is shown a stack trace that doesn't say what is wrong,
// and so it is for typed tools.
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent } from "langchain";

import { check } from "./checks.mjs";
import { shown } from "./harness.mjs";

async function open({ command, args, url, headers }) {
  const client = new MultiServerMCPClient({
    mcpServers: { echo: command ? { transport: "stdio", command, args, stderr: "ignore" } : { transport: "http", url, headers } },
  });
  const tools = await client.getTools();
  return {
    async tools() {
      return tools.map((tool) => convertToOpenAITool(tool).function).map(({ name, parameters }) => ({ name, schema: parameters }));
    },
    async run(step) {
      const model = fakeModel();
      const respond = (messages) => {
        const results = messages.slice(messages.findLastIndex((message) => !ToolMessage.isInstance(message)) + 1);
        const calls = step(results.length > 0 ? results.map(read) : undefined);
        if (!calls) return new AIMessage("done");
        model.respond(respond);
        return new AIMessage({
          content: "",
          tool_calls: calls.map(({ name, json }, i) => ({ type: "tool_call", id: `${messages.length}-${i}`, name, args: JSON.parse(json) })),
        });
      };
      model.respond(respond);
      await createAgent({ model, tools }).invoke({ messages: [{ role: "user", content: "go" }] });
    },
    close: () => client.close(),
  };
}

function read({ content, status }) {
  const isError = status === "error";
  if (isError) return shown(/ returned an error: (.*)\n Please fix your mistakes\.$/s.exec(content)?.[1] ?? content, { isError });
  if (content.length === 0) return shown("", { isError });
  const { text, meta } = JSON.parse(content);
  return shown(text, { isError, meta });
}

check({
  name: "LangChain",
  transports: ["stdio", "http"],
  open,
  errors: true,
  withoutText: "",
  refuses: /Received tool input did not match expected schema/,
  unknownTool: /no-such-tool is not a valid tool, try one of \[echo, get_schema, list_schemas\]/,
});
