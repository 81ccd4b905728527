"""The wrappers have the shape that OpenSpiel and PettingZoo expect, with and without those libraries."""

import pickle
import random
import sys
from pathlib import Path

import pytest

import rgtrans
from rgtrans import ActionSpace
from rgtrans.aec import AECEnv, AECEnvironment
from rgtrans.open_spiel import CHANCE, TERMINAL, SpielGame


def test_action_space(tic_tac_toe):
    space = ActionSpace(tic_tac_toe)
    assert len(space) == 9 and space.capacity == 9 and not space.factored
    assert list(space) == sorted(space)
    state = tic_tac_toe.new_state().apply("R__0 C__0")
    legal = space.legal(state)
    assert space.id("R__0 C__0") not in legal and len(legal) == 8
    assert all(state.legal_moves()[index] == space.text(number) for number, index in legal.items())
    assert sum(space.mask(legal)) == 8
    assert list(ActionSpace(tic_tac_toe)) == list(space)
    with pytest.raises(rgtrans.ArgumentError, match="no move 'new move'"):
        space.id("new move")
    with pytest.raises(rgtrans.ArgumentError, match="no action 9; allowed: 0 to 8"):
        space.text(9)


def test_factored_action_space(tic_tac_toe):
    # Where there are more moves than are wanted, their tags are numbered.
    space = ActionSpace(tic_tac_toe, max_actions=3)
    assert space.factored and len(space) == 7 and list(space) == ["", "C__0", "C__1", "C__2", "R__0", "R__1", "R__2"]
    assert space.ids("R__0 C__2") == [4, 3]
    state = tic_tac_toe.new_state().apply("R__0 C__0")
    assert space.legal(state) == {4: None, 5: None, 6: None}
    assert [state.legal_moves()[i] for i in space.legal(state, [4]).values()] == ["R__0 C__1", "R__0 C__2"]
    with pytest.raises(rgtrans.Error, match="ids"):
        space.id("R__0 C__2")
    with pytest.raises(rgtrans.ArgumentError, match="max_actions cannot be 0"):
        ActionSpace(tic_tac_toe, max_actions=0)


def test_numbers_survive_pickling(tic_tac_toe):
    game = tic_tac_toe.optimize()
    assert list(ActionSpace(pickle.loads(pickle.dumps(game)))) == list(ActionSpace(tic_tac_toe))


GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize("name", ["hrg/breakthrough.hrg", "hrg/kuhn-poker.hrg", "gdl/connect-four.kif", "rbg/hex.rbg"])
def test_numbers_of_moves_do_not_depend_on_what_is_played(name):
    game = rgtrans.load(GAMES / name).optimize()
    space = ActionSpace(game)
    chance = ActionSpace(game, random=True)
    before = list(space)
    assert not space.factored and space.capacity == len(before)
    generator = random.Random(1)
    for _ in range(5):
        state = game.new_state()
        while not state.is_terminal():
            numbers = chance if state.current_player == "random" else space
            assert set(numbers.legal(state).values()) == set(range(state.move_count))
            state.apply(generator.randrange(state.move_count))
    assert list(space) == before


# --- OpenSpiel ---


def check_spiel(game, seed):
    """The conventions that OpenSpiel's own play-through tests check."""
    generator = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        assert state.current_player() in [CHANCE, *range(game.num_players())]
        assert state.returns() == [0.0] * game.num_players()
        clone = state.clone()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(p for _, p in outcomes) - 1) < 1e-9
            action = generator.choice(outcomes)[0]
        else:
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) and legal
            assert all(0 <= a < game.num_distinct_actions() for a in legal)
            mask = state.legal_actions_mask()
            assert len(mask) == game.num_distinct_actions()
            assert [i for i, m in enumerate(mask) if m] == legal
            other = 1 - state.current_player()
            assert state.legal_actions(other) == []
            action = generator.choice(legal)
            assert state.string_to_action(state.action_to_string(state.current_player(), action)) == action
        for player in range(game.num_players()):
            assert isinstance(state.information_state_string(player), str)
            assert isinstance(state.observation_string(player), str)
        child = state.child(action)
        state.apply_action(action)
        assert str(child) == str(state) and child.history() == state.history()
        assert clone.history() == state.history()[:-1]
    assert state.current_player() == TERMINAL
    assert state.legal_actions() == [] and sum(state.legal_actions_mask()) == 0
    assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())
    assert len(state.history()) <= game.max_game_length()
    return state


