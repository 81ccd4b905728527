"""Games as agent-environment cycles, the form of PettingZoo (and, in its spaces, of Gymnasium).

    >>> env = rgtrans.aec.AECEnv(rgtrans.load("breakthrough.hrg"))
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     action = None if termination or truncation else policy(observation["observation"], observation["action_mask"])
    ...     env.step(action)

Neither library is needed; where they are installed the environment is a ``pettingzoo.AECEnv`` and its spaces are those of
Gymnasium. An observation is a dictionary of "observation" and "action_mask". Random moves are made by the environment.

There is one cycle, :class:`AECEnv`, over one of two plays: a batch of one (tensors, in ``rgtrans.forms``), or a
:class:`rgtrans.State` (texts, bytes, and what functions of states make).
"""

from __future__ import annotations

import random
import warnings
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

__all__ = ["AECEnv", "AECEnvironment", "Discrete"]

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


def discrete(n: int) -> Any:
    """Gymnasium's space of n numbers, or ours."""
    return _spaces.Discrete(n) if _spaces else Discrete(n)


class AgentsByName:
    """What the forms of PettingZoo share: one play, and what its agents have got so far.

    The play (``StatePlay``, ``forms.BatchPlay``) makes moves and says who is next (``mover``), what is observed
    (``observe``, ``mask``), and how it stands (``rewards``, ``terminated``, ``truncated``).
    """

    def __init__(self, play: Any, agents: List[str], render_mode: Optional[str] = None) -> None:
        self._play = play
        self.possible_agents: List[str] = agents
        self.agents: List[str] = []
        self.render_mode = render_mode
        self._action_space = discrete(play.num_actions)

    def action_space(self, agent: str) -> Any:
        """Numbers of moves, the same for all agents."""
        return self._action_space

    def observation_space(self, agent: str) -> Any:
        """With Gymnasium, a Dict space of both parts; without it, a dictionary that describes them."""
        return self._play.observation_space()

    def observe(self, agent: str) -> Dict[str, Any]:
        """What the agent sees, and which actions it has (none when another agent is to move)."""
        return {"observation": self._play.observe(agent), "action_mask": self._play.mask(agent)}

    def render(self) -> Optional[str]:
        """The state as text in mode "ansi"."""
        return str(self._play.state) if self.render_mode == "ansi" else None

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

    def _move(self, action: Any) -> None:
        self._play.step(action)
        self._take_stock()

    def _take_stock(self) -> None:
        rewards = self._play.rewards()
        self.rewards: Dict[str, float] = {agent: rewards[agent] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, self._play.terminated)
        self.truncations = dict.fromkeys(self.agents, self._play.truncated)


class AECEnv(AgentsByName, _Base):  # type: ignore[misc,valid-type]
    """One play of a game after another, one agent at a time.

    ``observe`` says what agents get to see:

    * "tensor" (the default): planes of the state, or the moves that were seen where the game hides some. Needs NumPy; all
      further options are those of :class:`rgtrans.env.VectorEnv` (``relative``, ``dtype``, ``engine``, ``max_moves``, ...);
    * "state", the bytes of the whole state; "moves", the text of the moves as the agent saw them; or a function of state and
      agent. Further options are then ``actions`` (an :class:`ActionSpace`), ``reward`` (a function of an outcome, by default
      -1 for the lowest score of the game to 1 for the highest), ``max_moves`` and ``engine``.
    """

    metadata: Dict[str, Any] = {"render_modes": ["ansi"], "name": "rgtrans", "is_parallelizable": False}

    def __init__(self, game: Game, *, observe: Union[str, Observer] = "tensor", render_mode: Optional[str] = None,
                 **options: Any) -> None:
        if observe not in ("tensor", "state", "moves") and not callable(observe):
            raise ArgumentError(f"observe cannot be {observe!r}", "observe", "allowed: tensor, state, moves, a function")
        if render_mode not in (None, "ansi"):
            raise ArgumentError(f"render_mode cannot be {render_mode!r}", "render_mode", "allowed: ansi, None")
        if observe == "tensor":
            from .forms import BatchPlay  # NumPy takes longer to load than everything else

            if render_mode is not None:
                raise ArgumentError("tensors are not rendered", "render_mode", 'observe="state" and "moves" can be')
            play: Any = BatchPlay(game, options)
        else:
            play = StatePlay(game, observe, **options)
        AgentsByName.__init__(self, play, list(game.players), render_mode)
        self.game = game

    @property
    def env(self) -> Any:
        """The batch of one behind tensors."""
        return self._play.env

    @property
    def actions(self) -> ActionSpace:
        """The numbers of moves."""
        return self._play.actions

    @property
    def state_of_play(self) -> State:
        """The state behind texts."""
        return self._play.state

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Starts a new play."""
        self._begin(seed)
        self._cumulative_rewards = dict(self.rewards)
        self._select()

    def step(self, action: Optional[int]) -> None:
        """Makes the move of the selected agent; None for one who is done."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ArgumentError("an agent that is done can only step with None", "action", "step(None)")
            self._remove(agent)
            return
        self._move(action)
        self._cumulative_rewards[agent] = 0.0
        for name in self.agents:
            self._cumulative_rewards[name] += self.rewards[name]
        self._select()

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

    def _select(self) -> None:
        self.agent_selection: str = self._play.mover or self.agents[0]

    def _remove(self, agent: str) -> None:
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del table[agent]
        if self.agents:
            self.agent_selection = self.agents[0]


