// A drawing next to its text: drawn anew after an edit, with the edges of the line at the cursor marked. A click on an
// edge of the automaton leads to its line.
import * as vscode from "vscode";
import { ask } from "./client";
import { drawingPage, newNonce } from "./page";
import { Drawing, Shown, isClicked } from "./protocol";

export type Kind = "automaton" | "board";

const DELAY = 400; // milliseconds behind the last key

export class Panel {
  private static readonly open = new Map<string, Panel>();

  private readonly view: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;
  private drawing: Drawing | undefined;
  private drawn = 0;

  static show(context: vscode.ExtensionContext, kind: Kind, document: vscode.TextDocument): void {
    const key = `${kind} ${document.uri.toString()}`;
    const known = Panel.open.get(key);
    if (known !== undefined) return known.view.reveal(undefined, true);
    const panel = new Panel(context, kind, document, key);
    Panel.open.set(key, panel);
    context.subscriptions.push(panel.view);
  }

  private constructor(
    context: vscode.ExtensionContext,
    private readonly kind: Kind,
    private readonly document: vscode.TextDocument,
    key: string,
  ) {
    const out = vscode.Uri.joinPath(context.extensionUri, "out");
    const name = document.uri.path.split("/").pop() ?? "";
    this.view = vscode.window.createWebviewPanel(
      `rgtrans.${kind}`,
      `${name}: ${kind}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [out] },
    );
    const script = this.view.webview.asWebviewUri(vscode.Uri.joinPath(out, "drawing.js"));
    this.view.webview.html = drawingPage(script.toString(), newNonce());
    this.subscriptions.push(
      this.view.webview.onDidReceiveMessage((message: unknown) => {
        if (isClicked(message)) this.follow(message.edge);
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === this.document) this.later();
      }),
      vscode.window.onDidChangeTextEditorSelection((change) => {
        if (change.textEditor.document === this.document) this.mark(change.selections[0].active.line);
      }),
    );
    this.view.onDidDispose(() => {
      Panel.open.delete(key);
      clearTimeout(this.timer);
      for (const subscription of this.subscriptions) subscription.dispose();
    });
    void this.draw();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), DELAY);
  }

  private async draw(): Promise<void> {
    const round = ++this.drawn;
    try {
      const drawing = await ask(this.kind, this.document.uri, {});
      if (round !== this.drawn) return;
      this.drawing = drawing;
      this.send({ svg: drawing.svg });
      const editor = vscode.window.visibleTextEditors.find((e) => e.document === this.document);
      if (editor !== undefined) this.mark(editor.selection.active.line);
    } catch (problem) {
      // The drawing of the last text without mistakes stays.
      if (round === this.drawn) this.send({ problem: String(problem) });
    }
  }

  private send(shown: Shown): void {
    void this.view.webview.postMessage(shown);
  }

  private mark(line: number): void {
    const edges = this.drawing?.edges ?? [];
    const comesFrom = (i: number) => {
      const range = edges[i].range;
      return range !== undefined && range.start.line <= line && line <= range.end.line;
    };
    this.send({ marked: [...edges.keys()].filter(comesFrom) });
  }

  private follow(edge: number): void {
    const range = this.drawing?.edges?.[edge]?.range;
    if (range === undefined) return;
    const { start, end } = range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const options = { selection, viewColumn: vscode.ViewColumn.One, preserveFocus: true };
    void vscode.window.showTextDocument(this.document, options);
  }
}
