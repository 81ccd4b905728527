#!/usr/bin/env python3
"""A player of Kuhn poker that tries to compute the cards from everything that it receives.

    cheat.py LOG          plays, and adds a line of JSON per play to the log: the deal according to each of its ideas
    cheat.py --self-test  shows that the ideas work where a table gives its secret away
"""
import hashlib
import json
import sys

M = (1 << 64) - 1
K = 0xD6E8FEB86659FD93
DEALS = ["D__jack_queen", "D__jack_king", "D__queen_jack", "D__queen_king", "D__king_jack", "D__king_queen"]


def mix(x):
    for _ in range(2):
        x ^= x >> 32
        x = x * K & M
    return x ^ x >> 32


def unmix(x):
    for _ in range(2):
        x ^= x >> 32
        x = x * pow(K, -1, 1 << 64) & M
    return x ^ x >> 32


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & M
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
        return (((z ^ (z >> 31)) >> 32) * n) >> 32


def keyed(secret, purpose, number):
    text = len(purpose).to_bytes(8, "little") + purpose.encode() + number.to_bytes(8, "little")
    return hashlib.blake2b(text, digest_size=32, key=secret.to_bytes(8, "little")).digest()


def derived(secret, purpose, number=0):
    return int.from_bytes(keyed(secret, purpose, number)[:8], "little")


def first_deal(table):
    """The deal of a table with this seed."""
    block = keyed(derived(table, "chance"), "numbers", 0)
    return sorted(DEALS)[int.from_bytes(block[24:], "little") % len(DEALS)]


def inverted(seed, seat):
    """The player's seed is an invertible function of the table's."""
    table = ((unmix(seed) - seat - 1) * pow(31, -1, 1 << 64)) & M
    return DEALS[SplitMix(mix(table)).below(6)]


def own_seed(seed, _):
    """The player has the seed of the table."""
    return first_deal(seed)


def small_seeds(seed, seat):
    """Somebody has chosen a small number for the whole match."""
    for match in range(16):
        for play in range(48):
            table = derived(match, "play", play)
            if derived(table, "player", seat) == seed:
                return first_deal(table)
    return DEALS[0]


IDEAS = {"inverted": inverted, "own seed": own_seed, "small seeds": small_seeds}


def self_test():
    for play in range(1000):
        for seat in range(2):
            assert inverted(mix((play * 31 + seat + 1) & M), seat) == DEALS[SplitMix(mix(play)).below(6)]
            assert own_seed(play, seat) == first_deal(play)
    table = derived(3, "play", 5)
    assert small_seeds(derived(table, "player", 1), 1) == first_deal(table)


def play(path):
    guesses = {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            seat = message["players"].index(message["you"])
            guesses = {name: idea(message["seed"], seat) for name, idea in IDEAS.items()}
        elif message["type"] == "choose":
            print(message["moves"][0], flush=True)
        elif message["type"] == "end":
            with open(path, "a") as log:
                log.write(json.dumps(guesses) + "\n")


if __name__ == "__main__":
    self_test() if sys.argv[1] == "--self-test" else play(sys.argv[1])
