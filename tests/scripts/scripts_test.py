"""The scripts: each has --help and a row in CONTRIBUTING; measurements are stored, resume, and take turns."""
import contextlib
import importlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))

from lib import driver  # noqa: E402
from lib.measure import Version, rewrite, run  # noqa: E402

MOST = 15
# Numbers moves as rgtrans does, writes its name down, and takes some time.
PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*" >>{folder}/calls
sleep {seconds}
case "$*" in *--count*) echo "legal somewhere 9 of 9 (100 %)" ;; *) echo "flat: 9" ;; esac
"""


def executables():
    return sorted(path for path in SCRIPTS.iterdir() if path.is_file() and os.access(path, os.X_OK))


def called(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **more)


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def program(self, name="now", seconds=0):
        path = self.folder / name
        path.write_text(PROGRAM.format(folder=self.folder, seconds=seconds))
        path.chmod(0o755)
        return path

    def calls(self):
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []


class Scripts(Folder):
    def test_each_answers_help(self):
        # scripts/rgtrans finds a build that is up to date.
        (self.folder / "rgtrans").write_text("#!/bin/sh\necho usage")
        (self.folder / "rgtrans").chmod(0o755)
        for target in ("rgtrans", "all"):
            (self.folder / f".built-{target}").touch()
        for script in executables():
            with self.subTest(script.name):
                done = called(script, "--help", env={**os.environ, "RGTRANS_BUILD_DIR": str(self.folder)})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout + done.stderr, "")

    def test_are_few_and_listed(self):
        names = [script.name for script in executables()]
        self.assertLessEqual(len(names), MOST)
        page = (ROOT / "CONTRIBUTING.md").read_text()
        table = page[page.index("<!-- scripts -->"):page.index("<!-- /scripts -->")]
        self.assertEqual(re.findall(r"^\| `scripts/([\w-]+)` \|", table, re.M), names)

    def test_topics_are_listed_and_have_help(self):
        for kind in ("bench", "sweep"):
            listed = called(SCRIPTS / kind)
            self.assertEqual(listed.returncode, 0)
            names = re.findall(r"^  ([\w-]+)  +\w", listed.stdout, re.M)
            topics = driver.topics(kind)
            self.assertEqual(names, list(topics))
            for name in names:
                own = hasattr(importlib.import_module(topics[name]), "main")
                with self.subTest(f"{kind} {name}"):
                    done = called(SCRIPTS / kind, name, "--help")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    for option in () if own else ("--program", "--beside", "--runs", "--seconds", "--jobs", "--log"):
                        self.assertIn(option, done.stdout)
        self.assertEqual(called(SCRIPTS / "bench", "nothing").returncode, 2)

    def test_pages_have_the_marks_of_topics(self):
        """A command in a page that writes a table names a page with its marks."""
        for page in sorted((ROOT / "docs").glob("*.md")):
            text = page.read_text()
            for kind, name in re.findall(r"scripts/(bench|sweep) ([a-z][\w-]*)", text):
                self.assertIn(name, driver.topics(kind), page.name)


class Build(Folder):
    def test_compares_two_builds_and_fails_above_a_multiple(self):
        now = {"seconds": 60.0, "by the clock": 40.0, "fixed text": 2.0, "multiple": 30.0, "folder core/ir": 20.0, "file core/ir a.cpp": 9.0}
        before = {**now, "seconds": 90.0, "multiple": 45.0, "folder core/ir": 50.0, "folder core/gone": 1.0}
        log = self.folder / "log"
        log.write_text(json.dumps({"topic": "bench build", "name": "rgtrans", "now": now, "before": before}) + "\n")
        command = [SCRIPTS / "bench", "build", "--report", "--log", log]
        done = called(*command, "--most", 30)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("Before: 90 s of processor time", "Now: 60 s of processor time", "| core/ir | 50.0 | 20.0 |", "| core/gone | 1.0 |  |",
                     "| core/ir a.cpp | 9.0 | 9.0 |"):
            self.assertIn(line, done.stdout)
        slow = called(*command, "--most", 29)
        self.assertEqual(slow.returncode, 1)
        self.assertIn("rgtrans takes 30 times the fixed text, more than 29", slow.stderr)

    def test_takes_the_times_of_a_build_and_leaves_out_other_targets(self):
        build = self.folder / "build"
        build.mkdir()
        part, other = build / "part.cpp", build / "other.cpp"
        (build / "build.ninja").write_text(f"rule cc\n  command = true\nbuild part.o: cc {part}\nbuild other.o: cc {other}\nbuild program: phony part.o\n")
        compiler = self.folder / "bin" / "c++"
        compiler.parent.mkdir()
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
        for source in (part, part, other):
            source.write_text("")
            self.assertEqual(called(SCRIPTS / "lib" / "timed.py", build / "compilations.tsv", "sh", "-c", "exit 3", source).returncode, 3)
        lines = (build / "compilations.tsv").read_text().splitlines()
        self.assertEqual([line.split("\t")[1] for line in lines], [str(part), str(part), str(other)])
        command = [SCRIPTS / "bench", "build", "--logged", build, "--target", "program"]
        path = {**os.environ, "PATH": f"{compiler.parent}:{os.environ['PATH']}"}
        nothing = called(*command, env=path)
        self.assertIn("a cache had the results of the compiler", nothing.stdout + nothing.stderr)
        (build / "compilations.tsv").write_text(f"70\t{part}\n50\t{part}\n900\t{other}\n")
        done = called(*command, "--most", 10**9, env=path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("50 s of processor time", done.stdout)
        self.assertNotIn("other", done.stdout)
        self.assertEqual(called(*command, "--most", 1, env=path).returncode, 1)


class Common(Folder):
    """scripts/lib/common.sh: what it says while it installs and builds."""

    def run_bash(self, text, **more):
        done = called("bash", "-c", f"set -euo pipefail; . '{SCRIPTS}/lib/common.sh'; {text}", **more)
        return done.returncode, done.stderr

    def failed_installation(self, message):
        for name, text in (("id", "echo 0"), ("apt-get", f"echo \"{message}\"; exit 100"),
                           ("dpkg-query", 'case "$*" in *libfmt-dev) exit 1 ;; esac; echo install ok installed')):
            path = self.folder / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        code, said = self.run_bash("install_packages", env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(code, 1)
        self.assertIn("Not installed: libfmt-dev", said)
        self.assertIn(message, said)
        self.assertIn("apt-get install -y --no-install-recommends libfmt-dev", said)
        return said

    def test_names_the_remedy_of_a_failed_installation(self):
        for message, remedy in (("E: Unable to locate package libfmt-dev", "no package named libfmt-dev"),
                                ("E: Package 'libfmt-dev' has no installation candidate", "no package named libfmt-dev"),
                                ("E: Could not get lock /var/lib/dpkg/lock-frontend", "Another installation is under way"),
                                ("E: You don't have enough free space in /var/cache/apt/archives/.", "The disk is full"),
                                ("W: Failed to fetch http://x  Temporary failure resolving 'x'", "Check the network"),
                                ("E: Something else", "those of apt-get")):
            with self.subTest(message):
                self.assertIn(remedy, self.failed_installation(message))

    def test_shows_the_progress_of_a_build(self):
        for line, part in (("Building CXX object CMakeFiles/rgtrans_frontends_rbg.dir/Unity/unity_0_cxx.cxx.o", "front end RBG"),
                           ("Linking CXX static library librgtrans_backends_cpp.a", "back end C++"),
                           ("Building CXX object tests/CMakeFiles/test_cli.dir/Unity/unity_0_cxx.cxx.o", "tests of cli"),
                           ("Linking CXX executable rgtrans", "rgtrans")):
            lines = f"printf '%s\\n' nonsense '[0/2] Re-checking globbed directories...' '[2/8] {line}'"
            code, said = self.run_bash(f"{{ {lines}; }} | show_progress 20")
            self.assertEqual((code, said), (0, ""), "nothing soon where there is no terminal")
            code, said = self.run_bash(f"{{ {lines}; }} | show_progress 0")
            self.assertEqual((code, said), (0, f"[2/8] {part}\n"))
        code, said = self.run_bash("{ echo '[0/2] Re-checking globbed directories...'; sleep 2.5; } | show_progress 1")
        self.assertEqual(code, 0)
        self.assertIn("the first part is being compiled, 1 s so far\n", said)

    def test_a_failed_build_ends_with_its_errors(self):
        path = self.folder / "cmake"
        path.write_text('#!/bin/sh\ncase "$1" in --build) echo "x.cpp:1: error: bad"; exit 1 ;; esac\n')
        path.chmod(0o755)
        code, said = self.run_bash("build rgtrans rgtrans", env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}",
                                                                   "RGTRANS_BUILD_DIR": str(self.folder / "build")})
        self.assertEqual(code, 1)
        self.assertIn("x.cpp:1: error: bad", said)
        self.assertIn("The build failed", said)


class Sweep(Folder):
    def sweep(self, *words, **more):
        return called(SCRIPTS / "sweep", "actions", "--only", "hrg/tic-tac-toe,hrg/hex", *words, **more)

    def rows(self, log):
        return [json.loads(line) for line in log.read_text().splitlines()]

    def test_goes_on_where_the_log_ends(self):
        program, log = self.program(), self.folder / "log"
        first = self.sweep("--program", program, "--log", log)
        self.assertEqual(first.returncode, 0, first.stderr)
        rows = self.rows(log)
        self.assertEqual([row["name"] for row in rows], ["hrg/hex", "hrg/tic-tac-toe"])
        self.assertEqual(rows[0]["now"], {"form": "flat", "numbers": 9, "met": "100 %"})
        self.assertEqual(len(self.calls()), 4)
        log.write_text(log.read_text().splitlines()[0].replace("9", "1234") + "\n")
        again = self.sweep("--program", program, "--log", log)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(len(self.calls()), 6)  # hex is not measured again
        self.assertEqual([row["name"] for row in self.rows(log)], ["hrg/hex", "hrg/tic-tac-toe"])
        self.assertIn("| hrg/hex | flat | 1,234 | 100 % |", again.stdout)

    def test_measures_again_what_failed(self):
        program, log = self.folder / "now", self.folder / "log"
        self.sweep("--program", program, "--log", log)  # there is no such program
        self.assertTrue(all("No such file" in row["failed"] for row in self.rows(log)))
        self.program()
        self.sweep("--program", program, "--log", log)
        self.assertEqual(self.calls(), [])
        self.sweep("--program", program, "--log", log, "--again")
        self.assertEqual(len(self.calls()), 4)
        self.assertEqual([("now" in row) for row in self.rows(log)], [False, False, True, True])

    def test_writes_the_table_of_a_log_into_a_page(self):
        log, page = self.folder / "log", self.folder / "page.md"
        self.sweep("--program", self.program(), "--log", log)
        page.write_text("before\n<!-- action-table -->\nold\n<!-- /action-table -->\nafter\n")
        done = self.sweep("--report", "--log", log, "--markdown", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("old", page.read_text())
        self.assertRegex(page.read_text(), r"(?s)^before\n.*\| hrg/hex \| flat \| 9 \| 100 % \|.*\nafter\n$")
        self.assertEqual(len(self.calls()), 4)

    def test_interrupted_keeps_what_was_measured(self):
        program, log = self.program(seconds=0.3), self.folder / "log"
        command = [SCRIPTS / "sweep", "actions", "--only", "hrg/", "--program", program, "--log", log, "--jobs", "2"]
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        begin = time.monotonic()
        while not log.exists() and time.monotonic() - begin < 60:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        rows = self.rows(log)
        self.assertGreater(len(rows), 0)
        self.assertLess(len(rows), len(list((ROOT / "games" / "hrg").glob("*.hrg"))))
        self.assertTrue(all(row["now"]["met"] == "100 %" for row in rows), rows)
        self.assertIn("Interrupted", err)
        self.assertIn(f"| {rows[0]['name']} |", out)


class Bench(Folder):
    def test_runs_a_topic_and_goes_on(self):
        """A bench topic with the real program, where it is built."""
        program = pathlib.Path(os.environ.get("RGTRANS_BINARY", ROOT / "build" / "rgtrans"))
        if not program.exists():
            self.skipTest(f"{program} is not built")
        log = self.folder / "log"
        command = [SCRIPTS / "bench", "solver", "--only", "nim 5", "--seconds", "20", "--program", program, "--log", log]
        first = called(*command)
        self.assertIn("| nim 5 | 100, 0 |", first.stdout, first.stderr)
        text = log.read_text()
        self.assertEqual(json.loads(text)["now"]["proof"], "verified")
        second = called(*command)
        self.assertEqual(log.read_text(), text)
        self.assertIn("| nim 5 | 100, 0 |", second.stdout, second.stderr)

    def in_turn(self, kind, words):
        before = Version("before", self.program("before"))
        with mock.patch.object(driver, "older_version", return_value=before), mock.patch.object(sys, "argv", [kind, *map(str, words)]), \
                contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(driver.main(kind), 0)
        return out.getvalue()

    def test_an_older_version_plays_in_turn(self):
        log = self.folder / "log"
        words = ["actions", "--only", "hrg/hex", "--program", self.program(), "--beside", "HEAD", "--runs", 2, "--log", log]
        self.in_turn("sweep", words)
        self.assertEqual([call.split()[0] for call in self.calls()], ["before", "before", "now", "now"] * 2)
        row = json.loads(log.read_text())
        self.assertEqual(row["before"], row["now"])
        # Without the older version it is another measurement.
        done = called(SCRIPTS / "sweep", "actions", "--only", "hrg/hex", "--program", self.program(), "--log", log)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(log.read_text().splitlines()), 2)

    def test_an_older_version_is_built_once(self):
        sources = self.folder / "sources"
        sources.mkdir()
        (sources / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(sources LANGUAGES NONE)\nadd_custom_command(OUTPUT rgtrans COMMAND ${CMAKE_COMMAND} "
            f"-E touch rgtrans COMMAND echo built >>{self.folder}/built)\nadd_custom_target(program DEPENDS rgtrans)\n")
        git = ["git", "-C", sources, "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
            self.assertEqual(called(*git, *words).returncode, 0)
        with mock.patch.object(driver, "ROOT", sources):
            versions = [driver.older_version("HEAD", ["program"]) for _ in range(2)]
            with self.assertRaises(SystemExit):
                driver.older_version("no-such-commit", ["program"])
        self.assertEqual(versions[0], versions[1])
        self.assertTrue(versions[0].program.exists())
        self.assertEqual((self.folder / "built").read_text(), "built\n")


class Measure(Folder):
    def test_limits_end_a_program(self):
        self.assertLess(run(["sh", "-c", "while :; do :; done"], seconds=1).code, 0)
        self.assertLess(run(["sleep", "60"], timeout=0.2).code, 0)
        self.assertNotEqual(run([sys.executable, "-c", "b'x' * 2**30"], gibibytes=0.5).code, 0)
        self.assertEqual(run(["sh", "-c", "echo $A; echo b >&2; exit 3"], settings={"A": 1})[0], 3)
        self.assertEqual(run(["sh", "-c", "echo $A"], settings={"A": 1}).out, "1\n")

    def test_a_page_needs_marks(self):
        page = self.folder / "page.md"
        page.write_text("nothing")
        with self.assertRaises(SystemExit):
            rewrite(page, "table", "text")


if __name__ == "__main__":
    unittest.main()
