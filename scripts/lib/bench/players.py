"""Matches that decide how players are made: the default against random, and each option against the default.

    scripts/bench players --log plays.jsonl                            # the whole set, an hour or more
    scripts/bench players --log plays.jsonl --games 50 --only breakthrough,hex --options rave=100
    scripts/bench players --log plays.jsonl --report --markdown docs/search.md
"""
import json
import math
from pathlib import Path

from lib.measure import ROOT, must, table

DEFAULTS = {"runs": 1, "seconds": 86400.0}
SET = [
    "hrg/breakthrough.hrg", "hrg/clobber.hrg", "hrg/connect-four.hrg", "hrg/domineering.hrg", "hrg/dots-and-boxes.hrg",
    "hrg/english-draughts.hrg", "hrg/gomoku.hrg", "hrg/hex.hrg", "hrg/knightthrough.hrg", "hrg/nine-mens-morris.hrg",
    "hrg/pentago.hrg", "hrg/reversi.hrg", "hrg/ultimate-tic-tac-toe.hrg", "rbg/breakthrough.rbg", "rbg/paper-soccer.rbg",
    "gdl/breakthrough-6x6.kif", "gdl/connect-four.kif", "ludax/squava.ldx", "ludax/yavalath.ldx",
    "linegames/variants/alquerque-whole-mandatory.linegame",
]
# The pooled test: is it weaker by so many Elo, or not weaker?
WORSE = -20
ERROR = 0.05


def options(parser):
    parser.add_argument("--engine", default="cpp")
    parser.add_argument("--games", type=int, default=100, help="plays of each pair of players on each game")
    parser.add_argument("--budget", default="1000", help="simulations, or seconds as in 0.1s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="plays of a match at once")
    parser.add_argument("--options", default="proofs=0,rave=100,mast=0.5,minimax=0.3,cutoff=40",
                        help="each is tried alone against the default; - for none")
    parser.add_argument("--against", default="", help="whom the options play; by default the default")
    parser.add_argument("--no-random", action="store_true", help="leave the matches against random out")


def items(o):
    default = f"mcts:{o.budget}"
    pairs = [] if o.no_random else [(default, "random")]
    pairs += [(f"{default},{option}", o.against or default) for option in ([] if o.options == "-" else o.options.split(","))]
    return [(f"{game} {first} against {second}, seed {o.seed}", (game, first, second)) for game in SET for first, second in pairs]


def prepare(subject, version, folder, o):
    game, *players = subject

    def play(run):
        done = must([version.program, "match", "--json", "--engine", o.engine, "--count", o.games, "--seed", o.seed + run - 1, "--jobs", o.threads,
                     "--opening", 2, ROOT / "games" / game, *players], timeout=o.seconds)
        first = json.loads(done.out)["players"][0]
        return {"game": game, "players": " against ".join(players), **{key: first[key] for key in ("plays", "won", "drawn", "lost")}}
    return play


class Tally:
    """Plays of one player against another one."""

    def __init__(self, won=0, drawn=0, lost=0):
        self.won, self.drawn, self.lost = won, drawn, lost

    def __add__(self, other):
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def mirrored(self):
        return Tally(self.lost, self.drawn, self.won)

    @property
    def plays(self):
        return self.won + self.drawn + self.lost

    @property
    def score(self):
        return (self.won + self.drawn / 2) / self.plays

    @property
    def variance(self):
        return max((self.won + self.drawn / 4) / self.plays - self.score**2, 0.25 / self.plays)

    def interval(self):
        width = 1.96 * math.sqrt(self.variance / self.plays)
        return max(0.0, self.score - width), min(1.0, self.score + width)

    def verdict(self):
        """Wald's test on the pooled score, by the normal approximation."""
        weaker, equal = 1 / (1 + 10 ** (-WORSE / 400)), 0.5
        ratio = self.plays * (equal - weaker) * (2 * self.score - equal - weaker) / (2 * self.variance)
        bound = math.log((1 - ERROR) / ERROR)
        return "not weaker" if ratio >= bound else "weaker" if ratio <= -bound else "undecided"


def elo(score):
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def report(rows, o):
    """Against random game by game; options by the whole set, with the games where they differ most."""
    by_pair = {}
    for now in (row["now"] for row in rows if "now" in row):
        games = by_pair.setdefault(tuple(now["players"].split(" against ")), {})
        games[now["game"]] = games.get(now["game"], Tally()) + Tally(now["won"], now["drawn"], now["lost"])
    out, pooled = [], []
    for (first, second), games in by_pair.items():
        if second == "random":
            lines = [[game, t.plays, f"{100 * t.won / t.plays:.1f} %", t.drawn, t.lost]
                     for game, t in sorted(games.items(), key=lambda item: SET.index(item[0]) if item[0] in SET else 99)]
            out.append(table(["game", "plays", f"{first} against random: won", "drawn", "lost"], lines))
            continue
        # Where an option of the default is taken away, the default is judged.
        if first.endswith("=0"):
            first, second, games = second, first, {game: tally.mirrored for game, tally in games.items()}
        total = sum(games.values(), Tally())
        low, high = total.interval()
        order = sorted(games, key=lambda game: games[game].score)
        best, worst = (f"{Path(g).stem} {100 * games[g].score:.0f} %" for g in (order[-1], order[0]))
        pooled.append([first, second, len(games), total.plays, f"{100 * total.score:.1f} %",
                       f"{elo(total.score):+.0f} ({elo(low):+.0f} … {elo(high):+.0f})", total.verdict(), best, worst])
    out.append(table(["player", "against", "games", "plays", "score", "Elo", "pooled test", "best", "worst"], pooled))
    return "bench-players", "\n\n".join(out)
