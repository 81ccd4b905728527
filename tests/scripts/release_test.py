"""Packages: one version, the same bytes twice, names of wheels, the commands that are tried in a clean root."""
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "python" / "build_backend")]

import rgtrans_build  # noqa: E402
from lib.release import check, pack  # noqa: E402

VERSION = rgtrans_build.version()


class OneVersion(unittest.TestCase):
    def test_no_other_file_names_it(self):
        for name in ("package.json", "package-lock.json"):
            self.assertEqual(json.loads((ROOT / "ide/vscode" / name).read_text())["version"], "0.0.0")
        for path in (ROOT / "pyproject.toml", ROOT / "Dockerfile", *(ROOT / "cmake").iterdir(), *(ROOT / "python/rgtrans").glob("*.py"),
                     *(ROOT / "cli").rglob("*.?pp"), *(ROOT / "scripts/lib/release").glob("*.py")):
            self.assertNotRegex(path.read_text(), rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])", path)

    @unittest.skipUnless(os.access(os.environ.get("RGTRANS_BINARY", ""), os.X_OK), "RGTRANS_BINARY names no program")
    def test_the_program_prints_version_commit_and_kind(self):
        done = subprocess.run([os.environ["RGTRANS_BINARY"], "--version"], capture_output=True, text=True)
        self.assertRegex(done.stdout, rf"^rgtrans {re.escape(VERSION)} \(commit ([0-9a-f]{{12}}|unknown), \w+\)\n$")
        self.assertEqual(done.returncode, 0)


class Archives(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_depend_on_names_and_contents_alone(self):
        for name, moment in (("b", 1), ("a", 2)):
            (self.folder / name).write_text(name)
            os.utime(self.folder / name, (moment, moment))
        (self.folder / "a").chmod(0o700)
        files = {"z/b": self.folder / "b", "a": self.folder / "a", "text": b"text"}
        rgtrans_build.write_archive(self.folder / "one.tar.gz", "top", files, 1000)
        os.utime(self.folder / "b", (5, 5))
        (self.folder / "a").chmod(0o755)
        rgtrans_build.write_archive(self.folder / "two.tar.gz", "top", dict(reversed(files.items())), 1000)
        self.assertEqual((self.folder / "one.tar.gz").read_bytes(), (self.folder / "two.tar.gz").read_bytes())
        with tarfile.open(self.folder / "one.tar.gz") as archive:
            self.assertEqual([(m.name, m.mode, m.mtime, m.uid) for m in archive],
                             [("top/a", 0o755, 1000, 0), ("top/text", 0o644, 1000, 0), ("top/z/b", 0o644, 1000, 0)])

    def test_the_source_distribution_has_everything_but_what_is_built(self):
        with mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1000"}):
            name = rgtrans_build.build_sdist(str(self.folder))
        base = f"rgtrans-{VERSION}"
        self.assertEqual(name, f"{base}.tar.gz")
        with tarfile.open(self.folder / name) as archive:
            names = set(archive.getnames())
        for file in ("CMakeLists.txt", "pyproject.toml", "README.md", "PKG-INFO", "scripts/rgtrans", "python/build_backend/rgtrans_build.py",
                     "games/hrg/chess.hrg", "ide/studio/dist/index.html", "core/support/text.cpp"):
            self.assertIn(f"{base}/{file}", names)
        self.assertEqual([n for n in names if re.match(rf"{base}/(build|dist|\.git/|ide/\w+/node_modules)", n)], [])

    def test_paths_of_the_machine_are_found(self):
        o = mock.Mock(build_dir=pathlib.Path("/somewhere/build"))
        files = {"good": b"\x7fELF /usr/include/x", "root": f"x{ROOT}/core".encode(), "build": b"\0/somewhere/build/y"}
        self.assertEqual(pack.paths_in(files, o), ["root", "build"])

    def test_checksums_are_those_of_sha256sum(self):
        (self.folder / "b").write_text("b\n")
        (self.folder / "a").write_text("a\n")
        text = pack.digests({name: self.folder / name for name in ("b", "a")})
        done = subprocess.run(["sha256sum", "-c"], input=text, capture_output=True, cwd=self.folder)
        self.assertEqual(done.stdout, b"a: OK\nb: OK\n")


class Wheels(unittest.TestCase):
    def test_are_named_by_the_newest_symbol(self):
        text = "  NEEDED               libc.so.6\n  NEEDED   libm.so.6\n 0x09691a75 0x00 05 GLIBC_2.2.5\n 0x1 0x00 04 GLIBC_2.{}\n"
        with mock.patch.object(rgtrans_build, "platform_tag", lambda: "linux_x86_64"):
            self.assertEqual(rgtrans_build.manylinux_tag([text.format(9), text.format(34)]), "manylinux_2_34_x86_64")
            with self.assertRaisesRegex(RuntimeError, "libstdc"):
                rgtrans_build.manylinux_tag([text.format(9) + "  NEEDED               libstdc++.so.6\n"])

    def test_carry_the_licence_once_there_is_one(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(rgtrans_build, "ROOT", pathlib.Path(folder)):
            self.assertEqual(rgtrans_build.licence(), {})
            pathlib.Path(folder, "LICENSE").write_text("as you like")
            self.assertEqual(rgtrans_build.licence(), {"LICENSE": b"as you like"})


class Tries(unittest.TestCase):
    def test_commands_of_the_first_screen_are_found(self):
        page = (ROOT / "README.md").read_text()
        commands = check.first_screen(page)
        self.assertGreaterEqual(len(commands), 3)
        self.assertTrue(all("scripts/" not in command and output for command, output in commands))
        more = check.further(page)
        self.assertGreater(len(more), 5)
        self.assertEqual([line.split()[1] for line, needs in more if needs], ["build"])

    def test_outputs_are_equal_but_for_times(self):
        self.assertTrue(check.same("1\t20\t0.000\n", "1\t20\t0.013\n"))
        self.assertFalse(check.same("1\t20\t0.000\n", "1\t21\t0.000\n"))

    def test_are_skipped_with_the_reason(self):
        out = io.StringIO()
        with mock.patch.object(check.os, "getuid", lambda: 1000), contextlib.redirect_stdout(out):
            self.assertEqual(check.main(mock.Mock(only=[])), 0)
        self.assertRegex(out.getvalue(), "^SKIPPED: .*root")


if __name__ == "__main__":
    unittest.main()
