"""Steps a second of the batch engine, compared with plain playouts of the same reasoner and recorded figures of Ludax and PGX.

Every game is played uniformly at random in a batch of 4,096 plays: with the choice made by the engine from the legal actions
(masks and rewards are written), the same with observations, and with the choice made by NumPy from the masks. Finished plays
begin anew in the same step. The best of several runs counts, as other programs may disturb each of them. Times are wall
times; "a core" is by processor time of one thread.

The figures of Ludax and PGX are those of Ludax's paper for a whole NVIDIA RTX 4090 with 32,768 states; they are not run
here. A core is to reach a tenth of Ludax.
"""
import json
import pathlib
import sys

from lib.measure import ROOT, must, table

DEFAULTS = {"runs": 3, "seconds": 1.0}
TARGETS = ["rgtrans", "rgtrans_python"]
PICK = max
LUDAX = {"tic-tac-toe": 380e6, "connect-four": 75.3e6, "yavalath": 117e6, "connect6": 59.2e6, "hex": 41.8e6, "gomoku": 36.7e6,
         "reversi": 14.8e6, "pente": 13.7e6}
PGX = {"tic-tac-toe": 408e6, "connect-four": 207e6, "reversi": 66e6, "hex": 121e6}

# A process a run, so that each version has its own package.
RUN = """
import json, sys, time
import numpy, rgtrans
path, seconds, BATCH = sys.argv[1], float(sys.argv[2]), 4096
game = rgtrans.load(path)
small = game.optimize()
generator = numpy.random.default_rng(1)

def rate(step, clock):
    step(1)
    done, begin = 0, clock()
    while clock() - begin < seconds:
        step(4)
        done += 4
    return done * BATCH / (clock() - begin)

def make(threads, observe):
    env = rgtrans.env.VectorEnv(game, BATCH, threads=threads, observe=observe, reset_mode="same_step", dtype="bool")
    env.reset(seed=1)
    env.random_steps(40)  # plays of all ages
    return env

def slowly(n):
    for _ in range(n):
        weights = generator.random(one.mask.shape, numpy.float32)
        one.step((weights * one.mask).argmax(1).astype(numpy.int32))

one, two, seeing = make(1, False), make(2, False), make(1, True)
begin = time.process_time()
moves = small.playouts(seconds=seconds, engine="cpp").moves
print(json.dumps({"playouts": moves / (time.process_time() - begin),
                  "a core": rate(one.random_steps, time.process_time),
                  "1 thread": rate(one.random_steps, time.perf_counter), "2 threads": rate(two.random_steps, time.perf_counter),
                  "observations": rate(seeing.random_steps, time.process_time), "NumPy": rate(slowly, time.process_time)}))
"""


def options(parser):
    parser.add_argument("games", nargs="*", type=pathlib.Path, help="files; eight games of Ludax without any")
    parser.add_argument("--python", default=sys.executable, help="the Python for which the package was built")


def items(o):
    paths = o.games or [ROOT / "games" / "ludax" / f"{game}.ldx" for game in LUDAX]
    return [(path.stem, path) for path in paths]


def prepare(path, version, folder, o):
    command = [o.python, "-c", RUN, path]
    must([*command, 0.01], settings={"PYTHONPATH": version.python})  # compiles the reasoners
    return lambda run: json.loads(must([*command, o.seconds], settings={"PYTHONPATH": version.python}).out)


def report(rows, o):
    def millions(number):
        return f"{number / 1e6:.2f}" if number else "-"
    lines = []
    for row in rows:
        if "now" in row:
            now, name = row["now"], row["name"]
            ludax = LUDAX.get(name, 0)
            lines.append([name, millions(now["playouts"]), millions(now["a core"]), f"{now['a core'] / now['playouts']:.2f}",
                          *(millions(now[key]) for key in ("1 thread", "2 threads", "observations", "NumPy")), millions(ludax),
                          millions(PGX.get(name)), f"{10 * now['a core'] / ludax:.2f}" if ludax else "-"])
    head = ["game", "playouts", "a core", "share", "1 thread", "2 threads", "observations", "NumPy", "Ludax", "PGX", "a core / a tenth of Ludax"]
    return "bench-env", "Millions of steps a second, batch 4,096.\n\n" + table(head, lines)
