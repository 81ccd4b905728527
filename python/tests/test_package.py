"""What a user meets first: help, reprs, the typed surface, the build back end."""

import importlib.util
import inspect
import pydoc
import stat
import sys
import zipfile
from pathlib import Path

import pytest

import rgtrans

ROOT = Path(__file__).resolve().parents[2]


def test_help_reads_well():
    text = pydoc.plain(pydoc.render_doc(rgtrans))
    for name in ("load(path_or_text", "optimize(game", "class Game", "perft(self, depth", "legal_moves(self)"):
        assert name in text
    text = pydoc.plain(pydoc.render_doc(rgtrans.linegames))
    assert "attach_triangle(self, side" in text and "A triangle of three columns" in text


@pytest.mark.parametrize("module", [rgtrans, rgtrans.linegames, rgtrans.aec, rgtrans.open_spiel])
def test_public_functions_and_classes_are_documented_and_typed(module):
    for name in module.__all__:
        item = getattr(module, name)
        if inspect.isclass(item) or inspect.isfunction(item):
            assert item.__doc__, name
            members = [item] if inspect.isfunction(item) else [
                member for key, member in vars(item).items() if inspect.isfunction(member) and not key.startswith("_")
            ]
            for member in members:
                if inspect.getmodule(member) is inspect.getmodule(item):
                    signature = inspect.signature(member)
                    assert signature.return_annotation is not inspect.Signature.empty, member
                    for parameter in signature.parameters.values():
                        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty, member


def test_stubs_name_what_the_module_has():
    text = (Path(rgtrans.__file__).parent / "_core.pyi").read_text()
    core = rgtrans._core
    for owner in (core, core.Game, core.State, core.LineGame):
        for name in vars(owner):
            if not name.startswith("_") and name not in ("Game", "State", "LineGame"):
                assert f" {name}(" in text or f" {name}:" in text, name


def test_version():
    assert rgtrans.__version__ in (ROOT / "CMakeLists.txt").read_text()


def build_backend():
    spec = importlib.util.spec_from_file_location("rgtrans_build", ROOT / "python/build_backend/rgtrans_build.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    return backend


@pytest.mark.parametrize(
    "change", ["", "CMAKE_BUILD_TYPE:STRING=Debug", "RGTRANS_SANITIZE:STRING=address", "RGTRANS_WITH_PYTHON:INTERNAL=OFF",
               "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere", "Python_EXECUTABLE:FILEPATH=/no/such/python"]
)
def test_what_scripts_have_built_is_used_where_it_fits(tmp_path, change):
    backend = build_backend()
    assert backend.folder_of_scripts(tmp_path) is None
    (tmp_path / "build").mkdir()
    lines = ["# a comment", "", "//help: text", f"CMAKE_HOME_DIRECTORY:INTERNAL={tmp_path}", "CMAKE_BUILD_TYPE:STRING=Release",
             "RGTRANS_WITH_PYTHON:INTERNAL=ON", "RGTRANS_SANITIZE:STRING=", f"Python_EXECUTABLE:FILEPATH={sys.executable}"]
    (tmp_path / "build" / "CMakeCache.txt").write_text("\n".join([*lines, change]))
    assert backend.folder_of_scripts(tmp_path) == (None if change else tmp_path / "build")


def test_wheels(tmp_path, monkeypatch):
    """The build back end packs the module and every Python file; CMake is left out here."""
    backend = build_backend()
    module = Path(rgtrans._core.__file__)
    monkeypatch.setattr(backend, "compile_package", lambda folder, settings, of_scripts: (module, Path(__file__)))
    name = backend.build_wheel(str(tmp_path))
    assert name.startswith(f"rgtrans-{rgtrans.__version__}-cp3") and name.endswith(".whl")
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = wheel.namelist()
        record = wheel.read(f"rgtrans-{rgtrans.__version__}.dist-info/RECORD").decode().splitlines()
        assert len(record) == len(names)
        for needed in ("rgtrans/__init__.py", "rgtrans/py.typed", "rgtrans/_core.pyi", "rgtrans/linegames.py"):
            assert needed in names
        assert any(n.startswith("rgtrans/_core.c") for n in names)
        command = wheel.getinfo(f"rgtrans-{rgtrans.__version__}.data/scripts/rgtrans")
        mode = command.external_attr >> 16
        assert stat.S_ISREG(mode) and mode & 0o111  # else pip leaves it as it is
