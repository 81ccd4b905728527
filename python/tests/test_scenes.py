"""Drawings of states: every line game, words of moves, and nothing that a player may not know."""

import os
import random
import runpy
from pathlib import Path

import pytest

import rgtrans

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "games" / "linegames"
BOARDS = ROOT / "tests" / "games" / "boards" / "linegames"
LINE_GAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.with_suffix(".perft").exists())


@pytest.mark.parametrize("name", LINE_GAMES)
def test_line_games_look_as_somebody_saw_them(name):
    game = runpy.run_path(str(FOLDER / f"{name}.py"))["game"].game(level=0)
    state = game.new_state()
    text = state.board()
    source = random.Random(5)
    moves = []
    while len(moves) < 10 and not state.is_terminal():
        legal = sorted(state.legal_moves())
        chosen = legal[source.randrange(len(legal))]
        moves.append(state.shown_moves()[state.legal_moves().index(chosen)])
        state.apply(chosen)
    text += "\n--- " + ", ".join(moves) + "\n\n" + state.board()
    golden = BOARDS / f"{name}.txt"
    if "RGTRANS_UPDATE" in os.environ:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
        return
    assert text == golden.read_text(encoding="utf-8"), "look at it; RGTRANS_UPDATE=1 writes it anew"


def test_moves_in_the_words_of_the_author():
    state = rgtrans.load(ROOT / "games" / "hrg" / "chess.hrg").new_state()
    assert "S(5,2) S(5,4)" in state.shown_moves()
    assert state.copy().apply("S(5,2) S(5,4)") == state.copy().apply("S__5_2 S__5_4")
    with pytest.raises(rgtrans.ArgumentError, match="legal: 'S"):
        state.apply("S(5,2) S(5,5)")


def test_drawings():
    game = rgtrans.load(ROOT / "games" / "hrg" / "tic-tac-toe.hrg")
    for version in (game, game.optimize()):
        state = version.new_state().apply("C(1,1)")
        assert "X · ·" in state.board()
        assert ". . X" in state.board(flip=True, ascii=True)
        assert state.svg().startswith("<svg") and state._repr_svg_() == state.svg()
        assert state.scene()["boards"][0]["shape"] == "square"


HIDING = ["hrg/kuhn-poker.hrg", "hrg/battleships.hrg", "gdl/monty-hall.kif", "gdl/prisoners-dilemma.kif"]


@pytest.mark.parametrize("name", HIDING)
def test_a_player_sees_the_same_in_states_that_player_cannot_tell_apart(name):
    game = rgtrans.load(ROOT / "games" / name)
    source = random.Random(3)
    known = {}
    differing = 0
    for _ in range(12):
        state = game.new_state()
        for _ in range(8):
            for player in game.players:
                told = (player, state.observation_string(player), state.current_player, state.is_terminal())
                if state.is_terminal():
                    told += (tuple(state.returns()),)
                shown = (state.board(player), state.svg(player), state.scene(player), state.observation(player))
                first, before = known.setdefault(told, (shown, state._core.bytes()))
                assert first == shown
                differing += before != state._core.bytes()
            if state.is_terminal():
                break
            state.apply(source.randrange(len(state.legal_moves())))
    assert differing > 3


@pytest.mark.parametrize("name", HIDING)
def test_learners_are_told_the_same_in_states_that_they_cannot_tell_apart(name):
    game = rgtrans.load(ROOT / "games" / name)
    spiel = rgtrans.open_spiel.SpielGame(game)
    source = random.Random(7)
    known = {}
    differing = 0
    for _ in range(12):
        state = spiel.new_initial_state()
        for _ in range(8):
            if state.is_terminal():
                break
            for player in range(spiel.num_players()):
                # Who is to move is told to everybody, and players know what they can do.
                told = (player, state.state.observation_string(player), state.current_player())
                record = (state.observation_string(player), state.information_state_string(player),
                          state.observation_tensor(player), state.information_state_tensor(player),
                          state.legal_actions(player), state.legal_actions_mask() if player == state.current_player() else [])
                first, before = known.setdefault(told, (record, state.state._core.bytes()))
                assert first == record
                differing += before != state.state._core.bytes()
            state.apply_action(source.choice(state.legal_actions()))
    assert differing > 3
