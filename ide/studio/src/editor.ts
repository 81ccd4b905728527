// The editor: one view, and a state with its history for each file that is open.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { LSPClient, languageServerExtensions, type Transport } from '@codemirror/lsp-client';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import {
  Compartment,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
  EditorView,
  GutterMarker,
  drawSelection,
  gutter,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';
import { after } from './dom';
import { colours, language } from './languages';
import type { Complaint, TextPlace } from './messages';
import { kInside, serviceLink } from './rpc';

export interface OpenFile {
  name: string;
  language: string;
  origin: 'preset' | 'folder' | 'own';
  saved: string;
  state: EditorState;
}

// Places of the program count code points, the editor counts UTF-16 units.
function offset(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const at = doc.line(Math.max(1, line));
  let units = 0;
  for (const letter of at.text) {
    if (--column <= 0) break;
    units += letter.length;
  }
  return Math.min(at.from + units, at.to);
}

const setMarks = StateEffect.define<{ from: number; to: number }[]>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      value = Decoration.set(
        effect.value
          .filter(({ from, to }) => from < to)
          .sort((a, b) => a.from - b.from)
          .map(({ from, to }) => Decoration.mark({ class: 'place' }).range(from, to)),
      );
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Lines at which the walk of a move shall stop. They move with the text.
const toggleBreak = StateEffect.define<number>({ map: (at, changes) => changes.mapPos(at) });
class BreakMark extends GutterMarker {
  override toDOM(): Node {
    return Object.assign(document.createElement('span'), { className: 'break-mark', title: 'Breakpoint' });
  }
}
const breakMark = new BreakMark();
const breaks = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(toggleBreak)) continue;
      const at = effect.value;
      let known = false;
      value.between(at, at, () => {
        known = true;
      });
      value = value.update(known ? { filter: (from) => from !== at } : { add: [breakMark.range(at)] });
    }
    return value;
  },
});
function toggleAt(view: EditorView, line: number): boolean {
  view.dispatch({ effects: toggleBreak.of(line) });
  return true;
}
const breakGutter = gutter({
  class: 'cm-breaks',
  markers: (view) => view.state.field(breaks),
  initialSpacer: () => breakMark,
  domEventHandlers: { mousedown: (view, line) => toggleAt(view, line.from) },
});

const nonce = document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? '';

// The client declares that it pulls diagnostics, but waits for a notification.
function honest(message: string): string {
  const parsed = JSON.parse(message);
  if (parsed.method !== 'initialize') return message;
  delete parsed.params.capabilities.textDocument.diagnostic;
  return JSON.stringify(parsed);
}

// The language service over a link of its own, which comes back by itself.
class Service {
  readonly client = new LSPClient({ extensions: languageServerExtensions(), rootUri: 'studio:///', timeout: 10000 });
  private handlers = new Set<(message: string) => void>();

  connect(): void {
    const link = serviceLink({
      opened: () => {
        this.client.connect(transport);
      },
      received: (message) => {
        for (const handler of this.handlers) handler(message);
      },
      closed: () => {
        if (this.client.connected) this.client.disconnect();
        window.setTimeout(() => this.connect(), kInside ? 0 : 1000);
      },
    });
    const transport: Transport = {
      send: (message) => link.send(honest(message)),
      subscribe: (handler) => {
        this.handlers.add(handler);
      },
      unsubscribe: (handler) => {
        this.handlers.delete(handler);
      },
    };
  }
}

export class Editor {
  readonly files: OpenFile[] = [];
  active: OpenFile | null = null;
  readonly view: EditorView;
  onchange: () => void = () => {};
  oncursor: (line: number, column: number) => void = () => {};
  private service: Service | null = null;
  private attached = new Compartment();

  constructor(parent: HTMLElement, withService: boolean) {
    this.view = new EditorView({ parent, extensions: EditorView.cspNonce.of(nonce) });
    if (withService) {
      this.service = new Service();
      this.service.connect();
    }
  }

  private extensions(file: { name: string; language: string }): Extension {
    const sync = after(15, () => {
      if (this.service?.client.connected) this.service.client.sync();
    });
    const cursor = after(120, () => {
      const at = this.view.state.selection.main.head;
      const line = this.view.state.doc.lineAt(at);
      this.oncursor(line.number, at - line.from + 1);
    });
    return [
      EditorView.cspNonce.of(nonce),
      breaks,
      breakGutter,
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      autocompletion(),
      lintGutter(),
      marks,
      colours,
      language(file.language),
      keymap.of([
        { key: 'F9', run: (view) => toggleAt(view, view.state.doc.lineAt(view.state.selection.main.head).from) },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.onchange();
          sync();
        }
        if (update.selectionSet || update.docChanged) cursor();
      }),
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${file.name}` }),
      this.attached.of(this.service ? this.service.client.plugin(`studio:///${file.name}`, file.language) : []),
    ];
  }

  open(name: string, languageName: string, text: string, origin: OpenFile['origin'], saved = text): OpenFile {
    let file = this.files.find((other) => other.name === name);
    if (!file) {
      file = {
        name,
        language: languageName,
        origin,
        saved,
        state: EditorState.create({ doc: text, extensions: this.extensions({ name, language: languageName }) }),
      };
      this.files.push(file);
    }
    this.show(file);
    return file;
  }

  show(file: OpenFile): void {
    this.keep();
    this.active = file;
    this.view.setState(file.state);
    this.onchange();
  }

  // Another text for a file that is open; it can be undone.
  replace(file: OpenFile, text: string): void {
    this.show(file);
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  close(file: OpenFile): void {
    const at = this.files.indexOf(file);
    this.files.splice(at, 1);
    if (file === this.active) {
      this.active = null;
      this.show(this.files[Math.max(0, at - 1)]!);
    }
  }

  // The view's state is that of the active file.
  keep(): void {
    if (this.active) this.active.state = this.view.state;
  }
  text(file: OpenFile): string {
    return (file === this.active ? this.view.state : file.state).doc.toString();
  }

  complain(list: Complaint[]): void {
    if (this.service?.client.connected) return;
    const doc = this.view.state.doc;
    const diagnostics: Diagnostic[] = list.map(({ place, message, hint, severity }) => {
      const from = place ? offset(doc, place.line, place.column) : 0;
      const to = place ? offset(doc, place.endLine, place.endColumn) : 0;
      return {
        from,
        to: Math.max(from, to),
        severity: severity === 'warning' ? 'warning' : 'error',
        message: hint ? `${message}\n${hint}` : message,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  // Lines with a breakpoint.
  get breakLines(): Set<number> {
    const lines = new Set<number>();
    const state = this.view.state;
    for (let at = state.field(breaks, false)?.iter(); at?.value; at.next()) lines.add(state.doc.lineAt(at.from).number);
    return lines;
  }

  mark(places: TextPlace[], reveal = false): void {
    const doc = this.view.state.doc;
    const ranges = places.map((place) => ({
      from: offset(doc, place.line, place.column),
      to: offset(doc, place.endLine, place.endColumn),
    }));
    const effects: StateEffect<unknown>[] = [setMarks.of(ranges)];
    if (reveal && ranges[0]) effects.push(EditorView.scrollIntoView(ranges[0].from, { y: 'nearest', yMargin: 40 }));
    this.view.dispatch({ effects });
  }

  go(place: TextPlace, focus = false): void {
    const at = offset(this.view.state.doc, place.line, place.column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.mark([place]);
    if (focus) this.view.focus();
  }
}
