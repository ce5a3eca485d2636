// What the tests of the inspector page share: a headless Chromium and a page in it whose
// every word and request is watched.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";

import { chromium } from "playwright-core";

import { serveHttp, servers } from "./server.mjs";

// describePage describes tests of the page. They are given an object that has a browser and
// the shipped server by the time they run, for as long as they do; what they open beside
// that they close themselves.
export function describePage(name, tests) {
  const shared = { browser: undefined, server: undefined };
  describe(name, () => {
    before(async () => {
      shared.browser = await launch();
      shared.server = await serveHttp(servers.shipped.binary);
    });
    tests(shared); // before the hook below, so that hooks of its own come first
    after(async () => {
      await shared.browser?.close();
      await shared.server?.stop();
    });
  });
}

// Debian's Chromium, kept from everything that it does on the network by itself.
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// openInspector opens the page that a server (of serveHttp) serves. hash is what follows #,
// options are those of a browser context. Result: { page, done, requests }: done closes the
// page and fails if it logged something, met its Content-Security-Policy, or asked anybody
// but its own server; requests are those so far.
export async function openInspector(browser, server, hash = "", options = {}) {
  const { origin } = new URL(server.url);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
  context.on("request", (request) => {
    requests.push(request);
    if (new URL(request.url()).origin !== origin) complaints.push(`foreign request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(`${origin}/inspector${hash && `#${hash}`}`);
  return {
    page,
    requests,
    async done(allowed = /^$/) {
      await context.close();
      assert.deepEqual(complaints.filter((each) => !allowed.test(each)), []);
    },
  };
}

// shows waits until the page shows a schema and, where nobody has been here before, the
// server's verdict on its example.
export async function shows(page, id, before = false) {
  await page.waitForFunction((id) => document.querySelector("#id").textContent === id && document.querySelector("main").ariaBusy === "false", id);
  if (!before) await settled(page);
}

// submit puts a payload into the editor, sends it and gives the verdict's title.
export async function submit(page, payload) {
  await page.locator("#payload").fill(payload);
  await page.keyboard.press("Control+Enter");
  await settled(page);
  return page.locator("#verdict b").textContent();
}

// settled waits for the verdict on what was sent last.
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector("#send").ariaBusy && document.querySelector("#verdict b"));
}

// marks gives the marked lines of the editor: { line, words }.
export async function marks(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page.locator(".paint .fault").evaluateAll((rows) => rows.map((row) => ({ line: Number(row.dataset.line), words: row.querySelector("em").textContent })));
}
