// The page of one game. The game and how to draw it are in the page, deflated; nothing else is needed.
import { el, picture } from './dom';
import { markCells, Picker, type Choice } from './picker';
import { Reasoner, type Move, type State } from './rg';
import { Random, type Report } from './search';
import { Wording } from './wording';

declare const WORKER_TEXT: string;

interface Cell { name: string; x: number; y: number; sources: [variable: string, key: string, table: number][] }
interface Data {
  title: string;
  boards: { svg: string; pieces: string[]; tables: Record<string, [piece: number, text: string]>[]; cells: Cell[]; columns: Record<string, string[]>; others: { name: string; bits: boolean }[] };
  words: Record<string, string>;
  asides: string[];
  hides: boolean;
  game: any;
}

async function inflate(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}

class GamePage {
  readonly reasoner: Reasoner;
  readonly wording: Wording;
  private made: { mover: string; text: string; before: State }[] = [];
  private moves: Move[] = [];
  private picker = new Picker([]);
  private seats = new Map<string, string>();
  private random = new Random(Date.now());
  private worker: Worker;
  private turn = 0;
  private waiting = false;
  private stage = el('div', { class: 'stage' });
  private status = el('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private choices = el('div', { class: 'choices' });
  private facts = el('dl', { class: 'facts' });
  private legal = el('div', { class: 'legal' });
  private list = el('ol');
  private undoButton = el('button', { onclick: () => this.undo() }, 'Undo');

  constructor(private data: Data) {
    this.reasoner = new Reasoner(data.game);
    this.wording = new Wording(data.words, new Set(data.asides), data.boards.cells.map((cell) => cell.name), data.boards.columns);
    this.worker = new Worker(URL.createObjectURL(new Blob([WORKER_TEXT], { type: 'text/javascript' })));
    const scores = this.scores();
    this.worker.postMessage({ game: JSON.stringify(data.game), bounds: { least: Math.min(...scores), most: Math.max(...scores) } });
    this.worker.onmessage = (event: MessageEvent<Report>) => this.answered(event.data);
    const seats = this.reasoner.players.map((player, i) => {
      const select = el('select', { 'aria-label': `Who plays ${player}` }, ...[['you', 'You'], ['random', 'Random'], ['300', 'Easy'], ['1500', 'Medium'], ['5000', 'Hard']].map(([value, text]) => el('option', { value: value! }, text!)));
      select.value = i === 0 || data.hides ? 'you' : '1500';
      this.seats.set(player, select.value);
      select.onchange = () => {
        this.seats.set(player, select.value);
        this.show();
      };
      return el('label', {}, el('span', { class: 'who' }, player), select);
    });
    document.body.append(
      el('main', {}, el('h1', {}, data.title), this.status, this.stage, this.choices),
      el('aside', {}, el('div', { class: 'buttons' }, el('button', { onclick: () => this.restart() }, 'New game'), this.undoButton), el('div', {}, ...seats), this.facts,
        el('details', { open: true }, el('summary', {}, 'Legal moves'), this.legal),
        el('details', { open: true }, el('summary', {}, 'Moves so far'), this.list),
        el('footer', {}, data.hides ? 'Something is hidden in this game; this page shows everything. ' : '', 'Made with rgtrans.')));
    this.restart();
  }

  private scores(): number[] {
    const type = this.data.game.types.find((def: any) => def.identifier === 'Score')?.type;
    const numbers = (type?.identifiers ?? ['0', '100']).map(Number).filter((n: number) => !Number.isNaN(n));
    return numbers.length > 0 ? numbers : [0, 1];
  }

  restart(): void {
    this.reasoner.reset();
    this.made = [];
    this.next();
  }

  // After a move: the keeper's moves that show nothing, then what is to be seen.
  private next(): void {
    ++this.turn;
    this.waiting = false;
    this.reasoner.settle();
    this.moves = this.reasoner.terminal() ? [] : this.reasoner.moves();
    this.show();
  }

  // For the person, the search and tests: the move with this text.
  play(text: string): void {
    const move = this.moves.find((other) => other.text === text);
    if (!move) return;
    this.made.push({ mover: this.reasoner.mover(), text: this.wording.shown([text])[0]!, before: this.reasoner.save() });
    this.reasoner.load(move.state);
    this.next();
  }

  // Back to the last decision of a person.
  undo(): void {
    let last = this.made.pop();
    while (last && this.made.length > 0 && this.seats.get(last.mover) !== 'you') last = this.made.pop();
    if (!last) return;
    this.reasoner.load(last.before);
    this.next();
  }

  private mover(): string { return this.reasoner.terminal() ? '' : this.reasoner.mover(); }

  private show(): void {
    const mover = this.mover();
    const over = mover === '';
    const seat = this.seats.get(mover);
    const mine = seat === 'you';
    this.status.replaceChildren(...(over ? ['The play is over. ', ...this.reasoner.players.map((player) => el('b', {}, `${player} ${this.reasoner.goal(player)} `))]
      : [el('b', {}, mover), mine ? ' to move' : seat === undefined ? ' moves' : ' is thinking']));
    const choices = this.wording.choices(this.moves.map((move) => move.text));
    this.picker = new Picker(mine ? choices : []);
    this.draw();
    this.mark();
    this.legal.replaceChildren(...(mine ? choices.slice(0, 300).map((choice) => el('button', { onclick: () => this.play(choice.move) }, choice.text || '(continue)')) : []));
    this.list.replaceChildren(...this.made.map((made) => el('li', {}, `${made.mover} `, el('b', {}, made.text))));
    this.list.scrollTop = this.list.scrollHeight;
    this.undoButton.disabled = this.made.length === 0;
    this.facts.replaceChildren(...this.data.boards.others.flatMap((other) => this.fact(other)));
    if (!over && !mine) this.letOthersMove(seat);
  }

  private fact(other: { name: string; bits: boolean }): HTMLElement[] {
    if (!this.reasoner.variableNames.includes(other.name)) return [];
    const values = [...this.reasoner.values(other.name)].filter(([, value]) => !other.bits || value === '1');
    if (values.length === 0 || values.length > 12) return [];
    const word = (text: string) => text.split(' ').map((part) => this.data.words[part] ?? part).join(' ');
    const text = values.map(([key, value]) => (other.bits ? word(key) || 'yes' : `${word(key)} ${word(value)}`.trim())).join(', ');
    return [el('dt', {}, other.name), el('dd', {}, text)];
  }

  private letOthersMove(seat: string | undefined): void {
    const turn = this.turn;
    if (seat === undefined || seat === 'random') {
      setTimeout(() => {
        if (turn === this.turn && this.moves.length > 0) this.play(this.moves[this.random.below(this.moves.length)]!.text);
      }, 250);
    } else if (!this.waiting) {
      this.waiting = true;
      this.worker.postMessage({ from: this.reasoner.save(), milliseconds: Number(seat), seed: this.random.below(1 << 30) });
    }
  }
  private answered(report: Report): void {
    if (this.waiting && this.seats.get(this.mover()) !== 'you') this.play(report.move);
    else this.waiting = false;
  }

  private draw(): void {
    const { svg, cells, tables, pieces } = this.data.boards;
    const values = new Map<string, Map<string, string>>();
    const board = picture(svg);
    if (!board) {
      this.stage.replaceChildren(el('p', {}, 'This game has no board; its moves are in the list.'));
      return;
    }
    const grounds = [...board.querySelectorAll<SVGGElement>('g[data-cell]')];
    cells.forEach((cell, i) => {
      let piece = -1;
      let text = '';
      for (const [variable, key, table] of cell.sources) {
        if (!values.has(variable)) values.set(variable, this.reasoner.values(variable));
        const effect = tables[table]![values.get(variable)!.get(key) ?? ''];
        if (effect) {
          if (effect[0] >= 0) piece = effect[0];
          if (effect[1] !== '') text = effect[1];
        }
      }
      const at = `translate(${cell.x} ${cell.y})`;
      if (piece >= 0) {
        const shape = picture(`<svg xmlns="http://www.w3.org/2000/svg"><g transform="${at}">${pieces[piece]}</g></svg>`);
        if (shape?.firstElementChild) grounds[i]!.append(shape.firstElementChild);
      }
      if (piece >= 0) grounds[i]!.dataset['full'] = '';
      if (text !== '') {
        const label = document.createElementNS('http://www.w3.org/2000/svg', 'text');
        label.setAttribute('transform', at);
        label.setAttribute('y', '7');
        label.setAttribute('font-size', '20');
        label.setAttribute('text-anchor', 'middle');
        label.setAttribute('fill', piece >= 0 ? '#c8372d' : '#333');
        label.textContent = text;
        grounds[i]!.append(label);
      }
    });
    this.stage.replaceChildren(board);
  }

  private mark(asked: Choice[] = []): void {
    const board = this.stage.querySelector('svg');
    if (board) markCells(board as SVGSVGElement, this.picker, (cell) => this.point(cell));
    const plain = asked.length === 0 && this.picker.chosen.length === 0 ? this.picker.moves.filter((move) => move.targets.length === 0) : asked;
    this.choices.replaceChildren(...plain.slice(0, 40).map((choice) => el('button', { onclick: () => this.play(choice.move) }, choice.text || '(continue)')));
  }
  private point(cell: string): void {
    const picked = this.picker.point(cell);
    if (picked.play) this.play(picked.play.move);
    else this.mark(picked.ask);
  }
}

inflate(document.getElementById('data')!.textContent!).then((text) => {
  const page = new GamePage(JSON.parse(text));
  (window as any).game = page;
}).catch((problem) => {
  document.body.append(el('p', { class: 'problem' }, `The game cannot be shown: ${problem.message}`));
});
