// The inspector page in a real browser, against the built binary.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { describePage, marks, openInspector, settled, shows, submit } from "./browser.mjs";
import { serveHttp, servers } from "./server.mjs";

const STAGE = "zenlix-agent-stage-v1";
const REPORT = "tool_run_report_v1";
const SCHEMALESS = "__schemaless__";

describePage("inspector page", (shared) => {
  test("lists the schemas with their documentation and finds them", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server);
    await shows(page, servers.shipped.schemas[0].id);
    const entries = () =>
      page.locator("#schemas a").evaluateAll((links) => links.map((link) => [link.querySelector("code").textContent, link.querySelector("b").textContent, link.querySelector("span")?.textContent]));
    const all = servers.shipped.schemas.map(({ id, schema }) => [id, schema.title, schema.description]);
    const [first, ...rest] = await entries();
    assert.equal(first[0], SCHEMALESS);
    assert.deepEqual(rest, all);
    assert.match(await page.locator("#connection").textContent(), /^Connected to Echo MCP /);

    await page.fill("#filter", "numbered IN sequence"); // words of a description
    assert.deepEqual((await entries()).map(([id]) => id), ["workflow_stage_v1"]);
    await page.press("#filter", "Enter");
    await shows(page, "workflow_stage_v1");
    await page.fill("#filter", "no such thing");
    assert.equal(await page.locator("#none").isVisible(), true);
    await done();
  });

  test("shows a schema as tables with limits, nesting and links", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, REPORT);
    await shows(page, REPORT);
    const row = (location) => page.locator(`tr[data-location="${location}"]`).evaluate((tr) => [...tr.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()));
    assert.deepEqual(await row("#/properties/run_id"), ["run_id", "string", "required", "The run. format uuid"]);
    assert.deepEqual((await row("#/properties/agent/properties/version")).slice(1), ["string", "optional", "matches ^[0-9]+\\.[0-9]+\\.[0-9]+$"]);
    assert.deepEqual(await row("#/$defs/step/properties/retries"), ["retries", "integer", "optional", "≥ 0 ≤ 10 default 0"]);
    assert.deepEqual(await row("#/$defs/step/properties/confidence"), ["confidence", "number or null", "optional", "How sure the agent is of the result, from 0 to 1. ≥ 0 ≤ 1"]);
    assert.deepEqual((await row("#/properties/labels/additionalProperties")).slice(1), ["string", "", "at most 64 characters"]);
    assert.equal(await page.locator('tr[data-location="#/properties/agent/properties/version"]').getAttribute("data-depth"), "1");
    assert.match(await page.locator('section[data-location="#/$defs/outcome"] .whole').innerText(), /^one of success, failure, skipped$/);

    // Steps hold steps: what is inside leads to the definition.
    await page.locator('tr[data-location="#/properties/steps/items/properties/steps"] a').click();
    await page.waitForFunction(() => document.activeElement.closest("section")?.dataset.location === "#/$defs/step");
    await page.goBack();
    await page.reload();
    await shows(page, REPORT);

    await page.goto(`${page.url().split("#")[0]}#${REPORT}/${encodeURIComponent("#/$defs/failure")}`);
    await page.waitForFunction(() => document.activeElement.closest("section")?.dataset.location === "#/$defs/failure");
    await done();
  });

  test("shows definitions that schemas share", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, REPORT);
    await shows(page, REPORT);
    assert.match(await page.locator('tr[data-location="#/properties/cost"]').innerText(), /An exact amount of money/);
    assert.match(await page.locator('tr[data-location="#/properties/cost/properties/amount"]').innerText(), /multiple of 0\.0001/);
    assert.match(await page.locator("#payload").inputValue(), /"currency": "[A-Z]{3}"/);
    assert.match(await page.locator("#schema-text").textContent(), /"cost": \{ "\$ref": "common\/money\.json" \}/, "the text stays what its author wrote");
    await done();
  });

  test("keeps what a person writes while the server's example is on its way", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    let answer;
    const asked = new Promise((resolve) => {
      page.route("**/mcp", async (route) => {
        if (!route.request().postData()?.includes("prompts/get")) return route.continue();
        answer = () => route.continue();
        resolve();
      });
    });
    await page.locator("#example").click();
    await asked;
    assert.equal(await page.locator("#example").getAttribute("aria-busy"), "true");
    await page.locator("#payload").fill('{"mine": 1}');
    await answer();
    await page.waitForFunction(() => !document.querySelector("#example").ariaBusy);
    assert.equal(await page.locator("#payload").inputValue(), '{"mine": 1}');
    await done();
  });

  test("says so where the server has no example", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, "__schemaless__");
    await shows(page, SCHEMALESS);
    await page.route("**/mcp", async (route) => {
      if (!route.request().postData()?.includes("prompts/get")) return route.continue();
      const { id } = route.request().postDataJSON();
      await route.fulfill({ contentType: "application/json", body: JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) });
    });
    await page.evaluate((id) => (location.hash = id), STAGE);
    await shows(page, STAGE);
    assert.equal(await page.locator("#verdict b").textContent(), "No example");
    assert.equal(await page.locator("#payload").inputValue(), "");
    await done();
  });

  test("shows the schema's text as its author wrote it", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.locator("#tab-text").click();
    const answer = await (await fetch(new URL(`/schemas/${STAGE}`, shared.server.url))).text();
    assert.equal(await page.locator("#schema-text").textContent(), answer.trim());
    assert.equal(await page.locator("#panel-members").isVisible(), false);
    await done();
  });

  for (const [name, { binary, schemas }] of Object.entries(servers)) {
    test(`makes an example of every schema that the server accepts: ${name}`, async () => {
      const own = await serveHttp(binary);
      const { page, done } = await openInspector(shared.browser, own);
      for (const { id } of [...schemas, { id: SCHEMALESS }]) {
        await page.evaluate((id) => (location.hash = encodeURIComponent(id)), id);
        await shows(page, id);
        await settled(page);
        assert.equal(await page.locator("#verdict b").textContent(), "Accepted", id);
        await page.fill("#payload", "");
        await page.locator("#example").click();
        await page.waitForFunction(() => document.querySelector("#payload").value !== "");
        await settled(page);
        assert.equal(await page.locator("#verdict b").textContent(), "Accepted", id);
      }
      await done();
      await own.stop();
    });
  }

  test("marks faults at the lines that their pointers mean", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, REPORT);
    await shows(page, REPORT);
    const payload = `{
  "run_id": "not a uuid",
  "started_at": "2026-01-31T09:30:00Z",
  "agent": {
    "nmae": "x"
  },
  "steps": [
    { "tool": "a", "duration_ms": 1, "outcome": { "status": "success" } },
    { "tool": "b", "duration_ms": -1.0,
      "confidence":
        1.5,
      "outcome": { "status": "failure", "error": "" } }
  ]
}`;
    assert.equal(await submit(page, payload), "SCHEMA_VALIDATION_FAILED");
    const found = await marks(page);
    assert.deepEqual(found.map(({ line }) => line), [2, 4, 5, 9, 10, 12]);
    assert.match(found[1].words, /^\/agent\/name is required/, "a missing member is marked where it belongs");
    const faults = await page.locator("#faults button").allInnerTexts();
    assert.equal(faults.length, 6);
    assert.match(faults.find((text) => text.includes("/steps/1/duration_ms")), /^Line 9\b/);

    // The marks follow their values while the text changes, and a fault leads to its place.
    await page.locator("#payload").fill(`\n\n${payload}`);
    assert.deepEqual((await marks(page)).map(({ line }) => line), [4, 6, 7, 11, 12, 14]);
    await page.locator("#faults button", { hasText: "/steps/1/duration_ms" }).click();
    assert.equal(await page.evaluate(() => { const { value, selectionStart, selectionEnd } = document.activeElement; return value.slice(selectionStart, selectionEnd); }), '"duration_ms": -1.0');
    assert.match(await page.locator("#verdict").evaluate((e) => getComputedStyle(e, "::after").content), /changed since/);
    await done();
  });

  test("marks both places of a repeated name", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    assert.equal(await submit(page, '{\n"stage": "a",\n"extra": {},\n"st\\u0061ge": "b"\n}'), "INVALID_REQUEST");
    assert.deepEqual((await marks(page)).map(({ line }) => line), [2, 4]);
    await done();
  });

  test("marks what is not JSON as it is typed, and sends none of it", async () => {
    const { page, requests, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.locator("#payload").fill('{\n  "stage": "a"\n  "extra": {}\n}');
    assert.deepEqual(await marks(page), [{ line: 3, words: "a comma is missing before this" }]);
    const before = requests.length;
    // What would otherwise break out of its place in the request.
    for (const payload of ['{}},"id":9,"x":{"y":{}', "", "1 2", "01", "[1,]", '"\u0001"', "nul", '{"a":1,}', "\ufeff1", '"\\x"']) {
      assert.equal(await submit(page, payload), "Not JSON", payload);
    }
    assert.equal(requests.length, before);
    await done();
  });

  const exact = {
    "a number with a zero": "1.0",
    "a number beyond doubles": "1E400",
    "a long integer": "[9007199254740993,-0,0.1e-7]",
    "markup": '"<&>"',
    "repeated names": '{"a":1,"a":2,"a":{"b":1,"b":1}}',
    "escapes": '"\\u0041\\/\\ud800\\u2028"',
    "raw separators and emoji": '"\u2028\u2029 😀 \u00e9\u0301"',
    "white space": '\n\t { "a" :\t[ 1 ,\n\n 2 ] }  \n',
    "null": "null",
    "names of JavaScript": '{"__proto__":{"toString":1},"constructor":null}',
    "nesting": "[".repeat(5000) + "]".repeat(5000),
    "a megabyte": JSON.stringify(Array.from({ length: 40_000 }, (_, i) => `line ${i} ${"x".repeat(10)}`)),
  };
  for (const [name, payload] of Object.entries(exact)) {
    test(`sends and shows the exact bytes: ${name}`, async () => {
      const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
      await shows(page, SCHEMALESS);
      await page.locator("#payload").fill(payload);
      const [response] = await Promise.all([page.waitForResponse((r) => r.url() === shared.server.url), page.locator("#send").click()]);
      await settled(page);
      const sent = response.request().postDataBuffer();
      const id = JSON.parse(sent).id;
      const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"schema_id":"${SCHEMALESS}","payload":${payload}}}}`;
      assert.ok(sent.equals(Buffer.from(text)), "the bytes of the request");
      const received = await response.body();
      assert.ok(received.includes(Buffer.from(`"payload":${payload.trim()}}`)), "the bytes of the response");
      assert.equal(await page.locator("#verdict b").textContent(), "Accepted");
      assert.match(await page.locator("#verdict").textContent(), new RegExp(`${Buffer.byteLength(payload.trim()).toLocaleString("en")} bytes? came back, each as it was sent`));
      const shown = (side) => page.locator(`#${side}-body`).textContent();
      if (payload.length < 50_000) {
        assert.equal(await shown("request"), text);
        assert.equal(await shown("response"), received.toString());
      }
      assert.match(await shown("request-head".replace("-head", "")), /^\{"jsonrpc"/);
      assert.match(await page.locator("#request-head").textContent(), new RegExp(`Content-Length: ${sent.length}$`));
      await done();
    });
  }

  test("copies the request as a curl command that sends the same bytes", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS, { permissions: ["clipboard-read", "clipboard-write"] });
    await shows(page, SCHEMALESS);
    for (const payload of [`{"it's": "$HOME \`x\` \\\\ !",\n "n": 1.0}`, JSON.stringify("'".repeat(120_000))]) {
      await submit(page, payload);
      await page.locator("#copy-curl").click();
      await page.waitForFunction(() => document.querySelector("#copy-curl").textContent === "Copied");
      const command = await page.evaluate(() => navigator.clipboard.readText());
      // A shell that runs the command with a curl that tells what it was given.
      const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; if [ "\${!#}" = @- ]; then cat; printf '\\0'; fi; }\n${command}`;
      const args = execFileSync("bash", { input: script, encoding: "utf8", maxBuffer: 1 << 24 }).split("\0").slice(0, -1);
      assert.deepEqual(args.slice(0, 2), ["-sS", shared.server.url]);
      assert.ok(args.includes("Content-Type: application/json") && args.includes("Accept: application/json, text/event-stream"));
      assert.equal(args.includes("--data-binary"), true);
      const body = args.at(-1);
      assert.ok(body.includes(`"payload":${payload}}`), "the payload as it was written");
      const headers = Object.fromEntries(args.filter((_, i) => args[i - 1] === "-H").map((line) => line.split(": ")));
      const answer = await (await fetch(args[1], { method: "POST", headers, body })).text();
      assert.ok(answer.includes(`"payload":${payload}}`), "the server takes it");
      await page.waitForFunction(() => document.querySelector("#copy-curl").textContent === "Copy as curl");
    }
    await page.locator("#copy-body").click();
    await page.waitForFunction(() => document.querySelector("#copy-body").textContent === "Copied");
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\{"jsonrpc":"2\.0"/);
    await done();
  });

  test("asks for a token, keeps it from everything that is shown, and works with it", async () => {
    const token = "a-token-of-a-good-length";
    const file = join(mkdtempSync(join(tmpdir(), "echo-mcp-")), "token");
    writeFileSync(file, token);
    const guarded = await serveHttp(servers.shipped.binary, "--auth-token-file", file);
    const { page, done } = await openInspector(shared.browser, guarded, STAGE, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator("#auth").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "token");
    assert.equal(await page.locator("main").isVisible(), false);
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#token").value === "" && document.querySelector("#connection").dataset.state === "bad");
    await page.locator("#token").fill(token);
    await page.keyboard.press("Enter");
    await shows(page, STAGE);
    assert.equal(await page.locator("#auth").isVisible(), false);
    await page.locator("#copy-curl").click();
    await page.waitForFunction(() => document.querySelector("#copy-curl").textContent === "Copied");
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(command, /-H "Authorization: Bearer \$ECHO_MCP_TOKEN"/);
    const everything = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    assert.ok(!(everything + command).includes(token));
    await done(/^console error: Failed to load resource: .* 401/);
    await guarded.stop();
  });

  test("goes on when its session was ended", async () => {
    const { page, requests, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    const session = requests.findLast((r) => r.method() === "POST").headers()["mcp-session-id"];
    assert.ok(session);
    await fetch(shared.server.url, { method: "DELETE", headers: { "Mcp-Session-Id": session } });
    assert.equal(await submit(page, '{"stage":"again"}'), "Accepted");
    await done(/^console error: Failed to load resource: .* 404/);
  });

  test("works with a server that keeps no sessions", async () => {
    const stateless = await serveHttp(servers.shipped.binary, "--stateless");
    const { page, done } = await openInspector(shared.browser, stateless, STAGE);
    await shows(page, STAGE);
    assert.equal(await page.locator("#verdict b").textContent(), "Accepted");
    await done();
    await stateless.stop();
  });

  test("says when the server is gone and connects again", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.route(shared.server.url, (route) => route.abort());
    await page.locator("#send").click();
    await page.locator("#alert").waitFor();
    assert.match(await page.locator("#alert-text").textContent(), /^No answer from /);
    await page.unroute(shared.server.url);
    await page.locator("#retry").click();
    await page.locator("#alert").waitFor({ state: "hidden" });
    assert.equal(await submit(page, '{"stage":"again"}'), "Accepted");
    await done(/^console error: Failed to load resource: net::ERR_FAILED/);
  });

  test("tells a payload that came back altered", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
    await shows(page, SCHEMALESS);
    // A proxy that parses what passes through it.
    await page.route(shared.server.url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: JSON.stringify(await response.json()) });
    });
    assert.equal(await submit(page, "1.0"), "Accepted, but altered");
    await page.unroute(shared.server.url);
    await done();
  });
});
