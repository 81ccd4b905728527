// The state that a page of a game stores in its tab, and the text of its rules.
import { el } from './dom';

const key = (title: string) => `rgtrans-play:${location.pathname}:${title}`;

export function keepPlay(title: string, moves: string[]): void {
  try {
    sessionStorage.setItem(key(title), JSON.stringify(moves));
  } catch {
    /* storage may be off */
  }
}

export function keptPlay(title: string): string[] {
  try {
    const moves: unknown = JSON.parse(sessionStorage.getItem(key(title)) ?? '[]');
    return Array.isArray(moves) ? moves.filter((move) => typeof move === 'string') : [];
  } catch {
    return [];
  }
}

// The author's words about the game, without the title.
export function paragraphs(rules: string, title: string): HTMLElement[] {
  return rules
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '' && part !== title)
    .map((part) => el('p', {}, part));
}
