#!/usr/bin/env python3
"""Draws the log of examples/train_alphazero.py: win rates with their intervals, and losses.

    python3 examples/plot_log.py alphazero/log.csv alphazero/log.png       # needs Matplotlib (Debian: python3-matplotlib)
"""
import argparse
import csv
import sys


def read(path):
    """The columns of a log, as numbers."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name] or "nan") for row in rows] for name in (rows[0] if rows else ())}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", help="log.csv")
    parser.add_argument("picture", help="the file to write: .png, .svg or .pdf")
    options = parser.parse_args(arguments)
    try:
        import matplotlib
    except ImportError:
        sys.exit("this example needs Matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    log = read(options.log)
    if not log:
        sys.exit(f"{options.log} has no rows")
    figure, (scores, losses) = pyplot.subplots(2, 1, sharex=True, figsize=(7, 6))
    for name in [column[: -len("_low")] for column in log if column.endswith("_low")]:
        scores.plot(log["minutes"], log[name], label=name.replace("_", " "))
        scores.fill_between(log["minutes"], log[f"{name}_low"], log[f"{name}_high"], alpha=0.2)
    scores.set_ylabel("score of a play")
    scores.set_ylim(0, 1)
    scores.legend()
    for name in ("policy_loss", "value_loss"):
        losses.plot(log["minutes"], log[name], label=name.replace("_", " "))
    losses.set_xlabel("minutes")
    losses.legend()
    figure.savefig(options.picture)


if __name__ == "__main__":
    main()
