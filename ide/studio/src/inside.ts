// A worker with the program in it. Between two pieces of work it looks for newer messages, because these may make the
// rest needless.
import { Program } from './module';

// To a worker: first the module, then messages. From it: messages, how many it has dealt with when it has nothing to
// do, and why it cannot go on.
export type ToEngine = { module: WebAssembly.Module; channel: 'desk' | 'service' } | { text: string };
export type FromEngine = { text: string } | { idle: number } | { failed: string };

const tell = (message: FromEngine) => self.postMessage(message);

let program: Program | null = null;
let channel: 'desk' | 'service' = 'desk';
const waiting: string[] = [];
let delivered = 0;
const next = new MessageChannel();

function reason(problem: unknown): string {
  if (problem instanceof RangeError) return 'this needs more stack than the browser gives';
  return `the program failed: ${(problem as Error).message}`;
}

function work(): void {
  if (!program) return;
  try {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      ++delivered;
      program.deliver(channel, text);
    }
    if (program.step()) next.port2.postMessage(null);
    else tell({ idle: delivered });
  } catch (problem) {
    program = null;
    tell({ failed: reason(problem) });
  }
}
next.port1.onmessage = work;

self.onmessage = async (event: MessageEvent<ToEngine>) => {
  const message = event.data;
  if ('text' in message) {
    waiting.push(message.text);
    return work();
  }
  channel = message.channel;
  try {
    program = await Program.of(message.module, (text) => tell({ text }));
  } catch (problem) {
    return tell({ failed: reason(problem) });
  }
  work();
};
