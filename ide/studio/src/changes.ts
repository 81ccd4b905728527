// The work of the optimizer: a time line of its changes. Each change has its lines and its drawing before and after,
// the new pragmas, and statistics. The studio requests a change when the user opens it; the page that --html-trace
// writes contains all of them.
import { el, number, picture } from './dom';
import type { OptimizerRun, OptimizerStep, PassReply } from './messages';
import { ZoomWindow } from './zoom';

const kMeaning: Record<string, string> = {
  '@unique': 'no walk comes here a second time in an exploration, so nobody need remember it',
  '@repeat': 'walks can come here again; these variables tell whether that is new',
  '@disjoint': 'at most one of these edges is legal, so the others need not be tried behind it',
  '@disjointExhaustive': 'exactly one of these edges is legal, so the last one need not be tested',
  '@tagIndex': 'so many tags come before',
  '@tagMaxIndex': 'at most so many tags come before',
  '@simpleApply': 'a move with these tags does just that, so it can be made without a search',
  '@simpleApplyExhaustive': 'each move is one of these, so all can be made without a search',
  '@iterator': 'a choice that a table filters: only what it lets through need be tried',
  '@artificialTag': 'tags that only the program needs',
  '@integer': 'symbols that stand for numbers in a row',
};
const kStatistics: [string, string][] = [
  ['nodes', 'nodes'],
  ['edges', 'edges'],
  ['skip_edges', 'edges without a label'],
  ['assign_edges', 'assignments'],
  ['comparison_edges', 'comparisons'],
  ['reachability_edges', 'checks'],
  ['tag_edges', 'tags'],
  ['reachability_subautomatons', 'automata of checks'],
  ['variables', 'variables'],
  ['constants', 'constants'],
  ['typedefs', 'types'],
  ['state_size', 'size of a state'],
  ['unique_nodes', '@unique nodes'],
  ['repeat_nodes', '@repeat nodes'],
  ['average_branching', 'edges out of a node'],
];
const plural = (n: number, what: string) => `${number(n)} ${what}${n === 1 ? '' : 's'}`;

export class ChangesView {
  readonly bar: HTMLElement;
  readonly parts: HTMLElement[];
  readonly table = el('div', { class: 'numbers' });
  private run: OptimizerRun | null = null;
  private at = 0;
  private line = el('div', { class: 'line', role: 'listbox', 'aria-label': 'Changes', tabindex: '0' });
  private title = el('h2');
  private help = el('p');
  private pragmas = el('details', { class: 'pragmas' });
  private lines = el('div', { class: 'lines', tabindex: '0', 'aria-label': 'Lines before and after' });
  private before = new ZoomWindow();
  private after = new ZoomWindow();
  private summary = el('span', { class: 'note' });

  constructor(private ask: (row: OptimizerStep, index: number) => Promise<PassReply | null>) {
    // Both drawings have the same layout, and move together.
    let busy = false;
    const follow = (from: ZoomWindow, to: ZoomWindow) => {
      from.onview = () => {
        if (busy) return;
        busy = true;
        to.view = from.view;
        busy = false;
      };
    };
    follow(this.before, this.after);
    follow(this.after, this.before);
    this.before.element.classList.add('before');
    this.after.element.classList.add('after');
    this.line.onkeydown = (event) => {
      if (event.key === 'ArrowRight' || event.key === 'ArrowDown') this.show(this.at + 1);
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') this.show(this.at - 1);
      else return;
      event.preventDefault();
    };
    this.bar = el(
      'div',
      { class: 'bar' },
      el('button', { title: 'The change before', onclick: () => this.show(this.at - 1) }, '◀'),
      el('button', { title: 'The next change', onclick: () => this.show(this.at + 1) }, '▶'),
      this.before.buttons,
      this.summary,
    );
    this.parts = [
      this.line,
      el('div', { class: 'what' }, this.title, this.help, this.pragmas),
      el(
        'div',
        { class: 'two' },
        el('figure', {}, el('figcaption', {}, 'Before'), this.before.element),
        el('figure', {}, el('figcaption', {}, 'After'), this.after.element),
      ),
      this.lines,
    ];
  }

  tell(problem: string): void {
    this.title.textContent = problem;
  }

  async offer(run: OptimizerRun): Promise<void> {
    this.run = run;
    const change = (what: string) => `${number(run.before[what] ?? 0)} → ${number(run.after[what] ?? 0)} ${what}`;
    this.summary.textContent = `${change('nodes')}, ${change('edges')}; ${number(run.seconds * 1000)} ms`;
    this.line.replaceChildren(
      ...run.rows.map((row, i) =>
        el(
          'button',
          {
            role: 'option',
            tabindex: '-1',
            title: `${row.help}\n${row.edges} edges are left`,
            onclick: () => this.show(i),
          },
          row.pass,
          el('small', {}, `${row.edges}`),
        ),
      ),
    );
    const head = (...names: string[]) =>
      el('tr', {}, ...names.map((name, i) => el('th', { class: i > 0 ? 'n' : '' }, name)));
    const row = (name: string, ...cells: string[]) =>
      el('tr', {}, el('td', {}, name), ...cells.map((text) => el('td', { class: 'n' }, text)));
    this.table.replaceChildren(
      el(
        'table',
        {},
        head('the game', 'before', 'after'),
        ...kStatistics.map(([key, name]) => row(name, number(run.before[key] ?? 0), number(run.after[key] ?? 0))),
      ),
      el(
        'table',
        {},
        head('pass', 'runs', 'changes', 'ms', 'nodes', 'edges'),
        ...run.timings
          .filter((timing) => timing.changes > 0)
          .map((timing) =>
            row(
              timing.pass,
              String(timing.runs),
              String(timing.changes),
              number(timing.seconds * 1000),
              String(-timing.nodes),
              String(-timing.edges),
            ),
          ),
      ),
      ...run.notes.map((note) => el('p', { class: 'note' }, note)),
    );
    await this.show(Math.min(this.at, run.rows.length - 1));
  }

