// The inspector page for the hands and eyes of people: keyboard, widths, colours.
import assert from "node:assert/strict";
import { test } from "node:test";

import { contrasts, describePage, marks, openInspector, settled, shows, submit } from "./browser.mjs";
import { serveHttp, servers } from "./server.mjs";

const STAGE = "zenlix-agent-stage-v1";
const REPORT = "tool_run_report_v1";

// showPayload shows the payload, which on narrow pages is a tab. The page notices a new width a moment
// after it has it.
async function showPayload(page) {
  const tab = await page.waitForFunction(() => {
    const narrow = matchMedia("(max-width: 74.99rem)").matches;
    return document.querySelector("#tab-try").hidden !== narrow && (narrow ? "there" : "none");
  });
  if ((await tab.jsonValue()) === "there") await page.locator("#tab-try").click();
}

// fitsIn asserts that nothing stands out of the page or of its card to the right.
async function fitsIn(page, what) {
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    const out = [document.documentElement.scrollWidth > limit ? "the page" : ""];
    for (const e of document.querySelectorAll("main *:not(.paint *), nav *, .bar *")) {
      const { right, width } = e.getBoundingClientRect();
      if (width > 1 && right > limit + 0.5) out.push(e.id || e.className || e.tagName);
    }
    for (const e of document.querySelectorAll(".definition")) if (e.scrollWidth > e.clientWidth) out.push(`definition ${e.dataset.location}`);
    return out.filter(Boolean);
  });
  assert.deepEqual(wide, [], what);
}

