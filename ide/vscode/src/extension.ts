// The extension: starts `rgtrans lsp`, and shows automaton and board next to the text.
import * as vscode from "vscode";
import { LANGUAGES, ask, programPath, restart, start, stop } from "./client";
import { guarded, newNonce } from "./page";
import { Kind, Panel } from "./panel";
import { RgtransTasks } from "./tasks";

function activeGame(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && LANGUAGES.includes(document.languageId)) return document;
  void vscode.window.showInformationMessage("Open a game first.");
  return undefined;
}

async function showTranslation(): Promise<void> {
  const document = activeGame();
  if (document === undefined) return;
  const answer = await ask("translate", document.uri, { to: "rg", level: 1 });
  const shown = await vscode.workspace.openTextDocument({ content: answer.text, language: "rg" });
  await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
}

async function showTrace(): Promise<void> {
  const document = activeGame();
  if (document === undefined) return;
  const answer = await ask("optimize", document.uri, { trace: true });
  if (answer.html === undefined) {
    void vscode.window.showInformationMessage("The game is too large for a page of its optimization.");
    return;
  }
  const panel = vscode.window.createWebviewPanel("rgtrans.trace", "Optimizer", vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [],
  });
  panel.webview.html = guarded(answer.html, newNonce());
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`rgtrans.${name}`, run));
  command("showAutomaton", () => showPanel(context, "automaton"));
  command("showBoard", () => showPanel(context, "board"));
  command("showTranslation", showTranslation);
  command("showTrace", showTrace);
  command("restart", restart);
  context.subscriptions.push(vscode.tasks.registerTaskProvider("rgtrans", new RgtransTasks()));
  try {
    await start();
  } catch (problem) {
    const hint = `${programPath()} lsp cannot be started: ${String(problem)}. Set rgtrans.path.`;
    void vscode.window.showErrorMessage(hint);
  }
}

function showPanel(context: vscode.ExtensionContext, kind: Kind): void {
  const document = activeGame();
  if (document !== undefined) Panel.show(context, kind, document);
}

export async function deactivate(): Promise<void> {
  await stop();
}
