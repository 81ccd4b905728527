// The messages between the program and those who ask it, from ide/workbench.
// Generated: `rgtrans lsp --messages` writes it.

export type Nothing = Record<string, never>;

export interface LanguageEntry {
  name: string;
  title: string;
  extensions: string[]; // with the dot
}

export interface PassEntry {
  name: string;
  help: string;
  level: number; // from which on it runs without being named
}

export interface HelloReply {
  languages: LanguageEntry[];
  presets: string[]; // games that come with the program
  passes: PassEntry[];
  folder: string;
  files: string[]; // of the folder
}

export interface ReadRequest {
  preset?: string;
  name?: string; // of a file of the folder
}

export interface TextReply {
  text: string;
}

export interface SaveRequest {
  name: string;
  text: string;
}

export interface CellValue {
  variable: string;
  key: string; // keys of a map with blanks between them; empty for a scalar
  value: string;
}

export interface PositionSetup {
  node: string; // where the next move begins
  player: string;
  goals: string[]; // by player
  cells: CellValue[]; // that differ from those of the text
}

export interface OpenRequest {
  level?: number; // 0 to 2
  passes?: string[]; // exactly these, once each
  name?: string; // for messages, and to determine the language
  language?: string;
  text: string;
  setup?: PositionSetup; // where plays begin instead
}

export interface TextPlace {
  line: number; // from 1
  column: number; // from 1, in code points
  endLine: number;
  endColumn: number;
}

export interface Complaint {
  message: string;
  hint: string;
  severity: 'error' | 'warning';
  place?: TextPlace;
}

export interface OpenReply {
  players: string[];
  warnings: Complaint[]; // about display hints
  hides: boolean; // not everybody sees every move
  nodes: number;
  edges: number;
}

export interface TranslateRequest {
  level?: number; // of the optimizer, 0 to 2
  optimized?: boolean; // as the game was opened
  to?: string; // rg, json, dot, stats, page, or a form of the language
}

export interface OptimizeRequest {
  level?: number; // 0 to 2
  passes?: string[]; // exactly these, once each
  texts?: boolean; // report the result, and the lines that each pass changed
  trace?: boolean; // make a page of it
}

export interface OptimizerStep {
  number: number;
  pass: string;
  help: string;
  changes: number;
  nodes: number; // that are left
  edges: number;
  difference?: string;
}

export interface PassTotals {
  pass: string;
  runs: number;
  changes: number;
  seconds: number;
  nodes: number; // that it added
  edges: number;
}

export interface OptimizeReply {
  rows: OptimizerStep[];
  timings: PassTotals[];
  notes: string[];
  seconds: number;
  before: Record<string, number>; // statistics, by name
  after: Record<string, number>;
  text?: string;
  html?: string; // a page, unless the game is too large for one
}

export interface PassRequest {
  level?: number; // 0 to 2
  passes?: string[]; // exactly these, once each
  number: number;
}

export interface PragmaChange {
  name: string;
  nodes: string[];
  why: string;
  gained: boolean;
}

export interface PassReply {
  lines: (number | [string] | [string | null, string | null])[]; // left out, of both texts, or of either
  svg: string; // both automata in one drawing
  part: boolean; // only what changed and its neighbours are drawn
  pragmas: PragmaChange[];
}

export interface ExplainRequest {
  level?: number; // of the optimizer, 0 to 2
  optimized?: boolean; // as the game was opened
  node: string;
}

export interface AutomatonRequest {
  level?: number; // of the optimizer, 0 to 2
  optimized?: boolean; // as the game was opened
  focus?: string; // of a large automaton, the part around this node is drawn
}

export interface TextPosition {
  line: number; // from 0
  character: number; // from 0, in the units of the editor
}

export interface TextRange {
  start: TextPosition;
  end: TextPosition;
}

export interface EdgeInText {
  text: string; // in RG
  range?: TextRange; // from which it comes
}

export interface AutomatonReply {
  svg: string;
  edges: EdgeInText[]; // one for each element of the class e
  whole: boolean;
}

export interface DrawingRequest {
  level?: number; // of the optimizer, 0 to 2
  optimized?: boolean; // as the game was opened
  focus?: string; // of a large automaton, the part around this node is drawn
  known?: number; // the drawing that the client has
}

export type DrawingPiece = [
  x: number,
  y: number,
  content: string | number,
];

export type DrawingElement = [
  edge: number,
  from: string,
  to: string,
  line?: number,
  column?: number,
  endLine?: number,
  endColumn?: number,
];

export interface DrawingReply {
  id: number;
  pieces: DrawingPiece[];
  width: number;
  height: number;
  border: number;
  elements: DrawingElement[]; // one for each element of the class e
  nodeCount: number;
  edgeCount: number;
  whole: boolean;
}

export interface NodesRequest {
  line?: number; // from 0
}

export interface NodeInText {
  node: string;
  edges: EdgeInText[];
}

export interface NodesReply {
  nodes: NodeInText[];
}

