"""Games as agent-environment cycles, the form of PettingZoo (and, in its spaces, of Gymnasium).

    >>> env = rgtrans.aec.AECEnvironment(rgtrans.load("breakthrough.hrg"))
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     action = None if termination or truncation else policy(observation["observation"], observation["action_mask"])
    ...     env.step(action)

Neither library is needed; where they are installed the environment is a ``pettingzoo.AECEnv`` and its spaces are those of
Gymnasium. An observation is a dictionary of "observation" and "action_mask". Random moves are made by the environment.
"""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from .actions import ActionSpace
from .errors import ArgumentError
from .game import Game, State

try:
    from pettingzoo import AECEnv as _Base  # type: ignore[import-not-found]
except ImportError:
    _Base = object

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

try:
    from gymnasium import spaces as _spaces  # type: ignore[import-not-found]
except ImportError:
    _spaces = None

__all__ = ["AECEnvironment", "Discrete"]

Observer = Callable[[State, str], Any]


class Discrete:
    """The numbers 0 to n - 1; stands in for gymnasium.spaces.Discrete."""

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


class AECEnvironment(_Base):  # type: ignore[misc,valid-type]
    """One play of a game after another, one agent at a time.

    ``observe`` says what agents get to see: "state", the bytes of the whole state (the default where nothing is hidden),
    "moves", the text of the moves as the agent saw them (the default elsewhere), or a function of state and agent.
    ``reward`` maps an outcome to a reward, by default 100 -> 1, 50 -> 0, 0 -> -1 (scaled to the game's scores).
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi"], "name": "rgtrans", "is_parallelizable": False}

    def __init__(
        self,
        game: Game,
        actions: Optional[ActionSpace] = None,
        *,
        observe: Union[str, Observer, None] = None,
        reward: Optional[Callable[[float], float]] = None,
        max_moves: int = 10_000,
        render_mode: Optional[str] = None,
        engine: str = "interpreter",
    ) -> None:
        if observe not in (None, "state", "moves") and not callable(observe):
            raise ArgumentError(f"observe cannot be {observe!r}", "observe", "allowed: state, moves, a function")
        self.game = game
        self.actions = actions if actions is not None else ActionSpace(game)
        self.possible_agents: List[str] = list(game.players)
        self.agents: List[str] = []
        self.render_mode = render_mode
        self._observe = observe or ("moves" if game.has_hidden_information else "state")
        self._reward = reward or _Scaled(game.scores())
        self._max_moves = max_moves
        self._engine = engine
        self._random = random.Random()
        self._action_space = _spaces.Discrete(self.actions.capacity) if _spaces else Discrete(self.actions.capacity)

    # --- Spaces. ---

    def action_space(self, agent: str) -> Any:
        return self._action_space

    def observation_space(self, agent: str) -> Any:
        """Only the action mask has a fixed shape; with Gymnasium, a Dict space of both parts."""
        if _spaces is None:
            return {"observation": self._observe, "action_mask": (self.actions.capacity,)}
        mask = _spaces.MultiBinary(self.actions.capacity)
        if self._observe == "state":
            length = len(self.game.new_state(self._engine)._core.bytes())
            content: Any = _spaces.Box(0, 255, (length,), dtype=numpy.uint8)
        else:
            content = _spaces.Text(max_length=1 << 20, min_length=0)
        return _spaces.Dict({"observation": content, "action_mask": mask})

    # --- Playing. ---

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Starts a new play."""
        if seed is not None:
            self._random.seed(seed)
        self.state_of_play = self.game.new_state(self._engine)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._moves = 0
        self._given: List[int] = []  # parts of the move that is being made, where moves are factored
        self.agent_selection = self.agents[0]
        self._settle()

    def step(self, action: Optional[int]) -> None:
        """Makes the move of the selected agent; None for one who is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ArgumentError("an agent that is done can only step with None", "action", "step(None)")
            self._remove(agent)
            return
        legal = self.actions.legal(self.state_of_play, self._given)
        if action is None or action not in legal:
            raise ArgumentError(f"action {action} is not legal", "action", "the action_mask shows what is")
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        index = legal[action]
        if index is None:
            self._given.append(int(action))
            return
        self._given = []
        self.state_of_play.apply(index)
        self._moves += 1
        self._settle()
        for name in self.agents:
            self._cumulative_rewards[name] += self.rewards[name]

    def observe(self, agent: str) -> Dict[str, Any]:
        """What the agent sees, and which actions it has (none when another agent is to move)."""
        moving = agent == self.agent_selection and not self.terminations.get(agent, True)
        legal = list(self.actions.legal(self.state_of_play, self._given)) if moving and not self.truncations[agent] else []
        return {"observation": self._content(agent), "action_mask": _array(self.actions.mask(legal), "int8")}

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """Observation, reward since its last move, termination, truncation and info of the selected agent."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The selected agent again and again, until nobody is left."""
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def render(self) -> Optional[str]:
        """The state as text in mode "ansi"."""
        return str(self.state_of_play) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    # --- Inside. ---

    def _settle(self) -> None:
        """Makes random's moves and selects who is next."""
        state = self.state_of_play
        while not state.is_terminal() and state.current_player == "random":
            state.apply(self._random.randrange(len(state.legal_moves())))
        if state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
            returns = dict(zip(self.possible_agents, state.returns()))
            self.rewards = {agent: self._reward(returns[agent]) for agent in self.agents}
        elif self._moves >= self._max_moves:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = state.current_player

    def _remove(self, agent: str) -> None:
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del table[agent]
        if self.agents:
            self.agent_selection = self.agents[0]

    def _content(self, agent: str) -> Any:
        if callable(self._observe):
            return self._observe(self.state_of_play, agent)
        if self._observe == "moves":
            return self.state_of_play.observation_string(agent)
        return _array(list(self.state_of_play._core.bytes()), "uint8")


def _array(values: List[int], dtype: str) -> Any:
    return numpy.array(values, dtype=dtype) if numpy is not None else values


class _Scaled:
    """The reward of an outcome: from -1 for the lowest score of the game to 1 for the highest."""

    def __init__(self, scores: List[float]) -> None:
        self._low, self._high = min(scores), max(scores)

    def __call__(self, score: float) -> float:
        if self._low == self._high:
            return 0.0
        return 2 * (score - self._low) / (self._high - self._low) - 1
