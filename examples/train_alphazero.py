#!/usr/bin/env python3
"""AlphaZero in one file: a small residual network learns a game of any language by playing against itself.

    python3 examples/train_alphazero.py --minutes 30                      # Connect Four
    python3 examples/train_alphazero.py --game linegame --minutes 30      # a generated line game
    python3 examples/train_alphazero.py --game games/hrg/hex.hrg --out hex --resume

Hundreds of plays run at once (rgtrans.env.VectorEnv), each with a tree (rgtrans.env.Search). One call of the network
evaluates the leaves of all trees. Every few minutes the network plays against random moves and against plain Monte-Carlo tree search, with
a search of its own and without: the search alone beats random moves before anything is learned. Checkpoints, a plot of the
win rates (plot.svg) and a log (log.csv, with 95 % intervals; examples/plot_log.py draws it) are written to --out. It uses a GPU if
there is one.
"""
import argparse
import csv
import math
import os
import pathlib
import random
import sys
import time
from typing import Any, List, Optional

import numpy

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("this example needs PyTorch (Debian: python3-torch)")

import rgtrans

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Network(nn.Module):
    """A residual tower with a head for moves and one for the value of the one who moves."""

    def __init__(self, shape, actions, channels, blocks):
        super().__init__()
        planes, height, width = shape

        def convolution(before, after, size):
            return nn.Sequential(nn.Conv2d(before, after, size, padding=size // 2, bias=False), nn.BatchNorm2d(after))

        self.first = convolution(planes, channels, 3)
        self.blocks = nn.ModuleList(
            nn.Sequential(convolution(channels, channels, 3), nn.ReLU(), convolution(channels, channels, 3)) for _ in range(blocks)
        )
        area = height * width
        self.policy = nn.Sequential(convolution(channels, 4, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4 * area, actions))
        self.value = nn.Sequential(convolution(channels, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(2 * area, 32), nn.ReLU(),
                                   nn.Linear(32, 1), nn.Tanh())

    def forward(self, x):
        x = torch.relu(self.first(x))
        for block in self.blocks:
            x = torch.relu(x + block(x))
        return self.policy(x), self.value(x).squeeze(1)


class Memory:
    """The latest positions with the results of the search."""

    def __init__(self, size, shape, actions):
        self.observations = numpy.zeros((size, *shape), numpy.bool_)
        self.masks = numpy.zeros((size, actions), numpy.bool_)
        self.policies = numpy.zeros((size, actions), numpy.float32)
        self.values = numpy.zeros(size, numpy.float32)
        self.at = self.count = 0

    def add(self, observation, mask, policy, value):
        i = self.at
        self.observations[i], self.masks[i], self.policies[i], self.values[i] = observation, mask, policy, value
        self.at = (i + 1) % len(self.values)
        self.count = min(self.count + 1, len(self.values))


class Trainer:
    def __init__(self, options):
        self.options = options
        self.game = load_game(options.game)
        self.small = self.game.optimize()
        self.envs = self.make_envs(options.envs)
        spec = self.envs.observation_spec
        if spec.form != "planes":
            sys.exit(f"{self.game.name} hides moves; this example is for games in which all is seen")
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net = Network(spec.shape, self.envs.num_actions, options.channels, options.blocks).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=options.rate, weight_decay=1e-4)
        self.memory = Memory(options.memory, spec.shape, self.envs.num_actions)
        self.rng = numpy.random.default_rng(options.seed)
        self.seconds = self.positions = self.games = 0
        self.losses: Any = (None, None)  # of the last time of learning
        self.log = []
        self.freeze()

    def make_envs(self, count):
        return rgtrans.env.VectorEnv(self.game, count, relative=True, reset_mode="same_step", jobs=self.options.jobs,
                                     max_moves=self.options.max_moves, dtype="float32")

    def freeze(self):
        """The network as searches ask it: its parameters are constants, and normalization is part of the convolutions."""
        self.net.eval()
        self.frozen = torch.jit.freeze(torch.jit.script(self.net))
        if self.device == "cpu":
            self.frozen = torch.jit.optimize_for_inference(self.frozen)

    def evaluate(self, observations, masks):
        with torch.no_grad():
            logits, values = self.frozen(torch.from_numpy(observations).to(self.device))
        return logits.cpu().numpy(), values.cpu().numpy()

    # --- Learning. ---

    def play(self, search, plays, ages):
        """One move in every play; those that end become examples."""
        envs = self.envs
        visits, _ = search.run()
        policy = visits / numpy.maximum(visits.sum(1, keepdims=True), 1)
        for i in range(envs.num_envs):
            plays[i].append((envs.observations[i].astype(bool), envs.mask[i].copy(), policy[i], int(envs.player[i])))
        actions = search.actions(visits, ages < self.options.warm, self.rng)
        envs.step(actions)
        ages += 1
        for i in numpy.flatnonzero(envs.terminated | envs.truncated):
            for observation, mask, target, mover in plays[i]:
                self.memory.add(observation, mask, target, envs.rewards[i, mover])
            self.positions += len(plays[i])
            self.games += 1
            plays[i].clear()
            ages[i] = 0

    def learn(self, steps):
        if steps == 0:
            return math.nan, math.nan
        self.net.train()
        rate = self.options.rate * (0.05 + 0.95 * (1 + math.cos(math.pi * min(self.seconds / self.options.minutes / 60, 1))) / 2)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses = []
        for _ in range(steps):
            rows = self.rng.integers(0, self.memory.count, self.options.batch)
            x = torch.from_numpy(self.memory.observations[rows].astype(numpy.float32)).to(self.device)
            masks = torch.from_numpy(self.memory.masks[rows]).to(self.device)
            logits, values = self.net(x)
            logits = logits.masked_fill(~masks, -1e9)
            targets = torch.from_numpy(self.memory.policies[rows]).to(self.device)
            policy_loss = -(targets * torch.log_softmax(logits, 1)).sum(1).mean()
            value_loss = ((values - torch.from_numpy(self.memory.values[rows]).to(self.device)) ** 2).mean()
            loss = policy_loss + value_loss
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append((policy_loss.item(), value_loss.item()))
        self.freeze()
        return numpy.mean(losses, 0)

    def run(self):
        options = self.options
        self.envs.reset(seed=options.seed)
        search = rgtrans.env.Search(self.envs, self.evaluate, simulations=options.simulations, noise=0.25,
                                    alpha=options.alpha, seed=options.seed)
        plays: List[List[Any]] = [[] for _ in range(options.envs)]
        ages = numpy.zeros(options.envs, int)
        if not self.log:
            self.test(options.test_games)
        begin, tested = self.now() - self.seconds, self.log[-1]["minutes"] * 60
        while self.seconds < options.minutes * 60:
            before = self.positions
            for _ in range(options.moves):
                self.play(search, plays, ages)
            fresh = self.positions - before
            enough = self.memory.count >= 2 * options.batch
            losses = self.learn(int(fresh * options.reuse / options.batch) if enough else 0)
            if not math.isnan(losses[0]):
                self.losses = tuple(map(float, losses))
            self.seconds = self.now() - begin
            print(f"{self.seconds / 60:6.1f} min  {self.games:7} games  {self.positions:8} positions  "
                  f"policy loss {losses[0]:.3f}  value loss {losses[1]:.3f}", flush=True)
            self.save()
            if self.seconds - tested >= options.test * 60:
                self.test(options.test_games)
                begin = self.now() - self.seconds  # tests take time of their own
                tested = self.seconds
        self.test(options.final_games)

    def now(self):
        if self.options.clock == "wall":
            return time.time()
        return time.process_time() / self.options.jobs

    # --- Testing. ---

    def test(self, games):
        names = {"random": "random moves", "mcts": f"{self.options.opponent} simulations of plain tree search"}
        row = {"minutes": self.seconds / 60, "positions": self.positions, "test_games": games,
               "policy_loss": self.losses[0], "value_loss": self.losses[1]}
        for searching in (True, False):
            for key, opponent in (("random", random_move), ("mcts", self.tree_search)):
                how = f"with {self.options.test_simulations} simulations" if searching else "without search"
                print(f"{'':10} network {how} against {names[key]}: ", end="", flush=True)
                rate = rgtrans.search.interval(games * self.against(opponent, games, searching), games)
                print(f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%}) of {games} games", flush=True)
                column = key if searching else f"policy_{key}"
                row.update({column: rate.value, f"{column}_low": rate.low, f"{column}_high": rate.high})
        self.log.append(row)
        self.save()

    def tree_search(self, state):
        return monte_carlo(state, self.options.opponent)

    def against(self, opponent, games, searching=True):
        """The share of won games, draws counting half, from both seats; the network searches, or makes the move that it likes most."""
        envs = rgtrans.env.VectorEnv(self.game, games, relative=True, reset_mode="stay", jobs=self.options.jobs,
                                     max_moves=self.options.max_moves)
        envs.reset(seed=99)
        search = rgtrans.env.Search(envs, self.evaluate, simulations=self.options.test_simulations)
        states = [self.small.new_state("cpp") for _ in range(games)]
        given: List[List[int]] = [[] for _ in range(games)]
        wanted: List[List[int]] = [[] for _ in range(games)]
        seats = numpy.arange(games) % envs.num_players
        score = numpy.zeros(games)
        while (envs.player >= 0).any():
            playing = envs.player >= 0
            actions = numpy.zeros(games, numpy.int32)
            if (playing & (envs.player == seats)).any():
                if searching:
                    actions = search.actions(search.run()[0])
                else:
                    logits, _ = self.evaluate(envs.observations, envs.mask)
                    actions = numpy.where(envs.mask, logits, -numpy.inf).argmax(1).astype(numpy.int32)
            for i in numpy.flatnonzero(playing):
                if envs.player[i] != seats[i]:
                    if not wanted[i]:
                        wanted[i] = envs.actions.ids(states[i].legal_moves()[opponent(states[i])])
                    at = len(given[i])
                    actions[i] = wanted[i][at] if at < len(wanted[i]) else 0
                index = envs.actions.legal(states[i], given[i])[int(actions[i])]
                if index is None:  # a part of a move
                    given[i].append(int(actions[i]))
                else:
                    states[i].apply(index)
                    given[i], wanted[i] = [], []
            envs.step(actions, which=playing)
            for i in numpy.flatnonzero(playing & (envs.player < 0)):
                score[i] = (1 + envs.rewards[i, seats[i]]) / 2
        return float(score.mean())

    # --- Files. ---

    def save(self):
        out = pathlib.Path(self.options.out)
        out.mkdir(parents=True, exist_ok=True)
        state = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "seconds": self.seconds,
                 "positions": self.positions, "games": self.games, "log": self.log,
                 "memory": {k: v[: self.memory.count] if isinstance(v, numpy.ndarray) else v for k, v in vars(self.memory).items()}}
        torch.save(state, out / "checkpoint.partial")
        os.replace(out / "checkpoint.partial", out / "checkpoint.pt")
        if not self.log:
            return
        with open(out / "log.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, list(self.log[-1]))
            writer.writeheader()
            writer.writerows(self.log)
        (out / "plot.svg").write_text(plot(self.log, self.game.name, self.options.opponent))

    def resume(self):
        file = pathlib.Path(self.options.out) / "checkpoint.pt"
        if not file.exists():
            sys.exit(f"there is no {file} to resume from")
        state = torch.load(file, map_location=self.device)
        self.net.load_state_dict(state["net"])
        self.freeze()
        self.optimizer.load_state_dict(state["optimizer"])
        self.seconds, self.positions, self.games, self.log = (state[k] for k in ("seconds", "positions", "games", "log"))
        memory = state["memory"]
        for name in ("observations", "masks", "policies", "values"):
            rows = memory[name][: len(self.memory.values)]
            getattr(self.memory, name)[: len(rows)] = rows
            self.memory.count = len(rows)
        self.memory.at = memory["at"] % len(self.memory.values)


# --- Opponents: the index of a legal move. ---


def random_move(state):
    return random.randrange(state.move_count)


class Node:
    __slots__ = ("children", "visits", "value")

    def __init__(self):
        self.children: Optional[List[Node]] = None
        self.visits, self.value = 0, 0.0


def monte_carlo(root_state, simulations, exploration=0.7):
    """UCT with random playouts."""
    players = list(root_state.game.players)
    scores = root_state.game.scores()
    low, span = min(scores), max(max(scores) - min(scores), 1e-9)
    root = Node()
    for _ in range(simulations):
        state, node, path = root_state.copy(), root, []
        while not state.is_terminal():
            mover = players.index(state.current_player)
            if node.children is None:
                node.children = [Node() for _ in range(state.move_count)]
            children, total = node.children, math.log(max(node.visits, 1))

            def bound(child):
                if child.visits == 0:
                    return 1e9 + random.random()
                return child.value / child.visits + exploration * math.sqrt(total / child.visits)

            index = max(range(len(children)), key=lambda i: bound(children[i]))
            fresh = children[index].visits == 0
            path.append((node, children[index], mover))
            node = children[index]
            state.apply(index)
            if fresh:
                break
        if state.is_terminal():
            returns = state.returns()
        else:
            means = state.playouts(1).mean_goals
            returns = [means[player] for player in players]
        for parent, child, mover in path:
            parent.visits += 1
            child.visits += 1
            child.value += (returns[mover] - low) / span
    visits = [child.visits for child in root.children or []]
    return visits.index(max(visits))


# --- Games and the plot. ---


def load_game(name):
    if name == "linegame":
        from rgtrans.linegames import BLACK, WHITE, LineGame

        line = LineGame("lines").alquerque(3, 3).rows(BLACK, first=1).rows(WHITE, last=1)
        return line.game()
    return rgtrans.load(name)


def plot(log, name, opponent):
    """Win rates over minutes, as SVG."""
    width, height, left, top = 640, 320, 50, 30
    last = max([row["minutes"] for row in log] + [1e-9])

    def line(key, colour):
        points = " ".join(f"{left + (width - left - 20) * row['minutes'] / last:.1f},{top + (height - 70) * (1 - row[key]):.1f}"
                          for row in log)
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'

    def text(x, y, words, colour="#333", anchor="start"):
        return f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + (height - 70) * (1 - share)
        parts += [f'<line x1="{left}" y1="{y}" x2="{width - 20}" y2="{y}" stroke="#ddd"/>',
                  text(left - 6, y + 4, f"{share:.0%}", anchor="end")]
    parts += [line("random", "#1b7837"), line("mcts", "#762a83"), text(left, 18, f"{name}, games won"),
              text(width - 20, 18, f"against random moves, {log[-1]['random']:.0%}", "#1b7837", "end"),
              text(width - 220, 18, f"against {opponent} simulations, {log[-1]['mcts']:.0%}", "#762a83", "end"),
              text(left, height - 12, "0"), text(width - 20, height - 12, f"{last:.1f} minutes", anchor="end"), "</svg>"]
    return "\n".join(parts) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=str(ROOT / "games" / "hrg" / "connect-four.hrg"), help="a file, or linegame")
    parser.add_argument("--out", default="alphazero", help="folder for checkpoint.pt, log.csv and plot.svg")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    parser.add_argument("--minutes", type=float, default=30, help="of learning")
    parser.add_argument("--test", type=float, default=3, help="minutes between two tests")
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall",
                        help="what minutes are: processor is the time of all threads divided by their number, which other "
                        "programs on the machine do not change")
    parser.add_argument("--test-games", type=int, default=60)
    parser.add_argument("--final-games", type=int, default=200, help="of the last test")
    parser.add_argument("--opponent", type=int, default=100, help="simulations of the tree search that is played against")
    parser.add_argument("--test-simulations", type=int, default=100, help="of the network's search in tests, for each move")
    parser.add_argument("--envs", type=int, default=128, help="plays at once")
    parser.add_argument("--simulations", type=int, default=32, help="for each move")
    parser.add_argument("--moves", type=int, default=8, help="moves in every play between two times of learning")
    parser.add_argument("--warm", type=int, default=10, help="moves of a play that are drawn instead of the best")
    parser.add_argument("--alpha", type=float, default=0.6, help="of the noise")
    parser.add_argument("--max-moves", type=int, default=300)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=3)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning; it falls to a twentieth by the end")
    parser.add_argument("--memory", type=int, default=60_000, help="positions that are kept")
    parser.add_argument("--reuse", type=float, default=4, help="times that each position is learned from")
    parser.add_argument("--jobs", type=int, default=2, help="threads")
    parser.add_argument("--threads", type=int, dest="jobs", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.jobs)
    random.seed(options.seed)
    trainer = Trainer(options)
    if options.resume:
        trainer.resume()
    trainer.run()
    return trainer.log


if __name__ == "__main__":
    main()
