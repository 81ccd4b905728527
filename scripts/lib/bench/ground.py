"""Processor time of `rgtrans ground` compared with the recorded times of other grounders.

The table has ours, each tool's, and how many times faster ours is than the fastest of them and than gringo; then the total and the
geometric mean over the games that take any tool more than 0.05 s, and the worst ratio to gringo over all. A tool that was
stopped after 15 s counts with the time that it had used by then. The records are ../shared/oracle/gdl_ground.tsv (or below RGTRANS_SHARED).
"""
import collections
import os

from lib.measure import SHARED, cell, geometric_mean, must, records, table

DEFAULTS = {"runs": 1, "seconds": 60.0}
PICK = min
EXCLUDED_BELOW = 0.05  # seconds: where every tool is faster, only starting up is measured
RESOLUTION = 0.01  # of the recorded times


def options(parser):
    parser.add_argument("--all", action="store_true", help="also the games that no tool grounded")


def times_of_tools():
    """game -> tool -> (seconds, finished)"""
    tools = collections.defaultdict(dict)
    for row in records("gdl_ground.tsv"):
        if row["status"] not in ("ok", "timeout15"):
            continue
        tool, finished = row["method"].split("-")[0], row["status"] == "ok"
        time, best = float(row["cpu_seconds"]), tools[row["game"]].get(tool)
        # Of two encodings for one tool the better counts: one that finished, then the faster.
        if best is None or (finished, -time) > (best[1], -best[0]):
            tools[row["game"]][tool] = (time, finished)
    return tools


def items(o):
    corpus, known = SHARED / "corpus" / "gdl", times_of_tools()
    for path in sorted(corpus.rglob("*.kif")):
        name = str(path.relative_to(corpus).with_suffix(""))
        if o.all or name in known:
            yield name, path


def prepare(path, version, folder, o):
    def play(_):
        done = must([version.program, "ground", path, "-o", os.devnull], seconds=o.seconds, keep=False)
        return {"seconds": done.seconds, "MiB": round(done.mebibytes)}
    return play


def report(rows, o):
    known = times_of_tools()
    tools = sorted({tool for row in rows for tool in known.get(row["name"], {})})
    lines, compared, gringo_ratios, over, slow = [], {}, {}, [], 0
    for row in rows:
        of, name = known.get(row["name"], {}), row["name"]
        ours = row.get("now", {}).get("seconds")
        theirs = [f"{of[t][0]:.2f}" if t in of and of[t][1] else f">{of[t][0]:.0f}" if t in of else "" for t in tools]
        best, gringo = min((s for s, _ in of.values()), default=None), of.get("gringo")
        if ours is not None:
            slow += ours > 5
            if gringo:
                gringo_ratios[name] = max(gringo[0], RESOLUTION) / ours
                over += [name] if gringo_ratios[name] < 0.5 else []
            if any(s > EXCLUDED_BELOW for s, _ in of.values()):
                compared[name] = (ours, best)
        lines.append([name, cell(ours, ".3f"), cell(row.get("now", {}).get("MiB")), *theirs, cell(best / ours if best and ours else None, ".2f"),
                      cell(gringo_ratios.get(name), ".2f")])
    unfinished = [row["name"] for row in rows if "failed" in row]
    text = [table(["game", "ours", "MiB", *tools, "best/ours", "gringo/ours"], lines), "",
            f"* {len(rows)} games, {len(rows) - len(unfinished)} finished, {slow} of them in more than 5 s; not finished: {', '.join(unfinished) or 'none'}"]
    if compared:
        ours, best = (sum(pair[i] for pair in compared.values()) for i in (0, 1))
        mean = geometric_mean([max(b, RESOLUTION) / a for a, b in compared.values()])
        text.append(f"* {len(compared)} games over {EXCLUDED_BELOW} s for some tool: ours {ours:.2f} s, the fastest tool of each {best:.2f} s, "
                    f"{best / ours:.2f} times; geometric mean {mean:.2f} times")
    if gringo_ratios:
        worst = min(gringo_ratios, key=gringo_ratios.get)
        text.append(f"* worst against gringo: {gringo_ratios[worst]:.2f} times as fast ({worst}); over twice gringo's time: {', '.join(over) or 'none'}")
    return "bench-ground", "\n".join(text)
