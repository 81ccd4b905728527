// Plays games for page_player.cpp: one request a line, one answer a line.
import { createInterface } from 'node:readline';

const { Reasoner } = await import(process.argv[2]);
let game = null;

function look() {
  const over = game.terminal();
  const moves = over ? [] : game.moves();
  return {
    moves,
    answer: {
      over,
      mover: game.mover(),
      moves: moves.map((move) => move.text),
      seen: moves.map((move) => game.players.map((_, player) => game.observed(move, player))),
      goals: game.players.map((player) => game.goal(player)),
      state: `${game.node}:${Array.from(game.cells).join(',')}`,
    },
  };
}

let now = null;
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const request = JSON.parse(line);
    if (request.game) game = new Reasoner(request.game);
    if (request.state) {
      const [node, cells] = request.state.split(':');
      game.load({ node: Number(node), cells: Int32Array.from(cells.split(','), Number) });
    } else if (request.move !== undefined) {
      game.load(now.moves[request.move].state);
    } else {
      game.reset();
    }
    now = look();
    answer = { ...now.answer, players: game.players };
  } catch (problem) {
    answer = { error: String(problem.message) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
