// The server is the program of the setting, else that of the extension, else one on the PATH.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const entry = new URL("src/program.ts", root).pathname;
const made = await build({ entryPoints: [entry], bundle: true, write: false, platform: "node", format: "esm" });
const { chosenProgram } = await import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);

test("a bundled program comes before the PATH and after the setting", () => {
  const folder = mkdtempSync(join(tmpdir(), "rgtrans-program-"));
  try {
    assert.equal(chosenProgram("", folder), "rgtrans");
    mkdirSync(join(folder, "bin"));
    const bundled = join(folder, "bin", process.platform === "win32" ? "rgtrans.exe" : "rgtrans");
    writeFileSync(bundled, "");
    assert.equal(chosenProgram("", folder), bundled);
    assert.equal(chosenProgram(undefined, folder), bundled);
    assert.equal(chosenProgram("/opt/rgtrans", folder), "/opt/rgtrans");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the version stands in CMakeLists.txt alone", () => {
  for (const file of ["package.json", "package-lock.json"])
    assert.equal(JSON.parse(readFileSync(new URL(file, root), "utf8")).version, "0.0.0", file);
});
