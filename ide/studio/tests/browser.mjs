// The studio and the pages of games in a real browser, as people use them: by clicking, typing, and keys.
//
//     [RGTRANS_GAMES=PATTERN] [RGTRANS_SITE=FOLDER] node browser.mjs RGTRANS SOURCES [quick|full] [NAME…]
//
// With a folder, the studio is the site there; tests of folders and of the server fail then.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fine, kDesk, kPhone, pointAtAMove, studioOf } from './browse.mjs';

const [rgtrans, sources, extent = 'quick', ...only] = process.argv.slice(2);
const run = (...args) => execFileSync(rgtrans, args, { maxBuffer: 1 << 28 }).toString();

const kQuick = [
  'hrg/nine-mens-morris.hrg',
  'rbg/english-draughts.rbg',
  'gdl/connect-four.kif',
  'gdl/prisoners-dilemma.kif',
  'ludax/hex.ldx',
];
function allGames() {
  const list = [];
  for (const [folder, extension] of [
    ['hrg', '.hrg'],
    ['rbg', '.rbg'],
    ['gdl', '.kif'],
    ['ludax', '.ldx'],
    ['ludii', '.lud'],
    ['linegames/variants', '.linegame'],
  ]) {
    for (const name of readdirSync(join(sources, 'games', folder)).sort())
      if (name.endsWith(extension)) list.push(`${folder}/${name}`);
  }
  return list;
}
const games = (extent === 'full' ? allGames() : kQuick).filter((game) =>
  new RegExp(process.env.RGTRANS_GAMES ?? '').test(game),
);

const studio = await studioOf(process.env.RGTRANS_SITE ?? rgtrans).start();
const { complaints, temporary } = studio;
const newPage = (options) => studio.newPage(options);
const openGame = (page, game, view) => studio.openGame(page, game, view);
const made = (page) => page.locator('.made li').count();

// What both drawings of a change show stands at the same place in both, but for the little whose surroundings are
// others: a chain that begins elsewhere, or a node that another check has taken over.
const halvesAgree = (page) =>
  page.evaluate(() => {
    const [before, after] = ['.before', '.after'].map((side) => {
      const places = new Map();
      document.querySelectorAll(`${side} svg > g.n, ${side} svg > g.c`).forEach((box) => {
        if (getComputedStyle(box).display !== 'none')
          places.set(`${box.textContent}`, [...(places.get(box.textContent) ?? []), box.getAttribute('transform')]);
      });
      return places;
    });
    let shared = 0,
      moved = 0;
    for (const [text, places] of before) {
      const others = after.get(text);
      if (others && places.length === 1 && others.length === 1) {
        ++shared;
        if (places[0] !== others[0]) ++moved;
      }
    }
    return shared > 0 && 3 * moved < shared;
  });

