"""Moves a second of random plays on a GPU, compared with published figures of other systems and one core of this machine.

    scripts/bench gpu                     the games of the table: the device's own time, nothing copied
    scripts/bench gpu --compile           time of nvcc, registers and sizes; needs no device
    scripts/bench gpu --env               environments, too (the Python package must be there)
    scripts/bench gpu --twin              the same run on the host twin, to try this topic; its figures say nothing of a GPU
    scripts/bench gpu games/hrg/hex.hrg   these games
"""
import pathlib
import re
import subprocess
import sys

from lib.measure import Failed, ROOT, must, nvcc, quotient, run, table

DEFAULTS = {"runs": 1, "seconds": 600.0}
TARGETS = ["rgtrans", "rgtrans_python"]
# Published millions of moves a second of Ludax and PGX: one NVIDIA 4090, 32,768 states, random legal moves.
PUBLISHED = {"ludax/tic-tac-toe.ldx": (380, 408), "ludax/connect-four.ldx": (75, 207), "ludax/reversi.ldx": (14.8, 66),
             "ludax/hex.ldx": (41.8, 121), "ludax/yavalath.ldx": (117, None), "ludax/gomoku.ldx": (37, None),
             "ludax/connect6.ldx": (59, None), "ludax/pente.ldx": (14, None)}
# Compared with one core.
CORE = ["hrg/chess.hrg", "hrg/amazons.hrg", "hrg/english-draughts.hrg", "hrg/breakthrough.hrg", "hrg/pentago.hrg",
        "hrg/nine-mens-morris.hrg"]
WANTED = {"x Ludax": 10, "x PGX": 3, "x core": 20}
LANES = [1 << 15, 1 << 17, 1 << 20]


def options(parser):
    parser.add_argument("games", nargs="*", type=pathlib.Path)
    parser.add_argument("--plays", type=int, default=1 << 18)
    parser.add_argument("--steps", type=int, default=200, help="of a batch")
    parser.add_argument("--moves", type=int, default=50_000_000, help="of a batch, about: of large ones there are fewer steps")
    parser.add_argument("--arch", default="sm_90", help="for which --compile compiles")
    parser.add_argument("--env", action="store_true", help="also environments of the first batch, with masks, and with observations")
    parser.add_argument("--compile", action="store_true", help="only compile")
    parser.add_argument("--twin", action="store_true", help="on the processor")


def has_device():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True).stdout.startswith(b"GPU")
    except OSError:
        return False


def items(o):
    if not o.compile and not o.twin and not has_device():
        sys.exit("There is no GPU on this machine: nothing is measured, and no figure is given in its place.\n"
                 "--compile shows the time of nvcc and the sizes of the kernels, --twin tries this topic.")
    for path in o.games or [ROOT / "games" / name for name in [*PUBLISHED, *CORE]]:
        whole = path.resolve()
        yield str(whole.relative_to(ROOT / "games")) if ROOT / "games" in whole.parents else path.name, path


# Bytes of a state and of the room of a thread in the memory of the device, as the twin's compiler sees them.
SIZES = ('#include <cstdio>\n#include "game.cuh"\nint main() {\n'
         '  std::printf("%zu %zu", sizeof(reasoner::State), sizeof(reasoner::Room));\n}\n')


def compiled(path, version, folder, o):
    must([version.program, "--to", "cuda", "-o", folder, path], timeout=o.seconds)
    compiler = nvcc(folder, o.arch)
    if compiler is None:
        raise Failed("there is no nvcc")
    done = must([*compiler, "-Xptxas", "-v", "--keep", "--keep-dir", folder, "-c", "-o", f"{folder}/game.o", f"{folder}/game.cu"],
                timeout=o.seconds)
    said = done.out + done.err
    entry = re.search(r"Compiling entry function '\S*rules_kernel", said)
    at = entry.end() if entry else len(said)
    end = said.find("Compiling entry function", at)
    said = said[at:end if end >= 0 else None]
    used = re.search(r"Used (\d+) registers", said)
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill stores", said)]
    code = sum(int(section[1], 16) for cubin in folder.glob("*.cubin") for section in
               re.finditer(r" \.text\S*\s+PROGBITS\s+\w+\s+\w+\s+(\w+)", must(["readelf", "-S", "-W", cubin]).out))
    (folder / "sizes.cpp").write_text(SIZES)
    must(["g++", "-std=c++20", "-O0", "-o", folder / "sizes", folder / "sizes.cpp"])
    state, room = map(int, must([folder / "sizes"]).out.split())
    return {"seconds": round(done.seconds), "registers": int(used[1]) if used else None,
            "stack frame": max(map(int, re.findall(r"(\d+) bytes stack frame", said)), default=0), "spilled": sum(spills),
            "functions": len(spills), "code": code, "state": state, "working memory": room}


