// The page of one game. The game and how to draw it are in the page, deflated; nothing else is needed.
import { el, inflate, picture } from './dom';
import type { GameForm } from './form';
import { keepPlay, keptPlay, paragraphs } from './kept';
import { markCells, markLast, Picker, type Choice } from './picker';
import { Reasoner, type Move, type State } from './rg';
import { Random, type Report } from './search';
import { verdict } from './verdict';
import { Witness, type Known } from './witness';
import { Wording } from './wording';

declare const WORKER_TEXT: string;

// The entry of a table for a value counts if each of the other cells has the required value.
type Source = [variable: string, key: string, table: number, also?: [variable: string, key: string, value: string][]];
interface Cell {
  name: string;
  second: string; // in the moves of the second player
  x: number;
  y: number;
  line: number;
  sources: Source[];
}
interface Other {
  name: string;
  bits: boolean;
  numbers: boolean;
  wanted: boolean; // a hint shows it
  pictures: Record<string, string>;
}
interface Data {
  title: string;
  boards: {
    svg: string;
    pieces: string[];
    strokes: [string[], string[]];
    tables: Record<string, [piece: number, text: string]>[];
    cells: Cell[];
    columns: Record<string, string[]>;
    others: Other[];
  };
  alive: Record<string, string[]>; // by node: the variables on which the rest of the play can depend
  words: Record<string, string>;
  joint: string; // between the cells of a move
  asides: string[];
  names: Record<string, string>; // of moves, by tag
  passes: string[];
  coordinates: Record<string, string>;
  rules: string;
  hides: boolean;
  game: GameForm;
}

