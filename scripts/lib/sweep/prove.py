"""The conditions of a proper description, proved or refuted for every game of games/ and of the corpus.

    scripts/sweep prove --log FILE                          # goes on where the log ends
    scripts/sweep prove --log FILE --report --markdown docs/proving.md

Each game is given to `rgtrans check --prove`. The table has, by language and condition, how many games have it proved, refuted
and left open, and the share that is decided. --markdown needs a page with the marks `<!-- prove-table -->` and
`<!-- /prove-table -->`.
"""
import collections
import json
import pathlib

from lib import checks
from lib.measure import Failed, as_text, first_line, run, table

DEFAULTS = {"runs": 1, "seconds": 5.0}
TARGETS = ["rgtrans"]
CONDITIONS = ["moves", "keeper", "ends", "results", "actions", "hidden"]
LANGUAGES = list(checks.LANGUAGES)


def options(parser):
    parser.add_argument("--building", type=int, default=120, help="processor seconds to load a game")
    parser.add_argument("--memory", type=float, default=6, help="gibibytes")
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.set_defaults(checks=["prove"])


def items(o):
    return [(name.removesuffix(" prove"), path) for name, (path, _) in checks.items(o)]


def prepare(path, version, folder, o):
    text = as_text(path, version, folder)

    def prove(_):
        done = run([version.program, "check", "--prove", "--json", "--no-warnings", "--progress", "never", "--seconds", o.seconds, text],
                   seconds=o.seconds * 12 + o.building, gibibytes=o.memory)
        if done.code not in (0, 1) or not done.out.startswith("{"):
            raise Failed(first_line((done.err or done.out or f"stopped after {done.seconds:.0f} s").strip()))
        game = json.loads(done.out)["games"]
        if not game:
            raise Failed(first_line(done.err.strip()))
        return {found["condition"]: f"{found['standing']}: {found['reason']}" for found in game[0]["conditions"]}
    return prove


def again(row, o):
    return "failed" in row


def report(rows, o):
    lines = []
    known = {row["name"]: row["now"] for row in rows if "now" in row}
    for language in LANGUAGES:
        games = [now for name, now in known.items() if pathlib.Path(name).suffix in checks.LANGUAGES[language]]
        for condition in CONDITIONS if games else []:
            counts = collections.Counter(now[condition].split(":")[0] for now in games)
            decided = counts["proved"] + counts["refuted"]
            lines.append([language, condition, counts["proved"], counts["refuted"], counts["not decided"], f"{decided / len(games):.0%}"])
    failed = sum("failed" in row for row in rows)
    note = f"\n\n{failed} files are no games, or were not loaded in time." if failed else ""
    return "prove-table", table(["language", "condition", "proved", "refuted", "not decided", "decided"], lines) + note
