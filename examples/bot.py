#!/usr/bin/env python3
"""A player for `rgtrans match` that is a program: it makes one of the longest moves, which capture in many games.
One JSON object a line comes in; to "choose" it answers a line with one of the moves."""
import json
import random
import sys


def choose(moves, dice):
    longest = max(len(move.split()) for move in moves)
    return dice.choice([move for move in moves if len(move.split()) == longest])


def main():
    dice = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":  # "players": all names, "you": ours
            dice.seed(message["seed"])
        elif message["type"] == "move":  # "by": the mover, "move": the visible part of the move
            pass
        elif message["type"] == "choose":  # "moves": the legal ones
            print(choose(message["moves"], dice), flush=True)
        elif message["type"] == "end":
            return


if __name__ == "__main__":
    main()
