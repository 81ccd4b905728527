// A drawing beside the text that follows it: drawn anew after an edit, with the edges of the line at the cursor marked. A
// click on an edge of the automaton leads to the line that it comes from.
import * as vscode from "vscode";
import { ask } from "./extension";

interface EdgeOfDrawing {
  text: string;
  range?: { start: { line: number; character: number }; end: { line: number; character: number } };
}
interface Drawing {
  svg: string;
  edges?: EdgeOfDrawing[];
}

const DELAY = 400; // milliseconds behind the last key

export class Panel {
  private static readonly open = new Map<string, Panel>();

  private readonly view: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;
  private drawing: Drawing | undefined;
  private drawn = 0;

  static show(context: vscode.ExtensionContext, kind: "automaton" | "board", document: vscode.TextDocument): void {
    const key = `${kind} ${document.uri.toString()}`;
    const known = Panel.open.get(key);
    if (known !== undefined) return known.view.reveal(undefined, true);
    const panel = new Panel(kind, document, key);
    Panel.open.set(key, panel);
    context.subscriptions.push(panel.view);
  }

  private constructor(
    private readonly kind: "automaton" | "board",
    private readonly document: vscode.TextDocument,
    key: string,
  ) {
    const name = document.uri.path.split("/").pop() ?? "";
    this.view = vscode.window.createWebviewPanel(
      `rgtrans.${kind}`,
      `${name}: ${kind}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true },
    );
    this.view.webview.html = page();
    this.subscriptions.push(
      this.view.webview.onDidReceiveMessage((message: { edge?: number }) => this.follow(message.edge)),
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
      const drawing = await ask<Drawing>(this.kind, this.document.uri);
      if (round !== this.drawn) return;
      this.drawing = drawing;
      await this.view.webview.postMessage({ svg: drawing.svg });
      const editor = vscode.window.visibleTextEditors.find((e) => e.document === this.document);
      if (editor !== undefined) this.mark(editor.selection.active.line);
    } catch (problem) {
      // The drawing of the last text without mistakes stays.
      if (round === this.drawn) await this.view.webview.postMessage({ problem: String(problem) });
    }
  }

  private mark(line: number): void {
    const edges = this.drawing?.edges ?? [];
    const marked = edges.flatMap((edge, i) => (edge.range !== undefined && edge.range.start.line <= line && line <= edge.range.end.line ? [i] : []));
    void this.view.webview.postMessage({ marked });
  }

  private follow(edge: number | undefined): void {
    const range = edge === undefined ? undefined : this.drawing?.edges?.[edge]?.range;
    if (range === undefined) return;
    const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    void vscode.window.showTextDocument(this.document, { selection, viewColumn: vscode.ViewColumn.One, preserveFocus: true });
  }
}

function page(): string {
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<style>
  body { margin: 0; background: #fff; color: #222; font: 13px sans-serif; }
  #problem { padding: .5em 1em; background: #fff3cd; display: none; }
  #drawing svg { max-width: 100%; height: auto; }
  .e { cursor: pointer; }
  .e.marked { fill: #c00; font-weight: bold; }
  path.e.marked { fill: none; stroke: #c00; }
</style></head><body><div id="problem"></div><div id="drawing"></div><script>
  const host = acquireVsCodeApi();
  const drawing = document.getElementById("drawing"), problem = document.getElementById("problem");
  const edges = () => [...drawing.querySelectorAll(".e")];
  drawing.addEventListener("click", (event) => {
    const edge = edges().indexOf(event.target.closest(".e"));
    if (edge >= 0) host.postMessage({ edge });
  });
  window.addEventListener("message", ({ data }) => {
    if (data.svg !== undefined) { drawing.innerHTML = data.svg; problem.style.display = "none"; }
    if (data.problem !== undefined) { problem.textContent = data.problem; problem.style.display = "block"; }
    if (data.marked !== undefined) {
      const all = edges();
      all.forEach((edge, i) => edge.classList.toggle("marked", data.marked.includes(i)));
      if (data.marked.length > 0) all[data.marked[0]]?.scrollIntoView({ block: "nearest" });
    }
  });
</script></body></html>`;
}
