"""Many plays of one game at once, and tensors of single states."""

from __future__ import annotations

from typing import Any, Dict, Generic, List, Literal, Optional, Sequence, Tuple, TypeVar, Union, overload

import numpy
from numpy.typing import NDArray

from ._actions import ActionSpace
from ._core import DeviceArray
from ._device import DevicePlays
from ._errors import ArgumentError, UsageError
from ._game import RULES, Game, State
from ._observation import ObservationSpec, Plays, played
from ._processor import ProcessorPlays
from ._progress import compiling
from ._render import MODES, render
from ._surface import OneUser, engine_name, engine_of_device, one_of, published, renamed, whole

Array = TypeVar("Array")
Seed = Union[int, Sequence[int], None]

_ENGINES = ("interpreter", "cpp", "cuda")
_TWIN = "cuda-twin"  # the source for a device, compiled for the processor: for tests


class VectorEnv(Generic[Array]):
    """``count`` plays of one game, stepped together.

    ``jobs`` is the number of threads, 0 one for each processor; results do not depend on it. ``engine`` is "cpp" (built once
    with the system's C++ compiler and kept), "interpreter", or "cuda": then plays and arrays are in the memory of a GPU.
    ``reset_mode`` is the treatment of a play that is over. With "next_step" (Gymnasium's default) it begins anew in the next
    step, whose action is ignored. With "same_step" (PGX's auto-reset) it begins anew at once. With "stay", only :meth:`reset`
    begins it anew. ``illegal`` is the treatment of an illegal action: an "error", or a "loss" of the mover (PGX).
    ``relative`` shows the pieces of the observer first, if the names of values identify their owners.

    The arrays ``mask`` (count x actions), ``rewards`` (count x players), ``terminated``, ``truncated``, ``player`` (the
    mover, -1 after the end of a play) and ``observations`` belong to the environment and change with every step. ``mask_bits``
    adds an array of this name: words of 64 bits, action 64 w + b is bit b of word w. With "same_step" and
    ``final_obs``, infos keep the last observation of plays that began anew: "final_obs" and "final_info", with masks of the
    plays in "_final_obs" and "_final_info".

    On a GPU the arrays are :class:`DeviceArray`, which PyTorch and JAX share; ``choices`` has the number of legal moves of each
    play. Plays begin anew in the next step, and an illegal action is an error before anything is done. A game that hides moves
    has no observations there (``observe=False``). A play for which the memory of a thread is too small is truncated. Where
    a game has no action numbers on a device (``num_actions`` 0), actions are the numbers of legal moves, below ``choices``.
    """

    @overload
    def __init__(self: VectorEnv[NDArray[Any]], game: Game, count: int, *, jobs: int = 0,
                 engine: Literal["interpreter", "cpp"] = "cpp", reset_mode: str = "next_step", illegal: str = "error",
                 max_moves: int = 10_000, observe: bool = True, dtype: str = "float32", layout: str = "NCHW",
                 relative: bool = False, history: int = 16, max_actions: int = 1_000_000, mask_bits: bool = False,
                 final_obs: bool = False) -> None: ...
    @overload
    def __init__(self: VectorEnv[DeviceArray], game: Game, count: int, *, engine: Literal["cuda"], max_moves: int = 10_000,
                 observe: bool = True, dtype: str = "float32", layout: str = "NCHW", relative: bool = False,
                 max_actions: int = 1_000_000) -> None: ...
    @overload
    def __init__(self: VectorEnv[Any], game: Game, count: int, *, jobs: int = 0, engine: str = "cpp",
                 reset_mode: str = "next_step", illegal: str = "error", max_moves: int = 10_000, observe: bool = True,
                 dtype: str = "float32", layout: str = "NCHW", relative: bool = False, history: int = 16,
                 max_actions: int = 1_000_000, mask_bits: bool = False, final_obs: bool = False) -> None: ...
    @renamed(threads="jobs", device=engine_of_device)
    def __init__(
        self,
        game: Game,
        count: int,
        *,
        jobs: int = 0,
        engine: str = "cpp",
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
        final_obs: bool = False,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"game must be an rgtrans.Game, not {type(game).__name__}")
        self.game = game
        self.num_envs = whole(count, "count", 1)
        self.engine = engine_name(engine, _ENGINES, hidden=(_TWIN,))
        self.reset_mode = one_of(reset_mode, "reset_mode", ("stay", "same_step", "next_step"))
        self.illegal = one_of(illegal, "illegal", ("error", "loss"))
        one_of(dtype, "dtype", ("float32", "bool"))
        one_of(layout, "layout", ("NCHW", "NHWC"))
        whole(jobs, "jobs", 0, 1024)
        whole(max_moves, "max_moves", 1)
        whole(history, "history", 1, 1000)
        whole(max_actions, "max_actions", 1, 10**9)
        on_device = self.engine in ("cuda", _TWIN)
        if on_device:
            given = (("jobs", jobs != 0), ("reset_mode", reset_mode != "next_step"), ("illegal", illegal != "error"),
                     ("history", history != 16), ("mask_bits", mask_bits), ("final_obs", final_obs))
            for name, is_given in given:
                if is_given:
                    raise ArgumentError(f'{name} cannot be given with engine="cuda"', name, "the engines on the processor have it")
        if final_obs and (reset_mode != "same_step" or not observe):
            raise ArgumentError("final_obs needs observations and plays that begin anew in the same step", "final_obs",
                                'reset_mode="same_step"; in the other modes the arrays keep the last observation')
        self._options = dict(jobs=jobs, engine=engine, reset_mode=reset_mode, illegal=illegal, max_moves=max_moves, observe=observe,
                             dtype=dtype, layout=layout, relative=relative, history=history, max_actions=max_actions,
                             mask_bits=mask_bits, final_obs=final_obs)
        self.actions = ActionSpace(game, max_actions=max_actions)
        """The numbers of moves."""
        self._plays: Plays
        if on_device:
            self._plays = DevicePlays(game, count, self.actions, twin=self.engine == _TWIN, observe=bool(observe), dtype=dtype,
                                      layout=layout, relative=bool(relative), max_moves=max_moves)
        else:
            with compiling(game.name):
                self._plays = ProcessorPlays(
                    game, count, self.actions, jobs=jobs, engine=self.engine, reset_mode=reset_mode, illegal=illegal,
                    max_moves=max_moves, observe=bool(observe), dtype=dtype, layout=layout, relative=bool(relative),
                    history=history, max_actions=max_actions, mask_bits=bool(mask_bits), final_obs=bool(final_obs))
        self.jobs = self._plays.jobs
        self.num_actions = self._plays.num_actions
        self.num_players = self._plays.num_players
        arrays: Dict[str, Array] = self._plays.arrays
        self.mask: Array = arrays["mask"]
        self.rewards: Array = arrays["rewards"]
        self.terminated: Array = arrays["terminated"]
        self.truncated: Array = arrays["truncated"]
        self.player: Array = arrays["player"]
        self.observations: Optional[Array] = arrays.get("observations")
        self.mask_bits: Optional[Array] = arrays.get("mask_bits")
        self.choices: Optional[Array] = arrays.get("choices")
        self._begun = False
        self._user = OneUser("this environment", workers=self.jobs > 1)

    def __repr__(self) -> str:
        where = f"{self.jobs} jobs" if self.choices is None else "on a device"
        return f"<VectorEnv of {self.game.name!r}: {self.num_envs} plays, {self.num_actions} actions, {where}>"

    @property
    def observation_spec(self) -> ObservationSpec:
        """The form of the observations; an error where a device makes none."""
        found = self._plays.observation_spec
        if found is None:
            raise ArgumentError("this environment has no observations", "observe")
        return found

    # --- Steps. ---

    def reset(self, seed: Seed = None, *, which: Any = None) -> Tuple[Any, Dict[str, Any]]:
        """Begins all plays anew, or those for which ``which`` is true; returns observations and infos.

        With a ``seed`` what is random comes from it (from seed, seed + 1, ... for the plays); a sequence gives each play
        its own. Without one the random numbers go on, and the first time they begin at random.
        """
        with self._user:
            self._plays.reset(seed, which)
            self._begun = True
        return self.observations, self._infos()

    def step(self, actions: Any, *, which: Any = None) -> Tuple[Any, Array, Array, Array, Dict[str, Any]]:
        """Makes a move in every play (or in those for which ``which`` is true): observations, rewards, terminations,
        truncations, infos.

        ``actions`` has one integer for each play: the result of :meth:`sample`, or anything that NumPy can turn into an array.
        On a device it may be an array of 32-bit integers with ``__dlpack__``, which is read without a copy. The returned
        arrays belong to the environment.
        """
        with self._user:
            self._check_begun()
            self._plays.step(actions, which)
        return self.observations, self.rewards, self.terminated, self.truncated, self._infos()

    def sample(self) -> Array:
        """Uniform legal actions, drawn from the plays' own random numbers; 0 for a play that is over. An array of a device
        changes with the next call."""
        with self._user:
            self._check_begun()
            sampled: Array = self._plays.sample()
        return sampled

    def random_steps(self, steps: int) -> Optional[Tuple[int, float]]:
        """``steps`` steps with uniform legal actions, without a way through Python: to measure, or to mix states. A device says
        how many moves were made, and how many seconds it took."""
        with self._user:
            self._check_begun()
            return self._plays.random_steps(whole(steps, "steps", 0))

    def observe(self, player: int, out: Optional[NDArray[Any]] = None) -> Array:
        """The observations of one player in each play, no matter which player is to move. A device writes them to ``observations``, until the next
        step."""
        with self._user:
            self._check_begun()
            observed: Array = self._plays.observe(whole(player, "player", 0, self.num_players - 1), out)
        return observed

    # --- Single plays. ---

    def state(self, play: int) -> State:
        """The position of one play as a :class:`rgtrans.State`, to look at or to play on; the batch stays as it is.

        It has no history: nothing is known of the moves before. Parts of a move that is not complete are not in it, either.
        """
        with self._user:
            self._check_begun()
            return self._plays.state(whole(play, "play", 0, self.num_envs - 1))

    def render(self, play: int = 0, mode: str = "ansi") -> Any:
        """One play as text ("ansi"), as a drawing ("svg") or as pixels ("rgb_array"): the boards, dice and cards."""
        return render(self.state(play), one_of(mode, "mode", MODES))

    def save(self) -> bytes:
        """The states of all plays; only with the engine "cpp"."""
        with self._user:
            saved = self._plays.save()
            self._check_begun()
        return saved

    def load(self, plays: bytes) -> None:
        """Restores the states that :meth:`save` returned. Rewards and ends of the last step are not part of it.

        :class:`ArgumentError`, which is a ValueError, for bytes that are damaged, or of another game, other options or
        another number of plays; then the plays stay as they are."""
        with self._user:
            self._plays.load(plays)
            self._begun = True

    def close(self) -> None:
        """Gives the memory of a device back. Arrays that others still hold must not be used afterwards."""
        self._plays.close()

    def _check_begun(self) -> None:
        if not self._begun:
            raise UsageError("the plays have not begun", hint="call reset() first")

    def __reduce__(self) -> Any:
        # Copies and pickles: the plays go on in the copy as they do here.
        state = None
        if self._begun:
            ends = [self.rewards, self.terminated, self.truncated]
            state = (self.save(), [numpy.array(end) for end in ends])
        # The plays fit the game as it is played. Its text identifies it; that of the game before would be optimized anew.
        return (_restored, (played(self.game), self.num_envs, self._options, state))

    def _infos(self) -> Dict[str, Any]:
        infos = {"action_mask": self.mask, "player": self.player}
        if self.choices is not None:
            infos["choices"] = self.choices
        infos.update(self._plays.final)
        return infos

    @property
    def single_action_size(self) -> int:
        return self.num_actions

    @property
    def threads(self) -> int:
        return self.jobs  # its former name


