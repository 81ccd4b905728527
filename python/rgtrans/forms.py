"""Batches in the forms of other libraries: Gymnasium's vectors, PettingZoo, PGX. None of them is needed; where one is
installed, the classes and their spaces are its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from .aec import Discrete
from .errors import ArgumentError
from .game import Game
from .vector import VectorEnv, whole

__all__ = ["AECEnv", "GymnasiumVectorEnv", "ParallelEnv", "PgxEnv", "PgxState"]

try:
    from gymnasium.vector import VectorEnv as _GymnasiumBase  # type: ignore[import-not-found]
    from gymnasium import spaces as _spaces  # type: ignore[import-not-found]
except ImportError:
    _GymnasiumBase, _spaces = object, None

try:
    from pettingzoo import AECEnv as _AECBase, ParallelEnv as _ParallelBase  # type: ignore[import-not-found]
except ImportError:
    _AECBase, _ParallelBase = object, object


def _action_space(n: int) -> Any:
    return _spaces.Discrete(n) if _spaces else Discrete(n)


def _observation_space(env: VectorEnv) -> Any:
    spec = env.observation_spec
    if _spaces is None:
        return {"observation": spec, "action_mask": (env.num_actions,)}
    return _spaces.Dict({"observation": _spaces.Box(0, 1, spec.shape, numpy.dtype(spec.dtype)),
                         "action_mask": _spaces.MultiBinary(env.num_actions)})


class GymnasiumVectorEnv(_GymnasiumBase):  # type: ignore[misc,valid-type]
    """Gymnasium's vector interface: one learner, who has the seat ``player`` in every play.

    The others are played by ``opponent``, a function of (observations, masks) that gives an action for each play, or
    uniformly at random. Rewards are those of the learner. A play that is over begins anew in the next step.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": "NextStep"}

    def __init__(self, game: Game, num_envs: int, *, player: int = 0,
                 opponent: Optional[Callable[[Any, Any], Any]] = None, **options: Any) -> None:
        for fixed in ("reset_mode", "observe"):
            if fixed in options:
                raise ArgumentError(f"{fixed} cannot be chosen here", fixed)
        self.env = VectorEnv(game, num_envs, reset_mode="next_step", **options)
        self.num_envs = self.env.num_envs
        self.player = whole(player, "player", 0, self.env.num_players - 1)
        self.opponent = opponent
        self.single_action_space = _action_space(self.env.num_actions)
        self.single_observation_space = _observation_space(self.env)
        self.action_space, self.observation_space = self.single_action_space, self.single_observation_space
        if _spaces is not None:
            from gymnasium.vector.utils import batch_space  # type: ignore[import-not-found]

            self.action_space = batch_space(self.single_action_space, num_envs)
            self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._over = numpy.zeros(num_envs, numpy.bool_)

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        self.env.reset(seed)
        self._over[:] = False
        self._others(numpy.zeros((self.num_envs, self.env.num_players), numpy.float32), self._over.copy(), self._over.copy())
        return self._observation(), {}

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        env = self.env
        actions = env._actions(actions).copy()
        rewards = numpy.zeros((self.num_envs, env.num_players), numpy.float32)
        env.step(actions)
        rewards += env.rewards
        terminated, truncated = env.terminated.copy(), env.truncated.copy()
        self._others(rewards, terminated, truncated)
        self._over = terminated | truncated
        return self._observation(), rewards[:, self.player].copy(), terminated, truncated, {}

    def _others(self, rewards: Any, terminated: Any, truncated: Any) -> None:
        """The other seats move until it is the learner's turn everywhere."""
        env = self.env
        while True:
            waiting = (env.player >= 0) & (env.player != self.player)
            if not waiting.any():
                return
            actions = env.sample() if self.opponent is None else env._actions(self.opponent(env.observations, env.mask))
            env.step(actions, which=waiting)
            rewards[waiting] += env.rewards[waiting]
            terminated |= env.terminated & waiting
            truncated |= env.truncated & waiting

    def _observation(self) -> Dict[str, Any]:
        assert self.env.observations is not None
        return {"observation": self.env.observations.copy(), "action_mask": self.env.mask.astype(numpy.int8)}

    def close(self, **kwargs: Any) -> None:
        """Nothing is held open."""


# --- PettingZoo. ---