export interface SourceRequest {
  node?: string;
}

export interface SourceReply {
  uri: string;
  ranges: TextRange[];
}

export interface MovesRequest {
  path?: string[] | string; // moves, or a path such as /a/b
}

export interface MovesReply {
  moves: string[]; // to go on with the path by
  mover: string;
  terminal: boolean;
  text: string;
}

export interface BoardRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  flip?: boolean; // as the second player sees it
  viewer?: number; // the player who looks, where something is hidden
}

export interface BoardReply {
  svg: string;
  text: string;
  scene: unknown; // for those who draw it themselves
}

export interface PlayRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  flip?: boolean; // as the second player sees it
  viewer?: number; // the player who looks, where something is hidden
  texts?: boolean; // show the position as text, too
}

export interface MoveMade {
  mover: string;
  text: string;
}

export interface MoveChoice {
  move: string; // as in RG
  text: string; // as people say it
  targets: string[][]; // cells to point at, one after the other; of each any of these
}

export interface NamedValue {
  name: string;
  value: string;
}

export interface PlayReply {
  mover: string; // nobody when the play is over
  outcome: string[]; // by player, when it is over
  made: MoveMade[];
  moves: MoveChoice[];
  last: string[]; // cells of the last move
  facts: NamedValue[]; // facts that are not on the board
  variables: NamedValue[];
  svg: string; // nothing for a game without a board
  text?: string;
}

export interface ArrangeRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  cells?: CellValue[]; // changed so far
  from?: string; // the cell whose content moves; without `to` it becomes empty
  to?: string; // the cell that gets the content, or the piece
  piece?: number; // of the palette
  flip?: boolean;
}

export interface PalettePiece {
  name: string;
  svg: string;
}

export interface ArrangeReply {
  setup: PositionSetup; // the position, for `open`
  cells: CellValue[]; // changed so far
  followed: string[]; // variables that named a cell whose piece was moved
  svg: string;
  palette: PalettePiece[];
}

export interface PerftRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  depth?: number; // 1 to 100
}

export interface PerftDepth {
  depth: number;
  leaves: number;
}

export interface PerftRow {
  move: string;
  leaves: number;
}

export interface PerftReply {
  depth: number;
  leaves: number; // at that depth
  lines: PerftDepth[]; // the same for each depth up to it
  rows: PerftRow[]; // by first move
  seconds: number; // for the rows
  text: string;
}

export interface PerftProgress {
  done: number; // first moves
  of: number;
  leaves: number;
}

export interface PlayoutsRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  count?: number; // of plays
  seed?: number;
  each?: boolean; // look at each play; else they are those of `rgtrans playouts`
}

export interface OutcomeCount {
  goals: string[]; // by player; none of a play that was stopped
  times: number;
}

export interface PlayoutsReply {
  plays: number;
  of: number;
  lengths: number[]; // of each play, up to a million of them
  outcomes: OutcomeCount[];
  stopped: number; // plays that did not end
  branching: number; // moves to choose from, on average
  players: string[];
  seconds: number;
  perSecond: number; // plays at full speed
  statistics: unknown; // as printed by `rgtrans playouts --json`
  text: string;
}

export interface PlayoutsProgress {
  plays: number;
  of: number;
  lengths: number[]; // of each play, up to a million of them
  outcomes: OutcomeCount[];
  stopped: number; // plays that did not end
  branching: number; // moves to choose from, on average
  players: string[];
  seconds: number;
}

export interface EnginesRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  seconds?: number; // of plays on each engine
}

export interface EngineSpeed {
  name: string;
  preparing: number; // seconds
  plays: number; // in a second
  moves: number; // in a second
}

export interface EnginesReply {
  engines: EngineSpeed[];
}

export interface EnginesProgress {
  stage: string;
}

export interface CompareRequest {
  depth?: number; // of leaves, 1 to 100
  count?: number; // of plays
  seed?: number;
  other: OpenRequest; // the game to compare with
}

export interface ComparedGame {
  name: string;
  nodes: number;
  edges: number;
  perft: PerftReply;
  playouts: PlayoutsReply;
}

export interface CompareReply {
  sides: ComparedGame[]; // this game and the other one
}

export interface CompareProgress {
  side: number; // 0 or 1
  stage: 'perft' | 'playouts';
  done: number;
  of: number;
}

export interface ThinkRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  seconds?: number; // 0.05 to 600
}

export interface MoveThought {
  move: string;
  visits: number;
  value: number; // for the mover, 0 to 1
  proven: boolean;
}

export interface Thoughts {
  moves: MoveThought[];
  values: number[]; // the expectation of each player
  least: number; // the lowest goal of the game
  most: number;
  proven: boolean;
  seconds: number;
  compiled: boolean; // by a search in compiled code instead of the interpreter
  best?: string;
}

export interface PlayerRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  player?: string; // as for `rgtrans match`
  seed?: number;
}

