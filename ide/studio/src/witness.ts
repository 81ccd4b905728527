// The facts that a player may know about a play: those that hold in all states that fit the player's observations. The
// same as backends/scene/witness in C++.
import type { Reasoner, State } from './rg';

const kMostPossible = 2000;  // both bounds depend on observations alone
const kMostFollowed = 20000;

export interface Event {
  mover: string;
  seen: string[];
  before: State;
}

export interface Known {
  cells: Int32Array; // -1: not known
  states: State[]; // all that are possible
}

interface Belief {
  events: number;
  states: Map<string, State>;
  lost: boolean;
}

const keyOf = (state: State) => `${state.node} ${state.cells.join(' ')}`;

export class Witness {
  history: Event[] = [];
  private beliefs = new Map<number, Belief>();
  constructor(private probe: Reasoner) {}

  reset(): void {
    this.history = [];
    this.beliefs.clear();
  }
  made(event: Event): void {
    this.history.push(event);
  }
  // The last moves are taken back.
  cut(length: number): void {
    this.history.length = length;
    for (const [player, belief] of this.beliefs) if (belief.events > length) this.beliefs.delete(player);
  }

  // Null where too many states are possible.
  known(player: number, mover: string, over: boolean): Known | null {
    const belief = this.advance(player);
    const possible = new Map(belief.states);
    if (belief.lost || !this.close(possible, player)) return null;
    const states = [...possible.values()].filter((state) => {
      this.probe.load(state);
      return this.probe.terminal() === over && (over || this.probe.mover() === mover);
    });
    if (states.length === 0) return null;
    const cells = states[0]!.cells.slice();
    for (const state of states) for (let i = 0; i < cells.length; ++i) if (cells[i] !== state.cells[i]) cells[i] = -1;
    return { cells, states };
  }

  private advance(player: number): Belief {
    let belief = this.beliefs.get(player);
    if (!belief) {
      this.probe.reset();
      const first = this.probe.save();
      belief = { events: 0, states: new Map([[keyOf(first), first]]), lost: false };
      this.beliefs.set(player, belief);
    }
    for (; belief.events < this.history.length && !belief.lost; ++belief.events) {
      const event = this.history[belief.events]!;
      if (event.mover === 'keeper' && event.seen[player] === '') continue;
      belief.lost = !this.follow(belief, player, event);
    }
    return belief;
  }

  private fitting(state: State, player: number, mover: string, text: string): State[] {
    this.probe.load(state);
    if (this.probe.terminal() || this.probe.mover() !== mover) return [];
    return this.probe
      .moves()
      .filter((move) => this.probe.observed(move, player) === text)
      .map((move) => move.state);
  }

  private follow(belief: Belief, player: number, event: Event): boolean {
    if (!this.close(belief.states, player)) return false;
    const after = new Map<string, State>();
    let followed = 0;
    for (const state of belief.states.values()) {
      const next = this.fitting(state, player, event.mover, event.seen[player]!);
      if ((followed += next.length) > kMostFollowed) return false;
      for (const one of next) after.set(keyOf(one), one);
      if (after.size > kMostPossible) return false;
    }
    belief.states = after;
    return true;
  }

  // Adds what moves of the keeper lead to that the player does not notice.
  private close(states: Map<string, State>, player: number): boolean {
    const open = [...states.values()];
    for (let state = open.pop(); state; state = open.pop()) {
      for (const next of this.fitting(state, player, 'keeper', '')) {
        const key = keyOf(next);
        if (states.has(key)) continue;
        states.set(key, next);
        if (states.size > 2 * kMostPossible) return false;
        open.push(next);
      }
    }
    return true;
  }
}