def test_spiel_states(tic_tac_toe):
    game = SpielGame(tic_tac_toe)
    assert game.num_players() == 2 and (game.min_utility(), game.max_utility()) == (0.0, 100.0)
    for seed in range(20):
        end = check_spiel(game, seed)
        player = (len(end.history()) - 1) % 2
        end.undo_action(player, end.history()[-1])
        assert not end.is_terminal()
    with pytest.raises(ValueError, match="action 99 is not legal"):
        game.new_initial_state().apply_action(99)
    with pytest.raises(ValueError, match="no chance node"):
        game.new_initial_state().chance_outcomes()


def test_spiel_serializes_and_tells_its_history(tic_tac_toe):
    game = SpielGame(tic_tac_toe)
    state = game.new_initial_state()
    assert state.is_initial_state()
    actions = []
    while not state.is_terminal():
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state) and again.legal_actions() == state.legal_actions()
        actions.append(state.legal_actions()[-1])
        state.apply_action(actions[-1])
    assert [(made.player, made.action) for made in state.full_history()] == [(i % 2, a) for i, a in enumerate(actions)]
    assert [state.player_reward(i) for i in (0, 1)] == state.rewards()
    with pytest.raises(ValueError, match="'x' is no action"):
        game.deserialize_state("1\nx")


def test_spiel_says_what_kind_of_game_it_is(tic_tac_toe, pennies):
    kind = SpielGame(tic_tac_toe).get_type()
    assert (kind.dynamics, kind.chance_mode, kind.information) == ("sequential", "deterministic", "perfect_information")
    assert SpielGame(pennies).get_type().information == "imperfect_information"
    assert SpielGame(pennies).get_type().dynamics == "simultaneous"
    assert SpielGame(tic_tac_toe).utility_sum() is None
    assert SpielGame(tic_tac_toe).policy_tensor_shape() == [9]


def test_spiel_utilities_are_scaled_as_rewards_of_environments(tic_tac_toe):
    game = SpielGame(tic_tac_toe, utilities="scaled")
    assert (game.min_utility(), game.max_utility()) == (-1, 1)
    for seed in range(10):
        assert sum(check_spiel(game, seed).returns()) == 0


def test_spiel_observers(tic_tac_toe):
    pytest.importorskip("numpy")
    game = SpielGame(tic_tac_toe)
    observer, state = game.make_observer(), game.new_initial_state()
    assert observer.tensor.size == game.observation_tensor_size() == game.information_state_tensor_size()
    state.apply_action(4)
    for player in (0, 1):
        observer.set_from(state, player)
        assert observer.tensor.tolist() == state.observation_tensor(player)
        assert list(observer.dict["observation"].shape) == game.observation_tensor_shape()
        assert observer.string_from(state, player) == state.observation_string(player)


def test_spiel_hides_what_is_hidden(pennies):
    game = SpielGame(pennies, dynamics="sequential")
    check_spiel(game, 1)
    one, two = game.new_initial_state(), game.new_initial_state()
    for state, side in ((one, "heads"), (two, "tails")):
        state.apply_action(game.actions.id("heads"))
        state.apply_action(game.actions.id(side))
    assert one.information_state_string(1) == two.information_state_string(1)
    assert one.information_state_string(0) != two.information_state_string(0)


ENDLESS_THROW = """
    type Player = {x}; type Score = {50, 100, lost}; type Round = {r0, r1, r2}; type Side = {b, c};
    var round: Round = r0; var side: Side = b;
    begin, throw: player = random;
    throw, thrown: $ a;
    throw, more: $ again;
    more, shown: side = Side(*);
    shown, round0: $$ side;
    round0, round1: round == r0;
    round1, more: round = r1;
    round0, thrown: round == r0;
    round0, thrown: round == r1;
    thrown, go: player = x;
    go, gone: $ go;
    gone, judged: player = keeper;
    judged, over: goals[x] = lost;
    over, end: player = keeper;
"""


