"""Environments for learning: many plays of one game at once, in NumPy arrays.

    >>> import rgtrans
    >>> envs = rgtrans.env.VectorEnv(rgtrans.load("breakthrough.hrg"), 4096)
    >>> observations, infos = envs.reset(seed=1)
    >>> actions = envs.sample()                                  # uniform legal actions
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)

The arrays are made once and written in place by the engine; PyTorch and JAX take them without copying
(``torch.from_dlpack(envs.observations)``). Every game of every language is played by the same engine: moves have fixed
numbers (:class:`rgtrans.ActionSpace`), states are planes of ones and zeros, and if a game hides moves, a player observes
the moves that this player has seen.

:class:`VectorEnv` is the engine. Other forms use it: :class:`GymnasiumVectorEnv`, :class:`ParallelEnv` (PettingZoo),
:class:`PgxEnv` (``init`` and ``step``); PettingZoo's cycle is ``rgtrans.aec.AECEnv``, OpenSpiel's form ``rgtrans.open_spiel``.
:class:`Search` is AlphaZero's tree search in all plays at once.
"""

from typing import TYPE_CHECKING

from ._search import Search
from ._core import DeviceArray
from ._observation import ObservationSpec
from ._vector import Observer, VectorEnv

if TYPE_CHECKING:
    from ._forms import GymnasiumVectorEnv, ParallelEnv, PgxEnv, PgxState
else:

    def __getattr__(name: str) -> object:
        """The forms of other libraries load these where they are installed, so they are made when they are first used."""
        if name in ("GymnasiumVectorEnv", "ParallelEnv", "PgxEnv", "PgxState"):
            from . import _forms

            return getattr(_forms, name)
        if name == "AECEnv":  # its former place
            from .aec import AECEnv

            return AECEnv
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DeviceArray",
    "GymnasiumVectorEnv",
    "ObservationSpec",
    "Observer",
    "ParallelEnv",
    "PgxEnv",
    "PgxState",
    "Search",
    "VectorEnv",
]
