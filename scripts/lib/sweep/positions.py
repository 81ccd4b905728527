"""Distinct states, positions and futures of the games of games/ at plies 1 to 4.

A position is what canonical_hash distinguishes; a future is a block of the coarsest bisimulation of all positions. `-` where a
ply has more than 400,000 states or the play more than --seconds of the processor, and for futures where there are more than
50,000 positions. `cmake --build build --target positions` builds its program. --markdown needs a page with the marks
`<!-- position-table -->` and `<!-- /position-table -->`.
"""
import json

from lib.measure import Failed, ROOT, run, table

DEFAULTS = {"runs": 1, "seconds": 120.0}
TARGETS = ["positions"]
FOLDERS = ["hrg", "rbg", "ludax", "ludii"]
PLIES = 4


def options(parser):
    pass


def items(o):
    endings = {".hrg", ".rbg", ".ldx", ".lud"}
    paths = sorted(path for folder in FOLDERS for path in (ROOT / "games" / folder).iterdir() if path.suffix in endings)
    return [(str(path.relative_to(ROOT / "games").with_suffix("")), path) for path in paths]


def prepare(path, version, folder, o):
    def count(_):
        done = run([version.tests("positions"), path], seconds=o.seconds)
        if done.code != 0 or not done.out:
            return {"plies": []}
        found = json.loads(done.out)
        if "failed" in found:
            raise Failed(found["failed"])
        if any(not (futures or 0) <= positions <= states for states, positions, futures in found["plies"]):
            raise Failed(f"more positions than states, or fewer than futures: {found['plies']}")
        return found
    return count


def report(rows, o):
    def cell(plies, ply):
        if ply >= len(plies):
            return "-"
        states, positions, futures = plies[ply]
        return f"{states:,} / {positions:,} / {'-' if futures is None else format(futures, ',')}"

    rows = sorted((row for row in rows if "now" in row), key=lambda row: row["name"])
    lines = [[row["name"], *(cell(row["now"]["plies"], ply) for ply in range(PLIES))] for row in rows]
    return "position-table", table(["game", *(f"ply {ply + 1}" for ply in range(PLIES))], lines)
