// A reasoner for Regular Games in the browser: it reads the JSON form of a game and lists, makes and takes back moves.
//
// A state is one array of symbols, by number, and a node. Each variable has its cells there; a map has one cell more,
// what it says of keys outside of its domain. Expressions become closures. A walk writes into the one state that there
// is and keeps what it overwrote, so that it can go back. Where walks may meet again, a hash of the state that is kept
// up to date by each write tells whether one was here before.

type Json = any;

interface SetType { members: number[]; index: Int32Array; size: 1; to: null }
interface ArrowType { from: SetType; to: Type; size: number }
type Type = SetType | ArrowType;

type Scalar = (s: Int32Array) => number;
interface Place { type: Type; fixed: Int32Array | null; at: Scalar }

const enum Kind { skip, assign, any, compare, check, tag, tagVariable, move }

interface Edge {
  number: number;  // in the game's list
  kind: Kind;
  to: number;
  test?: (s: Int32Array) => boolean;  // of a comparison
  write?: (walk: Reasoner) => void;   // of an assignment
  place?: Scalar;                     // of a choice: the cell, -1 outside
  members?: number[];
  from2?: number; to2?: number; negated?: boolean;  // of a check
  tag?: number;
  variable?: number;  // whose value is the tag
}

interface Node {
  name: string;
  edges: Edge[];
  once: boolean;             // at most one edge is legal
  unique: boolean;           // nobody comes here twice
  cells: Int32Array | null;  // what tells visits apart, if not everything
}

export interface Move { text: string; state: State }
export interface State { cells: Int32Array; node: number }
// One edge of a walk and what it wrote: cells of variables with their old and new values.
export interface Step { edge: number; from: string; to: string; wrote: { variable: string; keys: string[]; value: string }[] }

const kDeepest = 2000;  // checks inside of checks

export class Reasoner {
  readonly symbols: string[] = [];
  readonly players: string[] = [];
  cells!: Int32Array;
  node = 0;

  private numbers = new Map<string, number>();
  private types = new Map<string, Json>();
  private resolved = new Map<string, Type>();
  private constants = new Map<string, { type: Type; cells: Int32Array }>();
  private variables = new Map<string, { type: Type; base: number }>();
  private order: string[] = [];
  private nodes: Node[] = [];
  private nodeNumbers = new Map<string, number>();
  private artificial = new Set<number>();
  private initial!: State;
  private playerCell = 0;
  private end = -1;
  private weight1!: Int32Array;
  private weight2!: Int32Array;

  // The trail: cells that were overwritten, and their values.
  private trailCell: number[] = [];
  private trailValue: number[] = [];
  private hash1 = 0;
  private hash2 = 0;
  private depth = 0;

  constructor(game: Json) {
    for (const def of game.types) this.types.set(def.identifier, def.type);
    for (const def of game.types) this.type({ kind: 'TypeReference', identifier: def.identifier });
    for (const def of game.constants) {
      const type = this.type(def.type);
      const cells = new Int32Array(type.size);
      this.fill(cells, 0, type, def.value);
      this.constants.set(def.identifier, { type, cells });
    }
    let size = 0;
    for (const def of game.variables) {
      const type = this.type(def.type);
      this.variables.set(def.identifier, { type, base: size });
      this.order.push(def.identifier);
      size += type.size;
    }
    this.cells = new Int32Array(size);
    for (const def of game.variables) {
      const variable = this.variables.get(def.identifier)!;
      this.fill(this.cells, variable.base, variable.type, def.defaultValue);
    }
    this.playerCell = this.variables.get('player')!.base;
    this.readGraph(game);
    for (const member of (this.type({ kind: 'TypeReference', identifier: 'Player' }) as SetType).members) {
      this.players.push(this.symbols[member]!);
    }
    this.chooseWeights();
    this.initial = { cells: this.cells.slice(), node: this.nodeNumber('begin') };
    this.end = this.nodeNumber('end');
    this.reset();
  }

  // --- Reading. ---
  private number(symbol: string): number {
    let n = this.numbers.get(symbol);
    if (n === undefined) {
      n = this.symbols.length;
      this.symbols.push(symbol);
      this.numbers.set(symbol, n);
    }
    return n;
  }

  private nodeNumber(name: string): number {
    let n = this.nodeNumbers.get(name);
    if (n === undefined) {
      n = this.nodes.length;
      this.nodes.push({ name, edges: [], once: false, unique: false, cells: null });
      this.nodeNumbers.set(name, n);
    }
    return n;
  }

