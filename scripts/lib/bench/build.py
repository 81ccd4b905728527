"""Processor time of each compilation of a build, by folder and file, and of the heaviest headers.

    scripts/bench build                                    the first command: the translator of RBG, as scripts/rgtrans builds it
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
import pathlib
import re
import shlex
import sys
import time

from lib.measure import Failed, ROOT, must, run, table

DEFAULTS = {"runs": 1, "seconds": 7200.0}
TARGETS = ["help"]  # the sources are wanted; this target of CMake builds nothing
FOLDERS = ["core", "frontends", "backends", "ide", "cli", "python/bindings"]
TIMED = ROOT / "scripts" / "lib" / "timed.py"  # replaces ccache


def options(parser):
    parser.add_argument("--target", action="append", help="if none is named, the first command: the translator of RBG in a build of the kind Quick")
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--most", type=float, metavar="N", help="fail if the build takes more than N times the compilation of a fixed text")
    parser.add_argument("--cmake-args", default="", help="further options of CMake")
    parser.add_argument("--headers", action="store_true")
    parser.add_argument("--logged", type=pathlib.Path, metavar="FOLDER",
                        help="build nothing: take the times that scripts/lib/timed.py wrote to FOLDER/compilations.tsv while everything was built there")


def items(o):
    if o.headers:
        return [("headers", None)]
    targets = o.target or [FIRST]
    if o.logged:
        return [(f"{' and '.join(targets)} in {o.logged}", targets)]
    return [((" and ".join(o.target) if o.target else "the first command") + (f" {o.cmake_args}" if o.cmake_args else ""), targets)]


FIRST = "rgtrans_translator_rbg"  # `scripts/rgtrans --from rbg`


def first_command(sources):
    """What scripts/rgtrans builds for `--from rbg`, and the kind of build: the whole program in versions without translators."""
    return ([FIRST], "Quick") if "CMAKE_CXX_FLAGS_QUICK" in (sources / "CMakeLists.txt").read_text() else (["rgtrans"], "Release")


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
    build, log = folder / "build", folder / "log"
    targets, kind = (targets, "Release") if o.target else first_command(sources)
    before = calibration(folder)
    start = time.monotonic()
    configured = must(["cmake", "-S", sources, "-B", build, "-G", "Ninja", f"-DCMAKE_BUILD_TYPE={kind}", f"-DCCACHE={TIMED};{log}",
                       *shlex.split(o.cmake_args)])
    built = must(["cmake", "--build", build, *(word for target in targets for word in ("--target", target))], timeout=o.seconds)
    clock, seconds = time.monotonic() - start, configured.seconds + built.seconds
    fixed = (before + calibration(folder)) / 2
    figures = {"seconds": seconds, "by the clock": clock, "fixed text": fixed, "multiple": seconds / fixed}
    return {**figures, **largest(times(log), build, sources, o)}


def logged(targets, folder, o):
    """The compilations of the targets among those of a build. If the cache had most results, there is nothing to measure."""
    build = o.logged.resolve()
    inputs = set(must(["ninja", "-C", build, "-t", "inputs", *targets]).out.split())
    compiled = [(seconds, path) for seconds, path in times(build / "compilations.tsv") if path in inputs]
    fixed = calibration(folder)
    if sum(seconds for seconds, _ in compiled) < 5 * fixed:
        raise Failed("nothing to measure: a cache had the results of the compiler")
    fixed = (fixed + calibration(folder)) / 2
    seconds = sum(seconds for seconds, _ in compiled)
    return {"seconds": seconds, "fixed text": fixed, "multiple": seconds / fixed, **largest(compiled, build, ROOT, o)}


def times(log):
    """Pairs: seconds and source. If a source was compiled several times, the last counts."""
    found = {}
    for number, line in enumerate(log.read_text().splitlines()):
        seconds, path = line.split("\t")
        found[path if path != "?" else number] = (float(seconds), path)
    return list(found.values())


def largest(compiled, build, sources, o):
    files, folders = [], collections.Counter()
    for seconds, path in compiled:
        part, name = short(path, build, sources)
        files.append((seconds, f"file {part} {name}".strip()))
        folders[f"folder {part}"] += seconds
    return {**dict(folders.most_common(o.rows)), **{name: seconds for seconds, name in sorted(files, reverse=True)[:o.rows]}}


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
    if targets is None:
        return lambda _: headers(sources, folder, o)
    return lambda _: logged(targets, folder, o) if o.logged else compilations(targets, sources, folder, o)


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
            clock = f"{of['by the clock']:.0f} s by the clock, " if "by the clock" in of else ""
            text.append(f"{when}{of['seconds']:.0f} s of processor time, {clock}{of['multiple']:.0f} times the fixed text, for {row['name']}.")
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
