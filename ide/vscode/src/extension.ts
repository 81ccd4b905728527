// The client: starts `rgtrans lsp`, and shows automaton and board beside the text.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { Panel } from "./panel";
import { RgtransTasks } from "./tasks";

const LANGUAGES = ["hrg", "rg", "rbg", "gdl", "ludax", "linegames"];

let client: LanguageClient | undefined;

export function programPath(): string {
  return vscode.workspace.getConfiguration("rgtrans").get<string>("path") || "rgtrans";
}

/** Runs a command of the server on a document. */
export async function ask<T>(name: string, uri: vscode.Uri, more: object = {}): Promise<T> {
  if (client === undefined) throw new Error("the language server does not run");
  return client.sendRequest<T>("workspace/executeCommand", {
    command: `rgtrans.${name}`,
    arguments: [{ uri: client.code2ProtocolConverter.asUri(uri), ...more }],
  });
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: programPath(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
  };
  client = new LanguageClient("rgtrans", "Regular Games", server, options);
  await client.start();
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  await start();
}

function activeGame(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && LANGUAGES.includes(document.languageId)) return document;
  void vscode.window.showInformationMessage("Open a game first.");
  return undefined;
}

async function showText(name: string, more: object, language: string): Promise<void> {
  const document = activeGame();
  if (document === undefined) return;
  const answer = await ask<{ text: string }>(name, document.uri, more);
  const shown = await vscode.workspace.openTextDocument({ content: answer.text, language });
  await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
}

async function showTrace(): Promise<void> {
  const document = activeGame();
  if (document === undefined) return;
  const answer = await ask<{ html?: string }>("optimize", document.uri, { trace: true });
  if (answer.html === undefined) {
    void vscode.window.showInformationMessage("The game is too large for a page of its optimization.");
    return;
  }
  const panel = vscode.window.createWebviewPanel("rgtrans.trace", "Optimizer", vscode.ViewColumn.Beside, { enableScripts: true });
  panel.webview.html = answer.html;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, run: () => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`rgtrans.${name}`, run));
  command("showAutomaton", () => showPanel(context, "automaton"));
  command("showBoard", () => showPanel(context, "board"));
  command("showTranslation", () => showText("translate", { to: "rg", level: 1 }, "rg"));
  command("showTrace", showTrace);
  command("restart", restart);
  context.subscriptions.push(vscode.tasks.registerTaskProvider("rgtrans", new RgtransTasks()));
  try {
    await start();
  } catch (problem) {
    void vscode.window.showErrorMessage(`${programPath()} lsp cannot be started: ${String(problem)}. Set rgtrans.path.`);
  }
}

function showPanel(context: vscode.ExtensionContext, kind: "automaton" | "board"): void {
  const document = activeGame();
  if (document !== undefined) Panel.show(context, kind, document);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