  private type(json: Json): Type {
    if (json.kind === 'TypeReference') {
      const known = this.resolved.get(json.identifier);
      if (known) return known;
      const made = this.type(this.types.get(json.identifier));
      this.resolved.set(json.identifier, made);
      return made;
    }
    if (json.kind === 'Arrow') {
      const from = this.type(json.lhs) as SetType;
      const to = this.type(json.rhs);
      return { from, to, size: (from.members.length + 1) * to.size };
    }
    const key = 'set ' + json.identifiers.join(' ');
    const known = this.resolved.get(key);
    if (known) return known;
    const members = json.identifiers.map((name: string) => this.number(name));
    const index = new Int32Array(Math.max(0, ...members) + 1).fill(-1);
    members.forEach((symbol: number, i: number) => { index[symbol] = i; });
    const made: SetType = { members, index, size: 1, to: null };
    this.resolved.set(key, made);
    return made;
  }

  private fill(cells: Int32Array, at: number, type: Type, value: Json): void {
    if (type.to === null) {
      cells[at] = this.number(value.identifier);
      return;
    }
    const step = type.to.size;
    const count = type.from.members.length;
    const otherwise = value.entries.find((entry: Json) => entry.identifier === null);
    for (let i = 0; i <= count; ++i) this.fill(cells, at + i * step, type.to, otherwise.value);
    for (const entry of value.entries) {
      if (entry.identifier === null) continue;
      const i = indexIn(type.from, this.number(entry.identifier));
      if (i >= 0) this.fill(cells, at + i * step, type.to, entry.value);
    }
  }

  private place(json: Json): Place {
    if (json.kind === 'Cast') return this.place(json.rhs);
    if (json.kind === 'Access') {
      const map = this.place(json.lhs);
      const type = map.type as ArrowType;
      const key = this.scalar(json.rhs);
      const { index, members } = type.from;
      const step = type.to.size;
      const outside = members.length;
      const at = map.at;
      return {
        type: type.to,
        fixed: map.fixed,
        at: (s) => {
          const i = index[key(s)];
          return at(s) + (i === undefined || i < 0 ? outside : i) * step;
        },
      };
    }
    const constant = this.constants.get(json.identifier);
    if (constant) return { type: constant.type, fixed: constant.cells, at: () => 0 };
    const variable = this.variables.get(json.identifier);
    if (variable) {
      const base = variable.base;
      return { type: variable.type, fixed: null, at: () => base };
    }
    const symbol = this.number(json.identifier);
    return { type: { members: [symbol], index: new Int32Array(0), size: 1, to: null }, fixed: Int32Array.of(symbol), at: () => 0 };
  }

  private scalar(json: Json): Scalar {
    while (json.kind === 'Cast') json = json.rhs;
    const place = this.place(json);
    const at = place.at;
    if (place.fixed === null) {
      if (json.kind === 'Reference') {
        const base = at(this.cells);
        return (s) => s[base]!;
      }
      return (s) => s[at(s)]!;
    }
    const fixed = place.fixed;
    if (json.kind === 'Reference') {
      const value = fixed[0]!;
      return () => value;
    }
    return (s) => fixed[at(s)]!;
  }

  // Where something is written: outside of a map's domain nothing is.
  private target(json: Json): Scalar {
    if (json.kind === 'Cast') return this.target(json.rhs);
    if (json.kind !== 'Access') {
      const base = this.variables.get(json.identifier)!.base;
      return () => base;
    }
    const type = this.place(json.lhs).type as ArrowType;
    const map = this.target(json.lhs);
    const key = this.scalar(json.rhs);
    const { index } = type.from;
    const step = type.to.size;
    return (s) => {
      const i = index[key(s)];
      const at = map(s);
      return i === undefined || i < 0 || at < 0 ? -1 : at + i * step;
    };
  }

  private readGraph(game: Json): void {
    for (const pragma of game.pragmas) {
      if (pragma.kind === 'ArtificialTag') for (const tag of pragma.tags) this.artificial.add(this.number(tag));
    }
    game.edges.forEach((json: Json, number: number) => {
      this.nodes[this.nodeNumber(json.lhs.identifier)]!.edges.push(this.edge(json.label, this.nodeNumber(json.rhs.identifier), number));
    });
    for (const pragma of game.pragmas) {
      if (pragma.kind === 'Unique') for (const node of pragma.nodes) this.nodes[this.nodeNumber(node.identifier)]!.unique = true;
      if (pragma.kind === 'Repeat') {
        const cells: number[] = [];
        for (const name of pragma.identifiers) {
          const variable = this.variables.get(name);
          for (let i = 0; variable && i < variable.type.size; ++i) cells.push(variable.base + i);
        }
        for (const node of pragma.nodes) this.nodes[this.nodeNumber(node.identifier)]!.cells = Int32Array.from(cells);
      }
      if (pragma.kind === 'Disjoint' || pragma.kind === 'DisjointExhaustive') {
        const node = this.nodes[this.nodeNumber(pragma.node.identifier)]!;
        node.once = node.edges.length === pragma.nodes.length;
      }
    }
  }

