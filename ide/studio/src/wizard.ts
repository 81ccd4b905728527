// Texts to begin with: a blank game of each language, and whole games of a board, a way to move and a way to win.

export type Goal = 'connect' | 'row' | 'reach';
export interface Wish {
  name: string;
  goal: Goal;
  width: number;
  height: number;
  row: number; // stones in a row
}

export const kGoals: { goal: Goal; title: string; help: string }[] = [
  {
    goal: 'connect',
    title: 'Connect two edges',
    help: 'stones on a board of hexagons; a chain between the own edges wins',
  },
  { goal: 'row', title: 'Make a row', help: 'stones on a board of squares; so many in a line win' },
  { goal: 'reach', title: 'Reach the other side', help: 'men go forward and take diagonally; the last row wins' },
];

const head = (wish: Wish, rules: string[]) => [`// ${wish.name}`, '//', ...rules.map((line) => `// ${line}`), ''];

// Both players own the edges that lie opposite each other.
function connect(wish: Wish): string {
  const { width, height } = wish;
  const longest = Math.max(width, height);
  return [
    ...head(wish, [
      `On a board of ${width} x ${height} hexagons red and blue put stones on empty cells in turn.`,
      'Red joins the top and bottom edges, blue the left and right ones; a chain of stones between them wins.',
    ]),
    '// display: edge red top bottom',
    '// display: edge blue left right',
    '',
    'domain Player = red | blue',
    'domain Score = 50 | 0 | 100',
    'domain Stone = none | Player',
    `domain Cell = C(X, Y) where X in 1..${width}, Y in 1..${height}`,
    'domain Place = out | Cell',
    'domain Direction = n | ne | se | s | sw | nw',
    `domain Line = L(N) where N in 1..${longest}`,
    'domain Answer = no | yes',
    '',
    'step : Direction -> Place -> Place',
    'step(_, out) = out',
    'step(n, C(X, Y)) = if C(X, Y - 1) in Cell then C(X, Y - 1) else out',
    'step(ne, C(X, Y)) = if C(X + 1, Y - 1) in Cell then C(X + 1, Y - 1) else out',
    'step(se, C(X, Y)) = if C(X + 1, Y) in Cell then C(X + 1, Y) else out',
    'step(s, C(X, Y)) = if C(X, Y + 1) in Cell then C(X, Y + 1) else out',
    'step(sw, C(X, Y)) = if C(X - 1, Y + 1) in Cell then C(X - 1, Y + 1) else out',
    'step(nw, C(X, Y)) = if C(X - 1, Y) in Cell then C(X - 1, Y) else out',
    '',
    'firstEdge : Player -> Line -> Place',
    'firstEdge(red, L(N)) = if C(N, 1) in Cell then C(N, 1) else out',
    'firstEdge(blue, L(N)) = if C(1, N) in Cell then C(1, N) else out',
    'lastEdge : Player -> Place -> Answer',
    'lastEdge(_, out) = no',
    `lastEdge(red, C(_, Y)) = if Y == ${height} then yes else no`,
    `lastEdge(blue, C(X, _)) = if X == ${width} then yes else no`,
    'opponent : Player -> Player',
    'opponent(red) = blue',
    'opponent(blue) = red',
    '',
    'board : Place -> Stone = { : none }',
    'cell : Cell',
    'spot : Place',
    'line : Line',
    'direction : Direction',
    '',
    '// A chain of my stones from the first edge to the last.',
    'graph joined(me : Player) {',
    '  line = Line(*)',
    '  spot = firstEdge[me][line]',
    '  check(board[spot] == me)',
    '  while lastEdge[me][spot] == no {',
    '    direction = Direction(*)',
    '    spot = step[direction][spot]',
    '    check(board[spot] == me)',
    '  }',
    '}',
    '',
    'graph turn(me : Player) {',
    '  player = me',
    '  cell = Cell(*)',
    '  check(board[cell] == none)',
    '  $$ cell',
    '  board[cell] = me',
    '  player = keeper',
    '  if reachable(joined(me)) {',
    '    goals[me] = 100',
    '    goals[opponent[me]] = 0',
    '    end()',
    '  }',
    '}',
    '',
    'graph rules() {',
    '  loop {',
    '    turn(red)',
    '    turn(blue)',
    '  }',
    '}',
    '',
  ].join('\n');
}

const kSteps: [string, string, string][] = [
  ['north', 'X', 'Y + 1'],
  ['south', 'X', 'Y - 1'],
  ['east', 'X + 1', 'Y'],
  ['west', 'X - 1', 'Y'],
  ['northEast', 'X + 1', 'Y + 1'],
  ['southWest', 'X - 1', 'Y - 1'],
  ['northWest', 'X - 1', 'Y + 1'],
  ['southEast', 'X + 1', 'Y - 1'],
];

