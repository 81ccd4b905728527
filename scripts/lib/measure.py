"""What the measuring scripts share: where the oracle's tables lie, and what a process costs."""
import collections
import csv
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("RGTRANS_SHARED", ROOT.parent / "shared"))
PROGRAM = str(ROOT / "build" / "rgtrans")

Run = collections.namedtuple("Run", "code seconds mebibytes out err")  # code as in subprocess


def records(name):
    """The rows of a table of the oracle."""
    path = SHARED / "oracle" / name
    if not path.exists():
        sys.exit(f"{path} is not there; set RGTRANS_SHARED")
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def run(command, seconds=None, gibibytes=None, keep=True):
    """Runs a command to its end, within limits of processor time and memory. Without `keep` what it writes is lost."""
    def limits():
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if gibibytes is not None:
            memory = int(gibibytes * 2**30)
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    # A function to run first costs the child time of its own, which would count in a run of a millisecond.
    first = limits if seconds is not None or gibibytes is not None else None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([str(word) for word in command], stdout=out if keep else subprocess.DEVNULL,
                                 stderr=err if keep else subprocess.DEVNULL, preexec_fn=first)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Run(child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, *texts)


def nvcc(folder, architecture):
    """The command that compiles for GPUs, with what the game in a folder asks of it; None without a compiler."""
    compiler = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    return compiler and [compiler, "--options-file", f"{folder}/nvcc.options", f"-arch={architecture}"]


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def rewrite(path, name, text):
    """Puts the text between the marks of that name in a file."""
    start_mark, end_mark = f"<!-- {name} -->", f"<!-- /{name} -->"
    old = path.read_text()
    start, end = old.find(start_mark), old.find(end_mark)
    if start < 0 or end < start:
        sys.exit(f"{path}: no lines {start_mark} and {end_mark}")
    path.write_text(f"{old[:start]}{start_mark}\n{text}\n{old[end:]}")
