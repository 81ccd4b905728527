// The program of a reasoner: the JSON form of a game, read once. Each variable has its cells in one array of symbols,
// by number. A map has one extra cell, for keys outside of its domain. Expressions become closures over that array, and
// edges know their tests and assignments.
import type { ExpressionForm, GameForm, LabelForm, TypeForm, ValueForm } from './form';

export interface SetType {
  members: number[];
  index: Int32Array;
  size: 1;
  to: null;
}
export interface ArrowType {
  from: SetType;
  to: Type;
  size: number;
}
export type Type = SetType | ArrowType;

export type Scalar = (s: Int32Array) => number;
export interface Place {
  type: Type;
  fixed: Int32Array | null;
  at: Scalar;
}

export const enum Kind {
  skip,
  assign,
  any,
  compare,
  check,
  tag,
  tagVariable,
  move,
}

export interface Edge {
  number: number; // in the game's list
  kind: Kind;
  to: number;
  test?: (s: Int32Array) => boolean; // of a comparison
  write?: (walk: Writer) => void; // of an assignment
  place?: Scalar; // of a choice: the cell, -1 outside
  members?: number[];
  from2?: number;
  to2?: number;
  negated?: boolean; // of a check
  tag?: number;
  variable?: number; // whose value is the tag
}

export interface Node {
  name: string;
  edges: Edge[];
  once: boolean; // at most one edge is legal
  unique: boolean; // nobody comes here twice
  cells: Int32Array | null;  // the cells that distinguish visits, if not all do
}

// Writes cells and keeps the old values.
export interface Writer {
  cells: Int32Array;
  set(cell: number, value: number): void;
  copy(at: number, type: Type, source: Int32Array, from: number, sourceType: Type): void;
}

export class Program {
  readonly symbols: string[] = [];
  readonly players: string[] = [];
  cells!: Int32Array;

  protected numbers = new Map<string, number>();
  private types = new Map<string, TypeForm>();
  private resolved = new Map<string, Type>();
  private constants = new Map<string, { type: Type; cells: Int32Array }>();
  protected variables = new Map<string, { type: Type; base: number }>();
  protected order: string[] = [];
  protected nodes: Node[] = [];
  private nodeNumbers = new Map<string, number>();
  private artificial = new Set<number>();

  constructor(game: GameForm) {
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
    this.readGraph(game);
    for (const member of (this.type({ kind: 'TypeReference', identifier: 'Player' }) as SetType).members) {
      this.players.push(this.symbols[member]!);
    }
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

  protected nodeNumber(name: string): number {
    let n = this.nodeNumbers.get(name);
    if (n === undefined) {
      n = this.nodes.length;
      this.nodes.push({ name, edges: [], once: false, unique: false, cells: null });
      this.nodeNumbers.set(name, n);
    }
    return n;
  }

  private type(json: TypeForm): Type {
    if (json.kind === 'TypeReference') {
      const known = this.resolved.get(json.identifier);
      if (known) return known;
      const made = this.type(this.types.get(json.identifier)!);
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
    const members = json.identifiers.map((name) => this.number(name));
    const index = new Int32Array(Math.max(0, ...members) + 1).fill(-1);
    members.forEach((symbol, i) => {
      index[symbol] = i;
    });
    const made: SetType = { members, index, size: 1, to: null };
    this.resolved.set(key, made);
    return made;
  }

  private fill(cells: Int32Array, at: number, type: Type, value: ValueForm): void {
    if (value.kind === 'Element' || type.to === null) {
      if (value.kind === 'Element') cells[at] = this.number(value.identifier);
      return;
    }
    const step = type.to.size;
    const count = type.from.members.length;
    const otherwise = value.entries.find((entry) => entry.identifier === null)!;
    for (let i = 0; i <= count; ++i) this.fill(cells, at + i * step, type.to, otherwise.value);
    for (const entry of value.entries) {
      if (entry.identifier === null) continue;
      const i = indexIn(type.from, this.number(entry.identifier));
      if (i >= 0) this.fill(cells, at + i * step, type.to, entry.value);
    }
  }

  private place(json: ExpressionForm): Place {
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
    return {
      type: { members: [symbol], index: new Int32Array(0), size: 1, to: null },
      fixed: Int32Array.of(symbol),
      at: () => 0,
    };
  }

  private scalar(json: ExpressionForm): Scalar {
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
  private target(json: ExpressionForm): Scalar {
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

  private readGraph(game: GameForm): void {
    for (const pragma of game.pragmas) {
      if (pragma.kind === 'ArtificialTag') for (const tag of pragma.tags) this.artificial.add(this.number(tag));
    }
    game.edges.forEach((json, number) => {
      this.nodes[this.nodeNumber(json.lhs.identifier)]!.edges.push(
        this.edge(json.label, this.nodeNumber(json.rhs.identifier), number),
      );
    });
    for (const pragma of game.pragmas) {
      if (pragma.kind === 'Unique')
        for (const node of pragma.nodes) this.nodes[this.nodeNumber(node.identifier)]!.unique = true;
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

  private edge(label: LabelForm, to: number, number: number): Edge {
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
          number,
          kind,
          to,
          write: (walk) => {
            const at = target(walk.cells);
            const source = (value.fixed ?? walk.cells).slice(
              value.at(walk.cells),
              value.at(walk.cells) + value.type.size,
            );
            if (at >= 0) walk.copy(at, type, source, 0, value.type);
          },
        };
      }
      case 'AssignmentAny':
        return {
          number,
          kind: Kind.any,
          to,
          place: this.target(label.lhs),
          members: (this.type(label.rhs) as SetType).members,
        };
      case 'Comparison': {
        const negated = label.negated;
        const type = this.place(label.lhs).type;
        if (type.to === null) {
          const left = this.scalar(label.lhs);
          const right = this.scalar(label.rhs);
          return {
            number,
            kind: Kind.compare,
            to,
            test: negated ? (s) => left(s) !== right(s) : (s) => left(s) === right(s),
          };
        }
        const left = this.place(label.lhs);
        const right = this.place(label.rhs);
        return { number, kind: Kind.compare, to, test: (s) => equal(left, right, s) !== negated };
      }
      case 'Reachability':
        return {
          number,
          kind: Kind.check,
          to,
          negated: label.negated,
          from2: this.nodeNumber(label.lhs.identifier),
          to2: this.nodeNumber(label.rhs.identifier),
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
}

export function indexIn(type: SetType, symbol: number): number {
  return type.index[symbol] ?? -1;
}

// Extensional: values of maps for keys outside of their domains do not matter.
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
