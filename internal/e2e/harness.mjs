// What the tests of the official clients share: every client, connected to a server.
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { serveHttp, servers } from "./server.mjs";

export { serveHttp, servers };

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
