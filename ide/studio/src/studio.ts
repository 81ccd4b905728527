// The studio: texts on the left; board, automaton, passes and bench on the right. Whatever is typed is opened by the
// program a moment later, and all panels follow.
import * as address from './address';
import { AutomatonPanel } from './automaton';
import { BalancePanel } from './balance';
import { BenchPanel } from './bench';
import { BoardPanel } from './board';
import { askName, beginGame } from './dialogs';
import { after, el } from './dom';
import { Editor, type OpenFile } from './editor';
import { chooseGame, remember } from './gallery';
import type { Complaint, HelloReply } from './messages';
import { PassesPanel } from './passes';
import { Connection, kInside, RequestError } from './rpc';
import { Texts } from './texts';

const kViews = ['text', 'board', 'automaton', 'passes', 'bench', 'balance'] as const;
type View = (typeof kViews)[number];
const kFirst = 'hrg/chess.hrg';

const connection = new Connection();
const withService = document.documentElement.dataset['service'] === 'yes';

// --- The frame. ---
const picker = el('button', { class: 'picker', title: 'Open a game (Ctrl+O)', onclick: () => pickGame() }, 'Open');
const fresh = el('button', { title: 'Begin a new game', onclick: () => newGame() }, 'New');
const download = el('button', { title: 'Download the text', onclick: () => texts.downloadText() }, 'Download');
const tabs = el('div', { class: 'files', role: 'tablist', 'aria-label': 'Open texts' });
const light = el('span', { class: 'light', role: 'status', 'aria-live': 'polite' }, 'connecting');
const save = el('button', { title: 'Save (Ctrl+S)', onclick: () => texts.saveFile() }, 'Save');
const share = el(
  'button',
  { title: 'Copy the game and the play as a text that Open understands', onclick: () => copyLink() },
  'Share',
);
const theme = el(
  'button',
  {
    title: 'Light or dark',
    'aria-label': 'Light or dark',
    onclick: () => setTheme(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'),
  },
  '◐',
);
const publish = el(
  'button',
  { title: 'A page that plays the game in any browser', onclick: () => publishPage() },
  'Publish',
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
    fresh,
    picker,
    save,
    download,
    light,
    el('span', { class: 'space' }),
    publish,
    share,
    theme,
  ),
  views,
  main,
  away,
);

const editor = new Editor(editorBox, withService);
const texts = new Texts(connection, editor);
const board = new BoardPanel(connection);
const automaton = new AutomatonPanel(connection);
const passes = new PassesPanel(connection);
const bench = new BenchPanel(connection);
const balance = new BalancePanel(connection);
balance.current = () => {
  const file = editor.active;
  if (!file) return { name: '', language: '', text: '' };
  return { name: file.name, language: file.language, text: editor.text(file) };
};
balance.onuse = (text) => editor.active && editor.replace(editor.active, text);
const panels = { board, automaton, passes, bench, balance } as const;
right.append(board.element, automaton.element, passes.element, bench.element, balance.element);

let view: View = 'board';
let opened = ''; // the file whose game the panels show
let ready = false;
let restored: string[] | null = null;
let hello: HelloReply | null = null;

function setTheme(name: string): void {
  document.documentElement.dataset['theme'] = name;
  try {
    localStorage.setItem('theme', name);
  } catch {
    /* storage may be off */
  }
}
let kept: string | null = null;
try {
  kept = localStorage.getItem('theme');
} catch {
  /* storage may be off */
}
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
const languageOf = (name: string) => texts.languageOf(name);

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
          onclick: () => texts.closeFile(file),
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
  tabs.querySelector('.file.on')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

async function openFile(origin: OpenFile['origin'], name: string): Promise<void> {
  const already = editor.files.find((file) => file.name === name);
  if (already) return editor.show(already);
  const { text } = await connection.request('read', origin === 'preset' ? { preset: name } : { name });
  editor.open(name, languageOf(name), text, origin);
  remember(origin, name);
}

