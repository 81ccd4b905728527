// The board: the drawing of a position, moves by pointing, players built on a search, and their thoughts.
import { Arranger } from './arrange';
import { after, el, number, picture } from './dom';
import type { PlayReply, PositionSetup, Thoughts } from './messages';
import { drawArrow, markCells, markLast, middleOf, Picker, type Choice } from './picker';
import { verdict } from './verdict';
import { RequestError, type Connection, type Running } from './rpc';

const kSeats: [string, string][] = [
  ['you', 'You'],
  ['random', 'Random'],
  ['mcts:300', 'Search, quick'],
  ['mcts:1s', 'Search, 1 second'],
  ['mcts:5s', 'Search, 5 seconds'],
];

// A player named after a colour has this colour.
const kColours: Record<string, [string, string]> = {
  white: ['#fdfdf8', '#222'],
  black: ['#2b2b2b', '#eee'],
  red: ['#c8372d', '#fff'],
  blue: ['#2f62b5', '#fff'],
  yellow: ['#f0c330', '#222'],
  green: ['#3b8f4d', '#fff'],
};

export class BoardPanel {
  readonly element: HTMLElement;
  path: string[] = [];
  undone: string[] = [];
  setup: PositionSetup | null = null; // where plays begin, if not where the text says
  onsetup: () => void = () => {};
  onmoved: () => void = () => {};
  onstate: (state: PlayReply) => void = () => {};
  private players: string[] = [];
  private hides = false;
  private seats = new Map<string, string>();
  private flip = false;
  private viewer = -1; // -1: everything is seen
  private state: PlayReply | null = null;
  private picker = new Picker([]);
  private running: Running<'reply'> | null = null;
  private thoughts: Thoughts | null = null;
  private thinking: Running<'think'> | null = null;
  private version = 0;
  private paused = false;
  private refreshLater = after(400, () => this.refresh());
  private focused = false; // the keyboard was on the board when the last move was made

