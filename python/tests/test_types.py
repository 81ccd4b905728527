"""A type checker reads the package, its examples, and a program that only imports rgtrans."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

ROOT = Path(__file__).resolve().parents[2]


def check(folder, *arguments, text=None):
    environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *arguments]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


def test_package_and_examples_pass(tmp_path):
    code, output = check(tmp_path)
    assert code == 0, output


PROGRAM = """
import rgtrans

game = rgtrans.load("game.hrg")
reveal_type(game.playouts(10, jobs=2).mean_length)
reveal_type(rgtrans.analyze(game).figures)
reveal_type(rgtrans.env.VectorEnv(game, 8).mask)
reveal_type(rgtrans.env.VectorEnv(game, 8, engine="cuda").mask)
reveal_type(rgtrans.aec.AECEnv(game).agents)
reveal_type(rgtrans.linegames.LineGame().points)
rgtrans.env.VectorEnv(game, 8, job=2)
rgtrans.env.NoSuchThing
game.playouts("many")
"""


def test_a_plain_import_is_typed(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    code, output = check(tmp_path, "--strict", str(tmp_path / "program.py"))
    assert code == 1
    lines = output.lower().splitlines()  # other versions write "List"
    for number, found in ((5, '"builtins.float"'), (6, "estimate]"), (7, "ndarray["), (8, "_core.devicearray"),
                          (9, "list[builtins.str]"), (10, "tuple[builtins.str, ...]")):
        place = f"program.py:{number}: note: revealed type is "
        assert any(place in line and found in line for line in lines), output
    for number in (11, 12, 13):
        assert f"program.py:{number}: error: " in output, output
