// Monte Carlo tree search (UCT, max^n) on the reasoner. Each node keeps its position; a simulation descends by promise,
// adds one node, and plays on at random. Decided results are certain: a node whose mover can win is won, and a node
// whose moves are all decided has the value of the best one. The tree is kept while the play continues in it.
import type { Move, Reasoner, State } from './rg';
import { scoreNumber } from './verdict';

export interface TreeNode {
  state: State;
  mover: number;
  chance: boolean;
  moves: Move[] | null;
  children: (TreeNode | null)[];
  visits: number;
  values: Float64Array;
  goals: number[] | null;
  proven: number[] | null;
}

export interface Report {
  move: string;
  simulations: number;
  moves: { move: string; visits: number; value: number; proven: boolean }[];
  values: number[];
}

export class Random {
  private a: number;
  constructor(seed: number) {
    this.a = seed | 0;
  }
  below(n: number): number {
    this.a = (this.a + 0x6d2b79f5) | 0;
    let t = Math.imul(this.a ^ (this.a >>> 15), 1 | this.a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }
}

const kExploration = 0.7;
const kLongest = 400;  // moves of a play; a longer one counts as the middle

// The tree of the last search.
export interface Kept {
  root: TreeNode | null;
}

const same = (a: State, b: State) => a.node === b.node && a.cells.every((cell, i) => cell === b.cells[i]);

// The node of this position, at most a few moves below.
function below(node: TreeNode | null, wanted: State, depth = 4): TreeNode | null {
  if (!node || same(node.state, wanted)) return node;
  if (depth === 0) return null;
  for (const child of node.children) {
    const found = child && below(child, wanted, depth - 1);
    if (found) return found;
  }
  return null;
}

export function search(
  game: Reasoner,
  from: State,
  milliseconds: number,
  seed: number,
  bounds: { least: number; most: number },
  kept: Kept = { root: null },
): Report {
  const random = new Random(seed);
  const players = game.players;
  const worth = (goals: number[]) =>
    goals.map((goal) => (bounds.most > bounds.least ? (goal - bounds.least) / (bounds.most - bounds.least) : 0.5));

  const make = (): TreeNode => {
    game.settle();
    const over = game.terminal();
    const mover = players.indexOf(game.mover());
    const goals = over ? worth(players.map((player) => scoreNumber(game.goal(player)) || 0)) : null;
    return {
      state: game.save(),
      mover,
      chance: mover < 0,
      moves: null,
      children: [],
      visits: 0,
      values: new Float64Array(players.length),
      goals,
      proven: goals,
    };
  };
  const playOut = (): number[] => {
    for (let i = 0; i < kLongest; ++i) {
      if (game.terminal()) return worth(players.map((player) => scoreNumber(game.goal(player)) || 0));
      if (!game.moveAnyhow((n) => random.below(n))) break;
    }
    return players.map(() => 0.5);
  };

  game.load(from);
  const root = below(kept.root, from) ?? make();
  kept.root = root;
  const end = Date.now() + milliseconds;
  let simulations = 0;
  do {
    const way: TreeNode[] = [root];
    let node = root;
    let result: number[] | null = null;
    for (;;) {
      if (node.proven !== null) {
        result = node.proven;
        break;
      }
      if (node.moves === null) {
        game.load(node.state);
        node.moves = game.moves();
        node.children = new Array(node.moves.length).fill(null);
      }
      const index = choose(node, random);
      const child = node.children[index];
      if (child) {
        node = child;
        way.push(node);
        continue;
      }
      game.load(node.moves[index]!.state);
      node = node.children[index] = make();
      way.push(node);
      result = node.goals ?? playOut();
      break;
    }
    for (let i = way.length - 1; i-- > 0;) if (!prove(way[i]!)) break;
    for (const visited of way) {
      visited.visits++;
      result.forEach((value, i) => {
        visited.values[i]! += value;
      });
    }
    ++simulations;
  } while (root.proven === null && Date.now() < end);

  const moves = root.moves!.map((move, i) => {
    const child = root.children[i];
    if (child?.proven)
      return { move: move.text, visits: child.visits, value: child.proven[Math.max(0, root.mover)]!, proven: true };
    return {
      move: move.text,
      visits: child?.visits ?? 0,
      value: child ? child.values[Math.max(0, root.mover)]! / child.visits : 0,
      proven: false,
    };
  });
  // A proven win first, a proven loss last; else the most visited move.
  const rank = (move: (typeof moves)[number]) =>
    move.proven ? (move.value >= 1 ? Infinity : move.value <= 0 ? -1 : move.visits) : move.visits;
  const best = moves.reduce((a, b) => (rank(b) > rank(a) || (rank(b) === rank(a) && b.value > a.value) ? b : a));
  return { move: best.move, simulations, moves, values: [...root.values].map((value) => value / root.visits) };
}

// Whether the node's worth became certain.
function prove(node: TreeNode): boolean {
  if (node.chance || node.proven !== null || node.moves === null) return false;
  let best: number[] | null = null;
  let all = true;
  for (let i = 0; i < node.moves.length; ++i) {
    const proven = node.children[i]?.proven;
    if (!proven) all = false;
    else if (!best || proven[node.mover]! > best[node.mover]!) best = proven;
  }
  if (!best || (!all && best[node.mover]! < 1)) return false;
  node.proven = best;
  return true;
}

function choose(node: TreeNode, random: Random): number {
  const count = node.moves!.length;
  if (node.chance) return random.below(count);
  let best = 0;
  let most = -Infinity;
  let ties = 0;
  for (let i = 0; i < count; ++i) {
    const child = node.children[i];
    const value = child?.proven
      ? child.proven[node.mover]! - 1e3 * (child.proven[node.mover]! <= 0 ? 1 : 0)
      : child
        ? child.values[node.mover]! / child.visits + kExploration * Math.sqrt(Math.log(node.visits + 1) / child.visits)
        : 1e6;
    if (value > most) {
      most = value;
      best = i;
      ties = 1;
    } else if (value === most && random.below(++ties) === 0) {
      best = i;
    }
  }
  return best;
}
