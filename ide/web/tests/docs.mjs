// The documentation with the site in it: every whole example opens in a studio below it, and follows the keys.
//
//     node docs.mjs DOCUMENTATION [PICTURES]
import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Site } from '../../studio/tests/browse.mjs';

const [folder, pictures] = process.argv.slice(2);
const site = await new Site(folder).start();
let page;
const state = (studio) => studio.locator('.light').getAttribute('data-state');
const until = async (wanted, what) => {
  for (let i = 0; i < 600; ++i, await page.waitForTimeout(100)) if (await wanted()) return;
  throw new Error(`waited in vain for ${what}`);
};

let failed = 0;
let examples = 0;
const pages = readdirSync(folder, { recursive: true }).filter(
  (file) => file.endsWith('index.html') && /cat &gt; \S+ &lt;&lt;'END'|language-hrg/.test(readFileSync(join(folder, file), 'utf8')),
);
for (const file of pages.sort()) {
  site.complaints.length = 0;
  page = await site.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(site.server.address + file.replace(/index\.html$/, ''));
    await page.waitForTimeout(200); // the buttons come when the studio has been found
    for (let left = await page.locator('button.live').count(); left > 0; --left) {
      await page.locator('button.live').first().click();
      const frame = page.locator('iframe').last();
      const studio = frame.contentFrame();
      await studio.locator('.board .status').waitFor();
      await until(async () => (await state(studio)) === 'fine', 'a text without mistakes');
      ++examples;
      await frame.scrollIntoViewIfNeeded();
      if (pictures) await page.screenshot({ path: join(pictures, `docs-${examples}.png`) });
      await studio.locator('.cm-content').focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' ) mistake');
      await until(async () => (await state(studio)) === 'failed', 'a mistake');
    }
    assert.deepEqual(site.complaints, []);
  } catch (problem) {
    ++failed;
    console.log(`FAIL  ${file}: ${problem.stack}`);
  }
  await page.close();
}
console.log(`${failed ? 'FAIL ' : 'ok   '} ${examples} examples of the documentation are live`);
assert(failed || examples >= 6, `only ${examples} examples`);
await site.end();
process.exit(failed === 0 ? 0 : 1);
