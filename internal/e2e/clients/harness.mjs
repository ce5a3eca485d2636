// What the tests of all clients share: a server whose end can be checked, over both
// transports, and how a client is asked to call tools.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { answers, freePort, serveHttp, servers } from "../server.mjs";

export { freePort, serveHttp, servers };

// bin gives the program that a package installs.
export const bin = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

// What clients over HTTP have to send: a place's server takes no request without it.
export const headers = { Authorization: "Bearer e2e-clients-0123456789abcdef" };

// place makes a folder with what a suite starts. Its name stands in the command line of every
// process that is started, so that those which are left can be told.
export function place() {
  const folder = mkdtempSync(`${tmpdir()}/echo-mcp-client-`);
  const binary = `${folder}/echo-mcp`;
  const command = `${folder}/server`;
  writeFileSync(`${folder}/tokens`, headers.Authorization.replace("Bearer ", ""), { mode: 0o600 });
  symlinkSync(servers.shipped.binary, binary);
  writeFileSync(command, launcher(binary, `${folder}/codes`), { mode: 0o700 });
  let started = false;
  return {
    folder,
    // target starts a server over HTTP, or says how a client starts one on stdio.
    async target(transport, ...flags) {
      if (transport === "http") return { ...(await serveHttp(binary, "--auth-token-file", `${folder}/tokens`, ...flags)), headers };
      started = true;
      return { command, args: ["serve", ...flags], stop: () => {} };
    },
    // ended waits until no process of the folder is left, kills those that are nevertheless,
    // removes the folder, and checks that there was none and that the servers on stdio ended well.
    async ended() {
      let left;
      for (let waited = 0; (left = processes(folder)).length > 0 && waited < 10_000; waited += 100) await sleep(100);
      for (const line of left) process.kill(Number.parseInt(line), "SIGKILL");
      const codes = started ? readFileSync(`${folder}/codes`, "utf8").split("\n") : [];
      rmSync(folder, { recursive: true });
      assert.deepEqual(left, [], "processes left behind");
      if (started) assert.deepEqual([...new Set(codes)], ["0", ""], "exit codes of the servers");
    },
  };
}

// launcher is a program that runs the binary with the arguments it is given and notes in a
// file how it ended, since clients keep that to themselves. The server is in a process group
// of its own: of the signals that some clients send to a group it gets one, as from others.
function launcher(binary, codes) {
  return `#!${process.execPath}
const server = require("node:child_process").spawn("${binary}", process.argv.slice(2), { stdio: "inherit", detached: true });
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => require("node:fs").appendFileSync("${codes}", (signal ?? code) + "\\n"));
`;
}

function processes(folder) {
  return execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .filter((line) => line.includes(folder));
}

// bridge starts a program that listens on a port until it is stopped.
export async function bridge(program, args, port) {
  const child = spawn(process.execPath, [bin(program), ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for (let waited = 0; !(await answers(port)); waited += 50) {
    if (waited === 20_000 || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`${program} does not listen on port ${port}`);
    }
    await sleep(50);
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

// run starts a program of a package, gives it no input and says what it answered.
export function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin(program), ...args], { stdio: ["ignore", "pipe", "pipe"], timeout: 50_000, ...options });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"]) child[stream].setEncoding("utf8").on("data", (text) => (said[stream] += text));
    child.once("close", (code) => resolve({ code, ...said }));
  });
}

// together has a session make calls at the same time and gives what is seen of each answer,
// see shown. A call is the name of a tool and, as a model writes them, the JSON text of its
// arguments.
export async function together(session, calls) {
  let seen;
  await session.run((results) => {
    if (!results) return calls;
    seen = results;
    return null;
  });
  return seen;
}

// call makes one call. Its arguments are a value or, as a string, JSON text.
export async function call(session, name, args) {
  const [result] = await together(session, [{ name, json: typeof args === "string" ? args : JSON.stringify(args) }]);
  return result;
}

// shown gives what is seen of an answer: its text, the envelope if it is one (otherwise it is
// the client's own words), and what else the client hands on.
export function shown(text, more) {
  let envelope;
  try {
    envelope = JSON.parse(text);
  } catch {
    // words
  }
  return { text, envelope, ...more };
}

// sdkSession drives a client of the official SDK the way the agents are driven. Numbers are
// sent as they are written, as a client in another language might.
export function sdkSession(client) {
  const written = (_, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value);
  return {
    async tools() {
      return (await client.listTools()).tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema }));
    },
    async run(step) {
      let results;
      for (let calls; (calls = step(results)); ) {
        results = await Promise.all(
          calls.map(async ({ name, json }) => {
            const { content, isError, _meta } = await client.callTool({ name, arguments: JSON.parse(json, written) });
            return shown(content[0].text, { isError: isError === true, meta: _meta });
          }),
        );
      }
    },
    close: () => client.close(),
  };
}
