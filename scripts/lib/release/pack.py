"""Builds once and makes each package from the result."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python" / "build_backend"))

import rgtrans_build  # noqa: E402  (the version, and archives that depend on their files alone)

MEBIBYTE = 1 << 20
# The largest size of a package in MiB.
LIMITS = {"archive": 25, "deb": 25, "wheel": 12, "sdist": 12, "extension": 12}
# Debian's packages whose headers are compiled into the program.
PARTS = ["libboost-dev", "libcli11-dev", "libfmt-dev", "librange-v3-dev", "nlohmann-json3-dev", "tao-pegtl-dev", "pybind11-dev", "libdlpack-dev",
         "libarchive-dev", "libstdc++-12-dev"]


def must(command, **more):
    print("+", " ".join(map(str, command)), file=sys.stderr, flush=True)
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-4000:]}\n{command[0]} failed")
    return done.stdout


def git(*words):
    return must(["git", "-C", ROOT, *words]).strip()


def name():
    return f"rgtrans-{rgtrans_build.version()}-linux-x86_64"


def build(o):
    """The program, the libraries, the module, without tests."""
    must(["cmake", "-S", ROOT, "-B", o.build_dir, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DRGTRANS_TESTS=OFF", "-DRGTRANS_BENCHMARKS=OFF",
          "-DRGTRANS_PYTHON=ON", f"-DPython_EXECUTABLE={o.python}"])
    must(["cmake", "--build", o.build_dir])


def notices():
    """The notices of the parts that are compiled in: those of Debian's packages and those of the studio's page."""
    texts = []
    for package in PARTS:
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        if path.exists():
            texts.append(f"{package}\n{'=' * len(package)}\n\n{path.read_text()}")
    texts.append("The studio's page\n=================\n\n" + (ROOT / "ide/studio/dist/licences.txt").read_text())
    return "\n\n".join(texts).encode()


def digests(files):
    return "".join(f"{hashlib.sha256(read(source)).hexdigest()}  {path}\n" for path, source in sorted(files.items())).encode()


def read(source):
    return source if isinstance(source, bytes) else source.read_bytes()


def archive(o, folder):
    """Everything that `cmake --install` lays, below one folder that works wherever it lies."""
    prefix = folder / "prefix"
    must(["cmake", "--install", o.build_dir, "--prefix", prefix, "--strip"])
    for library in prefix.rglob("*.a"):
        must(["strip", "--strip-unneeded", "--enable-deterministic-archives", library])
    files = {str(path.relative_to(prefix)): path for path in sorted(prefix.rglob("*")) if path.is_file()}
    files["share/doc/rgtrans/notices.txt"] = notices()
    files["SHA256SUMS"] = digests(files)
    made = folder / f"{name()}.tar.gz"
    rgtrans_build.write_archive(made, name(), files, int(os.environ["SOURCE_DATE_EPOCH"]))
    return [made], files


def deb(o, folder):
    must(["cpack", "-G", "DEB", "--config", o.build_dir / "CPackConfig.cmake", "-B", folder])
    return sorted(folder.glob("*.deb")), {}


def wheel(o, folder):
    program = ("import sys; sys.path.insert(0, sys.argv[1]); import rgtrans_build; "
               "rgtrans_build.build_wheel(sys.argv[2], {'build-dir': sys.argv[3], 'portable': 'yes'})")
    must([o.python, "-c", program, ROOT / "python" / "build_backend", folder, o.build_dir])
    made = sorted(folder.glob("*.whl"))
    return made, {path.name: path for path in made}


def sdist(o, folder):
    made = folder / rgtrans_build.build_sdist(str(folder))
    return [made], {}


def extension(o, folder):
    """The extension for Visual Studio Code, with the program in it; needs npm."""
    place = ROOT / "ide" / "vscode"
    if shutil.which("npm") is None:
        print("SKIPPED: the extension (there is no npm)")
        return [], {}
    if not (place / "node_modules").exists():
        must(["npm", "ci", "--no-audit", "--no-fund"], cwd=place)
    program = place / "bin" / "rgtrans"
    program.parent.mkdir(exist_ok=True)
    made = folder / f"rgtrans-{rgtrans_build.version()}-linux-x64.vsix"
    try:
        must(["strip", "-o", program, o.build_dir / "rgtrans"])
        must(["npm", "run", "package", "--", "--target", "linux-x64", "-o", made], cwd=place)
    finally:
        shutil.rmtree(program.parent)
    return [made], {}


KINDS = {"archive": archive, "deb": deb, "wheel": wheel, "sdist": sdist, "extension": extension}


def paths_in(files, o):
    """The files that name a folder of this machine."""
    folders = [str(folder).encode() + b"/" for folder in (ROOT, o.build_dir)]
    return [path for path, source in files.items() if any(folder in read(source) for folder in folders)]


def packed(o, out):
    """Makes the packages in a folder; the problems that they have."""
    problems = []
    for kind in o.only:
        with tempfile.TemporaryDirectory(prefix="rgtrans-release-") as temporary:
            made, files = KINDS[kind](o, pathlib.Path(temporary))
            problems += [f"{path} of the {kind} names a folder of this machine" for path in paths_in(files, o)]
            for path in made:
                size = path.stat().st_size / MEBIBYTE
                if size > LIMITS[kind]:
                    problems.append(f"{path.name} has {size:.1f} MiB, more than {LIMITS[kind]}")
                shutil.copyfile(path, out / path.name)
                print(f"{path.name}  {size:.1f} MiB")
    # A package of another version or commit is none of this release.
    return problems


def main(o):
    changed = git("status", "--porcelain", "--untracked-files=no")
    if changed and not o.changed:
        sys.exit(f"These files differ from the commit; commit them, or say --changed:\n{changed}")
    os.environ["SOURCE_DATE_EPOCH"] = git("log", "-1", "--format=%ct")
    build(o)
    o.out.mkdir(parents=True, exist_ok=True)
    for old in o.out.iterdir():
        if re.match(r"(lib)?rgtrans", old.name) and old.suffix in (".gz", ".deb", ".whl", ".vsix"):
            old.unlink()
    problems = packed(o, o.out)
    if o.twice:
        with tempfile.TemporaryDirectory(prefix="rgtrans-release-") as temporary:
            packed(o, pathlib.Path(temporary))
            for path in sorted(pathlib.Path(temporary).iterdir()):
                same = path.read_bytes() == (o.out / path.name).read_bytes()
                print(f"{path.name}: {'the same bytes' if same else 'OTHER BYTES'} the second time")
                if not same:
                    problems.append(f"{path.name} differs between two runs")
    made = {path.name: path for path in o.out.iterdir() if path.suffix in (".gz", ".deb", ".whl", ".vsix")}
    (o.out / "SHA256SUMS").write_bytes(digests(made))
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0
