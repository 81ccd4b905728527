"""Games in the form that OpenSpiel's algorithms expect.

    >>> game = rgtrans.open_spiel.SpielGame(rgtrans.load("breakthrough.hrg"))
    >>> state = game.new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])

The classes have OpenSpiel's methods and do not need it. :func:`register` makes a game known to an installed OpenSpiel,
under a name for ``pyspiel.load_game``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._actions import ActionSpace
from ._agents import Scaled
from ._errors import ArgumentError
from ._game import Game, State, engines
from ._registered import register_with
from ._render import MODES, render
from ._surface import engine_name, one_of, renamed, whole
from ._together import choosing, has_joint_moves

if TYPE_CHECKING:
    from ._vector import Observer

__all__ = ["CHANCE", "INVALID_ACTION", "SIMULTANEOUS", "GameType", "Observation", "PlayerAction", "SpielGame", "SpielState", "TERMINAL", "register"]

CHANCE = -1
"""``current_player()`` at a chance node, as pyspiel.PlayerId.CHANCE."""
SIMULTANEOUS = -2
"""``current_player()`` where players choose at once, as pyspiel.PlayerId.SIMULTANEOUS."""
TERMINAL = -4
"""``current_player()`` at the end, as pyspiel.PlayerId.TERMINAL."""

INVALID_ACTION = -1
"""The action of a player who has none at a simultaneous node, as pyspiel.INVALID_ACTION."""


@dataclass(frozen=True)
class GameType:
    """What kind of game this is, in OpenSpiel's words."""

    short_name: str
    long_name: str
    chance_mode: str
    """"deterministic" or "explicit_stochastic"."""
    information: str
    """"perfect_information" or "imperfect_information"."""
    dynamics: str = "sequential"
    """"sequential" or "simultaneous": at some nodes players choose at once."""
    utility: str = "general_sum"
    """Always this: rgtrans does not prove that the outcomes of all plays have one sum."""
    reward_model: str = "terminal"
    max_num_players: int = 2
    min_num_players: int = 2
    provides_information_state_string: bool = True
    provides_information_state_tensor: bool = True
    provides_observation_string: bool = True
    provides_observation_tensor: bool = True
    parameter_specification: Dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PlayerAction:
    """An entry of a history: a player and its action."""

    player: int
    action: int


class Observation:
    """OpenSpiel's observer: ``tensor`` and ``dict`` of the state that :meth:`set_from` got last."""

    def __init__(self, game: "SpielGame") -> None:
        import numpy

        self._game = game
        self.tensor = numpy.zeros(game.observation_tensor_size(), game.observer().spec.dtype)
        self.dict = {"observation": self.tensor.reshape(game.observation_tensor_shape())}

    def set_from(self, state: "SpielState", player: int) -> None:
        self.tensor[:] = self._game.observer().tensor(state.state, player).reshape(-1)

    def string_from(self, state: "SpielState", player: int) -> str:
        return state.observation_string(player)


