"""Processor time of whole translations, a process a game, compared with the recorded times of the reference.

The records are ../shared/oracle/reference_translate.tsv (or below RGTRANS_SHARED), without optimizations for -O0 and with all
of them otherwise. Of each game the fastest run counts. The time of a program that does nothing is measured in the same turns,
because it is the larger half of a translation that takes a millisecond.
"""
from lib.measure import SHARED, must, records

DEFAULTS = {"runs": 20, "seconds": 60.0}
PICK = min
FOLDERS = {"hrg": "hrg", "rbg": "rbg/high", "rg": "rg"}


def options(parser):
    parser.add_argument("--kinds", default=["hrg", "rbg"], type=lambda text: text.split(","), help="some of hrg, rbg, rg")
    parser.add_argument("--level", type=int, default=0, help="as in -O")


def recorded(o):
    mode = "none" if o.level == 0 else "all"
    return {f"{row['kind']} {row['game']}": float(row["cpu_seconds"]) for row in records("reference_translate.tsv")
            if row["mode"] == mode and row["status"] == "ok"}


def items(o):
    known = recorded(o)
    for kind in o.kinds:
        for path in sorted((SHARED / "corpus" / FOLDERS[kind]).glob(f"*.{kind}")):
            if f"{kind} {path.stem}" in known:
                yield f"{kind} {path.stem}", (kind, path)


def prepare(subject, version, folder, o):
    kind, path = subject
    command = [version.program, f"-O{o.level}", "--from", kind, path]
    return lambda run: {"ms": 1e3 * must(command, keep=False, seconds=o.seconds).seconds,
                        "nothing": 1e3 * must(["/bin/true"], keep=False).seconds}


def report(rows, o):
    known, lines = recorded(o), []
    for version in ("before", "now"):
        for kind in o.kinds:
            times = {row["name"]: row[version]["ms"] for row in rows if row["name"].startswith(kind + " ") and version in row}
            if not times:
                continue
            nothing = sum(row[version]["nothing"] for row in rows if row["name"] in times)
            total, theirs = sum(times.values()), 1e3 * sum(known[name] for name in times)
            slowest = max(times, key=times.get)
            slower = [name for name in times if times[name] > 1e3 * known[name]]
            lines.append(f"* {version}, {kind}: {len(times)} games, {total:.1f} ms, reference {theirs:.0f} ms, ratio {total / theirs:.3f}; "
                         f"nothing {nothing:.1f} ms; slowest {slowest} {times[slowest]:.2f} ms; slower than the reference: "
                         f"{', '.join(slower) or 'none'}")
    return "bench-translate", "\n".join(lines)
