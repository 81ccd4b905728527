"""Cost of ranking many generated games, by stage and by their number, with runs that are killed on the way.

    scripts/bench rank                                   10,000 games, up to plays at random
    scripts/bench rank --until distinct                  translation and duplicates alone
    scripts/bench rank --games 50000 --kills 2 --compare  the table of a run that is killed twice, and that of another one
    scripts/bench rank --games 1000000 --kills 2 --until search --folder million

The games are a mixture: random line games, and games of the library in HRG and Ludax with a few changed words. Times are those
of the processor, memory is that of all processes together. The same command with the same folder goes on.
"""
import argparse
import difflib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from lib.measure import ROOT

SOURCES = ["linegames", f"mutate:{ROOT / 'games' / 'hrg'}", f"mutate:{ROOT / 'games' / 'ludax'}"]
TENTHS = 10
SHOWN = 40  # lines of a difference


def main(words):
    parser = argparse.ArgumentParser(prog="scripts/bench rank", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=0, help="kill the run so often, and go on")
    parser.add_argument("--compare", action="store_true", help="also make the table of a run without kills, and compare")
    parser.add_argument("--until", choices=("distinct", "play", "search"), default="play")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path, help="for the results, which are kept")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "rgtrans")
    parser.add_argument("sources", nargs="*", default=SOURCES)
    o = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        out = o.folder or pathlib.Path(folder) / "killed"
        table = measured(o, out, o.kills)
        if not o.compare:
            return 0
        plain = measured(o, pathlib.Path(folder) / "plain", 0)
        lines = [path.read_text().splitlines() for path in (table, plain)]
        differences = list(difflib.unified_diff(*lines, "killed", "plain", "", "", 0))
        print("\n".join(["THE TABLES DIFFER", *differences[:SHOWN]]) if differences else "the tables are equal")
        return 1 if differences else 0


def measured(o, out, kills):
    """Runs to the end and prints figures; returns the table."""
    table = out / "games.csv"
    command = [o.program, "rank", "-o", out, "--total", o.games, "--jobs", o.jobs, "--until", o.until, "--report", table, *o.sources]
    command = list(map(str, command))
    print(" ".join(command), flush=True)
    database = out / "games.sqlite"
    marks = [o.games * (i + 1) // (kills + 1) for i in range(kills)]
    begin, most, samples, killed = time.monotonic(), 0, [(0, 0.0)], 0
    while True:
        run = subprocess.Popen(command)
        while run.poll() is None:
            time.sleep(0.5)
            most = max(most, memory(run.pid))
            games, seconds = translated(database)
            if games >= samples[-1][0] + o.games / TENTHS:
                samples.append((games, seconds))
            if marks and games >= marks[0]:
                del marks[0]
                killed += 1
                run.kill()
        if run.returncode == 0:
            break
        if run.returncode != -signal.SIGKILL:
            sys.exit(run.returncode)
    seconds = time.monotonic() - begin
    with sqlite3.connect(database) as db:
        costs = db.execute("SELECT * FROM costs").fetchall()
    print(f"{o.games:,} games in {seconds:,.0f} s, killed {killed} times; at most {most / 2**20:,.0f} MiB; "
          f"{database.stat().st_size / o.games:.0f} bytes of SQLite and {table.stat().st_size / o.games:.0f} of .csv for a game")
    for stage, games, cost in costs:
        print(f"  {stage:10} {games:>9,} games {1000 * cost / max(1, games):8.2f} ms")
    parts = [(games, 1000 * (cost - before) / (games - last)) for (last, before), (games, cost) in zip(samples, samples[1:])]
    print("  translation by the number of games: " + ", ".join(f"{games:,}: {cost:.2f} ms" for games, cost in parts))
    return table


def translated(database):
    """How many games are translated, and the time of that."""
    try:
        db = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5)
        try:
            return db.execute("SELECT games, seconds FROM costs WHERE stage = 'translate'").fetchone() or (0, 0.0)
        finally:
            db.close()
    except sqlite3.Error:  # not begun
        return 0, 0.0


def memory(pid):
    """Bytes that a process and its descendants have in memory."""
    parents, sizes = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(entry.name)], sizes[int(entry.name)] = int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    total = 0
    for process, size in sizes.items():
        above = process
        while above not in (pid, 0, 1):
            above = parents.get(above, 0)
        total += size if above == pid else 0
    return total