  private stage = el('div', { class: 'stage' });
  private status = el('div', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private choices = el('div', { class: 'choices' });
  private facts = el('dl', { class: 'facts' });
  private seatsBox = el('div', { class: 'seats' });
  private bar = el('div', { class: 'evaluation', hidden: true });
  private advice = el('p', { class: 'told', role: 'status', 'aria-live': 'polite', hidden: true });
  private list = el('ol', { class: 'made', 'aria-label': 'Moves so far' });
  private legal = el('div', { class: 'legal', 'aria-label': 'Legal moves' });
  private filter = el('input', {
    type: 'search',
    placeholder: 'Filter the legal moves',
    'aria-label': 'Filter the legal moves',
  });
  private back = el('button', { title: 'Take the last move back (U)', onclick: () => this.undo() }, 'Undo');
  private forth = el('button', { title: 'Make it again (R)', onclick: () => this.redo() }, 'Redo');
  private arranger: Arranger;
  private arrange = el(
    'button',
    { title: 'Drag pieces into a position to play from', onclick: () => this.setUp() },
    'Set up',
  );
  private hint = el('button', { title: 'Look ahead and show what is good (H)', onclick: () => this.think() }, 'Hint');

  constructor(private connection: Connection) {
    this.filter.oninput = () => this.showLegal();
    const buttons = el(
      'div',
      { class: 'buttons' },
      el('button', { title: 'Back to the start', onclick: () => this.go([]) }, 'Restart'),
      this.back,
      this.forth,
      this.hint,
      el('button', { title: 'Make a random move', onclick: () => this.random() }, 'Random move'),
      el(
        'button',
        {
          title: 'Turn the board round',
          onclick: () => {
            this.flip = !this.flip;
            this.refresh();
          },
        },
        'Flip',
      ),
      this.arrange,
      el('button', { title: 'Copy the position as a text', onclick: () => this.copy() }, 'Copy'),
    );
    this.arranger = new Arranger(connection, this.stage);
    this.arranger.onfinish = (setup) => {
      this.setup = setup;
      this.path = [];
      this.undone = [];
      this.onsetup();
    };
    this.arranger.oncancel = () => this.refresh();
    this.element = el(
      'div',
      { class: 'board panel' },
      el(
        'div',
        { class: 'table' },
        this.status,
        this.stage,
        this.arranger.element,
        this.choices,
        this.advice,
        this.bar,
      ),
      el(
        'aside',
        {},
        buttons,
        this.seatsBox,
        this.facts,
        el('details', { open: true }, el('summary', {}, 'Legal moves'), this.filter, this.legal),
        el('details', { open: true }, el('summary', {}, 'Moves so far'), this.list),
      ),
    );
    this.element.addEventListener('keydown', (event) => {
      if (
        event.target instanceof HTMLInputElement ||
        event.target instanceof HTMLSelectElement ||
        event.ctrlKey ||
        event.metaKey
      )
        return;
      const act = { u: () => this.undo(), r: () => this.redo(), h: () => this.think() }[event.key];
      if (act) act();
    });
  }

  opened(players: string[], hides: boolean, keep: boolean): void {
    const same = players.join() === this.players.join();
    this.players = players;
    this.hides = hides;
    if (!keep) {
      this.path = [];
      this.undone = [];
    }
    if (!same) {
      this.seats = new Map(players.map((player) => [player, 'you']));
      this.viewer = hides ? 0 : -1;
    }
    this.showSeats();
    // While another view is shown, this one is updated later.
    if (this.element.hidden) this.refreshLater();
    else this.refresh();
  }

  clear(why: string): void {
    this.stage.replaceChildren(el('p', { class: 'nothing' }, why));
  }

  private showSeats(): void {
    const rows = this.players.map((player) => {
      const select = el(
        'select',
        { 'aria-label': `Who plays ${player}` },
        ...kSeats.map(([value, text]) => el('option', { value }, text)),
      );
      select.value = this.seats.get(player) ?? 'you';
      select.onchange = () => {
        this.seats.set(player, select.value);
        this.paused = false;
        this.refresh();
      };
      return el('label', {}, el('span', { class: 'who' }, player), select);
    });
    if (this.hides) {
      const select = el(
        'select',
        { 'aria-label': 'Whose eyes see the board' },
        el('option', { value: '-1' }, 'everybody'),
        ...this.players.map((player, i) => el('option', { value: String(i) }, player)),
      );
      select.value = String(this.viewer);
      select.onchange = () => {
        this.viewer = Number(select.value);
        this.refresh();
      };
      rows.push(el('label', {}, el('span', { class: 'who' }, 'seen by'), select));
    }
    this.seatsBox.replaceChildren(...rows);
  }

  private setUp(): void {
    ++this.version;
    this.running?.cancel();
    this.thinking?.cancel();
    this.picker = new Picker([]);
    this.choices.replaceChildren();
    this.bar.hidden = this.advice.hidden = true;
    this.status.textContent = 'Setting up a position';
    void this.arranger.begin(this.path, this.flip);
  }

  private async copy(): Promise<void> {
    try {
      const viewer = this.hides && this.viewer >= 0 ? this.viewer : undefined;
      const state = await this.connection.request('play', { path: this.path, flip: this.flip, viewer, texts: true });
      await navigator.clipboard.writeText(state.text ?? '');
      this.status.append(' (copied)');
    } catch (problem) {
      this.status.textContent = (problem as Error).message;
    }
  }

  go(path: string[]): void {
    this.path = path;
    this.undone = [];
    this.paused = false;
    this.refresh();
  }

  play(choice: Choice): void {
    if (!this.picker.moves.includes(choice) && !this.state?.moves.includes(choice)) return;
    this.focused = this.stage.contains(document.activeElement);
    // Until the next position is there nothing more can be pointed at.
    this.picker = new Picker([]);
    if (this.state) this.state.moves = [];
    this.mark();
    this.path.push(choice.move);
    this.undone = [];
    this.paused = false;
    this.refresh();
  }

  // Back to the last decision of a person.
  undo(): void {
    if (this.path.length === 0) return;
    const others = [...this.seats.values()].some((seat) => seat !== 'you');
    const movers = this.state?.made ?? [];
    do {
      this.undone.push(this.path.pop()!);
    } while (
      this.path.length > 0 &&
      this.viewer < 0 &&
      this.isMadeByProgram(movers[this.path.length]?.mover ?? '', others)
    );
    this.paused = true;
    this.refresh();
  }
  private isMadeByProgram(mover: string, others: boolean): boolean {
    return mover === 'random' || mover === 'keeper' || (others && (this.seats.get(mover) ?? 'you') !== 'you');
  }
  redo(): void {
    const move = this.undone.pop();
    if (move === undefined) return;
    this.path.push(move);
    this.refresh();
  }
  random(): void {
    const moves = this.state?.moves ?? [];
    if (moves.length > 0) this.play(moves[Math.floor(Math.random() * moves.length)]!);
  }

  async refresh(): Promise<void> {
    const version = ++this.version;
    this.arranger.end();
    this.running?.cancel();
    this.thinking?.cancel();
    this.thoughts = null;
    try {
      const viewer = this.hides && this.viewer >= 0 ? this.viewer : undefined;
      const position = { path: this.path, flip: this.flip, viewer, texts: false };
      const state = await this.connection.request('play', position);
      if (version !== this.version) return;
      this.state = state;
      this.show();
      this.onstate(state);
      this.onmoved();
      this.letOthersMove(version);
    } catch (problem) {
      if (version !== this.version || !(problem instanceof RequestError)) return;
      if (this.path.length > 0 && problem.message.includes('is no move')) {
        // The rules have changed, perhaps: as much of the play as still can be made.
        this.path.pop();
        this.refresh();
      } else {
        this.status.textContent = problem.message;
      }
    }
  }

  private async letOthersMove(version: number): Promise<void> {
    const state = this.state!;
    if (state.mover === '' || this.paused || state.moves.length === 0) return;
    const chance = state.mover === 'random' || state.mover === 'keeper';
    const seat = this.seats.get(state.mover) ?? 'you';
    if (!chance && seat === 'you') return;
    if (chance || seat === 'random') {
      await new Promise((done) => setTimeout(done, 220));
      if (version === this.version) this.play(state.moves[Math.floor(Math.random() * state.moves.length)]!);
      return;
    }
    this.status.textContent = `${state.mover} is thinking`;
    this.running = this.connection.start('reply', {
      path: this.path,
      player: seat,
      seed: 1 + Math.floor(Math.random() * 1e6),
    });
    try {
      const reply = await this.running.result;
      if (version !== this.version) return;
      this.path.push(reply.move);
      this.undone = [];
      await this.refresh();
      if (reply.values && reply.values.length > 0) this.showBar(reply.values, reply.least!, reply.most!);
    } catch (problem) {
      if (version === this.version) this.status.textContent = (problem as Error).message;
    }
  }

  private mine(): boolean {
    const state = this.state!;
    const seat = this.seats.get(state.mover);
    return state.mover !== '' && (this.paused || seat === undefined || seat === 'you');
  }

  private show(): void {
    const state = this.state!;
    const over = state.mover === '';
    this.status.replaceChildren(
      over
        ? el(
            'span',
            {},
            el('b', {}, verdict(this.players, state.outcome)),
            ` The play is over: ${this.players.map((player, i) => `${player} ${state.outcome[i] ?? ''}`).join(', ')}`,
          )
        : el(
            'span',
            {},
            el('b', {}, state.mover),
            ` to move, ${number(state.moves.length)} ${state.moves.length === 1 ? 'move' : 'moves'}`,
            this.setup ? ', from a position that was set up' : '',
          ),
    );
    const svg = picture(state.svg);
    this.stage.replaceChildren(
      svg ?? el('p', { class: 'nothing' }, 'This game has no board; its moves are in the list.'),
    );
    this.picker = new Picker(this.mine() ? state.moves : []);
    if (svg) markLast(svg, state.last);
    this.mark();
    this.facts.replaceChildren(...state.facts.flatMap((fact) => [el('dt', {}, fact.name), el('dd', {}, fact.value)]));
    this.list.replaceChildren(
      ...state.made.map((made, i) =>
        el(
          'li',
          {},
          el(
            'button',
            { title: 'Go back to here', onclick: () => this.go(this.path.slice(0, i + 1)) },
            el('span', { class: 'who' }, made.mover),
            made.text || '(nothing shown)',
          ),
        ),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
    this.back.disabled = this.path.length === 0;
    this.forth.disabled = this.undone.length === 0;
    this.hint.disabled = over || this.hides;
    this.arrange.disabled = over || this.hides || !svg;
    this.bar.hidden = this.advice.hidden = true;
    if (this.focused) this.stage.querySelector<SVGGElement>('g.can')?.focus({ preventScroll: true });
  }

  private mark(asked: Choice[] = []): void {
    const svg = this.stage.querySelector('svg');
    if (svg) markCells(svg as SVGSVGElement, this.picker, this.state!.mover, (cell) => this.point(cell));
    const plain =
      asked.length === 0 && this.picker.chosen.length === 0
        ? this.picker.moves.filter((move) => move.targets.length === 0)
        : asked;
    this.choices.replaceChildren(
      ...plain
        .slice(0, 40)
        .map((choice) => el('button', { onclick: () => this.play(choice) }, choice.text || '(continue)')),
    );
    if (asked.length > 0) this.choices.querySelector('button')?.focus();
    this.showLegal();
  }

  private point(cell: string): void {
    const picked = this.picker.point(cell);
    if (picked.play) return this.play(picked.play);
    this.mark(picked.ask);
    this.stage.querySelector<SVGGElement>(`g[data-cell="${CSS.escape(cell)}"].chosen`)?.focus();
  }

  private showLegal(): void {
    const wanted = this.filter.value.toLowerCase();
    const visits = new Map(this.thoughts?.moves.map((move) => [move.move, move]) ?? []);
    const most = Math.max(1, ...[...visits.values()].map((move) => move.visits));
    const fitting = (this.picker.chosen.length > 0 ? this.picker.fitting() : this.picker.moves).filter((move) =>
      move.text.toLowerCase().includes(wanted),
    );
    const shown = fitting.slice(0, 200);
    this.legal.replaceChildren(
      ...shown.map((choice) => {
        const thought = visits.get(choice.move);
        const button = el(
          'button',
          { class: choice.move === this.thoughts?.best ? 'best' : '', onclick: () => this.play(choice) },
          choice.text || '(continue)',
        );
        if (thought) {
          const share = el(
            'span',
            { class: 'share', title: `${thought.visits} visits` },
            `${Math.round(thought.value * 100)} %${thought.proven ? ' proven' : ''}`,
          );
          button.append(share);
          button.style.setProperty('--share', `${(100 * thought.visits) / most}%`);
        }
        return button;
      }),
      ...(fitting.length > shown.length ? [el('p', {}, `… and ${fitting.length - shown.length} more`)] : []),
    );
  }

  async think(): Promise<void> {
    if (!this.state || this.state.mover === '' || this.hides) return;
    this.thinking?.cancel();
    const version = this.version;
    const told = (thoughts: Thoughts) => {
      if (version !== this.version) return;
      this.thoughts = thoughts;
      this.showLegal();
      this.showAdvice();
      this.showBar(thoughts.values, thoughts.least, thoughts.most);
    };
    this.thinking = this.connection.start('think', { path: this.path, seconds: this.advice.hidden ? 3 : 10 }, told);
    try {
      told(await this.thinking.result);
    } catch (problem) {
      if (version === this.version) this.status.textContent = (problem as Error).message;
    }
  }

  // The move that the search would make, as an arrow with its value, and whether it has looked often enough.
  private showAdvice(): void {
    const svg = this.stage.querySelector('svg');
    const { thoughts, state } = this;
    const best = thoughts?.moves.find((move) => move.move === thoughts.best);
    const choice = state?.moves.find((move) => move.move === thoughts?.best);
    if (!thoughts || !state || !best || !choice) return;
    const kEnough = 100; // visits of one move
    const share = `${Math.round(best.value * 100)} %`;
    const how = thoughts.compiled ? ', compiled' : '';
    const sure = best.proven || best.visits >= kEnough;
    const found = svg ? choice.targets.map((target) => this.cellFor(svg, target)) : [];
    const cells = found.filter((cell) => cell !== undefined);
    if (svg) drawArrow(svg, cells, sure ? share : '?');
    this.advice.hidden = false;
    this.advice.replaceChildren(
      'Best: ',
      el('b', {}, choice.text || '(continue)'),
      best.proven
        ? `, proven: ${share} of the score for ${state.mover}`
        : sure
          ? `, ${state.mover} may expect ${share} of the score (${number(best.visits)} visits${how})`
          : `, but too few visits to be sure (${number(best.visits)}${how}); ask again for a longer look`,
    );
  }

  // The free place in a column named by a move that is nearest to the pieces there: things fall down.
  private cellFor(svg: SVGSVGElement, cells: string[]): string | undefined {
    if (cells.length === 1) return cells[0];
    const free = cells
      .map((name) => svg.querySelector<SVGGElement>(`g[data-cell="${CSS.escape(name)}"]:not([data-full])`))
      .filter((cell) => cell !== null);
    const down = this.flip ? -1 : 1;
    return free.sort((a, b) => down * (middleOf(b).y - middleOf(a).y))[0]?.dataset['cell'];
  }

  private showBar(values: number[], least: number, most: number): void {
    this.bar.hidden = values.length === 0;
    const shares = values.map((value) => (most > least ? (value - least) / (most - least) : 0));
    const sum = shares.reduce((a, b) => a + b, 0) || 1;
    this.bar.replaceChildren(
      ...shares.map((share, i) => {
        const part = el(
          'span',
          { class: `part p${i % 4}`, title: `${this.players[i]}: ${number(values[i]!)} expected` },
          `${this.players[i]} ${number(values[i]!)}`,
        );
        part.style.flexGrow = String(Math.max(0.2, share / sum));
        const colours = kColours[this.players[i]!.toLowerCase()];
        if (colours) [part.style.background, part.style.color] = colours;
        return part;
      }),
    );
  }
}
