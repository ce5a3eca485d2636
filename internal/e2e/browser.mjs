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

// contrasts runs in the page. It gives the texts that are in view and whose contrast with
// what is behind them is below 4.5:1 (WCAG 2.2, 1.4.3), and how light the page is behind all.
export function contrasts() {
  const parse = (color) => color.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    throw new Error("no background");
  };
  const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
  const poor = [];
  for (const e of document.querySelectorAll("body *:not(.paint .annotation, .paint .annotation :not(em), .unseen, option, :disabled)")) {
    const text = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== "");
    const after = getComputedStyle(e, "::after");
    if (!(text || e.value || /^"/.test(after.content)) || e.getClientRects().length === 0) continue;
    const back = behind(e);
    const over = opacity(e);
    for (const { color } of [getComputedStyle(e), after]) {
      const seen = parse(color).slice(0, 3).map((c, i) => c * over + back[i] * (1 - over));
      const [a, b] = [light(seen), light(back)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) poor.push(`${e.id || e.className || e.tagName} "${e.textContent.slice(0, 20)}" ${ratio.toFixed(2)}`);
    }
  }
  return { poor, back: light(behind(document.body)) };
}
