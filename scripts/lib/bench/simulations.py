"""Simulations a second of a tree search against plain playouts, with one thread and with two."""
import json

from lib.bench.players import SET
from lib.measure import ROOT, must, table

DEFAULTS = {"runs": 3, "seconds": 1.0}
PICK = max


def options(parser):
    parser.add_argument("--simulations", type=int, default=30_000)
    parser.add_argument("--all", action="store_true", help="the games of topic players, not four of them")


def items(o):
    names = ("hrg/breakthrough.hrg", "hrg/connect-four.hrg", "hrg/reversi.hrg", "hrg/hex.hrg")
    return [(name, ROOT / "games" / name) for name in (SET if o.all else names)]


def prepare(path, version, folder, o):
    def told(*words):
        return json.loads(must([version.program, *words]).out)

    def play(_):
        row = {"playouts": told("playouts", "--engine", "cpp", "--json", "--seconds", o.seconds, path)["playouts_per_second"]}
        for threads in (1, 2):
            # Keeper moves first, then the first player, with one search.
            played = told("match", "--json", "--engine", "cpp", "--count", 1, "--max-moves", 2, path,
                          f"mcts:{o.simulations},threads={threads}", "random")
            row[f"threads {threads}"] = o.simulations / played["players"][0]["seconds"]
        return row
    return play


def report(rows, o):
    lines = [[row["name"], *(f"{now[key]:,.0f}" for key in ("playouts", "threads 1", "threads 2")),
              f"{now['threads 1'] / now['playouts']:.2f}", f"{now['threads 2'] / now['threads 1']:.2f}"]
             for row in rows if (now := row.get("now"))]
    return "bench-simulations", table(["game", "playouts/s", "simulations/s", "with two threads", "one / playouts", "two / one"], lines)
