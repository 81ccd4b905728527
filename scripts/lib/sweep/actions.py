"""How the moves of the games of games/ are numbered, and how many of the numbers random play meets.

A row has the game, the form, the count of numbers and the share of them that are legal somewhere in the plays; `-` where they
take longer than --seconds of the processor.
"""
import re

from lib.measure import ROOT, must, run, table

DEFAULTS = {"runs": 1, "seconds": 60.0}
ENDINGS = {".hrg", ".rbg", ".rg", ".linegame", ".ldx", ".lud", ".kif"}


def options(parser):
    parser.add_argument("--plays", type=int, default=200)


def items(o):
    paths = sorted(path for path in (ROOT / "games").rglob("*") if path.suffix in ENDINGS)
    return [(str(path.relative_to(ROOT / "games").with_suffix("")), path) for path in paths]


def prepare(path, version, folder, o):
    def play(_):
        form, numbers = re.match(r"(flat|factored): (\d+)", must([version.program, "actions", path]).out).groups()
        done = run([version.program, "actions", "--count", o.plays, path], seconds=o.seconds)
        found = re.search(r"legal somewhere .*\((\d+) %\)", done.out)
        return {"form": form, "numbers": int(numbers), "met": f"{found[1]} %" if found else "-"}
    return play


def report(rows, o):
    rows = sorted((row for row in rows if "now" in row), key=lambda row: row["name"])
    lines = [[row["name"], row["now"]["form"], f"{row['now']['numbers']:,}", row["now"]["met"]] for row in rows]
    return "action-table", table(["game", "form", "numbers", f"met in {o.plays} random plays"], lines)
