// Balance: figures from self-play in a sentence, next to those before the last change.
import { el, number, picture } from './dom';
import type { AnalyzedFigure, AnalyzeReply } from './messages';
import { RequestError, type Connection, type Running } from './rpc';
import { parameters, variants, type Variant } from './variants';

interface Result {
  figures: AnalyzedFigure[];
  plays: number;
  sentence: string;
}

const kVariants = 60; // at most
const kColumns = ['first', 'draws', 'length', 'branching', 'depth'];

const shown = (figure: AnalyzedFigure, value = figure.value) =>
  figure.share ? `${Math.round(100 * value)} %` : number(value);

export class BalancePanel {
  readonly element: HTMLElement;
  private last: Result | null = null;
  private before: Result | null = null;
  private text = ''; // of the game that the last result is about
  private running: Running<'analyze'> | null = null;
  current: () => { name: string; language: string; text: string } = () => ({ name: '', language: '', text: '' });
  onuse: (text: string) => void = () => {}; // a variant becomes the text
  private out = el('div', { class: 'result' });
  private count = el('input', { type: 'number', min: '2', max: '1000', value: '60', 'aria-label': 'Plays' });
  private start = el('button', { onclick: () => this.run() }, 'Analyze');
  private sweeping = false;
  private swept: { variant: Variant; reply: AnalyzeReply | null; problem: string }[] = [];
  private sortBy = 'fair';
  private sweepButton = el('button', { onclick: () => this.sweep() }, 'Compare variants');
  private ranking = el('div', { class: 'result' });

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
        el('h2', {}, 'Variants'),
        el(
          'p',
          {},
          'A comment at the end of a line declares a parameter: ',
          el('code', {}, '// vary size: 11 in 5, 7, 9'),
          '. Other lines with the same value end with ',
          el('code', {}, '// vary size: 11'),
          '. In GDL the comment begins with a semicolon.',
        ),
        el('div', { class: 'controls' }, this.sweepButton, el('span', {}, 'a few seconds each')),
        this.ranking,
      ),
    );
  }

  // Each variant is played as often as the number above says, with a limit of time.
  private async sweep(): Promise<void> {
    if (this.sweeping) {
      this.sweeping = false;
      this.running?.cancel();
      return;
    }
    const { name, language, text } = this.current();
    const all = variants(text, kVariants);
    if (all.length === 0) {
      this.ranking.replaceChildren(el('p', { class: 'problem' }, 'No line of this text declares a parameter.'));
      return;
    }
    this.sweeping = true;
    this.sweepButton.textContent = 'Stop';
    this.swept = [];
    const names = parameters(text).map((parameter) => parameter.name);
    for (const variant of all) {
      if (!this.sweeping) break;
      this.rank(names, text, all.length);
      const games = Number(this.count.value) || 60;
      this.running = this.connection.start('analyze', {
        games,
        seconds: 5,
        seed: 1,
        other: { name, language, text: variant.text },
      });
      try {
        this.swept.push({ variant, reply: await this.running.result, problem: '' });
      } catch (problem) {
        if (!this.sweeping) break;
        this.swept.push({ variant, reply: null, problem: (problem as Error).message });
      }
    }
    this.sweeping = false;
    this.sweepButton.textContent = 'Compare variants';
    this.rank(names, text, all.length);
  }

  // The best variants first: fair ones, or by a column.
  private rank(names: string[], text: string, of: number): void {
    const figure = (reply: AnalyzeReply | null, key: string) => reply?.figures.find((one) => one.key === key);
    const fairness = (reply: AnalyzeReply | null) =>
      Math.abs((figure(reply, 'first')?.value ?? 2) - 0.5) + (figure(reply, 'draws')?.value ?? 1) / 2;
    const value = (reply: AnalyzeReply | null) =>
      this.sortBy === 'fair' ? fairness(reply) : -(figure(reply, this.sortBy)?.value ?? -1);
    const rows = [...this.swept].sort((a, b) => value(a.reply) - value(b.reply));
    const titles = new Map(rows.flatMap(({ reply }) => reply?.figures.map((one) => [one.key, one.title]) ?? []));
    const columns = kColumns.filter((key) => titles.has(key));
    const sorter = (key: string, title: string) =>
      el(
        'button',
        {
          'aria-pressed': String(this.sortBy === key),
          onclick: () => {
            this.sortBy = key;
            this.rank(names, text, of);
          },
        },
        title,
      );
    this.ranking.replaceChildren(
      el(
        'p',
        { role: 'status' },
        this.sweeping ? `${this.swept.length} of ${of} variants played` : `${number(of)} variants; the best one first`,
      ),
      ...(this.sweeping ? [el('progress', { value: String(this.swept.length), max: String(of) })] : []),
      el(
        'div',
        { class: 'buttons' },
        'Rank by ',
        sorter('fair', 'fairness'),
        ...columns.map((key) => sorter(key, titles.get(key)!)),
      ),
      el(
        'div',
        { class: 'variants' },
        ...rows.map(({ variant, reply, problem }) =>
          el(
            'section',
            { class: 'variant' },
            el('h3', {}, variant.values.map((one, i) => `${names[i]} ${one}`).join(', ')),
            picture(reply?.svg ?? ''),
            problem ? el('p', { class: 'problem' }, problem) : null,
            reply ? el('p', { class: 'note' }, `In ${number(reply.plays)} plays, ${reply.verdict}`) : null,
            reply
              ? el(
                  'table',
                  {},
                  ...columns.map((key) => {
                    const one = figure(reply, key);
                    return el(
                      'tr',
                      {},
                      el('td', {}, titles.get(key)!),
                      el('td', { class: 'n' }, one ? shown(one) : ''),
                    );
                  }),
                )
              : null,
            variant.text === text
              ? el('p', { class: 'note' }, 'the text as it is')
              : el('button', { onclick: () => this.onuse(variant.text) }, 'Use'),
          ),
        ),
      ),
    );
  }

  private async run(): Promise<void> {
    this.running?.cancel();
    const { text } = this.current();
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
