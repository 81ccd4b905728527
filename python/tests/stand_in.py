"""A stand-in for pyspiel: what its C++ side does with games that are written in Python, after OpenSpiel's python_games.cc,
spiel.cc and the checks of basic_tests.cc. Tests put it into sys.modules, since OpenSpiel cannot be installed everywhere."""

import copy
import enum
import math
import random
import types

INVALID_ACTION = -1
CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
_games = {}


class GameType:
    Dynamics = enum.Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
    ChanceMode = enum.Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC")
    Information = enum.Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION")
    Utility = enum.Enum("Utility", "ZERO_SUM CONSTANT_SUM GENERAL_SUM")
    RewardModel = enum.Enum("RewardModel", "TERMINAL REWARDS")

    def __init__(self, *, short_name, long_name, dynamics, chance_mode, information, utility, reward_model, max_num_players,
                 min_num_players, provides_information_state_string, provides_information_state_tensor,
                 provides_observation_string, provides_observation_tensor, parameter_specification):
        self.__dict__.update({name: value for name, value in locals().items() if name != "self"})


class GameInfo:
    def __init__(self, *, num_distinct_actions, max_chance_outcomes, num_players, min_utility, max_utility, max_game_length):
        self.__dict__.update({name: value for name, value in locals().items() if name != "self"})


class Game:
    def __init__(self, game_type, game_info, params):
        self.type, self.info = game_type, game_info
        self._observer = None

    def get_type(self):
        return self.type

    def num_players(self):
        return self.info.num_players

    def num_distinct_actions(self):
        return self.info.num_distinct_actions

    def observer(self):
        """The default observer, which C++ asks for shapes, tensors and texts."""
        if self._observer is None:
            self._observer = self.make_py_observer(None, {})
        return self._observer

    def deserialize_state(self, text):
        state, actions = self.new_initial_state(), [int(line) for line in text.split()]
        while actions:
            width = self.num_players() if state.is_simultaneous_node() else 1
            state.apply_actions(actions[:width]) if width > 1 else state.apply_action(actions[0])
            del actions[:width]
        return state


class State:
    def __init__(self, game):
        self._game, self._history, self._moves = game, [], 0

    def get_game(self):
        return self._game

    def is_chance_node(self):
        return self.current_player() == CHANCE

    def is_simultaneous_node(self):
        return self.current_player() == SIMULTANEOUS

    def legal_actions(self, player=None):
        if self.is_terminal():
            return []
        if self.is_chance_node():
            return [outcome for outcome, _ in self.chance_outcomes()]
        player = self.current_player() if player is None else player
        if player != self.current_player() and not self.is_simultaneous_node():
            return []
        return self._legal_actions(player)

    def apply_action(self, action):
        self._history.append((self.current_player(), action))
        self._moves += 1
        self._apply_action(action)

    def apply_actions(self, actions):
        self._history += list(enumerate(actions))
        self._moves += 1
        self._apply_actions(actions)

    def history(self):
        return [action for _, action in self._history]

    def move_number(self):
        return self._moves

    def action_to_string(self, player, action):
        return self._action_to_string(player, action)

    def serialize(self):
        return "\n".join(map(str, self.history()))

    def clone(self):
        """Copies of all that Python has put into the state, in a new one."""
        other = self._game.new_initial_state()
        for name, value in self.__dict__.items():
            setattr(other, name, value if name == "_game" else copy.deepcopy(value))
        return other

    def observation_tensor(self, player):
        observer = self._game.observer()
        observer.set_from(self, player)
        return observer.tensor.tolist()


def register_game(game_type, make):
    _games[game_type.short_name] = make


def load_game(name):
    return _games[name]({})


def module():
    return types.SimpleNamespace(**{name: value for name, value in globals().items() if not name.startswith("_")})


def random_play(game, seed):
    """The checks that OpenSpiel makes of each game, in one random play."""
    dice, info = random.Random(seed), game.info
    state, nodes, moves = game.new_initial_state(), set(), 0
    while not state.is_terminal():
        assert moves < info.max_game_length and state.move_number() == moves
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state) and again.history() == state.history()
        for player in range(info.num_players):
            tensor = state.observation_tensor(player)
            assert len(tensor) == game.observer().tensor.size and not any(map(math.isnan, tensor))
            assert isinstance(state.observation_string(player), str) and isinstance(state.information_state_string(player), str)
            assert game.observer().string_from(state, player) == state.observation_string(player)
        before, clone = str(state), state.clone()
        nodes.add(max(state.current_player(), SIMULTANEOUS))
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert 0 < len(outcomes) <= info.max_chance_outcomes and abs(sum(p for _, p in outcomes) - 1) < 1e-9
            state.apply_action(dice.choice(outcomes)[0])
        elif state.is_simultaneous_node():
            choice = [dice.choice(state.legal_actions(player) or [0]) for player in range(info.num_players)]
            state.apply_actions(choice)
        else:
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) and 0 <= legal[0] and legal[-1] < info.num_distinct_actions
            assert len({state.action_to_string(state.current_player(), action) for action in legal}) == len(legal)
            state.apply_action(dice.choice(legal))
        assert str(clone) == before and clone.history() == state.history()[: len(clone.history())]
        moves += 1
    assert state.current_player() == TERMINAL and state.legal_actions() == []
    assert all(info.min_utility <= score <= info.max_utility for score in state.returns())
    return nodes
