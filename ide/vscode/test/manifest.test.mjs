// What package.json promises is there.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const files = readdirSync(new URL("src", root), { recursive: true }).filter((name) => name.endsWith(".ts"));
const texts = new Map(files.map((name) => [name, readFileSync(new URL(`src/${name}`, root), "utf8")]));
const source = [...texts.values()].join("\n");

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

test("no module imports itself by others", () => {
  const imports = new Map();
  for (const [name, text] of texts) {
    const named = [...text.matchAll(/from "(\.[^"]*)"/g)];
    const found = named.map(([, path]) => posix.join(posix.dirname(name), `${path}.ts`));
    for (const path of found) assert.ok(texts.has(path), `${name} imports ${path}`);
    imports.set(name, found);
  }
  const done = new Set();
  const follow = (name, way) => {
    assert.ok(!way.includes(name), [...way, name].join(" -> "));
    if (done.has(name)) return;
    for (const other of imports.get(name)) follow(other, [...way, name]);
    done.add(name);
  };
  for (const name of texts.keys()) follow(name, []);
  assert.ok(done.size > 5 && imports.get("extension.ts").length > 3);
});
