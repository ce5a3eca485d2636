// The bridges between transports, driven with version 1 of the official SDK: mcp-remote,
// supergateway and mcp-proxy.
//
// All three read every message and write it anew in JavaScript, so that of a payload's numbers
// they keep what JavaScript can hold. The client alone, which comes first, sends them as they
// are written. An answer's text block comes back as the server wrote it.
import { writeFileSync } from "node:fs";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as Sse } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as Stdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { check } from "./checks.mjs";
import { bin, bridge, freePort, headers, sdkSession } from "./harness.mjs";

const header = `Authorization: ${headers.Authorization}`;
const node = process.execPath;

// Each bridge: the transport of the server behind it, and how a client gets to it.
const bridges = [
  {
    name: "no bridge",
    transport: "http",
    connect: ({ url }) => ({ transport: new Http(new URL(url), { requestInit: { headers } }) }),
    numbers: "[1.0,9007199254740993,1e400,1E2]",
  },
  {
    name: "mcp-remote, HTTP to stdio",
    transport: "http",
    connect({ url, folder }) {
      writeFileSync(`${folder}/headers`, header);
      return { transport: new Stdio({ command: node, args: [bin("mcp-remote"), url, "--header-file", `${folder}/headers`, "--transport", "http-only"], stderr: "ignore" }) };
    },
  },
  {
    name: "supergateway, HTTP to stdio",
    transport: "http",
    connect({ url, folder }) {
      const args = [bin("supergateway"), "--streamableHttp", url, "--header", header, "--header", `X-Folder: ${folder}`, "--logLevel", "none"];
      return { transport: new Stdio({ command: node, args, stderr: "ignore" }) };
    },
  },
  {
    name: "supergateway, stdio to HTTP",
    transport: "stdio",
    limit: 90_000,
    async connect({ command, args }) {
      const port = await freePort();
      const { stop } = await bridge("supergateway", ["--stdio", [command, ...args].join(" "), "--outputTransport", "streamableHttp", "--port", port, "--logLevel", "none"], port);
      return { transport: new Http(new URL(`http://127.0.0.1:${port}/mcp`)), stop };
    },
  },
  {
    name: "supergateway, stdio to HTTP with sessions",
    transport: "stdio",
    limit: 90_000,
    async connect({ command, args }) {
      const port = await freePort();
      const { stop } = await bridge("supergateway", ["--stdio", [command, ...args].join(" "), "--outputTransport", "streamableHttp", "--stateful", "--port", port, "--logLevel", "none"], port);
      return { transport: new Http(new URL(`http://127.0.0.1:${port}/mcp`)), stop };
    },
  },
  {
    name: "supergateway, stdio to SSE",
    transport: "stdio",
    async connect({ command, args }) {
      const port = await freePort();
      const { stop } = await bridge("supergateway", ["--stdio", [command, ...args].join(" "), "--port", port, "--logLevel", "none"], port);
      return { transport: new Sse(new URL(`http://127.0.0.1:${port}/sse`)), stop };
    },
  },
  {
    name: "mcp-proxy, stdio to HTTP",
    transport: "stdio",
    async connect({ command, args }) {
      const port = await freePort();
      const { stop } = await bridge("mcp-proxy", ["--host", "127.0.0.1", "--port", port, "--", command, ...args], port);
      return { transport: new Http(new URL(`http://127.0.0.1:${port}/mcp`)), stop };
    },
  },
  {
    name: "mcp-proxy, stdio to SSE",
    transport: "stdio",
    async connect({ command, args }) {
      const port = await freePort();
      const { stop } = await bridge("mcp-proxy", ["--host", "127.0.0.1", "--port", port, "--", command, ...args], port);
      return { transport: new Sse(new URL(`http://127.0.0.1:${port}/sse`)), stop };
    },
  },
];

for (const { name, transport, connect, ...facts } of bridges) {
  check({
    name,
    transports: [transport],
    ...facts,
      errors: true,
    unknownTool: /no-such-tool/,
    async open(target) {
      const { transport, stop } = await connect(target);
      const client = new Client({ name: "echo-mcp-e2e", version: "1" });
      await client.connect(transport);
      return {
        ...sdkSession(client),
        async close() {
          await client.close();
          await stop?.();
        },
      };
    },
  });
}
