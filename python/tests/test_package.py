"""The first contact of a user: help, reprs, the typed surface, the build back end."""

import ast
import importlib
import importlib.util
import inspect
import os
import pydoc
import stat
import subprocess
import sys
import warnings
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
                if member.__module__.startswith("rgtrans"):
                    signature = inspect.signature(member)
                    assert signature.return_annotation is not inspect.Signature.empty, member
                    for parameter in signature.parameters.values():
                        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty, member


def test_stubs_name_what_the_module_has():
    tree = ast.parse((Path(rgtrans.__file__).parent / "_core.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}

    def names(body):
        return {getattr(node, "name", None) or getattr(getattr(node, "target", None), "id", None) for node in body}

    core = rgtrans._core
    assert {name for name in vars(core) if not name.startswith("_")} == names(tree.body) - {None, "__version__"}
    for name, node in classes.items():
        members = {member for member in vars(getattr(core, name)) if not member.startswith("_")}
        assert members == {member for member in names(node.body) - {None} if not member.startswith("_")}, name


def modules():
    """The modules of the package, and which of the others each imports, wherever in its text."""
    folder = Path(rgtrans.__file__).parent
    names = {"rgtrans" if path.stem == "__init__" else f"rgtrans.{path.stem}": path for path in folder.glob("*.py*")}
    imports = {name: set() for name in names}
    for name, path in names.items():
        for node in ast.walk(ast.parse(path.read_text())):
            found = []
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = node.module or "" if node.level == 0 else f"rgtrans.{node.module}" if node.module else "rgtrans"
                found = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in names else base for alias in node.names]
            imports[name].update(other for other in found if other in names and other != name)
    return imports


def test_no_module_imports_itself_by_others():
    imports = modules()
    assert "rgtrans._vector" in imports["rgtrans.env"] and len(imports) > 15
    done = set()

    def follow(name, way):
        assert name not in way, " -> ".join([*way, name])
        if name not in done:
            for other in sorted(imports[name]):
                follow(other, (*way, name))
            done.add(name)

    for name in imports:
        follow(name, ())


PUBLIC = ("rgtrans", "rgtrans.aec", "rgtrans.env", "rgtrans.linegames", "rgtrans.open_spiel")


def test_every_class_has_one_import_path():
    pytest.importorskip("numpy")
    places = {}
    for module in map(importlib.import_module, PUBLIC):
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isclass(item) or inspect.isfunction(item):
                assert item.__module__ == module.__name__, name
                places.setdefault(item, []).append(f"{module.__name__}.{name}")
    assert len(places) > 30
    assert [paths for paths in places.values() if len(paths) > 1] == []


def fresh(program):
    """The output of a new interpreter."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment).stdout


def test_importing_is_light():
    assert fresh("import sys, rgtrans; print(sorted({'numpy', 'pettingzoo', 'gymnasium'} & sys.modules.keys()))") == "[]\n"
    # Of the processor, which says the same on a machine that others use too.
    program = "import time; begin = time.process_time(); import rgtrans; print(time.process_time() - begin)"
    assert min(float(fresh(program)) for _ in range(5)) < 0.080


def test_signatures_are_real_and_constructors_make_their_class():
    pytest.importorskip("numpy")
    assert list(inspect.signature(rgtrans.env.VectorEnv).parameters)[:4] == ["game", "count", "jobs", "engine"]
    assert "max_moves" in inspect.signature(rgtrans.Game.playouts).parameters
    for module in map(importlib.import_module, PUBLIC):
        for name in module.__all__:
            item = getattr(module, name)
            assert not inspect.isclass(item) or not inspect.isfunction(vars(item).get("__new__")), name


def test_former_names_are_taken_without_a_word(tic_tac_toe):
    pytest.importorskip("numpy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tic_tac_toe.playouts(20, threads=2).wins == tic_tac_toe.playouts(20, jobs=2).wins
        assert rgtrans.analyze(tic_tac_toe, games=2, simulations=2).plays == 2
        assert rgtrans.ActionSpace(tic_tac_toe, most=3).factored
        assert rgtrans.open_spiel.SpielGame(tic_tac_toe, max_length=7).max_game_length() == 7
        envs = rgtrans.env.VectorEnv(tic_tac_toe, 2, engine="interpreter", threads=1, device="cpu")
        assert envs.jobs == envs.threads == 1
        assert rgtrans.env.GymnasiumVectorEnv(tic_tac_toe, num_envs=3, engine="interpreter").num_envs == 3
        assert rgtrans.env.AECEnv is rgtrans.aec.AECEnv
    with pytest.raises(TypeError, match="got 'jobs' twice: 'threads' is its former name"):
        tic_tac_toe.playouts(20, threads=2, jobs=2)
    with pytest.raises(ValueError, match="device cannot be 'tpu'; allowed: cpu, cuda"):
        rgtrans.env.VectorEnv(tic_tac_toe, 2, device="tpu")
    with pytest.raises(ValueError, match='jobs cannot be given with engine="cuda"'):
        rgtrans.env.VectorEnv(tic_tac_toe, 2, device="cuda", jobs=2)
    with pytest.raises(ValueError, match="has no engine 'rules'; it needs a description in GDL"):
        tic_tac_toe.new_state("rules")


def test_the_former_name_of_the_compiled_engine(tic_tac_toe):
    surface = importlib.import_module("rgtrans._surface")
    assert surface.engine_name("compiled", rgtrans.engines()) == "cpp"


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
    (tmp_path / "again").mkdir()
    assert backend.build_wheel(str(tmp_path / "again")) == name
    assert (tmp_path / "again" / name).read_bytes() == (tmp_path / name).read_bytes()
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
