// The search in a thread of its own, so that the page stays quick.
import { Reasoner, type State } from './rg';
import { search, type Kept } from './search';

let game: Reasoner | null = null;
let bounds = { least: 0, most: 100 };
const kept: Kept = { root: null };
self.onmessage = (
  event: MessageEvent<{ game?: string; bounds?: typeof bounds; from?: State; milliseconds?: number; seed?: number }>,
) => {
  const message = event.data;
  if (message.game !== undefined) {
    game = new Reasoner(JSON.parse(message.game));
    bounds = message.bounds!;
  } else if (game && message.from) {
    self.postMessage(search(game, message.from, message.milliseconds!, message.seed!, bounds, kept));
  }
};
