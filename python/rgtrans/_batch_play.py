"""A batch of one play, as the forms of PettingZoo want it."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy
from numpy.typing import NDArray

from ._agents import spaces
from ._errors import ArgumentError
from ._game import Game, State
from ._surface import whole
from ._vector import VectorEnv, on_processor


def observation_space(env: VectorEnv[NDArray[Any]]) -> Any:
    spec = env.observation_spec
    if spaces is None:
        return {"observation": spec, "action_mask": (env.num_actions,)}
    return spaces.Dict({"observation": spaces.Box(0, 1, spec.shape, numpy.dtype(spec.dtype)),
                         "action_mask": spaces.MultiBinary(env.num_actions)})


class BatchPlay:
    """Agents by name; plays that are over stay as they are."""

    def __init__(self, game: Game, options: Dict[str, Any]) -> None:
        for fixed in ("reset_mode", "count"):
            if fixed in options:
                raise ArgumentError(f"{fixed} cannot be chosen here", fixed)
        self.env: VectorEnv[NDArray[Any]] = VectorEnv(game, 1, jobs=1, reset_mode="stay", observe=False, **options)
        on_processor(self.env)
        self.actions = self.env.actions
        self.num_actions = self.env.num_actions
        self._agents = list(game.players)

    def reset(self, seed: Optional[int]) -> None:
        self.env.reset(seed)

    def step(self, action: Any) -> None:
        self.env.step(numpy.array([whole(action, "action", 0, self.num_actions - 1)], numpy.int32))

    @property
    def mover(self) -> Optional[str]:
        number = int(self.env.player[0])
        return self._agents[number] if number >= 0 else None

    @property
    def terminated(self) -> bool:
        return bool(self.env.terminated[0])

    @property
    def truncated(self) -> bool:
        return bool(self.env.truncated[0])

    def rewards(self) -> Dict[str, float]:
        return {agent: float(reward) for agent, reward in zip(self._agents, self.env.rewards[0])}

    def mask(self, agent: str) -> NDArray[Any]:
        mask: NDArray[Any] = self.env.mask[0].astype(numpy.int8)
        return mask if agent == self.mover else numpy.zeros_like(mask)

    def observe(self, agent: str) -> NDArray[Any]:
        observed: NDArray[Any] = self.env.observe(self._agents.index(agent))[0]
        return observed

    def observation_space(self) -> Any:
        return observation_space(self.env)

    def position(self) -> State:
        return self.env.state(0)
