"""Playouts a second of compiled games, compared with programs that were written by hand for one game each.

    scripts/bench limit --runs 3 --seconds 1 --markdown docs/performance/limit.md
    scripts/bench limit --march x86-64-v3 --only chess

A program GAME.cpp of the folder plays the game of that name in games/hrg or games/rbg: GAME --seconds N --seed K prints its playouts a
second. GAME-each-move.cpp is taken instead of it where there is one. Both sides are compiled for the same processor.
"""
import pathlib
import re

from lib.measure import ROOT, SHARED, Failed, geometric_mean, must, speed, table

DEFAULTS = {"runs": 3, "seconds": 1}


def options(parser):
    parser.add_argument("--programs", type=pathlib.Path, default=SHARED / "limit", help="the folder of the programs (default %(default)s)")
    parser.add_argument("--march", default="native", help="the processor that g++ compiles for (default %(default)s)")


def items(o):
    programs = {path.stem: path for path in o.programs.glob("*.cpp")}
    for name in sorted(programs):
        games = [ROOT / "games" / kind / f"{name}.{kind}" for kind in ("hrg", "rbg")]
        game = next((path for path in games if path.exists()), None)
        if game is not None:
            yield name, (programs.get(f"{name}-each-move", programs[name]), game)


def compile_for(o, target, sources, *more):
    must(["g++", "-std=c++20", f"-march={o.march}", *more, "-o", target, *sources], seconds=600)


def prepare(subject, version, folder, o):
    program, game = subject
    hand, ours, code = folder / "hand", folder / "ours", folder / "code"
    compile_for(o, hand, [program], "-O3")
    must([version.program, "--to", "cpp", "-o", code, game], seconds=600)
    compile_for(o, ours, sorted(code.glob("*.cpp")), "-O2", "-w")

    def play(seed):
        out = must([hand, "--seconds", o.seconds, "--seed", seed + 1], timeout=60 + 20 * o.seconds).out.replace(",", "")
        found = re.search(r"([\d.]+) ?playouts/s|playouts/s ([\d.]+)", out)
        if found is None:
            raise Failed(f"{program.name} prints no playouts a second")
        best = float(found[1] or found[2])
        listed, drawn = (speed(ours, o.seconds, seed, *words)["playouts"] for words in ((), ("--sample",)))
        return {"hand": best, "listed": listed, "drawn": drawn, "listed share": listed / best, "drawn share": drawn / best}
    return play


def report(rows, o):
    found = {row["name"]: row["now"] for row in rows if "now" in row}
    lines = [[name, *(f"{now[key]:,.0f}" for key in ("hand", "listed", "drawn")), *(f"{now[key]:.3f}" for key in ("listed share", "drawn share"))]
             for name, now in found.items()]
    means = {key: geometric_mean([now[f"{key} share"] for now in found.values()]) for key in ("listed", "drawn")} if found else {}
    text = [table(["game", "by hand", "listed", "drawn", "listed / by hand", "drawn / by hand"], lines), "",
            "Geometric means: " + ", ".join(f"{value:.3f} {key}" for key, value in means.items()) + "."]
    return f"bench-limit-{o.march}", "\n".join(text)
