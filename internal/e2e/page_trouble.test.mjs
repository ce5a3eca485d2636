// The inspector page when things go wrong: no server, no right token, no JSON.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { describePage, openInspector, settled, shows, submit } from "./browser.mjs";
import { serveHttp, servers } from "./server.mjs";

const STAGE = "zenlix-agent-stage-v1";
const GONE = /^console error: Failed to load resource: /;

const connection = (page, words) => page.waitForFunction((words) => document.querySelector("#connection").textContent.startsWith(words), words);

// guarded starts a server that asks for a token.
function guarded(token) {
  const file = join(mkdtempSync(join(tmpdir(), "echo-mcp-")), "token");
  writeFileSync(file, token, { mode: 0o600 });
  return serveHttp(servers.shipped.binary, "--auth-token-file", file);
}

describePage("inspector page, trouble", (shared) => {
  test("asks for a token first, and says when one is refused", async () => {
    const own = await guarded("a-token-of-a-good-length");
    const { page, requests, done } = await openInspector(shared.browser, own, STAGE);
    await page.locator("#auth").waitFor();
    assert.equal(await page.locator("#auth-error").isVisible(), false, "nothing was refused yet");
    assert.equal(await page.locator("#connection").textContent(), "Not authorized");
    for (const wrong of ["wrong-token-one", "wrong-token-two"]) {
      await page.locator("#token").fill(wrong);
      await page.keyboard.press("Enter");
      await page.locator("#auth-error").waitFor();
      await connection(page, "Token refused");
      assert.match(await page.locator("#auth-error").textContent(), /^This token is refused\./);
      assert.equal(await page.locator("#auth-error").getAttribute("role"), "alert");
      assert.equal(await page.locator("#token").getAttribute("aria-invalid"), "true");
      assert.equal(await page.evaluate(() => document.activeElement.id), "token");
      assert.equal(await page.locator("#alert").isVisible(), false);
    }
    // What no header can hold is refused without being sent, and is no server that is gone.
    await page.locator("#token").fill("“a-token-of-a-good-length”");
    await page.keyboard.press("Enter");
    await connection(page, "Token refused");
    assert.equal(await page.locator("#alert").isVisible(), false);
    // As it is copied from a header; afterwards the focus is where the page goes on.
    await page.locator("#token").fill("Bearer a-token-of-a-good-length");
    await page.keyboard.press("Enter");
    await shows(page, STAGE);
    assert.equal(await page.locator("#auth").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), "title");
    assert.ok(requests.every((request) => !/token-/.test(request.url())));
    await done(/ 401/);
    await own.stop();
  });

  test("says by itself when the server goes and when it comes back, keeping what was written", async () => {
    let own = await serveHttp(servers.shipped.binary);
    const { port } = new URL(own.url);
    const { page, done } = await openInspector(shared.browser, own, STAGE);
    await shows(page, STAGE);
    const good = await page.locator("#connection").evaluate((e) => getComputedStyle(e, "::before").backgroundColor);
    await page.locator("#payload").fill('{"stage":"mine"}');
    await page.locator("#schemas a").last().focus();
    await own.stop();
    await connection(page, "Disconnected");
    assert.equal(await page.locator("#connection").getAttribute("role"), "status", "screen readers say it");
    assert.notEqual(await page.locator("#connection").evaluate((e) => getComputedStyle(e, "::before").backgroundColor), good);
    assert.match(await page.locator("#alert-text").textContent(), /^No answer from http.*connects again by itself/);
    own = await serveHttp(servers.shipped.binary, Number(port));
    await connection(page, "Connected to Echo MCP");
    assert.equal(await page.locator("#alert").isVisible(), false);
    assert.equal(await page.locator("#payload").inputValue(), '{"stage":"mine"}');
    assert.equal(await page.evaluate(() => document.activeElement.id), "title", "the list is another one");
    await page.locator("#send").click();
    await page.waitForFunction(() => document.querySelector("#verdict b")?.textContent === "Accepted");
    await done(GONE);
    await own.stop();
  });

  test("says beside the button that nothing answered, and keeps the focus where it is of use", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE, { viewport: { width: 360, height: 740 } });
    await shows(page, STAGE);
    await page.locator("#tab-try").click();
    await page.route("**/{mcp,healthz}", (route) => route.abort());
    await page.locator("#send").click();
    await settled(page);
    assert.match(await page.locator("#verdict").textContent(), /^No answer The payload is kept\./);
    assert.equal(await page.locator("#response-body").isVisible(), false, "there is no body");
    await page.unroute("**/{mcp,healthz}");
    await page.locator("#retry").press("Enter");
    await connection(page, "Connected");
    assert.equal(await page.evaluate(() => document.activeElement.id), "title");
    await done(GONE);
  });

  // Answers of what stands before a server → what the page says of them.
  const answers = [
    [{ status: 413, contentType: "text/html", body: "<html><h1>413 Request Entity Too Large</h1></html>" }, /413: the message is too large for what stands before the server/],
    [{ status: 429, contentType: "text/html", body: "<html></html>", headers: { "Retry-After": "7" } }, /429: too many requests\. Send again in 7 s/],
    [{ status: 502, contentType: "text/html", body: "" }, /502: the server behind the proxy does not answer/],
    [{ status: 418, contentType: "text/plain", body: "short and stout" }, /418: short and stout/],
    [{ status: 200, contentType: "text/html", body: "<html>Sign in</html>" }, /200: it is not one of an MCP server/],
    [{ status: 429, contentType: "application/json", body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"wait 3 s"}}' }, /wait 3 s/],
    [{ status: 200, contentType: "application/json", body: Buffer.from([0x22, 0xff, 0x22]) }, /is not UTF-8/],
  ];
  test("words what a proxy answers, without its markup", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    for (const [answer, words] of answers) {
      await page.route(shared.server.url, (route) => route.fulfill(answer));
      assert.equal(await submit(page, "{}"), "Refused");
      const said = await page.locator("#verdict").textContent();
      assert.match(said, words);
      assert.ok(!said.includes("<"), said);
      await page.unroute(shared.server.url);
    }
    await done(GONE);
  });

  test("says that an address names a schema that is not there", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, "gone_v1");
    await shows(page, servers.shipped.schemas[0].id);
    await page.locator("#alert").waitFor();
    assert.match(await page.locator("#alert-text").textContent(), /^This server has no schema “gone_v1”/);
    await page.locator("#schemas a", { hasText: STAGE }).click();
    await shows(page, STAGE);
    assert.equal(await page.locator("#alert").isVisible(), false);
    await done();
  });

  test("says without JavaScript what it needs, and nothing else", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, "", { javaScriptEnabled: false });
    const text = await page.locator("body").innerText();
    assert.match(text, /needs JavaScript/);
    assert.ok(!/Connecting|Shortcuts/.test(text), text);
    await done();
  });

  test("connects by itself to a server that was not there when the page came", async () => {
    const own = await serveHttp(servers.shipped.binary);
    const { page, done } = await openInspector(shared.browser, own, STAGE);
    await page.route("**/mcp", (route) => route.abort());
    await page.reload();
    await connection(page, "Disconnected");
    await page.unroute("**/mcp");
    await shows(page, STAGE);
    await connection(page, "Connected to Echo MCP");
    await done(GONE);
    await own.stop();
  });

  test("asks a server that is there seldom, and never while nobody looks", async () => {
    const { page, requests, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    const looks = () => requests.filter((request) => request.url().endsWith("/healthz")).length;
    const began = looks();
    await page.waitForRequest("**/healthz");
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    assert.ok(looks() - began <= 2, `${looks() - began} looks`);
    await done();
  });

  // What is no JSON → where (line:column) and what the page says of it.
  const faults = [
    ['{"a":1,}', "1:7", "a comma before the closing bracket: remove it"],
    ['[1,\n 2,\n]', "2:3", "a comma before the closing bracket: remove it"],
    ["{“a”:1}", "1:2", "a typographic quote"],
    ['{"a":“b”}', "1:6", "a typographic quote"],
    ["{'a':1}", "1:2", "double quotes"],
    ["['a']", "1:2", "double quotes"],
    ["{a:1}", "1:2", "member names need double quotes"],
    ['{"a":b}', "1:6", "text needs double quotes"],
    ['{\n// why\n"a":1}', "2:1", "no comments"],
    ["[1, /* two */ 2]", "1:5", "no comments"],
    ["[1 # one\n]", "1:4", "no comments"],
    ["[True]", "1:2", "Python's True: write true"],
    ["[False]", "1:2", "Python's False: write false"],
    ['{"a": None}', "1:7", "Python's None: write null"],
    ["[NaN]", "1:2", "no NaN"],
    ["[-Infinity]", "1:2", "no -Infinity"],
    ["[undefined]", "1:2", "no undefined"],
    ['{"a":1\n"b":2}', "2:1", "a comma is missing before this"],
    ["[1 2]", "1:4", "a comma is missing before this"],
    ['["😀" 1]', "1:6", "a comma is missing before this"],
    ['{"a":"say "hi" now"}', "1:12", "backslash"],
    ['{\n  "a": [1, 2', "2:13", "the [ opened on line 2, column 8 is not closed"],
    ['{"a":1', "1:7", "the { opened on line 1, column 1 is not closed"],
    ['{"a":', "1:6", "the { opened on line 1, column 1 is not closed"],
    ['{"a":[1}', "1:8", "does not close the [ opened on line 1, column 6"],
    ["[1}", "1:3", "does not close the [ opened on line 1, column 1"],
    ["{}}", "1:3", "closes nothing"],
    ["\ufeff1", "1:1", "byte order mark"],
    ["[1,\u00a02]", "1:4", "unusual space (U+00A0)"],
    ["{} {}", "1:4", "a second value begins here"],
    ["1,2", "1:2", "the value ends before this comma"],
    ["hello", "1:1", "text needs double quotes"],
    ["[01]", "1:2", "no leading zeros"],
    ["[+1]", "1:2", "no leading +"],
    ["[.5]", "1:2", "a digit before the point"],
    ["[1.]", "1:2", "a digit after the point"],
    ["[0x1F]", "1:3", ""],
    ['["a]', "1:2", "not closed"],
    ['["a\n"]', "1:4", ""],
    ['["C:\\dir"]', "1:5", ""],
    ["[,1]", "1:2", "nothing before it"],
    ['{"a" = 1}', "1:6", "write : between"],
    ['{"a":1;"b":2}', "1:7", "not a semicolon"],
    ['{"a":}', "1:6", "the value is missing"],
    ['{"a"}', "1:5", ""],
    ["stage: build\nextra: {}", "1:1", "looks like YAML"],
    ["---\nstage: build", "1:1", "looks like YAML"],
    ["- stage: build\n- stage: test", "1:1", "looks like YAML"],
    ['```json\n{"stage":"a"}\n```', "1:1", "Markdown fence"],
    ["<stage>build</stage>", "1:1", "XML or HTML"],
    ['{"stage":"a"}\n{"stage":"b"}', "2:1", "a second value begins here"],
    ["const stage = {}", "1:1", "text needs double quotes"],
  ];
  test("says where a text is no JSON and guesses why", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    const wrong = [];
    for (const [text, where, words] of faults) {
      assert.equal(await submit(page, text), "Not JSON", text);
      const said = await page.locator("#verdict span").textContent();
      const [line, column] = where.split(":");
      if (!said.startsWith(`Line ${line}, column ${column}: `) || !said.includes(words)) wrong.push(`${JSON.stringify(text)} ${where} ${words}: ${said}`);
    }
    assert.deepEqual(wrong, []);
    // The place can be gone to.
    await page.locator("#payload").fill('{\n  "a": 1,\n}');
    await page.locator("#state .place").click();
    assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart]), ["payload", 10]);
    await done();
  });

  test("says that a string was unwrapped", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    assert.equal(await submit(page, JSON.stringify('{"stage": "x"}')), "Accepted");
    assert.match(await page.locator("#verdict").textContent(), /a string whose text is JSON.* the server took that JSON as the message/);
    assert.equal(await page.locator("#response-body mark").textContent(), '{"stage": "x"}');
    await done();
  });

  test("shows faults of what was sent while something else is written", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.locator("#payload").fill('{"stage":1,\n"stage_status":2}');
    const held = new Promise((resolve) => page.route(shared.server.url, resolve));
    await page.locator("#send").click();
    const request = await held;
    await page.locator("#payload").fill('{"stage":1,\n"stage_status":');
    await request.continue();
    await settled(page);
    assert.equal(await page.locator("#faults button").count(), 2);
    assert.equal(await page.locator("#alert").isVisible(), false);
    assert.equal(await page.locator("#verdict.stale").count(), 1);
    // Once it is JSON again the list says where each fault is now.
    await page.locator("#payload").fill('\n\n{"stage":1,\n"stage_status":2}');
    assert.deepEqual(await page.locator("#faults .line").allInnerTexts(), ["Line 3", "Line 4"]);
    await page.unroute(shared.server.url);
    await done();
  });

  test("shows no keys where there is no keyboard, and a Mac's on a Mac", async () => {
    const phone = await openInspector(shared.browser, shared.server, STAGE, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await shows(phone.page, STAGE);
    await phone.page.locator("#tab-try").click();
    assert.equal(await phone.page.locator("kbd:visible").count(), 0);
    assert.equal((await phone.page.locator("#send").innerText()).trim(), "Send");
    await phone.done();
    const mac = await openInspector(shared.browser, shared.server, STAGE, { userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" });
    await mac.page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
    await mac.page.reload();
    await shows(mac.page, STAGE);
    assert.equal(await mac.page.locator("#send-key").textContent(), "⌘ ↵");
    await mac.page.locator("#help-open").click();
    const keys = await mac.page.locator("#help tbody th").allInnerTexts();
    assert.deepEqual(keys.slice(0, 4), ["⌘ Enter", "F8", "⌥ X", "⌥ T"]);
    assert.match(await mac.page.locator("#tidy").getAttribute("title"), /\(⌥T\)$/);
    await mac.done();
  });
});