def test_parts_of_a_throw_are_as_likely_as_the_throws_that_go_on_with_them():
    # a, again and one side, again and two sides: seven throws, whose number the rules do not bound
    game = rgtrans.load(ENDLESS_THROW, "rg", name="throw")
    spiel = SpielGame(game)
    assert spiel.outcomes.factored
    state = spiel.new_initial_state()
    named = lambda: {spiel.outcomes.text(action): round(chance, 6) for action, chance in state.chance_outcomes()}
    assert named() == {"a": round(1 / 7, 6), "again": round(6 / 7, 6)}
    state.apply_action(spiel.outcomes.ids("again")[0])
    assert named() == {"b": 0.5, "c": 0.5}
    state.apply_action(spiel.outcomes.ids("b")[0])
    assert named() == {"": round(1 / 3, 6), "b": round(1 / 3, 6), "c": round(1 / 3, 6)}


def test_a_name_counts_as_the_number_0():
    game = rgtrans.load(ENDLESS_THROW, "rg", name="throw")
    env = AECEnv(game, observe="moves")
    env.reset(seed=1)
    env.step(0)
    assert env.rewards == {"x": -1.0}
    spiel = SpielGame(game)
    assert (spiel.min_utility(), spiel.max_utility()) == (0.0, 100.0)
    envs = rgtrans.env.VectorEnv(game, 1, engine="interpreter")
    envs.reset(seed=1)
    envs.step(envs.sample())
    assert envs.terminated[0] and envs.rewards[0, 0] == -1.0
    # The name is no obstacle for the one with a number.
    ours = rgtrans.load("""
        type Player = {x, o}; type Score = {100, lost};
        begin, go: player = x;
        go, gone: $ go;
        gone, judged: player = keeper;
        judged, more: goals[x] = lost;
        more, over: goals[o] = 100;
        over, end: player = keeper;
    """, "rg", name="judged")
    one = rgtrans.search.random_player()
    assert rgtrans.search.match(ours, one, one, 2).score.value == 0.5


def test_registering_needs_open_spiel(tic_tac_toe):
    pyspiel = pytest.importorskip("pyspiel")
    rgtrans.open_spiel.register("rgtrans_tic_tac_toe", lambda: tic_tac_toe)
    state = pyspiel.load_game("rgtrans_tic_tac_toe").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == 100


@pytest.mark.parametrize("name, nodes", [("tic-tac-toe", {0, 1}), ("kuhn-poker", {CHANCE, 0, 1}), ("prisoners-dilemma", {-2}),
                                         ("battleships", {-2, 0, 1})])
def test_registered_games_pass_the_checks_of_open_spiel(monkeypatch, name, nodes):
    """With a stand-in for its C++ side; the test above plays in the library itself."""
    pytest.importorskip("numpy")
    import stand_in

    monkeypatch.setitem(sys.modules, "pyspiel", stand_in.module())
    rgtrans.open_spiel.register(name, lambda: rgtrans.load(name))
    game = stand_in.load_game(name)
    seen = set()
    for seed in range(2):
        seen |= stand_in.random_play(game, seed)
    assert seen == nodes


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "prisoners-dilemma", "english-draughts"])
def test_spiel_states_are_taken_back_to_the_start(name):
    """With chance, joint moves, and moves in parts: each undo gives the state before, without playing it again."""
    game = SpielGame(rgtrans.load(name))
    dice = random.Random(3)
    state, path = game.new_initial_state(), []
    while not state.is_terminal() and len(path) < 40:
        path.append((str(state), state.history(), state.legal_actions(), list(state._given)))
        if state.is_simultaneous_node():
            state.apply_actions([dice.choice(state.legal_actions(player)) for player in range(2)])
        else:
            state.apply_action_with_legality_check(dice.choice(state.legal_actions()))
        assert state.move_number() == len(path)
    twin = state.clone()
    for one in (twin, state):
        for text, history, legal, given in reversed(path):
            player, action = one.full_history()[-1].player, one.history()[-1]
            one.undo_action(player, action)
            assert (str(one), one.history(), one.legal_actions(), one._given) == (text, history, legal, given)
        with pytest.raises(IndexError, match="no action to take back"):
            one.undo_action(0, 0)


def test_without_open_spiel_registering_says_so(tic_tac_toe):
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="needs OpenSpiel"):
            rgtrans.open_spiel.register("name", lambda: tic_tac_toe)


# --- PettingZoo ---


