"""rgtrans.analyze: figures with intervals."""

from pathlib import Path

import pytest

import rgtrans

GAMES = Path(__file__).parents[2] / "games"


def test_figures_of_tic_tac_toe():
    game = rgtrans.optimize(rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg"))
    analysis = rgtrans.analyze(game, count=20, simulations=50)
    assert analysis.plays == 20 == len(analysis.lengths)
    assert all(5 <= length <= 9 for length in analysis.lengths)
    length = analysis["length"]
    assert length.low <= length.value <= length.high
    assert float(length) == pytest.approx(sum(analysis.lengths) / 20)
    assert analysis["depth"].value >= 0.5
    assert analysis["ended"].value == 1


def test_the_same_seed_gives_the_same_figures():
    game = rgtrans.optimize(rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg"))
    first, second = (rgtrans.analyze(game, count=5, simulations=20, seed=3) for _ in range(2))
    assert first.figures == second.figures


def test_wrong_arguments():
    game = rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg")
    with pytest.raises(rgtrans.ArgumentError):
        rgtrans.analyze(game, count=0)
