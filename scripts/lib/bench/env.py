"""Steps a second of the batch engine, compared with plain playouts of the same reasoner and recorded figures of Ludax and PGX.

    nice -n 5 scripts/bench env --jobs 2 --log env.jsonl --markdown docs/performance/environments.md

Every game of games/ is played uniformly at random in a batch of 4,096 plays: with the choice made by the engine from the legal
actions (masks and rewards are written), the same with observations, and with the choice made by NumPy from the masks. Where the
masks of 4,096 plays take more than 64 MB, the batch is smaller. Finished plays begin anew in the same step. One thread plays,
and its processor time counts, so other programs disturb little; the best of several runs counts. --wall adds the time by the
clock of one and two threads, for a machine without other work.

The figures of Ludax and PGX are those of Ludax's paper for a whole NVIDIA RTX 4090 with 32,768 states; they are not run
here. A core is to reach a tenth of Ludax.
"""
import json
import pathlib
import sys

from lib.measure import ROOT, must, table

DEFAULTS = {"runs": 2, "seconds": 0.25}
TARGETS = ["rgtrans", "rgtrans_python"]
PICK = max
LANGUAGES = {"hrg": ".hrg", "rbg": ".rbg", "ludax": ".ldx", "ludii": ".lud", "gdl": ".kif", "linegames": ".linegame"}
LUDAX = {"tic-tac-toe": 380e6, "connect-four": 75.3e6, "yavalath": 117e6, "connect6": 59.2e6, "hex": 41.8e6, "gomoku": 36.7e6,
         "reversi": 14.8e6, "pente": 13.7e6}
PGX = {"tic-tac-toe": 408e6, "connect-four": 207e6, "reversi": 66e6, "hex": 121e6}

# A process a run, so that each version has its own package.
RUN = """
import json, sys, time
import numpy, rgtrans
path, seconds, more = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
game = rgtrans.load(path)
small = game.optimize()
generator = numpy.random.default_rng(1)
wide = rgtrans.env.VectorEnv(game, 1, threads=1, observe=False).mask.shape[1]
batch = 4096
while batch > 64 and batch * wide > 2**26:
    batch //= 2

def rate(step, clock):
    step(1)
    done, begin = 0, clock()
    while clock() - begin < seconds:
        step(4)
        done += 4
    return done * batch / (clock() - begin)

def make(threads, observe):
    env = rgtrans.env.VectorEnv(game, batch, threads=threads, observe=observe, reset_mode="same_step", dtype="bool")
    env.reset(seed=1)
    env.random_steps(40)  # plays of all ages
    return env

def slowly(n):
    for _ in range(n):
        weights = generator.random(one.mask.shape, numpy.float32)
        one.step((weights * one.mask).argmax(1).astype(numpy.int32))

def machine():
    facts = dict(line.split(":", 1) for line in open("/proc/cpuinfo").read().split("\\n\\n")[0].splitlines())
    facts = {name.strip(): text.strip() for name, text in facts.items()}
    flags = facts.get("flags", "").split()
    bits = 512 if "avx512bw" in flags else 256 if "avx2" in flags else 128
    return f"{facts.get('model name', 'unknown')}, family {facts.get('cpu family')}, model {facts.get('model')}; vectors of {bits} bits"

one, seeing = make(1, False), make(1, True)
found = {"a core": rate(one.random_steps, time.process_time), "observations": rate(seeing.random_steps, time.process_time),
         "NumPy": rate(slowly, time.process_time)}
if "playouts" in more:
    small.playouts(10, engine="cpp")
    begin = time.process_time()
    moves = small.playouts(seconds=seconds, engine="cpp").moves
    found["playouts"] = moves / (time.process_time() - begin)
if "wall" in more:
    two = make(2, False)
    found.update({"1 thread": rate(one.random_steps, time.perf_counter), "2 threads": rate(two.random_steps, time.perf_counter)})
print(json.dumps({**found, "batch": batch, "machine": machine()}))
"""


def options(parser):
    parser.add_argument("games", nargs="*", type=pathlib.Path, help="files; all games of games/ without any")
    parser.add_argument("--python", default=sys.executable, help="the Python for which the package was built")
    parser.add_argument("--no-playouts", action="store_true",
                        help="measure plain playouts of the games in Ludax's paper alone: each game is compiled again for them")
    parser.add_argument("--wall", action="store_true", help="measure one and two threads by the clock, too")


def items(o):
    paths = o.games or [path for folder, ending in LANGUAGES.items() for path in sorted((ROOT / "games" / folder).rglob(f"*{ending}"))]
    return [(f"{path.resolve().relative_to(ROOT / 'games').parts[0]}/{path.stem}" if ROOT / "games" in path.resolve().parents
             else path.stem, path) for path in paths]


def prepare(path, version, folder, o):
    command, settings = [o.python, "-c", RUN, path], {"PYTHONPATH": version.python}
    playouts = not o.no_playouts or path.suffix == ".ldx" and path.stem in LUDAX
    more = ["playouts"] * playouts + ["wall"] * o.wall
    must([*command, 0.01, *more], settings=settings)  # compiles the reasoners
    return lambda run: json.loads(must([*command, o.seconds, *more], settings=settings).out)


def millions(number):
    return f"{number / 1e6:.3g}" if number else "-"


def report(rows, o):
    measured = [row for row in rows if "now" in row]
    machines = sorted({row["now"]["machine"] for row in measured})
    walls = [key for key in ("1 thread", "2 threads") if any(key in row["now"] for row in measured)]
    lines, compared = [], []
    for row in measured:
        now, name = row["now"], row["name"]
        letter = chr(ord("A") + machines.index(now["machine"]))
        share = f"{now['a core'] / now['playouts']:.2f}" if now.get("playouts") else "-"
        lines.append([name, f"{now['batch']:,}", millions(now.get("playouts")), millions(now["a core"]), share,
                      *(millions(now.get(key)) for key in ("observations", "NumPy", *walls)), letter])
        language, _, short = name.rpartition("/")
        if language == "ludax" and short in LUDAX:
            compared.append([name, millions(now["a core"]), millions(LUDAX[short]), millions(PGX.get(short)),
                             f"{10 * now['a core'] / LUDAX[short]:.2f}", letter])
    head = ["game", "batch", "playouts", "a core", "share", "observations", "NumPy", *walls, "machine"]
    legend = "".join(f"* {chr(ord('A') + i)}: {machine}.\n" for i, machine in enumerate(machines))
    text = f"Millions of steps a second. Machines:\n\n{legend}\n" + table(head, lines)
    if compared:
        text += "\n\nCompared with Ludax and PGX:\n\n" + table(["game", "a core", "Ludax", "PGX", "a core / a tenth of Ludax", "machine"], compared)
    missing = [f"{row['name']} ({row['failed']})" for row in rows if "failed" in row]
    if missing:
        text += "\n\nWithout figures: " + "; ".join(missing) + "."
    return "bench-env", text
