"""Playouts a second of GDL games, compiled and interpreted, compared with the recorded figures of other GDL systems.

    scripts/bench gdl --log speeds.jsonl --markdown docs/performance/gdl.md
    scripts/bench gdl --log speeds.jsonl --forms ground lifted --only chess
    scripts/bench gdl --log corpus.jsonl --corpus --runs 1 --seconds 0.3   # every description of the corpus

The table is ../shared/oracle/gdl_speed.tsv (or below RGTRANS_SHARED): every game in it whose description is there, in each requested
form (`default` is the form that rgtrans chooses). Times are processor times, as in the record. Other systems are not run. Of the corpus, the report counts the games beyond the limits and those that a compiled reasoner plays slower than the
interpreter.
"""
import json
import re

from lib.measure import Failed, SHARED, cell, geometric_mean, must, records, run, speed, table

DEFAULTS = {"runs": 3, "seconds": 1.0}
MOST_TRANSLATING, MOST_MEBIBYTES, MOST_BUILDING = 1.5, 1024, 60


def options(parser):
    parser.add_argument("--corpus", action="store_true", help="every description instead of those with a recorded figure")
    parser.add_argument("--forms", nargs="+", choices=["default", "ground", "lifted"], default=["default"])
    parser.add_argument("--building", type=int, default=300, help="most processor seconds of a step")


def recorded():
    """game -> the best figure of another system."""
    best = {}
    for row in records("gdl_speed.tsv"):
        best[row["game"]] = max(best.get(row["game"], 0.0), float(row["playouts_per_cpu_s"] or 0))
    return best


def items(o):
    corpus = SHARED / "corpus" / "gdl"
    games = [str(path.relative_to(corpus).with_suffix("")) for path in corpus.rglob("*.kif")] if o.corpus else recorded()
    return [(f"{game} {form}", (corpus / f"{game}.kif", form)) for game in sorted(games) for form in o.forms
            if (corpus / f"{game}.kif").exists()]


def prepare(subject, version, folder, o):
    path, form = subject
    flags = [] if form == "default" else ["--option", form]
    told = must([version.program, "stats", "--json", *flags, path], seconds=o.building)
    facts = {"edges": json.loads(told.out)["edges"], "translate": round(told.seconds, 2), "MiB": round(told.mebibytes)}
    # A game that is not built still has the figures of its translation and of the interpreter.
    built = run([version.program, "build", "--verbose", "--no-cache", *flags, "-o", folder / "game", path], seconds=o.building)
    facts["note"] = "tables" if "compiled as tables" in built.err else "" if built.code == 0 else "not built"
    if built.code == 0:
        facts["build"] = round(built.seconds, 1)

    def play(seed):
        row = dict(facts)
        done = run([version.program, "playouts", "--json", "--seconds", o.seconds, *flags, path, "--seed", seed], seconds=o.building)
        if done.code == 0 and (found := re.search(r'"playouts": ?(\d+)', done.out)):
            row["interpreted"] = int(found[1]) / max(done.seconds - told.seconds, 0.01)
        if built.code == 0:
            try:
                row["compiled"] = speed(folder / "game", o.seconds, seed, limit=o.building)["playouts"]
            except Failed as why:
                row["note"] = str(why)
        return row
    return play


def again(row, o):
    return "failed" in row or row["now"]["note"] == "not built"


def of_corpus(rows):
    """Counts, and the games that are beyond a limit or slower than the interpreter."""
    told = {row["name"].split()[0]: row["now"] for row in rows if "now" in row}

    def over(figure, most):
        return [name for name, now in told.items() if (now.get(figure) or 0) > most]
    played = {name: now for name, now in told.items() if now.get("compiled")}
    beyond = {
        "no game": [row["name"].split()[0] for row in rows if "failed" in row],
        f"translated in more than {MOST_TRANSLATING} s": over("translate", MOST_TRANSLATING),
        f"translated in more than {MOST_MEBIBYTES} MiB": over("MiB", MOST_MEBIBYTES),
        f"built in more than {MOST_BUILDING} s": over("build", MOST_BUILDING),
        "tables instead of code": [name for name, now in told.items() if now["note"] == "tables"],
        "not built, or not played": [name for name in told if name not in played],
        "slower than the interpreter": [name for name, now in played.items() if now["compiled"] < (now.get("interpreted") or 0)],
    }
    lines = [["all", len(rows), ""], *([what, len(found), ", ".join(sorted(found))] for what, found in beyond.items())]
    text = table(["", "games", ""], lines)
    both = [now["compiled"] / now["interpreted"] for now in played.values() if now.get("interpreted")]
    if both:
        most = [max(now.get(key) or 0 for now in told.values()) for key in ("translate", "MiB", "build")]
        text += ("\n\nMost seconds of a translation {:.2f}, most MiB {:.0f}, most seconds of a build {:.1f}; compiled beside interpreted "
                 "{:.1f} times in geometric mean.".format(*most, geometric_mean(both)))
    return text


def report(rows, o):
    if o.corpus:
        return "bench-gdl-corpus", of_corpus(rows)
    best, lines, ratios = recorded(), [], []
    for row in rows:
        (game, form), now = row["name"].rsplit(" ", 1), row.get("now", {})
        compiled, other = now.get("compiled"), best.get(game, 0)
        if compiled and other and form == "default":
            ratios.append(compiled / other)
        lines.append([game, form, cell(now.get("edges"), "d"), cell(now.get("build"), ""),
                      cell(compiled or now.get("note") or row.get("failed") or "none", ",.4g"), cell(now.get("interpreted") or "none", ",.4g"),
                      cell(other or "none", ",.4g"), cell(compiled / other if compiled and other else None, ".2f")])
    text = table(["game", "form", "edges", "build, s", "compiled", "interpreted", "best other", "ratio"], lines)
    if ratios:
        text += (f"\n\nGeometric mean over {len(ratios)} games: {geometric_mean(ratios):.2f}; least {min(ratios):.2f}; "
                 f"{sum(ratio < 1.5 for ratio in ratios)} below 1.5.")
    return "bench-gdl", text
