// Makes dist/ of src/: the studio's page, and the page of a single game as one file, and its
// reasoner as a module, for tests. The same sources and the same
// modules (package-lock.json) give the same bytes.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = process.argv[2] ?? `${here}dist`;
const options = {
  bundle: true,
  minify: true,
  write: false,
  target: ['es2022'],
  charset: 'utf8',
  legalComments: 'none',
  absWorkingDir: here,
};

async function bundled(entry, more = {}) {
  const result = await build({ ...options, format: 'iife', entryPoints: [`src/${entry}`], ...more });
  return result.outputFiles[0].text;
}

// The text of a script or style inside of an element must not end it.
const inside = (text) => text.replaceAll('</', '<\\/');

const worker = await bundled('worker.ts');
const game = await bundled('game.ts', { define: { WORKER_TEXT: JSON.stringify(worker) } });
const gameStyle = await bundled('game.css');
const gamePage = (await readFile(`${here}src/game.html`, 'utf8'))
  .replace('/*STYLE*/', () => gameStyle.trim())
  .replace('/*SCRIPT*/', () => inside(game));

await mkdir(out, { recursive: true });
await writeFile(`${out}/studio.js`, await bundled('studio.ts'));
await writeFile(`${out}/studio.css`, await bundled('studio.css'));
const reasoner = await build({ ...options, format: 'esm', entryPoints: ['src/rg.ts'] });
await writeFile(`${out}/reasoner.mjs`, reasoner.outputFiles[0].text);
await writeFile(`${out}/index.html`, await readFile(`${here}src/index.html`, 'utf8'));
await writeFile(`${out}/game.html`, gamePage);
