// The page that --html-trace writes: the studio's view of the passes, alone.
import { ChangesView } from './changes';
import { el, inflate } from './dom';
import type { OptimizerRun, PassReply } from './messages';

async function start(): Promise<void> {
  const data: { title: string; run: OptimizerRun; changes: PassReply[] } = JSON.parse(
    await inflate(document.getElementById('data')!.textContent!),
  );
  const view = new ChangesView(async (_, index) => data.changes[index] ?? null);
  document.documentElement.dataset['theme'] = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  view.bar.prepend(el('h1', {}, el('span', {}, 'rgtrans'), ` ${data.title}`));
  document.body.append(
    el(
      'div',
      { class: 'passes panel' },
      view.bar,
      ...view.parts,
      el('details', {}, el('summary', {}, 'Statistics and time'), view.table),
    ),
  );
  addEventListener('keydown', (event) => {
    if ((event.target as Element).closest('.line, .zoom')) return;
    if (event.key === 'ArrowRight') view.step(1);
    if (event.key === 'ArrowLeft') view.step(-1);
  });
  await view.offer(data.run);
}
start();
