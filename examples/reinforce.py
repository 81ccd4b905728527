#!/usr/bin/env python3
"""REINFORCE in 60 lines: a network with one hidden layer learns to beat random moves, with NumPy alone.

    python3 examples/reinforce.py                       # Connect Four, half a minute
    python3 examples/reinforce.py --game breakthrough --steps 3000
"""
import argparse
from typing import Any, List

import numpy
import rgtrans


class Policy:
    """Logits from planes. ``learn`` makes moves more probable that led to a reward above the average."""

    def __init__(self, inputs, actions, hidden, rng):
        self.weights = [rng.normal(0, inputs**-0.5, (inputs, hidden)), rng.normal(0, 0.1 * hidden**-0.5, (hidden, actions))]
        self.squares = [numpy.zeros_like(w) for w in self.weights]

    def __call__(self, planes, masks):
        hidden = numpy.maximum(planes.reshape(len(planes), -1) @ self.weights[0], 0)
        logits = numpy.where(masks, hidden @ self.weights[1], -1e9)
        chances = numpy.exp(logits - logits.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True)

    def learn(self, planes, masks, actions, gains, rate, entropy=0.01):
        hidden, chances = self(planes, masks)
        logs = numpy.log(chances + 1e-12)
        slope = -chances * gains[:, None] - entropy * chances * (logs - (chances * logs).sum(1, keepdims=True))
        slope[numpy.arange(len(actions)), actions] += gains
        back = (slope @ self.weights[1].T) * (hidden > 0)
        for w, s, gradient in zip(self.weights, self.squares, (planes.reshape(len(planes), -1).T @ back, hidden.T @ slope)):
            gradient /= len(planes)
            s += 0.01 * (gradient**2 - s)  # RMSprop
            w += rate * gradient / (numpy.sqrt(s) + 1e-8)


def draw(chances, rng):
    return (chances.cumsum(1) > rng.random((len(chances), 1))).argmax(1)


def train(game, steps, count=256, hidden=128, rate=1e-3, seed=1):
    rng = numpy.random.default_rng(seed)
    envs = rgtrans.make(game, count, relative=True, reset_mode="same_step")
    policy = Policy(numpy.prod(envs.observation_spec.shape), envs.num_actions, hidden, rng)
    learner = numpy.arange(count) % envs.num_players  # the seat of the learner in each play; the others move at random
    envs.reset(seed=seed)
    plays: List[List[Any]] = [[] for _ in range(count)]  # the moves of the learner
    done: List[Any] = []
    mean = 0.0
    for _ in range(steps):
        mine, planes, masks = envs.player == learner, envs.observations.copy(), envs.mask.copy()
        actions = numpy.where(mine, draw(policy(planes, masks)[1], rng), envs.sample())
        envs.step(actions)
        for i in numpy.flatnonzero(mine):
            plays[i].append((planes[i], masks[i], actions[i]))
        for i in numpy.flatnonzero(envs.terminated):
            reward = envs.rewards[i, learner[i]]
            mean += 0.01 * (reward - mean)
            done += [(*move, reward - mean) for move in plays[i]]
            plays[i] = []
        if len(done) >= 1024:
            seen, legal, made, gains = map(numpy.array, zip(*done))
            policy.learn(seen, legal, made, gains, rate)
            done = []
    return policy


def player(policy, game, seed=1):
    """The policy as a player for matches: it draws its moves."""
    observer, space, rng = rgtrans.env.Observer(game, relative=True), rgtrans.ActionSpace(game), numpy.random.default_rng(seed)

    def choose(state):
        legal = space.legal(state)
        planes = observer.tensor(state, game.players.index(state.current_player))
        return legal[int(draw(policy(planes[None], numpy.array([space.mask(legal)], bool))[1], rng)[0])]

    return choose


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect-four", help="a game of the library, without hidden moves")
    parser.add_argument("--steps", type=int, default=600, help="of 256 plays at once")
    parser.add_argument("--plays", type=int, default=100, help="of each match")
    parser.add_argument("--opponent", type=int, default=20, help="simulations of the tree search that it is measured against")
    options = parser.parse_args(arguments)
    game = rgtrans.load(options.game)
    for steps in (0, options.steps):
        policy = train(options.game, steps)
        for name, opponent in (("random moves", rgtrans.search.random_player()),
                               (f"a search of {options.opponent} simulations", rgtrans.search.player(simulations=options.opponent))):
            score = rgtrans.search.match(game.optimize(), player(policy, game), opponent, options.plays)
            print(f"after {steps:5} steps, against {name}: {score}", flush=True)


if __name__ == "__main__":
    main()
