// Calls each check of standard_test.cpp. `node standard_test.mjs MODULE`
import { readFileSync } from 'node:fs';

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const system = new Proxy({}, { get: () => () => 52 });
const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system });
exports._initialize();
let checks = 0;
let failed = 0;
for (const [name, check] of Object.entries(exports)) {
  if (!/_.*_/.test(name) || typeof check !== 'function') continue;
  ++checks;
  if (check() !== 1) {
    ++failed;
    console.log(`FAIL  ${name}`);
  }
}
console.log(`${checks} checks of the standard library, ${failed} of which fail`);
process.exit(failed === 0 && checks > 5 ? 0 : 1);