class SpielGame:
    """A game with OpenSpiel's methods. ``max_moves`` bounds the moves of one play, for max_game_length().

    ``utilities`` are the outcomes as the "game" has them, or "scaled" to -1 to 1 as the rewards of
    :class:`rgtrans.env.VectorEnv`.

    ``dynamics``: "simultaneous" makes one node where players choose at once, without seeing one another's choice; "sequential"
    has them choose one after the other, with hidden moves, as algorithms for sequential games want it. By default, a game with
    such nodes is simultaneous.
    """

    @renamed(max_length="max_moves")
    def __init__(self, game: Game, actions: Optional[ActionSpace] = None, *, engine: str = "interpreter",
                 max_moves: int = 10_000, utilities: str = "game", dynamics: Optional[str] = None) -> None:
        self.game = game
        self._scaled = one_of(utilities, "utilities", ("game", "scaled")) == "scaled"
        self.actions = actions if actions is not None else ActionSpace(game)
        self.outcomes = ActionSpace(game, random=True)
        """The numbers of what chance does."""
        self._observer: Optional[Observer] = None
        self.engine = engine_name(engine, engines())
        self._max_moves = whole(max_moves, "max_moves", 1)
        if dynamics is None:
            dynamics = "simultaneous" if not self.actions.factored and has_joint_moves(game) else "sequential"
        self.simultaneous = one_of(dynamics, "dynamics", ("sequential", "simultaneous")) == "simultaneous"
        if self.simultaneous and self.actions.factored:
            raise ArgumentError("moves in parts cannot be made at once", "dynamics", 'use "sequential"')

    def new_initial_state(self) -> "SpielState":
        return SpielState(self, self.game.new_state(self.engine))

    def num_players(self) -> int:
        return len(self.game.players)

    def num_distinct_actions(self) -> int:
        return self.actions.capacity

    def max_chance_outcomes(self) -> int:
        return self.outcomes.size

    def max_game_length(self) -> int:
        return self._max_moves

    def min_utility(self) -> float:
        return min(self._utilities())

    def max_utility(self) -> float:
        return max(self._utilities())

    def _utilities(self) -> List[float]:
        return list(map(self._utility, self.game._utilities()))

    def utility_sum(self) -> Optional[float]:
        """None: no sum of outcomes is proved."""
        return None

    def _utility(self, score: float) -> float:
        return Scaled(self.game)(score) if self._scaled else score

    def get_type(self) -> GameType:
        return GameType(
            self.game.name, self.game.name, "explicit_stochastic" if self.game.has_chance else "deterministic",
            "imperfect_information" if self.game.has_hidden_information else "perfect_information",
            dynamics="simultaneous" if self.simultaneous else "sequential",
            max_num_players=self.num_players(), min_num_players=self.num_players())

    def deserialize_state(self, text: str) -> "SpielState":
        """The state that :meth:`SpielState.serialize` wrote."""
        state = self.new_initial_state()
        actions: List[int] = []
        for line in text.split():
            if not line.isdecimal() and line != str(INVALID_ACTION):
                raise ArgumentError(f"{line!r} is no action", "text", "serialize() writes one action a line")
            actions.append(int(line))
        state._replay(actions)
        return state

    def make_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observation:
        """The observer has one form; it takes OpenSpiel's arguments and ignores them."""
        return Observation(self)

    def observation_tensor_size(self) -> int:
        return math.prod(self.observation_tensor_shape())

    def information_state_tensor_size(self) -> int:
        return self.observation_tensor_size()

    def policy_tensor_shape(self) -> List[int]:
        return [self.num_distinct_actions()]

    def action_to_string(self, player: int, action: int) -> str:
        return (self.outcomes if player == CHANCE else self.actions).text(action)

    def new_initial_states(self) -> List["SpielState"]:
        """The one initial state."""
        return [self.new_initial_state()]

    def max_move_number(self) -> int:
        return self._max_moves

    def max_history_length(self) -> int:
        """At simultaneous nodes, the history has an entry for each player."""
        return self._max_moves * (self.num_players() if self.simultaneous else 1)

    def max_chance_nodes_in_history(self) -> int:
        return self._max_moves if self.game.has_chance else 0

    def observer(self) -> Observer:
        """The observer, which turns states into tensors; it needs NumPy.

        If the game hides moves, a player sees the last 100 visible ones."""
        if self._observer is None:
            from ._vector import Observer

            self._observer = Observer(self.game, history=100)
        return self._observer

    def observation_tensor_shape(self) -> List[int]:
        return list(self.observer().spec.shape)

    def information_state_tensor_shape(self) -> List[int]:
        return self.observation_tensor_shape()

    def get_parameters(self) -> Dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return f"rgtrans({self.game.name})"

    __repr__ = __str__


