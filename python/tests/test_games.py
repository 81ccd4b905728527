"""Every game of games/linegames has the perft in its file, and that of the oracle."""

import csv
import os
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "games" / "linegames"
GAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.with_suffix(".perft").exists())
FULL = "RGTRANS_FULL" in os.environ
LIMIT = 2_000_000 if FULL else 20_000


def build(name):
    return runpy.run_path(str(FOLDER / f"{name}.py"))["game"]


def sidecar(name):
    lines = (FOLDER / f"{name}.perft").read_text().splitlines()
    return {int(depth): int(count) for depth, count in (line.split("\t") for line in lines if not line.startswith("#"))}


def test_there_are_games():
    assert len(GAMES) >= 31


@pytest.mark.parametrize("name", GAMES)
def test_perft(name):
    game = build(name).game()
    for depth, count in sidecar(name).items():
        if count <= LIMIT:
            assert game.perft(depth) == count, f"depth {depth}"


def oracle(shared, name):
    """depth -> walks, of the published form."""
    with open(shared / "oracle" / "reference_perft.tsv", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {int(r["depth"]): int(r["count"]) for r in rows if r["kind"] == "line" and r["game"] == name}


@pytest.mark.parametrize("name", GAMES)
def test_oracle(shared, name):
    counts = oracle(shared, name)
    if not counts:
        pytest.skip(f"the oracle does not have {name}")
    game = build(name).rules(compat="published").game()
    for depth, count in counts.items():
        if count <= LIMIT:
            assert game.perft(depth, walks=True) == count, f"depth {depth}"
