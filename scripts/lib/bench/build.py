"""Processor time of each compilation of a build, by folder and file, and of the heaviest headers.

    scripts/bench build --target rgtrans --log build.jsonl
    scripts/bench build --headers --markdown docs/performance/build.md

A fresh build folder is configured and built with as many processes as there are processors, without a compiler cache; every
call of the compiler is timed. `--cmake-args "-DRGTRANS_UNITY=OFF -DRGTRANS_PRECOMPILE=OFF"` compiles a file at
a time. With --headers nothing is built: each header from outside is compiled alone, times the number of files that include it.
With --beside the sources of that commit are built, too, and the table has both.

Before and after each build, a file of fixed text is compiled alone. The build's time as a multiple of that compilation depends less on
the machine; with --most N the command fails if the present build exceeds that multiple.
"""
import collections
import os
import re
import shlex
import sys
import time

from lib.measure import ROOT, must, run, table

DEFAULTS = {"runs": 1, "seconds": 7200.0}
TARGETS = ["help"]  # the sources are wanted; this target of CMake builds nothing
FOLDERS = ["core", "frontends", "backends", "ide", "cli", "python/bindings"]
# Replaces ccache: runs the compiler and writes down its time.
LAUNCHER = """#!{python}
import os, resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
source = [word for word in sys.argv if word.endswith((".cpp", ".cxx"))]
with open({log!r}, "a") as log:
    log.write("%.2f\\t%s\\n" % (usage.ru_utime + usage.ru_stime, source[-1] if source else "?"))
sys.exit(code)
"""


def options(parser):
    parser.add_argument("--target", action="append", help="rgtrans_translator, which scripts/rgtrans builds first, if none is named")
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--most", type=float, metavar="N", help="fail if the build takes more than N times the compilation of a fixed text")
    parser.add_argument("--cmake-args", default="", help="further options of CMake")
    parser.add_argument("--headers", action="store_true")


def items(o):
    if o.headers:
        return [("headers", None)]
    targets = o.target or ["rgtrans_translator"]
    return [(" and ".join(targets) + (f" {o.cmake_args}" if o.cmake_args else ""), targets)]


def short(path, build, sources):
    """core/passes and batch 2 for the second batch of a folder, else folder and file."""
    inside = os.path.relpath(path, build)
    batch = re.match(r"(?:.*/)?CMakeFiles/(?:rgtrans_)?(\w+)\.dir/Unity/unity_(\d+)", inside)
    if batch:
        return batch[1].replace("_", "/", 1), f"batch {int(batch[2]) + 1}"
    source = os.path.relpath(path, sources)
    if "cmake_pch" in inside or source.startswith(".."):
        return "precompiled headers", ""
    return os.path.dirname(source), os.path.basename(path)


# A second or two of templates and optimization, of the standard library alone.
CALIBRATION = """#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
bool matches(const std::string& text) { return std::regex_match(text, std::regex("(a|b)*c[0-9]+")); }
int total(const std::map<std::string, std::function<int(int)>>& f) { int n = 0; for (const auto& [k, v] : f) n += v(n); return n; }
"""


def calibration(folder):
    """Seconds of the processor for the fixed text."""
    source = folder / "calibration.cpp"
    source.write_text(CALIBRATION)
    return must(["c++", "-std=c++20", "-O2", "-c", "-o", folder / "calibration.o", source]).seconds


