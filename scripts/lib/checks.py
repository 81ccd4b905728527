"""Sweeps that check every game of games/ and of the corpus: the outcome of a check is

    complete    all plays were made, and agree
    partial     fewer plays were made in the time for a game, and agree
    limit       the game is too large, or is not loaded or built within time and memory
    none        the file is no game, or a game without players
    difference  something does not agree: the note says where
"""
import collections
import pathlib
import re

from lib.measure import ROOT, SHARED, as_text, first_line, run, table

LANGUAGES = {"HRG": [".hrg"], "RBG": [".rbg"], "RG": [".rg"], "line games": [".linegame", ".py"], "Ludax": [".ldx"], "Ludii": [".lud"], "GDL": [".kif"]}
OUTCOMES = ["complete", "partial", "limit", "none", "difference"]
DEFAULTS = {"runs": 1, "seconds": 60.0}


def result(outcome, plays=0, note=""):
    return {"outcome": outcome, "plays": plays, "note": note}


def options(checks, languages, parser):
    parser.add_argument("--building", type=int, default=240, help="processor seconds to load and build a game")
    parser.add_argument("--memory", type=float, default=6, help="gibibytes")
    parser.add_argument("--checks", nargs="+", choices=checks, default=list(checks), help="which of them")
    parser.add_argument("--languages", nargs="+", choices=languages, default=languages)


def items(o):
    """Games of GDL, which take longest, come last, and short ones first."""
    endings = {ending for language in o.languages for ending in LANGUAGES[language]}
    found = []
    for name, folder in (("games", ROOT / "games"), ("corpus", SHARED / "corpus")):
        found += [(path.suffix == ".kif", path.stat().st_size, f"{name}/{path.relative_to(folder)}", path) for path in folder.rglob("*")
                  if path.suffix in endings and path.name != "variants.py"]
    return [(f"{label} {check}", (path, check)) for _, _, label, path in sorted(found) for check in o.checks]


def prepare(checks, subject, version, folder, o):
    path, check = subject
    text = as_text(path, version, folder)

    def play(_):
        done = checks[check](text, version, folder, o)
        return {**done, "seconds": o.seconds, "note": done["note"].replace(str(text), path.name)}
    return play


def again(row, o):
    """With more time, a complete check and a file that is no game would give the same."""
    if "failed" in row or row["now"]["outcome"] == "difference":
        return True
    return row["now"]["outcome"] in ("partial", "limit") and row["now"]["seconds"] < o.seconds


def started(command, o, settings=None, memory=None):
    """A test program, with settings for it."""
    return run(command, seconds=o.seconds * 2 + o.building, gibibytes=memory, settings=settings)


def failed(done, pattern):
    """A test that ended without a result: it failed, or was stopped."""
    text = done.out + done.err
    if done.code < 0 or re.search(r"bad_alloc|MemoryError|cannot allocate", text):
        return result("limit", 0, f"stopped after {done.seconds:.0f} s")
    if done.code > 0 and (found := re.search(pattern, text)):
        return result("difference", 0, first_line(found[1]))
    return result("difference", 0, first_line(text.strip()[-300:]))


def known(rows):
    """(game, check) -> outcome, without the checks that failed."""
    return {tuple(row["name"].rsplit(" ", 1)): row["now"] for row in rows if "now" in row}


def report(checks, languages, rows):
    """A table of counts, and the games that differ."""
    lines, of_rows = [], known(rows)
    for language in languages:
        for kind in checks:
            of = [now for (game, check), now in of_rows.items() if check == kind and pathlib.Path(game).suffix in LANGUAGES[language]]
            counts = collections.Counter(now["outcome"] for now in of)
            lines.append([language, kind, *(counts[outcome] for outcome in OUTCOMES), f"{sum(now['plays'] for now in of):,}"])
    differing = [f"* {game} ({check}): {now['note']}" for (game, check), now in of_rows.items() if now["outcome"] == "difference"]
    differing += [f"* {row['name']}: {row['failed']}" for row in rows if "failed" in row]
    return "\n".join([table(["language", "check", *OUTCOMES, "plays"], lines), *([""] if differing else []), *differing])


def topic(checks, languages, mark, targets, more=lambda rows: ""):
    """The names of a topic (lib/driver.py) that makes these checks: functions of a file, version, folder and options."""
    return {"DEFAULTS": DEFAULTS, "TARGETS": targets, "items": items, "again": again,
            "options": lambda parser: options(checks, languages, parser),
            "prepare": lambda subject, version, folder, o: prepare(checks, subject, version, folder, o),
            "report": lambda rows, o: (mark, report(checks, languages, rows) + more(rows))}
