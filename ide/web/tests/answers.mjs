// The module's answers, beside those of the program: the same requests of the language service to both, whose commands
// are all verbs of the workbench. Times are left out; all else is equal, byte for byte. The command line says the same
// about translation, statistics and leaves.
//
//     [RGTRANS_GAMES=PATTERN] node answers.mjs RGTRANS SOURCES MODULE [quick|full] [FILE…]
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const [rgtrans, sources, moduleFile, extent = 'quick', ...files] = process.argv.slice(2);
const { Program } = await import(resolve(sources, 'ide/studio/dist/module.mjs'));

// A client of the language service. `post` carries its messages.
class Client {
  next = 1;
  waiting = new Map();
  post = () => {};

  receive(text) {
    const message = JSON.parse(text);
    if (message.id === undefined || message.method) return;
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }
  notify(method, params) { this.post(JSON.stringify({ jsonrpc: '2.0', method, params })); }
  request(method, params) {
    const id = this.next++;
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }
  async begin() {
    await this.request('initialize', { processId: null, rootUri: null, capabilities: {} });
    this.notify('initialized', {});
    return this;
  }
  open(uri, text) {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: '', version: 1, text } });
  }
  close(uri) { this.notify('textDocument/didClose', { textDocument: { uri } }); }
  verb(name, uri, more) {
    return this.request('workspace/executeCommand', { command: `rgtrans.${name}`, arguments: [{ uri, ...more }] });
  }
}

function native() {
  const client = new Client();
  const child = spawn(rgtrans, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  client.post = (text) => child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  client.end = () => child.kill();
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (piece) => {
    buffer = Buffer.concat([buffer, piece]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const size = Number(buffer.subarray(0, end).toString().match(/\d+/)[0]);
      if (buffer.length < end + 4 + size) return;
      client.receive(buffer.subarray(end + 4, end + 4 + size).toString());
      buffer = buffer.subarray(end + 4 + size);
    }
  });
  return client.begin();
}

const compiled = await WebAssembly.compile(readFileSync(moduleFile));
async function inside() {
  const client = new Client();
  const program = await Program.of(compiled, (text) => client.receive(text));
  const work = [];
  let broken = null;
  client.post = (text) => {
    work.push(text);
    if (work.length > 1) return;
    setImmediate(() => {
      try {
        for (const text of work.splice(0)) program.deliver('service', text);
        while (program.step());
      } catch (problem) {
        broken = problem;
        for (const done of client.waiting.values()) done({ error: { message: `the module: ${problem.message}` } });
        client.waiting.clear();
      }
    });
  };
  client.broken = () => broken;
  return client.begin();
}

// Without times, and without what depends on them.
function timeless(value) {
  if (Array.isArray(value)) return value.map(timeless);
  if (value === null || typeof value !== 'object') return value;
  const out = {};
  for (const [key, member] of Object.entries(value)) {
    if (!/seconds|perSecond|speed|per_second|timings/i.test(key)) out[key] = timeless(member);
  }
  return out;
}
// A page of the optimizer's work has its data packed, with times.
function unpacked(reply) {
  const packed = reply.html?.match(/id="data"[^>]*>([^<]+)</)?.[1];
  if (packed === undefined) return JSON.stringify(timeless(reply));
  const data = JSON.parse(inflateRawSync(Buffer.from(packed.trim(), 'base64')).toString());
  return JSON.stringify(timeless({ ...reply, html: reply.html.replace(packed, ''), data }));
}
const without = (text) => text.replace(/[\d.,]+ ?(ms|s|µs)\b/g, '').replace(/[\d.,]+ per second/g, '');

