// The official conformance suites against the built binary, and against a client over
// mcpkit/client. The scenarios that need fixtures, tools of the suite's own say, and those of what
// the client leaves to others are listed in conformance/*.yml; the suites fail on a failure that is
// not listed and on a listed one that passes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { serveHttp, servers } from "./harness.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const suites = [
  {
    name: "conformance 0.1.16",
    cli: "node_modules/@modelcontextprotocol/conformance/dist/index.js",
    revision: "2025-11-25",
    args: [],
    clientArgs: ["--suite", "all"],
  },
  {
    name: "conformance 0.2.0-alpha.12, requirements of 2026-07-28",
    cli: "node_modules/conformance-next/dist/index.js",
    revision: "2026-07-28",
    args: ["--requirements", "2026-07-28"],
    clientArgs: ["--requirements", "2026-07-28"],
  },
];

// run runs a suite, whose results are not kept.
async function run(suite, ...args) {
  const results = mkdtempSync(`${tmpdir()}/echo-mcp-conformance-`);
  try {
    return await new Promise((resolve) => {
      execFile(node22(), [here(suite.cli), ...args, "--output-dir", results], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, output: stdout + stderr }),
      );
    });
  } finally {
    rmSync(results, { recursive: true });
  }
}

// reasons checks that each failure that a file lists has a reason of this form.
function reasons(file, form) {
  const lines = readFileSync(here(file), "utf8").split("\n").filter((line) => line.trim().startsWith("- "));
  assert.ok(lines.length > 0);
  for (const line of lines) assert.match(line, form);
}

// node22 is a Node that the suites can run on: this one, or the one that a package brings.
function node22() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const bundled = here(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  assert.ok(existsSync(bundled), "the conformance suites need Node 22 or newer");
  return bundled;
}

for (const suite of suites) {
  describe(suite.name, () => {
    const baseline = `conformance/${suite.revision}.yml`;
    let server;
    before(async () => {
      server = await serveHttp(servers.shipped.binary);
    });
    after(async () => {
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
    });

    test("passes but for what is listed", async () => {
      const { code, output } = await run(suite, "server", "--url", server.url, "--expected-failures", here(baseline), ...suite.args);
      assert.equal(code, 0, output);
      assert.match(output, /Total: [1-9]\d* passed/);
    });

    test("has a reason for each failure", () => {
      reasons(baseline, /^ {2}- [a-z0-9:-]+ +# needs the fixture (tool|tools|prompt|resource|resources) .{5,}/);
    });
  });

  describe(`${suite.name}, as a client`, () => {
    const baseline = `conformance/client-${suite.revision}.yml`;

    test("passes but for what is listed", async () => {
      const { code, output } = await run(suite, "client", "--command", here("../../bin/mcpclient"), "--expected-failures", here(baseline), ...suite.clientArgs);
      assert.equal(code, 0, output);
      assert.match(output, /Total: [1-9]\d* passed/);
    });

    test("has a reason for each failure", () => {
      reasons(baseline, /^ {2}- auth\/[a-z0-9-]+ # asks the client to get a token by OAuth$/);
    });
  });
}
