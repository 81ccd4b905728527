"""One number over what becomes of every game: its RG text at -O2, the generated C++, the interpreter's tables.

    scripts/sweep signature                       # the games of games/, a line a language and the total
    scripts/sweep signature --corpus              # also those of ../shared/corpus (or below RGTRANS_SHARED)
    scripts/sweep signature --save FILE           # keeps a line a game
    scripts/sweep signature --compare FILE        # names the games that differ from those lines
    scripts/sweep signature games/hrg/*.hrg       # only these

A change of the code that should not change behaviour keeps the number and its commit says so; one that changes the
number says why. The number does not depend on the machine, the locale, the folder or the order of the files. Games that
are Python programs are left out: they need the Python module, and their definitions are the same as in
games/linegames/variants.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from lib.measure import ROOT, SHARED

PROGRAM = pathlib.Path(os.environ.get("RGTRANS_BUILD_DIR", ROOT / "build")) / "tests" / "signature"
EXTENSIONS = {".hrg", ".rbg", ".kif", ".linegame", ".rg", ".ldx", ".lud"}
CHUNK = 8  # games a process

Game = collections.namedtuple("Game", "language name number seconds error path")


def games_below(folder):
    return [path for path in folder.rglob("*") if path.suffix in EXTENSIONS and path.is_file()]


def signatures(program, paths):
    """One process for several games; the large ones, which come first, get a process each."""
    paths = sorted(paths, key=lambda path: (-path.stat().st_size, str(path)))
    large = min(len(paths), 40)
    parts = [[path] for path in paths[:large]] + [paths[i:i + CHUNK] for i in range(large, len(paths), CHUNK)]

    def run(part):
        done = subprocess.run([str(program), *map(str, part)], stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        if done.returncode != 0 or len(lines) != len(part):
            sys.exit(f"{part[min(len(lines), len(part) - 1)]}: the program failed")
        return [Game(*line.split("\t"), path) for line, path in zip(lines, part)]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [game for games in pool.map(run, parts) for game in games]


def total(games):
    """A sum, so that the order of the games does not matter."""
    return f"{sum(int(game.number, 16) for game in games) % 2**64:016x}"


def key(game):
    """A game in saved lines: two of one name differ by their folders."""
    return f"{game.language} {'/'.join(game.path.resolve().parts[-3:-1])}/{game.name}"


def compare(games, path):
    known = dict(line.rsplit(" ", 1) for line in path.read_text().splitlines())
    found = {key(game): game.number for game in games}
    different = sorted(name for name in found if name in known and known[name] != found[name])
    for name in different:
        print(f"differs: {name}")
    missing = len(found.keys() - known.keys())
    if missing:
        print(f"{missing} games are not in {path}")
    return not different


def main(words):
    parser = argparse.ArgumentParser(prog="scripts/sweep signature", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=pathlib.Path, help="only these files and folders")
    parser.add_argument("--corpus", action="store_true", help="also the corpus")
    parser.add_argument("--save", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--compare", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="by default build/tests/signature")
    arguments = parser.parse_args(words)
    if not arguments.program.exists():
        sys.exit(f"{arguments.program} is not there; build it: ninja -C build signature")
    folders = arguments.games or [ROOT / "games"]
    if arguments.corpus:
        folders.append(SHARED / "corpus")
    paths = [path for folder in folders for path in (games_below(folder) if folder.is_dir() else [folder])]
    games = signatures(arguments.program, paths)
    refused = sorted(f"{game.path}: {game.error}" for game in games if game.error)
    for line in refused:
        print(line, file=sys.stderr)
    if arguments.save:
        arguments.save.write_text("".join(sorted(f"{key(game)} {game.number}\n" for game in games)))
    by_language = collections.defaultdict(list)
    for game in games:
        by_language[game.language].append(game)
    for language, group in sorted(by_language.items()):
        print(f"{language:10} {len(group):4} games  {total(group)}")
    print(f"{'total':10} {len(games):4} games  {total(games)}")
    if arguments.compare and not compare(games, arguments.compare):
        return 1
    own = [game for game in games if game.error and SHARED not in game.path.parents]
    return 1 if own else 0

