"""Checks of every game of games/ and of the corpus, one after the other: what came of them is kept in a table, where a script goes
on when it is started again. A row of the table is the game, the check, what came of it, how many plays were made, in how
many seconds at most, and a note; the last row of a game and check counts. What comes of it is

    complete    all plays were made, and agree
    partial     fewer plays were made in the time for a game, and agree
    limit       the game is too large, or is not loaded or built within time and memory
    none        the file is no game, or a game without players
    difference  something does not agree: the note says where
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import tempfile

from lib.measure import ROOT, SHARED, rewrite, run

LANGUAGES = {"HRG": [".hrg"], "RBG": [".rbg"], "RG": [".rg"], "line games": [".linegame", ".py"], "Ludax": [".ldx"], "GDL": [".kif"]}
OUTCOMES = ["complete", "partial", "limit", "none", "difference"]
ENOUGH = {"complete", "none"}  # more time would change nothing

Result = collections.namedtuple("Result", "outcome plays note")


def games(languages, only):
    """Name and file of each: those of GDL, which take longest, come last, and short ones first."""
    endings = {ending for language in languages for ending in LANGUAGES[language]}
    found = []
    for name, folder in (("games", ROOT / "games"), ("corpus", SHARED / "corpus")):
        for path in folder.rglob("*"):
            label = f"{name}/{path.relative_to(folder)}"
            if path.suffix in endings and path.name != "variants.py" and only in label:
                found.append((path.suffix == ".kif", path.stat().st_size, label, path))
    return [(label, path) for _, _, label, path in sorted(found)]


def first_line(text):
    return text.strip().splitlines()[0].replace("\t", " ") if text.strip() else ""


def failed(done, pattern):
    """A test that ended without a result: it failed, or was stopped."""
    text = done.out + done.err
    if done.code < 0 or re.search(r"bad_alloc|MemoryError|cannot allocate", text):
        return Result("limit", 0, f"stopped after {done.seconds:.0f} s")
    if done.code > 0 and (found := re.search(pattern, text)):
        return Result("difference", 0, first_line(found.group(1)))
    return Result("difference", 0, first_line(text.strip()[-300:]))


def started(command, settings, arguments, memory=None):
    """A program of the build, with settings for it."""
    os.environ.update({name: str(value) for name, value in settings.items()}, PYTHONPATH=str(ROOT / "build" / "python"))
    done = run(command, seconds=arguments.seconds * 2 + arguments.building, gibibytes=memory)
    for name in settings:
        del os.environ[name]
    return done


def as_text(path, folder, arguments):
    """The file of a game, or that of the game which a file of Python defines."""
    if path.suffix != ".py":
        return path
    text = pathlib.Path(folder) / f"{path.stem}.rg"
    program = "import runpy, sys; runpy.run_path(sys.argv[1])['game'].game().save(sys.argv[2])"
    done = started([sys.executable, "-c", program, path, text], {}, arguments)
    if done.code != 0:
        sys.exit(f"{path} defines no game\n{done.err}")
    return text


def read(log):
    known = {}
    if log.exists():
        for line in log.read_text().splitlines():
            game, check, outcome, plays, seconds, note = line.split("\t")
            known[game, check] = Result(outcome, int(plays), note), int(seconds)
    return known


def wanted(row, arguments):
    """Whether a check is made that has this row, or none."""
    if row is None:
        return True
    result, seconds = row
    if not arguments.again or result.outcome in ENOUGH:
        return False
    return result.outcome == "difference" or seconds < arguments.seconds


def check(checks, languages, arguments):
    known = read(arguments.log)
    for name, path in games(languages, arguments.only):
        for kind in arguments.checks:
            if not wanted(known.get((name, kind)), arguments):
                continue
            with tempfile.TemporaryDirectory() as folder:
                result = checks[kind](as_text(path, folder, arguments), arguments)
            note = result.note.replace(str(path), path.name)
            line = "\t".join([name, kind, result.outcome, str(result.plays), str(arguments.seconds), note])
            with open(arguments.log, "a") as log:
                log.write(line + "\n")
            print(line, flush=True)


def report(checks, languages, known):
    """A table of counts, and the games that differ."""
    lines = ["| language | check | " + " | ".join(OUTCOMES) + " | plays |", "|---|---|" + "---|" * (len(OUTCOMES) + 1)]
    for language in languages:
        for kind in checks:
            endings = LANGUAGES[language]
            of = [row[0] for (game, check), row in known.items() if check == kind and pathlib.Path(game).suffix in endings]
            counts = collections.Counter(result.outcome for result in of)
            cells = [str(counts[outcome]) for outcome in OUTCOMES]
            lines.append(f"| {language} | {kind} | " + " | ".join(cells) + f" | {sum(result.plays for result in of):,} |")
    differing = [f"{game} ({check}): {row[0].note}" for (game, check), row in known.items() if row[0].outcome == "difference"]
    return "\n".join(lines + ([""] + ["* " + line for line in differing] if differing else []))


def main(name, about, checks, languages, seconds, more=None):
    """The command: `checks` are functions of a file and the arguments, by name; `more` adds rows to the report."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", type=pathlib.Path, required=True, help="the table: rows are appended")
    parser.add_argument("--again", action="store_true", help="also what has a row that is not complete")
    parser.add_argument("--seconds", type=int, default=seconds, help="for the plays of a check")
    parser.add_argument("--building", type=int, default=240, help="processor seconds to load and build a game")
    parser.add_argument("--memory", type=float, default=6, help="gibibytes")
    parser.add_argument("--checks", nargs="+", choices=checks, default=list(checks), help="which of them")
    parser.add_argument("--languages", nargs="+", choices=languages, default=languages)
    parser.add_argument("--only", default="", help="games with this in their name (corpus/rbg/low/chess.rbg)")
    parser.add_argument("--report", type=pathlib.Path, help="a page whose table is replaced; nothing is checked")
    arguments = parser.parse_args()
    if not arguments.report:
        check(checks, arguments.languages, arguments)
        return
    known = read(arguments.log)
    rewrite(arguments.report, name, report(checks, languages, known) + (more(known) if more else ""))
