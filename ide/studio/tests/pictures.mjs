// The pictures of docs/studio.md, made by using the studio. With `all` every view also on a phone, and boards of more
// games, to be looked at.
//
//     node pictures.mjs RGTRANS SOURCES FOLDER [docs|all]
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { kDesk, kPhone, Studio } from './browse.mjs';

const [rgtrans, sources, folder, extent = 'docs', ...only] = process.argv.slice(2);
const studio = await new Studio(rgtrans).start();
mkdirSync(folder, { recursive: true });
const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();
const rest = (page, ms = 500) => page.waitForTimeout(ms);
const ofPhone = (page) => page.viewportSize().width < 760;

async function point(page, ...names) {
  for (const name of names) {
    await page.locator(`.stage g[data-cell="${name}"]`).dispatchEvent('click');
    await rest(page, 250);
  }
}
async function some(page, count, way = 7) {
  for (let i = 0; i < count; ++i) {
    const made = await page.locator('.made li').count();
    const done = await page.evaluate(([i, way]) => {
      const all = document.querySelectorAll('.legal button');
      all[(i * way) % Math.max(1, all.length)]?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return all.length === 0;
    }, [i, way]);
    if (done) return;
    await page.waitForFunction((made) => document.querySelectorAll('.made li').length > made, made).catch(() => {});
  }
}

const shots = {
  async chess(page) {
    await studio.openGame(page, 'hrg/chess.hrg');
    await some(page, 6, 5);
    await point(page, 'S(2,1)');
  },
  async mistake(page) {
    await studio.openGame(page, 'hrg/tic-tac-toe.hrg', ofPhone(page) ? 'text' : 'board');
    const line = page.locator('.cm-line', { hasText: 'domain' }).nth(1);
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' | Nobody');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('winner : Plyer = none');
    await page.locator('.cm-lintRange-error').first().waitFor();
    await rest(page, 700);
  },
  async battleships(page) {
    await studio.openGame(page, 'hrg/battleships.hrg');
    await some(page, 26, 5);
    await page.getByLabel('Whose eyes see the board').selectOption('0');
    await rest(page);
  },
  async hint(page) {
    await studio.openGame(page, 'hrg/connect-four.hrg');
    await some(page, 9, 3);
    await page.getByRole('button', { name: 'Hint' }).click();
    await rest(page, 3600);
  },
  async go(page) {
    await studio.openGame(page, 'rbg/go-9x9.rbg');
    await some(page, 24, 17);
  },
  async line(page) {
    await studio.openGame(page, 'linegames/variants/wheel-whole-mandatory.linegame');
    await some(page, 5, 3);
  },
  async dark(page) {
    await studio.openGame(page, 'hrg/hex.hrg');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await some(page, 22, 19);
  },
  async automaton(page) {
    await studio.openGame(page, 'hrg/breakthrough.hrg');
    await some(page, 3, 5);
    await tab(page, 'Automaton');
    await page.locator('.rgt .walked').first().waitFor();
    await page.getByTitle('One step back (,)').click();
    await rest(page);
  },
  async passes(page) {
    await studio.openGame(page, 'hrg/tic-tac-toe.hrg', 'passes');
    await page.locator('.line button').first().waitFor();
    await page.locator('.line button', { hasText: 'merge-nodes' }).first().click();
    await page.waitForFunction(
      () =>
        document.querySelector('.what h2').textContent.includes('merge-nodes') && document.querySelector('.after svg'),
    );
    await rest(page);
  },
  async bench(page) {
    await studio.openGame(page, 'hrg/breakthrough.hrg', 'bench');
    await page.getByLabel('Depth').fill('3');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.locator('.total').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.histogram').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('.bench progress'));
    await rest(page);
  },
  async phone(page) {
    await studio.openGame(page, 'rbg/reversi.rbg');
    await some(page, 12, 3);
  },
  async page(page) {
    const file = join(studio.temporary, 'game.html');
    execFileSync(rgtrans, ['page', join(sources, 'games/hrg/tic-tac-toe.hrg'), '-o', file]);
    await page.goto(`file://${file}`);
    await page.locator('.stage g.can').nth(4).click();
    await page.waitForFunction(() => document.querySelectorAll('aside ol li').length === 2);
    await rest(page);
  },
};