  step(by: number): void {
    this.show(this.at + by);
  }

  async show(to: number): Promise<void> {
    const run = this.run;
    if (!run) return;
    if (run.rows.length === 0) {
      this.title.textContent = 'Nothing changed.';
      this.help.textContent = '';
      this.pragmas.hidden = true;
      this.lines.replaceChildren();
      this.before.show(null, false);
      this.after.show(null, false);
      return;
    }
    this.at = Math.max(0, Math.min(run.rows.length - 1, to));
    const row = run.rows[this.at]!;
    const last = run.rows[this.at - 1] ?? run.before;
    const buttons = [...this.line.children];
    buttons.forEach((button, i) => button.setAttribute('aria-selected', String(i === this.at)));
    const chosen = buttons[this.at] as HTMLElement | undefined;
    if (chosen) this.line.scrollLeft = chosen.offsetLeft - this.line.clientWidth / 2;
    this.title.textContent = `${this.at + 1} of ${run.rows.length}: ${row.pass}`;
    const from = (now: number, before: number) =>
      now === before ? `${number(now)}` : `${number(before)} → ${number(now)}`;
    const left = `${from(row.nodes, Number(last.nodes))} nodes, ${from(row.edges, Number(last.edges))} edges`;
    this.help.textContent = `${row.help}. ${plural(row.changes, 'change')}; ${left}.`;
    const change = await this.ask(row, this.at);
    if (!change || this.run !== run || run.rows[this.at] !== row) return;
    if (change.part) this.help.textContent += ' The automaton is large: what changed is drawn with its neighbours.';
    this.showPragmas(change);
    this.showLines(change);
    const svg = picture(change.svg);
    const same = svg ? (svg.cloneNode(true) as SVGSVGElement) : null;
    this.before.show(svg, true);
    this.after.show(same, true);
    this.before.start();
    // The first difference is the interesting one.
    const seen = (window: ZoomWindow, parts: string) =>
      [...window.element.querySelectorAll(parts)].find((part) => part.getClientRects().length > 0);
    for (const [window, parts] of [
      [this.after, 'text.x, .e.x'],
      [this.before, 'text.x, .e.x'],
      [this.after, 'g.b'],
      [this.before, 'g.a'],
    ] as const) {
      const first = seen(window, parts);
      if (!first) continue;
      window.reveal(first);
      break;
    }
  }

  private showPragmas(change: PassReply): void {
    this.pragmas.hidden = change.pragmas.length === 0;
    const count = (gained: boolean) => {
      const byName = new Map<string, number>();
      for (const one of change.pragmas)
        if (one.gained === gained) byName.set(one.name, (byName.get(one.name) ?? 0) + Math.max(1, one.nodes.length));
      return [...byName].map(([name, times]) => `${times} ${name}`).join(', ');
    };
    const gained = count(true);
    const lost = count(false);
    const heads = new Set<string>();
    this.pragmas.replaceChildren(
      el(
        'summary',
        {},
        gained ? `Pragmas gained: ${gained}` : '',
        gained && lost ? '; ' : '',
        lost ? `lost: ${lost}` : '',
      ),
      el(
        'dl',
        {},
        ...change.pragmas.flatMap((one) => {
          const key = `${one.gained}${one.name}`;
          const head = heads.has(key)
            ? []
            : [
                el(
                  'dt',
                  {},
                  el('b', { class: one.gained ? 'plus' : 'minus' }, `${one.gained ? '+' : '−'} ${one.name}`),
                  kMeaning[one.name] ? `: ${kMeaning[one.name]}` : '',
                ),
              ];
          heads.add(key);
          const nodes =
            one.nodes.slice(0, 40).join(', ') + (one.nodes.length > 40 ? `, and ${one.nodes.length - 40} more` : '');
          return nodes === ''
            ? head
            : [...head, el('dd', {}, el('code', {}, nodes), one.why ? ` because ${one.why}` : '')];
        }),
      ),
    );
  }

  private showLines(change: PassReply): void {
    const cell = (text: string | null, kind: string) =>
      el('code', { class: text === null ? 'none' : kind }, text ?? '');
    this.lines.replaceChildren(
      ...change.lines.flatMap((line) => {
        if (typeof line === 'number') return [el('div', { class: 'gap' }, `⋯ ${plural(line, 'line')} the same`)];
        if (line.length === 1) return [cell(line[0], ''), cell(line[0], '')];
        return [cell(line[0], 'minus'), cell(line[1], 'plus')];
      }),
    );
    // The first change is the interesting one.
    const first = this.lines.querySelector<HTMLElement>('.minus, .plus');
    this.lines.scrollTop = first ? Math.max(0, first.offsetTop - 40) : 0;
  }
}
