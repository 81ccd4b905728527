"""Every game compared with its optimized form on all reachable states, where they are few.

    scripts/sweep equal --log FILE                          # goes on where the log ends
    scripts/sweep equal --log FILE --again --seconds 120    # again the games that were not complete with less time, or differed
    scripts/sweep equal --log FILE --report --markdown docs/equality.md

`optimized`: `rgtrans equal` proves that the game at -O0 is the game at -O2. --states bounds the pairs of states; `plays` counts
them. A game that keeps moving for ever without a decision cannot be explored, and is `limit`.
"""
import json

from lib import checks
from lib.checks import failed, result
from lib.measure import first_line, run

LANGUAGES = [language for language in checks.LANGUAGES if language != "Ludii"]
OUTCOMES = {"equal": "complete", "different": "difference", "no difference found": "partial"}
NO_GAME = ("the game has no players", "no player of this game")


def optimized(path, version, folder, o):
    command = [version.program, "equal", "--match", "texts", "--json", "--states", o.states, "--seconds", o.seconds,
               "--memory", round(o.memory * 512), path]
    done = run(command, seconds=o.seconds * 2 + o.building, gibibytes=o.memory)
    if done.code in (0, 3, 4):
        found = json.loads(done.out)
        time = f"{found['seconds']:.1f} s"
        note = found.get("difference") or f"{found['stopped']}, depth {found['depth']}" if found["verdict"] != "equal" else time
        return result(OUTCOMES[found["verdict"]], found["states"], note)
    if done.code in (1, 2):
        lines = [line for line in done.err.splitlines() if "error" in line] or [done.err]
        limit = any(word in lines[0] for word in ("limit", "memory", "too many", "without a decision", "too large"))
        return result("limit" if limit else "none", 0, first_line(lines[0]))
    return failed(done, r"(?s)(.*)")


TOPIC = checks.topic({"optimized": optimized}, LANGUAGES, "equal-table", ["rgtrans"])


def options(parser):
    TOPIC["options"](parser)
    parser.add_argument("--states", type=int, default=5_000_000, help="most pairs of states")


globals().update({**TOPIC, "options": options})
