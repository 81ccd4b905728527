// Requests to the program over one socket, which comes back by itself when the program was away.
import type { CancelRequest, Complaint, Verbs } from './messages';

type Verb = keyof Verbs;
interface Pending {
  resolve(result: unknown): void;
  reject(problem: RequestError): void;
  progress?(value: unknown): void;
}
// A message from the program: an answer, or progress of a request.
interface Incoming {
  id?: number;
  result?: unknown;
  error?: { message: string; data?: Complaint[] };
  method?: string;
  params?: { id: number; value: unknown };
}

export class RequestError extends Error {
  constructor(
    message: string,
    readonly data: Complaint[] = [],
  ) {
    super(message);
  }
}

const token = new URLSearchParams(location.search).get('token') ?? '';

export function socketAddress(path: string): string {
  return `ws://${location.host}${path}?token=${encodeURIComponent(token)}`;
}

// A request that can be cancelled.
export interface Running<V extends Verb> {
  result: Promise<Verbs[V]['reply']>;
  cancel(): void;
}
export type Told<V extends Verb> = (progress: Verbs[V]['progress']) => void;

export class Connection {
  private socket: WebSocket | null = null;
  private pending = new Map<number, Pending>();
  private next = 1;
  private wait = 250;
  onstate: (connected: boolean) => void = () => {};

  constructor(private path: string) {}

  open(): void {
    const socket = new WebSocket(socketAddress(this.path));
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.onstate(true);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as Incoming);
    socket.onclose = () => {
      for (const waiting of this.pending.values()) waiting.reject(new RequestError('the program is away'));
      this.pending.clear();
      this.onstate(false);
      window.setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.6, 3000);
    };
  }

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  start<V extends Verb>(verb: V, params: Verbs[V]['request'], told?: Told<V>): Running<V> {
    const id = this.next++;
    const result = new Promise<Verbs[V]['reply']>((resolve, reject) => {
      if (!this.connected) return reject(new RequestError('the program is away'));
      const progress = told && ((value: unknown) => told(value as Verbs[V]['progress']));
      this.pending.set(id, { resolve: (reply) => resolve(reply as Verbs[V]['reply']), reject, progress });
      this.send({ id, method: verb, params });
    });
    const cancel: CancelRequest = { id };
    return { result, cancel: () => this.send({ method: 'cancel', params: cancel }) };
  }

  request<V extends Verb>(verb: V, params: Verbs[V]['request']): Promise<Verbs[V]['reply']> {
    return this.start(verb, params).result;
  }

  private send(message: { id?: number; method: string; params: object }): void {
    if (this.connected) this.socket!.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
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
