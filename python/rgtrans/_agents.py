"""Shared by the forms of PettingZoo: agents by name, the numbers of actions as a space, and plays of single states."""

from __future__ import annotations

import copy
import random
from typing import Any, Callable, Dict, List, Optional, Protocol, Union

from ._actions import ActionSpace
from ._errors import ArgumentError, UsageError
from ._game import Game, State, engines
from ._render import mode_of, render
from ._surface import engine_name, whole

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def _gymnasium_spaces() -> Any:
    try:
        from gymnasium import spaces
    except ImportError:
        return None
    return spaces


spaces = _gymnasium_spaces()

Observer = Callable[[State, str], Any]


def not_begun() -> UsageError:
    return UsageError("the play has not begun", hint="call reset() first")


class Play(Protocol):
    """One play: makes moves, and reports the mover, observations, rewards and the end."""

    num_actions: int

    @property
    def actions(self) -> ActionSpace: ...
    @property
    def mover(self) -> Optional[str]: ...
    @property
    def terminated(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    def reset(self, seed: Optional[int]) -> None: ...
    def step(self, action: Any) -> None: ...
    def rewards(self) -> Dict[str, float]: ...
    def mask(self, agent: str) -> Any: ...
    def observe(self, agent: str) -> Any: ...
    def observation_space(self) -> Any: ...
    def position(self) -> State: ...


class Discrete:
    """The numbers 0 to n - 1; replaces gymnasium.spaces.Discrete."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._random = random.Random()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random.seed(seed)

    def contains(self, value: Any) -> bool:
        return hasattr(value, "__index__") and 0 <= value.__index__() < self.n

    __contains__ = contains

    def sample(self, mask: Any = None) -> int:
        """A random number; with a mask, one whose entry is not 0."""
        allowed = range(self.n) if mask is None else [i for i, m in enumerate(mask) if m]
        return self._random.choice(allowed)

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


def discrete(n: int) -> Any:
    """Gymnasium's space of n numbers, or ours."""
    return spaces.Discrete(n) if spaces is not None else Discrete(n)


class _NotBegun(UsageError, AttributeError):
    """For hasattr(), the attribute does not exist."""


class AgentsByName:
    """One play, with the rewards and ends of its agents."""

    def __init__(self, play: Play, agents: List[str], render_mode: Optional[str] = None) -> None:
        self._play = play
        self.possible_agents: List[str] = agents
        self.agents: List[str] = []
        self.render_mode = mode_of(render_mode)
        self._action_space = discrete(play.num_actions)

    def action_space(self, agent: str) -> Any:
        """Numbers of moves, the same for all agents."""
        return self._action_space

    def observation_space(self, agent: str) -> Any:
        """With Gymnasium, a Dict space of both parts; without it, a dictionary that describes them."""
        return self._play.observation_space()

    def observe(self, agent: str) -> Dict[str, Any]:
        """The observation of the agent, and its actions (none if another agent is to move)."""
        return {"observation": self._play.observe(agent), "action_mask": self._play.mask(agent)}

    def render(self) -> Any:
        """The board as text ("ansi"), as a drawing ("svg") or as pixels ("rgb_array"); everything is seen. None without a mode."""
        return None if self.render_mode is None else render(self._play.position(), self.render_mode)

    def __copy__(self) -> Any:
        return copy.deepcopy(self)  # two environments on one play would disturb each other

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def _begin(self, seed: Optional[int]) -> None:
        self._play.reset(seed)
        self.agents = list(self.possible_agents)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._take_stock()

    def __getattr__(self, name: str) -> Any:
        # These exist once a play has begun.
        if name in ("infos", "rewards", "terminations", "truncations", "agent_selection", "_cumulative_rewards"):
            raise _NotBegun("the play has not begun", hint="call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _move(self, action: Any) -> None:
        self._play.step(action)
        self._take_stock()

    def _take_stock(self) -> None:
        rewards = self._play.rewards()
        self.rewards: Dict[str, float] = {agent: rewards[agent] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._play.terminated)
        self.truncations = dict.fromkeys(self.agents, self._play.truncated)


class StatePlay:
    """A play of a :class:`State`, from which observations are made one by one."""

    def __init__(self, game: Game, observe: Union[str, Observer], *, actions: Optional[ActionSpace] = None,
                 reward: Optional[Callable[[float], float]] = None, max_moves: int = 10_000, engine: str = "interpreter") -> None:
        self.game = game
        self.actions = actions if actions is not None else ActionSpace(game)
        self.num_actions = self.actions.capacity
        self.terminated = self.truncated = False
        self._observe = observe
        self._reward = reward or Scaled(game)
        self._max_moves = whole(max_moves, "max_moves", 1)
        self._engine = engine_name(engine, engines())
        self._random = random.Random()

    def reset(self, seed: Optional[int]) -> None:
        if seed is not None:
            self._random.seed(seed)
        self.state = self.game.new_state(self._engine)
        self.terminated = self.truncated = False
        self._moves = 0
        self._given: List[int] = []  # parts of the move that is being made, where moves are factored
        self._settle()

    def _check_begun(self) -> None:
        if not hasattr(self, "state"):
            raise not_begun()

    def step(self, action: Optional[int]) -> None:
        self._check_begun()
        legal = self.actions.legal(self.state, self._given)
        if action is None or action not in legal:
            raise ArgumentError(f"action {action} is not legal", "action", "the action_mask shows what is")
        index = legal[action]
        if index is None:
            self._given.append(int(action))
            return
        self._given = []
        self.state.apply(index)
        self._moves += 1
        self._settle()

    @property
    def mover(self) -> Optional[str]:
        self._check_begun()
        return None if self.terminated or self.truncated else self.state.current_player

    def rewards(self) -> Dict[str, float]:
        """0 for everybody until the end."""
        players = self.game.players
        if not self.terminated:
            return dict.fromkeys(players, 0.0)
        return {player: self._reward(score) for player, score in zip(players, self.state._utilities())}

    def mask(self, agent: str) -> Any:
        legal = list(self.actions.legal(self.state, self._given)) if agent == self.mover else []
        return _array(self.actions.mask(legal), "int8")

    def observe(self, agent: str) -> Any:
        self._check_begun()
        if callable(self._observe):
            return self._observe(self.state, agent)
        if self._observe == "moves":
            return self.state.observation_string(agent)
        return _array(list(self.state._core.bytes()), "uint8")

    def observation_space(self) -> Any:
        if spaces is None:
            return {"observation": self._observe, "action_mask": (self.num_actions,)}
        if self._observe == "state":
            length = len(self.game.new_state(self._engine)._core.bytes())
            content: Any = spaces.Box(0, 255, (length,), dtype=numpy.uint8)
        else:
            content = spaces.Text(max_length=1 << 20, min_length=0)
        return spaces.Dict({"observation": content, "action_mask": spaces.MultiBinary(self.num_actions)})

    def position(self) -> State:
        self._check_begun()
        return self.state

    def _settle(self) -> None:
        """Makes random's moves. A play in which somebody has no move is cut off."""
        state = self.state
        while not state.is_terminal() and state.current_player == "random" and state.move_count > 0:
            state.apply(self._random.randrange(state.move_count))
        self.terminated = state.is_terminal()
        self.truncated = not self.terminated and (self._moves >= self._max_moves or state.move_count == 0)


def _array(values: List[int], dtype: str) -> Any:
    return numpy.array(values, dtype=dtype) if numpy is not None else values


class Scaled:
    """The reward of an outcome: from -1 for the lowest score of the game to 1 for the highest. A name counts as 0."""

    def __init__(self, game: Game) -> None:
        utilities = game._utilities()
        self._low, self._high = min(utilities), max(utilities)

    def __call__(self, score: float) -> float:
        if self._low == self._high:
            return 0.0
        return 2 * (score - self._low) / (self._high - self._low) - 1
