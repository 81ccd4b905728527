"""Plays on a GPU, behind ``VectorEnv(..., engine="cuda")``."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy

from . import _core
from ._actions import ActionSpace
from ._core import DeviceArray
from ._errors import ArgumentError
from ._game import Game, State
from ._observation import actions_of, played, spec
from ._surface import published, whole


def _only_on_processors(name: str) -> ArgumentError:
    return ArgumentError(f'{name} cannot be given with engine="cuda"', name, "the engines on the processor have it")


class DevicePlays:
    """Plays on a device, or by its twin: the same source, compiled for the processor."""

    jobs = 1

    def __init__(self, game: Game, count: int, actions: ActionSpace, *, twin: bool, observe: bool, dtype: str, layout: str,
                 relative: bool, max_moves: int) -> None:
        options = {"count": count, "max_moves": max_moves, "floats": dtype == "float32", "channels_last": layout == "NHWC",
                   "relative": relative}
        self._count = count
        self._core = _core.DeviceBatch(played(game)._core, actions._core, twin, observe, options)
        self._seed: Optional[int] = None
        self.num_actions = self._core.action_count
        self.num_players = self._core.players
        self.observation_spec = spec(self._core, dtype, layout) if observe else None
        self.arrays: Dict[str, Any] = self._core.arrays
        self.final: Dict[str, Any] = {}
        self._actions: DeviceArray = self.arrays.pop("actions")

    def reset(self, seed: Union[int, Sequence[int], None], which: Any) -> None:
        if which is not None:
            raise _only_on_processors("which")
        if seed is not None and not hasattr(seed, "__index__"):
            raise ArgumentError("a device takes one seed for all plays", "seed", "play i has the random numbers of seed and i")
        if seed is not None:
            self._seed = whole(seed, "seed", 0, 2**64 - 1)
        elif self._seed is None:
            self._seed = int(numpy.random.SeedSequence().generate_state(1, numpy.uint64)[0])
        self._core.reset(self._seed)

    def step(self, actions: Any, which: Any) -> None:
        if which is not None:
            raise _only_on_processors("which")
        if actions is not self._actions:
            if hasattr(actions, "__dlpack__") and not isinstance(actions, numpy.ndarray):
                self._core.take(actions)
            else:
                self._core.store(actions_of(actions, self._count))
        self._core.step()

    def sample(self) -> DeviceArray:
        self._core.sample()
        return self._actions

    def random_steps(self, steps: int) -> Tuple[int, float]:
        return self._core.random_steps(steps)

    def observe(self, player: int, out: Any) -> DeviceArray:
        if out is not None:
            raise _only_on_processors("out")
        if "observations" not in self.arrays:
            raise ArgumentError("this environment has no observations", "observe")
        self._core.observe(player)
        observations: DeviceArray = self.arrays["observations"]
        return observations

    def state(self, play: int) -> State:
        raise ArgumentError("plays on a device have no states on the processor", "engine", 'use engine="cpp"')

    def save(self) -> bytes:
        raise ArgumentError("plays on a device cannot be saved", "engine", 'use engine="cpp"')

    def load(self, plays: bytes) -> None:
        raise ArgumentError("plays on a device cannot be loaded", "engine", 'use engine="cpp"')

    def close(self) -> None:
        self._core.close()


published("rgtrans.env", DeviceArray)
