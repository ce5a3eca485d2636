// The official conformance suites against the built binary. The scenarios that need fixtures,
// tools of the suite's own say, are listed in conformance/*.yml; the suites fail on a failure
// that is not listed and on a listed one that passes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { serveHttp, servers } from "./harness.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const suites = [
  { name: "conformance 0.1.16", cli: "node_modules/@modelcontextprotocol/conformance/dist/index.js", baseline: "conformance/2025-11-25.yml", args: [] },
  {
    name: "conformance 0.2.0-alpha.12, requirements of 2026-07-28",
    cli: "node_modules/conformance-next/dist/index.js",
    baseline: "conformance/2026-07-28.yml",
    args: ["--requirements", "2026-07-28"],
  },
];

// node22 is a Node that the suites can run on: this one, or the one that a package brings.
function node22() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const bundled = here(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  assert.ok(existsSync(bundled), "the conformance suites need Node 22 or newer");
  return bundled;
}

for (const suite of suites) {
  describe(suite.name, () => {
    let server, results;
    before(async () => {
      results = mkdtempSync(`${tmpdir()}/echo-mcp-conformance-`);
      server = await serveHttp(servers.shipped.binary);
    });
    after(async () => {
      rmSync(results, { recursive: true });
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
    });

    test("passes but for what is listed", async () => {
      const { code, output } = await new Promise((resolve) => {
        const command = [here(suite.cli), "server", "--url", server.url, "--expected-failures", here(suite.baseline), "--output-dir", results, ...suite.args];
        execFile(node22(), command, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, output: stdout + stderr }));
      });
      assert.equal(code, 0, output);
      assert.match(output, /Total: [1-9]\d* passed/);
    });

    test("has a reason for each failure", () => {
      const lines = readFileSync(here(suite.baseline), "utf8").split("\n").filter((line) => line.trim().startsWith("- "));
      assert.ok(lines.length > 0);
      for (const line of lines) assert.match(line, /^ {2}- [a-z0-9:-]+ +# needs the fixture (tool|tools|prompt|resource|resources) .{5,}/);
    });
  });
}
