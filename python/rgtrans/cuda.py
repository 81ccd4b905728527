"""The former place of plays on a GPU, which are ``rgtrans.env.VectorEnv(game, count, engine="cuda")`` now."""

from __future__ import annotations

from typing import Any

from ._game import Game
from ._core import DeviceArray
from ._vector import VectorEnv

__all__: "list[str]" = []


def DeviceEnv(game: Game, count: int, *, twin: bool = False, **options: Any) -> VectorEnv[DeviceArray]:
    """A :class:`rgtrans.env.VectorEnv` on a device."""
    return VectorEnv(game, count, engine="cuda-twin" if twin else "cuda", **options)
