// Pages in panels. Scripts and styles run where they carry the number that was drawn for their page, and nowhere else.
import { randomBytes } from "node:crypto";

export function newNonce(): string {
  return randomBytes(18).toString("base64");
}

const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`;

/** The page of a drawing; its script is src/view/drawing.ts. */
export function drawingPage(script: string, nonce: string): string {
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<style nonce="${nonce}">
  body { margin: 0; background: #fff; color: #222; font: 13px sans-serif; }
  #problem { padding: .5em 1em; background: #fff3cd; }
  #drawing svg { max-width: 100%; height: auto; }
  .e { cursor: pointer; }
  .e.marked { fill: #c00; font-weight: bold; }
  path.e.marked { fill: none; stroke: #c00; }
</style></head><body><div id="problem" hidden></div><div id="drawing"></div>
<script nonce="${nonce}" src="${script}"></script></body></html>`;
}

/** A whole page that the server made, with its one style and its one script under our policy. */
export function guarded(page: string, nonce: string): string {
  return page
    .replace(/(<meta http-equiv="Content-Security-Policy" content=")[^"]*/, (_, head: string) => head + policy(nonce))
    .replace("<style>", `<style nonce="${nonce}">`)
    .replace("<script>", `<script nonce="${nonce}">`);
}
