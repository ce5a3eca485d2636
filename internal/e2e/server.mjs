// The built binaries, and how a server is started over HTTP: what every test in JavaScript
// shares, whichever packages it drives the server with.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect as dial, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

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

// serveHttp starts a server on a free port, or on the one given first, with more flags of
// serve if any are given, and waits until it answers.
export async function serveHttp(binary, ...flags) {
  const port = typeof flags[0] === "number" ? flags.shift() : await freePort();
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

// freePort gives a port on which nobody listens.
export function freePort() {
  return new Promise((resolve) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

// answers says whether somebody listens on a port.
export function answers(port) {
  return new Promise((resolve) => {
    const socket = dial(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
