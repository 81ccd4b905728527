// The program in workers of the page. A worker that is busy hears nothing, so it is ended when its work is not wanted
// any more, and another one takes its place: the newest text wins on every host. Slow verbs have workers of their own,
// which get the game of the page first.
import type { FromEngine, ToEngine } from './inside';
import type { DeskLink, Ends, Incoming, Outgoing, ServiceLink } from './link';
import { kSlowVerbs } from './messages';

const kPatience = 100; // milliseconds for work that a newer text has made needless
const kMostSlow = 4;

// The module, compiled once for all workers. The file is packed, whatever the host does.
let compiled: Promise<WebAssembly.Module> | null = null;
function compile(): Promise<WebAssembly.Module> {
  compiled ??= fetch('program.bin').then((response) => {
    if (!response.ok || !response.body) throw new Error(`program.bin: ${response.status}`);
    const unpacked = response.body.pipeThrough(new DecompressionStream('gzip') as unknown as ReadableWritablePair);
    return WebAssembly.compileStreaming(
      new Response(unpacked as ReadableStream, { headers: { 'content-type': 'application/wasm' } }),
    );
  });
  compiled.catch(() => {
    compiled = null; // the next worker tries again
  });
  return compiled;
}

interface Told {
  received(text: string): void;
  failed(reason: string): void;
}

class Engine {
  private worker = new Worker('program.js');
  private sent = 0;
  private busySince: number | null = null;
  private begun: Promise<void>;

  constructor(channel: 'desk' | 'service', told: Told) {
    this.worker.onmessage = (event: MessageEvent<FromEngine>) => {
      const message = event.data;
      if ('text' in message) told.received(message.text);
      else if ('failed' in message) told.failed(message.failed);
      else if (message.idle === this.sent) this.busySince = null;
    };
    this.worker.onerror = (event) => told.failed(event.message ?? 'program.js cannot be loaded');
    this.begun = compile().then((module) => this.post({ module, channel }));
    this.begun.catch((problem: Error) => told.failed(`the program cannot be loaded: ${problem.message}`));
  }

  send(text: string): void {
    ++this.sent;
    this.busySince ??= performance.now();
    this.begun.then(
      () => this.post({ text }),
      () => {},
    );
  }
  // For how many milliseconds it has been at work.
  busy(): number {
    return this.busySince === null ? 0 : performance.now() - this.busySince;
  }
  ready(call: () => void): void {
    this.begun.then(call, () => {});
  }
  end(): void {
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
  }
  private post(message: ToEngine): void {
    this.worker.postMessage(message);
  }
}

const write = (message: Outgoing) => JSON.stringify({ jsonrpc: '2.0', ...message });
const refusal = (id: number | string, message: string): Incoming => ({
  id,
  error: { message, data: [{ message, hint: '', severity: 'error' }] },
});

const kAgain = 'again'; // the id of a request that this file makes itself

// A worker for slow verbs, with the text that it has open.
interface Helper {
  engine: Engine;
  open: Outgoing | null;
  request: Outgoing | null;
}

class Desk {
  private waiting = new Map<number | string, Outgoing>(); // requests of the first worker, in their order
  private first!: Engine;
  private good: Outgoing | null = null; // the last text that was opened without mistakes
  private knowsGood = true; // the first worker has it open
  private helpers: Helper[] = [];
  private later: Outgoing[] = []; // slow requests behind a text that is being opened

  constructor(private ends: Ends<Incoming>) {
    this.begin();
    this.first.ready(() => ends.opened());
  }

  send(message: Outgoing): void {
    if (message.id === undefined) {
      if (message.method === 'cancel') this.cancel((message.params as { id: number }).id);
      return;
    }
    if (kSlowVerbs.has(message.method)) {
      this.later.push(message);
      return this.beginSlow();
    }
    this.waiting.set(message.id, message);
    this.first.send(write(message));
    if (message.method !== 'open') return;
    // Work for older texts is given up soon.
    const older = [...this.waiting.keys()].slice(0, -1);
    if (older.length > 0)
      window.setTimeout(() => {
        if (this.waiting.has(message.id!) && older.some((id) => this.waiting.has(id))) this.restart(message.id!);
      }, kPatience);
  }

