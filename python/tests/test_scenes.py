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
    assert "e2 e4" in state.shown_moves()
    assert state.copy().apply("e2e4") == state.copy().apply("S__5_2 S__5_4")
    assert state.copy().apply("S(5,2) S(5,4)") == state.copy().apply("S__5_2 S__5_4")
    with pytest.raises(rgtrans.ArgumentError, match="legal: 'a2 a3'"):
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


def assert_nothing_leaks(start, players, told, shown, make_random_move):
    """The picture for a player is the same in all states with the same observations of that player."""
    known = {}
    differing = 0
    for _ in range(12):
        state = start()
        for _ in range(8):
            for player in players:
                bytes_of = getattr(state, "state", state)._core.bytes()
                here = shown(state, player)
                first, before = known.setdefault((player, told(state, player)), (here, bytes_of))
                assert first == here
                differing += before != bytes_of
            if state.is_terminal():
                break
            make_random_move(state)
    assert differing > 3


@pytest.mark.parametrize("name", HIDING)
def test_a_player_sees_the_same_in_states_that_player_cannot_tell_apart(name):
    game = rgtrans.load(ROOT / "games" / name)
    source = random.Random(3)

    def told(state, player):
        known = (state.observation_string(player), state.current_player, state.is_terminal())
        return known + (tuple(state.returns()),) if state.is_terminal() else known

    def shown(state, player):
        return state.board(player), state.svg(player), state.scene(player), state.observation(player)

    assert_nothing_leaks(game.new_state, game.players, told, shown,
                         lambda state: state.apply(source.randrange(len(state.legal_moves()))))


@pytest.mark.parametrize("name", HIDING)
def test_learners_are_told_the_same_in_states_that_they_cannot_tell_apart(name):
    spiel = rgtrans.open_spiel.SpielGame(rgtrans.load(ROOT / "games" / name), dynamics="sequential")
    source = random.Random(7)

    def told(state, player):  # everybody knows the player to move, and players know their moves
        return None if state.is_terminal() else (state.state.observation_string(player), state.current_player())

    def shown(state, player):
        if state.is_terminal():
            return None
        mask = state.legal_actions_mask() if player == state.current_player() else []
        return (state.observation_string(player), state.information_state_string(player), state.observation_tensor(player),
                state.information_state_tensor(player), state.legal_actions(player), mask)

    assert_nothing_leaks(spiel.new_initial_state, range(spiel.num_players()), told, shown,
                         lambda state: state.apply_action(source.choice(state.legal_actions())))
