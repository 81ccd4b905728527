// Makes a move by pointing at cells: the cells so far, the moves that begin with them, and the cells that may come
// next. The studio and the page of a single game both use it.
import type { MoveChoice } from './messages';

export type Choice = MoveChoice;
export interface Picked {
  play?: Choice;
  ask?: Choice[];
}

export class Picker {
  chosen: string[] = [];
  constructor(readonly moves: Choice[]) {}

  fitting(): Choice[] {
    return this.moves.filter((move) => this.chosen.every((cell, i) => move.targets[i]?.includes(cell)));
  }

  next(): Set<string> {
    const cells = new Set<string>();
    for (const move of this.fitting()) for (const cell of move.targets[this.chosen.length] ?? []) cells.add(cell);
    return cells;
  }

  // Moves that need no cell any more.
  complete(): Choice[] {
    return this.chosen.length === 0 ? [] : this.fitting().filter((move) => move.targets.length === this.chosen.length);
  }

  point(cell: string): Picked {
    if (!this.next().has(cell)) {
      const complete = this.complete();
      const again = cell === this.chosen[this.chosen.length - 1];
      if (again && complete.length > 0) return this.decide(complete);
      this.chosen = [];
      if (again || !this.next().has(cell)) return {};
    }
    this.chosen.push(cell);
    const complete = this.complete();
    if (complete.length === 0 || this.next().size > 0) return complete.length > 0 ? { ask: complete } : {};
    return this.decide(complete);
  }

  private decide(complete: Choice[]): Picked {
    return complete.length === 1 ? { play: complete[0]! } : { ask: complete };
  }
}

// Marks what may be pointed at; pointing, dragging and the keyboard all end in `point`.
// If players have boards of their own, the mover points at its own.
export function markCells(board: SVGSVGElement, picker: Picker, mover: string, point: (cell: string) => void): void {
  const next = picker.next();
  const fitting = picker.fitting();
  const alternatives = (name: string) =>
    fitting.every((move) => {
      const target = move.targets[picker.chosen.length];
      return !target?.includes(name) || target.length > 1;
    });
  const own = new Set(
    [...board.querySelectorAll<SVGGElement>('g[data-cell]')]
      .filter((cell) => cell.dataset['of'] === mover)
      .map((cell) => cell.dataset['cell']!),
  );
  board.querySelectorAll('.hint').forEach((old) => old.remove());
  // Targets appear once a piece is chosen; before that only what the pointer is over is marked.
  board.classList.toggle('picking', picker.chosen.length > 0);
  board.querySelectorAll<SVGGElement>('g[data-cell]').forEach((cell) => {
    const name = cell.dataset['cell']!;
    const another = own.has(name) && cell.dataset['of'] !== mover;
    const can = next.has(name) && !another;
    const chosen = picker.chosen.includes(name) && !another;
    cell.classList.toggle('can', can);
    cell.classList.toggle('chosen', chosen);
    cell.onclick = null;
    cell.onkeydown = null;
    if (!can && !chosen) {
      cell.removeAttribute('tabindex');
      cell.removeAttribute('role');
      return;
    }
    cell.setAttribute('tabindex', '0');
    cell.setAttribute('role', 'button');
    cell.setAttribute('aria-label', cell.querySelector('title')?.textContent ?? name);
    cell.onclick = () => point(name);
    cell.onkeydown = (event) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        point(name);
      } else if (event.key.startsWith('Arrow')) {
        event.preventDefault();
        neighbour(board, cell, event.key)?.focus();
      }
    };
    const middle = middleOf(cell);
    const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    circle.setAttribute('cx', String(middle.x));
    circle.setAttribute('cy', String(middle.y));
    const full = cell.dataset['full'] !== undefined;
    // Of a column the places that are free.
    if (full && !chosen && alternatives(name)) return;
    circle.setAttribute('r', chosen || full ? '21' : '7');
    circle.setAttribute('class', chosen ? 'hint here' : full ? 'hint ring' : 'hint dot');
    cell.append(circle);
  });
  drag(board, (start) => next.has(start) && picker.chosen.length === 0, point);
}