class AECEnvironment(AECEnv):
    """Deprecated: the former name of :class:`AECEnv` for texts and bytes.

    ``AECEnvironment(game)`` is ``AECEnv(game, observe="state")``, or ``observe="moves"`` where the game hides moves.
    """

    def __init__(self, game: Game, actions: Optional[ActionSpace] = None, *, observe: Union[str, Observer, None] = None,
                 **options: Any) -> None:
        warnings.warn('AECEnvironment is now AECEnv(game, observe="state"), or "moves", or a function', DeprecationWarning, 2)
        if observe not in (None, "state", "moves") and not callable(observe):
            raise ArgumentError(f"observe cannot be {observe!r}", "observe", "allowed: state, moves, a function")
        AECEnv.__init__(self, game, observe=observe or ("moves" if game.has_hidden_information else "state"),
                        actions=actions, **options)


class StatePlay:
    """A play of a :class:`State`, from which observations are made one by one."""

    def __init__(self, game: Game, observe: Union[str, Observer], *, actions: Optional[ActionSpace] = None,
                 reward: Optional[Callable[[float], float]] = None, max_moves: int = 10_000, engine: str = "interpreter") -> None:
        self.game = game
        self.actions = actions if actions is not None else ActionSpace(game)
        self.num_actions = self.actions.capacity
        self.terminated = self.truncated = False
        self._observe = observe
        self._reward = reward or _Scaled(game.scores())
        self._max_moves = max_moves
        self._engine = engine
        self._random = random.Random()

    def reset(self, seed: Optional[int]) -> None:
        if seed is not None:
            self._random.seed(seed)
        self.state = self.game.new_state(self._engine)
        self.terminated = self.truncated = False
        self._moves = 0
        self._given: List[int] = []  # parts of the move that is being made, where moves are factored
        self._settle()

    def step(self, action: Optional[int]) -> None:
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
        return None if self.terminated or self.truncated else self.state.current_player

    def rewards(self) -> Dict[str, float]:
        """0 for everybody until the end."""
        players = self.game.players
        if not self.terminated:
            return dict.fromkeys(players, 0.0)
        return {player: self._reward(score) for player, score in zip(players, self.state.returns())}

    def mask(self, agent: str) -> Any:
        legal = list(self.actions.legal(self.state, self._given)) if agent == self.mover else []
        return _array(self.actions.mask(legal), "int8")

    def observe(self, agent: str) -> Any:
        if callable(self._observe):
            return self._observe(self.state, agent)
        if self._observe == "moves":
            return self.state.observation_string(agent)
        return _array(list(self.state._core.bytes()), "uint8")

    def observation_space(self) -> Any:
        if _spaces is None:
            return {"observation": self._observe, "action_mask": (self.num_actions,)}
        if self._observe == "state":
            length = len(self.game.new_state(self._engine)._core.bytes())
            content: Any = _spaces.Box(0, 255, (length,), dtype=numpy.uint8)
        else:
            content = _spaces.Text(max_length=1 << 20, min_length=0)
        return _spaces.Dict({"observation": content, "action_mask": _spaces.MultiBinary(self.num_actions)})

    def _settle(self) -> None:
        """Makes random's moves."""
        state = self.state
        while not state.is_terminal() and state.current_player == "random":
            state.apply(self._random.randrange(len(state.legal_moves())))
        self.terminated = state.is_terminal()
        self.truncated = not self.terminated and self._moves >= self._max_moves


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
