// Counts leaves and plays at random from the position on the board. Compares both with another game: one that is open,
// too, or the same with other passes.
import { el, number } from './dom';
import type {
  ComparedGame,
  CompareProgress,
  CompareReply,
  EnginesReply,
  PerftProgress,
  PerftReply,
  PlayoutsProgress,
  Verbs,
} from './messages';
import { RequestError, type Connection, type Running, type Told } from './rpc';

export class BenchPanel {
  readonly element: HTMLElement;
  path: () => string[] = () => [];
  others: () => string[] = () => []; // names of the other texts that are open
  gameOf: (name: string) => { name: string; language: string; text: string } = () => ({
    name: '',
    language: '',
    text: '',
  });
  private against = el('select', { 'aria-label': 'Compare with' });
  private both = el('input', { type: 'number', min: '1', max: '100000', value: '200', 'aria-label': 'Plays of each' });
  private compareOut = el('div', { class: 'result' });
  private depth = el('input', { type: 'number', min: '1', max: '12', value: '3', 'aria-label': 'Depth' });
  private count = el('input', { type: 'number', min: '1', max: '1000000', value: '300', 'aria-label': 'Plays' });
  private perftOut = el('div', { class: 'result' });
  private seconds = el('input', {
    type: 'number',
    min: '0.1',
    max: '30',
    step: '0.1',
    value: '1',
    'aria-label': 'Seconds for each',
  });
  private enginesOut = el('div', { class: 'result' });
  private playsOut = el('div', { class: 'result' });

  constructor(private connection: Connection) {
    this.element = el(
      'div',
      { class: 'bench panel' },
      el(
        'section',
        {},
        el('h2', {}, 'Leaves by first move'),
        this.controls<'perft'>(
          'Count',
          this.depth,
          'moves deep',
          this.perftOut,
          (told) => this.connection.start('perft', { path: this.path(), depth: Number(this.depth.value) }, told),
          (value, out) => this.showCounting(value, out),
          (value, out) => this.showPerft(value, out),
        ),
        this.perftOut,
      ),
      el(
        'section',
        {},
        el('h2', {}, 'Random plays'),
        this.controls<'playouts'>(
          'Play',
          this.count,
          'times',
          this.playsOut,
          (told) =>
            this.connection.start('playouts', { path: this.path(), count: Number(this.count.value), seed: 1 }, told),
          (value, out) => this.showPlays(value, out),
          (value, out) => this.showPlays(value, out, value.perSecond),
        ),
        this.playsOut,
        el('h2', {}, 'Interpreter and compiled reasoner'),
        this.controls<'engines'>(
          'Measure',
          this.seconds,
          'seconds for each, and the time of the compiler',
          this.enginesOut,
          (told) => this.connection.start('engines', { path: this.path(), seconds: Number(this.seconds.value) }, told),
          (value, out) => out.replaceChildren(el('progress'), el('p', {}, value.stage)),
          (value, out) => this.showEngines(value, out),
        ),
        this.enginesOut,
      ),
      el(
        'section',
        { class: 'wide' },
        el('h2', {}, 'Compare'),
        el('div', { class: 'controls' }, el('span', {}, 'this game, as its passes are set, with'), this.against),
        this.controls<'compare'>(
          'Compare',
          this.both,
          'plays of each, and leaves as deep as above',
          this.compareOut,
          (told) => this.startCompare(told),
          (value, out) => this.showComparing(value, out),
          (value, out) => this.showComparison(value, out),
        ),
        this.compareOut,
      ),
    );
    this.offer();
  }

  // Updates the list of games to compare with.
  offer(): void {
    const chosen = this.against.value;
    const option = (value: string, text: string) => el('option', { value }, text);
    this.against.replaceChildren(
      ...[0, 1, 2].map((level) => option(`level:${level}`, `itself at -O${level}`)),
      ...this.others().map((name) => option(`file:${name}`, name)),
    );
    if ([...this.against.options].some((one) => one.value === chosen)) this.against.value = chosen;
  }

