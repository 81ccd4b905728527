"""Installs each package in a minimal Debian of its own and runs the commands of README there."""
import fnmatch
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from lib.release.pack import ROOT, name, rgtrans_build

SUITE = "bookworm"


def missing():
    """The reason why nothing can be tried here, or nothing."""
    if os.getuid() != 0:
        return "this needs root"
    lacking = [program for program in ("debootstrap", "unshare", "chroot") if shutil.which(program) is None]
    if lacking:
        return f"there is no {lacking[0]} (on Debian: apt install debootstrap)"
    done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True)
    return f"unshare: {done.stderr.strip()}" if done.returncode else ""


def minimal(folder):
    """A minimal Debian, made once."""
    if (folder / "etc" / "debian_version").exists():
        return
    print("Making a minimal Debian (some minutes) …", file=sys.stderr, flush=True)
    half = folder.with_name(folder.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    half.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["debootstrap", "--variant=minbase", SUITE, str(half)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-2000:]}\ndebootstrap failed")
    half.rename(folder)


# Mounts a layer over the minimal system, so that it stays as it is, and runs the script inside.
INSIDE = """
mount -t overlay overlay -o lowerdir={base},upperdir={layer}/upper,workdir={layer}/work {layer}/root
mount -t proc proc {layer}/root/proc
mount --rbind /dev {layer}/root/dev
cp /etc/resolv.conf {layer}/root/etc/resolv.conf
exec chroot {layer}/root /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 {more} bash /try.sh
"""


class Clean:
    """A fresh minimal system. Further scripts see what the former ones have installed."""

    def __init__(self, base):
        self.base, self.temporary = base, tempfile.TemporaryDirectory(prefix="rgtrans-clean-")
        self.layer = pathlib.Path(self.temporary.name)
        for part in ("upper", "work", "root"):
            (self.layer / part).mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.layer, ignore_errors=True)
        self.temporary.cleanup()

    def put(self, path, place="root"):
        target = self.layer / "upper" / place / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            shutil.copyfile(path, target)

    def run(self, script):
        (self.layer / "upper" / "try.sh").write_text(f"set -e -o pipefail\n{script}")
        proxies = " ".join(f"{key}={shlex.quote(value)}" for key, value in os.environ.items() if key.lower().endswith("_proxy"))
        text = INSIDE.format(base=self.base, layer=self.layer, more=proxies)
        return subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-e", "-c", text], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def blocks(page, kind):
    """The blocks of a kind, and the comment before each."""
    found = re.findall(r"(?:^<!-- (.*?) -->\n)?^```(\w+)\n(.*?)^```", page, re.M | re.S)
    return [(comment, text) for comment, of, text in found if of == kind]


def first_screen(page):
    """The commands of README's first block and what they print: pairs."""
    _, text = blocks(page, "console")[0]
    parts = re.split(r"^\$ (.*)\n", text, flags=re.M)[1:]
    return [(command.replace("scripts/rgtrans", "rgtrans"), output) for command, output in zip(parts[::2], parts[1::2])]


def further(page):
    """README's block of commands on games, one a pair: the command, and whether it needs a compiler."""
    text = next(text for comment, text in blocks(page, "sh") if "rgtrans batch" in text)
    lines = [re.sub(r"\s+#.*", "", line) for line in text.splitlines() if not line.startswith("PATH=")]
    return [(line, bool(re.search(r"rgtrans build|--engine cpp", line))) for line in lines]


def same(expected, printed):
    """Equal but for times."""
    def normal(text):
        return [re.sub(r"\d+\.\d+", "#", line).rstrip() for line in text.rstrip().splitlines()]
    return normal(expected) == normal(printed)


def spent():
    """Seconds of the processor of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Tried:
    def __init__(self):
        self.failed = 0

    def note(self, package, step, good, seconds, output=""):
        print(f"{'ok    ' if good else 'FAILED'} {package}: {step}, {seconds:.1f} s", flush=True)
        if not good:
            self.failed += 1
            print(output[-2000:])

    def step(self, clean, package, step, script, good=lambda code, out: code == 0, most=None):
        """`most` limits the seconds of the processor, which other work on the machine changes little."""
        start, before = time.monotonic(), spent()
        done = clean.run(script)
        seconds, busy = time.monotonic() - start, spent() - before
        if most is not None:
            step += f" ({busy:.1f} s of the processor, at most {most})"
        self.note(package, step, good(done.returncode, done.stdout) and (most is None or busy <= most), seconds, done.stdout)

    def commands(self, clean, package, games, compiler, around="", whole=False):
        """The commands of README's first screen and the one that compiles, in the folder that has games/; or all of them."""
        page = (ROOT / "README.md").read_text()
        before = f"{around}\ncp -r {games} /root/here && cd /root/here\n"
        for command, output in first_screen(page):
            self.step(clean, package, command.split(";")[-1].strip(), f"{before}{command}", lambda code, out, output=output: code == 0 and same(output, out))
            before = f"{around}\ncd /root/here\n"
        for command, needs in further(page):
            if not needs and not whole:
                continue
            if needs and not compiler:
                self.step(clean, package, f"{command} names the compiler to install", f"{before}{command}",
                          lambda code, out: code == 1 and "apt install g++" in out)
            else:
                self.step(clean, package, command, f"{before}{command}")

    def version(self, clean, package, around=""):
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
        expected = f"rgtrans {rgtrans_build.version()} (commit {commit}, Release)"
        self.step(clean, package, "--version", f"{around}\nrgtrans --version", lambda code, out: code == 0 and out.strip() == expected)


