// The studio in a browser, for those who test, time and photograph it. Exits with 77 where the browser or
// playwright-core is missing.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

const kBrowser = process.env.RGTRANS_CHROMIUM ?? '/usr/bin/chromium';
const playwright = await import('playwright-core').catch(() => null);
if (!playwright || !existsSync(kBrowser)) {
  console.log(
    `skipped: ${playwright ? kBrowser : 'playwright-core'} is missing (npm ci in ide/studio installs the latter)`,
  );
  process.exit(77);
}

export const kDesk = { viewport: { width: 1280, height: 800 } };
export const kPhone = { viewport: { width: 390, height: 844 } };

export class Studio {
  // What the pages have complained about since the list was emptied.
  complaints = [];
  temporary = mkdtempSync(join(tmpdir(), 'rgtrans-studio-'));
  server = null;

  constructor(rgtrans) { this.rgtrans = rgtrans; }

  async launch() {
    this.browser ??= await playwright.chromium.launch({
      executablePath: kBrowser,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    });
  }
  async start(port = 0, ...more) {
    await this.launch();
    const args = ['studio', '--no-open', ...(port ? ['--port', String(port)] : []), ...more];
    const child = spawn(this.rgtrans, args, { env: { ...process.env, XDG_STATE_HOME: this.temporary } });
    const address = await new Promise((done, fail) => {
      child.stdout.on('data', (data) => { const found = String(data).match(/http:\S+/); if (found) done(found[0]); });
      child.on('exit', (code) => fail(new Error(`the server ended with ${code}`)));
    });
    this.server = { child, address };
    return this;
  }
  async stopServer() {
    if (!this.server) return;
    const ended = new Promise((done) => this.server.child.on('exit', done));
    this.server.child.kill('SIGTERM');
    await ended;
    this.server = null;
  }
  async end() {
    await this.browser.close();
    await this.stopServer().catch(() => {});
    rmSync(this.temporary, { recursive: true });
  }

  async newPage(options = kDesk) {
    const page = await this.browser.newPage(options);
    page.setDefaultTimeout(60000);  // on a machine that does much else
    page.on('console', (message) => { if (message.type() === 'error') this.complaints.push(message.text()); });
    page.on('pageerror', (problem) => this.complaints.push(String(problem)));
    return page;
  }
  async openGame(page, game, view = 'board') {
    await page.goto('about:blank');
    await page.goto(`${this.server.address}#game=${encodeURIComponent(game)}&view=${view}`);
    await fine(page);
    await page.waitForFunction(() => document.querySelector('.board .status')?.textContent !== '');
  }
}

// A site (scripts/web) on a plain file server, which knows types of files and nothing else.
export class Site extends Studio {
  requests = [];

  constructor(folder) {
    super('');
    this.folder = folder;
  }
  async start() {
    await this.launch();
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };
    this.files = createServer((request, response) => {
      const { pathname } = new URL(request.url, 'http://site');
      this.requests.push(pathname);
      const file = join(this.folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (!existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    });
    await new Promise((done) => this.files.listen(0, '127.0.0.1', done));
    this.server = { address: `http://127.0.0.1:${this.files.address().port}/` };
    return this;
  }
  async stopServer() {
    this.files?.closeAllConnections();
    await new Promise((done) => (this.files ? this.files.close(done) : done()));
    this.files = null;
  }
}

// Of a program, or of a folder with a site.
export const studioOf = (what) => (statSync(what).isDirectory() ? new Site(what) : new Studio(what));

export const fine = (page) => page.waitForFunction(() => document.querySelector('.light')?.dataset.state === 'fine');

// One move by pointing: cells while cells can be pointed at, else a button.
export async function pointAtAMove(page) {
  const before = await page.evaluate(
    () => document.querySelector('.board .status').textContent + document.querySelectorAll('.made li').length,
  );
  for (let i = 0; i < 12; ++i) {
    const done = await page.evaluate((i) => {
      if (/over/.test(document.querySelector('.board .status').textContent)) return true;
      const asked = document.querySelector('.choices button');
      const cells = [...document.querySelectorAll('.stage g.can:not(.chosen)')];
      const part = asked ?? cells[(i * 7) % Math.max(1, cells.length)] ?? document.querySelector('.legal button');
      if (!part) return false;
      part.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return false;
    }, i);
    if (done) return false;
    const changed = await page
      .waitForFunction(
        (before) =>
          document.querySelector('.board .status').textContent + document.querySelectorAll('.made li').length !==
          before,
        before,
        { timeout: 400 },
      )
      .catch(() => null);
    if (changed) return true;
  }
  throw new Error('no move came of pointing');
}
