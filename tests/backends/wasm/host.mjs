// Runs modules of `rgtrans --to wasm` in Node. Each line of standard input is a job as JSON, with the file of a module
// and any of: perft (depths), playouts ({count, seed, most}), plays ({seed, plays, steps}: positions with all moves).
// Each job answers with one line of JSON.
import {readFileSync} from 'node:fs';

class Reasoner {
  constructor(bytes) {
    const begin = performance.now();
    const module = new WebAssembly.Module(bytes);
    [this.game] = WebAssembly.Module.customSections(module, 'rgtrans.game')
        .map((section) => JSON.parse(new TextDecoder().decode(section)));
    this.out = new WebAssembly.Instance(module).exports;
    this.out.init();
    this.loading = performance.now() - begin;
  }
  text(move) {
    const count = this.out.tags(move);
    const tags = new Uint32Array(this.out.memory.buffer, this.out.tagList.value, count);
    return Array.from(tags, (tag) => this.game.tags[tag]).join(' ');
  }
  mover() {
    return [...this.game.players, 'keeper', 'random'][this.out.player()];
  }
  goals() {
    return this.game.players.map((_, player) => this.game.symbols[this.out.goal(player)]);
  }
  totals(count, seed, most) {
    const at = this.out.playouts(BigInt(count), BigInt(seed), BigInt(most));
    const view = new DataView(this.out.memory.buffer, at);
    const number = (place) => Number(view.getBigUint64(place, true));
    return {
      playouts: number(0), moves: number(8), longest: number(16), shortest: number(24), squares: number(32),
      choices: number(40), mostChoices: number(48), stopped: number(56),
      goals: this.game.players.map((_, p) => view.getFloat64(64 + 24 * p, true)),
      goalSquares: this.game.players.map((_, p) => view.getFloat64(72 + 24 * p, true)),
      wins: this.game.players.map((_, p) => number(80 + 24 * p)),
    };
  }
  // Each position as one text: the mover, then all moves. The move to make depends on the seed and the step.
  *positions(seed, plays, steps) {
    for (let play = 0; play < plays; ++play) {
      this.out.init();
      let step = 0;
      for (; step < steps && !this.out.terminal(); ++step) {
        const count = this.out.moves();
        yield [this.mover(), ...Array.from({length: count}, (_, move) => this.text(move))].join('|');
        if (count === 0) break;
        this.out.apply((seed + 31 * play + 7919 * step) % count);
      }
      yield `after ${step}: ${this.goals().join(' ')}`;
    }
    this.out.init();
  }
}

const kFaults = ['', 'too many moves', 'no move', 'endless moves of keeper', 'no memory'];

for (const line of readFileSync(0, 'utf8').split('\n').filter((text) => text !== '')) {
  const job = JSON.parse(line);
  const answer = {};
  let reasoner = null;
  try {
    reasoner = new Reasoner(readFileSync(job.file));
    if (job.perft) answer.perft = job.perft.map((depth) => Number(reasoner.out.perft(depth)));
    if (job.plays) answer.plays = [...reasoner.positions(job.plays.seed, job.plays.plays, job.plays.steps)];
    if (job.playouts) answer.playouts = reasoner.totals(job.playouts.count, job.playouts.seed, job.playouts.most);
    if (job.seconds) {  // speed
      reasoner.totals(1, 1, 1000000);
      let count = 1;
      for (;; count *= 2) {
        const begin = performance.now();
        reasoner.totals(count, 1, 1000000);
        const passed = (performance.now() - begin) / 1000;
        answer.speed = count / passed;
        if (passed > job.seconds / 3) break;
      }
    }
    answer.loading = reasoner.loading;
  } catch (error) {
    const fault = reasoner ? kFaults[reasoner.out.error.value] : '';
    answer.error = fault || String(error);
  }
  console.log(JSON.stringify(answer));
}
