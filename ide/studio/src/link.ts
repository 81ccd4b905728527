// Ways to the program. The studio of a computer answers over sockets, a site answers from workers in the page
// (engine.ts); the page knows only these interfaces. Messages are those of JSON-RPC.
import type { Complaint } from './messages';

// A message from the program: an answer, or progress of a request.
export interface Incoming {
  id?: number | string;
  result?: unknown;
  error?: { message: string; data?: Complaint[] };
  method?: string;
  params?: { id: number; value: unknown };
}
// A message to it.
export interface Outgoing {
  id?: number | string;
  method: string;
  params: object;
}

export interface Ends<Message> {
  opened(): void;
  received(message: Message): void;
  closed(reason: string): void; // once; nothing is received any more
}
export interface Link<Message> {
  send(message: Message): void;
}
export type DeskLink = (ends: Ends<Incoming>) => Link<Outgoing>;
export type ServiceLink = (ends: Ends<string>) => Link<string>;

const token = new URLSearchParams(location.search).get('token') ?? '';

function socket(path: string, ends: Ends<string>): Link<string> {
  const made = new WebSocket(`ws://${location.host}${path}?token=${encodeURIComponent(token)}`);
  made.onopen = () => ends.opened();
  made.onmessage = (event: MessageEvent<string>) => ends.received(event.data);
  made.onclose = () => ends.closed('the program is away');
  return {
    send: (text) => {
      if (made.readyState === WebSocket.OPEN) made.send(text);
    },
  };
}

export const serviceSocket: ServiceLink = (ends) => socket('/lsp', ends);
export const deskSocket: DeskLink = (ends) => {
  const link = socket('/studio', { ...ends, received: (text) => ends.received(JSON.parse(text) as Incoming) });
  return { send: (message) => link.send(JSON.stringify({ jsonrpc: '2.0', ...message })) };
};
