// Whether modules of these folders import each other in a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

for (const folder of process.argv.slice(2)) {
  const imports = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    imports.set(basename(file, '.ts'), [...text.matchAll(/from ['"]\.\/([\w-]+)['"]/g)].map((found) => found[1]));
  }
  const done = new Set();
  const visit = (name, way) => {
    if (way.includes(name)) throw new Error(`${folder}: ${[...way.slice(way.indexOf(name)), name].join(' → ')}`);
    if (done.has(name)) return;
    for (const next of imports.get(name) ?? []) visit(next, [...way, name]);
    done.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
}
