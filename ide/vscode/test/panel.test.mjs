// Pages of panels in a browser, where one is installed: they work under their policy, and nothing else runs in them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
const chromium = process.env.RGTRANS_CHROMIUM ?? "/usr/bin/chromium";
const program = process.env.RGTRANS ?? join(root, "../../build/rgtrans");
const modules = createRequire(join(root, "../studio/package.json"));

function missing() {
  if (!existsSync(chromium)) return `there is no ${chromium}`;
  try {
    modules.resolve("playwright-core");
  } catch {
    return "playwright-core is missing (npm ci in ide/studio installs it)";
  }
  return false;
}
const skip = missing();

async function bundled(file, more = {}) {
  const made = await build({ bundle: true, write: false, entryPoints: [join(root, file)], ...more });
  return made.outputFiles[0].text;
}

let browser, pages;
before(async () => {
  if (skip) return;
  browser = await modules("playwright-core").chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const text = await bundled("src/page.ts", { platform: "node", format: "esm" });
  pages = await import(`data:text/javascript,${encodeURIComponent(text)}`);
});
after(() => browser?.close());

// Shows a page, and collects everything that the browser refuses or reports as a mistake.
async function open(html, script = "") {
  const page = await browser.newPage();
  const refused = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  page.on("pageerror", (problem) => refused.push(String(problem)));
  await page.addInitScript(() => {
    window.told = [];
    window.acquireVsCodeApi = () => ({ postMessage: (message) => window.told.push(message) });
  });
  const type = "text/javascript";
  await page.route("https://panel/**", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ body: script, contentType: type })
      : route.fulfill({ body: html, contentType: "text/html" }),
  );
  await page.goto("https://panel/");
  return { page, refused };
}

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">
  <style>.e { fill: rgb(1, 2, 3); }</style>
  <script>window.told.push("a script ran");</script>
  <text class="e" x="5" y="20" onclick="window.told.push('a handler ran')">one</text>
  <text class="e" x="5" y="50">two</text></svg>`;

test("a drawing shows itself, marks edges and tells of clicks", { skip }, async () => {
  const html = pages.drawingPage("https://panel/drawing.js", pages.newNonce());
  const { page, refused } = await open(html, await bundled("src/view/drawing.ts"));
  const send = (message) => page.evaluate((data) => window.postMessage(data), message);
  const fills = () => page.locator(".e").evaluateAll((all) => all.map((edge) => getComputedStyle(edge).fill));
  await send({ svg: DRAWING });
  await page.locator(".e").first().waitFor();
  assert.deepEqual(await fills(), ["rgb(1, 2, 3)", "rgb(1, 2, 3)"]);
  await send({ marked: [1] });
  await page.locator(".e.marked").waitFor();
  assert.deepEqual(await fills(), ["rgb(1, 2, 3)", "rgb(204, 0, 0)"]);
  await page.locator(".e").first().click();
  await send({ problem: "<b>a mistake</b>" });
  await page.getByText("<b>a mistake</b>").waitFor();
  assert.equal(await page.locator(".e").count(), 2);
  // Only the page's own script told of the click; the handler in the picture was refused.
  assert.deepEqual(await page.evaluate(() => window.told), [{ edge: 0 }]);
  assert.deepEqual(refused.filter((text) => !text.startsWith("Executing inline event handler violates")), []);
  assert.ok(refused.length > 0);
  await send({ svg: "no picture" });
  await page.locator("#drawing > *").waitFor({ state: "detached" });
});

test("the page of a run of the optimizer works", { skip: skip || !existsSync(program) }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "rgtrans-panel-"));
  try {
    const file = join(folder, "trace.html");
    execFileSync(program, ["--html-trace", file, join(root, "../../games/hrg/tic-tac-toe.hrg")], { stdio: "ignore" });
    const { page, refused } = await open(pages.guarded(readFileSync(file, "utf8"), pages.newNonce()));
    await page.locator(".passes figure svg").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText(/^2 of \d+: /).waitFor();
    assert.deepEqual(refused, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