// More to look at.
const more = {
  async explained(page) {
    if (ofPhone(page)) throw new Error('a phone has no mouse');
    await studio.openGame(page, 'hrg/chess.hrg', 'automaton');
    await page.getByLabel('Which automaton').selectOption('optimized');
    await page.locator('.rgt g.n').nth(3).waitFor();
    await rest(page, 800);
    await page.locator('.rgt g.n.u').first().hover({ force: true });
    await page.locator('.tip').waitFor({ state: 'visible' });
  },
  async pragmas(page) {
    await studio.openGame(page, 'hrg/chess.hrg', 'passes');
    await page.locator('.line button', { hasText: 'pragma-unique' }).first().click();
    await page.locator('.pragmas summary').waitFor();
    await page.locator('.pragmas summary').click();
    await rest(page, 800);
  },
  async trace(page) {
    const file = join(studio.temporary, 'trace.html');
    execFileSync(rgtrans, ['--html-trace', file, '-o', '/dev/null', join(sources, 'games/hrg/hex.hrg')]);
    await page.goto(`file://${file}`);
    await page.locator('.line button').nth(4).click();
    await rest(page, 600);
  },
  async comparison(page) {
    await studio.openGame(page, 'hrg/connect-four.hrg', 'bench');
    await page.getByLabel('Compare with').selectOption('level:0');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.locator('.sides').waitFor();
    await page.locator('.two-results .histogram').nth(1).waitFor();
  },
  async found(page) {
    await studio.openGame(page, 'hrg/chess.hrg', 'automaton');
    await page.locator('.automaton .zoom svg .n').first().waitFor();
    await page.getByLabel('Find a node or label').fill('castle');
    await page.keyboard.press('Enter');
    await rest(page);
  },
  async saved(page) {
    await studio.openGame(page, 'hrg/chess.hrg', 'passes');
    await page.locator('.line button').first().waitFor();
    await page.getByText('Passes and time').click();
    await rest(page);
  },
};
for (const game of [
  'hrg/backgammon.hrg',
  'hrg/dots-and-boxes.hrg',
  'gdl/connect-four.kif',
  'hrg/oware.hrg',
  'linegames/variants/draughts.linegame',
  'gdl/eight-puzzle.kif',
  'rbg/chinese-checkers.rbg',
  'rbg/paper-soccer.rbg',
  'hrg/kuhn-poker.hrg',
  'hrg/nine-mens-morris.hrg',
  'hrg/reversi.hrg',
  'rbg/chess.rbg',
  'ludax/hex.ldx',
  'rbg/english-draughts.rbg',
]) {
  more[game.replaceAll(/[/.]/g, '-')] = async (page) => {
    await studio.openGame(page, game);
    await some(page, 6, 5);
  };
}

for (const [name, shoot] of Object.entries(extent === 'all' ? { ...shots, ...more } : shots)) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
  for (const options of extent === 'all' ? [kDesk, kPhone] : [name === 'phone' ? kPhone : kDesk]) {
    const page = await studio.newPage(options);
    const file = join(folder, `studio-${name}${extent === 'all' && options === kPhone ? '-phone' : ''}.png`);
    try {
      await shoot(page);
      if (name !== 'explained') await page.mouse.move(2, 2);
      await page.screenshot({ path: file });
      console.log(file);
    } catch (problem) {
      console.log(`${name}: ${problem.message.split('\n')[0]}`);
      process.exitCode = 1;
    }
    await page.close();
  }
}
for (const complaint of studio.complaints) console.log(`the browser complains: ${complaint}`);
await studio.end();
