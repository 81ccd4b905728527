// The picture of README.md: a board, its automaton with the walk of a move, and a balance report, light and dark.
//
//     node overview.mjs RGTRANS SOURCES FOLDER [REPORT]
//
// REPORT is a page that `rgtrans analyze --report` wrote before. Without it the program writes a new one, which takes
// minutes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Studio } from './browse.mjs';

const [rgtrans, sources, folder, given] = process.argv.slice(2);
const studio = await new Studio(rgtrans).start();
mkdirSync(folder, { recursive: true });
const kGame = 'hrg/breakthrough.hrg';

const report = given ?? join(studio.temporary, 'report.html');
if (given === undefined) {
  const effort = ['--count', '100', '--simulations', '40', '--seconds', '100'];
  execFileSync(rgtrans, ['analyze', ...effort, '--report', report, join(sources, 'games', kGame)]);
}

async function part(scheme, name, width, height, prepare) {
  const page = await studio.newPage({ viewport: { width, height }, deviceScaleFactor: 2, colorScheme: scheme });
  const clip = await prepare(page);
  await page.mouse.move(1, 1);
  const file = join(studio.temporary, `${scheme}-${name}.png`);
  await page.screenshot({ path: file, ...(clip ? { clip } : {}) });
  await page.close();
  return `data:image/png;base64,${readFileSync(file).toString('base64')}`;
}

async function moves(page, count, way) {
  for (let i = 0; i < count; ++i) {
    const made = await page.locator('.made li').count();
    await page.evaluate(([i, way]) => {
      const all = document.querySelectorAll('.legal button');
      all[(i * way) % Math.max(1, all.length)]?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    }, [i, way]);
    await page.waitForFunction((made) => document.querySelectorAll('.made li').length > made, made);
  }
}

const box = (page, selector) => page.locator(selector).first().boundingBox();

for (const scheme of ['light', 'dark']) {
  const board = await part(scheme, 'board', 1180, 760, async (page) => {
    await studio.openGame(page, kGame);
    await moves(page, 9, 5);
    await page.waitForTimeout(500);
    const all = await box(page, '.stage svg');
    const side = Math.min(all.width, all.height);
    return { x: all.x + (all.width - side) / 2, y: all.y + (all.height - side) / 2, width: side, height: side };
  });
  const automaton = await part(scheme, 'automaton', 1180, 760, async (page) => {
    await studio.openGame(page, kGame);
    await moves(page, 3, 5);
    await page.getByRole('tab', { name: 'Automaton', exact: true }).click();
    await page.locator('.rgt .walked').first().waitFor();
    await page.getByTitle('One step back (,)').click();
    await page.waitForTimeout(800);
    const all = await box(page, '.automaton .zoom');
    const node = await box(page, '.rgt .walked');
    const width = 400;
    const x = Math.max(all.x, Math.min(node.x - width / 2, all.x + all.width - width));
    return { x, y: all.y + 40, width, height: 420 };
  });
  const balance = await part(scheme, 'balance', 430, 470, async (page) => {
    await page.goto(`file://${report}`);
    // The title, one chart and the figures: this much of the report fits.
    await page.evaluate((dark) => {
      for (const part of ['h1', 'p', 'figure:nth-of-type(n+2)'])
        for (const found of document.querySelectorAll(part)) found.remove();
      document.body.style.margin = '0';
      document.querySelector('h2').style.margin = '0 0 4px';
      for (const cell of document.querySelectorAll('td, th')) cell.style.padding = '2px 6px';
      if (dark) document.documentElement.style.filter = 'invert(0.9) hue-rotate(180deg)';
    }, scheme === 'dark');
    return null;
  });
  const page = await studio.newPage({
    viewport: { width: 1000, height: 388 },
    deviceScaleFactor: 2,
    colorScheme: scheme,
  });
  const [paper, ink, line] = scheme === 'dark' ? ['#0d1117', '#e6edf3', '#30363d'] : ['#ffffff', '#1f2328', '#d0d7de'];
  const panel = (title, picture) => `<figure><img src="${picture}"><figcaption>${title}</figcaption></figure>`;
  await page.setContent(`<style>
    body { margin: 0; background: ${paper}; color: ${ink}; font: 15px system-ui, sans-serif; }
    main { display: grid; grid-template-columns: 330px 330px 310px; gap: 10px; padding: 5px; }
    figure { margin: 0; }
    img { width: 100%; height: 350px; object-fit: cover; object-position: center top; }
    img { border: 1px solid ${line}; border-radius: 6px; }
    figcaption { text-align: center; padding-top: 4px; }
  </style><main>${panel('Play it', board)}${panel('See the rules as an automaton', automaton)}
  ${panel('Measure its balance', balance)}</main>`);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `overview-${scheme}.png`) });
  await page.close();
}
for (const complaint of studio.complaints) console.log(`the browser complains: ${complaint}`);
await studio.end();