// A piece that is dragged follows the pointer.
export function drag(board: SVGSVGElement, may: (cell: string) => boolean, point: (cell: string) => void): void {
  let start = '';
  let from = { x: 0, y: 0 };
  let moved: SVGElement | null = null;
  const stop = () => {
    moved?.remove();
    moved = null;
    board.querySelectorAll('.dragged').forEach((piece) => piece.classList.remove('dragged'));
  };
  board.onpointerdown = (event) => {
    stop();
    const cell = cellAt(event);
    start = cell?.dataset['cell'] ?? '';
    from = { x: event.clientX, y: event.clientY };
    if (!may(start)) start = '';
  };
  board.onpointermove = (event) => {
    if (start === '' || (event.buttons & 1) === 0) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!moved) {
      const piece = board.querySelector<SVGElement>(`g.can[data-cell="${CSS.escape(start)}"] [data-piece]`);
      if (!piece || Math.hypot(dx, dy) < 4) return;
      moved = document.createElementNS('http://www.w3.org/2000/svg', 'g');
      moved.setAttribute('class', 'moving');
      moved.append(piece.cloneNode(true));
      piece.classList.add('dragged');
      board.append(moved);
    }
    const scale = board.getScreenCTM()?.a ?? 1;
    moved.setAttribute('transform', `translate(${dx / scale} ${dy / scale})`);
  };
  board.onpointerup = (event) => {
    stop();
    const end = cellAt(event)?.dataset['cell'] ?? '';
    if (start !== '' && end !== '' && start !== end) {
      point(start);
      point(end);
    }
    start = '';
  };
  board.onpointercancel = stop;
}

// The cells of the last move.
export function markLast(board: SVGSVGElement, cells: string[]): void {
  board.querySelectorAll('.last').forEach((old) => old.remove());
  for (const name of new Set(cells)) {
    const cell = board.querySelector<SVGGElement>(`g[data-cell="${CSS.escape(name)}"]`);
    if (!cell) continue;
    const at = middleOf(cell);
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    mark.setAttribute('class', 'last');
    for (const [key, value] of Object.entries({ x: at.x - 22, y: at.y - 22, width: 44, height: 44, rx: 6 }))
      mark.setAttribute(key, String(value));
    cell.append(mark);
  }
}

// An arrow over the board from cell to cell, or a ring around the only one, with a word at its end.
export function drawArrow(board: SVGSVGElement, cells: string[], word: string): void {
  board.querySelectorAll('.advice').forEach((old) => old.remove());
  const ends = cells
    .map((name) => board.querySelector<SVGGElement>(`g[data-cell="${CSS.escape(name)}"]`))
    .filter((cell) => cell !== null)
    .map(middleOf);
  const [from, to] = [ends[0], ends[ends.length - 1]];
  if (!from || !to) return;
  const shape = (name: string, values: Record<string, string | number>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, String(value));
    return element;
  };
  const group = shape('g', { class: 'advice' });
  const long = Math.hypot(to.x - from.x, to.y - from.y);
  if (long > 1) {
    const [ux, uy] = [(to.x - from.x) / long, (to.y - from.y) / long];
    const neck = { x: to.x - 16 * ux, y: to.y - 16 * uy };
    group.append(
      shape('line', { x1: from.x, y1: from.y, x2: neck.x, y2: neck.y }),
      shape('path', {
        d: `M${to.x} ${to.y}L${neck.x - 9 * uy} ${neck.y + 9 * ux}L${neck.x + 9 * uy} ${neck.y - 9 * ux}Z`,
      }),
    );
  } else {
    group.append(shape('circle', { cx: to.x, cy: to.y, r: 20 }));
  }
  const label = shape('text', { x: to.x, y: to.y - 24 < 14 ? to.y + 36 : to.y - 24 });
  label.textContent = word;
  group.append(label);
  board.append(group);
}

function cellAt(event: PointerEvent): SVGGElement | null {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGGElement>('g[data-cell]') ?? null;
}

export function middleOf(cell: SVGGElement): { x: number; y: number } {
  const [x, y] = (cell.dataset['at'] ?? '0 0').split(' ').map(Number);
  return { x: x!, y: y! };
}

// The nearest cell that can be pointed at, in this direction.
function neighbour(board: SVGSVGElement, cell: SVGGElement, key: string): SVGGElement | null {
  const here = middleOf(cell);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  let best: SVGGElement | null = null;
  let least = Infinity;
  board.querySelectorAll<SVGGElement>('g.can, g.chosen').forEach((other) => {
    const at = middleOf(other);
    const along = (at.x - here.x) * dx! + (at.y - here.y) * dy!;
    const across = Math.abs((at.x - here.x) * dy!) + Math.abs((at.y - here.y) * dx!);
    if (along > 4 && along + 3 * across < least) {
      least = along + 3 * across;
      best = other;
    }
  });
  return best;
}
