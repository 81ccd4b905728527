"""The lifted form of every GDL game compared with recorded playouts and with its ground rules.

    scripts/sweep gdl --log FILE                          # goes on where the log ends
    scripts/sweep gdl --log FILE --again --seconds 120    # again the checks that were not complete with less time, or differed
    scripts/sweep gdl --log FILE --report --markdown docs/gdl.md

`ground`: recorded playouts are those of the lifted form, and so are 1,000 random ones of the network of its ground rules, or,
where these are too many, of the rules themselves; the interpreter plays the lifted form.
"""
import re

from lib.checks import failed, result, started, topic
from lib.measure import first_line

PLAYS = 1000


def ground(path, version, folder, o):
    settings = {"RGTRANS_FULL": "1", "RGTRANS_GAME": path, "RGTRANS_GAME_SECONDS": round(o.seconds)}
    done = started([version.tests("test_oracle"), "--gtest_filter=*GdlLifted.PlaysLikeTheDescription/0"], o, settings, o.memory)
    if done.code == 0 and (why := re.search(r"not lifted: +1 (.*)", done.out)):
        return result("none" if why[1] == "it is wrong" else "limit", 0, first_line(why[1]))
    told = re.search(r"(\d+) beside the rules, (\d+) recorded and (\d+) random playouts", done.out)
    if done.code != 0 or not told:
        return failed(done, r"(?s)Failure\n(.*)")
    rules, recorded, made = map(int, told.groups())
    note = f"{recorded} recorded, beside the {'rules' if rules else 'ground rules'}"
    return result("complete" if made == PLAYS else "partial", made, note)


globals().update(topic({"ground": ground}, ["GDL"], "check-gdl", ["rgtrans", "test_oracle"]))
