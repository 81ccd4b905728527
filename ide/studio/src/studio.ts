// The studio: texts on the left; board, automaton, passes and bench on the right. Whatever is typed is opened by the
// program a moment later, and all panels follow.
import * as address from './address';
import { AutomatonPanel } from './automaton';
import { BenchPanel } from './bench';
import { BoardPanel } from './board';
import { after, el } from './dom';
import { Editor, type OpenFile, type Place } from './editor';
import { PassesPanel } from './passes';
import { Connection, RequestError } from './rpc';

const kViews = ['text', 'board', 'automaton', 'passes', 'bench'] as const;
type View = (typeof kViews)[number];
const kFirst = 'hrg/chess.hrg';

const connection = new Connection('/studio');
const withService = document.documentElement.dataset['service'] === 'yes';

// --- The frame. ---
const picker = el('select', { class: 'picker', 'aria-label': 'Open a game', title: 'Open a game' });
const tabs = el('div', { class: 'files', role: 'tablist', 'aria-label': 'Open texts' });
const light = el('span', { class: 'light', role: 'status', 'aria-live': 'polite' }, 'connecting');
const save = el('button', { title: 'Save into the folder (Ctrl+S)', hidden: true, onclick: () => saveFile() }, 'Save');
const share = el('button', { title: 'Copy a link that shows the same', onclick: () => copyLink() }, 'Share');
const theme = el(
  'button',
  {
    title: 'Light or dark',
    'aria-label': 'Light or dark',
    onclick: () => setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'),
  },
  '◐',
);
const views = el('nav', { class: 'views', role: 'tablist', 'aria-label': 'Views' });
const left = el('section', { class: 'left', 'aria-label': 'Text' });
const editorBox = el('div', { class: 'editor' });
const problems = el('div', { class: 'problems', hidden: true });
const right = el('section', { class: 'right', 'aria-label': 'Game' });
const divider = el('div', {
  class: 'divider',
  role: 'separator',
  tabindex: '0',
  'aria-orientation': 'vertical',
  'aria-label': 'Width of the text',
});
const away = el(
  'div',
  { class: 'away', hidden: true, role: 'alert' },
  'rgtrans does not answer. Start it again with ',
  el('code', {}, 'rgtrans studio'),
  '; this page waits for it.',
);
left.append(tabs, editorBox, problems);
const main = el('main', {}, left, divider, right);
document.body.append(
  el(
    'header',
    {},
    el('h1', {}, el('span', {}, 'rgtrans'), ' studio'),
    picker,
    save,
    light,
    el('span', { class: 'space' }),
    share,
    theme,
  ),
  views,
  main,
  away,
);

const editor = new Editor(editorBox, withService);
const board = new BoardPanel(connection);
const automaton = new AutomatonPanel(connection);
const passes = new PassesPanel(connection);
const bench = new BenchPanel(connection);
const panels = { board, automaton, passes, bench } as const;
right.append(board.element, automaton.element, passes.element, bench.element);

let view: View = 'board';
let languages: { name: string; title: string; extensions: string[] }[] = [];
let opened = '';  // the file whose game the panels show
let ready = false;
let restored: string[] | null = null;

function setTheme(name: string): void {
  document.documentElement.dataset['theme'] = name;
  try { localStorage.setItem('theme', name); } catch { /* storage may be off */ }
}
let kept: string | null = null;
try { kept = localStorage.getItem('theme'); } catch { /* storage may be off */ }
setTheme(kept ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

function choose(next: View): void {
  view = next;
  document.body.dataset['view'] = next;
  for (const button of views.children)
    button.setAttribute('aria-selected', String((button as HTMLElement).dataset['view'] === next));
  for (const [name, panel] of Object.entries(panels))
    panel.element.hidden = name !== next && !(next === 'text' && name === 'board');
  automaton.shown(next === 'automaton');
  passes.shown(next === 'passes');
  if (next === 'bench') bench.offer();
  keepAddress();
}
kViews.forEach((name, i) =>
  views.append(
    el(
      'button',
      { role: 'tab', 'data-view': name, title: `Alt+${i + 1}`, onclick: () => choose(name) },
      name[0]!.toUpperCase() + name.slice(1),
    ),
  ),
);

// --- Texts. ---
function languageOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.'));
  return languages.find((language) => language.extensions.includes(extension))?.name ?? '';
}

