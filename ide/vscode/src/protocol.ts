// Requests to the server beyond the protocol of editors, and the messages between a drawing and the extension.
export interface Place {
  line: number;
  character: number;
}
export interface EdgeOfDrawing {
  text: string;
  range?: { start: Place; end: Place };
}
export interface Drawing {
  svg: string;
  edges?: EdgeOfDrawing[];
}

/** The commands of the server that the extension asks for. */
export interface Commands {
  automaton: { arguments: object; answer: Drawing };
  board: { arguments: object; answer: Drawing };
  translate: { arguments: { to: string; level: number }; answer: { text: string } };
  optimize: { arguments: { trace: boolean }; answer: { html?: string } };
}
export type Command = keyof Commands;

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