describePage("inspector page, layout", (shared) => {
  test("can be used with the keyboard alone", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server);
    await shows(page, servers.shipped.schemas[0].id);
    const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("Tab");
    assert.equal(await focus(), "skip");
    await press("Enter");
    assert.equal(await focus(), "main");
    await press("/");
    assert.equal(await focus(), "filter");
    await page.keyboard.type("agent stage");
    await press("ArrowDown", "Enter");
    await shows(page, STAGE);
    assert.equal(await focus(), "title");

    await press("Tab");
    assert.equal(await focus(), "tab-members");
    await press("ArrowRight");
    assert.equal(await focus(), "tab-text");
    assert.equal(await page.locator("#panel-text").isVisible(), true);
    await press("ArrowRight");
    assert.equal(await focus(), "tab-members", "the third tab is not there beside the payload");

    await press("Alt+p");
    assert.equal(await focus(), "payload");
    await press("Control+a");
    await page.keyboard.insertText('{"stage":1,"stage_status":"x"}');
    await press("Alt+t");
    assert.equal(await page.locator("#payload").inputValue(), '{\n  "stage": 1,\n  "stage_status": "x"\n}');
    await press("Control+Enter");
    await settled(page);
    await page.locator("#faults button").first().waitFor();
    assert.deepEqual((await marks(page)).map(({ line }) => line), [2, 3]);
    assert.equal(await page.locator("#payload").getAttribute("aria-invalid"), "true");
    const selected = () => page.evaluate(() => { const { value, selectionStart, selectionEnd } = document.activeElement; return value.slice(selectionStart, selectionEnd); });
    await press("F8");
    assert.equal(await selected(), '"stage": 1');
    await press("F8");
    assert.equal(await selected(), '"stage_status": "x"');
    await press("Shift+F8");
    assert.equal(await selected(), '"stage": 1');
    assert.match(await page.locator("#said").textContent(), /^Line 2: must be string/);

    await press("Alt+x");
    await page.waitForFunction(() => document.querySelector("#verdict").dataset.outcome === "good");
    await press("Control+z");
    assert.equal(await page.locator("#payload").inputValue(), '{\n  "stage": 1,\n  "stage_status": "x"\n}', "what a person wrote can be had back");

    // Tab leaves the payload, and everything that acts can be reached.
    const reached = [];
    for (let i = 0; i < 12; i++) {
      await press("Tab");
      reached.push(await focus());
    }
    for (const id of ["send", "tab-response", "copy-body", "copy-curl", "response-body"]) assert.ok(reached.includes(id), `${id} is not in ${reached}`);

    await page.locator("#title").focus();
    await press("?");
    assert.equal(await page.locator("#help").isVisible(), true);
    await press("Escape");
    assert.equal(await page.locator("#help").isVisible(), false);
    await page.locator("#help-open").press("Enter");
    await page.locator("#help button").press("Enter");
    assert.equal(await page.locator("#help").isVisible(), false);
    await done();
  });

  test("keeps what a person wrote for each schema", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.locator("#payload").fill('{"stage":"mine"}');
    await page.locator("#schemas a").first().click();
    await shows(page, "__schemaless__");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("#payload").value === '{"stage":"mine"}');
    await done();
  });

  test("keeps what a person wrote when the page is reloaded, for this tab alone", async () => {
    const { page, requests, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    await page.locator("#payload").fill('{"stage":"half');
    await page.locator("#schemas a", { hasText: REPORT }).click();
    await shows(page, REPORT);
    await page.goBack();
    await shows(page, STAGE, true);
    await page.locator("#payload").press("End");
    await page.keyboard.insertText(" typed 😀");
    const before = requests.length;
    await page.reload();
    await shows(page, STAGE, true);
    await page.waitForFunction(() => document.querySelector("#payload").value.includes("half"));
    assert.equal(await page.locator("#payload").inputValue(), '{"stage":"half typed 😀');
    assert.ok(!requests.slice(before).some((r) => r.postData()?.includes('"name":"echo"')), "nothing is sent by itself");
    assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), [`echo-mcp-draft:${STAGE}`], "an example is not kept");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await shows(other, STAGE);
    assert.ok(!(await other.locator("#payload").inputValue()).includes("half"));
    await done();
  });

  test("asks before it is left with more than the browser keeps", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, "__schemaless__");
    await shows(page, "__schemaless__");
    await page.locator("#payload").evaluate((area) => {
      area.value = JSON.stringify("x".repeat(11e6));
      area.dispatchEvent(new Event("input"));
    });
    await page.locator("#payload").press("End"); // a browser asks only where a person was
    const asked = page.waitForEvent("dialog");
    page.reload().catch(() => {});
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    await page.locator("#parts").waitFor();
    await done();
  });

  test("tells assistive devices what is what", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, REPORT);
    await shows(page, REPORT);
    await submit(page, "{}");
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, textarea, a, [role=tabpanel], [role=region], nav, dialog, table")]
        .filter((e) => !(e.getAttribute("aria-label") || document.getElementById(e.getAttribute("aria-labelledby"))?.textContent || e.textContent.trim() || e.labels?.length))
        .filter((e) => !e.closest("dialog table") && e.tagName !== "TABLE")
        .map((e) => e.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(nameless, []);
    const dangling = await page.evaluate(() =>
      [...document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby], [for]")].flatMap((e) => ["aria-controls", "aria-labelledby", "aria-describedby", "for"].flatMap((a) => e.getAttribute(a)?.split(" ") ?? []).filter((id) => id && !document.getElementById(id))),
    );
    assert.deepEqual(dangling, []);
    for (const id of ["verdict", "said", "connection"]) assert.equal(await page.locator(`#${id}`).getAttribute("role"), "status");
    assert.equal(await page.locator("#alert").getAttribute("role"), "alert");
    assert.equal(await page.locator('#schemas [aria-current="true"] code').textContent(), REPORT);
    // Rows shown as cards are still rows.
    await page.setViewportSize({ width: 360, height: 700 });
    assert.ok((await page.getByRole("row").count()) > 20);
    assert.equal(await page.getByRole("rowheader", { name: "run_id", exact: true }).count(), 1);
    await done();
  });

  for (const width of [360, 800, 1400]) {
    test(`needs no sideways scrolling at ${width} pixels`, async () => {
      const { page, done } = await openInspector(shared.browser, shared.server, REPORT, { viewport: { width, height: 800 } });
      const fits = (what) => fitsIn(page, what);
      for (const { id } of [...servers.shipped.schemas, { id: "__schemaless__" }]) {
        await page.evaluate((id) => (location.hash = id), id);
        await shows(page, id, id === REPORT);
        await fits(id);
      }
      await page.locator("#tab-text").click();
      await fits("schema text");
      await showPayload(page);
      assert.equal(await page.locator("#payload").isVisible(), true);
      await submit(page, JSON.stringify({ x: "y".repeat(3000) }));
      await fits("exchange");
      await page.evaluate((id) => (location.hash = id), STAGE);
      await shows(page, STAGE, true);
      await submit(page, JSON.stringify({ ["z".repeat(500)]: "y".repeat(3000) }));
      await page.locator("#faults button").first().waitFor();
      await fits("faults");
      await page.locator("#tab-request").click();
      await fits("request");
      await done();
    });
  }

  test("shows what a hostile schema says as text that keeps its place", async () => {
    const odd = await serveHttp(servers.odd.binary);
    for (const width of [360, 800, 1400]) {
      const { page, done } = await openInspector(shared.browser, odd, "markup", { viewport: { width, height: 800 } });
      await shows(page, "markup");
      await fitsIn(page, `${width} pixels`);
      assert.equal(await page.locator("#title").textContent(), "<img src=x onerror=alert(1)>");
      assert.equal(await page.locator("script, img").count(), 2, "only the page's own");
      await page.locator("#tab-text").click();
      await fitsIn(page, `${width} pixels, text`);
      await done();
    }
    await odd.stop();
  });

  test("stays usable with 500 schemas and words of any length and direction", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    const long = (i) => ["x".repeat(400), "many words ".repeat(60), `${"a_long_".repeat(40)}${i}`, "رسالة الحالة (v1)"][i % 4];
    const more = Array.from({ length: 500 }, (_, i) => ({ schema_id: `${"org_department_".repeat(1 + (i % 30))}${i}`, title: i % 10 === 0 ? long(i / 10) : `Message ${i}`, description: long(i).repeat(1 + (i % 20)) }));
    await page.route(shared.server.url, async (route) => {
      if (!route.request().postData()?.includes('"name":"list_schemas"')) return route.continue();
      const response = await route.fetch();
      const answer = JSON.parse(await response.text());
      const { schemas } = answer.result.structuredContent;
      Object.assign(schemas.find(({ schema_id }) => schema_id === STAGE), { title: long(0), description: long(1).repeat(20) });
      schemas.splice(1, 0, ...more);
      return route.fulfill({ response, body: JSON.stringify(answer) });
    });
    for (const width of [360, 800, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await page.reload();
      await shows(page, STAGE, true);
      assert.equal(await page.locator("#schemas a").count(), 500 + servers.shipped.schemas.length + 1);
      await fitsIn(page, `${width} pixels`);
      // The schema shown is in view in the list, and so is the box to find another.
      const inView = (selector) => page.locator(selector).evaluate((e) => {
        const { top, bottom } = e.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      assert.deepEqual([await inView("#filter"), await inView("#schemas [aria-current]"), await inView("#views")], [true, true, true], `${width} pixels`);
      await page.fill("#filter", "message 499");
      assert.deepEqual(await page.locator("#schemas b").allInnerTexts(), ["Message 499"]);
      await fitsIn(page, `${width} pixels, found`);
      await page.fill("#filter", "");
      assert.equal(await page.locator("#schemas a").count(), 500 + servers.shipped.schemas.length + 1);
    }
    await page.unroute(shared.server.url);
    await done();
  });

  test("moves the payload between its own tab and its own column", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE, { viewport: { width: 800, height: 800 } });
    await shows(page, STAGE);
    assert.equal(await page.locator("#payload").isVisible(), false);
    await page.keyboard.press("Alt+p");
    assert.equal(await page.locator("#payload").isVisible(), true);
    assert.equal(await page.locator("#panel-members").isVisible(), false);
    await page.setViewportSize({ width: 1400, height: 800 });
    await page.locator("#panel-members").waitFor();
    assert.equal(await page.locator("#payload").isVisible(), true);
    await done();
  });

  test("paints marks beneath the characters that they mean", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, "__schemaless__");
    await shows(page, "__schemaless__");
    const lines = Array.from({ length: 3000 }, (_, i) => `  ${i},`);
    lines[2500] = "  oops,";
    // Typing so many lines takes Chromium long.
    await page.locator("#payload").evaluate((area, text) => {
      area.value = text;
      area.dispatchEvent(new Event("input"));
    }, `[\n${lines.join("\n")}\n0]`);
    // Before the page has read them it knows no fault, and F8 has nowhere to go.
    await page.locator("#state button").waitFor();
    await page.keyboard.press("F8");
    await page.waitForFunction(() => document.querySelector(".paint .fault"));
    assert.deepEqual((await marks(page)).map(({ line }) => line), [2502]);
    const offset = await page.evaluate(() => {
      const area = document.querySelector("#payload");
      const row = document.querySelector(".paint .fault");
      const { lineHeight, paddingTop } = getComputedStyle(area);
      const expected = area.getBoundingClientRect().top + Number.parseFloat(paddingTop) + 2501 * Number.parseFloat(lineHeight) - area.scrollTop;
      return Math.abs(row.getBoundingClientRect().top - expected);
    });
    assert.ok(offset < 1, `off by ${offset} pixels`);
    assert.ok((await page.locator(".paint .row").count()) < 60, "only lines in view are painted");
    await done();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`is readable in ${colorScheme} mode, whatever it shows`, async () => {
      const { page, done } = await openInspector(shared.browser, shared.server, REPORT, { colorScheme });
      await shows(page, REPORT);
      const states = {
        accepted: async () => {},
        refused: async () => {
          await submit(page, '{"run_id": 1}');
          await page.locator("#faults button").first().waitFor();
        },
        changed: () => page.locator("#payload").fill('{"run_id":  1}'),
        "not JSON": () => submit(page, '{"run_id": 1,}'),
        unwrapped: () => submit(page, JSON.stringify('{"run_id": 1}')),
        "schema text": () => page.locator("#tab-text").click(),
        request: async () => {
          await page.locator("#example").click();
          await settled(page);
          await page.locator("#tab-request").click();
        },
        "no match": () => page.fill("#filter", "no such thing"),
        shortcuts: () => page.locator("#help-open").click(),
        gone: async () => {
          await page.keyboard.press("Escape");
          await page.route("**/{mcp,healthz}", (route) => route.abort());
          await page.locator("#send").click();
          await page.locator("#alert").waitFor();
        },
      };
      for (const [state, reach] of Object.entries(states)) {
        await reach();
        await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));
        const { poor, back } = await page.evaluate(contrasts);
        assert.deepEqual(poor, [], state);
        assert.equal(back > 0.5, colorScheme === "light");
      }
      await done(/^console error: Failed to load resource: /);
    });
  }

  test("cuts nothing off and lets nothing run into another", async () => {
    const { page, done } = await openInspector(shared.browser, shared.server, STAGE);
    await shows(page, STAGE);
    // Names are broken after their words.
    const lines = await page.locator('tr[data-location="#/properties/stage_status"] th').innerText();
    const heights = await page.locator('tr[data-location="#/properties/stage_status"] th code').evaluate((code) => {
      const range = document.createRange();
      return [...code.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => {
        range.selectNodeContents(node);
        return range.getClientRects().length;
      });
    });
    assert.deepEqual([lines.replace(/\s/g, ""), heights], ["stage_status", [1, 1]]);
    for (const width of [360, 800, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await showPayload(page);
      const cut = await page.locator("#connection").evaluate((e) => e.scrollWidth > e.clientWidth);
      assert.equal(cut, false, `${width} pixels: ${await page.locator("#connection").innerText()}`);
      // A long line does not run over the line numbers.
      await page.locator("#payload").fill(JSON.stringify("y".repeat(300)));
      const left = await page.locator("#payload").evaluate((e) => e.getBoundingClientRect().left);
      const numbers = await page.locator(".paint .number").first().evaluate((e) => e.getBoundingClientRect().right);
      assert.ok(left >= numbers, `${width} pixels: ${left} < ${numbers}`);
    }
    await page.fill("#filter", "no such thing");
    assert.equal(await page.locator("#none").innerText(), "No schema matches “no such thing”.");
    assert.equal(await page.locator("#schemas").isVisible(), false, "no empty box");
    await done();
  });
});
