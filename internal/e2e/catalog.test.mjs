// The page that `catalog --html` writes, as a person reads it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { contrasts, launch } from "./browser.mjs";
import { servers } from "./server.mjs";

// A server all of whose texts want to be more than text, or are too long.
const hostile = {
  info: { name: "<script>document.title='pwned'</script>", title: `A title${" that goes on and on".repeat(10)}`, version: "1.2.3" },
  instructions: "Use it well.</p><img src=http://127.0.0.1:1/x onerror=alert(1)>",
  tools: [
    {
      name: `a"><script>document.title='pwned'</script>`,
      title: "T".repeat(200),
      description: `Does <b>this</b>.\n\nhttps://example.com/${"long/".repeat(60)}`,
      annotations: { readOnlyHint: true, openWorldHint: true },
      inputSchema: {
        type: "object",
        properties: {
          [`x${"y".repeat(150)}`]: { enum: ["</script><script>document.title='pwned'</script>", "z".repeat(150)], description: "Words of many kinds. ".repeat(20) },
          where: { type: "object", properties: { path: { type: "string", pattern: "^[a-z]+$", description: "The path of a file." } }, required: ["path"] },
        },
      },
      outputSchema: { type: "object", properties: { lines: { type: "array", items: { type: "string" } } } },
    },
    { name: "bad", description: "مرحبا بالعالم", inputSchema: { type: "objct" } },
    { name: "loose" },
    { name: "search", description: "Finds things.", inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
  ],
  resources: [{ name: "javascript:alert(1)", uri: "javascript:alert(1)", mimeType: "text/html", size: 3 }],
  resourceTemplates: [{ name: "files", uriTemplate: "file:///{+path}" }],
  prompts: [{ name: "review", description: "Reviews code.", arguments: [{ name: "code", required: true }] }],
};

describe("catalogue page", () => {
  let browser;
  let folder;
  before(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), "catalogue-"));
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // open writes the page of definitions and opens it. done fails if it logged anything, met its
  // Content-Security-Policy or asked anybody for anything.
  async function open(definitions, options = {}) {
    const from = join(folder, "definitions.json");
    const file = join(folder, "page.html");
    writeFileSync(from, JSON.stringify(definitions));
    execFileSync(servers.shipped.binary, ["catalog", "--from", from, "--html", file], { stdio: "pipe" });
    const url = pathToFileURL(file).href;
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    context.on("request", (request) => request.url() !== url && complaints.push(`request: ${request.url()}`));
    await page.goto(url);
    return {
      page,
      async done() {
        await context.close();
        assert.deepEqual(complaints, []);
      },
    };
  }

  const shown = (page) => page.locator("article:visible h3 code").allTextContents();

  test("finds items by their words", async () => {
    const { page, done } = await open(hostile);
    assert.equal((await shown(page)).length, 7);
    await page.keyboard.press("/");
    await page.keyboard.type("QUERY finds");
    assert.deepEqual(await shown(page), ["search"]);
    assert.equal(await page.locator("#found").textContent(), "1 of 7");
    assert.deepEqual(await page.locator("nav a:visible").allTextContents(), ["search"]);
    assert.deepEqual(await page.locator("main h2:visible").allTextContents(), ["Tools"]);
    await page.locator("#find").fill("nothing of this kind");
    assert.equal(await page.locator("#found").textContent(), "Nothing has all these words. Try fewer.");
    await page.keyboard.press("Escape");
    assert.equal((await shown(page)).length, 7);
    await page.locator("nav a", { hasText: "review" }).click();
    await page.locator("article:target h3", { hasText: "review" }).waitFor();
    await done();
  });

  test("shows texts of the server as texts", async () => {
    const { page, done } = await open(hostile);
    assert.equal(await page.title(), `${hostile.info.title}: MCP catalogue`);
    assert.equal((await shown(page))[0], hostile.tools[0].name);
    assert.equal(await page.locator("main script, main img, main b:not(.fault b), main a").count(), 0);
    assert.match(await page.locator("article", { hasText: "bad" }).locator(".fault").first().textContent(), /^Error the input schema can't be used: \/type: /);
    await page.locator("article summary").first().click();
    assert.deepEqual(JSON.parse(await page.locator("article pre").first().textContent()), hostile.tools[0].inputSchema);
    await done();
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const width of [360, 800, 1400]) {
      test(`fits and can be read at ${width} pixels, ${colorScheme}`, async () => {
        const { page, done } = await open(hostile, { viewport: { width, height: 900 }, colorScheme });
        await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
        const wide = await page.evaluate(() => {
          const limit = document.documentElement.clientWidth;
          const out = [document.documentElement.scrollWidth > limit ? "the page" : ""];
          for (const e of document.querySelectorAll("body *")) if (e.getBoundingClientRect().right > limit + 0.5) out.push(e.className || e.tagName);
          return out.filter(Boolean);
        });
        assert.deepEqual(wide, []);
        const { poor, back } = await page.evaluate(contrasts);
        assert.deepEqual(poor, []);
        assert.equal(back < 0.5, colorScheme === "dark");
        await done();
      });
    }
  }

  test("stays quick with a thousand tools", async () => {
    const tools = Array.from({ length: 1000 }, (_, i) => ({ name: `tool_${i}`, description: `Does thing ${i}.`, inputSchema: { type: "object", properties: { a: { type: "string" } } } }));
    const { page, done } = await open({ tools });
    await page.locator("#find").fill("thing 777");
    assert.deepEqual(await shown(page), ["tool_777"]);
    await done();
  });
});
