"""Batches in the forms of other libraries: Gymnasium's vectors, PettingZoo, PGX. None of them is needed; where one is
installed, the classes and their spaces are its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy
from numpy.typing import NDArray

from ._agents import AgentsByName, discrete, spaces
from ._batch_play import BatchPlay, observation_space
from ._errors import ArgumentError
from ._game import Game
from ._observation import actions_of
from ._surface import published, renamed, whole
from ._vector import VectorEnv, on_processor

if TYPE_CHECKING:
    _GymnasiumBase = object
    _ParallelBase = object
else:
    try:
        from gymnasium.vector import VectorEnv as _GymnasiumBase
    except ImportError:
        _GymnasiumBase = object
    try:
        from pettingzoo import ParallelEnv as _ParallelBase
    except ImportError:
        _ParallelBase = object

_NEXT_STEP: Any = "NextStep"
try:
    from gymnasium.vector import AutoresetMode

    _NEXT_STEP = AutoresetMode.NEXT_STEP
except ImportError:  # older ones, which know no other mode, have no name for it
    pass


class GymnasiumVectorEnv(_GymnasiumBase):
    """Gymnasium's vector interface: one learner, with the seat ``player`` in every play.

    The others are played by ``opponent``, a function of (observations, masks) that gives an action for each play, or
    uniformly at random. Rewards are those of the learner. A play that is over begins anew in the next step.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": _NEXT_STEP}

    @renamed(num_envs="count")
    def __init__(self, game: Game, count: int, *, player: int = 0,
                 opponent: Optional[Callable[[Any, Any], Any]] = None, **options: Any) -> None:
        for fixed in ("reset_mode", "observe"):
            if fixed in options:
                raise ArgumentError(f"{fixed} cannot be chosen here", fixed)
        self.env: VectorEnv[NDArray[Any]] = VectorEnv(game, count, reset_mode="next_step", **options)
        on_processor(self.env)
        self.num_envs = self.env.num_envs
        self.player = whole(player, "player", 0, self.env.num_players - 1)
        self.opponent = opponent
        self.single_action_space = discrete(self.env.num_actions)
        self.single_observation_space = observation_space(self.env)
        self.action_space, self.observation_space = self.single_action_space, self.single_observation_space
        if spaces is not None:
            from gymnasium.vector.utils import batch_space

            self.action_space = batch_space(self.single_action_space, count)
            self.observation_space = batch_space(self.single_observation_space, count)
        self._over = numpy.zeros(count, numpy.bool_)

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        self.env.reset(seed)
        self._over[:] = False
        self._others(numpy.zeros((self.num_envs, self.env.num_players), numpy.float32), self._over.copy(), self._over.copy())
        return self._observation(), {}

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        env = self.env
        actions = actions_of(actions, self.num_envs).copy()
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
            actions = env.sample() if self.opponent is None else actions_of(self.opponent(env.observations, env.mask), self.num_envs)
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


class ParallelEnv(AgentsByName, _ParallelBase):
    """PettingZoo's parallel form: every agent gives an action, and that of the one whose turn it is counts.

    ``options`` are those of :class:`VectorEnv`.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "name": "rgtrans"}

    def __init__(self, game: Game, **options: Any) -> None:
        if "observe" in options:
            raise ArgumentError("observe cannot be chosen here", "observe", "AECEnv has other observations")
        batch = BatchPlay(game, options)
        self.env = batch.env
        """The batch of one behind it."""
        AgentsByName.__init__(self, batch, list(game.players))

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Any]:
        self._begin(seed)
        return {a: self.observe(a) for a in self.agents}, self.infos

    def step(self, actions: Dict[str, Any]) -> Tuple[Any, Any, Any, Any, Any]:
        mover = self._play.mover
        if mover is None or mover not in actions:
            raise ArgumentError(f"there is no action for {mover}" if mover else "the play is over", "actions")
        self._move(actions[mover])
        observations = {a: self.observe(a) for a in self.agents}
        if self._play.mover is None:
            self.agents = []
        return observations, self.rewards, self.terminations, self.truncations, self.infos


# --- PGX. ---


@dataclass(frozen=True)
class PgxState:
    """All plays at one time. The arrays have the plays in their first dimension and are not changed later."""

    current_player: NDArray[numpy.int32]
    observation: NDArray[Any]
    rewards: NDArray[numpy.float32]
    terminated: NDArray[numpy.bool_]
    truncated: NDArray[numpy.bool_]
    legal_action_mask: NDArray[numpy.bool_]
    _plays: bytes = field(repr=False)


class PgxEnv:
    """PGX's style for a batch: ``state = env.init(seeds)``, ``state = env.step(state, actions)``.

    An illegal action loses the play, with -1 for the one who moved; plays that are over stay as they are.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        self._game = game
        self._options = options
        self._env: Optional[VectorEnv[NDArray[Any]]] = None
        probe: VectorEnv[NDArray[Any]] = VectorEnv(game, 1, reset_mode="stay", illegal="loss", **dict(options, jobs=1))
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
        """Returns the next state; ``state`` stays as it is."""
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


published("rgtrans.env", GymnasiumVectorEnv, ParallelEnv, PgxEnv, PgxState)