function showTabs(): void {
  tabs.replaceChildren(
    ...editor.files.map((file) => {
      const changed = editor.text(file) !== file.saved;
      const tab = el(
        'button',
        {
          role: 'tab',
          'aria-selected': String(file === editor.active),
          title: file.name,
          onclick: () => editor.show(file),
        },
        file.name.slice(file.name.lastIndexOf('/') + 1),
        changed ? ' •' : '',
      );
      const close = el(
        'button',
        {
          class: 'close',
          title: `Close ${file.name}`,
          'aria-label': `Close ${file.name}`,
          onclick: () => {
            editor.close(file);
            showTabs();
          },
        },
        '×',
      );
      return el(
        'span',
        { class: file === editor.active ? 'file on' : 'file' },
        tab,
        editor.files.length > 1 ? close : null,
      );
    }),
  );
  save.hidden = editor.active?.origin !== 'folder';
}

async function openFile(origin: OpenFile['origin'], name: string): Promise<void> {
  const already = editor.files.find((file) => file.name === name);
  if (already) return editor.show(already);
  const { text } = await connection.request('read', origin === 'preset' ? { preset: name } : { name });
  editor.open(name, languageOf(name), text, origin);
}

async function saveFile(): Promise<void> {
  const file = editor.active;
  if (file?.origin !== 'folder') return;
  const text = editor.text(file);
  try {
    await connection.request('save', { name: file.name, text });
    file.saved = text;
    tell('saved', 'fine');
    showTabs();
  } catch (problem) {
    tell((problem as Error).message, 'failed');
  }
}

function tell(text: string, state: 'fine' | 'busy' | 'failed'): void {
  light.textContent = text;
  light.dataset['state'] = state;
}

// --- From the text to the game. ---
let version = 0;
async function openGame(): Promise<void> {
  const file = editor.active;
  if (!file || !ready) return;
  const mine = ++version;
  tell('reading', 'busy');
  try {
    const game = await connection.request('open', {
      name: file.name,
      language: file.language,
      text: editor.text(file),
      ...passes.settings,
    });
    if (mine !== version) return;
    editor.complain(game.warnings);
    complain(game.warnings);
    document.body.classList.remove('stale');
    tell(`${game.nodes} nodes, ${game.edges} edges`, 'fine');
    // What is looked at comes first.
    automaton.changed();
    passes.changed();
    if (restored) {
      board.path = restored;
      restored = null;
      board.opened(game.players, game.hides, true);
    } else {
      board.opened(game.players, game.hides, opened === file.name);
    }
    opened = file.name;
    document.title = `${file.name.slice(file.name.lastIndexOf('/') + 1)} – rgtrans studio`;
  } catch (problem) {
    if (mine !== version || !(problem instanceof RequestError) || problem.message === 'superseded') return;
    const list = problem.data ?? [];
    tell(list.length === 1 ? '1 mistake' : `${list.length} mistakes`, 'failed');
    document.body.classList.add('stale');
    editor.complain(list);
    complain(list);
    if (opened !== file.name) board.clear('The board appears when the text has no mistake.');
  }
}
function complain(list: { place: Place | null; message: string; hint: string; severity: string }[]): void {
  problems.hidden = list.length === 0;
  problems.replaceChildren(
    ...list
      .slice(0, 6)
      .map((one) =>
        el(
          'button',
          { class: one.severity, onclick: () => one.place && editor.go(one.place, true) },
          one.place ? `${one.place.line}:${one.place.column}  ` : '',
          one.message,
          one.hint ? el('small', {}, ` ${one.hint}`) : null,
        ),
      ),
  );
}
const openSoon = after(10, () => openGame());

editor.onchange = () => {
  showTabs();
  openSoon();
  keepAddress();
};
editor.oncursor = (line) => automaton.cursor(line);
automaton.ongo = (place) => editor.go(place);
automaton.breakLines = () => editor.breakLines;
automaton.onmark = (places) => editor.mark(places, true);
board.onmoved = () => {
  automaton.moved(board.path);
  keepAddress();
};
bench.path = () => board.path;
bench.others = () => editor.files.filter((file) => file !== editor.active).map((file) => file.name);
bench.gameOf = (name) => {
  const file = editor.files.find((other) => other.name === name) ?? editor.active!;
  return { name: file.name, language: file.language, text: editor.text(file) };
};
passes.onsettings = () => {
  openGame();
  keepAddress();
};

