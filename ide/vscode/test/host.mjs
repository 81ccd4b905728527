// The extension in VS Code itself: its server part runs here, its window in Chromium. Asks for three things that no
// list of modules brings, and exits with 77 where one of them is missing:
//
//     VSCODE_SERVER   the file server-main.js of a VS Code server, as in the package code-server of npm's registry
//                     (npm install --ignore-scripts code-server, then again in its folder lib/vscode)
//     playwright-core, which npm ci in ide/studio installs, and Chromium
//
//     VSCODE_SERVER=FILE RGTRANS=PROGRAM node host.mjs [FILE.png]    writes a picture of the window at the end
import assert from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const kHere = dirname(fileURLToPath(import.meta.url));
const kServer = process.env.VSCODE_SERVER;
const kBrowser = process.env.RGTRANS_CHROMIUM ?? "/usr/bin/chromium";
const kPackage = join(kHere, "../out/rgtrans.vsix");
const kPort = 8100 + (process.pid % 800);

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
if (!kServer || !existsSync(kServer)) skip("VSCODE_SERVER names no server of VS Code");
if (!existsSync(kBrowser)) skip(`${kBrowser} is missing`);
let playwright;
try {
  playwright = createRequire(join(process.env.RGTRANS_MODULES ?? join(kHere, "../../studio"), "package.json"))(
    "playwright-core",
  );
} catch {
  skip("playwright-core is missing (npm ci in ide/studio installs it)");
}

const kGame = readFileSync(join(kHere, "../../../games/hrg/tic-tac-toe.hrg"), "utf8").replace(
  "Cell -> Mark",
  "Cell -> Mrk",
);

// A home of its own: the extension installed, one game with a mistake.
const home = mkdtempSync(join(tmpdir(), "rgtrans-vscode-"));
const folder = join(home, "games");
mkdirSync(join(folder, ".vscode"), { recursive: true });
writeFileSync(join(folder, "game.hrg"), kGame);
writeFileSync(
  join(folder, ".vscode/settings.json"),
  JSON.stringify({ "rgtrans.path": resolve(process.env.RGTRANS ?? "rgtrans"), "workbench.startupEditor": "none" }),
);
const places = ["--server-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
const environment = { ...process.env, HOME: home };
const installed = spawnSync(
  process.execPath,
  [kServer, ...places, "--accept-server-license-terms", "--install-extension", kPackage],
  {
    env: environment,
    encoding: "utf8",
  },
);
assert.match(installed.stdout, /successfully installed/, installed.stdout + installed.stderr);

const server = spawn(
  process.execPath,
  [
    kServer,
    ...places,
    "--accept-server-license-terms",
    "--host",
    "127.0.0.1",
    "--port",
    String(kPort),
    "--without-connection-token",
  ],
  { env: environment, stdio: ["ignore", "pipe", "pipe"] },
);
let log = "";
for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (log += data));

async function answers() {
  for (let i = 0; i < 200; ++i) {
    const answer = await fetch(`http://127.0.0.1:${kPort}/`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`the server does not answer: ${log}`);
}

const browser = await playwright.chromium.launch({
  executablePath: kBrowser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
let page;
const steps = {
  async "a game opens in its language"() {
    await page.goto(`http://127.0.0.1:${kPort}/?folder=${folder}`);
    const trust = page.getByRole("button", { name: "Yes, I trust the authors" });
    await trust.click({ timeout: 40000 }).catch(() => {});
    await page.getByRole("treeitem", { name: "game.hrg" }).first().dblclick();
    await page.getByRole("button", { name: "HRG" }).first().waitFor();
  },
  async "a mistake is underlined"() {
    await page.locator(".squiggly-error").first().waitFor();
  },
  async "the mouse over a name tells what it is"() {
    await page.getByText("Score", { exact: true }).first().hover();
    const hover = page.locator(".monaco-hover:visible");
    await hover.first().waitFor();
    assert.match(await hover.first().innerText(), /domain Score/);
  },
  async "a quick fix mends the mistake"() {
    await page.getByText("Mrk", { exact: true }).first().click();
    await page.keyboard.press("Control+.");
    await page.getByText("Change to Mark").first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
  },
  async "the automaton is shown beside the text"() {
    await page.keyboard.press("Control+b");
    await page.keyboard.press("F1");
    await page.keyboard.type("Show the automaton");
    await page.keyboard.press("Enter");
    const drawing = page.frameLocator("iframe.webview").frameLocator("iframe").locator("svg");
    await drawing.first().waitFor();
    assert.ok((await drawing.first().innerHTML()).length > 100);
  },
};

let failed = false;
try {
  await answers();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60000);
  for (const [name, step] of Object.entries(steps)) {
    await step();
    console.log(`ok: ${name}`);
  }
} catch (problem) {
  failed = true;
  console.log(`FAILED: ${problem.stack}\n${log.slice(-1500)}`);
}
if (process.argv[2] && page) await page.screenshot({ path: process.argv[2] });
await browser.close();
const ended = new Promise((done) => server.on("exit", done));
server.kill("SIGTERM");
await Promise.race([ended, new Promise((done) => setTimeout(done, 5000))]);
server.kill("SIGKILL");
rmSync(home, { recursive: true, force: true });
if (!failed) console.log("vscode: all well");
process.exit(failed ? 1 : 0);