# Steps of an environment with masks of legal actions, and with observations as well.
ENVIRONMENT = """
import sys, rgtrans
from rgtrans.cuda import DeviceEnv
game, lanes, steps = rgtrans.load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for observe in (False, True):
    envs = DeviceEnv(game, lanes, observe=observe, dtype="bool")
    envs.reset(seed=1)
    envs.random_steps(steps)
    moves, seconds = envs.random_steps(steps)
    print(f"{moves / seconds:.0f}")
"""


def rate(words, o):
    """Millions of moves a second; None where the program fails, or is too slow."""
    done = run(words, timeout=o.seconds)
    found = re.search(r"([\d.]+) moves/s", done.out) or re.search(r"^moves: .*\(([\d.]+) per second\)", done.out, re.M)
    return float(found[1]) / 1e6 if done.code == 0 and found else None


def prepare(path, version, folder, o):
    if o.compile:
        return lambda _: compiled(path, version, folder, o)
    program, scale = folder / "program", 1024 if o.twin else 1
    if o.twin:
        must([version.program, "--to", "cuda", "-o", folder, path], timeout=o.seconds)
        must(["g++", "-std=c++20", "-O2", "-x", "c++", "-o", program, folder / "program.cu", folder / "reasoner.cpp"], timeout=o.seconds)
    else:
        must([version.program, "build", "--no-cache", "--engine", "cuda", "-o", program, path], timeout=o.seconds)
    on_core = [version.program, "playouts", "--engine", "cpp", "--seconds", "2", path]
    must([version.program, "playouts", "--engine", "cpp", "--count", "1", path], timeout=o.seconds)

    def play(seed):
        plays = o.plays // scale
        row = {"whole plays": rate([program, "playouts", plays, seed], o)}
        for lanes in LANES:
            steps = max(20, min(o.steps, o.moves // (lanes // scale)))
            row[f"batch {lanes // scale:,}"] = rate([program, "steps", lanes // scale, steps, seed], o)
        if not o.twin:
            first, again = (must([program, "playouts", plays // 16, seed], timeout=o.seconds).out.splitlines()[1:] for _ in range(2))
            if first != again:
                raise Failed("TWO RUNS OF ONE SEED DIFFER")
        if o.env:
            told = must([sys.executable, "-c", ENVIRONMENT, path, LANES[0] // scale, o.steps], timeout=o.seconds,
                        settings={"PYTHONPATH": version.python}).out.split()
            row["with masks"], row["and observations"] = (float(line) / 1e6 for line in told)
        return {**row, "one core": rate(on_core, o)}
    return play


def shown(value):
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def ratio(steps, other, what, o):
    """Of the first batch and of the best one."""
    best = max((s for s in steps if s is not None), default=None)
    if best is None or not other:
        return ""
    first, last = shown(quotient(steps[0], other)) or "?", shown(best / other)
    return (f"{first} to {last}" if first != last else first) + ("" if o.twin or best >= WANTED[what] * other else f" (wanted: {WANTED[what]})")


def report(rows, o):
    missing = [f"* {row['name']}: {row['failed']}" for row in rows if "failed" in row]
    rows = [row for row in rows if "now" in row]
    text = []
    for compiles in (True, False):
        of = [row for row in rows if ("registers" in row["now"]) == compiles]
        if not of:
            continue
        head, lines = list(of[0]["now"]), []
        for row in of:
            now = row["now"]
            cells = [f"{v / 1024:.1f} KiB" if key in ("code", "working memory") and v >= 1024 else f"{v} B" if key in ("code", "working memory", "state")
                     else v for key, v in now.items()] if compiles else [shown(v) for v in now.values()]
            if not compiles:
                steps = [v for key, v in now.items() if key.startswith("batch")]
                ludax, pgx = PUBLISHED.get(row["name"], (None, None))
                cells += [ratio(steps, other, what, o) for what, other in zip(WANTED, (ludax, pgx, now["one core"]))]
            lines.append([row["name"], *cells])
        if not compiles:
            head += WANTED
            text.append("Millions of moves a second, and how many times those of others they are: at the first batch, and at the best.")
        text.append(table(["game", *head], lines))
    if missing:
        text.append("Missing, for it could not be measured:\n" + "\n".join(missing))
    return "bench-gpu", "\n\n".join(text)