  private edge(label: Json, to: number, number: number): Edge {
    switch (label.kind) {
      case 'Assignment': {
        const target = this.target(label.lhs);
        const type = this.place(label.lhs).type;
        let kind = Kind.assign;
        if (label.lhs.kind === 'Reference' && label.lhs.identifier === 'player') kind = Kind.move;
        if (type.to === null) {
          const value = this.scalar(label.rhs);
          return { number, kind, to, write: (walk) => walk.set(target(walk.cells), value(walk.cells)) };
        }
        const value = this.place(label.rhs);
        return {
          number, kind, to,
          write: (walk) => {
            const at = target(walk.cells);
            const source = (value.fixed ?? walk.cells).slice(value.at(walk.cells), value.at(walk.cells) + value.type.size);
            if (at >= 0) walk.copy(at, type, source, 0, value.type);
          },
        };
      }
      case 'AssignmentAny':
        return { number, kind: Kind.any, to, place: this.target(label.lhs), members: (this.type(label.rhs) as SetType).members };
      case 'Comparison': {
        const negated = label.negated;
        const type = this.place(label.lhs).type;
        if (type.to === null) {
          const left = this.scalar(label.lhs);
          const right = this.scalar(label.rhs);
          return { number, kind: Kind.compare, to, test: negated ? (s) => left(s) !== right(s) : (s) => left(s) === right(s) };
        }
        const left = this.place(label.lhs);
        const right = this.place(label.rhs);
        return { number, kind: Kind.compare, to, test: (s) => equal(left, right, s) !== negated };
      }
      case 'Reachability':
        return {
          number, kind: Kind.check, to, negated: label.negated,
          from2: this.nodeNumber(label.lhs.identifier), to2: this.nodeNumber(label.rhs.identifier),
        };
      case 'Tag': {
        const tag = this.number(label.symbol);
        return this.artificial.has(tag) ? { number, kind: Kind.skip, to } : { number, kind: Kind.tag, to, tag };
      }
      case 'TagVariable':
        return { number, kind: Kind.tagVariable, to, variable: this.variables.get(label.identifier)!.base };
      default:
        return { number, kind: Kind.skip, to };
    }
  }

