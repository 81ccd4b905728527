"""Every game as an environment: every move has a number, and plays of the compiled engine are those of the interpreter.

    scripts/sweep env --log FILE                          # goes on where the log ends
    scripts/sweep env --log FILE --again --seconds 120    # again the checks that were not complete with less time, or differed
    scripts/sweep env --log FILE --report --markdown docs/environments.md

There are two checks, which the tests make: `moves`, every legal move of 200 random plays at -O0 and at -O2 has its number;
`plays`, 1,000 random plays with the compiled engine are those of the interpreter, and tensors decode to the states that the
moves lead to. Games have at most 100,000 edges. --seconds is processor time of the plays of one check; loading and building
have as many as --building says.
"""
import re
import sys

from lib.checks import LANGUAGES, failed, result, started, topic
from lib.measure import ROOT, first_line

MOVES, PLAYS = 200, 1000


def not_played(note):
    """The outcome of a game that a test does not play, by its message."""
    far = re.match(r"more than \d+ edges|no batch", note) or re.search(r"limit|too (many|large|long)", note)
    idle = re.search(r"no player of this game ever moves", note)
    return result("limit" if far and not idle else "none", 0, first_line(note))


def moves(path, version, folder, o):
    settings = {"RGTRANS_FULL": "1", "RGTRANS_GAME": path, "RGTRANS_GAME_SECONDS": round(o.seconds)}
    command = [version.tests("test_core_analysis"), "--gtest_filter=ActionSpace.OfEveryGameHasEveryMove"]
    done = started(command, o, settings, o.memory)
    told = re.search(rf"^{re.escape(str(path))}: (.*)", done.out, re.MULTILINE)
    if done.code != 0 or not told:
        return failed(done, r"(?s)Failure\n(.*?)Google Test trace")
    found = re.match(r"(\d+) plays at -O0, (\d+) at -O2", told[1])
    if not found:
        return not_played(told[1].removeprefix("no game: "))
    made = min(map(int, found.groups()))
    return result("complete" if made == MOVES else "partial", made)


def plays(path, version, folder, o):
    settings = {"RGTRANS_FULL": "1", "RGTRANS_GAME": path, "RGTRANS_SECONDS": o.seconds, "PYTHONPATH": version.python}
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-rs", "-p", "no:cacheprovider", "-k", "thousand",
               ROOT / "python" / "tests" / "test_env.py"]
    done = started(command, o, settings, o.memory)
    if done.code == 0 and (skipped := re.search(r"^SKIPPED \[1\] \S+: (.*)", done.out, re.MULTILINE)):
        return not_played(skipped[1].removeprefix("no game: "))
    told = re.search(r": (\d+) plays, \d+ steps, (\d+) boards", done.out)
    if done.code != 0 or not told:
        return failed(done, r"(?m)^E +(.*)")
    made = int(told[1])
    return result("complete" if made == PLAYS else "partial", made, f"{told[2]} boards decoded")


globals().update(topic({"moves": moves, "plays": plays}, list(LANGUAGES), "check-env", ["rgtrans", "rgtrans_python", "test_core_analysis"]))