class SpielState:
    """A state with OpenSpiel's methods."""

    def __init__(self, game: SpielGame, state: State) -> None:
        self._game = game
        self.state = state
        self._history: List[PlayerAction] = []
        self._made: List[int] = []  # for each node so far, how many moves of the state it made; none: a part of a move
        self._given: List[int] = []  # parts of the move that is being made, where moves are factored
        self._choosing: Optional[Dict[int, State]] = None  # found when first needed

    def get_game(self) -> SpielGame:
        return self._game

    def current_player(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        if self.is_simultaneous_node():
            return SIMULTANEOUS
        return self._mover()

    def _mover(self) -> int:
        mover = self.state.current_player
        return CHANCE if mover == "random" else self._game.game.players.index(mover)

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        return len(self._at_once()) > 1

    def _at_once(self) -> Dict[int, State]:
        """Those who choose at once, if there are several, each with a position in which that player moves."""
        if not self._game.simultaneous:
            return {}
        if self._choosing is None:
            self._choosing = dict(choosing(self.state))
        return self._choosing

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def is_mean_field_node(self) -> bool:
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """Sorted; empty for a player who is not to move. At a simultaneous node, of all players together without ``player``."""
        if self.is_simultaneous_node():
            space = self._game.actions
            legal = {who: list(space.legal(position)) for who, position in self._at_once().items()}
            return sorted(set().union(*legal.values())) if player is None else legal.get(player, [])
        if player is not None and player != self.current_player():
            return []
        return list(self._legal())

    def _legal(self) -> Dict[int, Optional[int]]:
        space = self._game.outcomes if self.is_chance_node() else self._game.actions
        return space.legal(self.state, self._given)

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        space = self._game.outcomes if self.is_chance_node() else self._game.actions
        return space.mask(self.legal_actions(player))

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        if not self.is_chance_node():
            raise ArgumentError("this is no chance node", "state", "is_chance_node() tells")
        legal = self._legal()
        if not self._game.outcomes.factored:
            return [(number, 1 / len(legal)) for number in legal]
        # Whole moves are equally likely. A part is as likely as the moves that go on with it.
        begin = len(self._given)
        ways = dict.fromkeys(legal, 0)
        for move in self.state.legal_moves():
            parts = [*self._game.outcomes.ids(move), 0]
            if parts[:begin] == self._given:
                ways[parts[begin]] += 1
        return [(number, count / sum(ways.values())) for number, count in ways.items()]

    def apply_actions(self, actions: Sequence[int]) -> None:
        """An action for each player at a simultaneous node; the actions of players who have none there are ignored."""
        at_once = self._at_once()
        if not self.is_simultaneous_node():
            raise ArgumentError("this is no simultaneous node", "actions", "use apply_action()")
        if len(actions) != self.num_players():
            raise ArgumentError(f"there are {len(actions)} actions", "actions", f"one for each of {self.num_players()} players")
        for player in at_once:
            if actions[player] not in self.legal_actions(player):
                raise ArgumentError(f"action {actions[player]} of player {player} is not legal", "actions",
                                    f"allowed: {self.legal_actions(player)[:10]}")
        for player in at_once:
            index = self._legal()[actions[player]]
            assert index is not None
            self.state.apply(index)
        self._made.append(len(at_once))
        self._choosing = None
        for player in range(self.num_players()):
            self._history.append(PlayerAction(player, actions[player] if player in at_once else INVALID_ACTION))

    def _replay(self, actions: Sequence[int]) -> None:
        """Makes the actions of a history."""
        at = 0
        while at < len(actions):
            if self.is_simultaneous_node():
                self.apply_actions(actions[at : at + self.num_players()])
                at += self.num_players()
            else:
                self.apply_action(actions[at])
                at += 1

    def apply_action(self, action: int) -> None:
        if self.is_simultaneous_node():
            raise ArgumentError("all players choose at once here", "action", "use apply_actions()")
        legal = self._legal()
        if action not in legal:
            raise ArgumentError(f"action {action} is not legal", "action", f"allowed: {list(legal)[:10]}")
        index = legal[action]
        self._history.append(PlayerAction(self.current_player(), action))
        self._made.append(0 if index is None else 1)
        if index is None:
            self._given.append(action)
            return
        self._given = []
        self._choosing = None
        self.state.apply(index)

    def apply_action_with_legality_check(self, action: int) -> None:
        """The same as :meth:`apply_action`, which always checks."""
        self.apply_action(action)

    def apply_actions_with_legality_checks(self, actions: Sequence[int]) -> None:
        """The same as :meth:`apply_actions`, which always checks."""
        self.apply_actions(actions)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back, or those of all players at a simultaneous node."""
        if not self._made:
            raise IndexError("there is no action to take back")
        self._choosing = None
        moves = self._made.pop()
        if moves == 0:
            self._given.pop()
        for _ in range(moves):
            self.state.undo()
        del self._history[len(self._history) - (self.num_players() if moves > 1 else 1) :]
        if moves == 1:  # the parts of the move before its last one
            parts = next((i for i, made in enumerate(reversed(self._made)) if made > 0), len(self._made))
            self._given = self.history()[len(self._history) - parts :]

    def action_to_string(self, player_or_action: int, action: Optional[int] = None) -> str:
        if action is None:
            return self._game.action_to_string(self.current_player(), player_or_action)
        return self._game.action_to_string(player_or_action, action)

    def string_to_action(self, player_or_text: Any, text: Optional[str] = None) -> int:
        """The number of a move in any text that :meth:`rgtrans.State.apply` takes; as in OpenSpiel, a player may come first."""
        space = self._game.outcomes if text is not None and player_or_text == CHANCE else self._game.actions
        move: str = player_or_text if text is None else text
        legal = [space.text(action) for action in self.legal_actions()] if not space.factored else []
        meant = self._game.game._scenes().meant(legal, " ".join(move.split())) if legal else []
        return space.id(legal[meant[0]] if len(meant) == 1 else move)

    def render(self, mode: str = "ansi") -> Any:
        """The board as text ("ansi"), as a drawing ("svg") or as pixels ("rgb_array")."""
        return render(self.state, one_of(mode, "mode", MODES))

    def returns(self) -> List[float]:
        """Zero for everybody before the end."""
        if not self.is_terminal():
            return [0.0] * self._game.num_players()
        return [self._game._utility(score) for score in self.state._utilities()]

    def rewards(self) -> List[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.rewards()[player]

    def observation_string(self, player: Optional[int] = None) -> str:
        """The whole state if nothing is hidden, else the observations of the player."""
        if self._game.game.has_hidden_information:
            return self.information_state_string(player)
        return str(self.state)

    def information_state_string(self, player: Optional[int] = None) -> str:
        return self.state.observation_string(self._mover() if player is None else player)

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """Flat; ``SpielGame.observation_tensor_shape()`` gives the shape, ``observer().spec`` the meaning of the planes."""
        viewer = max(self.current_player(), 0) if player is None else player
        result: List[float] = self._game.observer().tensor(self.state, viewer).reshape(-1).tolist()
        return result

    def information_state_tensor(self, player: Optional[int] = None) -> List[float]:
        """The same: where something is hidden, it has what the player has seen."""
        return self.observation_tensor(player)

    def history(self) -> List[int]:
        return [made.action for made in self._history]

    def full_history(self) -> List[PlayerAction]:
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def is_initial_state(self) -> bool:
        return not self._history

    def move_number(self) -> int:
        """The actions so far; those of a simultaneous node are one move."""
        return len(self._made)

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def clone(self) -> "SpielState":
        result = SpielState(self._game, self.state.copy())
        result._history, result._made, result._given = list(self._history), list(self._made), list(self._given)
        return result

    def child(self, action: int) -> "SpielState":
        result = self.clone()
        result.apply_action(action)
        return result

    def serialize(self) -> str:
        return "\n".join(map(str, self.history()))

    def __str__(self) -> str:
        return str(self.state)

    to_string = __str__
    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> "SpielState":
        return self.clone()


def register(name: str, make: Callable[[], "Game"], **options: Any) -> None:
    """Makes a game known to OpenSpiel, for ``pyspiel.load_game(name)``. ``options`` are those of :class:`SpielGame`."""
    try:
        import pyspiel
    except ImportError as error:
        raise ImportError("register needs OpenSpiel: pip install open_spiel") from error
    register_with(pyspiel, name, SpielGame(make(), **options), Observation)
