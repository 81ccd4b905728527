// Requests to the program over one socket, which comes back by itself when the program was away.

type Json = any;
interface Pending {
  resolve(result: Json): void;
  reject(problem: RequestError): void;
  progress?: (value: Json) => void;
}

export class RequestError extends Error {
  constructor(
    message: string,
    readonly data: Json[] = [],
  ) {
    super(message);
  }
}

const token = new URLSearchParams(location.search).get('token') ?? '';

export function socketAddress(path: string): string {
  return `ws://${location.host}${path}?token=${encodeURIComponent(token)}`;
}

// A request that can be cancelled.
export interface Running {
  id: number;
  result: Promise<Json>;
  cancel(): void;
}

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
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
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

  start(method: string, params: Json = {}, progress?: (value: Json) => void): Running {
    const id = this.next++;
    const result = new Promise<Json>((resolve, reject) => {
      if (!this.connected) {
        reject(new RequestError('the program is away'));
        return;
      }
      this.pending.set(id, { resolve, reject, progress });
      this.socket!.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
    return { id, result, cancel: () => this.notify('cancel', { id }) };
  }

  request(method: string, params: Json = {}): Promise<Json> {
    return this.start(method, params).result;
  }

  private notify(method: string, params: Json): void {
    if (this.connected) this.socket!.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  private receive(message: Json): void {
    if (message.method === 'progress') {
      this.pending.get(message.params.id)?.progress?.(message.params.value);
      return;
    }
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (!waiting) return;
    if (message.error) waiting.reject(new RequestError(message.error.message, message.error.data));
    else waiting.resolve(message.result);
  }
}
