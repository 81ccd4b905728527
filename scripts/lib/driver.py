"""One driver for benchmarks (lib/bench) and for sweeps over a corpus (lib/sweep): options, turns, the log, tables in pages.

A topic is a module. The first line of its text is shown in the list of topics. It has

    DEFAULTS             of --runs and --seconds
    TARGETS              the targets of the older version that --beside builds, by default rgtrans
    options(parser)      its own options
    items(o)             pairs: a name, and the subject that is measured under it
    prepare(subject, version, folder, o)
                         builds the programs that a run needs; returns a function of the number of the run, which returns figures by
                         name. It raises Failed where there is nothing to measure.
    PICK                 chooses a figure from those of all runs, by default the median
    again(row, o)        whether --again measures a row anew, by default if it failed
    report(rows, o)      the mark of the table in a page, and its text
    verdict(rows, o)     the exit code, by default 0

or else main(words), which does all of this in its own way.

A row of the log is a line of JSON: topic ("bench gdl"), name, failed (why) or, by version, the figures.
"""
import argparse
import concurrent.futures
import importlib
import itertools
import json
import pathlib
import pkgutil
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

from lib import measure
from lib.measure import Failed, ROOT, Version, rewrite


def topics(kind):
    folder = ROOT / "scripts" / "lib" / kind
    return {module.name.replace("_", "-"): f"lib.{kind}.{module.name}" for module in pkgutil.iter_modules([str(folder)])}


def listed(kind):
    width = max(map(len, topics(kind)))
    lines = [f"  {name:{width}}  {importlib.import_module(path).__doc__.splitlines()[0]}" for name, path in topics(kind).items()]
    return "\n".join([f"scripts/{kind} TOPIC [OPTION…], where TOPIC is one of", *lines, f"scripts/{kind} TOPIC --help has the options."])


