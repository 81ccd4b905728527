"""Shared by scripts that measure: the oracle's tables, games, the cost of a process, tables in pages."""
import collections
import contextlib
import csv
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("RGTRANS_SHARED", ROOT.parent / "shared"))
PROGRAM = str(ROOT / "build" / "rgtrans")

Run = collections.namedtuple("Run", "code seconds mebibytes out err")  # code as in subprocess


class Version(collections.namedtuple("Version", "name program")):
    """A build of ours: `now`, or `before` for that of --beside."""

    def tests(self, name):
        return pathlib.Path(self.program).parent / "tests" / name

    @property
    def python(self):
        return pathlib.Path(self.program).resolve().parent / "python"


class Failed(Exception):
    """A figure that cannot be taken, and why."""


def records(name):
    """The rows of a table of the oracle."""
    path = SHARED / "oracle" / name
    if not path.exists():
        sys.exit(f"{path} is not there; set RGTRANS_SHARED")
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


# Programs have sessions of their own, so that Ctrl-C reaches this one alone.
_running, _stopped = set(), threading.Event()


def _kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def stop_programs():
    """Ends all programs that run; from now on none is started."""
    _stopped.set()
    for process in list(_running):
        _kill(process)


def run(command, seconds=None, gibibytes=None, keep=True, timeout=None, settings=None):
    """Runs a command to its end, within limits of processor time, memory and time by the clock, with settings in its
    environment. Without `keep` its output is lost."""
    if _stopped.is_set():
        raise Failed("stopped")
    environment = {**os.environ, **{name: str(value) for name, value in settings.items()}} if settings else None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            child = subprocess.Popen([str(word) for word in command], stdout=out if keep else subprocess.DEVNULL,
                                     stderr=err if keep else subprocess.DEVNULL, start_new_session=True, env=environment)
        except OSError as error:
            raise Failed(f"{command[0]}: {error.strerror}") from None
        _running.add(child.pid)
        # A function that the child runs first would cost time of its own, which counts in a run of a millisecond.
        with contextlib.suppress(ProcessLookupError):
            if seconds is not None:
                resource.prlimit(child.pid, resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
            if gibibytes is not None:
                resource.prlimit(child.pid, resource.RLIMIT_AS, (int(gibibytes * 2**30),) * 2)
        watch = timeout and threading.Timer(timeout, _kill, [child.pid])
        if watch:
            watch.start()
        if _stopped.is_set():
            _kill(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        _running.discard(child.pid)
        if watch:
            watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Run(child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, *texts)


def first_line(text):
    return text.strip().splitlines()[0].replace("\t", " ") if text.strip() else ""


def must(command, **limits):
    """Runs a command that has to succeed."""
    done = run(command, **limits)
    if done.code != 0:
        # Python names the mistake last, other programs first.
        told = done.err.strip().splitlines()[-1] if done.err.startswith("Traceback") else first_line(done.err)
        raise Failed(told or (f"ends with {done.code}" if done.code > 0 else "stopped: it takes too long"))
    return done


def build(version, path, target, *options, seconds=1200):
    """Compiles a game to a program of its own."""
    return must([version.program, "build", *options, path, "-o", target], seconds=seconds)


def speed(program, seconds, seed, *options, limit=None):
    """Playouts and moves a second of a program that rgtrans has built."""
    done = must([program, "playouts", *options, seconds, seed], timeout=limit or 60 + 20 * seconds)
    found = re.search(r"([0-9.]+) per second(?:\nturns: ([0-9.]+))?", done.out)
    if found is None or float(found[1]) == 0:
        raise Failed("no playout in the time")
    return {"playouts": float(found[1]), "moves": float(found[1]) * float(found[2] or 0)}


def edges(version, path, *options):
    return json.loads(must([version.program, "stats", "--json", *options, path], seconds=600).out)["edges"]


def as_text(path, version, folder):
    """The file of a game, or that of the game which a file of Python defines."""
    if path.suffix != ".py":
        return path
    target = folder / f"{path.stem}.linegame"
    target.write_text(must([sys.executable, "-c", "import runpy, sys; print(runpy.run_path(sys.argv[1])['game'].to_json())", path],
                           settings={"PYTHONPATH": version.python}).out)
    return target


def replaced(path, changes, folder):
    """The file, or a copy of it in the folder with pairs of texts replaced."""
    if not changes:
        return path
    text = path.read_text()
    for old, new in changes:
        if old not in text:
            raise Failed(f"{path.name} has no '{old}'")
        text = text.replace(old, new)
    copy = folder / path.name
    copy.write_text(text)
    return copy


def nvcc(folder, architecture):
    """The command that compiles for GPUs, with the options that the game in a folder needs; None without a compiler."""
    compiler = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    return compiler and [compiler, "--options-file", f"{folder}/nvcc.options", f"-arch={architecture}"]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def quotient(a, b):
    return a / b if a and b else None


def mean_line(title, named_ratios):
    """The geometric mean of the ratios of games, with the lowest."""
    ratios = {name: ratio for name, ratio in named_ratios.items() if ratio}
    if not ratios:
        return []
    least = min(ratios, key=ratios.get)
    return [f"* {title}, geometric mean: {geometric_mean(ratios.values()):.2f} ({len(ratios)} games, lowest {ratios[least]:.2f}, {least})"]


def cell(value, form=",.0f"):
    return "" if value is None else value if isinstance(value, str) else format(value, form)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def two_columns(head, rows):
    """A table whose second half is to the right of the first."""
    rows = [list(map(str, row)) for row in rows]
    half = (len(rows) + 1) // 2
    rows += [[""] * len(head)] * (2 * half - len(rows))
    return table([*head, *head], [a + b for a, b in zip(rows[:half], rows[half:])])


def rewrite(path, name, text):
    """Puts the text between the marks of that name in a file."""
    start_mark, end_mark = f"<!-- {name} -->", f"<!-- /{name} -->"
    old = path.read_text()
    start, end = old.find(start_mark), old.find(end_mark)
    if start < 0 or end < start:
        sys.exit(f"{path}: no lines {start_mark} and {end_mark}")
    path.write_text(f"{old[:start]}{start_mark}\n{text}\n{old[end:]}")
