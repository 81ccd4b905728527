// The server through the protocol's own client library: opens games, asks everything, and edits.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, extname } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { connect } from "./client.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = process.env.RGTRANS ?? join(root, "build", "rgtrans");
const LANGUAGES = {
  ".hrg": "hrg",
  ".rg": "rg",
  ".rbg": "rbg",
  ".kif": "gdl",
  ".gdl": "gdl",
  ".ldx": "ludax",
  ".lud": "ludii",
  ".linegame": "linegames",
};

function gamesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in LANGUAGES)
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

const skip = existsSync(program) ? false : `there is no ${program}`;

test("every game opens, and every request is answered", { skip, timeout: 300_000 }, async () => {
  const { connection, diagnosed, stop } = await connect(program);
  const corpus = process.env.RGTRANS_CORPUS;
  const games = [...gamesIn(join(root, "games")), ...(corpus ? gamesIn(corpus) : [])];
  assert.ok(games.length > 50);
  for (const path of games) {
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, "utf8");
    const lines = text.split("\n").length;
    connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: LANGUAGES[extname(path)], version: 1, text },
    });
    const textDocument = { uri };
    const whole = { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } };
    const position = { line: Math.floor(lines / 2), character: 3 };
    const ask = (method, more = {}) => connection.sendRequest(`textDocument/${method}`, { textDocument, ...more });
    const answers = await Promise.all([
      ask("documentSymbol"),
      ask("hover", { position }),
      ask("definition", { position }),
      ask("references", { position, context: { includeDeclaration: true } }),
      ask("documentHighlight", { position }),
      ask("completion", { position }),
      ask("signatureHelp", { position }),
      ask("semanticTokens/full"),
      ask("foldingRange"),
      ask("selectionRange", { positions: [position] }),
      ask("inlayHint", { range: whole }),
      ask("documentLink"),
      ask("formatting", { options: { tabSize: 2, insertSpaces: true } }),
      ask("codeLens"),
      ask("codeAction", { range: whole, context: { diagnostics: [] } }),
      ask("prepareRename", { position }),
      ask("prepareCallHierarchy", { position }),
    ]);
    assert.equal(answers.length, 17, path);
    if (path.startsWith(join(root, "games"))) {
      assert.ok(answers[0].length > 0, `${path} has symbols`);
      assert.ok(answers[7].data.length > 0, `${path} has tokens`);
      const found = await diagnosed(uri, 1);
      assert.deepEqual(found.diagnostics.filter((d) => d.severity === 1), [], path);
    }
    connection.sendNotification("textDocument/didClose", { textDocument });
  }
  console.log(`${games.length} games`);
  assert.equal(await stop(), 0);
});

test("a mistake is shown, fixed, and gone", { skip, timeout: 60_000 }, async () => {
  const { connection, diagnosed, stop } = await connect(program);
  const uri = "file:///coin.hrg";
  const text =
    "domain Player = a | b\ndomain Score = 0 | 1\nturns : Plyer\n\n" +
    "graph rules() {\n  player = a\n  turns = b\n  end()\n}\n";
  connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "hrg", version: 1, text } });
  const [mistake] = (await diagnosed(uri, 1)).diagnostics;
  assert.match(mistake.message, /Plyer/);
  const actions = await connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri }, range: mistake.range, context: { diagnostics: [mistake] },
  });
  const [edit] = actions[0].edit.changes[uri];
  assert.equal(edit.newText, "Player");
  connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 }, contentChanges: [{ range: edit.range, text: edit.newText }],
  });
  assert.deepEqual((await diagnosed(uri, 2)).diagnostics.filter((d) => d.severity < 3), []);
  assert.equal(await stop(), 0);
});

test("a command tells its progress under the token of the client", { skip, timeout: 60_000 }, async () => {
  const { connection, protocol, stop } = await connect(program);
  const uri = pathToFileURL(join(root, "games/hrg/tic-tac-toe.hrg")).href;
  const text = readFileSync(fileURLToPath(uri), "utf8");
  connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "hrg", version: 1, text } });
  const told = [];
  connection.onProgress(protocol.WorkDoneProgress.type, "count", (value) => told.push(value));
  // Commands that are done at once tell nothing.
  for (let count = 20_000; told.length === 0 && count <= 1_000_000; count *= 2) {
    const reply = await connection.sendRequest(protocol.ExecuteCommandRequest.type, {
      command: "rgtrans.playouts",
      arguments: [{ uri, count }],
      workDoneToken: "count",
    });
    assert.equal(reply.plays, count);
  }
  assert.deepEqual([told[0].kind, told[1].kind, told.at(-1).kind], ["begin", "report", "end"]);
  assert.ok(told[1].percentage <= 100);
  assert.equal(await stop(), 0);
});
