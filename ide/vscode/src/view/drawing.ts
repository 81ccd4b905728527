// In the page of a drawing: shows it, marks edges, and reports clicks on them.
import type { Clicked, Shown } from "../protocol";

declare function acquireVsCodeApi(): { postMessage(message: Clicked): void };

const host = acquireVsCodeApi();
const nonce = document.currentScript?.nonce ?? "";
const drawing = element("drawing");
const problem = element("problem");

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

function edges(): Element[] {
  return [...drawing.querySelectorAll(".e")];
}

/** A picture as elements of this page; its own styles are let in, scripts are not. */
function picture(svg: string): Element | null {
  const text = svg.replaceAll("<style>", `<style nonce="${nonce}">`);
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return parsed instanceof SVGSVGElement ? document.importNode(parsed, true) : null;
}

function show(shown: Shown): void {
  if (shown.svg !== undefined) {
    const made = picture(shown.svg);
    drawing.replaceChildren(...(made === null ? [] : [made]));
  }
  if (shown.problem !== undefined) problem.textContent = shown.problem;
  if (shown.svg !== undefined || shown.problem !== undefined) problem.hidden = shown.problem === undefined;
  if (shown.marked === undefined) return;
  const marked = new Set(shown.marked);
  const all = edges();
  all.forEach((edge, i) => edge.classList.toggle("marked", marked.has(i)));
  all.find((_, i) => marked.has(i))?.scrollIntoView({ block: "nearest" });
}

drawing.addEventListener("click", (event) => {
  const clicked = event.target instanceof Element ? event.target.closest(".e") : null;
  if (clicked !== null) host.postMessage({ edge: edges().indexOf(clicked) });
});
window.addEventListener("message", (event: MessageEvent<Shown>) => show(event.data));
