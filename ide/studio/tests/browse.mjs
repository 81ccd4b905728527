// The studio in a browser, for those who test, time and photograph it. Exits with 77 where the browser or
// playwright-core is missing.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

  async start(port = 0, ...more) {
    this.browser ??= await playwright.chromium.launch({
      executablePath: kBrowser,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    });
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

export const fine = (page) => page.waitForFunction(() => document.querySelector('.light')?.dataset.state === 'fine');
