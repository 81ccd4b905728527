// The work of the optimizer on the game in the editor, with switches.
import { ChangesView } from './changes';
import { el } from './dom';
import type { OptimizerSettings, PassEntry } from './messages';
import { RequestError, type Connection } from './rpc';

export class PassesPanel {
  readonly element: HTMLElement;
  onsettings: () => void = () => {};
  level = 2;
  off = new Set<string>();
  private all: PassEntry[] = [];
  private stale = true;
  private visible = false;
  private version = 0;
  private view: ChangesView;
  private levels = el(
    'select',
    { 'aria-label': 'Level of optimization' },
    ...[0, 1, 2].map((n) => el('option', { value: String(n) }, `-O${n}`)),
  );
  private switches = el('div', { class: 'switches' });

  constructor(private connection: Connection) {
    this.view = new ChangesView((row) =>
      connection.request('pass', { ...this.settings, number: row.number }).catch(() => null),
    );
    this.levels.value = '2';
    this.levels.onchange = () => {
      this.level = Number(this.levels.value);
      this.onsettings();
    };
    this.view.bar.prepend(this.levels);
    this.element = el(
      'div',
      { class: 'passes panel' },
      this.view.bar,
      ...this.view.parts,
      el('details', {}, el('summary', {}, 'Passes and time'), this.switches, this.view.table),
    );
  }

  offer(passes: PassEntry[]): void {
    this.all = passes;
    this.switches.replaceChildren(
      ...passes
        .filter((pass) => pass.level <= 2)
        .map((pass) => {
          const box = el('input', { type: 'checkbox', checked: !this.off.has(pass.name) });
          box.onchange = () => {
            if (box.checked) this.off.delete(pass.name);
            else this.off.add(pass.name);
            this.onsettings();
          };
          return el('label', { title: pass.help }, box, pass.name);
        }),
    );
  }
  restore(level: number, off: string[]): void {
    this.level = level;
    this.levels.value = String(level);
    this.off = new Set(off);
  }

  // As `open` and `optimize` want it. Passes that are left out make the rest run once each.
  get settings(): OptimizerSettings {
    const wanted = this.all
      .filter((pass) => pass.level <= this.level && !this.off.has(pass.name))
      .map((pass) => pass.name);
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
      const run = await this.connection.request('optimize', { ...this.settings, texts: false });
      if (version === this.version) await this.view.offer(run);
    } catch (problem) {
      if (version === this.version && problem instanceof RequestError) this.view.tell(problem.message);
    }
  }
}
