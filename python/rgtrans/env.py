"""Environments for learning: many plays of one game at once, in NumPy arrays.

    >>> import rgtrans
    >>> envs = rgtrans.env.VectorEnv(rgtrans.load("breakthrough.hrg"), 4096)
    >>> observations, infos = envs.reset(seed=1)
    >>> actions = envs.sample()                                  # uniform legal actions
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)

The arrays are made once and written in place by the engine; PyTorch and JAX take them without copying
(``torch.from_dlpack(envs.observations)``). Every game of every language is played by the same engine: moves have fixed
numbers (:class:`rgtrans.ActionSpace`), states are planes of ones and zeros, and where a game hides moves a player observes
what that player has seen.

:class:`VectorEnv` is the engine. Other forms stand on it: :class:`GymnasiumVectorEnv`, :class:`AECEnv` and
:class:`ParallelEnv` (PettingZoo), :class:`PgxEnv` (``init`` and ``step``); OpenSpiel's form is ``rgtrans.open_spiel``.
:class:`Search` is AlphaZero's tree search in all plays at once.
"""

from .forms import AECEnv, GymnasiumVectorEnv, ParallelEnv, PgxEnv, PgxState
from .tree import Search
from .vector import ObservationSpec, Observer, VectorEnv

__all__ = [
    "AECEnv",
    "GymnasiumVectorEnv",
    "ObservationSpec",
    "Observer",
    "ParallelEnv",
    "PgxEnv",
    "PgxState",
    "Search",
    "VectorEnv",
]
