"""rgtrans.equal: proofs, differences, renamings and bounds."""

from pathlib import Path

import pytest

import rgtrans

GAMES = Path(__file__).parents[2] / "games"


def test_a_game_is_its_optimized_form():
    result = rgtrans.equal(rgtrans.load(GAMES / "hrg" / "nim.hrg"))
    assert result and result.equal is True
    assert result.match == "texts" and result.states > 100 and result.play == ()


def test_a_renaming_is_found():
    result = rgtrans.equal(rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg"), rgtrans.load(GAMES / "gdl" / "tic-tac-toe.kif"))
    assert result and result.match == "structure"
    assert result.players == {"cross": "x", "nought": "o"}
    assert len(result.moves) == 18 and {step.mover for step in result.moves} == {"cross", "nought"}


def test_a_difference_has_a_play(tmp_path):
    text = (GAMES / "hrg" / "nim.hrg").read_text()
    (tmp_path / "other.hrg").write_text(text.replace("goals[me] = 100", "goals[me] = 0"))
    result = rgtrans.equal(rgtrans.load(GAMES / "hrg" / "nim.hrg"), rgtrans.load(tmp_path / "other.hrg"))
    assert not result and result.equal is False
    assert result.kind == "score" and len(result.play) == 3
    assert result.play[0].mover == "first" and result.play[0].first == result.play[0].second


def test_bounds_leave_it_open():
    game = rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg")
    result = rgtrans.equal(game, game, states=100, count=3)
    assert not result and result.equal is None
    assert result.plays == 3 and "100" in result.stopped


def test_wrong_arguments():
    game = rgtrans.load(GAMES / "hrg" / "nim.hrg")
    for wrong in ({"match": "names"}, {"states": 0}, {"seconds": -1}, {"engine": "none"}):
        with pytest.raises(rgtrans.ArgumentError):
            rgtrans.equal(game, game, **wrong)
    with pytest.raises(rgtrans.ArgumentError):
        rgtrans.equal(game, jobs=0)