  private begin(): void {
    this.first = new Engine('desk', {
      received: (text) => this.received(JSON.parse(text) as Incoming),
      failed: (reason) => this.failed(reason),
    });
  }

  // Another worker instead of the first one, for the requests from this one on.
  private restart(from?: number | string): void {
    this.first.end();
    this.begin();
    this.knowsGood = false;
    const kept = [...this.waiting];
    const at = from === undefined ? 0 : kept.findIndex(([id]) => id === from);
    if (kept[at]?.[1].method !== 'open') this.openAgain();
    kept.forEach(([id, message], i) => {
      if (i >= at) return this.first.send(write(message));
      this.waiting.delete(id);
      this.ends.received(refusal(id, 'cancelled'));
    });
  }

  private openAgain(): void {
    if (this.knowsGood || !this.good) return;
    this.knowsGood = true;
    this.first.send(write({ ...this.good, id: kAgain }));
  }

  private failed(reason: string): void {
    const [culprit] = this.waiting.keys();
    if (culprit === undefined) {
      this.first.end();
      return this.ends.closed(reason);
    }
    this.waiting.delete(culprit);
    this.restart();
    this.ends.received(refusal(culprit, reason));
    this.beginSlow();
  }

  private received(message: Incoming): void {
    if (message.id === kAgain) return;
    const request = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (request) this.waiting.delete(message.id!);
    if (request?.method === 'open') {
      if (!message.error) {
        this.good = request;
        this.knowsGood = true;
      } else if (![...this.waiting.values()].some((other) => other.method === 'open')) {
        this.openAgain();
      }
    }
    this.ends.received(message);
    this.beginSlow();
  }

  // --- Slow verbs. ---

  private beginSlow(): void {
    if ([...this.waiting.values()].some((request) => request.method === 'open')) return;
    for (const request of this.later.splice(0)) this.run(request);
  }

  private run(request: Outgoing): void {
    let helper = this.helpers.find((other) => other.request === null);
    if (!helper) {
      if (this.helpers.length >= kMostSlow)
        return this.ends.received(refusal(request.id!, 'too much is under way; cancel something'));
      const made: Helper = {
        engine: new Engine('desk', {
          received: (text) => this.helped(made, JSON.parse(text) as Incoming),
          failed: (reason) => this.drop(made, reason),
        }),
        open: null,
        request: null,
      };
      this.helpers.push(made);
      helper = made;
    }
    helper.request = request;
    if (helper.open !== this.good && this.good) {
      helper.open = this.good;
      helper.engine.send(write({ ...this.good, id: kAgain }));
    }
    helper.engine.send(write(request));
  }

  private helped(helper: Helper, message: Incoming): void {
    if (message.id === kAgain) return;
    if (message.id !== undefined) {
      helper.request = null;
      // One that waits is enough.
      if (this.helpers.some((other) => other !== helper && other.request === null)) this.drop(helper);
    }
    this.ends.received(message);
  }

  private drop(helper: Helper, reason?: string): void {
    helper.engine.end();
    this.helpers = this.helpers.filter((other) => other !== helper);
    if (reason !== undefined && helper.request) this.ends.received(refusal(helper.request.id!, reason));
  }

  private cancel(id: number): void {
    const helper = this.helpers.find((other) => other.request?.id === id);
    if (helper) return this.drop(helper, 'cancelled');
    if (this.later.some((request) => request.id === id)) {
      this.later = this.later.filter((request) => request.id !== id);
      return this.ends.received(refusal(id, 'cancelled'));
    }
    if (this.waiting.has(id)) this.first.send(write({ method: 'cancel', params: { id } }));
  }
}

export const deskInside: DeskLink = (ends) => new Desk(ends);

// The language service in a worker. If it is busy with an older text, the editor begins with another one.
export const serviceInside: ServiceLink = (ends) => {
  let closed = false;
  const close = (reason: string) => {
    if (closed) return;
    closed = true;
    engine.end();
    ends.closed(reason);
  };
  const engine = new Engine('service', { received: (text) => ends.received(text), failed: close });
  engine.ready(() => ends.opened());
  return {
    send(text) {
      if (closed) return;
      if (engine.busy() > kPatience && text.includes('"textDocument/didChange"')) return close('a newer text');
      engine.send(text);
    },
  };
};
