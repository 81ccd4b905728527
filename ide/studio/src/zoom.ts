// A drawing in a window: wheel and buttons zoom, dragging moves it, keys do both.
import { el } from './dom';

const kKinds: [RegExp, string][] = [
  [/^\$/, 'tag'],
  [/^[?!] /, 'check'],
  [/^player = /, 'turn'],
  [/ (==|!=) /, 'test'],
  [/\(\*\)$/, 'choice'],
];

// Colours labels by their kind.
export function colourLabels(drawing: Element): void {
  drawing.querySelectorAll<SVGTextElement>('text.e').forEach((text) => {
    const label = text.firstChild?.textContent ?? '';
    const kind = kKinds.find(([pattern]) => pattern.test(label))?.[1];
    if (kind) text.classList.add(`k-${kind}`);
  });
}

export class ZoomWindow {
  readonly element = el('div', {
    class: 'zoom',
    tabindex: '0',
    'aria-label': 'Drawing: plus and minus zoom, arrows move it, 0 shows all',
  });
  private drawing: SVGSVGElement | null = null;
  private scale = 1;
  private x = 0;
  private y = 0;
  onview: () => void = () => {};

  constructor() {
    this.element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const box = this.element.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
    let from: { x: number; y: number } | null = null;
    this.element.addEventListener('pointerdown', (event) => {
      from = { x: event.clientX - this.x, y: event.clientY - this.y };
    });
    this.element.addEventListener('pointermove', (event) => {
      if (!from || event.buttons === 0) return;
      if (Math.hypot(event.clientX - this.x - from.x, event.clientY - this.y - from.y) < 3) return;
      this.element.classList.add('dragging');
      this.x = event.clientX - from.x;
      this.y = event.clientY - from.y;
      this.apply();
    });
    const end = () => {
      from = null;
      setTimeout(() => this.element.classList.remove('dragging'));
    };
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointerleave', end);
    this.element.addEventListener('keydown', (event) => {
      const step = 60;
      const act = (
        {
          '+': () => this.zoom(1.25),
          '=': () => this.zoom(1.25),
          '-': () => this.zoom(0.8),
          '0': () => this.fit(),
          ArrowLeft: () => this.move(step, 0),
          ArrowRight: () => this.move(-step, 0),
          ArrowUp: () => this.move(0, step),
          ArrowDown: () => this.move(0, -step),
        } as Record<string, () => void>
      )[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
  }

  // Keeps place and scale for a drawing that follows another one.
  show(drawing: SVGSVGElement | null, keep: boolean): void {
    this.drawing = drawing;
    if (!drawing || drawing.parentNode !== this.element) {
      if (drawing) colourLabels(drawing);
      this.element.replaceChildren(...(drawing ? [drawing] : []));
    }
    if (keep) this.apply();
    else this.start();
  }

  private size(): { width: number; height: number } {
    return {
      width: Number(this.drawing?.getAttribute('width') ?? 1),
      height: Number(this.drawing?.getAttribute('height') ?? 1),
    };
  }

  // The whole, if one can read it then; else the top.
  start(): void {
    this.fit();
    if (this.scale >= 0.55) return;
    this.scale = Math.min(1, Math.max(0.75, this.element.clientWidth / this.size().width));
    // Where it begins is at the top.
    const begin = [...(this.drawing?.querySelectorAll<SVGGElement>('.t') ?? [])]
      .find((node) => node.textContent === 'begin')
      ?.transform.baseVal.consolidate()?.matrix;
    this.move(
      this.element.clientWidth / 2 - (begin?.e ?? 0) * this.scale - this.x,
      12 - (begin?.f ?? 0) * this.scale - this.y,
    );
  }
  fit(): void {
    const { width, height } = this.size();
    const box = this.element;
    this.scale = Math.min(1.5, (box.clientWidth || 600) / width, (box.clientHeight || 400) / height);
    this.x = ((box.clientWidth || 600) - width * this.scale) / 2;
    this.y = Math.max(0, ((box.clientHeight || 400) - height * this.scale) / 2);
    this.apply();
  }
  zoom(factor: number, atX = this.element.clientWidth / 2, atY = this.element.clientHeight / 2): void {
    const scale = Math.min(4, Math.max(0.03, this.scale * factor));
    this.x = atX - ((atX - this.x) * scale) / this.scale;
    this.y = atY - ((atY - this.y) * scale) / this.scale;
    this.scale = scale;
    this.apply();
  }
  move(dx: number, dy: number): void {
    const { width, height } = this.size();
    const within = (at: number, length: number, window: number) =>
      length <= window ? Math.min(Math.max(at, 0), window - length) : Math.min(Math.max(at, window - length - 40), 20);
    this.x = within(this.x + dx, width * this.scale, this.element.clientWidth);
    this.y = within(this.y + dy, height * this.scale, this.element.clientHeight);
    this.apply();
  }
  // Brings an element of the drawing into the middle, unless it is well inside.
  reveal(part: Element): void {
    const box = this.element.getBoundingClientRect();
    const at = part.getBoundingClientRect();
    const margin = 30;
    const inside =
      at.left > box.left + margin &&
      at.right < box.right - margin &&
      at.top > box.top + margin &&
      at.bottom < box.bottom - margin;
    if (inside) return;
    if (this.scale < 0.5) this.zoom(0.8 / this.scale);
    const now = part.getBoundingClientRect();
    this.move(
      box.left + box.width / 2 - (now.left + now.width / 2),
      box.top + box.height / 2 - (now.top + now.height / 2),
    );
  }
  get view(): { scale: number; x: number; y: number } {
    return { scale: this.scale, x: this.x, y: this.y };
  }
  set view(view: { scale: number; x: number; y: number }) {
    Object.assign(this, view);
    if (this.drawing) this.drawing.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }
  private apply(): void {
    if (this.drawing) this.drawing.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.onview();
  }
  get buttons(): HTMLElement {
    return el(
      'span',
      { class: 'zooms' },
      el('button', { title: 'Smaller (−)', onclick: () => this.zoom(0.8) }, '−'),
      el('button', { title: 'Larger (+)', onclick: () => this.zoom(1.25) }, '+'),
      el('button', { title: 'Show all (0)', onclick: () => this.fit() }, 'Fit'),
    );
  }
}
