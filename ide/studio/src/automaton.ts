// The automaton, drawn by the program, and the walk of the last move on it: a debugger of rules. A click goes to the
// text; where the cursor is in the text lights up here.
import { after, el } from './dom';
import { PieceDrawing } from './drawing';
import type { GameForm } from './form';
import type { DrawingElement, TextPlace } from './messages';
import { Reasoner, type Step } from './rg';
import { RequestError, type Connection } from './rpc';
import { ZoomWindow } from './zoom';

interface Element {
  edge: number;
  from: string;
  to: string;
  place: TextPlace | null;
}
interface Drawn {
  elements: Element[];
  whole: boolean;
}

function placed([edge, from, to, line, column, endLine, endColumn]: DrawingElement): Element {
  if (line === undefined) return { edge, from, to, place: null };
  return { edge, from, to, place: { line, column: column!, endLine: endLine!, endColumn: endColumn! } };
}

export class AutomatonPanel {
  readonly element: HTMLElement;
  ongo: (place: TextPlace) => void = () => {};
  onmark: (places: TextPlace[]) => void = () => {};
  breakLines: () => Set<number> = () => new Set();
  optimized = false;
  private window = new ZoomWindow();
  private drawing = new PieceDrawing();
  private drawn: Drawn | null = null;
  private byEdge = new Map<number, number>();
  private byNode = new Map<string, SVGGElement>();
  private parts: SVGElement[] = [];
  private version = 0;
  private stale = true;
  private visible = false;
  private first = true;
  private focus = 'begin';
  private found = 0;

  private reasoner: Reasoner | null = null;
  private path: string[] = [];
  private steps: Step[] = [];
  private at = -1;
  private breaks = new Set<string>();
  private before = new Map<string, Map<string, string>>(); // the variables when the move began

  private note = el('span', { class: 'note' });
  private search = el('input', {
    type: 'search',
    placeholder: 'Find a node or label',
    'aria-label': 'Find a node or label',
  });
  private which = el(
    'select',
    { 'aria-label': 'Which automaton' },
    el('option', { value: 'written' }, 'as written'),
    el('option', { value: 'optimized' }, 'optimized'),
  );
  private walkText = el('span', { class: 'walk-text', role: 'status' });
  private wrote = el('div', { class: 'wrote' });
  private watch = el('aside', { class: 'watch', hidden: true, 'aria-label': 'Variables at this step' });
  private walk: HTMLElement;
  private tip = el('div', { class: 'tip', role: 'tooltip', hidden: true });
  private hovered: SVGGElement | null = null;

