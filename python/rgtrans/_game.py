"""Games and states of play."""

from __future__ import annotations

import json
import math
import os
import weakref
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._errors import ArgumentError, Diagnostic, UsageError, parse_diagnostics
from ._progress import compiling
from ._surface import engine_name, published, renamed

__all__ = ["Game", "PlayoutStats", "State", "engines", "languages", "load", "optimize"]

Path = Union[str, "os.PathLike[str]"]
INTERPRETER = "interpreter"
RULES = "rules"


def languages() -> Dict[str, str]:
    """The languages that :func:`load` reads: name -> what it is."""
    return {name: title for name, title, _ in _core.languages()}


def engines() -> Tuple[str, ...]:
    """The engines that play every game; :attr:`Game.engines` has those of one."""
    return tuple(_core.engines())


def load(
    path_or_text: Path,
    language: Optional[str] = None,
    *,
    name: Optional[str] = None,
    options: Optional[Mapping[str, str]] = None,
    assert_proofs: bool = False,
) -> "Game":
    """Reads a game from a file, from a text, or by the name of one that comes with rgtrans (:func:`rgtrans.games`).

    ``path_or_text`` is a text when it contains a line break, a brace, a semicolon or a parenthesis and no file has that
    name, a path otherwise (a ``pathlib.Path`` is always a path). ``language`` is one of :func:`languages`; without it
    the extension decides, else the look of the text. ``options`` are those of the language on the command line, such
    as ``{"keep-forced": ""}`` for GDL. With ``assert_proofs``, plays of the game and of its optimized forms
    evaluate the claims that the translation relies on, and raise :class:`rgtrans.ProofError` if one fails; they
    are slow.

    Raises :class:`rgtrans.Error` with every mistake found, ``FileNotFoundError`` when there is no such file.
    """
    if language is not None and language not in languages():
        raise ArgumentError(f"there is no language {language!r}", "language", "allowed: " + ", ".join(languages()))
    if not isinstance(path_or_text, (str, os.PathLike)):
        raise TypeError(f"path_or_text must be a str or a path, not {type(path_or_text).__name__}")
    if isinstance(path_or_text, str) and _is_text(path_or_text):
        text, shown = path_or_text.encode("utf-8", "surrogateescape"), name or "<text>"
        title = name or "game"
    else:
        shown, text = _read(os.fspath(path_or_text))
        title = name or os.path.splitext(os.path.basename(shown))[0]
    return Game(_core.load(text, shown, language or "", dict(options or {}), assert_proofs), title)


def _read(path: str) -> Tuple[str, bytes]:
    """The name for messages and the text: of a file, else of a game of the library."""
    try:
        with open(path, "rb") as file:
            return path, file.read()
    except FileNotFoundError as error:
        found = _core.library_game(path)
        if found is not None:
            return found
        import difflib

        near = difflib.get_close_matches(path, [name for name, _ in _core.library_games()], 1)
        if near:
            raise FileNotFoundError(error.errno, f"{error.strerror}; did you mean {near[0]!r}?", path) from None
        raise


def _is_text(path_or_text: str) -> bool:
    if "\n" in path_or_text:
        return True
    return any(c in path_or_text for c in "{};(") and not os.path.exists(path_or_text)


def optimize(game: "Game", level: int = 2, passes: Optional[Sequence[str]] = None) -> "Game":
    """An equal game that is smaller and faster to play: same moves, same outcomes.

    ``level`` is 0, 1 or 2 as in -O2; ``passes`` names the transformations one by one instead.
    """
    if level not in (0, 1, 2):
        raise ArgumentError(f"level cannot be {level!r}", "level", "allowed: 0, 1, 2")
    core, report = game._core.optimize(level, list(passes) if passes is not None else None)
    result = Game(core, game.name)
    result._written = game._written
    result.optimization = report
    return result


