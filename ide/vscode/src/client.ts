// The language server, as the rest of the extension knows it.
import { join } from "node:path";
import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  WorkDoneProgress,
} from "vscode-languageclient/node";
import { chosenProgram } from "./program";
import { Answer, Command, Request } from "./protocol";

export const LANGUAGES = ["hrg", "rg", "rbg", "gdl", "ludax", "ludii", "linegames"];

let client: LanguageClient | undefined;
let asked = 0;

export function programPath(): string {
  // The extension is one file in the folder out.
  return chosenProgram(vscode.workspace.getConfiguration("rgtrans").get<string>("path"), join(__dirname, ".."));
}

/** Runs a command of the server; its progress is in the status bar. */
async function execute(command: string, args: unknown[]): Promise<unknown> {
  const running = client;
  if (running === undefined) throw new Error("the language server does not run");
  const workDoneToken = `rgtrans-${++asked}`;
  const title = command.replace("rgtrans.", "rgtrans ");
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async (shown) => {
    const listening = running.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.percentage !== undefined)
        shown.report({ message: `${value.percentage} %` });
    });
    try {
      return (await running.sendRequest(ExecuteCommandRequest.type, {
        command,
        arguments: args,
        workDoneToken,
      })) as unknown;
    } finally {
      listening.dispose();
    }
  });
}

/** Runs a command of the server on a document. */
export async function ask<Name extends Command>(
  name: Name,
  uri: vscode.Uri,
  more: Request<Name>,
): Promise<Answer<Name>> {
  const document = client?.code2ProtocolConverter.asUri(uri);
  return (await execute(`rgtrans.${name}`, [{ uri: document, ...more }])) as Answer<Name>;
}

export async function start(): Promise<void> {
  const server: ServerOptions = { command: programPath(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    middleware: { executeCommand: (command, args: unknown[]) => execute(command, args) },
  };
  client = new LanguageClient("rgtrans", "Regular Games", server, options);
  await client.start();
}

export async function stop(): Promise<void> {
  await client?.stop();
  client = undefined;
}

export async function restart(): Promise<void> {
  await stop();
  await start();
}
