"""The build back end of the Python package (PEP 517).

CMake compiles the module. This file calls it and puts the result and the Python files into a wheel, which is a zip file.
It needs the standard library alone, so `pip install .` works without a network and without packages of PyPI.

It uses and completes the build of scripts/rgtrans and scripts/test in `build/`, if that is for the same Python.

Settings, as `--config-settings=NAME=VALUE`: `build-dir` keeps the build files there; `cmake-args` is passed on; `portable=yes`
strips the binaries and names the wheel by the C library that they need (manylinux), for other machines than this one.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import gzip
import hashlib
import io
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


def platform_tag():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def wheel_tag(platform=None):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{platform or platform_tag()}"


# PEP 600: manylinux_2_N promises the libraries of glibc 2.N and nothing else of the system.
LIBRARIES_OF_GLIBC = re.compile(r"(lib(c|m|dl|pthread|rt|util)\.so\.\d|ld-linux.*)$")


def manylinux_tag(listings):
    """The platform that the binaries deserve, from what `objdump -p` prints of each: needed libraries and versions of symbols."""
    minors = [0]
    for text in listings:
        foreign = [name for name in re.findall(r"NEEDED\s+(\S+)", text) if not LIBRARIES_OF_GLIBC.match(name)]
        if foreign:
            raise RuntimeError(f"the wheel would need {', '.join(foreign)}, which manylinux does not promise")
        minors += map(int, re.findall(r"\bGLIBC_2\.(\d+)", text))
    return f"manylinux_2_{max(minors)}_{platform_tag().removeprefix('linux_')}"


def stripped(path, folder):
    copy = Path(folder) / path.name
    subprocess.run(["strip", "--strip-unneeded", "-o", str(copy), str(path)], check=True)
    return copy


def licence():
    """The licence, once the owner has chosen one: every package takes it from this file."""
    path = ROOT / "LICENSE"
    return {path.name: path.read_bytes()} if path.exists() else {}


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


def fits(folder, root=ROOT):
    """Whether what is in a build folder, or is built there, is a release of these sources for this Python."""
    cache = cached(folder)
    release = (
        cache.get("CMAKE_HOME_DIRECTORY") == str(root)
        and cache.get("CMAKE_BUILD_TYPE") == "Release"
        and cache.get("RGTRANS_WITH_PYTHON") == "ON"
        and not cache.get("RGTRANS_SANITIZE")
        and not cache.get("CMAKE_CXX_FLAGS")
        and os.access(folder, os.W_OK)
    )
    return release and suffix_of(cache.get("Python_EXECUTABLE", "")) == sysconfig.get_config_var("EXT_SUFFIX")


def folder_of_scripts(root=ROOT):
    """The build folder of the scripts where it fits, else None."""
    return root / "build" if fits(root / "build", root) else None


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
    """Runs CMake and returns the compiled module and the program. A folder that fits is not configured anew."""
    if shutil.which("cmake") is None:
        raise RuntimeError("cmake is needed to build rgtrans; docs/python.md lists the packages")
    with contextlib.ExitStack() as stack:
        if of_scripts:
            lock = stack.enter_context(open(folder / ".lock", "a"))
            fcntl.flock(lock, fcntl.LOCK_EX)  # as scripts/lib/common.sh does
        elif "cmake-args" in settings or not fits(folder):
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
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    record.append(f"{dist_info}/RECORD,,")
    files[f"{dist_info}/RECORD"] = ("\n".join(record) + "\n").encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980, whenever it is packed
            # pip makes a file executable only if its entry says so.
            entry.external_attr = (stat.S_IFREG | (0o755 if "/scripts/" in name else 0o644)) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    dist_info = f"rgtrans-{version()}.dist-info"
    folder = Path(metadata_directory) / dist_info
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text(metadata())
    (folder / "WHEEL").write_text(wheel_file(wheel_tag()))
    return dist_info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    platform = None
    files = {
        f"rgtrans/{path.name}": path.read_bytes()
        for path in sorted(PACKAGE.iterdir())
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
    }
    with tempfile.TemporaryDirectory(prefix="rgtrans-build-") as temporary:
        ready = None if {"build-dir", "cmake-args"} & settings.keys() else folder_of_scripts()
        folder = ready or Path(settings.get("build-dir", temporary)).resolve()
        module, program = compile_package(folder, settings, ready is not None)
        if settings.get("portable") == "yes":
            module, program = stripped(module, temporary), stripped(program, temporary)
            platform = manylinux_tag(
                subprocess.run(["objdump", "-p", str(path)], check=True, capture_output=True, text=True).stdout
                for path in (module, program)
            )
        files[f"rgtrans/{module.name}"] = module.read_bytes()
        files[f"rgtrans-{version()}.data/scripts/rgtrans"] = program.read_bytes()
    files.update({f"rgtrans-{version()}.dist-info/{name}": content for name, content in licence().items()})
    tag = wheel_tag(platform)
    name = f"rgtrans-{version()}-{tag}.whl"
    write_wheel(Path(wheel_directory) / name, tag, files, f"rgtrans-{version()}.dist-info")
    return name


def moment():
    """The time that files of an archive bear: SOURCE_DATE_EPOCH, else that of the commit, else none."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    shown = subprocess.run(["git", "-C", str(ROOT), "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(shown.stdout) if shown.returncode == 0 else 0


def write_archive(path, folder, files, time):
    """A .tar.gz of files, a mapping from names to paths or contents, that depends on nothing else: names in order, one time, no owner."""
    text = io.BytesIO()
    with tarfile.open(fileobj=text, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, source in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.mtime = time
            if isinstance(source, bytes):
                entry.mode, entry.size = 0o644, len(source)
                archive.addfile(entry, io.BytesIO(source))
            elif source.is_symlink():
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(source)
                archive.addfile(entry)
            else:
                content = source.read_bytes()
                entry.mode, entry.size = 0o755 if os.access(source, os.X_OK) else 0o644, len(content)
                archive.addfile(entry, io.BytesIO(content))
    Path(path).write_bytes(gzip.compress(text.getvalue(), 9, mtime=time))


def build_sdist(sdist_directory, config_settings=None):
    """Everything that git knows of, or every file outside of build folders."""
    base = f"rgtrans-{version()}"
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name and os.path.lexists(ROOT / name)]
    else:
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        names = [str(path) for path in paths if not path.parts[0].startswith(("build", ".", "dist"))]
    files: dict[str, bytes | Path] = {name: ROOT / name for name in names}
    files["PKG-INFO"] = metadata().encode()
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True)
    if commit.returncode == 0:
        files["COMMIT"] = commit.stdout  # cmake/build_line.cmake reads it
    write_archive(Path(sdist_directory) / f"{base}.tar.gz", base, files, moment())
    return f"{base}.tar.gz"
