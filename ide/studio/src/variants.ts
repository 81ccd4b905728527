// Variants of a text: lines declare parameters, and each combination of their values is a text of its own.
//
//     domain Cell = C(X, Y) where X in 1..11, Y in 1..11   // vary size: 11 in 5, 7, 9
//     domain Line = L(N) where N in 1..11                  // vary size: 11

export interface Parameter {
  name: string;
  values: string[];
}
export interface Variant {
  values: string[]; // by parameter
  text: string;
}

const kMark = /(?:\/\/|;+)\s*vary\s+([\w -]*\w)\s*:\s*(\S+?)(?:\s+in\s+(.+?))?\s*$/;

interface Line {
  name: string;
  value: string;
  at: number; // where the comment begins
}

function declared(line: string): (Line & { list: string | undefined }) | null {
  const found = kMark.exec(line);
  return found ? { name: found[1]!, value: found[2]!, list: found[3], at: found.index } : null;
}

// "5, 7, 9" and "5..9".
function valuesOf(list: string): string[] {
  return list.split(',').flatMap((part) => {
    const range = /^\s*(-?\d+)\.\.(-?\d+)\s*$/.exec(part);
    if (!range) return part.trim() === '' ? [] : [part.trim()];
    const [first, last] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: Math.max(0, Math.min(100, last - first + 1)) }, (_, i) => String(first + i));
  });
}

// The value of the text itself is always among those of a parameter.
export function parameters(text: string): Parameter[] {
  const all = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const mark = declared(line);
    if (!mark) continue;
    const values = all.get(mark.name) ?? [];
    for (const value of [...(mark.list === undefined ? [] : valuesOf(mark.list)), mark.value])
      if (!values.includes(value)) values.push(value);
    all.set(mark.name, values);
  }
  return [...all].map(([name, values]) => ({ name, values })).filter(({ values }) => values.length > 1);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// In lines that name a parameter its value is replaced, also in the comment, so that the text can be varied again.
export function substituted(text: string, chosen: Map<string, string>): string {
  return text
    .split('\n')
    .map((line) => {
      const mark = declared(line);
      const value = mark ? chosen.get(mark.name) : undefined;
      if (!mark || value === undefined || value === mark.value) return line;
      const word = new RegExp(`(?<![\\w])${escaped(mark.value)}(?![\\w])`, 'g');
      const comment = line.slice(mark.at);
      const colon = comment.indexOf(':') + 1;
      // The value that is replaced stays among those to choose from.
      const lost = mark.list !== undefined && !valuesOf(mark.list).includes(mark.value);
      return (
        line.slice(0, mark.at).replace(word, () => value) +
        comment.slice(0, colon) +
        comment.slice(colon).replace(mark.value, () => value) +
        (lost ? `, ${mark.value}` : '')
      );
    })
    .join('\n');
}

// All combinations, the text itself among them.
export function variants(text: string, most: number): Variant[] {
  const all = parameters(text);
  let combinations: string[][] = [[]];
  for (const { values } of all)
    combinations = combinations.flatMap((begun) => values.map((value) => [...begun, value])).slice(0, most);
  if (all.length === 0) return [];
  return combinations.map((values) => ({
    values,
    text: substituted(text, new Map(all.map(({ name }, i) => [name, values[i]!]))),
  }));
}
