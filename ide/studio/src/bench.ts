// Counting leaves and playing at random, from the position on the board.
import { el, number } from './dom';
import { RequestError, type Connection, type Running } from './rpc';

export class BenchPanel {
  readonly element: HTMLElement;
  path: () => string[] = () => [];
  private depth = el('input', { type: 'number', min: '1', max: '12', value: '3', 'aria-label': 'Depth' });
  private count = el('input', { type: 'number', min: '1', max: '1000000', value: '300', 'aria-label': 'Plays' });
  private perftOut = el('div', { class: 'result' });
  private playsOut = el('div', { class: 'result' });

  constructor(private connection: Connection) {
    this.element = el('div', { class: 'bench panel' },
      el('section', {}, el('h2', {}, 'Leaves by first move'),
        this.controls('Count', this.depth, 'moves deep', this.perftOut, (told) => this.connection.start('perft', { path: this.path(), depth: Number(this.depth.value) }, told), (value, out) => this.showPerft(value, out)),
        this.perftOut),
      el('section', {}, el('h2', {}, 'Random plays'),
        this.controls('Play', this.count, 'times', this.playsOut, (told) => this.connection.start('playouts', { path: this.path(), count: Number(this.count.value), seed: 1 }, told), (value, out) => this.showPlays(value, out)),
        this.playsOut));
  }

  private controls(verb: string, input: HTMLInputElement, unit: string, out: HTMLElement, start: (told: (value: any) => void) => Running, show: (value: any, out: HTMLElement) => void): HTMLElement {
    let running: Running | null = null;
    const cancel = el('button', { hidden: true, onclick: () => running?.cancel() }, 'Cancel');
    const go = el('button', {
      class: 'go',
      onclick: async () => {
        go.disabled = true;
        cancel.hidden = false;
        out.replaceChildren(el('progress'));
        running = start((value) => show(value, out));
        try {
          show(await running.result, out);
        } catch (problem) {
          out.append(el('p', { class: 'problem' }, problem instanceof RequestError ? problem.message : String(problem)));
        }
        go.disabled = false;
        cancel.hidden = true;
      },
    }, verb);
    input.onkeydown = (event) => { if (event.key === 'Enter') go.click(); };
    return el('div', { class: 'controls' }, go, input, el('span', {}, unit), cancel);
  }

  private showPerft(value: any, out: HTMLElement): void {
    if (value.of !== undefined) {
      out.replaceChildren(el('progress', { max: value.of, value: value.done }), el('p', {}, `${number(value.leaves)} leaves so far, ${value.done} of ${value.of} moves`));
      return;
    }
    const most = Math.max(1, ...value.rows.map((row: any) => row.leaves));
    out.replaceChildren(
      el('p', {}, el('b', { class: 'total' }, number(value.leaves)), ` leaves at depth ${value.depth} in ${value.seconds < 1 ? `${number(1000 * value.seconds)} ms` : `${number(value.seconds)} s`}`),
      el('table', { class: 'divide' }, ...value.rows.map((row: any) => {
        const bar = el('td', { class: 'meter' });
        bar.style.setProperty('--share', `${(100 * row.leaves) / most}%`);
        return el('tr', {}, el('td', {}, row.move || '(nothing shown)'), el('td', { class: 'n' }, number(row.leaves)), bar);
      })));
  }

  private showPlays(value: any, out: HTMLElement): void {
    const lengths: number[] = value.lengths;
    if (lengths.length === 0) return;
    const least = Math.min(...lengths);
    const most = Math.max(...lengths);
    const width = Math.max(1, Math.ceil((most - least + 1) / 24));
    const bins = new Array<number>(Math.floor((most - least) / width) + 1).fill(0);
    for (const length of lengths) bins[Math.floor((length - least) / width)]!++;
    const highest = Math.max(...bins);
    const mean = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    const bars = el('div', { class: 'histogram', role: 'img', 'aria-label': `Lengths from ${least} to ${most} moves, ${number(mean)} on average` }, ...bins.map((count, i) => {
      const low = least + i * width;
      const bar = el('span', { title: `${low}${width > 1 ? `–${low + width - 1}` : ''} moves: ${count}` });
      bar.style.height = `${(100 * count) / highest}%`;
      return bar;
    }));
    const outcomes = [...value.outcomes].sort((a: any, b: any) => b.times - a.times);
    out.replaceChildren(
      value.plays < value.of ? el('progress', { max: value.of, value: value.plays }) : '',
      el('p', {}, `${number(value.plays)} plays in ${number(value.seconds)} s` + (value.perSecond ? `; the interpreter makes ${number(value.perSecond)} in a second` : '')),
      el('p', {}, `Lengths ${least} to ${most}, ${number(mean)} on average; ${number(value.branching)} moves to choose from`),
      bars, el('div', { class: 'axis' }, el('span', {}, String(least)), el('span', {}, String(most))),
      el('table', {}, el('tr', {}, ...value.players.map((player: string) => el('th', {}, player)), el('th', {}, 'plays'), el('th', {}, '')),
        ...outcomes.slice(0, 12).map((row: any) => {
          const share = (100 * row.times) / value.plays;
          const bar = el('td', { class: 'meter' }, `${number(share)} %`);
          bar.style.setProperty('--share', `${share}%`);
          return el('tr', {}, ...(row.goals.length > 0 ? row.goals : value.players.map(() => '–')).map((goal: string) => el('td', {}, goal)), el('td', { class: 'n' }, number(row.times)), bar);
        })));
  }
}