@dataclass(frozen=True)
class PlayoutStats:
    """Statistics of uniformly random playouts. Moves of the keeper are not counted."""

    playouts: int
    moves: int
    seconds: float
    min_length: int
    max_length: int
    mean_length: float
    stdev_length: float
    mean_branching: float
    max_branching: int
    stopped: int
    """Playouts that were given up at the move limit."""
    mean_goals: Dict[str, float]
    """Mean outcome per player."""
    wins: Dict[str, int]
    """Playouts in which a player's outcome was higher than everybody else's."""

    @property
    def playouts_per_second(self) -> float:
        return self.playouts / self.seconds if self.seconds > 0 else math.inf

    @property
    def balance(self) -> float:
        """1 when all players win equally often, 0 when one player wins every decided playout."""
        decided = sum(self.wins.values())
        if decided == 0 or len(self.wins) < 2:
            return 1.0
        share = max(self.wins.values()) / decided
        fair = 1 / len(self.wins)
        return max(0.0, 1 - (share - fair) / (1 - fair))


class Game:
    """A game, whatever language it was written in. Immutable."""

    def __init__(self, core: _core.Game, name: str) -> None:
        self._core = core
        self._written = core  # as its author wrote it, for drawings and for the words of moves
        self._scenes_of: Optional[_core.Scenes] = None
        self.name = name
        self.players: Tuple[str, ...] = tuple(core.players)
        """The players, in the order of :meth:`State.returns`."""
        self.optimization: Optional[Dict[str, Any]] = None
        """What :func:`optimize` did: seconds, pass_runs, passes."""
        self._rg: Optional[str] = None

    def __repr__(self) -> str:
        stats = self.stats()
        return f"<rgtrans.Game {self.name!r}: {', '.join(self.players)}; {stats['nodes']} nodes, {stats['edges']} edges>"

    def __reduce__(self) -> Any:
        # The texts identify the game; how it was written decides the numbers of moves.
        written = None if self._written is self._core else self._written.emit("rg")
        return (_game_from_rg, (self.to("rg"), self.name, written, self._core.rules))

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: Any) -> "Game":
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._core is other._core or self.to("rg") == other.to("rg")

    def __hash__(self) -> int:
        return hash(self.to("rg"))

    def to(self, form: str) -> str:
        """The game as text: "rg", "json", "dot" (for Graphviz) or "cpp" (a reasoner in C++, all files in one text)."""
        if form not in _core.forms():
            raise ArgumentError(f"a game has no form {form!r}", "form", "allowed: " + ", ".join(_core.forms()))
        if form != "rg":
            return self._core.emit(form)
        if self._rg is None:
            self._rg = self._core.emit("rg")
        return self._rg

    def cpp_files(self) -> Dict[str, str]:
        """The reasoner in C++ as files: name -> text. One of them is a CMakeLists.txt that builds it."""
        return self._core.cpp_files(self.name)

    def save(self, path: Path, form: str = "rg") -> None:
        """Writes :meth:`to` to a file."""
        text = self.to(form)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)

    def optimize(self, level: int = 2, passes: Optional[Sequence[str]] = None) -> "Game":
        """See :func:`rgtrans.optimize`."""
        return optimize(self, level, passes)

    def stats(self) -> Dict[str, Any]:
        """Sizes of the automaton, its variables and its state, as ``rgtrans stats --json`` gives them."""
        result: Dict[str, Any] = json.loads(self._core.stats())
        return result

    @property
    def warnings(self) -> Tuple[Diagnostic, ...]:
        """Legal parts of the description that look like mistakes."""
        return parse_diagnostics(self._core.warnings_json.decode("utf-8", "replace"))

    def scores(self) -> List[float]:
        """The outcomes a player can have; those that are no numbers are left out (0 when none is)."""
        numbers = [n for n in map(_core.score_number, self._core.scores) if not math.isnan(n)]
        return numbers or [0.0]

    def _utilities(self) -> List[float]:
        """The outcomes a player can have as programs compare them: a name counts as 0."""
        return [_number(score) for score in self._core.scores]

    @property
    def has_hidden_information(self) -> bool:
        """Whether some moves are not visible to every player."""
        return self._core.hidden

    @property
    def has_chance(self) -> bool:
        """Whether random moves somewhere."""
        return self._core.chance

    def new_state(self, engine: str = INTERPRETER) -> "State":
        """The initial state, played by one of :attr:`engines`. The first one makes the engine, which is kept.

        "rules" follows a description in GDL as it is written. Its moves are terms of the description, and its states have
        neither drawings nor numbers of moves.
        """
        if engine == RULES and RULES not in self.engines:
            raise ArgumentError(f"{self.name} has no engine {RULES!r}", "engine", "it needs a description in GDL, as load() reads it")
        with compiling(self.name):
            return State(self, _core.State(self._core, engine_name(engine, self.engines)))

    @property
    def engines(self) -> Tuple[str, ...]:
        """The engines that can play the game: :func:`rgtrans.engines`, and "rules" where it was loaded from GDL."""
        return tuple(self._core.engines)

    def _scenes(self) -> _core.Scenes:
        if self._scenes_of is None:
            self._scenes_of = _core.Scenes(self._written)
        return self._scenes_of

    def perft(self, depth: int, *, engine: str = INTERPRETER, walks: bool = False) -> int:
        """How many sequences of ``depth`` moves there are. With ``walks``, of walks through the automaton."""
        return self.new_state(engine).perft(depth, walks=walks)

    @renamed(threads="jobs")
    def playouts(
        self,
        count: Optional[int] = None,
        *,
        seconds: Optional[float] = None,
        jobs: int = 1,
        seed: int = 1,
        max_moves: int = 1_000_000,
        engine: str = INTERPRETER,
    ) -> PlayoutStats:
        """Random playouts from the start: ``count`` of them, or as many as ``seconds`` allow.

        ``jobs`` threads run in parallel, and other Python threads go on meanwhile. Equal arguments give equal results.
        """
        return self.new_state(engine).playouts(
            count, seconds=seconds, jobs=jobs, seed=seed, max_moves=max_moves
        )


