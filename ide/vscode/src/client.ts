// The language server, as the rest of the extension knows it.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { Command, Commands } from "./protocol";

export const LANGUAGES = ["hrg", "rg", "rbg", "gdl", "ludax", "linegames"];

let client: LanguageClient | undefined;

export function programPath(): string {
  return vscode.workspace.getConfiguration("rgtrans").get<string>("path") || "rgtrans";
}

/** Runs a command of the server on a document. */
export async function ask<Name extends Command>(
  name: Name,
  uri: vscode.Uri,
  more: Commands[Name]["arguments"],
): Promise<Commands[Name]["answer"]> {
  if (client === undefined) throw new Error("the language server does not run");
  return client.sendRequest<Commands[Name]["answer"]>("workspace/executeCommand", {
    command: `rgtrans.${name}`,
    arguments: [{ uri: client.code2ProtocolConverter.asUri(uri), ...more }],
  });
}

export async function start(): Promise<void> {
  const server: ServerOptions = { command: programPath(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
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
