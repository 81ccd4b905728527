// A reasoner for Regular Games in the browser: it lists, makes and takes back moves.
//
// A state is one array of symbols, by number, and a node (program.ts). A walk writes into the only state and keeps the
// old values, so it can go back. If walks may meet again, a text of the state shows whether an earlier walk was here.
import type { GameForm } from './form';
import { indexIn, Kind, Program, type ArrowType, type Edge, type Node, type Type } from './program';

export interface Move {
  text: string;
  state: State;
  tags: Tag[];
}
// The number of a symbol, and for each player in games that hide tags whether it sees this one.
interface Tag {
  symbol: number;
  seen: boolean[]; // empty: everybody does
}
const kAllSee: boolean[] = [];
export interface State {
  cells: Int32Array;
  node: number;
}
// One edge of a walk and its writes: cells of variables with their old and new values.
export interface Step {
  edge: number;
  from: string;
  to: string;
  wrote: { variable: string; keys: string[]; value: string }[];
}

const kDeepest = 2000; // checks inside of checks

// Appends a whole number to characters; one from 0x8000 takes several, of which all but the last have the highest bit.
function append(units: number[], number: number): void {
  for (; number >= 0x8000; number = Math.floor(number / 0x8000)) units.push(0x8000 | (number & 0x7fff));
  units.push(number);
}
function textOf(units: number[]): string {
  const most = 4096; // arguments of a call
  if (units.length <= most) return String.fromCharCode(...units);
  let text = '';
  for (let i = 0; i < units.length; i += most) text += String.fromCharCode(...units.slice(i, i + most));
  return text;
}

export class Reasoner extends Program {
  node = 0;
  private initial!: State;
  private playerCell = 0;
  private visibleCells: number[] = []; // by player
  private zero = -1;
  private end = -1;
  private stamps!: Int32Array; // by cell: the last key in which it was looked at
  private stamp = 0;

  // The trail: cells that were overwritten, and their values.
  private trailCell: number[] = [];
  private trailValue: number[] = [];
  private depth = 0;

  constructor(game: GameForm) {
    super(game);
    this.playerCell = this.variables.get('player')!.base;
    const visible = this.variables.get('visible');
    if (visible && visible.type.to !== null) {
      const { type, base } = visible;
      this.visibleCells = this.players.map((player) => base + indexIn(type.from, this.numbers.get(player)!));
    }
    this.zero = this.numbers.get('0') ?? -1;
    this.stamps = new Int32Array(this.cells.length);
    this.initial = { cells: this.cells.slice(), node: this.nodeNumber('begin') };
    this.end = this.nodeNumber('end');
    this.reset();
  }

  // --- The state. ---
  reset(): void {
    this.load(this.initial);
  }
  load(state: State): void {
    this.cells.set(state.cells);
    this.node = state.node;
    this.trailCell.length = this.trailValue.length = 0;
  }
  save(): State {
    return { cells: this.cells.slice(), node: this.node };
  }
  terminal(): boolean {
    return this.node === this.end;
  }
  mover(): string {
    return this.symbols[this.cells[this.playerCell]!]!;
  }
  goal(player: string): string {
    const goals = this.variables.get('goals')!;
    const type = goals.type as ArrowType;
    return this.symbols[this.cells[goals.base + indexIn(type.from, this.numbers.get(player)!)]!]!;
  }
  get variableNames(): string[] {
    return this.order;
  }
  // The part of a move that a player sees.
  observed(move: Move, player: number): string {
    return move.tags
      .filter((tag) => tag.seen[player] ?? true)
      .map((tag) => this.symbols[tag.symbol])
      .join(' ');
  }
  nodeName(): string {
    return this.nodes[this.node]!.name;
  }
  // Of a map the values by key, else one value with the key "". A cell of -1 is not known: "?".
  values(name: string, cells = this.cells): Map<string, string> {
    const variable = this.variables.get(name)!;
    const out = new Map<string, string>();
    const visit = (type: Type, at: number, keys: string) => {
      if (type.to === null) {
        out.set(keys, cells[at]! < 0 ? '?' : this.symbols[cells[at]!]!);
        return;
      }
      const to = type.to;
      type.from.members.forEach((key, i) =>
        visit(to, at + i * to.size, keys === '' ? this.symbols[key]! : keys + ' ' + this.symbols[key]!),
      );
    };
    visit(variable.type, variable.base, '');
    return out;
  }