export interface PlayerReply {
  move: string;
  values?: number[]; // the expectation of each player, if this player estimates it
  least?: number; // the lowest goal of the game
  most?: number;
}

export interface SolveRequest {
  path?: string[] | string; // moves, or a path such as /a/b
  seconds?: number; // 0.05 to 600
}

export interface SolveReply {
  solved: boolean;
  method: string;
  values: number[]; // for each player, when it is solved
  low: number; // bounds of the first player's value, when it is not
  high: number;
  line: string[]; // best moves of all
  repeats: boolean; // the line ends where a position comes back
  positions: number; // looked at
  seconds: number;
  stopped: string; // why it is not solved
}

export interface AnalyzeRequest {
  games?: number; // of plays, 1 to 10000
  seed?: number;
  seconds?: number; // 0.1 to 600
  other?: OpenRequest; // a variant, which is analyzed instead of the game that is open
}

export interface AnalyzedFigure {
  key: string;
  title: string;
  value: number;
  low: number; // ends of the 95 % interval
  high: number;
  share: boolean; // shown in per cent
}

export interface AnalyzeReply {
  figures: AnalyzedFigure[];
  lengths: number[]; // of the plays of equal players
  plays: number;
  seconds: number;
  verdict: string; // in a sentence
  text: string;
  svg: string; // the board of a variant at the start of a play; empty without one
}

// Verbs that take their time. They may run beside others.
export const kSlowVerbs: ReadonlySet<string> = new Set([
  'perft',
  'playouts',
  'engines',
  'compare',
  'think',
  'reply',
  'solve',
  'analyze',
]);

// By verb.
export interface Verbs {
  // languages, passes, presets, and the files of the folder
  hello: { request: Nothing; reply: HelloReply; progress: Nothing };
  // a preset or a file of the folder
  read: { request: ReadRequest; reply: TextReply; progress: Nothing };
  // writes a file of the folder
  save: { request: SaveRequest; reply: Nothing; progress: Nothing };
  // makes a game of a text; the other verbs are about the last one without mistakes
  open: { request: OpenRequest; reply: OpenReply; progress: Nothing };
  // the game as a text in another form
  translate: { request: TranslateRequest; reply: TextReply; progress: Nothing };
  // the work of the optimizer, pass by pass
  optimize: { request: OptimizeRequest; reply: OptimizeReply; progress: Nothing };
  // one change of the optimizer in full
  pass: { request: PassRequest; reply: PassReply; progress: Nothing };
  // why a node has or lacks each pragma
  explain: { request: ExplainRequest; reply: TextReply; progress: Nothing };
  // the automaton as SVG
  automaton: { request: AutomatonRequest; reply: AutomatonReply; progress: Nothing };
  // the automaton in pieces, of which a client keeps those that it has
  drawing: { request: DrawingRequest; reply: DrawingReply; progress: Nothing };
  // the edges that come from a line
  nodes: { request: NodesRequest; reply: NodesReply; progress: Nothing };
  // where the edges behind a node come from
  source: { request: SourceRequest; reply: SourceReply; progress: Nothing };
  // the legal moves of a position
  moves: { request: MovesRequest; reply: MovesReply; progress: Nothing };
  // the drawing of a position
  board: { request: BoardRequest; reply: BoardReply; progress: Nothing };
  // a position: its drawing, the moves that led there, and the moves to go on with
  play: { request: PlayRequest; reply: PlayReply; progress: Nothing };
  // a position in which a piece is moved, put or removed
  arrange: { request: ArrangeRequest; reply: ArrangeReply; progress: Nothing };
  // the number of move sequences, by first move
  perft: { request: PerftRequest; reply: PerftReply; progress: PerftProgress };
  // random plays
  playouts: { request: PlayoutsRequest; reply: PlayoutsReply; progress: PlayoutsProgress };
  // how fast the interpreter and the compiled reasoner play
  engines: { request: EnginesRequest; reply: EnginesReply; progress: EnginesProgress };
  // leaves and random plays of two games, compared
  compare: { request: CompareRequest; reply: CompareReply; progress: CompareProgress };
  // the moves that a search prefers
  think: { request: ThinkRequest; reply: Thoughts; progress: Thoughts };
  // the move that a player makes
  reply: { request: PlayerRequest; reply: PlayerReply; progress: Nothing };
  // the exact value of a position
  solve: { request: SolveRequest; reply: SolveReply; progress: Nothing };
  // figures about a game, from plays of equal players
  analyze: { request: AnalyzeRequest; reply: AnalyzeReply; progress: Nothing };
}

export interface OptimizerSettings {
  level?: number; // 0 to 2
  passes?: string[]; // exactly these, once each
}

export interface OptimizerRun {
  rows: OptimizerStep[];
  timings: PassTotals[];
  notes: string[];
  seconds: number;
  before: Record<string, number>; // statistics, by name
  after: Record<string, number>;
}

export interface CancelRequest {
  id?: unknown; // of the request that nobody waits for any more
}