  private chooseWeights(): void {
    let seed = 0x9e3779b9;
    const next = () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return (t ^ (t >>> 14)) | 1;
    };
    this.weight1 = Int32Array.from({ length: this.cells.length }, next);
    this.weight2 = Int32Array.from({ length: this.cells.length }, next);
  }

  // --- The state. ---
  reset(): void { this.load(this.initial); }
  load(state: State): void {
    this.cells.set(state.cells);
    this.node = state.node;
    this.trailCell.length = this.trailValue.length = 0;
    this.hash1 = this.hash2 = 0;
  }
  save(): State { return { cells: this.cells.slice(), node: this.node }; }
  terminal(): boolean { return this.node === this.end; }
  mover(): string { return this.symbols[this.cells[this.playerCell]!]!; }
  goal(player: string): string {
    const goals = this.variables.get('goals')!;
    const type = goals.type as ArrowType;
    return this.symbols[this.cells[goals.base + indexIn(type.from, this.numbers.get(player)!)]!]!;
  }
  get variableNames(): string[] { return this.order; }
  // Of a map the values by key, else one value with the key "".
  values(name: string): Map<string, string> {
    const variable = this.variables.get(name)!;
    const out = new Map<string, string>();
    const visit = (type: Type, at: number, keys: string) => {
      if (type.to === null) {
        out.set(keys, this.symbols[this.cells[at]!]!);
        return;
      }
      const to = type.to;
      type.from.members.forEach((key, i) => visit(to, at + i * to.size, keys === '' ? this.symbols[key]! : keys + ' ' + this.symbols[key]!));
    };
    visit(variable.type, variable.base, '');
    return out;
  }

  private set(cell: number, value: number): void {
    const old = this.cells[cell]!;
    if (cell < 0 || old === value) return;
    this.trailCell.push(cell);
    this.trailValue.push(old);
    this.cells[cell] = value;
    this.hash1 = (this.hash1 + Math.imul(this.weight1[cell]!, value - old)) | 0;
    this.hash2 = (this.hash2 + Math.imul(this.weight2[cell]!, value - old)) | 0;
  }
  private back(mark: number): void {
    while (this.trailCell.length > mark) {
      const cell = this.trailCell.pop()!;
      const value = this.trailValue.pop()!;
      const now = this.cells[cell]!;
      this.hash1 = (this.hash1 + Math.imul(this.weight1[cell]!, value - now)) | 0;
      this.hash2 = (this.hash2 + Math.imul(this.weight2[cell]!, value - now)) | 0;
      this.cells[cell] = value;
    }
  }
  private copy(at: number, type: Type, source: Int32Array, from: number, sourceType: Type): void {
    if (type.to === null || sourceType.to === null) return this.set(at, source[from]!);
    const step = type.to.size;
    const sourceStep = sourceType.to.size;
    const outside = sourceType.from.members.length;
    for (let i = 0; i <= type.from.members.length; ++i) {
      const key = i < type.from.members.length ? indexIn(sourceType.from, type.from.members[i]!) : outside;
      this.copy(at + i * step, type.to, source, from + (key < 0 ? outside : key) * sourceStep, sourceType.to);
    }
  }

  private visitKey(node: Node, number: number, tags: number): number {
    let a = this.hash1;
    let b = this.hash2;
    if (node.cells !== null) {
      a = b = 0;
      for (const cell of node.cells) {
        const value = this.cells[cell]! + 1;
        a = (a + Math.imul(this.weight1[cell]!, value)) | 0;
        b = (b + Math.imul(this.weight2[cell]!, value)) | 0;
      }
    }
    a = Math.imul(a ^ Math.imul(number + 1, 0x85ebca6b) ^ tags, 0xc2b2ae35);
    b = Math.imul(b ^ Math.imul(number + 7, 0x27d4eb2f) ^ Math.imul(tags, 0x165667b1), 0x9e3779b1);
    return (a >>> 0) * 0x200000 + (b >>> 11);
  }

  // --- Exploring. ---
  // Every legal move once, with the state that it leads to; in the order of their texts' discovery.
  moves(): Move[] {
    const found = new Map<string, Move>();
    if (this.terminal()) return [];
    const seen = new Set<number>();
    const tags: number[] = [];
    const walk = (number: number, tagHash: number): void => {
      const mark = this.trailCell.length;
      const tagMark = tags.length;
      for (;;) {
        const node = this.nodes[number]!;
        if (!node.unique) {
          const key = this.visitKey(node, number, tagHash);
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
              walk(edge.to, tagHash);
              this.back(inner);
            }
            if (node.once) break;
            continue;
          } else if (edge.kind === Kind.move) {
            const inner = this.trailCell.length;
            edge.write!(this);
            const text = tags.map((tag) => this.symbols[tag]).join(' ');
            if (!found.has(text)) found.set(text, { text, state: { cells: this.cells.slice(), node: edge.to } });
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
          walk(edge.to, this.act(edge, tags, tagHash));
          this.back(inner);
          tags.length = innerTags;
        }
        if (next === null) break;
        tagHash = this.act(next, tags, tagHash);
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
    const seen = new Set<number>();
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

  private act(edge: Edge, tags: number[], tagHash: number): number {
    if (edge.kind === Kind.assign) edge.write!(this);
    if (edge.kind !== Kind.tag && edge.kind !== Kind.tagVariable) return tagHash;
    const tag = edge.kind === Kind.tag ? edge.tag! : this.cells[edge.variable!]!;
    tags.push(tag);
    return Math.imul(tagHash ^ (tag + 1), 0x01000193) + 0x9e3779b9 | 0;
  }

  private reaches(from: number, to: number): boolean {
    if (++this.depth > kDeepest) throw new Error('checks inside of checks without end');
    const seen = new Set<number>();
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
    const seen = new Set<number>();
    const steps: { edge: Edge; from: number; mark: number }[] = [];
    const writes: { cell: number; value: number }[][] = [];
    const tags: number[] = [];
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
          else this.act(edge, tags, 0);
          const fits = tags.length === tagMark || tags[tagMark] === wanted[tagMark];
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

function indexIn(type: SetType, symbol: number): number {
  return type.index[symbol] ?? -1;
}

// Extensional: what maps say of keys outside of their domains does not matter.
function equal(left: Place, right: Place, s: Int32Array): boolean {
  const l = left.fixed ?? s;
  const r = right.fixed ?? s;
  const same = (a: Type, i: number, b: Type, j: number): boolean => {
    if (a.to === null || b.to === null) return l[i] === r[j];
    const outside = b.from.members.length;
    const to = a.to;
    const other = b.to;
    return a.from.members.every((key, k) => {
      const at = indexIn(b.from, key);
      return same(to, i + k * to.size, other, j + (at < 0 ? outside : at) * other.size);
    });
  };
  return same(left.type, left.at(s), right.type, right.at(s));
}