  private startCompare(told: Told<'compare'>): Running<'compare'> {
    const [kind, name] = [
      this.against.value.slice(0, this.against.value.indexOf(':')),
      this.against.value.slice(this.against.value.indexOf(':') + 1),
    ];
    const other = kind === 'level' ? { ...this.gameOf(''), level: Number(name) } : { ...this.gameOf(name), level: 2 };
    return this.connection.start(
      'compare',
      { depth: Number(this.depth.value), count: Number(this.both.value), seed: 1, other },
      told,
    );
  }

  private showComparing(value: CompareProgress, out: HTMLElement): void {
    const stage = value.stage === 'perft' ? 'leaves' : 'plays';
    out.replaceChildren(
      el('progress', { max: value.of, value: value.done }),
      el('p', {}, `${value.side === 0 ? 'this game' : 'the other one'}: ${stage}`),
    );
  }

  private showComparison(value: CompareReply, out: HTMLElement): void {
    const [a, b] = value.sides as [ComparedGame, ComparedGame];
    const seconds = (s: number) => (s < 1 ? `${number(1000 * s)} ms` : `${number(s)} s`);
    const mean = ({ playouts: { lengths } }: ComparedGame) => lengths.reduce((x, y) => x + y, 0) / lengths.length;
    const row = (name: string, read: (side: ComparedGame) => string) => {
      const [left, right] = [read(a), read(b)];
      return el(
        'tr',
        { class: left === right ? '' : 'differs' },
        el('th', {}, name),
        el('td', { class: 'n' }, left),
        el('td', { class: 'n' }, right),
      );
    };
    const shown = (side: ComparedGame) => side.name.slice(side.name.lastIndexOf('/') + 1);
    out.replaceChildren(
      el(
        'table',
        { class: 'sides' },
        el(
          'tr',
          {},
          el('th', {}, ''),
          el('th', { class: 'n' }, shown(a)),
          el('th', { class: 'n' }, a.name === b.name ? (this.against.selectedOptions[0]?.textContent ?? '') : shown(b)),
        ),
        row('nodes', (side) => number(side.nodes)),
        row('edges', (side) => number(side.edges)),
        row(`leaves at depth ${a.perft.depth}`, (side) => number(side.perft.leaves)),
        row('time for them', (side) => seconds(side.perft.seconds)),
        row('plays in a second', (side) => number(side.playouts.perSecond)),
        row('moves of a play', (side) => number(mean(side))),
        row('moves to choose from', (side) => number(side.playouts.branching)),
      ),
      el(
        'div',
        { class: 'two-results' },
        ...[a, b].map((side) => {
          const part = el('div');
          this.showPlays(side.playouts, part, side.playouts.perSecond);
          return part;
        }),
      ),
    );
  }

  private controls<V extends 'perft' | 'playouts' | 'engines' | 'compare'>(
    label: string,
    input: HTMLInputElement,
    unit: string,
    out: HTMLElement,
    start: (told: Told<V>) => Running<V>,
    tell: (value: Verbs[V]['progress'], out: HTMLElement) => void,
    show: (value: Verbs[V]['reply'], out: HTMLElement) => void,
  ): HTMLElement {
    let running: Running<V> | null = null;
    const cancel = el('button', { hidden: true, onclick: () => running?.cancel() }, 'Cancel');
    const go = el(
      'button',
      {
        class: 'go',
        onclick: async () => {
          go.disabled = true;
          cancel.hidden = false;
          out.replaceChildren(el('progress'));
          running = start((value) => tell(value, out));
          try {
            show(await running.result, out);
          } catch (problem) {
            out.append(
              el('p', { class: 'problem' }, problem instanceof RequestError ? problem.message : String(problem)),
            );
          }
          go.disabled = false;
          cancel.hidden = true;
        },
      },
      label,
    );
    input.onkeydown = (event) => {
      if (event.key === 'Enter') go.click();
    };
    return el('div', { class: 'controls' }, go, input, el('span', {}, unit), cancel);
  }

  private showCounting(value: PerftProgress, out: HTMLElement): void {
    out.replaceChildren(
      el('progress', { max: value.of, value: value.done }),
      el('p', {}, `${number(value.leaves)} leaves so far, ${value.done} of ${value.of} moves`),
    );
  }

