"""Playouts of the interpreter on unoptimized games, compared with the recorded figures of the reference interpreter.

A figure is playouts per second of processor time. The records are ../shared/oracle/reference_playouts.tsv (or below
RGTRANS_SHARED).
"""
import json

from lib.measure import SHARED, mean_line, must, records, table

DEFAULTS = {"runs": 1, "seconds": 1.0}
FOLDERS = {"rg": "rg", "hrg": "hrg", "rbg": "rbg/high"}


def options(parser):
    parser.add_argument("--kinds", default=["rg", "hrg"], type=lambda text: text.split(","), help="some of rg, hrg, rbg")


def recorded():
    return {f"{row['kind']} {row['game']}": float(row["playouts_per_cpu_s"]) for row in records("reference_playouts.tsv")
            if row["status"] == "ok" and row["kind"] in FOLDERS}


def items(o):
    for name in recorded():
        kind, game = name.split(" ", 1)
        path = SHARED / "corpus" / FOLDERS[kind] / f"{game}.{kind}"
        if kind in o.kinds and path.exists():
            yield name, path


def prepare(path, version, folder, o):
    def play(seed):
        done = must([version.program, "playouts", "-O0", "--json", "--seconds", o.seconds, "--seed", seed, path])
        return {"playouts": json.loads(done.out)["playouts"] / done.seconds}
    return play


def report(rows, o):
    known = recorded()
    rows = [row for row in rows if "failed" not in row]
    ratios = {row["name"]: row["now"]["playouts"] / known[row["name"]] for row in rows}
    lines = [[row["name"], f"{row['now']['playouts']:,.0f}", f"{ratios[row['name']]:.1f}"] for row in rows]
    return "bench-interpreter", "\n".join([table(["game", "playouts/s", "ratio"], lines), "",
                                           *mean_line("against the reference interpreter", ratios)])
