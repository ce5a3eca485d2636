// What the tests of the official clients share: where the binaries are, and how a server is
// started and every client connected to it.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect as dial, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

// The server as it ships, and the same with the schemas of testdata/schemas compiled in,
// whose ids, or texts, are awkward for Go, for file systems, for JavaScript and for a page.
export const servers = {
  shipped: { binary: `${root}bin/echo-mcp`, schemas: readSchemas(`${root}schemas/`) },
  odd: { binary: `${root}bin/echo-mcp-odd`, schemas: readSchemas(`${root}internal/e2e/testdata/schemas/`) },
};

// readSchemas gives the schemas of a folder by id, in the order in which list_schemas must
// list them: by the bytes of the id. A file name has %XX for what no file name can have.
function readSchemas(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => ({
      id: decodeURIComponent(name.slice(0, -".json".length)),
      schema: JSON.parse(readFileSync(`${folder}${name}`, "utf8")),
    }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}

// serveHttp starts a server on a free port, with more flags of serve if any are given, and
// waits until it answers.
export async function serveHttp(binary, ...flags) {
  const port = await new Promise((resolve) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
  const child = spawn(binary, ["serve", "--log-level", "warn", "--http", `127.0.0.1:${port}`, ...flags], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (attempt === 100 || child.exitCode !== null) throw new Error(`${binary} does not listen on port ${port}`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    // stop ends the server as an operator would and says how it ended.
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = dial(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

const me = { name: "echo-mcp-e2e", version: "1" };

// The official clients, each with the protocol it speaks. Version 1 of the SDK knows the
// era of the initialize handshake only; version 2 speaks it unless told otherwise, and the
// one without a handshake when pinned to it.
export const clients = [
  { name: "sdk 1.x, 2025-11-25", protocol: "2025-11-25", make: () => new Client1(me), Stdio: Stdio1, Http: Http1 },
  { name: "client 2.x, 2025-11-25", protocol: "2025-11-25", make: () => new Client2(me), Stdio: Stdio2, Http: Http2 },
  {
    name: "client 2.x, 2026-07-28",
    protocol: "2026-07-28",
    make: () => new Client2(me, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    Stdio: Stdio2,
    Http: Http2,
  },
];

// connections gives every client on every transport.
export function connections() {
  return clients.flatMap((client) =>
    ["stdio", "http"].map((transport) => ({
      name: `${client.name}, ${transport}`,
      client,
      transport,
      // open connects to a fresh server. close ends both and says how the server ended.
      async open(binary) {
        const connected = client.make();
        if (transport === "stdio") {
          await connected.connect(new client.Stdio({ command: binary, args: ["serve", "--log-level", "warn"] }));
          return { client: connected, close: () => connected.close() };
        }
        const server = await serveHttp(binary);
        await connected.connect(new client.Http(new URL(server.url)));
        return {
          client: connected,
          async close() {
            await connected.close();
            return server.stop();
          },
        };
      },
    })),
  );
}
