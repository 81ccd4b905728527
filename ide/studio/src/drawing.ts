// A drawing that arrives in pieces: unchanged parts stay in the page, and only move.
import type { DrawingReply } from './messages';
import { colourLabels } from './zoom';

const kSvg = 'http://www.w3.org/2000/svg';

export class PieceDrawing {
  readonly svg = document.createElementNS(kSvg, 'svg');
  id = 0;  // of the drawing that is shown; later messages may refer to its pieces
  private nodes: SVGGElement[] = [];

  constructor() {
    this.svg.classList.add('rgt');
  }

  // Returns the pieces that are new.
  show(sent: DrawingReply): SVGGElement[] {
    const texts = sent.pieces.flatMap(([, , content]) => (typeof content === 'string' ? [content] : []));
    const parsed = new DOMParser().parseFromString(
      `<svg xmlns="${kSvg}">${texts.join('')}</svg>`,
      'image/svg+xml',
    ).documentElement;
    const fresh = [...document.importNode(parsed, true).children] as SVGGElement[];
    fresh.forEach(colourLabels);
    let next = 0;
    const nodes = sent.pieces.map(([x, y, content]) => {
      const node = typeof content === 'number' ? this.nodes[content]! : fresh[next++]!;
      const place = `translate(${x} ${y})`;
      if (node.getAttribute('transform') !== place) node.setAttribute('transform', place);
      return node;
    });
    const kept = new Set(nodes);
    for (const node of this.nodes) if (!kept.has(node)) node.remove();
    let at = this.svg.firstChild;
    for (const node of nodes) {
      if (node === at) at = at.nextSibling;
      else this.svg.insertBefore(node, at);
    }
    this.nodes = nodes;
    this.id = sent.id;
    this.svg.setAttribute('width', String(sent.width));
    this.svg.setAttribute('height', String(sent.height));
    this.svg.setAttribute('viewBox', `${-sent.border} ${-sent.border} ${sent.width} ${sent.height}`);
    return fresh;
  }
}
