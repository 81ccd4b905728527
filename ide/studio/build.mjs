// Makes dist/ of src/: the studio's page; the pages of a single game and of a run of the optimizer, each as one file;
// the workers of a site (scripts/web); and the reasoner and the program's surroundings as modules, for tests. The same
// sources and the same modules (package-lock.json) give the same bytes.
import { build } from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
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

const modules = new Set();
async function bundled(entry, more = {}) {
  const result = await build({ ...options, metafile: true, format: 'iife', entryPoints: [`src/${entry}`], ...more });
  for (const input of Object.keys(result.metafile.inputs)) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) modules.add(found[1]);
  }
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

const trace = await bundled('trace.ts');
const studioStyle = await bundled('studio.css');
const tracePage = (await readFile(`${here}src/trace.html`, 'utf8'))
  .replace('/*STYLE*/', () => studioStyle.trim())
  .replace('/*SCRIPT*/', () => inside(trace));

await mkdir(out, { recursive: true });
await writeFile(`${out}/studio.js`, await bundled('studio.ts'));
await writeFile(`${out}/studio.css`, studioStyle);
await writeFile(`${out}/program.js`, await bundled('inside.ts'));
await writeFile(`${out}/offline.js`, await bundled('offline.ts'));
for (const [entry, name] of [
  ['rg.ts', 'reasoner.mjs'],
  ['module.ts', 'module.mjs'],
]) {
  const made = await build({ ...options, format: 'esm', entryPoints: [`src/${entry}`] });
  await writeFile(`${out}/${name}`, made.outputFiles[0].text);
}
await writeFile(`${out}/index.html`, await readFile(`${here}src/index.html`, 'utf8'));
await writeFile(`${out}/game.html`, gamePage);
await writeFile(`${out}/trace.html`, tracePage);

// Whose work is in the studio's page, and on which terms.
let licences = 'The page of rgtrans studio contains these modules.\n';
for (const name of [...modules].sort()) {
  const folder = `${here}node_modules/${name}/`;
  const file = (await readdir(folder)).find((other) => /^licen[cs]e/i.test(other));
  const terms = file
    ? (await readFile(folder + file, 'utf8')).trim()
    : JSON.parse(await readFile(`${folder}package.json`, 'utf8')).license;
  licences += `\n--- ${name} ---\n\n${terms}\n`;
}
await writeFile(`${out}/licences.txt`, licences);