def _restored(game: Game, count: int, options: Dict[str, Any], state: Any) -> VectorEnv[Any]:
    env: VectorEnv[Any] = VectorEnv(game, count, **options)
    if state is not None:
        plays, ends = state
        env.load(plays)
        for array, end in zip((env.rewards, env.terminated, env.truncated), ends):
            array[:] = end
    return env


def on_processor(env: VectorEnv[Any]) -> ProcessorPlays:
    """The plays behind an environment that are in main memory; an error for those on a device."""
    if not isinstance(env._plays, ProcessorPlays):
        raise ArgumentError("the plays are on a device", "engine", 'use engine="cpp"')
    return env._plays


class Observer:
    """Tensors of single states (:class:`rgtrans.State`), as :class:`VectorEnv` gives them for batches."""

    def __init__(self, game: Game, *, relative: bool = False, history: int = 16) -> None:
        self._env = VectorEnv(game, 1, engine="interpreter", jobs=1, observe=False, relative=relative, history=history)
        self._cells = on_processor(self._env).core.cells
        self.spec = self._env.observation_spec
        tags = self._env.actions._core.facts["tags"]
        self._rank = {tag: i for i, tag in enumerate(tags)}
        # The state may be one of the game as it was loaded, or of the optimized one: cells have the names of the latter.
        self._game = played(game)

    def tensor(self, state: State, player: int) -> NDArray[Any]:
        """The observation of a player."""
        if state._core.engine == RULES:
            raise ArgumentError(f'a state of the engine "{RULES}" has no tensor', "state", "the other engines have")
        if self.spec.form == "moves":
            if state._core.starts_in_the_middle:
                raise UsageError("a state of a batch has no history that shows what a player knows", hint="ask the batch: observe(player)")
            return self._moves(state, player)
        return self._planes(self._same(state), player)

    def _same(self, state: State) -> State:
        if state.game == self._game:
            return state
        if state._core.starts_in_the_middle:
            raise UsageError("a state of a batch has no history that leads to it", hint="make the observer of the game of that state")
        other = self._game.new_state()
        keeper = len(state.game.players)
        for mover, text in state._core.seen(keeper):
            if mover != keeper:
                other.apply(text)
        return other

    def _planes(self, state: State, player: int) -> NDArray[Any]:
        out = numpy.zeros(self.spec.shape, self.spec.dtype)
        cells = state._core.cells()
        area = self.spec.shape[1] * self.spec.shape[2]
        flat = out.reshape(self.spec.shape[0], area)
        for variable, keys, values, planes, views, place, everywhere, packed in self._cells:
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

    def _moves(self, state: State, player: int) -> NDArray[Any]:
        out = numpy.zeros(self.spec.shape, self.spec.dtype)
        seen = [(mover, text) for mover, text in state._core.seen(player) if text]
        for row, (mover, text) in zip(out, reversed(seen)):
            row[mover] = 1
            for part, tag in enumerate(text.split()):
                at = len(state.game.players) + 2 + part * len(self._rank) + self._rank[tag]
                if at < len(row):
                    row[at] = 1
        return out


published("rgtrans.env", Observer, VectorEnv)
