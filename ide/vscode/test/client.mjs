// A client of the protocol made of its own library, on `rgtrans lsp`.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const protocol = require("vscode-languageserver-protocol/node");

export async function connect(program) {
  const child = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const diagnostics = new Map();
  const waiting = new Map();
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (found) => {
    diagnostics.set(found.uri, found);
    waiting.get(found.uri)?.(found);
  });
  connection.onRequest("workspace/inlayHint/refresh", () => null);
  connection.listen();
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { inlayHint: { refreshSupport: true } },
      textDocument: {
        completion: { completionItem: { snippetSupport: true } },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        rename: { prepareSupport: true },
      },
    },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const stop = async () => {
    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    connection.dispose();
    return code;
  };
  // The first list for this version.
  const diagnosed = (uri, version) =>
    new Promise((resolve) => {
      const known = diagnostics.get(uri);
      if (known !== undefined && known.version >= version) return resolve(known);
      waiting.set(uri, (found) => {
        if (found.version >= version) resolve(found);
      });
    });
  return { connection, protocol, capabilities, diagnosed, stop };
}