function games() {
  if (files.length > 0) return files.map((file) => [file, readFileSync(file, 'utf8')]);
  const list = [];
  const kinds = { hrg: '.hrg', rbg: '.rbg', gdl: '.kif', ludax: '.ldx', ludii: '.lud' };
  for (const [folder, extension] of [...Object.entries(kinds), ['linegames/variants', '.linegame']]) {
    const names = readdirSync(join(sources, 'games', folder)).filter((name) => name.endsWith(extension)).sort();
    for (const name of names) list.push([join(sources, 'games', folder, name), '']);
  }
  const wanted = new RegExp(process.env.RGTRANS_GAMES ?? '');
  // The quick ones: a fifth, of all languages.
  return list
    .filter(([file], i) => wanted.test(file) && (extent === 'full' || i % 5 === 0))
    .map(([file]) => [file, readFileSync(file, 'utf8')]);
}

const kMost = 200_000; // leaves
let differences = 0;
let answers = 0;
const both = [await native(), await inside()];
function compare(file, what, [theirs, ours]) {
  ++answers;
  if (ours === theirs) return;
  ++differences;
  let at = 0;
  while (ours[at] === theirs[at]) ++at;
  const piece = (text) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
  console.log(`${file}: ${what} differs at ${at}:\n  program ${piece(theirs)}\n  module  ${piece(ours)}`);
}
const kQuiet = { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
const run = (...args) => execFileSync(rgtrans, args, kQuiet).toString();

for (const [file, text] of games()) {
  const begin = performance.now();
  const uri = `file://${file}`;
  for (const client of both) client.open(uri, text);
  const told = async (name, more, change = (reply) => JSON.stringify(timeless(reply))) => {
    const replies = await Promise.all(both.map((client) => client.verb(name, uri, more)));
    const texts = replies.map(({ error, result }) => change(error ? { error } : result));
    compare(file, name + JSON.stringify(more), texts);
    return replies[1].result;
  };
  const translated = await told('translate', { to: 'rg', level: 2 });
  if (!translated) {
    for (const client of both) client.close(uri);
    continue;
  }
  await told('translate', { to: 'stats', level: 2 });
  await told('translate', { to: 'json', level: 1 });
  const first = (await told('perft', { depth: 1 })).leaves;
  const depth = first ** 3 <= kMost ? 3 : first ** 2 <= kMost ? 2 : 1;
  const perft = await told('perft', { depth }, ({ seconds, ...reply }) => JSON.stringify(reply));
  await told('moves', { path: [] });
  await told('play', { path: [], texts: true });
  const board = await told('board', { path: [] });
  await told('automaton', {});
  await told('optimize', { texts: extent === 'full', trace: false });
  await told('optimize', { texts: false, trace: true }, unpacked);
  await told('playouts', { path: [], count: 3, seed: 7 }, (reply) => without(JSON.stringify(timeless(reply ?? {}))));
  await told('reply', { player: 'mcts:40', seed: 3 });
  // The command line says the same.
  if (extent === 'full') {
    // The first comment of a translation names its file.
    const rest = (text) => text.replace(/^(\/\/.*\n)+/, '');
    compare(file, 'rgtrans translate -O2', [rest(run('translate', '-O2', file)), rest(translated.text)]);
    const counted = run('perft', file, String(depth)).trim().split('\n').at(-1).split('\t')[1];
    compare(file, 'rgtrans perft', [counted, String(perft.leaves)]);
    if (board.svg !== '') compare(file, 'rgtrans show', [run('show', '--to', 'svg', file).trim(), board.svg.trim()]);
  }
  for (const client of both) client.close(uri);
  if (process.env.RGTRANS_VERBOSE) console.log(`${file} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

// A request that takes more memory or stack than there is gets an answer.
const [, module] = both;
const deep = `${'('.repeat(100_000)}${')'.repeat(100_000)}`;
module.open('file:///deep.kif', deep);
const refused = await module.verb('translate', 'file:///deep.kif', { to: 'rg' });
assert(refused.error, 'a text that nests deeply is refused');
assert(!module.broken() || /stack/i.test(module.broken().message), String(module.broken()));

both[0].end();
console.log(`${answers} answers, ${differences} of which differ`);
process.exit(differences === 0 && answers > 0 ? 0 : 1);