class _OnePlay:
    """What both forms of PettingZoo share: one play, agents by name."""

    def __init__(self, game: Game, options: Dict[str, Any]) -> None:
        for fixed in ("reset_mode", "observe", "count"):
            if fixed in options:
                raise ArgumentError(f"{fixed} cannot be chosen here", fixed)
        self.env = VectorEnv(game, 1, threads=1, reset_mode="stay", observe=False, **options)
        self.possible_agents: List[str] = list(game.players)
        self.agents: List[str] = []
        self.render_mode = None

    def action_space(self, agent: str) -> Any:
        return _action_space(self.env.num_actions)

    def observation_space(self, agent: str) -> Any:
        return _observation_space(self.env)

    def observe(self, agent: str) -> Dict[str, Any]:
        number = self.possible_agents.index(agent)
        mask = self.env.mask[0].astype(numpy.int8) if self.env.player[0] == number else numpy.zeros(
            self.env.num_actions, numpy.int8)
        return {"observation": self.env.observe(number)[0], "action_mask": mask}

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def _begin(self, seed: Optional[int]) -> None:
        self.env.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}

    def _move(self, action: Any) -> None:
        self.env.step(numpy.array([whole(action, "action", 0, self.env.num_actions - 1)], numpy.int32))
        self.rewards = {a: float(r) for a, r in zip(self.possible_agents, self.env.rewards[0])}
        self.terminations = dict.fromkeys(self.agents, bool(self.env.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(self.env.truncated[0]))

    @property
    def _mover(self) -> Optional[str]:
        number = int(self.env.player[0])
        return self.possible_agents[number] if number >= 0 else None


class AECEnv(_OnePlay, _AECBase):  # type: ignore[misc,valid-type]
    """PettingZoo's agent-environment cycle with tensors. ``options`` are those of :class:`VectorEnv`."""

    metadata: Dict[str, Any] = {"render_modes": [], "name": "rgtrans", "is_parallelizable": False}

    def __init__(self, game: Game, **options: Any) -> None:
        _OnePlay.__init__(self, game, options)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        self._begin(seed)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.agent_selection = self._mover or self.agents[0]

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ArgumentError("an agent that is done can only step with None", "action", "step(None)")
            self.agents.remove(agent)
            for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
                table.pop(agent, None)
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        self._cumulative_rewards[agent] = 0.0
        self._move(action)
        for name in self.agents:
            self._cumulative_rewards[name] += self.rewards[name]
        self.agent_selection = self._mover or self.agents[0]

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def render(self) -> None:
        """Nothing is drawn."""


class ParallelEnv(_OnePlay, _ParallelBase):  # type: ignore[misc,valid-type]
    """PettingZoo's parallel form: every agent gives an action, and that of the one whose turn it is counts."""

    metadata: Dict[str, Any] = {"render_modes": [], "name": "rgtrans"}

    def __init__(self, game: Game, **options: Any) -> None:
        _OnePlay.__init__(self, game, options)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Any]:
        self._begin(seed)
        return {a: self.observe(a) for a in self.agents}, self.infos

    def step(self, actions: Dict[str, Any]) -> Tuple[Any, Any, Any, Any, Any]:
        mover = self._mover
        if mover is None or mover not in actions:
            raise ArgumentError(f"there is no action for {mover}" if mover else "the play is over", "actions")
        self._move(actions[mover])
        agents = list(self.agents)
        result = ({a: self.observe(a) for a in agents}, {a: self.rewards[a] for a in agents}, self.terminations,
                  self.truncations, self.infos)
        if self._mover is None:
            self.agents = []
        return result

    def render(self) -> None:
        """Nothing is drawn."""


# --- PGX. ---


@dataclass(frozen=True)
class PgxState:
    """All plays at one time. The arrays have the plays in their first dimension and are not changed later."""

    current_player: numpy.ndarray
    observation: numpy.ndarray
    rewards: numpy.ndarray
    terminated: numpy.ndarray
    truncated: numpy.ndarray
    legal_action_mask: numpy.ndarray
    _plays: bytes = field(repr=False)


class PgxEnv:
    """PGX's style for a batch: ``state = env.init(seeds)``, ``state = env.step(state, actions)``.

    An illegal action loses the play, with -1 for the one who moved; plays that are over stay as they are.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        self._game = game
        self._options = options
        self._env: Optional[VectorEnv] = None
        probe = VectorEnv(game, 1, threads=1, reset_mode="stay", illegal="loss", **options)
        self.id = game.name
        self.num_players = probe.num_players
        self.num_actions = probe.num_actions
        self.observation_shape = probe.observation_spec.shape

    def init(self, seeds: Sequence[int]) -> PgxState:
        """Begins as many plays as there are seeds."""
        if self._env is None or self._env.num_envs != len(seeds):
            self._env = VectorEnv(self._game, len(seeds), reset_mode="stay", illegal="loss", **self._options)
        self._env.reset(seeds)
        return self._state()

    def step(self, state: PgxState, actions: Any) -> PgxState:
        """What follows; ``state`` stays as it is."""
        if self._env is None or len(state.terminated) != self._env.num_envs:
            raise ArgumentError("the state is not one of this environment's", "state", "init() gives the first")
        self._env.load(state._plays)
        self._env.step(actions)
        over = state.terminated | state.truncated
        result = self._state()
        result.terminated[over] = state.terminated[over]
        result.truncated[over] = state.truncated[over]
        return result

    def _state(self) -> PgxState:
        env = self._env
        assert env is not None and env.observations is not None
        return PgxState(env.player.copy(), env.observations.copy(), env.rewards.copy(), env.terminated.copy(),
                        env.truncated.copy(), env.mask.copy(), env.save())