  constructor(private connection: Connection) {
    this.search.oninput = () => {
      this.found = 0;
      this.find();
    };
    this.search.onkeydown = (event) => {
      if (event.key === 'Enter') this.find();
    };
    this.which.onchange = () => {
      this.optimized = this.which.value === 'optimized';
      this.first = true;
      this.changed();
    };
    const step = (to: () => number, title: string, text: string) =>
      el('button', { title, onclick: () => this.step(to()) }, text);
    this.walk = el(
      'div',
      { class: 'walk', hidden: true },
      step(() => 0, 'First step', '|◀'),
      step(() => this.at - 1, 'One step back (,)', '◀'),
      step(() => this.at + 1, 'One step on (.)', '▶'),
      step(() => this.nextBreak(), 'To the next breakpoint of a node or line, or the end (/)', '▶|'),
      this.walkText,
      this.wrote,
    );
    this.element = el(
      'div',
      { class: 'automaton panel' },
      el('div', { class: 'bar' }, this.which, this.search, this.window.buttons, this.note),
      el('div', { class: 'drawn' }, el('div', { class: 'canvas' }, this.window.element, this.tip), this.watch),
      this.walk,
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLInputElement) return;
      if (event.key === '.') this.step(this.at + 1);
      if (event.key === ',') this.step(this.at - 1);
      if (event.key === '/') this.step(this.nextBreak());
    });
    this.window.element.addEventListener('click', (event) => this.click(event));
    const explain = after(180, (node: SVGGElement) => this.explain(node));
    this.window.element.addEventListener('pointerover', (event) => {
      const node = (event.target as SVGElement).closest<SVGGElement>('g.n');
      this.hovered = node;
      this.tip.hidden = true;
      if (node) explain(node);
    });
    this.window.element.addEventListener('pointerleave', () => {
      this.hovered = null;
      this.tip.hidden = true;
    });
  }

  // Shows facts of the analyses about the node under the mouse.
  private async explain(node: SVGGElement): Promise<void> {
    if (this.hovered !== node) return;
    const known = await this.connection
      .request('explain', { optimized: this.optimized, node: node.querySelector('text')?.textContent ?? '' })
      .catch(() => null);
    if (!known || this.hovered !== node) return;
    const [head, ...lines] = known.text.trim().split('\n');
    this.tip.replaceChildren(
      el('b', {}, head!),
      ...lines.map((line) => {
        const [pragma, text] = [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()];
        return el('p', { class: text.startsWith('no') ? 'lacks' : '' }, el('code', {}, pragma), ` ${text}`);
      }),
    );
    this.tip.hidden = false;
    const box = this.window.element.getBoundingClientRect();
    const at = node.getBoundingClientRect();
    const below = at.bottom + 6 + this.tip.offsetHeight < box.bottom;
    this.tip.style.left = `${Math.max(6, Math.min(at.left - box.left, box.width - this.tip.offsetWidth - 6))}px`;
    const above = Math.max(6, at.top - box.top - this.tip.offsetHeight - 6);
    this.tip.style.top = `${below ? at.bottom - box.top + 6 : above}px`;
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (visible && this.stale) this.refresh();
  }
  changed(): void {
    this.stale = true;
    this.reasoner = null;
    if (this.visible) this.refresh();
  }

  private async refresh(): Promise<void> {
    const version = ++this.version;
    this.stale = false;
    try {
      const sent = await this.connection.request('drawing', {
        optimized: this.optimized,
        focus: this.focus,
        known: this.drawing.id,
      });
      if (version !== this.version) return;
      const drawn = (this.drawn = { elements: sent.elements.map(placed), whole: sent.whole });
      this.drawing.show(sent);
      const svg = this.drawing.svg;
      this.window.show(svg, !this.first);
      this.first = false;
      this.parts = [...svg.querySelectorAll<SVGElement>('.e')];
      this.byEdge = new Map(drawn.elements.map((element, i) => [element.edge, i]));
      this.byNode = new Map();
      svg
        .querySelectorAll<SVGGElement>('g.n:not(.s)')
        .forEach((node) => this.byNode.set(node.querySelector('text')?.textContent ?? '', node));
      this.window.element.dataset['version'] = String(sent.id);
      this.note.textContent =
        `${sent.nodeCount} nodes, ${sent.edgeCount} edges` +
        (drawn.whole ? '' : `; the part around ${this.focus}: a click on a node shows the part around it`);
      for (const name of this.breaks) this.byNode.get(name)?.classList.add('break');
      this.trace();
    } catch (problem) {
      if (version === this.version && problem instanceof RequestError) this.note.textContent = problem.message;
    }
  }

  private click(event: MouseEvent): void {
    if (this.window.element.classList.contains('dragging') || !this.drawn) return;
    const target = event.target as SVGElement;
    const part = target.closest<SVGElement>('.e');
    const node = target.closest<SVGGElement>('g.n');
    if (part) {
      const element = this.drawn.elements[this.parts.indexOf(part)];
      if (element?.place) this.ongo(element.place);
      this.select([part]);
    } else if (node) {
      const name = node.querySelector('text')?.textContent ?? '';
      if (event.shiftKey) {
        node.classList.toggle(
          'break',
          this.breaks.has(name) ? !this.breaks.delete(name) : this.breaks.add(name) !== null,
        );
        return;
      }
      const leaving = this.drawn.elements.find((element) => element.from === name);
      const place = leaving?.place ?? this.drawn.elements.find((element) => element.to === name)?.place;
      if (place) this.ongo(place);
      this.select([node]);
      if (!this.drawn.whole) {
        this.focus = name;
        this.first = true;
        this.refresh();
      }
    }
  }

  private select(parts: Element_[]): void {
    this.window.element.querySelectorAll('.at').forEach((old) => old.classList.remove('at'));
    for (const part of parts) part.classList.add('at');
    if (parts[0]) this.window.reveal(parts[0]);
  }

  cursor(line: number): void {
    if (!this.visible || !this.drawn) return;
    const parts = this.drawn.elements.flatMap((element, i) =>
      element.place && element.place.line === line && this.parts[i] ? [this.parts[i]!] : [],
    );
    if (parts.length > 0) this.select(parts);
  }

  private find(): void {
    const wanted = this.search.value.toLowerCase();
    const texts = [...this.window.element.querySelectorAll<SVGTextElement>('text')];
    texts.forEach((text) => text.classList.remove('found'));
    if (wanted === '') return;
    const hits = texts.filter((text) => (text.textContent ?? '').toLowerCase().includes(wanted));
    hits.forEach((text) => text.classList.add('found'));
    if (hits.length === 0) {
      this.note.textContent = `nothing reads ${this.search.value}`;
      return;
    }
    const hit = hits[this.found++ % hits.length]!;
    this.note.textContent = `${((this.found - 1) % hits.length) + 1} of ${hits.length}`;
    this.window.reveal(hit);
  }

  // --- The walk of the last move. ---
  moved(path: string[]): void {
    this.path = [...path];
    this.trace();
  }

  private async trace(): Promise<void> {
    this.walk.hidden = this.watch.hidden = this.path.length === 0;
    if (this.path.length === 0 || !this.visible || !this.drawn) {
      this.steps = [];
      this.at = -1;
      return;
    }
    const version = this.version;
    try {
      if (!this.reasoner) {
        const game = await this.connection.request('translate', { optimized: this.optimized, to: 'json' });
        if (version !== this.version) return;
        this.reasoner = new Reasoner(JSON.parse(game.text) as GameForm);
      }
      const reasoner = this.reasoner;
      reasoner.reset();
      reasoner.settle();
      for (const text of this.path.slice(0, -1)) {
        const move = reasoner.moves().find((other) => other.text === text);
        if (!move) return;
        reasoner.load(move.state);
        reasoner.settle();
      }
      this.before = new Map(reasoner.variableNames.map((name) => [name, reasoner.values(name)]));
      this.steps = reasoner.trace(this.path[this.path.length - 1]!) ?? [];
      this.step(this.steps.length - 1);
    } catch (problem) {
      this.walkText.textContent = (problem as Error).message;
    }
  }

  private nextBreak(): number {
    const lines = this.breakLines();
    for (let i = this.at + 1; i < this.steps.length; ++i) {
      const line = this.lineOf(i);
      // A line with several steps stops the walk at its first step.
      if (this.breaks.has(this.steps[i]!.from) || (lines.has(line) && this.lineOf(i - 1) !== line)) return i;
    }
    return this.steps.length - 1;
  }
  private lineOf(step: number): number {
    const i = this.byEdge.get(this.steps[step]?.edge ?? -1);
    return i === undefined ? -1 : (this.drawn?.elements[i]?.place?.line ?? -1);
  }

  // All variables as they are after the step: maps by the cells that the move has written so far.
  private showValues(): void {
    const cells = new Map<string, Map<string, string>>();
    for (const step of this.steps.slice(0, this.at + 1)) {
      for (const write of step.wrote) {
        if (!cells.has(write.variable)) cells.set(write.variable, new Map());
        cells.get(write.variable)!.set(write.keys.join(' '), write.value);
      }
    }
    const now = new Set(this.steps[this.at]!.wrote.map((write) => `${write.variable}\n${write.keys.join(' ')}`));
    const rows: HTMLElement[] = [];
    const row = (name: string, key: string, value: string) => {
      const label = key === '' ? name : `${name}[${key.split(' ').join('][')}]`;
      rows.push(
        el('tr', { class: now.has(`${name}\n${key}`) ? 'fresh' : '' }, el('th', {}, label), el('td', {}, value)),
      );
    };
    for (const [name, values] of this.before) {
      const written = cells.get(name) ?? new Map<string, string>();
      if (values.has('')) row(name, '', written.get('') ?? values.get('')!);
      else for (const [key, value] of written) row(name, key, value);
    }
    this.watch.replaceChildren(el('table', {}, ...rows));
    this.watch.querySelector('.fresh')?.scrollIntoView({ block: 'nearest' });
  }

  private step(to: number): void {
    if (this.steps.length === 0 || !this.drawn) return;
    this.at = Math.max(0, Math.min(this.steps.length - 1, to));
    this.window.element.querySelectorAll('.walked, .now').forEach((old) => old.classList.remove('walked', 'now'));
    this.steps.slice(0, this.at + 1).forEach((step) => {
      const i = this.byEdge.get(step.edge);
      if (i !== undefined) this.parts[i]?.classList.add('walked');
      this.byNode.get(step.from)?.classList.add('walked');
    });
    const step = this.steps[this.at]!;
    const i = this.byEdge.get(step.edge);
    const part = i === undefined ? undefined : this.parts[i];
    part?.classList.add('now');
    if (part) this.window.reveal(part);
    const place = i === undefined ? null : this.drawn.elements[i]!.place;
    if (place) this.onmark([place]);
    this.walkText.textContent = `step ${this.at + 1} of ${this.steps.length}: ${step.from} → ${step.to}`;
    this.showValues();
    this.wrote.replaceChildren(
      ...step.wrote
        .slice(0, 8)
        .map((write) =>
          el('code', {}, `${write.variable}${write.keys.map((key) => `[${key}]`).join('')} = ${write.value}`),
        ),
    );
  }
}

type Element_ = globalThis.Element;
