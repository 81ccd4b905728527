// Dialogs in front of the page: a choice between a few answers, a comparison of two texts, a name, a new game.
import { el } from './dom';
import { fitted, kBeginnings, kGoals, written, type Goal } from './wizard';

// Answers are buttons; null if the person closes the dialog.
function show<T>(title: string, fill: (done: (answer: T | null) => void) => Node[]): Promise<T | null> {
  return new Promise((resolve) => {
    const dialog = el('dialog', { class: 'dialog', 'aria-label': title });
    const done = (answer: T | null) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    dialog.append(el('h2', {}, title), ...fill(done));
    dialog.oncancel = (event) => {
      event.preventDefault();
      done(null);
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function ask<T extends string>(title: string, text: string, answers: Record<T, string>): Promise<T | null> {
  return show<T>(title, (done) => [
    el('p', {}, text),
    el(
      'div',
      { class: 'answers' },
      ...(Object.entries(answers) as [T, string][]).map(([answer, words]) =>
        el('button', { onclick: () => done(answer) }, words),
      ),
    ),
  ]);
}

// Both texts of a file that has changed on the disk.
export function compare(name: string, mine: string, theirs: string): Promise<'mine' | 'theirs' | null> {
  const column = (title: string, text: string, other: string) => {
    const others = new Set(other.split('\n'));
    return el(
      'figure',
      {},
      el('figcaption', {}, title),
      el(
        'pre',
        {},
        ...text.split('\n').map((line) => el('span', { class: others.has(line) ? '' : 'other' }, `${line}\n`)),
      ),
    );
  };
  return show(`${name} has changed on the disk`, (done) => [
    el('div', { class: 'texts' }, column('Your text', mine, theirs), column('On the disk', theirs, mine)),
    el(
      'div',
      { class: 'answers' },
      el('button', { onclick: () => done('mine') }, 'Save mine over it'),
      el('button', { onclick: () => done('theirs') }, 'Take the one on the disk'),
      el('button', { onclick: () => done(null) }, 'Cancel'),
    ),
  ]);
}

export function askName(title: string, text: string, name: string): Promise<string | null> {
  return show<string>(title, (done) => {
    const input = el('input', { value: name, 'aria-label': 'Name of the file' });
    return [
      el('p', {}, text),
      el(
        'form',
        {
          class: 'answers',
          onsubmit: (event: Event) => {
            event.preventDefault();
            if (input.value.trim() !== '') done(input.value.trim());
          },
        },
        input,
        el('button', {}, 'Save'),
        el('button', { type: 'button', onclick: () => done(null) }, 'Cancel'),
      ),
    ];
  });
}

export type Beginning = { name: string; text: string } | { name: string; preset: string };

// A name of letters, digits and hyphens.
const slug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

export function beginGame(
  languages: { name: string; title: string; extensions: string[] }[],
): Promise<Beginning | null> {
  return show<Beginning>('New game', (done) => {
    const name = el('input', { value: 'My game', 'aria-label': 'Name of the game' });
    const goal = el(
      'select',
      { 'aria-label': 'How to win' },
      ...kGoals.map((one) => el('option', { value: one.goal }, one.title)),
    );
    const help = el('p', { class: 'note' });
    const size = (label: string, value: number) =>
      el('input', { type: 'number', min: '2', max: '19', value: String(value), 'aria-label': label });
    const [width, height, row] = [size('Columns', 7), size('Rows', 7), size('Stones in a row', 5)];
    const rowLabel = el('label', {}, 'in a row', row);
    const explain = () => {
      help.textContent = kGoals.find((one) => one.goal === goal.value)!.help;
      rowLabel.hidden = goal.value !== 'row';
    };
    goal.onchange = explain;
    explain();
    const fileName = (extension: string) =>
      `${slug(name.value) || 'game'}${extension}`;
    return [
      el(
        'form',
        {
          class: 'wizard',
          onsubmit: (event: Event) => {
            event.preventDefault();
            const wish = fitted({
              name: name.value.trim() || 'My game',
              goal: goal.value as Goal,
              width: Number(width.value),
              height: Number(height.value),
              row: Number(row.value),
            });
            done({ name: fileName('.hrg'), text: written(wish) });
          },
        },
        el('label', {}, 'Name', name),
        el('label', {}, 'How to win', goal),
        help,
        el('label', {}, 'Columns', width),
        el('label', {}, 'Rows', height),
        rowLabel,
        el('button', {}, 'Write it'),
      ),
      el('p', {}, 'Or begin with a small game of another language:'),
      el(
        'div',
        { class: 'answers' },
        ...languages
          .filter((language) => kBeginnings[language.name])
          .map((language) =>
            el(
              'button',
              {
                onclick: () => done({ name: fileName(language.extensions[0]!), preset: kBeginnings[language.name]! }),
              },
              language.title.replace(/[ ,]*[(,].*$/, ''),
            ),
          ),
        el('button', { onclick: () => done({ name: fileName('.hrg'), text: '' }) }, 'Blank'),
        el('button', { onclick: () => done(null) }, 'Cancel'),
      ),
    ];
  });
}
