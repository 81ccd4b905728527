// The reasoner of the game page against the interpreter, on all games: the leaves of their .perft files, and whole
// plays made by `rgtrans match` of random players: each move has to be there, the end has the same goals, and on the
// way as many moves can be made as the interpreter says. Needs node and nothing else.
//
//     node reasoner.mjs RGTRANS SOURCES [MOST_LEAVES [PLAYS]]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// Games at the edges: the moves by their texts, and what some players see of them.
const edges = {
  // Other numbers of these symbols had the same 32-bit hash once.
  sequences: {
    text:
      `type T = {${[...Array(64).keys()].map((i) => `s${i}`)}}; type Player = {x}; type Score = {0};\n` +
      'begin, go: player = x;\n' +
      [
        [34, 48, 44, 46],
        [6, 61, 58, 21],
      ]
        .flatMap((tags, w) => {
          const nodes = ['go', `w${w}_1`, `w${w}_2`, `w${w}_3`, 'made'];
          return tags.map((tag, i) => `${nodes[i]}, ${nodes[i + 1]}: $ s${tag};\n`);
        })
        .join('') +
      'made, end: player = keeper;\n',
    moves: { 's34 s48 s44 s46': {}, 's6 s61 s58 s21': {} },
  },
  // Two states with the same 53-bit hash, as visits were recognised once.
  states: {
    text:
      `type T = {${[...Array(14).keys()].map((i) => `t${i}`)}}; type Player = {x}; type Score = {0};\n` +
      [...Array(14).keys()].map((i) => `var v${i}: T = t0;\n`).join('') +
      'begin, go: player = x;\n' +
      [
        [3, 0, 0, 6, 9, 2, 6, 0, 0, 0, 5, 2, 0, 0],
        [0, 5, 2, 0, 0, 0, 0, 13, 4, 7, 0, 0, 5, 13],
      ]
        .flatMap((values, w) => {
          const nodes = ['go', ...[...Array(13).keys()].map((i) => `w${w}_${i}`), 'met'];
          return values.map((value, i) => `${nodes[i]}, ${nodes[i + 1]}: v${i} = t${value};\n`);
        })
        .join('') +
      'met, made: $$ v0;\nmade, end: player = keeper;\n',
    moves: { t3: {}, t0: {} },
  },
  // The last player does not see the second tag.
  players: {
    text:
      `type Player = {${[...Array(40).keys()].map((i) => `p${i}`)}}; type Score = {0};\n` +
      'begin, go: player = p0;\n' +
      'go, hide: $ first;\nhide, hidden: visible[p39] = 0;\nhidden, also: visible[p12] = 0;\n' +
      'also, one: $ second;\nalso, one: $ other;\none, end: player = keeper;\n',
    moves: {
      'first second': { 0: 'first second', 12: 'first', 38: 'first second', 39: 'first' },
      'first other': { 20: 'first other' },
    },
  },
};

function expectMoves({ text, moves }) {
  const file = join(temporary, 'edge.rg');
  writeFileSync(file, text);
  const game = new Reasoner(JSON.parse(run('-O0', '--to', 'json', file)));
  game.settle();
  const found = game.moves();
  const texts = found.map((move) => move.text).sort();
  if (texts.join() !== Object.keys(moves).sort().join()) throw new Error(`the moves are ${texts.join(', ')}`);
  for (const move of found) {
    for (const [player, seen] of Object.entries(moves[move.text])) {
      const observed = game.observed(move, Number(player));
      if (observed !== seen) throw new Error(`player ${player} sees '${observed}' of '${move.text}'`);
    }
    if (game.trace(move.text) === null) throw new Error(`'${move.text}' has no walk`);
  }
}

let failed = 0;
for (const [name, edge] of Object.entries(edges)) {
  try {
    expectMoves(edge);
  } catch (problem) {
    ++failed;
    console.log(`${name}: ${problem.message}`);
  }
}
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
