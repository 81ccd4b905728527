// The site in a browser: what only a site does. `scripts/web test` also runs tests of the studio's page on it
// (ide/studio/tests/browser.mjs).
//
//     node site.mjs SITE [PICTURES]
import assert from 'node:assert';
import { join } from 'node:path';
import { fine, kPhone, pointAtAMove, Site } from '../../studio/tests/browse.mjs';

const [folder, pictures] = process.argv.slice(2);
const site = await new Site(folder).start();
const { complaints } = site;
const address = site.server.address;
const foreign = [];
async function newPage(options) {
  const page = await site.newPage(options);
  page.context().on('request', (request) => {
    const url = request.url();
    if (!/^(data:|blob:|about:)/.test(url) && !url.startsWith(address)) foreign.push(url);
  });
  return page;
}
const show = async (page, name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
const light = (page) => page.locator('.light').textContent();
// Instead of the whole text.
async function write(page, text) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('.cm-content').dispatchEvent(paste);
  }, text);
}

const tests = {
  async 'the first visit shows a board'() {
    const page = await newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address);
    await fine(page);
    await page.locator('.stage svg').waitFor();
    await show(page, 'site');
    await page.close();
  },

  async 'a link holds the whole session and is short'() {
    const page = await newPage();
    await site.openGame(page, 'hrg/chess.hrg');
    assert(await pointAtAMove(page));
    await page.waitForTimeout(400);
    const link = page.url();
    assert(link.length < 2000, `${link.length} characters`);
    const moves = await page.locator('.made li').allTextContents();
    const other = await newPage();
    await other.goto(link);
    await fine(other);
    await other.locator('.made li').first().waitFor({ state: 'attached' });
    assert.deepEqual(await other.locator('.made li').allTextContents(), moves);
    await page.close();
    await other.close();
  },

  async 'the newest text wins over work that takes long'() {
    const page = await newPage();
    await site.openGame(page, 'hrg/chess.hrg');
    // Its passes are drawn again after each key, which takes longer than the next key.
    await page.getByRole('tab', { name: 'Passes' }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n// 123456', { delay: 30 });
    const begin = Date.now();
    await page.keyboard.type('\nnonsense');
    await page.waitForFunction(() => document.querySelector('.light').dataset.state === 'failed');
    const waited = Date.now() - begin;
    assert(waited < 5000, `${waited} ms`);
    await write(page, 'domain Player = P');
    await page.waitForFunction(() => document.querySelector('.light').dataset.state !== 'busy');
    await page.close();
  },

  async 'work is cancelled, and goes on afterwards'() {
    const page = await newPage();
    await site.openGame(page, 'hrg/tic-tac-toe.hrg', 'bench');
    await page.getByLabel('Depth').fill('9');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.getByLabel('Depth').fill('2');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('.total')?.textContent === '72');
    await page.close();
  },

  async 'a text that needs too much is refused, and the next one is read'() {
    const page = await newPage();
    await site.openGame(page, 'gdl/tic-tac-toe.kif');
    await write(page, '('.repeat(20_000));
    await page.waitForFunction(() => document.querySelector('.light').dataset.state === 'failed');
    assert.match(await light(page), /mistake/);
    await write(page, '(role a) (role b)');
    await page.waitForFunction(() => !/reading/.test(document.querySelector('.light').textContent));
    await page.close();
  },

  async 'what a browser lacks is named'() {
    const page = await newPage();
    await site.openGame(page, 'hrg/tic-tac-toe.hrg', 'bench');
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.waitForFunction(() => /no compiler/.test(document.body.textContent));
    await page.close();
  },

  async 'it fits a phone'() {
    const page = await newPage(kPhone);
    await site.openGame(page, 'hrg/reversi.hrg');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= kPhone.viewport.width, `${wide} pixels`);
    await show(page, 'site-phone');
    await page.close();
  },

  async 'it works offline after the first visit'() {
    const page = await newPage();
    await page.goto(address);
    await fine(page);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      while (!(await caches.match('program.bin'))) await new Promise((done) => setTimeout(done, 50));
    });
    await site.stopServer();
    await page.reload();
    await fine(page);
    await page.locator('.stage svg').waitFor();
    assert(await pointAtAMove(page), 'a move is made');
    await page.close();
  },
};

let failed = 0;
const only = new RegExp(process.env.RGTRANS_TESTS ?? '');
for (const [name, test] of Object.entries(tests)) {
  if (!only.test(name)) continue;
  complaints.length = foreign.length = 0;
  const begin = Date.now();
  try {
    await test();
    assert.deepEqual(complaints, []);
    assert.deepEqual(foreign, []);
    console.log(`ok    ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (problem) {
    ++failed;
    console.log(`FAIL  ${name}: ${problem.stack}`);
  }
}
await site.end();
process.exit(failed === 0 ? 0 : 1);
