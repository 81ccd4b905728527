"""Sizes of the forms of GDL games: edges from ground rules, from the rules as they are, and as chosen.

The folder is ../shared/corpus/gdl (or below RGTRANS_SHARED) where none is given. The report has the totals, and the games whose chosen
form takes more than 1.5 s or 1 GiB.
"""
import json
import pathlib

from lib.measure import SHARED, first_line, run, table

DEFAULTS = {"runs": 1, "seconds": 20.0}
FORMS = ("ground", "lifted", "chosen")
MOST_SECONDS, MOST_MEBIBYTES = 1.5, 1024


def options(parser):
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=list(FORMS))
    parser.add_argument("--level", type=int, default=2, help="as in -O")
    parser.add_argument("--memory", type=float, default=8, help="gibibytes")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=SHARED / "corpus" / "gdl")


def items(o):
    return [(f"{path.relative_to(o.folder).with_suffix('')} {form}", (path, form))
            for path in sorted(o.folder.rglob("*.kif")) for form in o.forms]


def prepare(subject, version, folder, o):
    path, form = subject
    flags = [] if form == "chosen" else ["--option", form]

    def play(_):
        done = run([version.program, "stats", f"-O{o.level}", "--json", *flags, path], seconds=o.seconds, gibibytes=o.memory)
        row = {"edges": None, "seconds": done.seconds, "MiB": done.mebibytes, "why": ""}
        if done.code == 0:
            return {**row, "edges": json.loads(done.out)["edges"]}
        if done.code < 0 or done.seconds >= o.seconds:
            return {**row, "why": "time"}
        lines = [line for line in done.err.splitlines() if "error" in line] or ["error"]
        return {**row, "why": "memory" if "memory" in lines[0] else first_line(lines[0]).split(": ")[-1]}
    return play


def again(row, o):
    return "failed" in row or row["now"]["edges"] is None


def report(rows, o):
    of = {}
    for row in rows:
        if "now" in row:
            game, form = row["name"].rsplit(" ", 1)
            of.setdefault(game, {})[form] = row["now"]
    forms = [form for form in FORMS if any(form in row for row in of.values())]
    all_of = {form: [row[form] for row in of.values() if form in row] for form in forms}
    shared = [row for row in of.values() if all(form in row and row[form]["edges"] is not None for form in forms)]

    def line(what, figure):
        return [what, *(figure(form) for form in forms)]
    lines = [
        line(f"edges of the {len(shared)} games that have all of these", lambda f: f"{sum(row[f]['edges'] for row in shared):,}"),
        line("most edges of a game", lambda f: f"{max((now['edges'] or 0 for now in all_of[f]), default=0):,}"),
        line(f"games without it in {o.seconds:g} s", lambda f: sum(now["edges"] is None for now in all_of[f])),
        line(f"over {MOST_SECONDS} s", lambda f: sum(now["seconds"] > MOST_SECONDS for now in all_of[f])),
        line("most seconds", lambda f: f"{max(now['seconds'] for now in all_of[f]):.2f}"),
        line("most MiB", lambda f: f"{max(now['MiB'] for now in all_of[f]):.0f}"),
    ]
    beyond = [f"{game} ({now['edges'] or now['why']}, {now['seconds']:.2f} s, {now['MiB']:.0f} MiB)" for game, row in of.items()
              if (now := row.get("chosen")) and (now["edges"] is None or now["seconds"] > MOST_SECONDS or now["MiB"] > MOST_MEBIBYTES)]
    return "gdl-forms", table(["", *forms], lines) + ("\n\nBeyond the limits: " + ", ".join(beyond) + "." if beyond else "")
