#!/usr/bin/env python3
"""Solves a small game twice: its table has an entry for each state, then for each position.

    python3 examples/transpositions.py               # nim
    python3 examples/transpositions.py tic-tac-toe

States differ in leftovers of the last move, which nothing reads any more. canonical_hash() leaves them out.
"""
import sys
from typing import Any, Dict

import rgtrans


def solve(state, key, table):
    """The score of the first player if all play well; the others want it to be low."""
    if state.is_terminal():
        return state.returns()[0]
    number = key(state)
    if number not in table:
        best = max if state.current_player == state.game.players[0] else min
        table[number] = best(solve(child, key, table) for _, child in state.children())
    return table[number]


def main(arguments=None):
    name = (sys.argv[1:] if arguments is None else arguments) or ["nim"]
    start = rgtrans.load(name[0]).optimize().new_state()
    for key in (hash, rgtrans.State.canonical_hash):
        table: Dict[Any, float] = {}
        value = solve(start, key, table)
        print(f"{key.__name__:>14}: value {value:g}, {len(table):,} entries")


if __name__ == "__main__":
    main()