// --- The address. ---
async function currentAddress(): Promise<string> {
  const files = editor.files.map((file) => {
    const text = editor.text(file);
    return {
      name: file.name,
      language: file.language,
      origin: file.origin,
      text: text === file.saved ? undefined : text,
    };
  });
  return address.write({
    files,
    active: editor.active?.name ?? '',
    view,
    path: board.path,
    settings: { level: passes.level, off: [...passes.off] },
  });
}
const keepAddress = after(250, async () => {
  if (ready && editor.active)
    history.replaceState(null, '', `${location.pathname}${location.search}#${await currentAddress()}`);
});
async function copyLink(): Promise<void> {
  const link = `${location.origin}${location.pathname}${location.search}#${await currentAddress()}`;
  try {
    await navigator.clipboard.writeText(link);
    tell('link copied', 'fine');
  } catch {
    tell('the link is in the address line', 'fine');
  }
}

async function restore(): Promise<void> {
  const state = await address.read(location.hash.slice(1));
  if (state?.settings) passes.restore(Number(state.settings['level'] ?? 2), (state.settings['off'] as string[]) ?? []);
  restored = state?.path && state.path.length > 0 ? state.path : null;
  for (const file of state?.files ?? []) {
    let saved = '';
    try {
      saved = (await connection.request('read', file.origin === 'preset' ? { preset: file.name } : { name: file.name }))
        .text;
    } catch {
      if (file.text === undefined) continue;
    }
    editor.open(file.name, file.language || languageOf(file.name), file.text ?? saved, file.origin, saved);
  }
  const active = editor.files.find((file) => file.name === state?.active);
  if (active) editor.show(active);
  if (editor.files.length === 0) await openFile('preset', kFirst);
  choose(kViews.includes(state?.view as View) ? (state!.view as View) : 'board');
}

// --- The program. ---
async function greet(): Promise<void> {
  const hello = await connection.request('hello');
  languages = hello.languages;
  passes.offer(hello.passes);
  const groups = new Map<string, string[]>();
  for (const name of hello.presets as string[]) {
    const group = name.slice(0, name.indexOf('/'));
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  const option = (origin: string) => (name: string) =>
    el('option', { value: `${origin}:${name}` }, name.slice(origin === 'preset' ? name.lastIndexOf('/') + 1 : 0));
  picker.replaceChildren(
    el('option', { value: '' }, 'Open a game …'),
    ...(hello.files.length > 0 ? [el('optgroup', { label: hello.folder }, ...hello.files.map(option('folder')))] : []),
    ...[...groups].map(([group, names]) =>
      el(
        'optgroup',
        { label: languages.find((language) => language.name === group)?.title ?? group },
        ...names.map(option('preset')),
      ),
    ),
  );
}
picker.onchange = () => {
  const [origin, name] = [
    picker.value.slice(0, picker.value.indexOf(':')),
    picker.value.slice(picker.value.indexOf(':') + 1),
  ];
  picker.value = '';
  if (name) openFile(origin as OpenFile['origin'], name).catch((problem) => tell(problem.message, 'failed'));
};

connection.onstate = async (connected) => {
  away.hidden = connected || !ready;
  if (!connected) {
    tell('away', 'failed');
    return;
  }
  try {
    await greet();
    if (!ready) {
      await restore();
      ready = true;
    }
    await openGame();
  } catch (problem) {
    tell((problem as Error).message, 'failed');
  }
};

// --- Keys, and the width of the text. ---
document.addEventListener('keydown', (event) => {
  if (event.altKey && event.key >= '1' && event.key <= '5') {
    event.preventDefault();
    choose(kViews[Number(event.key) - 1]!);
  } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    saveFile();
  }
});
function setWidth(share: number): void { main.style.setProperty('--left', `${Math.max(15, Math.min(75, share))}%`); }
divider.onpointerdown = (event) => {
  divider.setPointerCapture(event.pointerId);
  divider.onpointermove = (move) => setWidth((100 * move.clientX) / window.innerWidth);
  divider.onpointerup = () => { divider.onpointermove = null; };
};
divider.onkeydown = (event) => {
  const now = (100 * left.clientWidth) / window.innerWidth;
  if (event.key === 'ArrowLeft') setWidth(now - 3);
  if (event.key === 'ArrowRight') setWidth(now + 3);
};

choose('board');
connection.open();
