// Making elements, and little else.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

// Names that are properties of elements, not attributes.
const kProperties = new Set(['value', 'checked', 'hidden']);

// el('button', { class: 'go', onclick: f, title: 'Go' }, 'Go')
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on') || kProperties.has(name)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

// The drawings come from our own server as text; styles in them are part of the page's own sheet.
export function picture(svg: string): SVGSVGElement | null {
  if (svg === '') return null;
  const parsed = new DOMParser().parseFromString(
    svg.replace(/<style>[^]*?<\/style>/g, ''),
    'image/svg+xml',
  ).documentElement;
  return parsed instanceof SVGSVGElement ? document.importNode(parsed, true) : null;
}

export function after<T extends unknown[]>(milliseconds: number, call: (...args: T) => void): (...args: T) => void {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => call(...args), milliseconds);
  };
}

export function number(n: number): string {
  return n.toLocaleString('en', { maximumFractionDigits: n < 10 ? 2 : n < 100 ? 1 : 0 });
}

// Data that a page carries.
export async function inflate(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}