// A new text belongs to no file until it is saved.
async function newGame(): Promise<void> {
  const beginning = await beginGame(texts.languages());
  if (!beginning) return;
  const text =
    'text' in beginning
      ? beginning.text
      : (await connection.request('read', { preset: beginning.preset })).text;
  const active = editor.active;
  // An empty file of the folder is waiting for a text.
  if (active && active.origin === 'folder' && editor.text(active).trim() === '') {
    const same = languageOf(active.name) === languageOf(beginning.name);
    if (same) return editor.replace(active, text);
  }
  const name = texts.freeName(beginning.name);
  editor.open(name, languageOf(name), text, 'own', '');
}

document.addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  for (const file of event.dataTransfer.files) texts.openUpload(file);
});

// A page of the game, downloaded.
async function publishPage(): Promise<void> {
  try {
    const { text } = await connection.request('translate', { to: 'page' });
    const name = editor.active!.name.replace(/^.*\//, '').replace(/\.\w+$/, '');
    texts.offer(`${name}.html`, text, 'text/html');
    tell('the page is downloaded', 'fine');
  } catch (problem) {
    tell((problem as Error).message, 'failed');
  }
}

async function pickGame(): Promise<void> {
  if (!hello) return;
  const chosen = await chooseGame(hello);
  if (!chosen) return;
  try {
    if ('shared' in chosen) await restore(chosen.shared);
    else if ('act' in chosen) await (chosen.act === 'new' ? newGame() : texts.upload());
    else await openFile(chosen.origin, chosen.name);
  } catch (problem) {
    tell((problem as Error).message, 'failed');
  }
}
window.addEventListener('beforeunload', (event) => {
  if (editor.files.some((file) => texts.isChanged(file))) event.preventDefault();
});

function tell(text: string, state: 'fine' | 'busy' | 'failed'): void {
  light.textContent = text;
  light.dataset['state'] = state;
}

// --- From the text to the game. ---
let version = 0;
let setupText: string | null = null; // of the position that was set up; another text has other nodes
board.onsetup = () => {
  setupText = null;
  void openGame();
  keepAddress();
};
async function openGame(): Promise<void> {
  const file = editor.active;
  if (!file || !ready) return;
  const mine = ++version;
  tell('reading', 'busy');
  const text = editor.text(file);
  if (board.setup && setupText !== null && setupText !== text) {
    board.setup = null;
    board.path = [];
  }
  setupText = text;
  try {
    const game = await connection.request('open', {
      name: file.name,
      language: file.language,
      text,
      ...(board.setup ? { setup: board.setup } : {}),
      ...passes.settings,
    });
    if (mine !== version) return;
    editor.complain(game.warnings);
    complain(game.warnings);
    document.body.classList.remove('stale');
    tell('no mistakes', 'fine');
    light.title = `${game.nodes} nodes, ${game.edges} edges`;
    // The visible views come first.
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
    if (mine !== version || !(problem instanceof RequestError)) return;
    if (board.setup) {
      // What was set up does not fit.
      board.setup = null;
      board.path = [];
      return openGame();
    }
    const list = problem.data;
    tell(list.length === 1 ? '1 mistake' : `${list.length} mistakes`, 'failed');
    document.body.classList.add('stale');
    editor.complain(list);
    complain(list);
    if (opened !== file.name) board.clear('The board appears when the text has no mistake.');
  }
}
function complain(list: Complaint[]): void {
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
texts.tell = tell;
texts.onchange = showTabs;
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
async function currentAddress(shared = false): Promise<string> {
  const shown = shared ? editor.files.filter((file) => file === editor.active) : editor.files;
  const files = shown.map((file) => {
    const text = editor.text(file);
    return {
      name: file.name,
      language: file.language,
      origin: shared && file.origin === 'folder' ? ('own' as const) : file.origin,
      text: text === file.saved && (!shared || file.origin === 'preset') && file.origin !== 'own' ? undefined : text,
    };
  });
  return address.write({
    files,
    active: editor.active?.name ?? '',
    view,
    path: board.path,
    setup: board.setup,
    settings: { level: passes.level, off: [...passes.off] },
  });
}
const keepAddress = after(250, async () => {
  if (ready && editor.active)
    history.replaceState(null, '', `${location.pathname}${location.search}#${await currentAddress()}`);
});
// The game and the play, as the part behind # of an address; of a site with the address, which means the same
// everywhere. It includes texts of the folder.
async function copyLink(): Promise<void> {
  const state = `#${await currentAddress(true)}`;
  const text = kInside ? `${location.origin}${location.pathname}${state}` : state;
  const use = kInside ? 'a link for everybody' : 'paste it behind the address of a studio, or into Open';
  try {
    await navigator.clipboard.writeText(text);
    tell(`copied: ${use}`, 'fine');
  } catch {
    await askName('Share', 'Copy this text; Open understands it.', text);
  }
}

async function restore(fragment = location.hash.slice(1)): Promise<void> {
  const state = await address.read(fragment);
  if (state?.settings) passes.restore(Number(state.settings['level'] ?? 2), (state.settings['off'] as string[]) ?? []);
  restored = state?.path && state.path.length > 0 ? state.path : null;
  board.setup = state?.setup ?? null;
  setupText = null;
  for (const file of state?.files ?? []) {
    let saved = '';
    try {
      if (file.origin !== 'own') {
        saved = (
          await connection.request('read', file.origin === 'preset' ? { preset: file.name } : { name: file.name })
        ).text;
      }
    } catch {
      if (file.text === undefined) continue;
    }
    editor.open(file.name, file.language || languageOf(file.name), file.text ?? saved, file.origin, saved);
  }
  const active = editor.files.find((file) => file.name === state?.active);
  if (active) editor.show(active);
  choose(kViews.includes(state?.view as View) ? (state!.view as View) : 'board');
  if (editor.files.length === 0) await welcome();
  else if (editor.active?.origin === 'folder' && editor.text(editor.active).trim() === '') void newGame();
}

// A folder with one game shows that, one with several shows them, an empty one begins a game.
async function welcome(): Promise<void> {
  const files = hello?.files ?? [];
  if (hello?.folder && files.length === 1) return openFile('folder', files[0]!);
  await openFile('preset', kFirst);
  if (hello?.folder) void (files.length === 0 ? newGame() : pickGame());
}

// --- The program. ---
async function greet(): Promise<void> {
  hello = await connection.request('hello', {});
  texts.hello = hello;
  passes.offer(hello.passes);
}

connection.onstate = async (connected, reason) => {
  away.hidden = connected || !ready || kInside;
  if (!connected) {
    tell(kInside ? reason : 'away', 'failed');
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
  if (event.altKey && event.key >= '1' && event.key <= '6') {
    event.preventDefault();
    choose(kViews[Number(event.key) - 1]!);
  } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    texts.saveFile();
  } else if ((event.ctrlKey || event.metaKey) && event.key === 'o') {
    event.preventDefault();
    pickGame();
  }
});
function setWidth(share: number): void {
  main.style.setProperty('--left', `${Math.max(15, Math.min(75, share))}%`);
}
divider.onpointerdown = (event) => {
  divider.setPointerCapture(event.pointerId);
  divider.onpointermove = (move) => setWidth((100 * move.clientX) / window.innerWidth);
  divider.onpointerup = () => {
    divider.onpointermove = null;
  };
};
divider.onkeydown = (event) => {
  const now = (100 * left.clientWidth) / window.innerWidth;
  if (event.key === 'ArrowLeft') setWidth(now - 3);
  if (event.key === 'ArrowRight') setWidth(now + 3);
};

choose('board');
connection.open();
// The site goes on without a network after the first visit.
if (kInside && 'serviceWorker' in navigator) void navigator.serviceWorker.register('offline.js');
