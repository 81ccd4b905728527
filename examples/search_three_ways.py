#!/usr/bin/env python3
"""One search, three kinds of knowledge: random playouts, a value function, and a network that says which moves look good.

    python3 examples/search_three_ways.py               # breakthrough, about a minute

Each player makes a search of as many simulations and plays against random moves and against the search with playouts.
"""
import argparse
from typing import Any, Dict

import rgtrans


def material(state):
    """The difference of the pieces of the one who moves and the other one, between -1 and 1."""
    counts = {name: str(state).count(f": {name}") for name in state.game.players}
    mine = counts[state.current_player]
    theirs = sum(counts.values()) - mine
    return (mine - theirs) / max(mine + theirs, 1)


def likes_captures(state):
    """A network by hand: captures look good. A real one would return its logits in the order of the legal moves."""
    value = material(state)
    logits = [4 * (-material(child) - value) if not child.is_terminal() else 4.0 for _, child in state.children()]
    return logits, value


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="breakthrough")
    parser.add_argument("--simulations", type=int, default=40, help="for each move")
    parser.add_argument("--plays", type=int, default=20, help="of each match")
    options = parser.parse_args(arguments)
    game = rgtrans.load(options.game).optimize()
    ways: Dict[str, Dict[str, Any]] = {"playouts": {}, "value": {"value": material}, "network": {"network": likes_captures}}
    players = {name: rgtrans.search.player(simulations=options.simulations, **way) for name, way in ways.items()}
    for name, player in players.items():
        print(f"{name:8} against random moves: {rgtrans.search.match(game, player, rgtrans.search.random_player(), options.plays)}",
              flush=True)
    for name in ("value", "network"):
        print(f"{name:8} against playouts:     {rgtrans.search.match(game, players[name], players['playouts'], options.plays)}",
              flush=True)


if __name__ == "__main__":
    main()
