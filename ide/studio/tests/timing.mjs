// How long one waits in the studio: until a game is there, and from a key until what is wrong and how the automaton
// looks are shown. Percentiles over many keys at places spread over the text.
//
//     node timing.mjs RGTRANS|SITE [GAME [KEYS]]
import { studioOf } from './browse.mjs';

const [rgtrans, game = 'hrg/chess.hrg', keys = '60'] = process.argv.slice(2);
const studio = await studioOf(rgtrans).start();

console.log('| | median | 95 % | most (ms) | times |\n|---|---|---|---|---|');
function told(what, times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(0);
  console.log(`| ${what} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${times.length} |`);
}

// --- Opening. ---
const first = [], ready = [];
for (let i = 0; i < 8; ++i) {
  const page = await studio.newPage();
  await studio.openGame(page, game);
  first.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  ready.push(await page.evaluate(() => performance.now()));
  await page.close();
}
told('opening: first paint', first);
told('opening: the board is drawn (as seen by polling)', ready);

// --- Keys. ---
// The clock runs in the page: from the key to the frame behind the change that it makes.
const page = await studio.newPage();
await studio.openGame(page, game, 'automaton');
await page.locator('.automaton .zoom svg .n').first().waitFor();
await page.evaluate(() => {
  const frame = (done) => requestAnimationFrame(() => setTimeout(done));
  let begin = 0;
  addEventListener('keydown', () => { begin = performance.now(); }, { capture: true });
  window.times = { drawn: [], marked: [], cleared: [] };
  const watch = (selector, list, wanted) =>
    new MutationObserver((changes) => {
      if (wanted(changes)) {
        const from = begin;
        frame(() => window.times[list()].push(performance.now() - from));
      }
    }).observe(document.querySelector(selector), {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['data-version'],
    });
  watch(
    '.automaton .zoom',
    () => 'drawn',
    (changes) => changes.some((c) => c.attributeName === 'data-version'),
  );
  let errors = 0;
  watch('.cm-content', () => (errors ? 'marked' : 'cleared'), () => {
    const now = document.querySelectorAll('.cm-lintRange-error').length;
    const changed = (now > 0) !== (errors > 0);
    errors = now;
    return changed;
  });
});
const count = (list) => page.evaluate((list) => window.times[list].length, list);
const until = async (list, before) =>
  page.waitForFunction(([list, before]) => window.times[list].length > before, [list, before], { polling: 5 });

// A key doubles the line of an assignment, the next one takes that back: each adds or removes edges somewhere else.
const labels = await page.locator('.rgt text.e').allTextContents();
const steps = labels.flatMap((label, i) =>
  /^\w+(\[.*\])? = [^*]+$/.test(label) && !/^player|^goals/.test(label) ? [i] : [],
);
let skipped = 0;
for (let i = 0; i < Number(keys) / 2 && skipped < 40; ++i) {
  await page.locator('.rgt text.e').nth(steps[(i * 37) % steps.length]).dispatchEvent('click');
  await page.locator('.cm-content').focus();
  const before = await page.evaluate(() => document.querySelector('.light').textContent);
  let was = await count('drawn');
  await page.keyboard.press('Shift+Alt+ArrowDown');
  await page.waitForTimeout(700);
  if (
    (await page.evaluate((before) => document.querySelector('.light').textContent === before, before)) ||
    (await count('drawn')) === was
  ) {
    await page.evaluate((was) => {
      window.times.drawn.length = was;
    }, was);
    await page.keyboard.press('Control+z');
    await page.waitForTimeout(700);
    await page.evaluate((was) => { window.times.drawn.length = was; }, was);
    --i; ++skipped; steps.splice((i + 1) * 37 % steps.length, 1);
    continue;
  }
  was = await count('drawn');
  await page.keyboard.press('Control+z');
  await until('drawn', was);
  await page.waitForTimeout(150);
}
told('key to the automaton that it changes', await page.evaluate(() => window.times.drawn));

// Within a comment nothing of the automaton changes but the places in the text.
await page.keyboard.press('Control+Home');
await page.keyboard.type('//');
await page.waitForTimeout(1000);
await page.evaluate(() => { window.times.drawn = []; });
for (let i = 0; i < Number(keys); ++i) {
  const before = await count('drawn');
  await page.keyboard.press(i % 2 ? 'Backspace' : 'x');
  await until('drawn', before);
  await page.waitForTimeout(150);
}
told('key in a comment to the same automaton', await page.evaluate(() => window.times.drawn));
await page.keyboard.press('End');
await page.keyboard.press('Enter');
await page.waitForTimeout(1000);

for (let i = 0; i < Number(keys) / 2; ++i) {
  for (const [key, list] of [['}', 'marked'], ['Backspace', 'cleared']]) {
    const before = await count(list);
    await page.keyboard.press(key);
    await until(list, before);
    await page.waitForTimeout(150);
  }
}
told('key to a mistake that is marked', await page.evaluate(() => window.times.marked));
told('key to a mistake that is gone', await page.evaluate(() => window.times.cleared));
await studio.end();
