// Moves as their author would say them, and the cells that they name; as backends/scene does it in C++.
import type { Choice } from './picker';

export class Wording {
  private cells = new Map<string, string>();
  private longest = 1;

  constructor(
    private words: Record<string, string>,
    private asides: Set<string>,
    names: string[],
    private columns: Record<string, string[]>,
  ) {
    for (const name of names) {
      const parts = split(name);
      if (parts.length === 0) continue;
      this.longest = Math.max(this.longest, parts.length);
      this.cells.set(parts.join(' '), name);
    }
  }

  full(move: string): string {
    return move.split(' ').map((tag) => this.words[tag] ?? tag).join(' ');
  }

  brief(move: string): string {
    let last = '';
    return move.split(' ').filter((tag) => {
      if (this.asides.has(tag) || (this.asides.size > 0 && tag === last)) return false;
      last = tag;
      return true;
    }).map((tag) => this.words[tag] ?? tag).join(' ').replace(/^\(([^()]*)\)$/, '$1');
  }

  // Where a language names the cells of every step, the first and the last one say where a piece goes.
  private shortest(move: string): string {
    const tags = move.split(' ');
    const cells = tags.filter((tag) => !this.asides.has(tag));
    if (cells.length === tags.length || cells.length === 0) return this.brief(move);
    const [first, last] = [cells[0]!, cells[cells.length - 1]!];
    return first === last ? this.full(first) : this.full(`${first} ${last}`);
  }

  // How each of these moves, all that there are in one state, is to be shown.
  shown(moves: string[]): string[] {
    const shortest = moves.map((move) => this.shortest(move));
    if (new Set(shortest).size === moves.length) return shortest;
    const brief = moves.map((move) => this.brief(move));
    const uses = new Map<string, number>();
    for (const text of brief) uses.set(text, (uses.get(text) ?? 0) + 1);
    return moves.map((move, i) =>
      uses.get(brief[i]!)! > 1 || (brief[i] === '' && move !== '') ? this.full(move) : brief[i]!,
    );
  }

  choices(moves: string[]): Choice[] {
    const shown = this.shown(moves);
    return moves.map((move, i) => ({ move, text: shown[i]!, targets: this.targets(this.full(move)) }));
  }

  private targets(move: string): string[][] {
    const parts = split(move);
    const found: string[][] = [];
    for (let at = 0; at < parts.length;) {
      let length = Math.min(this.longest, parts.length - at);
      let name: string | undefined;
      for (; length > 0 && name === undefined; --length) name = this.cells.get(parts.slice(at, at + length).join(' '));
      if (name === undefined) {
        ++at;
        continue;
      }
      at += length + 1;
      if (found[found.length - 1]?.[0] !== name) found.push([name]);
    }
    if (found.length > 0) return found;
    for (const part of parts) if (this.columns[part]) return [this.columns[part]];
    return [];
  }
}

function split(text: string): string[] {
  return text.match(/[A-Za-z0-9_\-\u0080-\uffff]+/g) ?? [];
}
