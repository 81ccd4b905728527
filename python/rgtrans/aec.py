"""Games as agent-environment cycles, the form of PettingZoo (and, in its spaces, of Gymnasium).

    >>> env = rgtrans.aec.AECEnv(rgtrans.load("breakthrough.hrg"))
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     action = None if termination or truncation else policy(observation["observation"], observation["action_mask"])
    ...     env.step(action)

Neither library is needed; if they are installed, the environment is a ``pettingzoo.AECEnv`` and its spaces are those of
Gymnasium. An observation is a dictionary of "observation" and "action_mask". Random moves are made by the environment.

There is one cycle, :class:`AECEnv`, over one of two plays: a batch of one (tensors, which need NumPy), or a
:class:`rgtrans.State` (texts, bytes, and the results of functions of states).
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple, Union

from ._actions import ActionSpace
from ._agents import AgentsByName, Observer, Play, StatePlay
from ._errors import ArgumentError
from ._game import Game, State
from ._render import MODES

if TYPE_CHECKING:
    from ._vector import VectorEnv

    _Base = object
else:
    try:
        from pettingzoo import AECEnv as _Base
    except ImportError:
        _Base = object

__all__ = ["AECEnv"]


class AECEnv(AgentsByName, _Base):
    """One play of a game after another, one agent at a time.

    ``observe`` chooses the observations of agents:

    * "tensor" (the default): planes of the state, or the observed moves if the game hides some. Needs NumPy; all
      further options are those of :class:`rgtrans.env.VectorEnv` (``relative``, ``dtype``, ``engine``, ``max_moves``, ...);
    * "state", the bytes of the whole state; "moves", the text of the moves as the agent saw them; or a function of state and
      agent. Further options are then ``actions`` (an :class:`ActionSpace`), ``reward`` (a function of an outcome, by default
      -1 for the lowest score of the game to 1 for the highest), ``max_moves`` and ``engine``.
    """

    metadata: Dict[str, Any] = {"render_modes": list(MODES), "name": "rgtrans", "is_parallelizable": False}

    def __init__(self, game: Game, *, observe: Union[str, Observer] = "tensor", render_mode: Optional[str] = None,
                 **options: Any) -> None:
        if observe not in ("tensor", "state", "moves") and not callable(observe):
            raise ArgumentError(f"observe cannot be {observe!r}", "observe", "allowed: tensor, state, moves, a function")
        if observe == "tensor":
            from ._batch_play import BatchPlay  # NumPy takes longer to load than everything else

            play: Play = BatchPlay(game, options)
        else:
            play = StatePlay(game, observe, **options)
        AgentsByName.__init__(self, play, list(game.players), render_mode)
        self.game = game

    @property
    def env(self) -> VectorEnv[Any]:
        """The batch of one behind tensors."""
        from ._batch_play import BatchPlay

        if not isinstance(self._play, BatchPlay):
            raise AttributeError("there is no batch behind texts")
        return self._play.env

    @property
    def actions(self) -> ActionSpace:
        """The numbers of moves."""
        return self._play.actions

    @property
    def state_of_play(self) -> State:
        """The state behind texts."""
        if not isinstance(self._play, StatePlay):
            raise AttributeError("there is no single state behind tensors")
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
        tables: Tuple[Dict[str, Any], ...] = (self.rewards, self._cumulative_rewards, self.terminations, self.truncations,
                                              self.infos)
        for table in tables:
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
