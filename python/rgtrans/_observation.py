"""The interface of a batch of plays, which one on the processor and one on a device implement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

from ._errors import ArgumentError
from ._game import Game, State
from ._surface import published


@dataclass(frozen=True)
class ObservationSpec:
    """The form of an observation."""

    form: str
    """"planes": of the state. "moves": of what the player has seen, because the game hides moves; a row for each move,
    the latest first: who moved, then a one for each visible tag."""
    shape: Tuple[int, ...]
    """Of one observation: channels, height, width ("NCHW"), or height, width, channels ("NHWC"), or rows, columns."""
    dtype: str
    planes: Tuple[str, ...]
    """The name of each channel: "board=white" is where the variable board holds white; "clock@0" has a one in the place
    whose number is the clock's value, counted row by row."""
    layout: str


class Shows(Protocol):
    """A batch that knows the form of its tensors."""

    @property
    def shape(self) -> List[int]: ...
    @property
    def planes(self) -> List[str]: ...
    @property
    def form(self) -> str: ...


def spec(core: Shows, dtype: str, layout: str) -> ObservationSpec:
    shape = tuple(core.shape)
    if core.form == "planes" and layout == "NHWC":
        shape = (shape[1], shape[2], shape[0])
    return ObservationSpec(core.form, shape, dtype, tuple(core.planes), layout)


class Plays(Protocol):
    """Plays of one game, stepped together, with their arrays."""

    jobs: int
    num_actions: int
    num_players: int
    observation_spec: Optional[ObservationSpec]
    arrays: Dict[str, Any]
    """"mask", "rewards", "terminated", "truncated", "player"; where there are such, "mask_bits", "choices", "observations"."""

    final: Dict[str, Any]
    """Infos about plays that began anew in the last step; empty unless they were asked for."""

    def reset(self, seed: Union[int, Sequence[int], None], which: Any) -> None: ...
    def step(self, actions: Any, which: Any) -> None: ...
    def sample(self) -> Any: ...
    def random_steps(self, steps: int) -> Optional[Tuple[int, float]]: ...
    def observe(self, player: int, out: Any) -> Any: ...
    def state(self, play: int) -> State: ...
    def save(self) -> bytes: ...
    def load(self, plays: bytes) -> None: ...
    def close(self) -> None: ...


_MOST = 2**31 - 1


def actions_of(actions: Any, count: int) -> NDArray[numpy.int32]:
    """An action for each of so many plays, whatever type of integers they were."""
    if isinstance(actions, numpy.ndarray) and actions.dtype == numpy.int32 and actions.flags.c_contiguous:
        array = actions
    else:
        given = numpy.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {given.dtype}")
        if given.size and (int(given.min()) < -_MOST or int(given.max()) > _MOST):
            raise ArgumentError("actions must fit in 32 bits", "actions")
        array = numpy.ascontiguousarray(given, dtype=numpy.int32)
    if array.shape != (count,):
        raise ArgumentError(f"actions must have the shape ({count},), not {array.shape}", "actions")
    return array


def played(game: Game) -> Game:
    """As it is played: optimized, unless it is already."""
    return game if game.optimization is not None else game.optimize()


published("rgtrans.env", ObservationSpec)
