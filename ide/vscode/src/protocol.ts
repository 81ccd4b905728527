// The commands of the server, with the types that it generates, and the messages between a drawing and the extension.
import type { EdgeInText, Verbs } from "./messages";

export type Command = keyof Verbs;
export type Request<Name extends Command> = Verbs[Name]["request"];
export type Answer<Name extends Command> = Verbs[Name]["reply"];

/** The part of the answers of `automaton` and `board` that a panel shows. */
export interface Drawing {
  svg: string;
  edges?: EdgeInText[];
}

/** To the page of a drawing. */
export interface Shown {
  svg?: string;
  problem?: string;
  marked?: number[];
}
/** From the page: an edge that was clicked on. */
export interface Clicked {
  edge: number;
}
/** A page can be sent by others what it does not expect; so can the extension by a page. */
export function isClicked(message: unknown): message is Clicked {
  return typeof message === "object" && message !== null && "edge" in message && Number.isInteger(message.edge);
}
