// Makes docs/inspector.png, the README's picture of the inspector page: a payload that the
// server refused. Run `make build`, then `node internal/e2e/screenshot.mjs`.
import { fileURLToPath } from "node:url";

import { launch, openInspector, shows, submit } from "./browser.mjs";
import { serveHttp, servers } from "./server.mjs";

const REPORT = "tool_run_report_v1";
const REFUSED = `{
  "run_id": "0f8b2f6e-3a71-4c52-9d0a-6b6f2f1c7e11",
  "started_at": "yesterday",
  "agent": { "name": "builder", "version": "2.1.0" },
  "steps": [
    {
      "tool": "search",
      "duration_ms": -12,
      "confidence": 1.5,
      "outcome": { "status": "success" }
    }
  ]
}`;

const browser = await launch();
const server = await serveHttp(servers.shipped.binary);
const { page, done } = await openInspector(browser, server, REPORT, { colorScheme: "light", viewport: { width: 1400, height: 780 } });
await shows(page, REPORT);
await submit(page, REFUSED);
await page.locator("#faults button").first().waitFor();
await page.evaluate(() => {
  document.activeElement.blur();
  // The version of whatever was built would make each picture another.
  document.querySelector("#connection").textContent = "Connected to Echo MCP";
});
await page.screenshot({ path: fileURLToPath(new URL("../../docs/inspector.png", import.meta.url)) });
await done();
await browser.close();
await server.stop();