function row(wish: Wish): string {
  return [
    ...head(wish, [
      `On a board of ${wish.width} x ${wish.height} squares black and white put stones on empty squares in turn.`,
      `${wish.row} or more stones of one colour in an unbroken line win. A full board is a draw.`,
    ]),
    'domain Player = black | white',
    'domain Score = 50 | 0 | 100',
    'domain Stone = none | Player',
    `domain Point = P(X, Y) where X in 1..${wish.width}, Y in 1..${wish.height}`,
    'domain Place = out | Point',
    '',
    ...kSteps.flatMap(([name, x, y]) => [
      `${name} : Place -> Place`,
      `${name}(out) = out`,
      `${name}(P(X, Y)) = if P(${x}, ${y}) in Point then P(${x}, ${y}) else out`,
    ]),
    '',
    'opponent : Player -> Player',
    'opponent(black) = white',
    'opponent(white) = black',
    '',
    'board : Place -> Stone = { : none }',
    'point : Point',
    'spot : Place',
    '',
    'graph room() {',
    '  point = Point(*)',
    '  check(board[point] == none)',
    '}',
    '',
    '// Enough of mine on the line through the point: back to its first stone, then ahead.',
    'graph enough(me : Player, ahead : Place -> Place, back : Place -> Place) {',
    '  spot = point',
    '  while board[back[spot]] == me {',
    '    spot = back[spot]',
    '  }',
    `  repeat ${wish.row - 1} {`,
    '    spot = ahead[spot]',
    '    check(board[spot] == me)',
    '  }',
    '}',
    '',
    'graph anyRow(me : Player) {',
    '  branch {',
    '    enough(me, north, south)',
    '  } or {',
    '    enough(me, east, west)',
    '  } or {',
    '    enough(me, northEast, southWest)',
    '  } or {',
    '    enough(me, northWest, southEast)',
    '  }',
    '}',
    '',
    'graph turn(me : Player) {',
    '  player = me',
    '  room()',
    '  $$ point',
    '  board[point] = me',
    '  player = keeper',
    '  if reachable(anyRow(me)) {',
    '    goals[me] = 100',
    '    goals[opponent[me]] = 0',
    '    end()',
    '  }',
    '  if not(reachable(room())) {',
    '    end()',
    '  }',
    '}',
    '',
    'graph rules() {',
    '  loop {',
    '    turn(black)',
    '    turn(white)',
    '  }',
    '}',
    '',
  ].join('\n');
}

function reach(wish: Wish): string {
  const { width, height } = wish;
  const ways: [string, string][] = [
    ['ahead', 'F'],
    ['aheadEast', 'F + 1'],
    ['aheadWest', 'F - 1'],
  ];
  return [
    ...head(wish, [
      `On a board of ${width} x ${height} squares each player has two rows of men. A man goes one square forward,`,
      'straight or diagonally, to an empty square; diagonally it may also take. Whoever reaches the last row, or takes',
      'the last man of the opponent, wins.',
    ]),
    'domain Player = white | black',
    'domain Score = 50 | 0 | 100',
    'domain Man = none | Player',
    `domain Square = S(F, R) where F in 1..${width}, R in 1..${height}`,
    'domain Place = out | Square',
    'domain Answer = no | yes',
    '',
    ...ways.flatMap(([name, file]) => [
      `${name} : Player -> Square -> Place`,
      `${name}(white, S(F, R)) = if S(${file}, R + 1) in Square then S(${file}, R + 1) else out`,
      `${name}(black, S(F, R)) = if S(${file}, R - 1) in Square then S(${file}, R - 1) else out`,
    ]),
    'lastRow : Player -> Square -> Answer',
    `lastRow(white, S(_, R)) = if R == ${height} then yes else no`,
    'lastRow(black, S(_, R)) = if R == 1 then yes else no',
    'opponent : Player -> Player',
    'opponent(white) = black',
    'opponent(black) = white',
    '',
    'board : Square -> Man = {',
    '  : none;',
    `  S(F, R) = white where F in 1..${width}, R in 1..2;`,
    `  S(F, R) = black where F in 1..${width}, R in ${height - 1}..${height}`,
    '}',
    'from : Square',
    'to : Square',
    'next : Place',
    '',
    'graph anyMan(who : Player) {',
    '  from = Square(*)',
    '  check(board[from] == who)',
    '}',
    '',
    'graph turn(me : Player) {',
    '  player = me',
    '  anyMan(me)',
    '  $$ from',
    '  branch {',
    '    next = ahead[me][from]',
    '    check(next != out)',
    '    check(board[next] == none)',
    '  } or {',
    '    branch {',
    '      next = aheadEast[me][from]',
    '    } or {',
    '      next = aheadWest[me][from]',
    '    }',
    '    check(next != out)',
    '    check(board[next] != me)',
    '  }',
    '  to = next',
    '  $$ to',
    '  board[from] = none',
    '  board[to] = me',
    '  player = keeper',
    '  if lastRow[me][to] == yes || not(reachable(anyMan(opponent[me]))) {',
    '    goals[me] = 100',
    '    goals[opponent[me]] = 0',
    '    end()',
    '  }',
    '}',
    '',
    'graph rules() {',
    '  loop {',
    '    turn(white)',
    '    turn(black)',
    '  }',
    '}',
    '',
  ].join('\n');
}

export function written(wish: Wish): string {
  return { connect, row, reach }[wish.goal](wish);
}

// Sizes that make sense together.
export function fitted(wish: Wish): Wish {
  const between = (n: number, least: number, most: number) => Math.max(least, Math.min(most, Math.round(n) || least));
  const width = between(wish.width, 2, 19);
  const height = between(wish.height, wish.goal === 'reach' ? 5 : 2, 19);
  return { ...wish, width, height, row: between(wish.row, 2, Math.max(width, height)) };
}

// A small game of each language whose text a person changes.
export const kBeginnings: Record<string, string> = {
  hrg: 'hrg/tic-tac-toe.hrg',
  rbg: 'rbg/tic-tac-toe.rbg',
  gdl: 'gdl/tic-tac-toe.kif',
  ludax: 'ludax/tic-tac-toe.ldx',
  ludii: 'ludii/tic-tac-toe.lud',
};
