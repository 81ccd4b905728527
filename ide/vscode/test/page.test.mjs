// Pages of panels: scripts and styles run where they carry the number of the page, and only there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const entry = new URL("src/page.ts", root).pathname;
const options = { bundle: true, write: false, platform: "node", format: "esm" };
const made = await build({ ...options, entryPoints: [entry] });
const module = `data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`;
const { drawingPage, guarded, newNonce } = await import(module);

function check(page, nonce) {
  const [, policy] = page.match(/Content-Security-Policy" content="([^"]*)"/);
  assert.equal(policy, `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`);
  const head = page.slice(0, page.indexOf("<body"));
  assert.equal(head.match(/<style/g).length, head.split(`<style nonce="${nonce}">`).length - 1);
}

test("a drawing", () => {
  const nonce = newNonce();
  assert.ok(nonce.length >= 22 && nonce !== newNonce());
  const page = drawingPage("vscode-resource:/drawing.js", nonce);
  check(page, nonce);
  assert.deepEqual(page.match(/<script[^>]*>/g), [`<script nonce="${nonce}" src="vscode-resource:/drawing.js">`]);
});

test("the page of a run of the optimizer", () => {
  const page = readFileSync(new URL("../studio/dist/trace.html", root), "utf8");
  const shown = guarded(page, "N");
  check(shown, "N");
  assert.ok(shown.includes('<script nonce="N">'));
  // Nothing else is changed, not even tags inside of the script.
  const plain = (text) => text.replace(/content="default-src[^"]*"/, "").replaceAll(' nonce="N"', "");
  assert.equal(plain(shown), plain(page));
});
