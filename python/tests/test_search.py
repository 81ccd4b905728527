"""Tree search from single states, and matches."""

import math

import pytest
import rgtrans
from rgtrans import search


@pytest.fixture(scope="module")
def game():
    return rgtrans.load("tic-tac-toe").optimize()


def threat(game):
    """Cross has two in a row, and wins by the third."""
    state = game.new_state()
    space = rgtrans.ActionSpace(game)
    for number in (0, 3, 1, 4):
        state.apply(space.text(number))
    return state, space.text(2)


def zero(state):
    return 0.0


def flat(state):
    return [0.0] * state.move_count, 0.0


@pytest.mark.parametrize("way", [{}, {"value": zero}, {"network": flat}, {"jobs": 2}, {"settings": "rave=50"}], ids=str)
def test_every_search_finds_the_winning_move(game, way):
    state, wins = threat(game)
    before = str(state)
    found = search.run(state, simulations=300, **way)
    assert found.best == wins and str(state) == before
    assert {move.move for move in found.moves} == set(state.legal_moves())
    assert all(state.legal_moves()[move.index] == move.move for move in found.moves)
    assert found.moves[0].value > 0.9 and found.values["cross"] > 0.5 > found.values["nought"]
    if not {"value", "network"}.isdisjoint(way):
        assert found.simulations == 300 == sum(move.visits for move in found.moves)


def test_equal_seeds_give_equal_searches(game):
    state, _ = threat(game)
    runs = [search.run(state, simulations=50, seed=7).moves for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_value_function_and_a_network_are_heeded(game):
    state = game.new_state()
    wanted = state.legal_moves()[5]

    def network(at):
        return [5.0 if move == wanted else 0.0 for move in at.legal_moves()], 0.0

    assert search.run(state, simulations=40, network=network).best == wanted
    bad = [0.0] * len(game.players)
    bad[0] = 1.0

    def value(at):  # for every player: it is good for cross that this cell is taken
        return bad if at.history and game.new_state().legal_moves()[at.history[0]] == wanted else [-1.0, 1.0]

    assert search.run(state, simulations=200, value=value).best == wanted


def test_time_ends_a_search(game):
    found = search.run(game.new_state(), seconds=0.05)
    assert found.simulations > 0 and found.seconds < 5


def test_search_with_chance_and_hidden_moves():
    state = rgtrans.load("kuhn-poker").new_state()
    while state.current_player == "random":
        state.apply(0)
    found = search.run(state, simulations=200)
    assert {move.move for move in found.moves} == set(state.legal_moves())
    with pytest.raises(rgtrans.ArgumentError, match="hides moves"):
        search.run(state, simulations=10, value=zero)
    dice = rgtrans.load("backgammon").new_state()
    with pytest.raises(rgtrans.ArgumentError, match="nobody chooses"):
        search.run(dice, simulations=10)


@pytest.mark.parametrize("options, why", [
    ({}, "give either simulations or seconds"),
    ({"simulations": 0}, "simulations cannot be 0"),
    ({"seconds": -1}, "seconds cannot be -1"),
    ({"simulations": 5, "value": zero, "network": flat}, "either value or network"),
    ({"simulations": 5, "value": zero, "jobs": 2}, "without value and network"),
    ({"simulations": 5, "network": lambda state: ([0.0], 0.0)}, "1 logits for 9 legal moves"),
    ({"simulations": 5, "network": lambda state: ([math.nan] * state.move_count, 0.0)}, "not numbers"),
    ({"simulations": 5, "value": lambda state: math.nan}, "must be a number"),
    ({"simulations": 5, "value": lambda state: [0.0]}, "one for each of 2"),
    ({"simulations": 5, "settings": "speed=3"}, "speed"),
])
def test_wrong_arguments(game, options, why):
    with pytest.raises(rgtrans.Error, match=why):
        search.run(game.new_state(), **options)


def test_matches_say_who_is_stronger(game):
    strong = search.match(game, search.player(simulations=100), search.random_player(), 30)
    assert strong.score.value > 0.85 and strong.score.low < strong.score.value <= strong.score.high
    assert strong.wins + strong.draws + strong.losses == strong.plays == 30
    weak = search.match(game, search.random_player(), search.player(simulations=100), 30)
    assert weak.score.value < 0.15 and "of 30 plays" in str(weak)


def test_intervals_are_those_of_wilson():
    score = search.interval(80, 100)
    assert (score.value, round(score.low, 3), round(score.high, 3)) == (0.8, 0.711, 0.867)