// --- The tests. ---
const tests = {
  async 'every game opens, is drawn, is played by pointing and taken back, and counts its leaves'() {
    const page = await newPage();
    for (const game of games) {
      try {
        await openGame(page, game);
        assert((await page.locator('.cm-line').count()) > 3, 'there is a text');
        let moves = 0;
        while (moves < 10 && (await pointAtAMove(page))) ++moves;
        assert(moves > 0 && (await made(page)) >= 1, 'moves were made');
        for (let i = 0; i < 40 && (await made(page)) > 0; ++i) {
          const count = await made(page);
          await page.getByRole('button', { name: 'Undo' }).click();
          await page.waitForFunction((count) => document.querySelectorAll('.made li').length < count, count);
        }
        assert.equal(await made(page), 0);
        await page.getByRole('tab', { name: 'Automaton' }).click();
        await page.locator('.automaton .zoom svg .n').first().waitFor();
        if (!game.includes('19x19') && !game.includes('amazons')) {
          await page.getByRole('tab', { name: 'Bench' }).click();
          await page.getByLabel('Depth').fill('2');
          await page.getByRole('button', { name: 'Count', exact: true }).click();
          const shown = (await page.locator('.total').textContent()).replaceAll(',', '');
          const wanted = run('perft', join(sources, 'games', game), '2')
            .trim()
            .split('\n')
            .at(-1)
            .split('\t')[1];
          assert.equal(shown, wanted, 'leaves at depth 2');
        }
      } catch (problem) {
        problem.message = `${game}: ${problem.message}`;
        throw problem;
      }
    }
    await page.close();
  },

  async 'passes can be stepped through and switched'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg', 'passes');
    const rows = page.locator('.line button');
    await rows.first().waitFor();
    const count = await rows.count();
    assert(count > 3);
    for (let i = 1; i < count; ++i) {
      await page.getByTitle('The next change').click();
      await page.waitForFunction(
        (wanted) => document.querySelector('.what h2').textContent.startsWith(wanted),
        `${i + 1} of`,
      );
    }
    assert((await page.locator('.passes .two svg').count()) === 2);
    assert(await halvesAgree(page));
    await page.getByText('Passes and time').click();
    await page.locator('.switches label', { hasText: 'skip-edges' }).locator('input').uncheck();
    await page.waitForFunction(
      () => ![...document.querySelectorAll('.line button')].some((row) => row.textContent.startsWith('skip-edges')),
    );
    await page.close();
  },

  async 'the page of --html-trace shows the same as the studio'() {
    const file = join(temporary, 'trace.html');
    run('--html-trace', file, '-o', join(temporary, 'out.rg'), join(sources, 'games/hrg/hex.hrg'));
    assert(statSync(file).size < 1e6, `hex's trace page has ${statSync(file).size} bytes`);
    const [alone, page] = [await newPage(), await newPage()];
    await alone.goto(`file://${file}`);
    await openGame(page, 'hrg/hex.hrg', 'passes');
    await page.locator('.line button').first().waitFor();
    const count = await alone.locator('.line button').count();
    assert.equal(await page.locator('.line button').count(), count);
    const told = (where) =>
      where.evaluate(() =>
        ['.what', '.lines', '.before svg', '.after svg'].map((part) => document.querySelector(part).textContent),
      );
    for (let i = 0; i < count; ++i) {
      for (const where of [alone, page]) {
        await where.locator('.line button').nth(i).dispatchEvent('click');
        await where.waitForFunction((i) => document.querySelector('.what h2').textContent.startsWith(`${i + 1} of`), i);
      }
      await page.waitForFunction(
        (wanted) => document.querySelector('.lines').textContent === wanted,
        (await told(alone))[1],
      );
      assert.deepEqual(await told(page), await told(alone));
      assert(await halvesAgree(alone));
    }
    await alone.keyboard.press('ArrowLeft');
    await alone.waitForFunction(
      (wanted) => document.querySelector('.what h2').textContent.startsWith(wanted),
      `${count - 1} of`,
    );
    await alone.close();
    await page.close();
  },

  async 'a piece can be dragged, an opponent answers, and a hint tells what moves promise'() {
    const page = await newPage();
    await openGame(page, 'hrg/breakthrough.hrg');
    await page.getByLabel('Who plays black').selectOption({ index: 1 });
    await page.waitForTimeout(400); // the board is drawn again for another player
    const middle = (cell) =>
      page.locator(`.stage g[data-cell="${cell}"]`).evaluate((place) => {
        const box = place.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      });
    await page.mouse.move(...(await middle('S(2,2)')));
    await page.mouse.down();
    await page.mouse.move(...(await middle('S(2,3)')), { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll('.made li').length === 2);
    assert.match(await page.locator('.made li').first().textContent(), /white.*b2 b3/);
    assert.match(await page.locator('.made li').nth(1).textContent(), /black/);
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.advice').first().waitFor();
    assert.match(await page.locator('.told').textContent(), /^Best: [a-h]\d [a-h]\d/);
    assert.equal(await page.locator('.last').count(), 2, 'the last move is marked');
    await page.locator('.legal .best').waitFor();
    assert((await page.locator('.part').count()) === 2, 'what both players may expect is told');
    await page.close();
  },

  async 'a mistake shows and goes'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('nonsense here;\n');
    await page.locator('.cm-lintRange-error').first().waitFor();
    await page.waitForFunction(() => document.querySelector('.light').dataset.state === 'failed');
    assert((await page.locator('.problems button').count()) > 0);
    for (let i = 0; i < 4; ++i) await page.keyboard.press('Control+z');
    await fine(page);
    await page.waitForFunction(() => document.querySelectorAll('.cm-lintRange-error').length === 0);
    assert(await page.locator('.problems').isHidden());
    await page.close();
  },

  async 'two texts keep their histories, and a link shows the same'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg');
    await page.locator('.picker').click();
    await page.getByLabel('Search').fill('hex');
    await page.locator('.gallery [data-game="preset:hrg/hex.hrg"]').first().click();
    await fine(page);
    await page.waitForFunction(() => document.querySelectorAll('.stage g[data-cell]').length === 121);
    await page.locator('.file button', { hasText: 'tic-tac-toe.hrg' }).first().click();
    await page.waitForFunction(() => document.querySelectorAll('.stage g[data-cell]').length === 9);
    await pointAtAMove(page);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// é😀\n');
    await fine(page);
    await page.waitForTimeout(500);
    const link = page.url();
    const other = await newPage();
    await other.goto(link);
    await fine(other);
    await other.waitForFunction(() => document.querySelectorAll('.made li').length === 1);
    assert.equal(await other.locator('.cm-line').first().textContent(), '// é😀');
    assert.equal(await other.locator('.file').count(), 2);
    await other.close();
    await page.close();
  },

  async 'closing a text with changes asks, and a new name keeps them'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg');
    await page.locator('.picker').click();
    await page.getByLabel('Search').fill('nim');
    await page.locator('.gallery [data-game="preset:hrg/nim.hrg"]').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.file').length === 2);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// mine\n');
    await page.locator('.file.on .close').click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.locator('.file').count(), 2, 'nothing was closed');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Control+s');
    assert.equal((await download).suggestedFilename(), 'nim.hrg');
    await page.locator('.file.on .close').click();
    await page.waitForFunction(() => document.querySelectorAll('.file').length === 1);
    await page.close();
  },

  async 'a file that changed on the disk is not overwritten without a question'() {
    const folder = join(temporary, 'folder');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'mine.hrg');
    writeFileSync(file, readFileSync(join(sources, 'games/hrg/tic-tac-toe.hrg')));
    await studio.stopServer();
    await studio.start(0, folder);
    const page = await newPage();
    await page.goto(studio.server.address);
    await fine(page);
    assert.match(await page.locator('.file.on').textContent(), /mine\.hrg/, 'the only game of the folder is shown');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// one\n');
    writeFileSync(file, '// other\n' + readFileSync(file));
    await page.keyboard.press('Control+s');
    await page.locator('.texts .other').first().waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.waitForFunction(() => document.querySelector('.light').textContent === 'saved');
    assert.match(readFileSync(file, 'utf8'), /^\/\/ one\n/);
    await page.close();
    await studio.stopServer();
    await studio.start();
  },

  async 'a game begins in the wizard, is changed, played, weighed and published'() {
    const folder = join(temporary, 'empty');
    mkdirSync(folder, { recursive: true });
    await studio.stopServer();
    await studio.start(0, folder);
    const page = await newPage();
    await page.goto(studio.server.address);
    await page.getByLabel('Name of the game').fill('My hex');
    await page.getByLabel('Columns', { exact: true }).fill('5');
    await page.getByLabel('Rows', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.stage g[data-cell]').length === 25);
    await page.waitForFunction(() => /moves/.test(document.querySelector('.board .status').textContent));
    await pointAtAMove(page);
    assert.match(await page.locator('.made li').first().textContent(), /^red[a-e][1-5]$/);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('// display: colour red gold\n');
    await fine(page);
    await page.getByRole('tab', { name: 'Balance' }).click();
    await page.locator('.balance input').fill('4');
    await page.getByRole('button', { name: 'Analyze' }).click();
    await page.locator('.verdict').waitFor();
    assert.match(await page.locator('.verdict').textContent(), /score of red is \d+ %/);
    await page.keyboard.press('Control+s');
    await page.getByLabel('Name of the file').fill('my-hex.hrg');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.waitForFunction(() => document.querySelector('.light').textContent === 'saved');
    assert.match(readFileSync(join(folder, 'my-hex.hrg'), 'utf8'), /colour red gold/);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Publish' }).click();
    const published = join(temporary, 'my-hex.html');
    await (await download).saveAs(published);
    await studio.stopServer();
    const offline = await newPage();
    await offline.goto(`file://${published}`);
    await offline.locator('.stage g.can').first().click();
    await offline.waitForFunction(() => document.querySelectorAll('aside ol li').length === 2);
    await offline.reload();
    await offline.waitForFunction(() => document.querySelectorAll('aside ol li').length === 2);
    assert.match(await offline.locator('.rules').textContent(), /5 x 5 hexagons/);
    await offline.close();
    await page.close();
    for (let i = complaints.length; i-- > 0;)
      if (/WebSocket|ERR_CONNECTION/.test(complaints[i])) complaints.splice(i, 1);
    await studio.start();
  },

  async 'a position is set up by dragging, played, shared and left'() {
    const page = await newPage();
    await openGame(page, 'hrg/chess.hrg');
    const middle = (cell) =>
      page.locator(`.stage g[data-cell="${cell}"]`).evaluate((place) => {
        const box = place.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      });
    const piece = (cell) => page.locator(`.stage g[data-cell="${cell}"] [data-piece]`).count();
    const lift = async (from, to) => {
      await page.mouse.move(...(await middle(from)));
      await page.mouse.down();
      await page.mouse.move(...(await middle(to)), { steps: 4 });
      await page.mouse.up();
    };
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.locator('.palette button').nth(12).waitFor();
    await lift('S(5,2)', 'S(5,5)');
    await page.waitForFunction(() => document.querySelector('.stage g[data-cell="S(5,5)"] [data-piece]'));
    assert.equal(await piece('S(5,2)'), 0);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.locator('.stage g[data-cell="S(4,8)"]').click();
    await page.waitForFunction(() => !document.querySelector('.stage g[data-cell="S(4,8)"] [data-piece]'));
    await page.locator('.palette button[aria-label*="queen"]').first().click();
    await page.locator('.stage g[data-cell="S(4,4)"]').click();
    await page.waitForFunction(() => document.querySelector('.stage g[data-cell="S(4,4)"] [data-piece]'));
    // A king is known by its place, too.
    await page.locator('.palette button[aria-pressed="true"]').click();
    await lift('S(5,1)', 'S(5,3)');
    await page.getByText(/they named the cell: kingAt/).waitFor();
    await page.getByRole('button', { name: 'Play from here' }).click();
    await page.waitForFunction(() =>
      document.querySelector('.board .status').textContent.includes('a position that was set up'),
    );
    assert.equal(await piece('S(5,3)'), 1);
    assert.equal(await made(page), 0);
    await page.locator('.legal button', { hasText: /^e5 e6$/ }).click();
    await page.waitForFunction(() => document.querySelectorAll('.made li').length === 1);
    await page.waitForTimeout(500);
    const other = await newPage();
    await other.goto(page.url());
    await fine(other);
    await other.waitForFunction(() => document.querySelectorAll('.made li').length === 1);
    assert.equal(await other.locator('.stage g[data-cell="S(4,8)"] [data-piece]').count(), 0, 'a link shows the same');
    await other.close();
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByRole('button', { name: 'Starting position' }).click();
    await page.waitForFunction(() => document.querySelector('.stage g[data-cell="S(4,8)"] [data-piece]'));
    await page.close();
  },

  async 'variants of declared parameters are ranked with their boards'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg', 'balance');
    await page.getByRole('button', { name: 'Compare variants' }).click();
    await page.getByText('No line of this text declares a parameter').waitFor();
    const line = page.locator('.cm-line', { hasText: 'domain Score' }).first();
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' // vary draw: 50 in 60');
    await fine(page);
    await page.locator('.balance input').fill('4');
    await page.getByRole('button', { name: 'Compare variants' }).click();
    await page.getByText('2 variants; the best one first').waitFor();
    assert.equal(await page.locator('.variant svg').count() + (await page.locator('.variant .problem').count()), 2);
    assert.match((await page.locator('.variant h3').allTextContents()).sort().join(), /^draw 50,draw 60$/);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.waitForFunction(() => /vary draw: 60 in/.test(document.querySelector('.cm-content').textContent));
    await page.close();
  },

  async 'two pages do not disturb each other'() {
    const [one, two] = [await newPage(), await newPage()];
    await openGame(one, 'hrg/tic-tac-toe.hrg');
    await openGame(two, 'hrg/connect-four.hrg');
    await pointAtAMove(one);
    await pointAtAMove(two);
    assert.equal(await one.locator('.stage g[data-cell]').count(), 9);
    assert.equal(await two.locator('.stage g[data-cell]').count(), 42);
    await one.close();
    await two.close();
  },

  async 'the program goes and comes back'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg');
    await pointAtAMove(page);
    const port = Number(new URL(studio.server.address).port);
    await studio.stopServer();
    await page.locator('.away').waitFor({ state: 'visible' });
    await studio.start(port);
    await page.locator('.away').waitFor({ state: 'hidden' });
    await fine(page);
    await page.waitForFunction(() => document.querySelectorAll('.made li').length === 1);
    await pointAtAMove(page);
    // That nobody answered is what the browser says of it.
    for (let i = complaints.length; i-- > 0;)
      if (/WebSocket|ERR_CONNECTION/.test(complaints[i])) complaints.splice(i, 1);
    await page.close();
  },

  async 'the keyboard is enough'() {
    const page = await newPage();
    await openGame(page, 'hrg/chess.hrg');
    await page.keyboard.press('Alt+3');
    await page.locator('.automaton .zoom svg .n').first().waitFor();
    await page.keyboard.press('Alt+2');
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.matches('g.can') === true)) break;
    }
    const cell = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const first = await cell();
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await cell(), first, 'arrows go from cell to cell');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.made li').length === 1);
    await page.waitForFunction(() => document.activeElement?.matches('g.can') === true);
    await page.close();
  },

  async 'the walk of a move is shown on the automaton, and clicks go to the text'() {
    const page = await newPage();
    await openGame(page, 'hrg/tic-tac-toe.hrg');
    await pointAtAMove(page);
    await page.getByRole('tab', { name: 'Automaton' }).click();
    await page.locator('.rgt .walked').first().waitFor();
    assert.match(await page.locator('.walk-text').textContent(), /^step \d+ of \d+/);
    await page.getByTitle('First step').click();
    assert.match(await page.locator('.walk-text').textContent(), /^step 1 of/);
    await page.locator('.rgt text.e').first().dispatchEvent('click');
    await page.locator('.cm-line .place').first().waitFor();
    await page.close();
  },

  async 'a walk stops at breakpoints of nodes and lines, and shows the variables'() {
    const page = await newPage();
    await openGame(page, 'hrg/breakthrough.hrg');
    await pointAtAMove(page);
    await page.getByRole('tab', { name: 'Automaton' }).click();
    await page.locator('.rgt .walked').first().waitFor();
    const text = () => page.locator('.walk-text').textContent();
    const steps = Number((await text()).match(/of (\d+)/)[1]);
    assert(steps > 2, 'a move has several steps');
    await page.getByTitle('First step').click();
    const lineOf = async () => page.evaluate(() => document.querySelector('.cm-line:has(.place)')?.textContent);
    // The line of the last step but one of those that belong to another line than the first.
    const first = await lineOf();
    let wanted = 0;
    for (let i = 2; i <= steps && wanted === 0; ++i) {
      await page.getByTitle('One step on (.)').click();
      if ((await lineOf()) !== first) wanted = i;
    }
    assert(wanted > 0, 'the move goes over several lines');
    const before = await text();
    await page.locator('.cm-line .place').first().click();
    await page.keyboard.press('F9');
    await page.locator('.cm-breaks .break-mark').nth(1).waitFor();
    await page.getByTitle('First step').click();
    await page.getByTitle(/To the next breakpoint/).click();
    assert.equal(await text(), before, 'it stops at the line');
    assert((await page.locator('.watch tr').count()) > 1, 'variables are listed');
    await page.getByTitle(/To the next breakpoint/).click();
    assert((await page.locator('.watch .fresh').count()) > 0, 'the last step writes the player');
    assert.match(await text(), new RegExp(`^step ${steps} of`));
    // A node that is drawn as a box, and not the one where the move begins.
    await page.locator('.cm-breaks .break-mark').nth(1).click();
    await page.getByTitle('First step').click();
    const begin = (await text()).match(/: (\S+) →/)[1];
    await page.getByTitle(/To the next breakpoint/).click();
    const nodes = (await page.locator('.rgt g.n.walked:not(.s) text').allTextContents()).filter(
      (name) => name !== begin,
    );
    assert(nodes.length > 0);
    await page
      .locator('.rgt g.n.walked:not(.s)', { has: page.locator(`text:text-is("${nodes[0]}")`) })
      .first()
      .dispatchEvent('click', { shiftKey: true });
    await page.getByTitle('First step').click();
    await page.getByTitle(/To the next breakpoint/).click();
    assert((await text()).includes(`: ${nodes[0]} →`), 'it stops at the node');
    await page.close();
  },

  async 'two sets of passes are compared, and work can be cancelled'() {
    const page = await newPage();
    await openGame(page, 'hrg/connect-four.hrg', 'bench');
    await page.getByLabel('Compare with').selectOption('level:0');
    await page.getByLabel('Depth').fill('2');
    await page.getByLabel('Plays of each').fill('20');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const row = page.locator('.sides tr', { hasText: 'leaves at depth' });
    await row.waitFor();
    assert.deepEqual(await row.locator('td').allTextContents(), ['49', '49']);
    assert.equal(await page.locator('.two-results .histogram').count(), 2);
    await page.getByLabel('Depth').fill('9');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await page.locator('.bench progress').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await page.locator('.problem', { hasText: 'cancelled' }).waitFor();
    await page.close();
  },

  async 'nothing is cut on a small window'() {
    for (const { viewport } of [kDesk, kPhone]) {
      const page = await newPage({ viewport });
      await openGame(page, 'hrg/chess.hrg');
      for (const view of ['Board', 'Automaton', 'Passes', 'Bench']) {
        await page.getByRole('tab', { name: view, exact: true }).click();
        await page.waitForTimeout(200);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(width <= viewport.width, `${view} is ${width} wide on ${viewport.width}`);
      }
      await page.close();
    }
  },

  async 'pages of games play to the end like the interpreter'() {
    const page = await newPage();
    for (const game of games) {
      try {
        const source = join(sources, 'games', game);
        const file = join(temporary, 'game.html');
        const records = join(temporary, 'records.jsonl');
        run('page', source, '-o', file);
        await page.goto(`file://${file}`);
        await page.waitForFunction(() => window.game !== undefined);
        const players = await page.evaluate(() => {
          document.querySelectorAll('aside select').forEach((select) => {
            select.value = 'you';
            select.onchange();
          });
          return window.game.reasoner.players.length;
        });
        run(
          'match',
          source,
          ...Array(Math.max(2, players)).fill('random'),
          '--count',
          '1',
          '--seed',
          '11',
          '--records',
          records,
        );
        const record = JSON.parse(readFileSync(records, 'utf8').split('\n')[0]);
        const goals = await page.evaluate((moves) => {
          const { reasoner } = window.game;
          window.game.restart();
          for (const move of moves) {
            if (move === '' && reasoner.mover() !== 'keeper' && !window.game.moves.some((other) => other.text === ''))
              continue;
            window.game.play(move);
          }
          return reasoner.terminal()
            ? Object.fromEntries(reasoner.players.map((player) => [player, Number(reasoner.goal(player))]))
            : null;
        }, record.moves);
        assert.deepEqual(goals, record.goals);
        assert.match(await page.locator('.status').textContent(), /over/);
      } catch (problem) {
        problem.message = `${game}: ${problem.message}`;
        throw problem;
      }
    }
    await page.close();
  },

  async 'the page of a game that hides something shows what its player may know'() {
    const page = await newPage();
    const file = join(temporary, 'game.html');
    run('page', join(sources, 'games/hrg/kuhn-poker.hrg'), '-o', file);
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.querySelector('.legal button') !== null);
    const told = () => page.locator('.facts dd').first().getAttribute('title');
    assert.match(await told(), /^D\((jack|queen|king),\?\)$/, 'the own card alone');
    assert(!/[(,](jack|queen|king)[,)]/.test(await page.locator('aside ol').textContent()), 'the deal is not told');
    await page.getByLabel('Whose eyes see the board').selectOption('-1');
    assert.match(await told(), /^D\(\w+,\w+\)$/);
    run('page', join(sources, 'games/hrg/battleships.hrg'), '-o', file);
    await page.goto(`file://${file}`);
    for (let i = 0; i < 2; ++i) {
      await page.locator('.stage g.can').first().click();
      await page.waitForTimeout(200);
      const asked = page.locator('.choices button').first();
      if (await asked.count()) await asked.click();
    }
    await page.waitForFunction(() => document.querySelectorAll('aside ol li').length >= 2);
    await page.close();
  },

  async 'the report of a batch opens, whatever its inputs are called'() {
    const games = join(temporary, 'batch');
    mkdirSync(games, { recursive: true });
    writeFileSync(join(games, 'wrong.hrg'), 'domain Player = a | b\n');
    const report = join(temporary, 'report.html');
    try {
      run(
        'batch',
        '-o',
        join(temporary, 'converted'),
        '--report',
        report,
        games,
        relative('.', join(sources, 'games/linegames/variants')),
      );
      assert.fail('a game with a mistake was converted');
    } catch (problem) {
      assert.equal(problem.status, 1);
    }
    const page = await newPage();
    await page.goto(`file://${report}`);
    await page.locator('#games tbody tr').first().waitFor();
    await page.locator('#games a', { hasText: 'wrong.hrg' }).click();
    assert.match(await page.locator('#one').textContent(), /What went wrong/);
    await page.close();
  },

  async 'the page of a game answers a move'() {
    const file = join(temporary, 'game.html');
    run('page', join(sources, 'games/hrg/tic-tac-toe.hrg'), '-o', file);
    const page = await newPage();
    await page.goto(`file://${file}`);
    await page.locator('.stage g.can').first().click();
    await page.waitForFunction(() => document.querySelectorAll('aside ol li').length === 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction(() => document.querySelectorAll('aside ol li').length === 0);
    await page.close();
  },
};

// A browser under load can be late for once: who fails is tried a second time, and that is told.
const kTries = 2;
let failed = 0;
let passed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
  for (let tried = 1; tried <= kTries; ++tried) {
    const begin = Date.now();
    try {
      if (!studio.server) await studio.start();
      await test();
      assert(complaints.length === 0, `the browser complains: ${complaints.join('; ')}`);
      ++passed;
      console.log(
        `ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)${tried > 1 ? ', at the second try' : ''}`,
      );
      break;
    } catch (problem) {
      failed += tried === kTries ? 1 : 0;
      console.log(`${tried === kTries ? 'FAILED ' : 'again  '} ${name}: ${problem.message}`);
    } finally {
      complaints.length = 0;
    }
  }
}
await studio.end();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
