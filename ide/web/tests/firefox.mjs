// The site in Firefox, over WebDriver BiDi: it opens, and a game is played to its end by pointing.
//
//     node --experimental-websocket firefox.mjs SITE [PICTURES]
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fine, pointAtAMove, Site } from '../../studio/tests/browse.mjs';

const kFirefox = process.env.RGTRANS_FIREFOX ?? '/usr/bin/firefox-esr';
const kTimeout = 60000;
if (!existsSync(kFirefox)) {
  console.log(`skipped: ${kFirefox} is missing`);
  process.exit(77);
}

// A session with the browser: commands go out, answers and events come in.
class Browser {
  profile = mkdtempSync(join(tmpdir(), 'rgtrans-firefox-'));
  complaints = [];
  waiting = new Map();
  asked = 0;

  async start() {
    this.child = spawn(kFirefox, ['--headless', '--no-remote', '--profile', this.profile, '--remote-debugging-port=0', 'about:blank']);
    const address = await new Promise((done, fail) => {
      let said = '';
      this.child.stderr.on('data', (data) => {
        said += data;
        const found = said.match(/WebDriver BiDi listening on (ws:\S+)/);
        if (found) done(found[1]);
      });
      this.child.on('exit', (code) => fail(new Error(`Firefox ended with ${code}: ${said}`)));
    });
    this.socket = new WebSocket(`${address}/session`);
    await new Promise((done, fail) => { this.socket.onopen = done; this.socket.onerror = fail; });
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    await this.ask('session.new', { capabilities: {} });
    await this.ask('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await this.ask('browsingContext.getTree', {});
    this.context = contexts[0].context;
    return this;
  }
  hear({ id, type, method, params, result, message }) {
    if (method === 'log.entryAdded' && params.level === 'error') this.complaints.push(params.text);
    const waits = this.waiting.get(id);
    if (!waits) return;
    this.waiting.delete(id);
    if (type === 'success') waits.done(result);
    else waits.fail(new Error(message));
  }
  ask(method, params) {
    const id = ++this.asked;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }
  async end() {
    this.child.removeAllListeners('exit');
    const ended = new Promise((done) => this.child.on('exit', done));
    await this.ask('browser.close', {}).catch(() => this.child.kill());
    await ended;
    rmSync(this.profile, { recursive: true, maxRetries: 5 });
  }

  // The part of a page of playwright-core that the helpers of other tests use.
  goto(url) {
    return this.ask('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }
  async evaluate(task, argument) {
    const { result, exceptionDetails } = await this.ask('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${task})(${JSON.stringify(argument)})))()`,
      target: { context: this.context },
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.type === 'undefined' ? undefined : JSON.parse(result.value);
  }
  async waitForFunction(task, argument, { timeout = kTimeout } = {}) {
    const until = Date.now() + timeout;
    for (;;) {
      const found = await this.evaluate(task, argument);
      if (found) return found;
      if (Date.now() > until) throw new Error(`waited in vain for ${task}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  async picture(file) {
    const { data } = await this.ask('browsingContext.captureScreenshot', { context: this.context });
    writeFileSync(file, Buffer.from(data, 'base64'));
  }
}

const [folder, pictures] = process.argv.slice(2);
const site = await new Site(folder).start();
const browser = await new Browser().start();
let failed = 0;
try {
  const begin = Date.now();
  await site.openGame(browser, 'hrg/tic-tac-toe.hrg');
  let moves = 0;
  while (await pointAtAMove(browser)) ++moves;
  await fine(browser);
  assert(moves >= 5, `${moves} moves`);
  assert.match(await browser.evaluate(() => document.querySelector('.board .status').textContent), /over/);
  assert.deepEqual(browser.complaints, []);
  if (pictures) await browser.picture(join(pictures, 'site-firefox.png'));
  console.log(`ok    Firefox plays a game of ${moves} moves (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
} catch (problem) {
  failed = 1;
  console.log(`FAIL  Firefox plays a game: ${problem.stack}`);
}
await browser.end();
await site.end();
process.exit(failed);
