// Setting up a position: pieces are dragged, put from a palette, or removed. The result is a position from which the
// game is played, analyzed and shared.
import { el, picture } from './dom';
import type { ArrangeReply, ArrangeRequest, PositionSetup } from './messages';
import { drag } from './picker';
import type { Connection } from './rpc';

type Tool = { piece: number } | 'remove' | null;

export class Arranger {
  readonly element = el('div', { class: 'arranger', hidden: true });
  active = false;
  onfinish: (setup: PositionSetup | null) => void = () => {};
  private path: string[] = [];
  private flip = false;
  private reply: ArrangeReply | null = null;
  private tool: Tool = null;
  private from = '';
  private said = '';

  constructor(
    private connection: Connection,
    private stage: HTMLElement,
  ) {}

  async begin(path: string[], flip: boolean): Promise<void> {
    this.active = true;
    [this.path, this.flip, this.reply, this.tool, this.from, this.said] = [[...path], flip, null, null, '', ''];
    await this.step({});
  }

  end(): void {
    this.active = false;
    this.element.hidden = true;
  }

  private async step(change: Pick<ArrangeRequest, 'from' | 'to' | 'piece'>): Promise<void> {
    this.from = '';
    try {
      const cells = this.reply?.cells ?? [];
      this.reply = await this.connection.request('arrange', { path: this.path, flip: this.flip, cells, ...change });
      const followed = [...new Set(this.reply.followed)];
      this.said = followed.length > 0 ? `Changed as well, because they named the cell: ${followed.join(', ')}.` : '';
    } catch (problem) {
      this.said = (problem as Error).message;
      if (!this.reply) {
        this.show();
        return;
      }
    }
    if (this.active) this.show();
  }

  private show(): void {
    const { reply } = this;
    const choose = (tool: Tool) => {
      this.tool = JSON.stringify(this.tool) === JSON.stringify(tool) ? null : tool;
      this.show();
    };
    const pressed = (tool: Tool) => String(JSON.stringify(this.tool) === JSON.stringify(tool));
    this.element.hidden = false;
    this.element.replaceChildren(
      el('p', {}, this.said || 'Drag pieces. Choose a piece or Remove, then click cells.'),
      el(
        'div',
        { class: 'palette' },
        ...(reply?.palette ?? []).slice(0, 40).map((piece, i) => {
          const button = el('button', {
            title: piece.name,
            'aria-label': `Put ${piece.name}`,
            'aria-pressed': pressed({ piece: i }),
            onclick: () => choose({ piece: i }),
          });
          const drawn = picture(piece.svg);
          button.append(drawn ?? piece.name);
          return button;
        }),
        el('button', { 'aria-pressed': pressed('remove'), onclick: () => choose('remove') }, 'Remove'),
      ),
      el(
        'div',
        { class: 'buttons' },
        reply ? el('button', { class: 'main', onclick: () => this.finish(reply.setup) }, 'Play from here') : null,
        el('button', { onclick: () => this.finish(undefined) }, 'Cancel'),
        el('button', { onclick: () => this.finish(null) }, 'Starting position'),
      ),
    );
    const svg = reply ? picture(reply.svg) : null;
    if (!svg) return;
    this.stage.replaceChildren(svg);
    svg.querySelectorAll<SVGGElement>('g[data-cell]').forEach((cell) => {
      cell.classList.add('can');
      cell.classList.toggle('chosen', cell.dataset['cell'] === this.from);
      cell.onclick = () => this.point(cell.dataset['cell']!);
    });
    drag(svg, () => this.tool === null, (cell) => this.point(cell));
  }

  private point(cell: string): void {
    if (this.tool === 'remove') void this.step({ from: cell });
    else if (this.tool) void this.step({ piece: this.tool.piece, to: cell });
    else if (this.from === '') this.from = cell;
    else void this.step({ from: this.from, to: cell });
  }

  // A position; null is the begin of the game, undefined what was there before.
  private finish(setup: PositionSetup | null | undefined): void {
    this.end();
    if (setup === undefined) this.oncancel();
    else this.onfinish(setup);
  }
  oncancel: () => void = () => {};
}
