"""The batch engine behind :mod:`rgtrans.env`: plays in NumPy arrays, and tensors of single states."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy

from . import _core
from .actions import ActionSpace
from .errors import ArgumentError
from .game import Game, State

__all__ = ["ObservationSpec", "Observer", "VectorEnv"]

_RESETS = {"stay": 0, "same_step": 1, "next_step": 2}
_MOST = 2**31 - 1
_ON_DEVICE = ("max_moves", "max_actions", "observe", "dtype", "layout", "relative")


@dataclass(frozen=True)
class ObservationSpec:
    """What an observation is."""

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


def spec(core: _core.Env, dtype: str, layout: str) -> ObservationSpec:
    shape = tuple(core.shape)
    if core.form == "planes" and layout == "NHWC":
        shape = (shape[1], shape[2], shape[0])
    return ObservationSpec(core.form, shape, dtype, tuple(core.planes), layout)


def whole(value: Any, name: str, least: int, most: int = _MOST) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    number = int(value.__index__())
    if not least <= number <= most:
        raise ArgumentError(f"{name} cannot be {number}", name, f"allowed: {least} to {most}")
    return number


def one_of(value: str, name: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise ArgumentError(f"{name} cannot be {value!r}", name, "allowed: " + ", ".join(allowed))
    return value


def integers(actions: Any) -> numpy.ndarray:
    """Actions as an array of integers of 32 bits at most, whatever its type and shape."""
    array = numpy.asarray(actions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, not {array.dtype}")
    if array.size and (int(array.min()) < -_MOST or int(array.max()) > _MOST):
        raise ArgumentError("actions must fit in 32 bits", "actions")
    return array


def played(game: Game) -> Game:
    """As it is played: optimized, unless it is already."""
    return game if game.optimization is not None else game.optimize()


class VectorEnv:
    """``count`` plays of one game, stepped together.

    ``threads`` 0 is one for each processor; results do not depend on it. ``engine`` is "compiled" (built once with the
    system's C++ compiler and kept) or "interpreter". ``reset_mode`` says what happens to a play that is over:
    "next_step", it begins anew in the next step, whose action counts for nothing (Gymnasium's default); "same_step", it
    begins anew at once (PGX's auto-reset); "stay", only :meth:`reset` begins it anew. ``illegal`` says what an illegal
    action is: an "error", or a "loss" of the one who moved (PGX). ``relative`` shows the pieces of the one who observes
    first, where the names of values tell whose they are. ``device`` is "cpu": the arrays are in main memory. With "cuda"
    it is a :class:`rgtrans.cuda.DeviceEnv`, whose arrays are in the memory of a GPU.

    The arrays ``mask`` (count x actions), ``rewards`` (count x players), ``terminated``, ``truncated``, ``player`` (who
    moves, -1 when a play is over) and ``observations`` belong to the environment and change with every step. ``mask_bits``
    asks for an array of this name, too: words of 64 bits, action 64 w + b is bit b of word w.
    """

    def __new__(cls, game: Game, count: int, *, device: str = "cpu", **options: Any) -> Any:
        if device != "cuda" or cls is not VectorEnv:
            return super().__new__(cls)
        from .cuda import DeviceEnv

        if not isinstance(game, Game):
            raise TypeError(f"game must be an rgtrans.Game, not {type(game).__name__}")
        for name in options:
            if name not in _ON_DEVICE:
                raise ArgumentError(f'{name} cannot be given with device="cuda"', name, "allowed: " + ", ".join(_ON_DEVICE))
        return DeviceEnv(game, whole(count, "count", 1), **options)

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        threads: int = 0,
        device: str = "cpu",
        engine: str = "compiled",
        reset_mode: str = "next_step",
        illegal: str = "error",
        max_moves: int = 10_000,
        observe: bool = True,
        dtype: str = "float32",
        layout: str = "NCHW",
        relative: bool = False,
        history: int = 16,
        max_actions: int = 1_000_000,
        mask_bits: bool = False,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"game must be an rgtrans.Game, not {type(game).__name__}")
        one_of(device, "device", ("cpu", "cuda"))
        one_of(engine, "engine", ("compiled", "interpreter"))
        one_of(reset_mode, "reset_mode", tuple(_RESETS))
        one_of(illegal, "illegal", ("error", "loss"))
        one_of(dtype, "dtype", ("float32", "bool"))
        one_of(layout, "layout", ("NCHW", "NHWC"))
        self.game = game
        self.num_envs = whole(count, "count", 1)
        self.engine, self.reset_mode, self.illegal = engine, reset_mode, illegal
        options = {
            "count": self.num_envs, "threads": whole(threads, "threads", 0, 1024), "compiled": engine == "compiled",
            "reset_mode": _RESETS[reset_mode], "max_moves": whole(max_moves, "max_moves", 1),
            "illegal_loses": illegal == "loss", "floats": dtype == "float32", "channels_last": layout == "NHWC",
            "relative": bool(relative), "history": whole(history, "history", 1, 1000),
            "max_actions": whole(max_actions, "max_actions", 1, 10**9),
        }
        self.actions = ActionSpace(game, most=max_actions)
        """The numbers of moves."""
        self._core = _core.Env(game._written, played(game)._core, options)
        self.threads: int = self._core.threads
        self.num_actions: int = self.actions.size
        self.num_players: int = self._core.players
        self.observation_spec = spec(self._core, dtype, layout)
        n = self.num_envs
        _check_memory(n, self.num_actions + (4 if dtype == "float32" else 1) * observe * _product(self.observation_spec.shape))
        self.mask = numpy.zeros((n, self.num_actions), numpy.bool_)
        self.mask_bits: Optional[numpy.ndarray] = numpy.zeros((n, self._core.words), numpy.uint64) if mask_bits else None
        self.rewards = numpy.zeros((n, self.num_players), numpy.float32)
        self.terminated = numpy.zeros(n, numpy.bool_)
        self.truncated = numpy.zeros(n, numpy.bool_)
        self.player = numpy.full(n, -1, numpy.int32)
        self.observations: Optional[numpy.ndarray] = (
            numpy.zeros((n, *self.observation_spec.shape), dtype) if observe else None
        )
        self._sampled = numpy.zeros(n, numpy.int32)
        self._bind()

    def _bind(self) -> None:
        arrays = {"mask": self.mask, "rewards": self.rewards, "terminated": self.terminated, "truncated": self.truncated,
                  "player": self.player}
        if self.mask_bits is not None:
            arrays["mask_bits"] = self.mask_bits
        if self.observations is not None:
            arrays["observation"] = self.observations
        self._core.bind(arrays)

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.game.name!r}: {self.num_envs} plays, {self.num_actions} actions, {self.threads} threads>"

    # --- Steps. ---

    def reset(self, seed: Union[int, Sequence[int], None] = None, *, which: Any = None) -> Tuple[Any, Dict[str, Any]]:
        """Begins all plays anew, or those for which ``which`` is true; returns observations and infos.

        With a ``seed`` what is random comes from it (from seed, seed + 1, ... for the plays); a sequence gives each play
        its own. Without one the random numbers go on, and the first time they begin at random.
        """
        n = self.num_envs
        seeds: Optional[numpy.ndarray] = None
        if seed is None:
            if not hasattr(self, "_seeded"):
                seeds = numpy.random.SeedSequence().generate_state(n, numpy.uint64)
        elif hasattr(seed, "__index__"):
            seeds = (numpy.arange(n, dtype=numpy.uint64) + numpy.uint64(int(seed.__index__()) % 2**63)).astype(numpy.uint64)
        else:
            seeds = numpy.ascontiguousarray(seed, dtype=numpy.uint64)
        self._seeded = True
        chosen = None
        if which is not None:
            chosen = numpy.ascontiguousarray(which, dtype=numpy.bool_)
        self._core.reset(seeds, chosen)
        return self.observations, self._infos()

    def step(self, actions: Any, *, which: Any = None) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        """Makes a move in every play (or in those for which ``which`` is true): observations, rewards, terminations,
        truncations, infos.

        ``actions`` has one integer for each play. What it returns are the environment's own arrays.
        """
        self._core.step(self._actions(actions), None if which is None else numpy.ascontiguousarray(which, numpy.bool_))
        return self.observations, self.rewards, self.terminated, self.truncated, self._infos()

    def _actions(self, actions: Any) -> numpy.ndarray:
        if isinstance(actions, numpy.ndarray) and actions.dtype == numpy.int32 and actions.flags.c_contiguous:
            array = actions
        else:
            array = numpy.ascontiguousarray(integers(actions), dtype=numpy.int32)
        if array.shape != (self.num_envs,):
            raise ArgumentError(f"actions must have the shape ({self.num_envs},), not {array.shape}", "actions")
        return array

    def sample(self) -> numpy.ndarray:
        """Uniform legal actions, drawn from the plays' own random numbers; 0 for a play that is over."""
        self._core.sample(self._sampled)
        return self._sampled.copy()

    def random_steps(self, steps: int) -> None:
        """``steps`` steps with uniform legal actions, without a way through Python: to measure, or to mix states."""
        self._core.run(whole(steps, "steps", 0), self._sampled)

    def observe(self, player: int, out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
        """What a player observes in each play, whoever is to move."""
        spec = self.observation_spec
        if out is None:
            out = numpy.zeros((self.num_envs, *spec.shape), spec.dtype)
        self._core.observe(whole(player, "player", 0, self.num_players - 1), out)
        return out

    def save(self) -> bytes:
        """The states of all plays; only with the compiled engine."""
        if self.engine != "compiled":
            raise ArgumentError("the interpreter's plays cannot be saved", "engine", 'use engine="compiled"')
        return self._core.save()

    def load(self, plays: bytes) -> None:
        """Back to what :meth:`save` gave. Rewards and ends of the last step are not part of it.

        :class:`ArgumentError`, which is a ValueError, for bytes that are damaged, or of another game, other options or
        another number of plays; then the plays stay as they are."""
        try:
            self._core.load(plays)
        except ValueError as problem:
            raise ArgumentError(str(problem), "plays", "load what save() of an environment like this one gave") from None

    def close(self) -> None:
        """Nothing is held open."""

    def _infos(self) -> Dict[str, Any]:
        return {"action_mask": self.mask, "player": self.player}

    @property
    def single_action_size(self) -> int:
        return self.num_actions


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


class Observer:
    """Tensors of single states (:class:`rgtrans.State`), as :class:`VectorEnv` gives them for batches."""

    def __init__(self, game: Game, *, relative: bool = False, history: int = 16) -> None:
        self._env = VectorEnv(game, 1, engine="interpreter", threads=1, observe=False, relative=relative, history=history)
        self._history = history
        self.spec = self._env.observation_spec
        tags = self._env.actions._core.facts["tags"]
        self._rank = {tag: i for i, tag in enumerate(tags)}
        # The state may be one of the game as it was loaded, or of the optimized one: cells have the names of the latter.
        self._game = played(game)

    def tensor(self, state: State, player: int) -> numpy.ndarray:
        """What a player observes."""
        if self.spec.form == "moves":
            return self._moves(state, player)
        return self._planes(self._same(state), player)

    def _same(self, state: State) -> State:
        if state.game._core is self._game._core:
            return state
        other = self._game.new_state()
        for text in _made(state):
            other.apply(text)
        return other

    def _planes(self, state: State, player: int) -> numpy.ndarray:
        out = numpy.zeros(self.spec.shape, self.spec.dtype)
        cells = state._core.cells()
        area = self.spec.shape[1] * self.spec.shape[2]
        flat = out.reshape(self.spec.shape[0], area)
        for variable, keys, values, planes, views, place, everywhere, packed in self._env._core.cells:
            value = cells.get(" ".join([variable, *keys])) if variable else state.current_player
            if value not in values:
                continue
            number = values.index(value)
            plane = planes[(player if views > 1 else 0) * len(values) + number]
            if packed:
                flat[plane + number // area, number % area] = 1
            elif everywhere:
                flat[plane] = 1
            else:
                flat[plane, place] = 1
        return out

    def _moves(self, state: State, player: int) -> numpy.ndarray:
        out = numpy.zeros(self.spec.shape, self.spec.dtype)
        movers = [*state.game.players, "keeper", "random"]
        seen = [(who, text) for who, text in state._core.seen(player) if text]
        for row, (who, text) in zip(out, reversed(seen)):
            row[movers.index(who)] = 1
            for part, tag in enumerate(text.split()):
                at = len(movers) + part * len(self._rank) + self._rank[tag]
                if at < len(row):
                    row[at] = 1
        return out


def _made(state: State) -> List[str]:
    """The moves of players and random that led to a state."""
    result = []
    replay = state.game.new_state()
    for index in state.history:
        result.append(replay.legal_moves()[index])
        replay.apply(index)
    return result