class GamePage {
  readonly reasoner: Reasoner;
  readonly wording: Wording;
  private made: {
    mover: string;
    text: string;
    shown: string;
    cells: string[];
    seen: string[];
    before: State;
    events: number;
  }[] = [];
  private moves: Move[] = [];
  private picker = new Picker([]);
  private seats = new Map<string, string>();
  private random = new Random(Date.now());
  private worker: Worker;
  private turn = 0;
  private witness: Witness;
  private viewer = -1; // whose eyes see the board; -1: everything is seen
  private known: Known | null = null;
  private lastAlive: string[] = [];
  private waiting = false;
  private restoring = false;
  private stage = el('div', { class: 'stage' });
  private status = el('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private choices = el('div', { class: 'choices' });
  private facts = el('dl', { class: 'facts' });
  private more = el('dl', { class: 'facts' }); // variables that nobody chose to show
  private moreBox = el('details', {}, el('summary', {}, 'Variables'), this.more);
  private legal = el('div', { class: 'legal' });
  private list = el('ol');
  private undoButton = el('button', { onclick: () => this.undo() }, 'Undo');

  constructor(private data: Data) {
    this.reasoner = new Reasoner(data.game);
    this.witness = new Witness(new Reasoner(data.game));
    this.wording = new Wording(
      data.words,
      new Set(data.asides),
      data.boards.cells.map((cell) => cell.name),
      data.boards.columns,
      data.coordinates,
      data.names,
      new Set(data.passes),
      data.joint,
    );
    this.worker = new Worker(URL.createObjectURL(new Blob([WORKER_TEXT], { type: 'text/javascript' })));
    const scores = this.scores();
    this.worker.postMessage({
      game: JSON.stringify(data.game),
      bounds: { least: Math.min(...scores), most: Math.max(...scores) },
    });
    this.worker.onmessage = (event: MessageEvent<Report>) => this.answered(event.data);
    const seats = this.reasoner.players.map((player, i) => {
      const select = el(
        'select',
        { 'aria-label': `Who plays ${player}` },
        ...[
          ['you', 'You'],
          ['random', 'Random'],
          ['300', 'Easy'],
          ['1500', 'Medium'],
          ['5000', 'Hard'],
        ].map(([value, text]) => el('option', { value: value! }, text!)),
      );
      select.value = i === 0 ? 'you' : '1500';
      this.seats.set(player, select.value);
      select.onchange = () => {
        this.seats.set(player, select.value);
        this.show();
      };
      return el('label', {}, el('span', { class: 'who' }, player), select);
    });
    if (data.hides) seats.push(this.chooseViewer());
    document.body.append(
      el('main', {}, el('h1', {}, data.title), this.status, this.stage, this.choices),
      el(
        'aside',
        {},
        el('div', { class: 'buttons' }, el(
            'button',
            {
              onclick: () => {
                this.restart();
                this.keep();
              },
            },
            'New game',
          ), this.undoButton),
        el('div', {}, ...seats),
        data.boards.svg === '' ? null : this.facts,
        data.rules === ''
          ? null
          : el(
              'details',
              { open: true, class: 'rules' },
              el('summary', {}, 'Rules'),
              ...paragraphs(data.rules, data.title),
            ),
        el('details', { open: true }, el('summary', {}, 'Legal moves'), this.legal),
        el('details', { open: true }, el('summary', {}, 'Moves so far'), this.list),
        this.moreBox,
        el('footer', {}, 'Made with rgtrans.'),
      ),
    );
    this.restart();
    this.restore();
  }

  // The play survives a reload.
  private keep(): void {
    keepPlay(
      this.data.title,
      this.made.map((made) => made.text),
    );
  }
  private restore(): void {
    const moves = keptPlay(this.data.title);
    if (moves.length === 0) return;
    this.restoring = true;
    for (const move of moves) if (!this.play(move)) break;
    this.restoring = false;
    this.show();
  }

  private chooseViewer(): HTMLLabelElement {
    const select = el(
      'select',
      { 'aria-label': 'Whose eyes see the board' },
      ...this.reasoner.players.map((player, i) => el('option', { value: String(i) }, player)),
      el('option', { value: '-1' }, 'everybody'),
    );
    this.viewer = 0;
    select.value = '0';
    select.onchange = () => {
      this.viewer = Number(select.value);
      this.show();
    };
    return el('label', {}, el('span', { class: 'who' }, 'seen by'), select);
  }

  private scores(): number[] {
    const type = this.data.game.types.find((def) => def.identifier === 'Score')?.type;
    const symbols = type?.kind === 'Set' ? type.identifiers : ['0', '100'];
    const numbers = symbols.map(Number).filter((n) => !Number.isNaN(n));
    return numbers.length > 0 ? numbers : [0, 1];
  }

  restart(): void {
    this.reasoner.reset();
    this.made = [];
    this.witness.reset();
    this.next();
  }

  // After a move: the keeper's moves that show nothing, then what is to be seen.
  private next(): void {
    ++this.turn;
    this.waiting = false;
    this.settle();
    this.moves = this.reasoner.terminal() ? [] : this.reasoner.moves();
    if (this.data.alive[this.reasoner.nodeName()]) this.lastAlive = this.data.alive[this.reasoner.nodeName()]!;
    if (!this.restoring) this.show();
  }

  // The keeper's moves that show nothing are made by themselves; a witness has to see them.
  private settle(): void {
    if (!this.data.hides) return this.reasoner.settle();
    for (let i = 0; i < 100000 && !this.reasoner.terminal() && this.reasoner.mover() === 'keeper'; ++i) {
      const moves = this.reasoner.moves();
      if (moves.length === 0 || moves[0]!.text !== '') return;
      this.watch(moves[0]!);
      this.reasoner.load(moves[0]!.state);
    }
  }
  private watch(move: Move): string[] {
    const seen = this.reasoner.players.map((_, player) => this.reasoner.observed(move, player));
    if (this.data.hides) this.witness.made({ mover: this.reasoner.mover(), seen, before: this.reasoner.save() });
    return seen;
  }

  // For the person, the search and tests: the move with this text.
  play(text: string): boolean {
    const at = this.moves.findIndex((other) => other.text === text);
    const move = this.moves[at];
    if (!move) return false;
    const events = this.witness.history.length;
    const choice = this.wordedMoves()[at]!;
    this.made.push({
      mover: this.reasoner.mover(),
      text,
      shown: choice.text,
      cells: choice.targets.filter((target) => target.length === 1).map((target) => target[0]!),
      seen: this.watch(move),
      before: this.reasoner.save(),
      events,
    });
    this.reasoner.load(move.state);
    this.next();
    if (!this.restoring) this.keep();
    return true;
  }

  // The second player may have other names for the cells.
  private wordedMoves(): Choice[] {
    const { cells } = this.data.boards;
    const second = !this.reasoner.terminal() && this.reasoner.mover() === this.reasoner.players[1];
    this.wording.nameCells(
      cells.map((cell) => (second && cell.second !== '' ? cell.second : cell.name)),
      cells.map((cell) => cell.name),
    );
    return this.wording.choices(this.moves.map((move) => move.text));
  }

  // Back to the last decision of a person.
  undo(): void {
    let last = this.made.pop();
    while (last && this.made.length > 0 && this.seats.get(last.mover) !== 'you') last = this.made.pop();
    if (!last) return;
    this.reasoner.load(last.before);
    this.witness.cut(last.events);
    this.next();
    this.keep();
  }

  private mover(): string {
    return this.reasoner.terminal() ? '' : this.reasoner.mover();
  }

  private show(): void {
    const mover = this.mover();
    const over = mover === '';
    const seat = this.seats.get(mover);
    // A viewer who may not see the position cannot move in it.
    const mine = seat === 'you' && (this.viewer < 0 || this.reasoner.players[this.viewer] === mover);
    this.known = this.viewer < 0 ? null : this.witness.known(this.viewer, over ? '' : this.reasoner.mover(), over);
    const goals = this.reasoner.players.map((player) => this.reasoner.goal(player));
    this.status.replaceChildren(
      ...(over
        ? [
            el(
              'b',
              {},
              verdict(this.reasoner.players, goals),
            ),
            ` The play is over: ${goals.map((goal, i) => `${this.reasoner.players[i]} ${goal}`).join(', ')}`,
          ]
        : [
            el('b', {}, mover),
            seat === 'you'
              ? mine
                ? ' to move'
                : ' to move; choose whose eyes see the board'
              : seat === undefined
                ? ' moves'
                : ' is thinking',
          ]),
    );
    const choices = this.wordedMoves();
    this.picker = new Picker(mine ? choices : []);
    this.draw();
    this.mark();
    this.legal.replaceChildren(
      ...(mine
        ? choices
            .slice(0, 300)
            .map((choice) => el('button', { onclick: () => this.play(choice.move) }, choice.text || '(continue)'))
        : []),
    );
    this.list.replaceChildren(
      ...this.made.map((made) => {
        const text = this.viewer < 0 ? made.text : made.seen[this.viewer]!;
        return el(
          'li',
          {},
          `${made.mover} `,
          el(
            'b',
            {},
            text === '' ? '(nothing shown)' : text === made.text ? made.shown : this.wording.shown([text])[0]!,
          ),
        );
      }),
    );
    this.list.scrollTop = this.list.scrollHeight;
    this.undoButton.disabled = this.made.length === 0;
    const others = this.data.boards.others;
    const chosen = (other: Other) => other.wanted || Object.keys(other.pictures).length > 0;
    this.facts.replaceChildren(...others.filter(chosen).flatMap((other) => this.fact(other)));
    this.more.replaceChildren(...others.filter((other) => !chosen(other)).flatMap((other) => this.fact(other)));
    this.moreBox.hidden = this.more.childElementCount === 0;
    if (!over && seat !== 'you') this.letOthersMove(seat);
  }

  // The cells that the viewer may know; null if there are none.
  private cells(): Int32Array | null {
    return this.viewer < 0 ? this.reasoner.cells : (this.known?.cells ?? null);
  }

  private fact(other: Other): HTMLElement[] {
    const cells = this.cells();
    if (!cells || !this.lastAlive.includes(other.name) || !this.reasoner.variableNames.includes(other.name)) return [];
    const values = [...this.reasoner.values(other.name, cells)].filter(([, value]) => !other.bits || value !== '0');
    if (values.length === 0 || values.length > 16) return [];
    const word = (text: string) =>
      this.wording.labelled(
        text
          .split(' ')
          .map((part) => this.data.words[part] ?? part)
          .join(' '),
      );
    const written = (text: string) => (text === '?' ? this.common(other.name) : word(text));
    const told = (text: string) => (other.numbers ? written(text).replace(/^\w+\((\d+)\)$/, '$1') : written(text));
    if (Object.keys(other.pictures).length > 0 && (other.bits || values.length === 1)) {
      const text = other.bits ? values.map(([key]) => word(key)).join(' ') : told(values[0]![1]);
      const parts = other.bits
        ? values.map(([key]) => word(key))
        : text.includes('(')
          ? text.replace(/^[^(]*\(|\)$/g, '').split(/[ ,]+/)
          : [text];
      return [
        el('dt', {}, other.name),
        el(
          'dd',
          { class: 'tokens', title: text },
          ...parts.map((part) => picture(other.pictures[part] ?? other.pictures['?'] ?? '')),
        ),
      ];
    }
    const text = values
      .map(([key, value]) =>
        other.bits ? (word(key) || 'yes') + (value === '?' ? '?' : '') : `${word(key)} ${told(value)}`.trim(),
      )
      .join(', ');
    return [el('dt', {}, other.name), el('dd', {}, text)];
  }

  // Of an unknown value what all possible ones have in common: D(jack,?).
  private common(name: string): string {
    let parts: string[] | null = null;
    for (const state of this.known!.states) {
      const value = this.reasoner.values(name, state.cells).get('') ?? '';
      const here = (this.data.words[value] ?? value).split(/([(), ])/);
      if (parts && here.length !== parts.length) return '?';
      parts = parts ? parts.map((part, i) => (part === here[i] ? part : '?')) : here;
    }
    return parts && parts.length > 1 ? parts.join('') : '?';
  }

  private letOthersMove(seat: string | undefined): void {
    const turn = this.turn;
    if (seat === undefined || seat === 'random') {
      setTimeout(() => {
        if (turn === this.turn && this.moves.length > 0)
          this.play(this.moves[this.random.below(this.moves.length)]!.text);
      }, 250);
    } else if (!this.waiting) {
      this.waiting = true;
      this.worker.postMessage({ from: this.imagined(), milliseconds: Number(seat), seed: this.random.below(1 << 30) });
    }
  }
  // Where something is hidden, the search may not look at the position itself: it gets one that its player thinks
  // possible.
  private imagined(): State {
    if (!this.data.hides) return this.reasoner.save();
    const states = this.witness.known(this.reasoner.players.indexOf(this.mover()), this.mover(), false)?.states ?? [];
    return states[this.random.below(states.length)] ?? this.reasoner.save();
  }
  private answered(report: Report): void {
    if (this.waiting && this.seats.get(this.mover()) !== 'you') {
      const known = this.moves.some((move) => move.text === report.move);
      this.play(known ? report.move : this.moves[this.random.below(this.moves.length)]!.text);
    } else {
      this.waiting = false;
    }
  }

  private draw(): void {
    const { svg, cells, tables, pieces, strokes } = this.data.boards;
    const values = new Map<string, Map<string, string>>();
    const board = picture(svg);
    if (!board) {
      // Cards and other values are all there is to see.
      this.facts.classList.add('table');
      const pictured = this.data.boards.others.some((other) => Object.keys(other.pictures).length > 0);
      this.stage.replaceChildren(
        this.facts,
        ...(pictured ? [] : [el('p', {}, 'This game has no board; its moves are in the list.')]),
      );
      return;
    }
    const shown = this.cells();
    const value = (variable: string, key: string): string => {
      if (!values.has(variable)) values.set(variable, this.reasoner.values(variable, shown ?? undefined));
      return values.get(variable)!.get(key) ?? '';
    };
    const grounds = [...board.querySelectorAll<SVGGElement>('g[data-cell]')];
    cells.forEach((cell, i) => {
      let piece = -1;
      let text = '';
      let unknown = false;
      for (const [variable, key, table, also] of cell.sources) {
        if (!shown) {
          unknown = true;
          continue;
        }
        if (value(variable, key) === '?') unknown = true;
        const effect = tables[table]![value(variable, key)];
        if (effect && (also ?? []).every(([other, at, held]) => value(other, at) === held)) {
          if (effect[0] >= 0) piece = effect[0];
          if (effect[1] !== '') text = effect[1];
        }
      }
      const at = `translate(${cell.x} ${cell.y})`;
      if (piece >= 0) {
        const looks = cell.line > 0 ? strokes[cell.line - 1]! : pieces;
        const shape = picture(`<svg xmlns="http://www.w3.org/2000/svg"><g transform="${at}">${looks[piece]}</g></svg>`);
        if (shape?.firstElementChild) {
          shape.firstElementChild.setAttribute('data-piece', '');
          grounds[i]!.append(shape.firstElementChild);
        }
      }
      if (piece >= 0) grounds[i]!.dataset['full'] = '';
      if (unknown && piece < 0 && text === '') text = '?';
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
    if (board && this.viewer < 0) markLast(board as SVGSVGElement, this.made[this.made.length - 1]?.cells ?? []);
    if (board) markCells(board as SVGSVGElement, this.picker, this.reasoner.mover(), (cell) => this.point(cell));
    const plain =
      asked.length === 0 && this.picker.chosen.length === 0
        ? this.picker.moves.filter((move) => move.targets.length === 0)
        : asked;
    this.choices.replaceChildren(
      ...plain
        .slice(0, 40)
        .map((choice) => el('button', { onclick: () => this.play(choice.move) }, choice.text || '(continue)')),
    );
  }
  private point(cell: string): void {
    const picked = this.picker.point(cell);
    if (picked.play) this.play(picked.play.move);
    else this.mark(picked.ask);
  }
}

inflate(document.getElementById('data')!.textContent!)
  .then((text) => {
    const page = new GamePage(JSON.parse(text));
    Object.assign(window, { game: page }); // for tests
  })
  .catch((problem) => {
    document.body.append(el('p', { class: 'problem' }, `The game cannot be shown: ${problem.message}`));
  });
