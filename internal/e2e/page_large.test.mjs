// The inspector page with payloads of megabytes, up to the server's limit.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { describePage, openInspector, settled, shows, submit } from "./browser.mjs";
import { serveHttp, servers } from "./server.mjs";

const SCHEMALESS = "__schemaless__";
const REPORT = "tool_run_report_v1";

const lines = (n) => Array.from({ length: n }, (_, i) => `line ${i} ${"x".repeat(22)}`);
const large = {
  "1 MB, one line": JSON.stringify(lines(25_000)),
  "15 MB, one line": JSON.stringify(lines(375_000)),
  "15 MB, one member a line": JSON.stringify(lines(350_000), null, 1),
  "a string of 15 MB": JSON.stringify("x".repeat(15e6)),
  "100,000 members": JSON.stringify(Object.fromEntries(lines(100_000).map((name, i) => [name, i])), null, 1),
};

// paste pastes a text over all that is in the editor, as a person would.
const paste = (page, text) =>
  page.locator("#payload").evaluate((area, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    area.focus();
    area.select();
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

describePage("inspector page, large payloads", (shared) => {
  for (const [name, text] of Object.entries(large)) {
    test(`takes and shows ${name}`, async () => {
      const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
      page.setDefaultTimeout(40_000);
      await shows(page, SCHEMALESS);
      await paste(page, text);
      await page.locator("#parts").waitFor();
      assert.ok((await page.locator("#payload").inputValue()).length <= 200_000, "the textarea holds a part");
      const [response] = await Promise.all([page.waitForResponse((r) => r.url() === shared.server.url), page.locator("#send").click()]);
      await settled(page);
      assert.ok(response.request().postData().includes(`"payload":${text}}`), "all of it is sent");
      assert.match(await page.locator("#verdict").textContent(), new RegExp(`^Accepted ${text.length.toLocaleString("en")} bytes came back, each as it was sent`));
      const mark = await page.locator("#response-body mark").textContent();
      assert.ok(mark.startsWith(text.slice(0, 20_000)) && mark.endsWith(text.slice(-1000)));
      assert.ok((await page.locator("#response-body").textContent()).length < 100_000);
      // The caret is after what was pasted, in the last part. A change in the part before has
      // its place in the whole.
      await page.locator("#part-before").click();
      await page.locator("#payload").focus();
      await page.evaluate(() => document.activeElement.setSelectionRange(50_000, 50_000));
      await page.keyboard.insertText("!");
      const [head, tail] = await page.locator("#payload").evaluate(({ value, selectionStart }) => [value.slice(selectionStart - 30, selectionStart), value.slice(selectionStart, selectionStart + 30)]);
      await page.locator("#payload").evaluate((area) => area.setSelectionRange(0, area.value.length));
      const whole = await page.locator("#payload").evaluate((area) => {
        const clipboardData = new DataTransfer();
        area.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
        return clipboardData.getData("text/plain");
      });
      assert.equal(whole.length, text.length + 1);
      assert.ok(whole.includes(head + tail) && whole.replace("!", "") === text);
      await done();
    });
  }

  test("goes on taking what is typed while it reads a long text", async () => {
    const { page, requests, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
    await shows(page, SCHEMALESS);
    const before = requests.length;
    await paste(page, `${large["15 MB, one line"]},`);
    const early = await page.evaluate(async () => {
      document.querySelector("#send").click();
      await new Promise((resolve) => setTimeout(resolve)); // what is typed would come here
      return [document.querySelector("#verdict").textContent, document.querySelector("#send").ariaBusy, document.querySelector("#state").textContent];
    });
    assert.deepEqual(early, ["", "true", "Reading…"]);
    await settled(page);
    assert.match(await page.locator("#verdict").textContent(), /^Not JSON Line 1, column 13,?\d+/);
    assert.equal(requests.slice(before).filter((r) => r.method() === "POST").length, 0);
    await done();
  });

  test("does not take a payload that was just pasted for a changed one", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
    await shows(page, SCHEMALESS);
    await paste(page, large["1 MB, one line"]);
    await page.locator("#send").click();
    await settled(page);
    await page.waitForTimeout(1000); // beyond the pause after which a long text is looked at
    assert.equal(await page.locator("#verdict.stale").count(), 0);
    await page.locator("#payload").press("End");
    await page.keyboard.insertText(" ");
    await page.locator("#verdict.stale").waitFor();
    await page.keyboard.press("Backspace");
    await page.locator("#verdict:not(.stale)").waitFor();
    await done();
  });

  test("replaces all of a long text when all is selected", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
    await shows(page, SCHEMALESS);
    await paste(page, large["1 MB, one line"]);
    assert.equal(await submit(page, "[1]"), "Accepted");
    assert.match(await page.locator("#verdict").textContent(), /3 bytes came back/);
    assert.equal(await page.locator("#parts").isVisible(), false);
    await done();
  });

  test("leads to a fault far down a long payload", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, REPORT);
    await shows(page, REPORT);
    const example = JSON.parse(await page.locator("#payload").inputValue());
    const steps = Array.from({ length: 20_000 }, (_, i) => ({ tool: `t${i}`, duration_ms: i < 19_900 ? 1 : -1, outcome: { status: "success" } }));
    await paste(page, JSON.stringify({ ...example, steps }, null, 1));
    await page.locator("#send").click();
    await settled(page);
    await page.locator("#faults button").last().waitFor();
    const last = page.locator("#faults button", { hasText: "/duration_ms" }).last();
    const [, index] = /\/steps\/(\d+)\/duration_ms/.exec(await last.innerText());
    await last.click();
    const selected = await page.evaluate(() => { const { value, selectionStart, selectionEnd } = document.activeElement; return [value.slice(selectionStart, selectionEnd), value.slice(0, selectionStart).slice(-60)]; });
    assert.equal(selected[0], '"duration_ms": -1');
    assert.ok(selected[1].includes(`"t${index}"`), selected[1]);
    await done();
  });

  test("says before it sends that a message is beyond the server's limit", async () => {
    const own = await serveHttp(servers.shipped.binary, "--max-message-bytes", "2000");
    const { page, requests, done } = await openInspector(shared.browser, own, SCHEMALESS);
    await shows(page, SCHEMALESS);
    const before = requests.length;
    assert.equal(await submit(page, JSON.stringify("é".repeat(1000))), "Too large");
    assert.match(await page.locator("#verdict").textContent(), /would be 2,\d{3} bytes; this server takes at most 2,000 bytes .*Nothing was sent/);
    assert.equal(requests.slice(before).filter((r) => r.method() === "POST").length, 0);
    await done();
    await own.stop();
  });

  test("opens a file, exactly", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, SCHEMALESS);
    await shows(page, SCHEMALESS);
    const folder = mkdtempSync(join(tmpdir(), "echo-mcp-"));
    const [good, bad] = [join(folder, "good.json"), join(folder, "bad.json")];
    writeFileSync(good, '{ "a": 1.0 }');
    writeFileSync(bad, Buffer.from([0x22, 0xff, 0x22]));
    await page.locator("#file").setInputFiles(good);
    await page.waitForFunction(() => document.querySelector("#payload").value === '{ "a": 1.0 }');
    // The line ends of Windows are sent as they are, and places are still found.
    const windows = join(folder, "windows.json");
    writeFileSync(windows, '[\r\n 1,\r\n oops\r\n]');
    await page.locator("#file").setInputFiles(windows);
    await page.locator("#state .place").click();
    assert.equal(await page.evaluate(() => { const { value, selectionStart, selectionEnd } = document.activeElement; return value.slice(selectionStart, selectionEnd); }), "o");
    writeFileSync(windows, '[\r\n 1\r\n]');
    await page.locator("#file").setInputFiles(windows);
    await page.waitForFunction(() => document.querySelector("#payload").value === "[\n 1\n]");
    const [sent] = await Promise.all([page.waitForRequest((r) => r.method() === "POST"), page.locator("#send").click()]);
    assert.ok(sent.postData().includes('"payload":[\r\n 1\r\n]}'), "exactly");
    await settled(page);
    await page.locator("#file").setInputFiles(bad);
    await page.locator("#alert").waitFor();
    assert.match(await page.locator("#alert-text").textContent(), /^bad\.json is not UTF-8/);
    await done();
  });
});
