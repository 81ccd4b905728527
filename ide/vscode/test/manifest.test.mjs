// What package.json promises is there.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const source = ["extension", "panel", "tasks"].map((name) => readFileSync(new URL(`src/${name}.ts`, root), "utf8")).join("\n");

test("files that are named exist", () => {
  for (const { path } of manifest.contributes.grammars) assert.ok(existsSync(new URL(path, root)), path);
  for (const { configuration } of manifest.contributes.languages) {
    JSON.parse(readFileSync(new URL(configuration, root), "utf8"));
  }
});

test("every command of the manifest is registered", () => {
  for (const { command } of manifest.contributes.commands) {
    assert.match(source, new RegExp(`command\\("${command.split(".")[1]}"`), command);
  }
});

test("the problem matcher reads messages of the program", () => {
  const pattern = manifest.contributes.problemMatchers[0].pattern;
  const found = "games/a.hrg:12:15: error: expected '=', found 'no'".match(new RegExp(pattern.regexp));
  assert.deepEqual(found?.slice(1), ["games/a.hrg", "12", "15", "error", "expected '=', found 'no'"]);
});
