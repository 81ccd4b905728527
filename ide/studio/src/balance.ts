// Balance: figures from self-play in a sentence, next to those before the last change.
import { el, number } from './dom';
import type { AnalyzedFigure } from './messages';
import { RequestError, type Connection, type Running } from './rpc';

interface Result {
  figures: AnalyzedFigure[];
  plays: number;
  sentence: string;
}

const shown = (figure: AnalyzedFigure, value = figure.value) =>
  figure.share ? `${Math.round(100 * value)} %` : number(value);

export class BalancePanel {
  readonly element: HTMLElement;
  private last: Result | null = null;
  private before: Result | null = null;
  private text = ''; // of the game that the last result is about
  private running: Running<'analyze'> | null = null;
  current: () => string = () => '';
  private out = el('div', { class: 'result' });
  private count = el('input', { type: 'number', min: '2', max: '1000', value: '60', 'aria-label': 'Plays' });
  private start = el('button', { onclick: () => this.run() }, 'Analyze');

  constructor(private connection: Connection) {
    this.element = el(
      'div',
      { class: 'bench panel balance' },
      el(
        'section',
        { class: 'wide' },
        el('h2', {}, 'Balance'),
        el('p', {}, 'Equal players play the game against each other. Change a rule and analyze again to compare.'),
        el('div', { class: 'controls' }, this.start, this.count, el('span', {}, 'plays, 20 seconds at most')),
        this.out,
      ),
    );
  }

  private async run(): Promise<void> {
    this.running?.cancel();
    const text = this.current();
    this.start.disabled = true;
    this.out.replaceChildren(el('progress'), el('p', {}, 'playing'));
    try {
      this.running = this.connection.start('analyze', { games: Number(this.count.value) || 60, seconds: 20, seed: 1 });
      const reply = await this.running.result;
      if (this.last && this.text !== text) this.before = this.last;
      this.last = { figures: reply.figures, plays: reply.plays, sentence: reply.verdict };
      this.text = text;
      this.show();
    } catch (problem) {
      if (problem instanceof RequestError) this.out.replaceChildren(el('p', { class: 'problem' }, problem.message));
    } finally {
      this.start.disabled = false;
    }
  }

  private show(): void {
    const { last, before } = this;
    if (!last) return;
    const old = new Map(before?.figures.map((figure) => [figure.key, figure]) ?? []);
    this.out.replaceChildren(
      el('p', { class: 'verdict' }, `In ${number(last.plays)} plays, ${last.sentence}`),
      ...(before ? [el('p', { class: 'note' }, `Before your change: ${before.sentence}`)] : []),
      el(
        'table',
        {},
        el(
          'tr',
          {},
          el('th', {}, ''),
          el('th', { class: 'n' }, 'now'),
          before ? el('th', { class: 'n' }, 'before') : null,
        ),
        ...last.figures.map((figure) => {
          const other = old.get(figure.key);
          return el(
            'tr',
            {},
            el('td', {}, figure.title),
            el(
              'td',
              { class: 'n', title: `${shown(figure, figure.low)} … ${shown(figure, figure.high)}` },
              shown(figure),
            ),
            before ? el('td', { class: 'n' }, other ? shown(other) : '') : null,
          );
        }),
      ),
    );
  }
}
