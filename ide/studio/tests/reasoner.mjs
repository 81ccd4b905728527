// The reasoner of the game page against the interpreter, on all games: the leaves of their .perft files, and whole
// plays made by `rgtrans match` of random players: each move has to be there, the end has the same goals, and on the
// way as many moves can be made as the interpreter says. Needs node and nothing else.
//
//     node reasoner.mjs RGTRANS SOURCES [MOST_LEAVES [PLAYS]]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reasoner } from '../dist/reasoner.mjs';

const [rgtrans, sources, mostLeaves = '400', plays = '1'] = process.argv.slice(2);
const temporary = mkdtempSync(join(tmpdir(), 'rgtrans-page-'));
const run = (...args) => execFileSync(rgtrans, args, { maxBuffer: 1 << 28 }).toString();
const quick = Number(mostLeaves) <= 1000;

function games() {
  const all = [];
  for (const [folder, extension] of [
    ['hrg', '.hrg'],
    ['rbg', '.rbg'],
    ['gdl', '.kif'],
    ['ludax', '.ldx'],
    ['ludii', '.lud'],
    ['linegames/variants', '.linegame'],
  ]) {
    const names = readdirSync(join(sources, 'games', folder))
      .filter((name) => name.endsWith(extension))
      .sort();
    // The variants are much alike.
    all.push(
      ...names
        .filter((_, i) => folder !== 'linegames/variants' || !quick || i % 8 === 0)
        .map((name) => join(sources, 'games', folder, name)),
    );
  }
  return all;
}

function leaves(game, file) {
  let checked = 0;
  for (const line of readFileSync(file.replace(/\.\w+$/, '.perft'), 'utf8').split('\n')) {
    const [depth, count] = line.split(/\s+/).map(Number);
    if (!/^\d/.test(line) || depth === 0) continue;
    if (count > Number(mostLeaves)) break;
    game.reset();
    const found = game.perft(depth);
    if (found !== count) throw new Error(`perft ${depth} is ${found} instead of ${count}`);
    ++checked;
  }
  return checked;
}

// From the position after these moves, with the keeper's moves along.
function movesAt(file, moves) {
  const text = run('perft', file, '1', '--path', `/${moves.map((move) => `${move}/`).join('')}`);
  return Number(text.trim().split('\n').at(-1).match(/1\D+(\d+)/)[1]);
}

function replay(game, file, record) {
  game.reset();
  const looks = new Set([1, 2].map((third) => Math.floor((record.moves.length * third) / 3)));
  record.moves.forEach((text, i) => {
    const move = game.moves().find((other) => other.text === text);
    if (!move) throw new Error(`move ${i + 1}: '${text}' is missing`);
    if (looks.has(i)) {
      const [found, wanted] = [game.perft(1), movesAt(file, record.moves.slice(0, i))];
      if (found !== wanted) throw new Error(`before move ${i + 1}: ${found} moves instead of ${wanted}`);
      ++positions;
    }
    game.load(move.state);
  });
  if (!game.terminal()) throw new Error('the play is not over');
  for (const player of game.players) {
    if (Number(game.goal(player)) !== record.goals[player])
      throw new Error(`${player} has ${game.goal(player)} instead of ${record.goals[player]}`);
  }
  return record.moves.length;
}

let failed = 0;
let depths = 0;
let moves = 0;
let positions = 0;
for (const file of games()) {
  try {
    // A board of 361 points takes megabytes of JSON.
    if (quick && file.includes('19x19')) continue;
    const game = new Reasoner(JSON.parse(run('--passes=pragma-disjoint,pragma-unique', '--to', 'json', file)));
    depths += leaves(game, file);
    const records = join(temporary, 'records.jsonl');
    run(
      'match',
      file,
      ...game.players.map(() => 'random'),
      ...(game.players.length === 1 ? ['random'] : []),
      '--count',
      plays,
      '--seed',
      '7',
      '--records',
      records,
    );
    for (const line of readFileSync(records, 'utf8').split('\n')) {
      if (line !== '') moves += replay(game, file, JSON.parse(line));
    }
  } catch (problem) {
    ++failed;
    console.log(`${file.slice(sources.length + 1)}: ${problem.message}`);
  }
}
rmSync(temporary, { recursive: true });
console.log(`${depths} depths and ${moves} moves compared, ${positions} positions on the way; ${failed} games failed`);
process.exit(failed === 0 && depths > 0 && moves > 0 ? 0 : 1);