def check_aec(env, seed):
    env.reset(seed=seed)
    assert env.agents == env.possible_agents
    generator = random.Random(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        assert agent == env.agent_selection and agent in env.agents
        observation, reward, termination, truncation, info = env.last()
        total[agent] += reward
        mask = list(observation["action_mask"])
        assert len(mask) == env.action_space(agent).n
        assert isinstance(info, dict)
        if termination or truncation:
            assert sum(mask) == 0
            env.step(None)
        else:
            assert sum(mask) > 0
            others = [a for a in env.agents if a != agent]
            assert all(sum(env.observe(a)["action_mask"]) == 0 for a in others)
            env.step(generator.choice([i for i, m in enumerate(mask) if m]))
    assert env.agents == []
    return total


def test_aec_plays(tic_tac_toe):
    env = AECEnv(tic_tac_toe, observe="state", render_mode="ansi")
    results = set()
    for seed in range(30):
        total = check_aec(env, seed)
        assert total["x"] == -total["o"]
        results.add(total["x"])
    assert results >= {1.0, -1.0}
    assert "cross to move" not in env.render() and env.render() == env.state_of_play.board()
    env.reset()
    mask = env.observe("x")["action_mask"]
    assert mask[env.action_space("x").sample()] in (0, 1)
    with pytest.raises(ValueError, match="action None is not legal"):
        env.step(None)


def test_aec_with_chance_and_hidden_moves(pennies):
    env = AECEnv(pennies, observe="moves")
    for seed in range(5):
        total = check_aec(env, seed)
        assert sorted(total.values()) == [-1.0, 1.0]
    env.reset(seed=3)
    assert env.agent_selection == "chooser"  # the coin was thrown by the environment
    first = env.observe("chooser")["observation"]
    env.reset(seed=3)
    assert env.observe("chooser")["observation"] == first


def test_aec_truncates(tic_tac_toe):
    env = AECEnv(tic_tac_toe, observe="state", max_moves=2)
    total = check_aec(env, 1)
    assert total == {"x": 0.0, "o": 0.0}


def test_aec_observations_can_be_chosen(tic_tac_toe):
    env = AECEnv(tic_tac_toe, observe=lambda state, agent: (agent, len(state.history)))
    env.reset()
    assert env.observe("o")["observation"] == ("o", 0)
    with pytest.raises(ValueError, match="observe cannot be 'all'; allowed: tensor, state, moves, a function"):
        AECEnv(tic_tac_toe, observe="all")


def test_the_former_name_of_aec_still_works(tic_tac_toe, pennies):
    with pytest.warns(DeprecationWarning, match=r'AECEnv\(game, observe="state"\)'):
        former = AECEnvironment(tic_tac_toe, rgtrans.ActionSpace(tic_tac_toe), max_moves=5)
    assert check_aec(former, 1) == check_aec(AECEnv(tic_tac_toe, observe="state", max_moves=5), 1)
    with pytest.warns(DeprecationWarning):
        env = AECEnvironment(pennies)
    env.reset(seed=1)
    assert isinstance(env.observe("chooser")["observation"], str)
    with pytest.warns(DeprecationWarning), pytest.raises(ValueError, match="observe cannot be 'all'"):
        AECEnvironment(tic_tac_toe, observe="all")


def test_every_observation_is_of_the_same_cycle(tic_tac_toe):
    pytest.importorskip("numpy")
    totals = [check_aec(AECEnv(tic_tac_toe, observe=kind, **options), 7) for kind, options in
              (("tensor", {"engine": "interpreter"}), ("state", {}), ("moves", {}), (lambda state, agent: 0, {}))]
    assert totals[0] in ({"x": 1.0, "o": -1.0}, {"x": -1.0, "o": 1.0}, {"x": 0.0, "o": 0.0})
    assert all(total == totals[0] for total in totals)


def test_aec_with_pettingzoo(tic_tac_toe):
    pettingzoo_test = pytest.importorskip("pettingzoo.test")
    pettingzoo_test.api_test(AECEnv(tic_tac_toe, observe="state"), num_cycles=100)


def test_aec_pickles_in_the_middle_of_a_play(tic_tac_toe):
    env = AECEnv(tic_tac_toe, observe="state")
    env.reset(seed=3)
    env.step(4)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.agent_selection == env.agent_selection and str(copy.state_of_play) == str(env.state_of_play)
    for each in (env, copy):
        each.step(0)
    assert list(copy.last()[0]["action_mask"]) == list(env.last()[0]["action_mask"])
