"""Plays on the processor, in NumPy arrays, behind ``VectorEnv`` with the engines "cpp" and "interpreter"."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Union

import numpy
from numpy.typing import NDArray

from . import _core
from ._actions import ActionSpace
from ._errors import ArgumentError
from ._game import Game, State
from ._observation import ObservationSpec, actions_of, played, spec

_RESETS = {"stay": 0, "same_step": 1, "next_step": 2}


class ProcessorPlays:
    """Plays whose arrays are written in place, by as many threads as ``jobs`` says."""

    def __init__(self, game: Game, count: int, actions: ActionSpace, *, jobs: int, engine: str, reset_mode: str, illegal: str,
                 max_moves: int, observe: bool, dtype: str, layout: str, relative: bool, history: int, max_actions: int,
                 mask_bits: bool, final_obs: bool) -> None:
        options = {
            "count": count, "jobs": jobs, "compiled": engine == "cpp", "reset_mode": _RESETS[reset_mode],
            "max_moves": max_moves, "illegal_loses": illegal == "loss", "floats": dtype == "float32",
            "channels_last": layout == "NHWC", "relative": relative, "history": history, "max_actions": max_actions,
        }
        self._count, self._engine, self._game = count, engine, played(game)
        self.core = _core.Env(game._written, self._game._core, options)
        self.jobs = self.core.jobs
        self.num_actions = actions.size
        self.num_players = self.core.players
        made = spec(self.core, dtype, layout)
        self.observation_spec: Optional[ObservationSpec] = made
        self._observation, shape = made, made.shape
        _check_memory(count, self.num_actions + (4 if dtype == "float32" else 1) * observe * _product(shape))
        self.arrays: Dict[str, Any] = {
            "mask": numpy.zeros((count, self.num_actions), numpy.bool_),
            "rewards": numpy.zeros((count, self.num_players), numpy.float32),
            "terminated": numpy.zeros(count, numpy.bool_),
            "truncated": numpy.zeros(count, numpy.bool_),
            "player": numpy.full(count, -1, numpy.int32),
        }
        if mask_bits:
            self.arrays["mask_bits"] = numpy.zeros((count, self.core.words), numpy.uint64)
        if observe:
            self.arrays["observations"] = numpy.zeros((count, *shape), dtype)
        self.final: Dict[str, Any] = {}
        if final_obs:
            over = numpy.zeros(count, numpy.bool_)
            info = {name: self.arrays[name].copy() for name in ("mask", "player")}
            self.final = {"final_obs": numpy.zeros_like(self.arrays["observations"]), "_final_obs": over,
                          "final_info": {"action_mask": info["mask"], "player": info["player"]}, "_final_info": over}
        self._sampled = numpy.zeros(count, numpy.int32)
        self._seeded = False
        self.core.bind(self.arrays)

    def reset(self, seed: Union[int, Sequence[int], None], which: Any) -> None:
        n = self._count
        seeds: Optional[NDArray[numpy.uint64]] = None
        if seed is None:
            if not self._seeded:
                seeds = numpy.array(numpy.random.SeedSequence().generate_state(n, numpy.uint64), numpy.uint64)
        elif isinstance(seed, int) or hasattr(seed, "__index__"):
            seeds = numpy.arange(n, dtype=numpy.uint64) + numpy.uint64(int(seed.__index__()) % 2**63)
        else:
            given = numpy.asarray(seed)
            if given.dtype.kind not in "iu":
                raise TypeError(f"seed must be an int, or an int for each play, not {type(seed).__name__}")
            if given.shape != (n,):
                raise ArgumentError(f"seeds must have the shape ({n},), not {given.shape}", "seed", "or give one int")
            seeds = numpy.ascontiguousarray(given, dtype=numpy.uint64)
        self.core.reset(seeds, None if which is None else numpy.ascontiguousarray(which, numpy.bool_))
        self._seeded = True

    def step(self, actions: Any, which: Any) -> None:
        chosen = None if which is None else numpy.ascontiguousarray(which, numpy.bool_)
        if not self.final:
            self.core.step(actions_of(actions, self._count), chosen)
            return
        arrays, over = self.arrays, self.final["_final_obs"]
        self.core.step(actions_of(actions, self._count), chosen, True)
        numpy.logical_or(arrays["terminated"], arrays["truncated"], out=over)
        if chosen is not None:
            over &= chosen
        if over.any():
            info = self.final["final_info"]
            for last, now in ((self.final["final_obs"], "observations"), (info["action_mask"], "mask"), (info["player"], "player")):
                last[over] = arrays[now][over]
            self.core.restart(over)

    def sample(self) -> NDArray[numpy.int32]:
        self.core.sample(self._sampled)
        return self._sampled.copy()

    def random_steps(self, steps: int) -> None:
        self.core.run(steps, self._sampled)

    def observe(self, player: int, out: Any) -> NDArray[Any]:
        if out is None:
            out = numpy.zeros((self._count, *self._observation.shape), self._observation.dtype)
        self.core.observe(player, out)
        result: NDArray[Any] = out
        return result

    def state(self, play: int) -> State:
        return State(self._game, self.core.state(play))

    def save(self) -> bytes:
        if self._engine != "cpp":
            raise ArgumentError("the interpreter's plays cannot be saved", "engine", 'use engine="cpp"')
        return self.core.save()

    def load(self, plays: bytes) -> None:
        try:
            self.core.load(plays)
        except ValueError as problem:
            raise ArgumentError(str(problem), "plays", "load what save() of an environment like this one gave") from None

    def close(self) -> None:
        """Nothing is held open."""


def _product(shape: Sequence[int]) -> int:
    result = 1
    for n in shape:
        result *= n
    return result


def _check_memory(count: int, each: int) -> None:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if count * each > memory / 2:
        raise ArgumentError(
            f"the arrays of {count} environments need {count * each / 1e9:.1f} GB; this machine has {memory / 1e9:.1f} GB",
            "count", "make fewer, or leave out observations (observe=False)")