def compilations(targets, sources, folder, o):
    build, log, launcher = folder / "build", folder / "log", folder / "launcher"
    launcher.write_text(LAUNCHER.format(python=sys.executable, log=str(log)))
    launcher.chmod(0o755)
    before = calibration(folder)
    start = time.monotonic()
    configured = must(["cmake", "-S", sources, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCCACHE={launcher}",
                       *shlex.split(o.cmake_args)])
    built = must(["cmake", "--build", build, *(word for target in targets for word in ("--target", target))], timeout=o.seconds)
    clock, seconds = time.monotonic() - start, configured.seconds + built.seconds
    fixed = (before + calibration(folder)) / 2
    figures = {"seconds": seconds, "by the clock": clock, "fixed text": fixed, "multiple": seconds / fixed}
    files, folders = [], collections.Counter()
    for line in log.read_text().splitlines():
        seconds, path = line.split("\t")
        part, name = short(path, build, sources)
        files.append((float(seconds), f"file {part} {name}".strip()))
        folders[f"folder {part}"] += float(seconds)
    return {**figures, **dict(folders.most_common(o.rows)), **{name: seconds for seconds, name in sorted(files, reverse=True)[:o.rows]}}


def seconds_for(text, folder, runs=1):
    """The least of some runs, for a file of that text; 0 when it is none of C++."""
    source = folder / "header.cpp"
    source.write_text(text)
    done = [run(["c++", "-std=c++20", "-O2", "-fsyntax-only", source]) for _ in range(runs)]
    return 0 if any(r.code for r in done) else min(r.seconds for r in done)


def headers(sources, folder, o):
    users = collections.Counter()
    for top in FOLDERS:
        for path in (sources / top).rglob("*"):
            if path.suffix in (".cpp", ".hpp") and "runtime" not in path.parts:
                users.update(set(re.findall(r"^#include (<[^>]+>)", path.read_text(), re.M)))
    precompiled = set(re.findall(r"^#include (<[^>]+>)", (sources / "cmake" / "precompiled.hpp").read_text(), re.M))
    nothing = seconds_for("", folder, 3)

    def cost(name, runs):
        return max(0, seconds_for(f"#include {name}\n", folder, runs) - nothing)
    # Twice as many as will be shown, once each; these again.
    likely = sorted(((users[name] * cost(name, 1), name) for name in users), reverse=True)[:2 * o.rows]
    rows = sorted(((users[name] * seconds, name, seconds) for name, seconds in ((n, cost(n, 3)) for _, n in likely)), reverse=True)
    return {name: [f"{seconds:.2f}", users[name], f"{total:.0f}", "yes" if name in precompiled else "no"] for total, name, seconds in rows[:o.rows]}


def prepare(targets, version, folder, o):
    sources = ROOT if version.name == "now" else version.program.parent.parent
    return lambda _: headers(sources, folder, o) if targets is None else compilations(targets, sources, folder, o)


def report(rows, o):
    text = []
    for row in rows:
        if "now" not in row or (row["name"] == "headers") != o.headers:
            continue
        now = row["now"]
        if o.headers:
            text.append(table(["header", "seconds", "files", "seconds in all", "precompiled"], [[f"`{name}`", *cells] for name, cells in now.items()]))
            continue
        versions = [version for version in ("before", "now") if version in row]
        for version in versions:
            of = row[version]
            when = "Before: " if version == "before" else "Now: " if len(versions) > 1 else ""
            text.append(f"{when}{of['seconds']:.0f} s of processor time, {of['by the clock']:.0f} s by the clock, {of['multiple']:.0f} times the "
                        f"fixed text, for {row['name']}.")
        for what, title in (("folder", "folder"), ("file", "compilation")):
            names = [name for name in now if name.startswith(what + " ")]
            names += [name for version in versions for name in row[version] if name.startswith(what + " ") and name not in names]
            rows = [[name.split(" ", 1)[1], *(f"{row[v][name]:.1f}" if name in row[v] else "" for v in versions)] for name in names[:o.rows]]
            text.append(table([title, *(versions if len(versions) > 1 else ["seconds"])], rows))
    return "bench-build-headers" if o.headers else "bench-build", "\n\n".join(text)


def verdict(rows, o):
    """1 if a build exceeds the multiple of --most."""
    slow = [row for row in rows if o.most and row.get("now", {}).get("multiple", 0) > o.most]
    for row in slow:
        print(f"error: {row['name']} takes {row['now']['multiple']:.0f} times the fixed text, more than {o.most:g}", file=sys.stderr)
    return 1 if slow else 0