  set(cell: number, value: number): void {
    const old = this.cells[cell]!;
    if (cell < 0 || old === value) return;
    this.trailCell.push(cell);
    this.trailValue.push(old);
    this.cells[cell] = value;
  }
  private back(mark: number): void {
    while (this.trailCell.length > mark) {
      const cell = this.trailCell.pop()!;
      this.cells[cell] = this.trailValue.pop()!;
    }
  }
  copy(at: number, type: Type, source: Int32Array, from: number, sourceType: Type): void {
    if (type.to === null || sourceType.to === null) return this.set(at, source[from]!);
    const step = type.to.size;
    const sourceStep = sourceType.to.size;
    const outside = sourceType.from.members.length;
    for (let i = 0; i <= type.from.members.length; ++i) {
      const key = i < type.from.members.length ? indexIn(sourceType.from, type.from.members[i]!) : outside;
      this.copy(at + i * step, type.to, source, from + (key < 0 ? outside : key) * sourceStep, sourceType.to);
    }
  }

  // Different for different nodes, tags and states: of the cells those that matter, or else differ from where the walk
  // began.
  private visitKey(node: Node, number: number, tags: number): string {
    const key: number[] = [];
    append(key, number);
    append(key, tags);
    if (node.cells !== null) {
      for (const cell of node.cells) append(key, this.cells[cell]! + 1);
      return textOf(key);
    }
    ++this.stamp;
    const changed: number[] = [];
    for (let i = 0; i < this.trailCell.length; ++i) {
      const cell = this.trailCell[i]!;
      if (this.stamps[cell] === this.stamp) continue;
      this.stamps[cell] = this.stamp;
      if (this.cells[cell] !== this.trailValue[i]) changed.push(cell);
    }
    if (changed.length > 1) changed.sort((a, b) => a - b);
    for (const cell of changed) {
      append(key, cell);
      append(key, this.cells[cell]! + 1);
    }
    return textOf(key);
  }

  // --- Exploring. ---
  // Every legal move once, with the state that it leads to; in the order of their texts' discovery.
  moves(): Move[] {
    const found = new Map<string, Move>();
    if (this.terminal()) return [];
    const seen = new Set<string>();
    const tags: Tag[] = [];
    // Sequences of symbols have numbers: by the number of all but the last, and the last.
    const longer: Map<number, number>[] = [new Map()];
    const tagged = (sequence: number, edge: Edge): number => {
      const before = tags.length;
      this.act(edge, tags);
      if (tags.length === before) return sequence;
      const symbol = tags[before]!.symbol;
      let next = longer[sequence]!.get(symbol);
      if (next === undefined) {
        next = longer.length;
        longer[sequence]!.set(symbol, next);
        longer.push(new Map());
      }
      return next;
    };
    const walk = (number: number, sequence: number): void => {
      const mark = this.trailCell.length;
      const tagMark = tags.length;
      for (;;) {
        const node = this.nodes[number]!;
        if (!node.unique) {
          const key = this.visitKey(node, number, sequence);
          if (seen.has(key)) break;
          seen.add(key);
        }
        const edges = node.edges;
        let next: Edge | null = null;
        for (let i = 0; i < edges.length; ++i) {
          const edge = edges[i]!;
          const last = i === edges.length - 1;
          if (edge.kind === Kind.compare) {
            if (!edge.test!(this.cells)) continue;
          } else if (edge.kind === Kind.check) {
            if (this.reaches(edge.from2!, edge.to2!) === edge.negated) continue;
          } else if (edge.kind === Kind.any) {
            const inner = this.trailCell.length;
            for (const member of edge.members!) {
              this.set(edge.place!(this.cells), member);
              walk(edge.to, sequence);
              this.back(inner);
            }
            if (node.once) break;
            continue;
          } else if (edge.kind === Kind.move) {
            const inner = this.trailCell.length;
            edge.write!(this);
            const text = tags.map((tag) => this.symbols[tag.symbol]).join(' ');
            if (!found.has(text))
              found.set(text, { text, state: { cells: this.cells.slice(), node: edge.to }, tags: tags.slice() });
            this.back(inner);
            if (node.once) break;
            continue;
          }
          // The last way is followed in this loop, the others in one of their own.
          if (last || node.once) {
            next = edge;
            break;
          }
          const inner = this.trailCell.length;
          const innerTags = tags.length;
          walk(edge.to, tagged(sequence, edge));
          this.back(inner);
          tags.length = innerTags;
        }
        if (next === null) break;
        sequence = tagged(sequence, next);
        number = next.to;
      }
      this.back(mark);
      tags.length = tagMark;
    };
    walk(this.node, 0);
    return [...found.values()];
  }