Rules = Tuple[bytes, str, bool]
_unpickled: "weakref.WeakValueDictionary[Tuple[str, str, Optional[str], Optional[Rules]], Game]" = weakref.WeakValueDictionary()


def _game_from_rg(text: str, name: str, written: Optional[str] = None, rules: Optional[Rules] = None) -> Game:
    """Many pickled states of one game become states of one game again, which share its engine."""
    game = _unpickled.get((text, name, written, rules))
    if game is None:
        game = load(text, "rg", name=name)
        if rules is not None:
            game = Game(game._core.with_rules(*rules), name)
        _unpickled[text, name, written, rules] = game
        if written is not None:
            game._written = load(written, "rg", name=name)._core
            game.optimization = {}
    return game


def _state_from_history(game: Game, engine: str, history: Sequence[int]) -> "State":
    state = game.new_state(engine)
    for index in history:
        state._core.apply(index)
    return state


class State:
    """A state of play. The keeper's moves are made at once, so it is always a player's turn, or chance's, or the end."""

    def __init__(self, game: Game, core: _core.State) -> None:
        self.game = game
        self._core = core

    # --- Questions. ---

    @property
    def current_player(self) -> str:
        """The player to move: one of ``game.players``, or "random"; "keeper" only at the end."""
        return self._movers()[self._core.mover]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._core.terminal

    def legal_moves(self) -> List[str]:
        """The moves, as their tags separated by blanks, in a fixed order; empty at the end."""
        return self._core.moves()

    def move_text(self, move: Union[str, int]) -> str:
        """The text in :meth:`legal_moves` of a move, given as :meth:`apply` takes it."""
        return self._core.move_text(self._index(move))

    @property
    def move_count(self) -> int:
        """How many moves are legal. To choose by number, this is all that is needed: no text is made."""
        return self._core.move_count

    def returns(self) -> List[float]:
        """The outcome of each player, in the order of ``game.players``; NaN for an outcome that is no number."""
        return [_core.score_number(goal) for goal in self.goals().values()]

    def _utilities(self) -> List[float]:
        """The outcomes as programs compare them: a name counts as 0."""
        return [_number(goal) for goal in self.goals().values()]

    def goals(self) -> Dict[str, str]:
        """The outcome of each player by name, as the game writes it. Final only at the end."""
        return {name: self._core.goal(i) for i, name in enumerate(self.game.players)}

    def observation(self, player: Union[str, int]) -> List[Tuple[str, str]]:
        """The observations of ``player``: (mover, visible part of the move) for each move so far."""
        movers = self._movers()
        return [(movers[mover], text) for mover, text in self._core.seen(self._player(player))]

    def observation_string(self, player: Union[str, int]) -> str:
        """:meth:`observation` as a text of one line a move, in the words of the game's author."""
        if self._core.engine == RULES:
            return "\n".join(f"{who}: {text}" for who, text in self.observation(player))
        full = self.game._scenes().full
        return "\n".join(f"{who}: {full(text)}" for who, text in self.observation(player))

    # --- Looking at it. ---

    def shown_moves(self) -> List[str]:
        """:meth:`legal_moves` as people say them, shortened where that is clear: "e2 e4"."""
        moves = self.legal_moves()
        return moves if self._core.engine == RULES else self.game._scenes().shown(moves)

    def board(self, player: Union[str, int, None] = None, *, flip: bool = False, ascii: bool = False) -> str:
        """The position as text. With ``player``, only what that player may know; with ``flip``, from the other side."""
        if self._core.starts_in_the_middle:
            self._check_everything(player)
            return self.game._scenes().text_of(self._core, flip, not ascii)
        return self.game._scenes().text(self._made(), self._viewer(player), flip, not ascii)

    def svg(self, player: Union[str, int, None] = None, *, flip: bool = False) -> str:
        """The position as a drawing; see :meth:`board`."""
        if self._core.starts_in_the_middle:
            self._check_everything(player)
            return self.game._scenes().svg_of(self._core, flip)
        return self.game._scenes().svg(self._made(), self._viewer(player), flip)

    def scene(self, player: Union[str, int, None] = None) -> Dict[str, Any]:
        """The picture of the state as data: boards with their cells, pieces, the player to move, other facts."""
        if self._core.starts_in_the_middle:
            self._check_everything(player)
            text = self.game._scenes().json_of(self._core)
        else:
            text = self.game._scenes().json(self._made(), self._viewer(player))
        result: Dict[str, Any] = json.loads(text)
        return result

    def rgb_array(self, player: Union[str, int, None] = None, *, flip: bool = False, scale: float = 1.0) -> Any:
        """:meth:`svg` as a NumPy array of pixels, height x width x 3. Words are drawn with a plain font."""
        from ._picture import pixels

        return pixels(self.svg(player, flip=flip), scale)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _movers(self) -> Tuple[str, ...]:
        return (*self.game.players, "keeper", "random")

    def _made(self) -> List[str]:
        if self._core.engine == RULES:
            raise ArgumentError(f'a state of the engine "{RULES}" has no drawing', "engine", "the other engines have")
        return [text for _, text in self._core.seen(len(self.game.players))]

    def _check_everything(self, player: Union[str, int, None]) -> None:
        if player is not None and self.game.has_hidden_information:
            raise ArgumentError("this state has no history that shows what a player knows", "player", "leave it out to see everything")

    def _viewer(self, player: Union[str, int, None]) -> Optional[int]:
        return None if player is None else self._player(player)

    @property
    def history(self) -> Tuple[int, ...]:
        """The moves so far, as indices into :meth:`legal_moves` of their states."""
        return tuple(self._core.history)

    def chance_outcomes(self) -> List[Tuple[str, float]]:
        """The moves of "random" with their probabilities; empty when a player moves."""
        if self.is_terminal() or self.current_player != "random":
            return []
        moves = self.legal_moves()
        return [(move, 1 / len(moves)) for move in moves]

    # --- Moves. ---

    def apply(self, move: Union[str, int]) -> "State":
        """Makes a move, given by its text or by its index in :meth:`legal_moves`; returns this state."""
        if type(move) is int:
            try:
                self._core.apply(move)
                return self
            except (IndexError, TypeError):
                pass  # the message is made below
        self._core.apply(self._index(move))
        return self

    def find_move(self, text: str) -> Optional[int]:
        """The index in :meth:`legal_moves` of the move with this text, in any form that :meth:`apply` takes; None if there is none."""
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}")
        try:
            return self._index(text)
        except ArgumentError:
            return None

    def is_legal(self, move: Union[str, int]) -> bool:
        """Whether :meth:`apply` takes this move."""
        try:
            self._index(move)
            return True
        except ArgumentError:
            return False

    def apply_checked(self, move: Union[str, int]) -> bool:
        """Makes a move if it is legal, and says whether it was. :meth:`apply` raises an error instead."""
        legal = self.is_legal(move)
        if legal:
            self.apply(move)
        return legal

    def undo(self) -> "State":
        """Takes the last move back; an IndexError at the start."""
        if not self._core.undo():
            raise IndexError("there is no move to take back")
        return self

    def child(self, move: Union[str, int]) -> "State":
        """The state after a move; this one stays as it is."""
        return self.copy().apply(move)

    def children(self) -> Iterator[Tuple[str, "State"]]:
        """(move, state after it) for every legal move."""
        for index, move in enumerate(self.legal_moves()):
            yield move, self.child(index)

    def copy(self) -> "State":
        """An independent state that is equal to this one."""
        return State(self.game, self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "State":
        return self.copy()

    # --- Counting and playing on. ---

    def perft(self, depth: int, *, walks: bool = False) -> int:
        """How many sequences of ``depth`` moves there are from here."""
        if isinstance(depth, bool) or not isinstance(depth, int):
            raise TypeError(f"depth must be an int, not {type(depth).__name__}")
        if not 0 <= depth <= 1000:
            raise ArgumentError(f"depth cannot be {depth}", "depth", "allowed: 0 to 1000")
        return self._core.perft(depth, walks)

    @renamed(threads="jobs")
    def playouts(
        self,
        count: Optional[int] = None,
        *,
        seconds: Optional[float] = None,
        jobs: int = 1,
        seed: int = 1,
        max_moves: int = 1_000_000,
    ) -> PlayoutStats:
        """Random playouts from here; see :meth:`Game.playouts`."""
        if (count is None) == (seconds is None):
            raise ArgumentError("give either count or seconds", "count", "playouts(1000) or playouts(seconds=2)")
        if count is not None and count < 1:
            raise ArgumentError(f"count cannot be {count}", "count", "allowed: 1 and more")
        if seconds is not None and not 0 < seconds < 1e6:
            raise ArgumentError(f"seconds cannot be {seconds}", "seconds", "allowed: more than 0")
        if not 1 <= jobs <= 1024:
            raise ArgumentError(f"jobs cannot be {jobs}", "jobs", "allowed: 1 to 1024")
        if max_moves < 1:
            raise ArgumentError(f"max_moves cannot be {max_moves}", "max_moves", "allowed: 1 and more")
        raw = self._core.playouts(count or 0, seconds or 0.0, seed & 0xFFFFFFFFFFFFFFFF, max_moves, jobs)
        return _playout_stats(raw, self.game.players)

    # --- Identity. ---

    def __eq__(self, other: object) -> bool:
        """Equal games, the same engine, equal values. Engines store states in ways of their own, so states of two engines
        are never equal; compare ``str(state)`` for that."""
        if not isinstance(other, State):
            return NotImplemented
        if self._core.starts_in_the_middle != other._core.starts_in_the_middle:
            return False
        if self._core.engine != other._core.engine or self._core.bytes() != other._core.bytes():
            return False
        return self.game == other.game

    def __hash__(self) -> int:
        return hash(self._core.bytes())

    def canonical_hash(self) -> int:
        """A hash of the position: states that differ only in values that nothing reads any more have equal ones, if they
        are states of equal games in one engine. For transposition tables."""
        return self._core.canonical_hash()

    def same_position(self, other: "State") -> bool:
        """Whether two states of one game in one engine are one position; see :meth:`canonical_hash`. They have the same future.
        States with the same future may be different positions: symmetric ones are."""
        if not isinstance(other, State):
            raise TypeError(f"other must be a State, not {type(other).__name__}")
        if self._core.engine != other._core.engine or self.game != other.game:
            return False
        return self._core.same_position(other._core)

    def __reduce__(self) -> Any:
        if self._core.starts_in_the_middle:
            raise UsageError("a state of a batch cannot be pickled", hint="pickle the environment, or its save()")
        return (_state_from_history, (self.game, self._core.engine, self.history))

    def __str__(self) -> str:
        return self._core.describe()

    def __repr__(self) -> str:
        if self.is_terminal():
            outcome = ", ".join(f"{name} {goal}" for name, goal in self.goals().items())
            return f"<rgtrans.State of {self.game.name!r} after {len(self.history)} moves: {outcome}>"
        return (
            f"<rgtrans.State of {self.game.name!r} after {len(self.history)} moves: "
            f"{self.current_player} has {self._core.move_count}>"
        )

    # --- Arguments. ---

    def _index(self, move: Union[str, int]) -> int:
        if isinstance(move, str):
            moves = self.legal_moves()
            text = " ".join(move.split())
            if text in moves:
                return moves.index(text)
            if self._core.engine != RULES:
                scenes = self.game._scenes()
                meant = scenes.meant(moves, text)
                if len(meant) == 1:
                    return meant[0]
                moves = scenes.shown(moves)
            shown = ", ".join(repr(m) for m in moves[:5]) + (", ..." if len(moves) > 5 else "")
            raise ArgumentError(f"{move!r} is not a legal move", "move", f"legal: {shown}" if moves else "the game is over")
        if isinstance(move, bool) or not hasattr(move, "__index__"):
            raise TypeError(f"a move is a str or an int, not {type(move).__name__}")
        index = move.__index__()  # numpy integers, too
        count = self._core.move_count
        if 0 <= index < count:
            return index
        raise ArgumentError(f"there is no move {index}", "move", f"allowed: 0 to {count - 1}" if count else "the game is over")

    def _player(self, player: Union[str, int]) -> int:
        players = self.game.players
        if isinstance(player, str) and player in players:
            return players.index(player)
        if isinstance(player, int) and 0 <= player < len(players):
            return player
        raise ArgumentError(f"there is no player {player!r}", "player", "allowed: " + ", ".join(players))


def _number(score: str) -> float:
    number = _core.score_number(score)
    return 0.0 if math.isnan(number) else number


def _playout_stats(raw: Mapping[str, Any], players: Sequence[str]) -> PlayoutStats:
    count = max(raw["playouts"], 1)
    mean = raw["moves"] / count
    variance = max(raw["length_squares"] / count - mean * mean, 0.0)
    goals = raw["goal_sum"] or [math.nan] * len(players)
    wins = raw["wins"] or [0] * len(players)
    return PlayoutStats(
        playouts=raw["playouts"],
        moves=raw["moves"],
        seconds=raw["seconds"],
        min_length=raw["min_length"],
        max_length=raw["max_length"],
        mean_length=mean,
        stdev_length=math.sqrt(variance),
        mean_branching=raw["branching_sum"] / max(raw["moves"], 1),
        max_branching=raw["branching_max"],
        stopped=raw["stopped"],
        mean_goals={p: g / max(raw["playouts"] - raw["stopped"], 1) for p, g in zip(players, goals)},
        wins=dict(zip(players, wins)),
    )


published("rgtrans", Game, PlayoutStats, State, engines, languages, load, optimize)
