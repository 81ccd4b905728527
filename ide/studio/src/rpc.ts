// Requests to the program over one link, which comes back by itself when the program was away.
import { deskInside, serviceInside } from './engine';
import { deskSocket, serviceSocket, type Incoming, type Link, type Outgoing } from './link';
import type { CancelRequest, Complaint, Verbs } from './messages';

// A site brings the program along; elsewhere it is that of the computer.
export const kInside = document.documentElement.dataset['program'] === 'inside';
const deskLink = kInside ? deskInside : deskSocket;
export const serviceLink = kInside ? serviceInside : serviceSocket;

type Verb = keyof Verbs;
interface Pending {
  resolve(result: unknown): void;
  reject(problem: RequestError): void;
  progress?(value: unknown): void;
}
export class RequestError extends Error {
  constructor(
    message: string,
    readonly data: Complaint[] = [],
  ) {
    super(message);
  }
}

// A request that can be cancelled.
export interface Running<V extends Verb> {
  result: Promise<Verbs[V]['reply']>;
  cancel(): void;
}
export type Told<V extends Verb> = (progress: Verbs[V]['progress']) => void;

export class Connection {
  private link: Link<Outgoing> | null = null; // null while the program is away
  private reason = 'the program is away';
  private pending = new Map<number | string, Pending>();
  private next = 1;
  private wait = 250;
  onstate: (connected: boolean, reason: string) => void = () => {};

  open(): void {
    let closed = false;
    const link = deskLink({
      opened: () => {
        this.wait = 250;
        this.link = link;
        this.onstate(true, '');
      },
      received: (message) => this.receive(message),
      closed: (reason) => {
        if (closed) return;
        closed = true;
        this.link = null;
        this.reason = reason;
        for (const waiting of this.pending.values()) waiting.reject(new RequestError(reason));
        this.pending.clear();
        this.onstate(false, reason);
        window.setTimeout(() => this.open(), this.wait);
        this.wait = Math.min(this.wait * 1.6, 3000);
      },
    });
  }

  start<V extends Verb>(verb: V, params: Verbs[V]['request'], told?: Told<V>): Running<V> {
    const id = this.next++;
    const result = new Promise<Verbs[V]['reply']>((resolve, reject) => {
      if (!this.link) return reject(new RequestError(this.reason));
      const progress = told && ((value: unknown) => told(value as Verbs[V]['progress']));
      this.pending.set(id, { resolve: (reply) => resolve(reply as Verbs[V]['reply']), reject, progress });
      this.link.send({ id, method: verb, params });
    });
    const cancel: CancelRequest = { id };
    return { result, cancel: () => this.link?.send({ method: 'cancel', params: cancel }) };
  }

  request<V extends Verb>(verb: V, params: Verbs[V]['request']): Promise<Verbs[V]['reply']> {
    return this.start(verb, params).result;
  }

  private receive(message: Incoming): void {
    if (message.method === 'progress' && message.params) {
      this.pending.get(message.params.id)?.progress?.(message.params.value);
      return;
    }
    const waiting = this.pending.get(message.id ?? -1);
    this.pending.delete(message.id ?? -1);
    if (message.error) waiting?.reject(new RequestError(message.error.message, message.error.data));
    else waiting?.resolve(message.result);
  }
}
