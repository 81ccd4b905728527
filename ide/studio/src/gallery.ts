// The games to open: search, recent ones, those of the folder and those that come with the program. Each game has one
// entry with a picture of its initial position. The pictures use a connection of their own.
import { el, picture } from './dom';
import type { HelloReply } from './messages';
import { Connection } from './rpc';

export type Chosen =
  | { origin: 'preset' | 'folder'; name: string }
  | { act: 'new' | 'upload' }
  | { shared: string };
interface Entry {
  title: string;
  versions: { origin: 'preset' | 'folder'; name: string; label: string }[];
}

const kRecent = 'rgtrans-recent';
export function recent(): string[] {
  try {
    return JSON.parse(localStorage.getItem(kRecent) ?? '[]');
  } catch {
    return [];
  }
}
export function remember(origin: string, name: string): void {
  const key = `${origin}:${name}`;
  try {
    localStorage.setItem(kRecent, JSON.stringify([key, ...recent().filter((other) => other !== key)].slice(0, 8)));
  } catch {
    /* storage may be off */
  }
}

// "connect-four" of all languages is one game.
function entries(hello: HelloReply): { folder: Entry[]; presets: Entry[] } {
  const presets = new Map<string, Entry>();
  const order = ['hrg', 'rbg', 'ludax', 'ludii', 'linegames', 'gdl'];
  const rank = (name: string) =>
    (order.indexOf(name.slice(0, name.indexOf('/'))) + order.length + 1) % (order.length + 1);
  for (const name of [...hello.presets].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))) {
    const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    const title = base[0]!.toUpperCase() + base.slice(1).replaceAll('-', ' ');
    const language = name.slice(0, name.indexOf('/'));
    const label = language.length <= 3 ? language.toUpperCase() : language[0]!.toUpperCase() + language.slice(1);
    const entry = presets.get(title) ?? { title, versions: [] };
    entry.versions.push({ origin: 'preset', name, label });
    presets.set(title, entry);
  }
  return {
    folder: hello.files.map((name) => ({ title: name, versions: [{ origin: 'folder', name, label: '' }] })),
    presets: [...presets.values()].sort((a, b) => a.title.localeCompare(b.title)),
  };
}

// Pictures of beginnings, one after the other, kept while the page is there.
class Pictures {
  private known = new Map<string, string>();
  private wanted: { entry: Entry; place: HTMLElement }[] = [];
  private connection: Connection | null = null;
  private ready: Promise<void> | null = null;
  private busy = false;

  want(entry: Entry, place: HTMLElement): void {
    this.wanted.push({ entry, place });
    this.work();
  }
  forget(): void {
    this.wanted = [];
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    if (!this.connection) {
      const connection = new Connection();
      this.connection = connection;
      this.ready = new Promise((done) => {
        connection.onstate = (connected) => {
          if (connected) done();
        };
      });
      connection.open();
    }
    await this.ready;
    for (let next = this.wanted.shift(); next; next = this.wanted.shift()) {
      const { origin, name } = next.entry.versions[0]!;
      const key = `${origin}:${name}`;
      try {
        if (!this.known.has(key)) {
          const { text } = await this.connection.request('read', origin === 'preset' ? { preset: name } : { name });
          await this.connection.request('open', { name, text, level: 0 });
          this.known.set(key, (await this.connection.request('board', { path: [] })).svg);
        }
        const drawn = picture(this.known.get(key)!);
        if (drawn) next.place.replaceChildren(drawn);
      } catch {
        /* a game with a mistake has no picture */
      }
    }
    this.busy = false;
  }
}
const pictures = new Pictures();

export function chooseGame(hello: HelloReply): Promise<Chosen | null> {
  return new Promise((resolve) => {
    const dialog = el('dialog', { class: 'dialog gallery', 'aria-label': 'Open a game' });
    const done = (chosen: Chosen | null) => {
      pictures.forget();
      dialog.close();
      dialog.remove();
      resolve(chosen);
    };
    const list = el('div', { class: 'cards' });
    const search = el('input', {
      type: 'search',
      placeholder: 'Search, or paste a shared game',
      'aria-label': 'Search',
    });
    const { folder, presets } = entries(hello);
    const watcher = new IntersectionObserver((seen) => {
      for (const one of seen) {
        if (!one.isIntersecting) continue;
        watcher.unobserve(one.target);
        const entry = byCard.get(one.target);
        if (entry) pictures.want(entry, one.target.querySelector('.thumb')!);
      }
    });
    const byCard = new Map<Element, Entry>();
    const card = (entry: Entry) => {
      const first = entry.versions[0]!;
      const element = el(
        'div',
        { class: 'card' },
        el(
          'button',
          { class: 'open', 'data-game': `${first.origin}:${first.name}`, onclick: () => done(first) },
          el('span', { class: 'thumb' }),
          entry.title,
        ),
        entry.versions.length > 1
          ? el(
              'span',
              { class: 'versions' },
              ...entry.versions.map((version) =>
                el(
                  'button',
                  {
                    'data-game': `${version.origin}:${version.name}`,
                    title: `${entry.title} in ${version.label}`,
                    onclick: () => done(version),
                  },
                  version.label,
                ),
              ),
            )
          : null,
      );
      byCard.set(element, entry);
      watcher.observe(element);
      return element;
    };
    const fill = () => {
      byCard.clear();
      const wanted = search.value.trim().toLowerCase();
      const shared = search.value.trim().match(/s=[\w-]{20,}/);
      if (shared) return done({ shared: shared[0] });
      const fits = (entry: Entry) => entry.title.toLowerCase().includes(wanted);
      const all = [...folder, ...presets];
      const latest = recent().flatMap((key) =>
        all
          .filter((entry) => entry.versions.some((version) => `${version.origin}:${version.name}` === key))
          .map((entry) => ({
            ...entry,
            versions: entry.versions.filter((version) => `${version.origin}:${version.name}` === key),
          })),
      );
      const group = (title: string, some: Entry[]) =>
        some.length === 0 ? [] : [el('h3', {}, title), el('div', { class: 'group' }, ...some.map(card))];
      list.replaceChildren(
        ...(wanted === '' ? group('Recent', latest.slice(0, 4)) : []),
        ...group(hello.folder, folder.filter(fits)),
        ...group('Games of rgtrans', presets.filter(fits)),
      );
    };
    search.oninput = fill;
    dialog.oncancel = (event) => {
      event.preventDefault();
      done(null);
    };
    dialog.append(
      el(
        'div',
        { class: 'bar' },
        search,
        el('button', { onclick: () => done({ act: 'new' }) }, 'New game'),
        el('button', { onclick: () => done({ act: 'upload' }) }, 'From a file'),
        el('button', { onclick: () => done(null) }, 'Close'),
      ),
      list,
    );
    document.body.append(dialog);
    dialog.showModal();
    fill();
    search.focus();
  });
}