  // Makes some legal move without looking at the others, which are not equally likely. False where there is none.
  moveAnyhow(below: (n: number) => number): boolean {
    const seen = new Set<string>();
    const shuffled = <T>(list: T[]): T[] => {
      if (list.length < 2) return list;
      const mixed = list.slice();
      for (let i = mixed.length - 1; i > 0; --i) {
        const j = below(i + 1);
        [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
      }
      return mixed;
    };
    const walk = (number: number): boolean => {
      const mark = this.trailCell.length;
      for (;;) {
        const node = this.nodes[number]!;
        if (!node.unique) {
          const key = this.visitKey(node, number, 0);
          if (seen.has(key)) break;
          seen.add(key);
        }
        const edges = shuffled(node.edges);
        let next: Edge | null = null;
        for (let i = 0; i < edges.length && next === null; ++i) {
          const edge = edges[i]!;
          if (edge.kind === Kind.compare && !edge.test!(this.cells)) continue;
          if (edge.kind === Kind.check && this.reaches(edge.from2!, edge.to2!) === edge.negated) continue;
          const inner = this.trailCell.length;
          if (edge.kind === Kind.any) {
            for (const member of shuffled(edge.members!)) {
              this.set(edge.place!(this.cells), member);
              if (walk(edge.to)) return true;
              this.back(inner);
            }
          } else if (edge.kind === Kind.move) {
            edge.write!(this);
            this.node = edge.to;
            return true;
          } else if (i === edges.length - 1 || node.once) {
            next = edge;
          } else {
            edge.write?.(this);
            if (walk(edge.to)) return true;
            this.back(inner);
          }
        }
        if (next === null) break;
        next.write?.(this);
        number = next.to;
      }
      this.back(mark);
      return false;
    };
    const found = !this.terminal() && walk(this.node);
    this.trailCell.length = this.trailValue.length = 0;
    return found;
  }

  private act(edge: Edge, tags: Tag[]): void {
    if (edge.kind === Kind.assign) edge.write!(this);
    if (edge.kind !== Kind.tag && edge.kind !== Kind.tagVariable) return;
    const symbol = edge.kind === Kind.tag ? edge.tag! : this.cells[edge.variable!]!;
    const seen = (cell: number) => this.cells[cell] !== this.zero;
    tags.push({ symbol, seen: this.visibleCells.every(seen) ? kAllSee : this.visibleCells.map(seen) });
  }

  private reaches(from: number, to: number): boolean {
    if (++this.depth > kDeepest) throw new Error('checks inside of checks without end');
    const seen = new Set<string>();
    const walk = (number: number): boolean => {
      const mark = this.trailCell.length;
      let found = false;
      for (;;) {
        if (number === to) {
          found = true;
          break;
        }
        const node = this.nodes[number]!;
        if (!node.unique) {
          const key = this.visitKey(node, number, 0);
          if (seen.has(key)) break;
          seen.add(key);
        }
        let next: Edge | null = null;
        for (let i = 0; i < node.edges.length && !found; ++i) {
          const edge = node.edges[i]!;
          if (edge.kind === Kind.compare) {
            if (!edge.test!(this.cells)) continue;
          } else if (edge.kind === Kind.check) {
            if (this.reaches(edge.from2!, edge.to2!) === edge.negated) continue;
          }
          const inner = this.trailCell.length;
          if (edge.kind === Kind.any) {
            for (const member of edge.members!) {
              this.set(edge.place!(this.cells), member);
              found = walk(edge.to);
              this.back(inner);
              if (found) break;
            }
          } else if (i === node.edges.length - 1 || node.once) {
            next = edge;
          } else {
            edge.write?.(this);
            found = walk(edge.to);
            this.back(inner);
          }
          if (next !== null || node.once) break;
        }
        if (found || next === null) break;
        next.write?.(this);
        number = next.to;
      }
      this.back(mark);
      return found;
    };
    const found = walk(from);
    --this.depth;
    return found;
  }

  // The keeper's moves that show nothing are made by themselves.
  settle(): void {
    for (let i = 0; i < 100000 && !this.terminal() && this.mover() === 'keeper'; ++i) {
      const moves = this.moves();
      if (moves.length === 0 || moves[0]!.text !== '') return;
      this.load(moves[0]!.state);
    }
  }

  // A walk with this labeling, edge by edge; null where there is none.
  trace(text: string): Step[] | null {
    const wanted = text === '' ? [] : text.split(' ').map((tag) => this.numbers.get(tag) ?? -1);
    const seen = new Set<string>();
    const steps: { edge: Edge; from: number; mark: number }[] = [];
    const writes: { cell: number; value: number }[][] = [];
    const tags: Tag[] = [];
    const walk = (number: number): boolean => {
      const node = this.nodes[number]!;
      if (!node.unique) {
        const key = this.visitKey(node, number, tags.length);
        if (seen.has(key)) return false;
        seen.add(key);
      }
      for (const edge of node.edges) {
        if (edge.kind === Kind.compare && !edge.test!(this.cells)) continue;
        if (edge.kind === Kind.check && this.reaches(edge.from2!, edge.to2!) === edge.negated) continue;
        const mark = this.trailCell.length;
        const tagMark = tags.length;
        for (const member of edge.kind === Kind.any ? edge.members! : [0]) {
          if (edge.kind === Kind.any) this.set(edge.place!(this.cells), member);
          else if (edge.kind === Kind.move) edge.write!(this);
          else this.act(edge, tags);
          const fits = tags.length === tagMark || tags[tagMark]!.symbol === wanted[tagMark];
          steps.push({ edge, from: number, mark });
          writes.push(this.trailCell.slice(mark).map((cell) => ({ cell, value: this.cells[cell]! })));
          const ends = edge.kind === Kind.move;
          if (fits && (ends ? tags.length === wanted.length : walk(edge.to))) return true;
          steps.pop();
          writes.pop();
          this.back(mark);
          tags.length = tagMark;
        }
      }
      return false;
    };
    const found = walk(this.node);
    this.back(0);
    if (!found) return null;
    return steps.map(({ edge, from }, i) => ({
      edge: edge.number,
      from: this.nodes[from]!.name,
      to: this.nodes[edge.to]!.name,
      wrote: writes[i]!.map(({ cell, value }) => ({ ...this.cellName(cell), value: this.symbols[value]! })),
    }));
  }

  private cellName(cell: number): { variable: string; keys: string[] } {
    for (const [name, { type, base }] of this.variables) {
      if (cell < base || cell >= base + type.size) continue;
      const keys: string[] = [];
      let rest = cell - base;
      for (let t: Type = type; t.to !== null; t = t.to) {
        const i = Math.floor(rest / t.to.size);
        keys.push(i < t.from.members.length ? this.symbols[t.from.members[i]!]! : '');
        rest -= i * t.to.size;
      }
      return { variable: name, keys };
    }
    return { variable: '', keys: [] };
  }

  // Leaves at this depth, as `rgtrans perft` counts them.
  perft(depth: number): number {
    if (depth === 0) return 1;
    const here = this.save();
    const who = this.mover();
    const met = new Set<string>();
    let sum = 0;
    for (const move of this.moves()) {
      if (who === 'random') {
        const key = move.state.node + ' ' + move.state.cells.join(' ');
        if (met.has(key)) continue;
        met.add(key);
      }
      this.load(move.state);
      sum += this.perft(who === 'keeper' ? depth : depth - 1);
    }
    this.load(here);
    return sum;
  }
}
