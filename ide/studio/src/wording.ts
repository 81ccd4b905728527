// Moves as their author would say them, and the cells that they name; as backends/scene does it in C++.
import type { Choice } from './picker';

export class Wording {
  private cells = new Map<string, string>();
  private longest = 1;
  private labels = new Map<string, string>();
  private longestName = 1;

  constructor(
    private words: Record<string, string>,
    private asides: Set<string>,
    names: string[],
    private columns: Record<string, string[]>,
    coordinates: Record<string, string> = {},
    private named: Record<string, string> = {},
    private passing: Set<string> = new Set(),
    private joint = ' ',
  ) {
    for (const [name, label] of Object.entries(coordinates)) {
      const parts = split(name);
      if (label === '') continue;
      this.longestName = Math.max(this.longestName, parts.length);
      this.labels.set(parts.join(' '), label);
    }
    this.nameCells(names);
  }

  // By the names that the mover has for them; `cells` are those of the board.
  nameCells(names: string[], cells = names): void {
    this.cells.clear();
    names.forEach((name, i) => {
      const parts = split(name);
      if (parts.length === 0) return;
      this.longest = Math.max(this.longest, parts.length);
      this.cells.set(parts.join(' '), cells[i]!);
    });
  }

  passes(move: string): boolean {
    if (this.passing.size === 0) return false;
    return this.passing.has(
      move
        .split(' ')
        .filter((tag) => this.asides.has(tag))
        .join(' '),
    );
  }

  // The text with the names of cells replaced by their coordinates. A cell of two numbers is read from a row of numbers
  // only where that row is of pairs.
  labelled(text: string): string {
    if (this.labels.size === 0) return text;
    const words = [...text.matchAll(kWord)].map((found) => ({
      text: found[0],
      begin: found.index,
      end: found.index + found[0].length,
    }));
    const isNumber = (at: number) => /^\d{1,6}$/.test(words[at]!.text);
    const joined = (at: number) =>
      at + 1 < words.length &&
      isNumber(at) &&
      isNumber(at + 1) &&
      !/[()]/.test(text.slice(words[at]!.end, words[at + 1]!.begin));
    const runAround = (at: number): [number, number] => {
      let [first, last] = [at, at];
      while (first > 0 && joined(first - 1)) --first;
      while (joined(last)) ++last;
      return [first, last - first + 1];
    };
    let out = '';
    let done = 0;
    for (let at = 0; at < words.length;) {
      let length = Math.min(this.longestName, words.length - at);
      let found: string | undefined;
      for (; length > 0; --length) {
        const part = words.slice(at, at + length);
        const label = this.labels.get(part.map((word) => word.text).join(' '));
        if (label === undefined) continue;
        const [first, run] = runAround(at);
        const numbers = part.every((_, i) => isNumber(at + i));
        if (length > 1 && numbers && (run % length !== 0 || (at - first) % length !== 0)) continue;
        found = label;
        break;
      }
      if (found === undefined) {
        ++at;
        continue;
      }
      let end = words[at + length - 1]!.end;
      const part = text.slice(words[at]!.begin, end);
      if (part.split('(').length > part.split(')').length && text[end] === ')') ++end;
      out += text.slice(done, words[at]!.begin) + found;
      done = end;
      at += length;
    }
    return out + text.slice(done);
  }

  full(move: string): string {
    return move
      .split(' ')
      .map((tag) => this.words[tag] ?? tag)
      .join(' ');
  }

  brief(move: string): string {
    let last = '';
    const all = move.split(' ');
    const steps = all.some((tag) => this.asides.has(tag));
    const text = all
      .filter((tag) => {
        if ((this.asides.has(tag) && !this.named[tag]) || (steps && tag === last)) return false;
        last = tag;
        return true;
      })
      .map((tag) => this.named[tag] ?? this.words[tag] ?? tag)
      .join(' ');
    return this.labelled(text).replace(/^\(([^()]*)\)$/, '$1');
  }

  // Where a language names the cells of every step, the first and the last one say where a piece goes.
  private shortest(move: string): string {
    if (this.passes(move)) return 'pass';
    const tags = move.split(' ');
    const called = tags.filter((tag) => this.asides.has(tag) && this.named[tag]).map((tag) => this.named[tag]!);
    if (called.length > 0) return called.join(' ');
    const cells = tags.filter((tag) => !this.asides.has(tag));
    if (cells.length === tags.length || cells.length === 0) return this.brief(move);
    const [first, last] = [cells[0]!, cells[cells.length - 1]!];
    return this.labelled(first === last ? this.full(first) : this.full(`${first} ${last}`));
  }

  // How each of these moves, all that there are in one state, is to be shown.
  shown(moves: string[]): string[] {
    const forms = this.distinct(moves);
    if (this.joint === ' ') return forms;
    return moves.map((move, i) => {
      const cells = move.split(' ').filter((tag) => !this.asides.has(tag)).length;
      const parts = forms[i]!.split(' ');
      return parts.length === cells ? parts.join(this.joint) : forms[i]!;
    });
  }

  // Different forms for different moves, with blanks between their cells.
  private distinct(moves: string[]): string[] {
    const count = (forms: string[]) => {
      const uses = new Map<string, number>();
      for (const form of forms) uses.set(form, (uses.get(form) ?? 0) + 1);
      return uses;
    };
    let forms = moves.map((move) => this.shortest(move));
    let uses = count(forms);
    if (uses.size === moves.length) return forms;
    forms = moves.map((move, i) => (!this.passes(move) || uses.get(forms[i]!)! > 1 ? this.brief(move) : forms[i]!));
    uses = count(forms);
    forms = moves.map((move, i) =>
      uses.get(forms[i]!)! > 1 || (forms[i] === '' && move !== '') ? this.labelled(this.full(move)) : forms[i]!,
    );
    uses = count(forms);
    return moves.map((move, i) => (uses.get(forms[i]!)! > 1 ? this.full(move) : forms[i]!));
  }

  choices(moves: string[]): Choice[] {
    const shown = this.shown(moves);
    return moves.map((move, i) => ({
      move,
      text: shown[i]!,
      targets: this.targets(this.passes(move) ? '' : this.full(move)),
    }));
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

const kWord = /[A-Za-z0-9_\-\u0080-\uffff]+/g;
function split(text: string): string[] {
  return text.match(kWord) ?? [];
}