  private showPerft(value: PerftReply, out: HTMLElement): void {
    const most = Math.max(1, ...value.rows.map((row) => row.leaves));
    const time = value.seconds < 1 ? `${number(1000 * value.seconds)} ms` : `${number(value.seconds)} s`;
    out.replaceChildren(
      el('p', {}, el('b', { class: 'total' }, number(value.leaves)), ` leaves at depth ${value.depth} in ${time}`),
      el(
        'table',
        { class: 'divide' },
        ...value.rows.map((row) => {
          const bar = el('td', { class: 'meter' });
          bar.style.setProperty('--share', `${(100 * row.leaves) / most}%`);
          return el(
            'tr',
            {},
            el('td', {}, row.move || '(nothing shown)'),
            el('td', { class: 'n' }, number(row.leaves)),
            bar,
          );
        }),
      ),
    );
  }

  private showEngines(value: EnginesReply, out: HTMLElement): void {
    const most = Math.max(...value.engines.map((engine) => engine.plays));
    out.replaceChildren(
      el(
        'table',
        {},
        el(
          'tr',
          {},
          el('th', {}, ''),
          el('th', { class: 'n' }, 'plays in a second'),
          el('th', { class: 'n' }, 'moves'),
          el('th', {}, ''),
        ),
        ...value.engines.map((engine) => {
          const bar = el(
            'td',
            { class: 'meter' },
            engine.preparing > 0 ? `ready in ${number(engine.preparing)} s` : '',
          );
          bar.style.setProperty('--share', `${(100 * engine.plays) / most}%`);
          return el(
            'tr',
            {},
            el('td', {}, engine.name),
            el('td', { class: 'n' }, number(engine.plays)),
            el('td', { class: 'n' }, number(engine.moves)),
            bar,
          );
        }),
      ),
    );
  }

  private showPlays(value: PlayoutsProgress, out: HTMLElement, perSecond = 0): void {
    const lengths = value.lengths;
    if (lengths.length === 0) return;
    const least = Math.min(...lengths);
    const most = Math.max(...lengths);
    const width = Math.max(1, Math.ceil((most - least + 1) / 24));
    const bins = new Array<number>(Math.floor((most - least) / width) + 1).fill(0);
    for (const length of lengths) bins[Math.floor((length - least) / width)]!++;
    const highest = Math.max(...bins);
    const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    const bars = el(
      'div',
      {
        class: 'histogram',
        role: 'img',
        'aria-label': `Lengths from ${least} to ${most} moves, ${number(mean)} on average`,
      },
      ...bins.map((count, i) => {
        const low = least + i * width;
        const bar = el('span', { title: `${low}${width > 1 ? `–${low + width - 1}` : ''} moves: ${count}` });
        bar.style.height = `${(100 * count) / highest}%`;
        return bar;
      }),
    );
    const outcomes = [...value.outcomes].sort((a, b) => b.times - a.times);
    out.replaceChildren(
      value.plays < value.of ? el('progress', { max: value.of, value: value.plays }) : '',
      el(
        'p',
        {},
        `${number(value.plays)} plays in ${number(value.seconds)} s` +
          (perSecond > 0 ? `; the interpreter makes ${number(perSecond)} in a second` : ''),
      ),
      el(
        'p',
        {},
        `Lengths ${least} to ${most}, ${number(mean)} on average; ${number(value.branching)} moves to choose from`,
      ),
      bars,
      el('div', { class: 'axis' }, el('span', {}, String(least)), el('span', {}, String(most))),
      el(
        'table',
        {},
        el('tr', {}, ...value.players.map((player) => el('th', {}, player)), el('th', {}, 'plays'), el('th', {}, '')),
        ...outcomes.slice(0, 12).map((row) => {
          const share = (100 * row.times) / value.plays;
          const bar = el('td', { class: 'meter' }, `${number(share)} %`);
          bar.style.setProperty('--share', `${share}%`);
          return el(
            'tr',
            {},
            ...(row.goals.length > 0 ? row.goals : value.players.map(() => '–')).map((goal) => el('td', {}, goal)),
            el('td', { class: 'n' }, number(row.times)),
            bar,
          );
        }),
      ),
    );
  }
}
