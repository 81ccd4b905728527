"""Batches in the forms of other libraries: Gymnasium's vectors, PettingZoo, PGX. None of them is needed; where one is
installed, the classes and their spaces are its own."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy
from numpy.typing import NDArray

from ._agents import AgentsByName, discrete, not_begun, spaces
from ._batch_play import BatchPlay, observation_space
from ._errors import ArgumentError
from ._game import Game, State
from ._observation import actions_of
from ._render import MODES, mode_of, render
from ._surface import one_of, published, renamed, whole
from ._together import choosing
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

_AUTORESET: Dict[str, Any] = {"next_step": "NextStep", "same_step": "SameStep"}
try:
    from gymnasium.vector import AutoresetMode

    _AUTORESET = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}
except ImportError:  # older ones, which know no other mode, have no name for it
    pass


class GymnasiumVectorEnv(_GymnasiumBase):
    """Gymnasium's vector interface: one learner, with the seat ``player`` in every play.

    The others are played by ``opponent``, a function of (observations, masks) that gives an action for each play, or
    uniformly at random. Rewards are those of the learner. A play that is over begins anew in the next step, or with
    ``reset_mode="same_step"`` at once: infos then have "final_obs" and "final_info" for each play that ended.
    """

    metadata: Dict[str, Any] = {"render_modes": list(MODES), "autoreset_mode": _AUTORESET["next_step"]}

    @renamed(num_envs="count")
    def __init__(self, game: Game, count: int, *, player: int = 0,
                 opponent: Optional[Callable[[Any, Any], Any]] = None, reset_mode: str = "next_step",
                 render_mode: Optional[str] = None, **options: Any) -> None:
        for fixed in ("observe", "final_obs"):
            if fixed in options:
                raise ArgumentError(f"{fixed} cannot be chosen here", fixed)
        self._same_step = one_of(reset_mode, "reset_mode", tuple(_AUTORESET)) == "same_step"
        # Plays that end stay until their last observation is taken.
        self.env: VectorEnv[NDArray[Any]] = VectorEnv(game, count, reset_mode="stay" if self._same_step else "next_step", **options)
        on_processor(self.env)
        self.metadata = {**self.metadata, "autoreset_mode": _AUTORESET[reset_mode]}
        self.num_envs = self.env.num_envs
        self.player = whole(player, "player", 0, self.env.num_players - 1)
        self.opponent = opponent
        self.render_mode = mode_of(render_mode)
        self.single_action_space = discrete(self.env.num_actions)
        self.single_observation_space = observation_space(self.env)
        self.action_space, self.observation_space = self.single_action_space, self.single_observation_space
        if spaces is not None:
            from gymnasium.vector.utils import batch_space

            self.action_space = batch_space(self.single_action_space, count)
            self.observation_space = batch_space(self.single_observation_space, count)

    def reset(self, *, seed: Any = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        self.env.reset(seed)
        self._others(*self._nothing())
        self._begin_anew()
        return self._observation(), {}

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        env = self.env
        rewards, terminated, truncated = self._nothing()
        env.step(actions_of(actions, self.num_envs))
        rewards += env.rewards
        terminated |= env.terminated
        truncated |= env.truncated
        self._others(rewards, terminated, truncated)
        infos = self._begin_anew()
        return self._observation(), rewards[:, self.player].copy(), terminated, truncated, infos

    def _nothing(self) -> Tuple[Any, Any, Any]:
        """Rewards and ends before anything has happened."""
        n = self.num_envs
        return numpy.zeros((n, self.env.num_players), numpy.float32), numpy.zeros(n, numpy.bool_), numpy.zeros(n, numpy.bool_)

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

    def _begin_anew(self) -> Dict[str, Any]:
        """With "same_step": begins the plays that are over, and returns their last observations."""
        env = self.env
        over = env.player < 0
        if not self._same_step or not over.any():
            return {}
        last = numpy.full(self.num_envs, None, object)
        seen = env.observe(self.player)
        for i in numpy.flatnonzero(over):
            last[i] = {"observation": seen[i].copy(), "action_mask": env.mask[i].astype(numpy.int8)}
        infos = {"final_obs": last, "_final_obs": over, "final_info": {}, "_final_info": over.copy()}
        for _ in range(_MOST_EMPTY_PLAYS):
            env.reset(which=env.player < 0)
            self._others(*self._nothing())
            if (env.player >= 0).all():
                return infos
        raise ArgumentError(f"player {self.player} never moves in some plays", "player", "choose another seat")

    def _observation(self) -> Dict[str, Any]:
        env = self.env
        assert env.observations is not None
        observation = env.observations.copy()
        over = env.player < 0
        if over.any():  # nobody is to move there, and the learner sees only its own observation
            observation[over] = env.observe(self.player)[over]
        return {"observation": observation, "action_mask": env.mask.astype(numpy.int8)}

    def state(self, play: int) -> State:
        """The position of one play: :meth:`VectorEnv.state`."""
        return self.env.state(play)

    def render(self) -> Any:
        """All plays in the mode of the environment, as a tuple; None without a mode."""
        if self.render_mode is None:
            return None
        return tuple(self.env.render(i, self.render_mode) for i in range(self.num_envs))

    def close(self, **kwargs: Any) -> None:
        """Nothing is held open."""

    def __copy__(self) -> Any:
        return copy.deepcopy(self)  # two environments on the same plays would disturb each other


_MOST_EMPTY_PLAYS = 100  # that the others end before the learner moves, in a row


# --- PettingZoo. ---


class ParallelEnv(AgentsByName, _ParallelBase):
    """PettingZoo's parallel form: every agent gives an action, and those of the agents whose turn it is count.

    Where players choose at once, without seeing one another's choice, it is the turn of all of them: one step makes their
    moves. Otherwise it is the turn of one. ``turns`` has their names, and their masks show moves. ``options`` are those of
    :class:`VectorEnv`.
    """

    metadata: Dict[str, Any] = {"render_modes": list(MODES), "name": "rgtrans"}

    def __init__(self, game: Game, *, render_mode: Optional[str] = None, **options: Any) -> None:
        if "observe" in options:
            raise ArgumentError("observe cannot be chosen here", "observe", "AECEnv has other observations")
        batch = BatchPlay(game, options)
        self.env = batch.env
        """The batch of one behind it."""
        self._masks: Dict[str, NDArray[Any]] = {}
        AgentsByName.__init__(self, batch, list(game.players), render_mode)

    @property
    def turns(self) -> Tuple[str, ...]:
        """The agents whose actions the next step makes."""
        return tuple(self._masks)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Any]:
        self._begin(seed)
        self._find_turns()
        return {a: self.observe(a) for a in self.agents}, self.infos

    def observe(self, agent: str) -> Dict[str, Any]:
        mask = self._masks.get(agent)
        return {"observation": self._play.observe(agent),
                "action_mask": numpy.zeros(self._play.num_actions, numpy.int8) if mask is None else mask.copy()}

    def step(self, actions: Dict[str, Any]) -> Tuple[Any, Any, Any, Any, Any]:
        if not self.agents:
            raise ArgumentError("the play is over", "actions") if hasattr(self, "infos") else not_begun()
        for agent, mask in self._masks.items():
            if agent not in actions:
                raise ArgumentError(f"there is no action for {agent}", "actions")
            if not mask[whole(actions[agent], "action", 0, len(mask) - 1)]:
                raise ArgumentError(f"action {actions[agent]} of {agent} is not legal", "actions", "the action_mask shows what is")
        for agent in self._masks:
            if self._play.mover == agent:  # a play can be cut off in between
                self._move(actions[agent])
        self._find_turns()
        observations = {a: self.observe(a) for a in self.agents}
        if self._play.mover is None:
            self.agents = []
        return observations, self.rewards, self.terminations, self.truncations, self.infos

    def _find_turns(self) -> None:
        mover = self._play.mover
        self._masks = {} if mover is None else {mover: self._play.mask(mover)}
        space = self._play.actions
        if mover is None or space.factored or not self.env.game.has_hidden_information:
            return
        for player, position in choosing(self.env.state(0))[1:]:
            self._masks[self.possible_agents[player]] = numpy.array(space.mask(space.legal(position)), numpy.int8)


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

    def position(self, state: PgxState, play: int) -> State:
        """One play as a :class:`rgtrans.State`: :meth:`VectorEnv.state`."""
        if self._env is None or len(state.terminated) != self._env.num_envs:
            raise ArgumentError("the state is not one of this environment's", "state", "init() gives the first")
        self._env.load(state._plays)
        return self._env.state(play)

    def render(self, state: PgxState, play: int = 0, mode: str = "ansi") -> Any:
        """One play as text ("ansi"), as a drawing ("svg") or as pixels ("rgb_array")."""
        return render(self.position(state, play), one_of(mode, "mode", MODES))

    def _state(self) -> PgxState:
        env = self._env
        assert env is not None and env.observations is not None
        return PgxState(env.player.copy(), env.observations.copy(), env.rewards.copy(), env.terminated.copy(),
                        env.truncated.copy(), env.mask.copy(), env.save())


published("rgtrans.env", GymnasiumVectorEnv, ParallelEnv, PgxEnv, PgxState)
