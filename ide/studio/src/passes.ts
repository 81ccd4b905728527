// What the optimizer did: a time line of its changes, each with the lines and the drawing before and after.
import { el, number, picture } from './dom';
import { RequestError, type Connection } from './rpc';
import { ZoomWindow } from './zoom';

interface Row { number: number; pass: string; help: string; changes: number; nodes: number; edges: number }
interface Run { rows: Row[]; timings: { pass: string; runs: number; changes: number; seconds: number; nodes: number; edges: number }[]; notes: string[]; seconds: number; before: { nodes: number; edges: number }; after: { nodes: number; edges: number } }
interface Pass { name: string; help: string; level: number }

export class PassesPanel {
  readonly element: HTMLElement;
  onsettings: () => void = () => {};
  level = 2;
  off = new Set<string>();
  private all: Pass[] = [];
  private run: Run | null = null;
  private at = 0;
  private stale = true;
  private visible = false;
  private version = 0;
  private line = el('div', { class: 'line', role: 'listbox', 'aria-label': 'Changes', tabindex: '0' });
  private title = el('h2');
  private help = el('p');
  private difference = el('pre', { tabindex: '0', 'aria-label': 'Lines that differ' });
  private before = new ZoomWindow();
  private after = new ZoomWindow();
  private levels = el('select', { 'aria-label': 'Level of optimization' }, ...[0, 1, 2].map((n) => el('option', { value: String(n) }, `-O${n}`)));
  private switches = el('div', { class: 'switches' });
  private summary = el('span', { class: 'note' });
  private timings = el('table');

  constructor(private connection: Connection) {
    this.levels.value = '2';
    this.levels.onchange = () => {
      this.level = Number(this.levels.value);
      this.onsettings();
    };
    // Both drawings move together.
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
    this.line.onkeydown = (event) => {
      if (event.key === 'ArrowRight' || event.key === 'ArrowDown') this.show(this.at + 1);
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') this.show(this.at - 1);
      else return;
      event.preventDefault();
    };
    this.element = el('div', { class: 'passes panel' },
      el('div', { class: 'bar' }, this.levels, el('button', { title: 'The change before', onclick: () => this.show(this.at - 1) }, '◀'), el('button', { title: 'The next change', onclick: () => this.show(this.at + 1) }, '▶'), this.before.buttons, this.summary),
      this.line, el('div', { class: 'what' }, this.title, this.help), this.difference,
      el('div', { class: 'two' }, el('figure', {}, el('figcaption', {}, 'Before'), this.before.element), el('figure', {}, el('figcaption', {}, 'After'), this.after.element)),
      el('details', {}, el('summary', {}, 'Passes and time'), this.switches, this.timings));
  }

  offer(passes: Pass[]): void {
    this.all = passes;
    this.switches.replaceChildren(...passes.filter((pass) => pass.level <= 2).map((pass) => {
      const box = el('input', { type: 'checkbox', checked: !this.off.has(pass.name) });
      box.onchange = () => {
        if (box.checked) this.off.delete(pass.name);
        else this.off.add(pass.name);
        this.onsettings();
      };
      return el('label', { title: pass.help }, box, pass.name);
    }));
  }
  restore(level: number, off: string[]): void {
    this.level = level;
    this.levels.value = String(level);
    this.off = new Set(off);
  }

  // As `open` and `passes` want it. Passes that are left out make the rest run once each.
  get settings(): { level: number; passes?: string[] } {
    const wanted = this.all.filter((pass) => pass.level <= this.level && !this.off.has(pass.name)).map((pass) => pass.name);
    return this.off.size === 0 || this.level === 0 ? { level: this.level } : { level: this.level, passes: wanted };
  }

  shown(visible: boolean): void {
    this.visible = visible;
    if (visible && this.stale) this.refresh();
  }
  changed(): void {
    this.stale = true;
    if (this.visible) this.refresh();
  }

  private async refresh(): Promise<void> {
    const version = ++this.version;
    this.stale = false;
    try {
      const run: Run = await this.connection.request('passes', this.settings);
      if (version !== this.version) return;
      this.run = run;
      this.summary.textContent = `${run.before.nodes} nodes, ${run.before.edges} edges before; ${run.after.nodes} and ${run.after.edges} after; ${number(run.seconds * 1000)} ms`;
      this.line.replaceChildren(...run.rows.map((row, i) => el('button', { role: 'option', tabindex: '-1', title: row.help, onclick: () => this.show(i) }, row.pass, el('small', {}, `${row.edges}`))));
      this.timings.replaceChildren(
        el('tr', {}, ...['pass', 'runs', 'changes', 'ms', 'nodes', 'edges'].map((head) => el('th', {}, head))),
        ...run.timings.filter((row) => row.changes > 0).map((row) => el('tr', {}, ...[row.pass, String(row.runs), String(row.changes), number(row.seconds * 1000), String(-row.nodes), String(-row.edges)].map((text) => el('td', {}, text)))));
      await this.show(Math.min(this.at, run.rows.length - 1));
    } catch (problem) {
      if (version === this.version && problem instanceof RequestError) this.title.textContent = problem.message;
    }
  }

  private async show(to: number): Promise<void> {
    if (!this.run) return;
    const rows = this.run.rows;
    if (rows.length === 0) {
      this.title.textContent = 'Nothing changed.';
      this.help.textContent = this.difference.textContent = '';
      this.before.show(null, false);
      this.after.show(null, false);
      return;
    }
    this.at = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[this.at]!;
    const version = this.version;
    const buttons = [...this.line.children];
    buttons.forEach((button, i) => button.setAttribute('aria-selected', String(i === this.at)));
    const chosen = buttons[this.at] as HTMLElement | undefined;
    if (chosen) this.line.scrollLeft = chosen.offsetLeft - this.line.clientWidth / 2;
    this.title.textContent = `${this.at + 1} of ${rows.length}: ${row.pass}`;
    this.help.textContent = `${row.help}. ${row.changes} ${row.changes === 1 ? 'change' : 'changes'}; now ${row.nodes} nodes and ${row.edges} edges.`;
    const change = await this.connection.request('pass', { ...this.settings, number: row.number }).catch(() => null);
    if (!change || version !== this.version || this.run.rows[this.at] !== row) return;
    if (change.part) this.help.textContent += ' The automaton is large: what changed is drawn with its neighbours.';
    this.difference.replaceChildren(...(change.difference as string).split('\n').filter((line) => line !== '').map((line) => el('div', { class: line[0] === '-' ? 'minus' : 'plus' }, line)));
    for (const [window, side, mark] of [[this.before, change.before, 'gone'], [this.after, change.after, 'new']] as const) {
      const svg = picture(side.svg);
      const parts = svg ? [...svg.querySelectorAll('.e')] : [];
      for (const i of side.changed as number[]) parts[i]?.classList.add(mark);
      window.show(svg, false);
    }
    this.before.start();
    const first = this.after.element.querySelector('.new') ?? this.before.element.querySelector('.gone');
    if (first) (this.after.element.contains(first) ? this.after : this.before).reveal(first);
  }
}
