"""The build back end of the Python package (PEP 517).

CMake compiles the module. This file calls it and puts the result and the Python files into a wheel, which is a zip file.
It needs the standard library alone, so `pip install .` works without a network and without packages of PyPI.

It uses and completes the build of scripts/rgtrans and scripts/test in `build/`, if that is for the same Python.

Settings, as `--config-settings=NAME=VALUE`: `build-dir` keeps the build files there; `cmake-args` is passed on.
"""

import base64
import contextlib
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "rgtrans"


def version():
    """The one in CMakeLists.txt."""
    match = re.search(r"project\(rgtrans VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert match, "CMakeLists.txt names no version"
    return match.group(1)


def metadata():
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            "Name: rgtrans",
            f"Version: {version()}",
            "Summary: Translate, optimize and play Regular Games",
            "Requires-Python: >=3.9",
            "Provides-Extra: env",
            "Requires-Dist: numpy; extra == 'env'",
            "",
        ]
    )


def wheel_file(tag):
    return f"Wheel-Version: 1.0\nGenerator: rgtrans_build\nRoot-Is-Purelib: false\nTag: {tag}\n"


def wheel_tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def build(folder, jobs):
    """Builds module and program. pip keeps what is printed to itself, so progress goes to the terminal directly."""
    command = ["cmake", "--build", str(folder), "--target", "rgtrans_python", "rgtrans", "--parallel", jobs]
    try:
        terminal = open("/dev/tty", "w")
    except OSError:
        subprocess.run(command, check=True)
        return
    with terminal, subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="")
            step = re.match(r"\[\s*\d+(/\d+|%)\]", line)
            if step:
                terminal.write(f"\r\033[KBuilding rgtrans {step.group()}")
                terminal.flush()
        terminal.write("\r\033[K")
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)


def cached(folder):
    """The cached variables of a build folder: names and values."""
    with contextlib.suppress(OSError):
        return dict(re.findall(r"^([^:#/\n]+):\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.MULTILINE))
    return {}


def suffix_of(python):
    """The suffix of compiled modules of a Python, or nothing if there is no such Python."""
    command = [python, "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"]
    with contextlib.suppress(OSError):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return ""


def folder_of_scripts(root=ROOT):
    """The build folder of the scripts where what is in it, or is built there, fits this Python; else None."""
    folder = root / "build"
    cache = cached(folder)
    fits = (
        cache.get("CMAKE_HOME_DIRECTORY") == str(root)
        and cache.get("CMAKE_BUILD_TYPE") == "Release"
        and cache.get("RGTRANS_WITH_PYTHON") == "ON"
        and not cache.get("RGTRANS_SANITIZE")
        and not cache.get("CMAKE_CXX_FLAGS")
        and os.access(folder, os.W_OK)
    )
    same = fits and suffix_of(cache.get("Python_EXECUTABLE", "")) == sysconfig.get_config_var("EXT_SUFFIX")
    return folder if same else None


def configure(folder, settings):
    command = [
        "cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DRGTRANS_PYTHON=ON",
        "-DRGTRANS_TESTS=OFF", "-DRGTRANS_BENCHMARKS=OFF", "-DRGTRANS_WERROR=OFF", f"-DPython_EXECUTABLE={sys.executable}",
    ]
    if shutil.which("ninja"):
        command += ["-G", "Ninja"]
    command += shlex.split(settings.get("cmake-args", ""))
    subprocess.run(command, check=True)


def compile_package(folder, settings, of_scripts):
    """Runs CMake and returns the compiled module and the program. The scripts have configured their own folder."""
    if shutil.which("cmake") is None:
        raise RuntimeError("cmake is needed to build rgtrans; docs/python.md lists the packages")
    with contextlib.ExitStack() as stack:
        if of_scripts:
            lock = stack.enter_context(open(folder / ".lock", "a"))
            fcntl.flock(lock, fcntl.LOCK_EX)  # as scripts/lib/common.sh does
        else:
            configure(folder, settings)
        build(folder, os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1)))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    module = folder / "python" / "rgtrans" / f"_core{suffix}"
    if not module.exists():
        raise RuntimeError(f"the build made no {module}")
    return module, folder / "rgtrans"


def write_wheel(path, tag, files, dist_info):
    """A wheel of files, a mapping from the name in the archive to its content."""
    files = dict(files)
    files[f"{dist_info}/METADATA"] = metadata().encode()
    files[f"{dist_info}/WHEEL"] = wheel_file(tag).encode()
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # pip makes a file executable only if its entry says so.
            entry.external_attr = (stat.S_IFREG | (0o755 if "/scripts/" in name else 0o644)) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
        record.append(f"{dist_info}/RECORD,,")
        archive.writestr(f"{dist_info}/RECORD", "\n".join(record) + "\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    dist_info = f"rgtrans-{version()}.dist-info"
    folder = Path(metadata_directory) / dist_info
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text(metadata())
    (folder / "WHEEL").write_text(wheel_file(wheel_tag()))
    return dist_info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    tag = wheel_tag()
    files = {
        f"rgtrans/{path.name}": path.read_bytes()
        for path in sorted(PACKAGE.iterdir())
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
    }
    with tempfile.TemporaryDirectory(prefix="rgtrans-build-") as temporary:
        ready = None if {"build-dir", "cmake-args"} & settings.keys() else folder_of_scripts()
        folder = ready or Path(settings.get("build-dir", temporary)).resolve()
        module, program = compile_package(folder, settings, ready is not None)
        files[f"rgtrans/{module.name}"] = module.read_bytes()
        files[f"rgtrans-{version()}.data/scripts/rgtrans"] = program.read_bytes()
    name = f"rgtrans-{version()}-{tag}.whl"
    write_wheel(Path(wheel_directory) / name, tag, files, f"rgtrans-{version()}.dist-info")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Everything that git knows of, or every file outside of build folders."""
    base = f"rgtrans-{version()}"
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
    else:
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        names = [str(path) for path in paths if not path.parts[0].startswith(("build", ".", "dist"))]
    archive_name = f"{base}.tar.gz"
    with tarfile.open(Path(sdist_directory) / archive_name, "w:gz") as archive:
        for name in sorted(names):
            archive.add(ROOT / name, f"{base}/{name}")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as info:
            info.write(metadata())
            info.flush()
            archive.add(info.name, f"{base}/PKG-INFO")
    return archive_name