COMPILER = "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "


def archive(o, tried, package):
    with Clean(o.root) as clean:
        clean.put(package)
        around = f"PATH=/srv/anywhere/{name()}/bin:$PATH"
        tried.step(clean, "archive", "unpack and compare the checksums",
                   f"mkdir /srv/anywhere && cd /srv/anywhere && tar -xzf /root/{package.name} && cd {name()} && sha256sum --quiet -c SHA256SUMS", most=20)
        tried.version(clean, "archive", around)
        tried.commands(clean, "archive", f"/srv/anywhere/{name()}/share/rgtrans", False, around, whole=True)
        if o.compiler:
            tried.step(clean, "archive", "install g++ and cmake with the libraries' headers",
                       COMPILER + "g++ cmake make libfmt-dev nlohmann-json3-dev libboost-dev librange-v3-dev")
            tried.commands(clean, "archive", f"/srv/anywhere/{name()}/share/rgtrans/.", True, around)
            clean.put(ROOT / "examples" / "library")
            tried.step(clean, "archive", "examples/library with its libraries",
                       f"cmake -S /root/library -B /root/b -DCMAKE_PREFIX_PATH=/srv/anywhere/{name()} && cmake --build /root/b && "
                       "/root/b/count_moves /root/here/games/hrg/chess.hrg", lambda code, out: code == 0 and out.endswith("\n20\n"))


def docker(o, tried, packages):
    """The commands of the Dockerfile, which install the Debian package."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    steps = re.findall(r"^(FROM|ARG|COPY|RUN|WORKDIR|ENTRYPOINT|CMD) (.*)$", text, re.M)
    with Clean(o.root) as clean:
        arguments = []
        for word, rest in steps:
            if word == "ARG":
                arguments.append(rest if not o.compiler else re.sub(r"=.*", "=g++", rest))
            elif word == "COPY":
                source, place = rest.split()
                for path in packages:
                    if fnmatch.fnmatch(path.name, pathlib.Path(source).name):
                        clean.put(path, place.strip("/"))
            elif word == "RUN":
                start = "\n".join(arguments)
                tried.step(clean, "deb", "the Dockerfile's " + rest.strip()[:60] + " …", f"{start}\n{rest}")
        tried.version(clean, "deb")
        tried.commands(clean, "deb", "/usr/share/rgtrans", o.compiler)


def python(o, tried, package):
    with Clean(o.root) as clean:
        clean.put(package)
        tried.step(clean, "wheel", "Debian's python3, venv and NumPy",
                   COMPILER + "python3-venv python3-numpy && python3 -m venv --system-site-packages /opt/venv")
        around = "PATH=/opt/venv/bin:$PATH"
        tried.step(clean, "wheel", "pip install", f"/opt/venv/bin/pip install --no-index /root/{package.name}", most=20)
        tried.version(clean, "wheel", around)
        clean.put(ROOT / "games", "root/games-of")
        tried.commands(clean, "wheel", "/root/games-of", False, around)
        block = next(text for comment, text in blocks((ROOT / "README.md").read_text(), "sh") if "import rgtrans" in text)
        block = block.replace("PYTHONPATH=build/python ", "")
        tried.step(clean, "wheel", "README's environment in Python", f"{around}\ncd /root/here\n{block}")


def source(o, tried, package):
    """What only unpacking shows: the files, and the version that a build would have."""
    with Clean(o.root) as clean:
        clean.put(package)
        base = package.name.removesuffix(".tar.gz")
        tried.step(clean, "sdist", "unpack", f"cd /root && tar -xzf {package.name} && cd {base} && test -s COMMIT && test -x scripts/rgtrans && "
                   "test -f CMakeLists.txt -a -f PKG-INFO -a -f pyproject.toml && ! test -e build && ! test -e .git")


def extension(o, tried, package):
    """Its server answers in a system that has nothing else."""
    with tempfile.TemporaryDirectory() as temporary, Clean(o.root) as clean:
        subprocess.run(["unzip", "-q", str(package), "-d", temporary], check=True)
        clean.put(pathlib.Path(temporary) / "extension" / "bin" / "rgtrans")
        tried.version(clean, "extension", "chmod +x /root/rgtrans; PATH=/root:$PATH")
        body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        tried.step(clean, "extension", "the server answers", f"printf 'Content-Length: {len(body)}\\r\\n\\r\\n{body}' | /root/rgtrans lsp || true",
                   lambda code, out: '"capabilities"' in out)


def main(o):
    reason = missing()
    if reason:
        print(f"SKIPPED: the packages are not tried: {reason}")
        return 0
    minimal(o.root)
    tried = Tried()
    version = rgtrans_build.version()
    patterns = {"archive": f"{name()}.tar.gz", "deb": f"*rgtrans*_{version}*.deb", "wheel": f"rgtrans-{version}-*.whl",
                "sdist": f"rgtrans-{version}.tar.gz", "extension": f"rgtrans-{version}-linux-x64.vsix"}
    for kind in o.only:
        found = sorted(o.out.glob(patterns[kind]))
        if not found:
            print(f"SKIPPED: there is no {kind} in {o.out}")
        elif kind == "deb":
            docker(o, tried, found)
        else:
            {"archive": archive, "wheel": python, "sdist": source, "extension": extension}[kind](o, tried, found[0])
    print(f"{tried.failed} failed" if tried.failed else "all tried steps passed")
    return 1 if tried.failed else 0
