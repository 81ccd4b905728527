"""Counts the claims of games, and plays these with proofs asserted.

    scripts/sweep claims games                              # a table: how many claims of each kind, in how many games
    scripts/sweep claims --plays 200 --seconds 60 games     # also plays every game so often, or for so long
    scripts/sweep claims --report docs/reliability.md games # puts the table between the lines <!-- claims --> of a page
    scripts/sweep claims --plays 3 --log plays.tsv games    # a row for each game; a second run goes on where the log ends

A game whose plays end for another reason than a claim (it is improper, too large, or takes too long) is listed as such.
The claims that were evaluated until the time was over held.
"""
import argparse
import collections
import pathlib
import re
import resource
import signal
import subprocess
import sys

from lib.measure import ROOT

KINDS = {".rg", ".hrg", ".rbg", ".kif", ".gdl", ".ldx", ".lud", ".linegame"}
FAILED = 70


def games(paths):
    for path in paths:
        path = pathlib.Path(path)
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in KINDS)
        else:
            yield path


def started(arguments, game, *options):
    """The run, or None where it takes longer."""
    command = [arguments.program, "check", "--no-warnings", "-q", *options, str(game)]
    most = int(arguments.seconds) + 1

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        resource.setrlimit(resource.RLIMIT_AS, (arguments.memory << 30, arguments.memory << 30))

    done = subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=limited)
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done


def play(arguments, game):
    """How the plays of a game ended, and the message."""
    done = started(arguments, game, "--assert-proofs", str(arguments.plays))
    if done is None:
        return "time", f"{arguments.plays} plays take longer"
    if done.returncode == FAILED:
        return "failed", "a claim does not hold\n" + done.stderr
    if done.returncode != 0:
        return "other", " ".join(done.stderr.strip().splitlines()[-1:])
    return "held", ""


def played(log):
    """The games that a log has."""
    return {line.split("\t")[0] for line in log.read_text().splitlines()} if log and log.exists() else set()


def table(claims, where, count):
    rows = [f"| kind | claims | games (of {count}) |", "|---|---:|---:|"]
    rows += [f"| {kind} | {number:,} | {where[kind]} |" for kind, number in claims.most_common()]
    rows.append(f"| all | {sum(claims.values()):,} | |")
    return "\n".join(rows) + "\n"


def main(words):
    parser = argparse.ArgumentParser(prog="scripts/sweep claims", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="FILE|FOLDER")
    parser.add_argument("--plays", type=int, default=0, help="of each game, with proofs asserted")
    parser.add_argument("--seconds", type=float, default=60, help="of processor time for one game (60)")
    parser.add_argument("--memory", type=int, default=6, help="gibibytes for one game (6)")
    parser.add_argument("--log", type=pathlib.Path, help="a table: game, plays, held, time, other or failed, message")
    parser.add_argument("--program", default=str(ROOT / "build" / "rgtrans"))
    parser.add_argument("--report", help="the page that gets the table")
    arguments = parser.parse_args(words)
    claims, where = collections.Counter(), collections.Counter()
    count, wrong = 0, 0
    known = played(arguments.log)
    for game in games(arguments.paths):
        if str(game) in known:
            continue
        done = started(arguments, game, "--claims")
        if done is None or done.returncode != 0:
            print(f"{game}: not counted", file=sys.stderr, flush=True)
        else:
            count += 1
            for line in done.stdout.splitlines():
                _, kind, number = line.split("\t")
                claims[kind] += int(number)
                where[kind] += 1
        if arguments.plays == 0:
            continue
        outcome, message = play(arguments, game)
        wrong += outcome == "failed"
        if message:
            print(f"{game}: {message}", file=sys.stderr, flush=True)
        if arguments.log:
            with open(arguments.log, "a") as log:
                row = [str(game), str(arguments.plays), outcome, " ".join(message.split())]
                log.write("\t".join(row) + "\n")
    text = table(claims, where, count)
    if arguments.report:
        page = pathlib.Path(arguments.report)
        marks = re.compile(r"(<!-- claims -->\n).*?(\n<!-- /claims -->)", re.S)
        page.write_text(marks.sub(lambda m: m.group(1) + "\n" + text + m.group(2), page.read_text()))
    else:
        print(text, end="")
    return 1 if wrong else 0