def older_version(commit, targets):
    """The program of a commit, built once below build/beside."""
    name = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=10", f"{commit}^{{commit}}"], capture_output=True, text=True)
    if name.returncode != 0:
        sys.exit(f"there is no commit {commit}")
    folder = ROOT / "build" / "beside" / name.stdout.strip()
    build = folder / "build"
    if not folder.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "prune"], check=True)
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", folder, commit], check=True, stdout=sys.stderr)
    if not (build / "build.ninja").exists():
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        subprocess.run(["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *launcher], check=True,
                       stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", build, "--target", *targets], check=True, stdout=sys.stderr)
    return Version("before", build / "rgtrans")


class Log:
    """Rows by name: those of the file, the last of a name counts, and those that are added."""

    def __init__(self, path, topic, beside):
        self.path, self.same = path, {"topic": topic, **({"beside": beside} if beside else {})}
        self.rows = {}
        for line in path.read_text().splitlines() if path and path.exists() else []:
            row = json.loads(line)
            if row["topic"] == topic and row.get("beside") == beside:
                self.rows[row["name"]] = row

    def add(self, row):
        row = {**self.same, **row}
        self.rows[row["name"]] = row
        if self.path:
            with open(self.path, "a") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return row


def shown(row):
    def text(figure):
        return f"{figure:,.4g}" if isinstance(figure, float) else str(figure)
    if "failed" in row:
        return f"{row['name']}: {row['failed']}"
    parts = {version: ", ".join(f"{key} {text(value)}" for key, value in row[version].items() if value not in (None, ""))
             for version in ("before", "now") if version in row}
    return f"{row['name']}: " + (parts["now"] if len(parts) == 1 else "; ".join(f"{version} {part}" for version, part in parts.items()))


class Measurement:
    def __init__(self, kind, topic, o):
        self.kind, self.topic, self.o = kind, topic, o
        targets = getattr(topic, "TARGETS", ["rgtrans"])
        self.versions = [Version("now", o.program)]
        if o.beside:
            self.versions.insert(0, older_version(o.beside, targets))
        self.pick = getattr(topic, "PICK", statistics.median)

    def prepared(self, item):
        """A folder for the item, and for each version the function that makes a run."""
        folder, plays = tempfile.TemporaryDirectory(), {}
        try:
            for version in self.versions:
                place = pathlib.Path(folder.name) / version.name
                place.mkdir()
                plays[version.name] = self.topic.prepare(item[1], version, place, self.o)
        except Failed as why:
            return folder, str(why)
        return folder, plays

    def measured(self, item, folder, plays):
        """All versions play in turn, so that a busy moment of the machine hits all alike."""
        with folder:
            if isinstance(plays, str):
                return {"name": item[0], "failed": plays}
            runs = {name: [] for name in plays}
            try:
                for run, (name, play) in itertools.product(range(1, self.o.runs + 1), plays.items()):
                    runs[name].append(play(run))
            except Failed as why:
                return {"name": item[0], "failed": str(why)}
        return {"name": item[0], **{name: self.of_all(figures) for name, figures in runs.items()}}

    def of_all(self, runs):
        def one(values):
            numbers = values and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
            return self.pick(values) if numbers else values[-1]
        return {key: one([run[key] for run in runs if run.get(key) is not None] or [None]) for key in runs[0]}

    def rows(self, items):
        """Benchmarks build as many items at once as --jobs says and measure them one by one; sweeps do both at once."""
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            if self.kind == "sweep":
                futures = [pool.submit(lambda item=item: self.measured(item, *self.prepared(item))) for item in items]
                try:
                    yield from (future.result() for future in concurrent.futures.as_completed(futures))
                finally:
                    pool.shutdown(wait=False, cancel_futures=True)
                return
            for begin in range(0, len(items), self.o.jobs):
                batch = items[begin:begin + self.o.jobs]
                for item, prepared in zip(batch, list(pool.map(self.prepared, batch))):
                    yield self.measured(item, *prepared)


def parsed(kind, name, topic, words):
    parser = argparse.ArgumentParser(prog=f"scripts/{kind} {name}", description=topic.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    common = parser.add_argument_group("options of every topic")
    common.add_argument("--program", type=pathlib.Path, default=measure.PROGRAM, help="rgtrans; its build folder is used")
    common.add_argument("--beside", metavar="COMMIT", help="measure that version in turn with the present one")
    common.add_argument("--runs", type=int, help=f"of each program (default {topic.DEFAULTS['runs']})")
    common.add_argument("--seconds", type=float, help=f"of a run (default {topic.DEFAULTS['seconds']:g})")
    common.add_argument("--jobs", type=int, default=1, help="how many items are built at once; sweeps also check so many at once")
    common.add_argument("--log", type=pathlib.Path, help="lines of JSON: items that it has are not measured again")
    common.add_argument("--again", action="store_true", help="measure also the items whose row in the log is not complete")
    common.add_argument("--only", default="", type=lambda text: text.split(","), help="items with one of these words in their name")
    common.add_argument("--markdown", type=pathlib.Path, help="the page whose table is replaced")
    common.add_argument("--report", action="store_true", help="measure nothing: make the table of the log")
    topic.options(parser)
    o = parser.parse_args(words)
    o.only = o.only or [""]
    o.program = pathlib.Path(o.program)
    for option, value in topic.DEFAULTS.items():
        if getattr(o, option) is None:
            setattr(o, option, value)
    if o.runs < 1 or o.jobs < 1 or o.seconds <= 0:
        parser.error("--runs, --jobs and --seconds are positive")
    if o.report and not o.log:
        parser.error("--report needs --log FILE")
    if o.report and not o.log.exists():
        parser.error(f"there is no {o.log} yet: measure first, without --report")
    return o


def measured(kind, topic, log, o):
    """Adds the rows of all items to the log; false if it was interrupted."""
    again = getattr(topic, "again", lambda row, o: "failed" in row)
    items = [item for item in topic.items(o) if any(word in item[0] for word in o.only) and
             (item[0] not in log.rows or (o.again and again(log.rows[item[0]], o)))]
    if not items:
        print("Nothing is left to measure: no such items, or all of them are in the log.", file=sys.stderr)
        return True
    rows = Measurement(kind, topic, o).rows(items)
    # A program that is stopped looks like one that failed: its row is not kept.
    stopped = threading.Event()

    def stop(*_):
        stopped.set()
        measure.stop_programs()

    before = signal.signal(signal.SIGINT, stop)
    try:
        for row in rows:
            if stopped.is_set():
                break
            print(shown(log.add(row)), flush=True)
    finally:
        signal.signal(signal.SIGINT, before)
        rows.close()
    return not stopped.is_set()


def main(kind):
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(listed(kind))
        return 0
    name, path = words[0], topics(kind).get(words[0])
    if path is None:
        print(f"there is no topic {name}\n{listed(kind)}", file=sys.stderr)
        return 2
    topic = importlib.import_module(path)
    if hasattr(topic, "main"):
        return topic.main(words[1:])
    o = parsed(kind, name, topic, words[1:])
    log = Log(o.log, f"{kind} {name}", o.beside)
    whole = o.report or measured(kind, topic, log, o)
    if log.rows:
        mark, text = topic.report(list(log.rows.values()), o)
        print(f"\n{text}")
        if o.markdown and whole:
            rewrite(o.markdown, mark, text)
    if not whole:
        print("\nInterrupted." + (f" The same command goes on: {o.log} has the rows so far." if o.log else ""), file=sys.stderr)
    return getattr(topic, "verdict", lambda rows, o: 0)(list(log.rows.values()), o) if whole else 130
