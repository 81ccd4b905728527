"""Games by name."""

import pytest
import rgtrans


def test_games_are_found_by_name():
    assert rgtrans.load("breakthrough").perft(1) == 22
    assert rgtrans.load("rbg/tic-tac-toe").name == "tic-tac-toe"
    assert rgtrans.load("hrg/tic-tac-toe.hrg") == rgtrans.load("tic-tac-toe")
    assert rgtrans.load("tic-tac-toe") != rgtrans.load("gdl/tic-tac-toe")


def test_a_file_comes_before_the_library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chess").write_bytes(rgtrans.load("tic-tac-toe").to("rg").encode())
    assert rgtrans.load("chess").perft(1) == 9


def test_a_wrong_name_gets_a_suggestion():
    with pytest.raises(FileNotFoundError, match="did you mean 'breakthrough'"):
        rgtrans.load("breakthru")
    with pytest.raises(FileNotFoundError, match="No such file or directory: 'no-game-of-this-name-at-all.rg'"):
        rgtrans.load("no-game-of-this-name-at-all.rg")


def test_the_list_has_players_size_and_kind():
    games = {game.name: game for game in rgtrans.games()}
    assert len(games) > 100
    assert games["chess"].players == ("white", "black")
    assert games["backgammon"].kind == "chance"
    assert games["kuhn-poker"].kind == "chance and hidden information"
    assert games["tic-tac-toe"].kind == "perfect information"
    assert games["tic-tac-toe"].size == rgtrans.load("tic-tac-toe").optimize().stats()["edges"]


def test_environments_by_name():
    pytest.importorskip("numpy")
    envs = rgtrans.make("tic-tac-toe", 4, engine="interpreter")
    envs.reset(seed=1)
    assert envs.num_envs == 4 and envs.mask.sum() == 4 * 9
