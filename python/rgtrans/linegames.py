"""Building games of the Alquerque family: pieces that step and jump along the lines of a board.

    >>> from rgtrans.linegames import *
    >>> game = (LineGame("Sixteen Soldiers")
    ...         .alquerque(5, 5).attach_triangle(N, height=3).attach_triangle(S, height=3)
    ...         .rows(BLACK, first=2).rows(WHITE, last=2).triangle(BLACK, N).triangle(WHITE, S)
    ...         .rules(captures="optional", sequence="stepwise").limits(max_turns=200))
    >>> game.svg()           # a drawing; a notebook shows it by itself
    >>> game.to_hrg()        # the rules as a program
    >>> game.game().perft(3)

A board is chosen first, then added to, then pieces are placed; rules and limits can be given at any time (rules that
name points after those points exist). Every method checks its arguments and returns the game, so calls can be chained.
White begins at the south and moves first.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _core
from ._errors import ArgumentError
from ._game import Game, load

__all__ = [
    "BLACK", "E", "EAST", "L", "LineGame", "N", "NE", "NORTH", "NW", "R", "S", "SE", "SOUTH", "SW", "W", "WEST",
    "WHITE", "reverse", "rotate",
]

N = NORTH = "north"
NE = "northeast"
E = EAST = "east"
SE = "southeast"
S = SOUTH = "south"
SW = "southwest"
W = WEST = "west"
NW = "northwest"
R = "right"
"""Clockwise round a circle."""
L = "left"
WHITE = "white"
BLACK = "black"

_COMPASS = [N, NE, E, SE, S, SW, W, NW]
_SHORT = dict(zip(["N", "NE", "E", "SE", "S", "SW", "W", "NW", "R", "L"], _COMPASS + [R, L]))


def rotate(direction: str, degrees: int) -> str:
    """A compass direction turned clockwise by a multiple of 45 degrees."""
    direction = _SHORT.get(direction, direction)
    if direction not in _COMPASS:
        raise ArgumentError(f"{direction!r} cannot be turned", "direction", "allowed: " + ", ".join(_COMPASS))
    if degrees % 45 != 0:
        raise ArgumentError(f"degrees cannot be {degrees}", "degrees", "allowed: multiples of 45")
    return _COMPASS[(_COMPASS.index(direction) + degrees // 45) % 8]


def reverse(direction: str) -> str:
    """The opposite direction."""
    direction = _SHORT.get(direction, direction)
    if direction in (R, L):
        return L if direction == R else R
    return rotate(direction, 180)


class LineGame:
    """A game on a line board, built step by step. See the module for an example."""

    def __init__(self, name: str = "line game") -> None:
        self._core = _core.LineGame(_text("name", name))

    @classmethod
    def from_json(cls, definition: str, name: str = "<definition>") -> "LineGame":
        """A game from its definition in JSON, the form that ``rgtrans --from linegames`` reads."""
        return cls._wrap(_core.LineGame.from_json(definition, name))

    @classmethod
    def _wrap(cls, core: _core.LineGame) -> "LineGame":
        game = cls.__new__(cls)
        game._core = core
        return game

    # --- The board. ---

    def point(self) -> "LineGame":
        """A single point, for triangles and lines to hang from."""
        self._core.point()
        return self

    def grid(self, width: int, height: int) -> "LineGame":
        """Points in rows, with orthogonal lines only."""
        self._core.grid(_int("width", width), _int("height", height))
        return self

    def alquerque(self, width: int, height: int) -> "LineGame":
        """A grid of odd sizes with diagonals through every second point. 5 x 5 is the classical board."""
        self._core.alquerque(_int("width", width), _int("height", height))
        return self

    def square_with_diagonals(self, squares_x: int, squares_y: int) -> "LineGame":
        """Squares with both diagonals; corners have even coordinates, centres odd ones."""
        self._core.square_with_diagonals(_int("squares_x", squares_x), _int("squares_y", squares_y))
        return self

    def circle(self, spokes: int, rings: int) -> "LineGame":
        """Concentric circles and 2, 4, 6 or 8 spokes that meet in the centre."""
        self._core.circle(_int("spokes", spokes), _int("rings", rings))
        return self

    wheel = circle

    def attach_triangle(
        self, side: str, height: Optional[int] = None, *, rows: Optional[int] = None, root: str = ""
    ) -> "LineGame":
        """A triangle of three columns, pointing away from the board.

        ``height`` counts the point it hangs from, ``rows`` does not; give one of them. That point is the middle of the
        side (N, E, S, W) or the corner (NE, SE, SW, NW) of the board, or ``root``.
        """
        if (height is None) == (rows is None):
            raise ArgumentError("give either height or rows", "height", "height=3 is the same as rows=2")
        if rows is None:
            assert height is not None
            if _int("height", height) < 2:
                raise ArgumentError(f"height cannot be {height}", "height", "allowed: 2 and more")
            rows = height - 1
        self._core.attach_triangle(_text("side", side), _int("rows", rows), root)
        return self

    def add_point(
        self, name: str, edges: Optional[Mapping[str, str]] = None, at: Optional[Tuple[float, float]] = None
    ) -> "LineGame":
        """A point of its own. ``edges`` gives its neighbours by direction: ``{E: "cy0x0"}``.

        ``at`` is its place in the drawing, (to the east, to the south) in units of the board.
        """
        self._core.add_point(_text("name", name), dict(edges or {}), at)
        return self

    def add_line(self, start: str, end: str, direction: str) -> "LineGame":
        """Joins two points: ``end`` is in ``direction`` from ``start``."""
        self._core.add_line(_text("start", start), _text("end", end), _text("direction", direction))
        return self

    def remove_point(self, *names: str) -> "LineGame":
        """Cuts points out of the board."""
        for name in names:
            self._core.remove_point(_text("names", name))
        return self

    def merge(self, other: "LineGame", glue: Mapping[str, str], prefix: str = "") -> "LineGame":
        """Adds the board of another game. ``glue`` maps points of the other to those of this board they fall on;
        the other's remaining points get ``prefix`` before their names."""
        self._core.merge(other._core, dict(glue), prefix)
        return self

    # --- The pieces. ---

    def put(self, player: str, *points: str, king: bool = False, replace: bool = False) -> "LineGame":
        """Pieces on named points. Occupied points are a mistake unless ``replace`` is set, here and below."""
        self._core.put(_text("player", player), [_text("points", p) for p in points], replace, king)
        return self

    def rows(
        self, player: str, first: int = 0, last: int = 0, *, king: bool = False, replace: bool = False
    ) -> "LineGame":
        """Pieces on the ``first`` rows from the north and the ``last`` rows in the south."""
        self._core.rows(_text("player", player), _int("first", first), _int("last", last), replace, king)
        return self

    def halves(
        self, north: str = BLACK, middle_row: str = "empty", *, king: bool = False, replace: bool = False
    ) -> "LineGame":
        """Everything above the middle row for one side and everything below for the other.

        ``middle_row``: "empty", or which half of it belongs to the side in the north: "west-north", "east-north".
        """
        self._core.halves(_text("north", north), _text("middle_row", middle_row), replace, king)
        return self

    def spokes(
        self, player: str, spokes: Iterable[int], *, king: bool = False, replace: bool = False
    ) -> "LineGame":
        """Pieces on whole spokes of a circle, the centre left out. Spoke 0 points north."""
        self._core.spokes(_text("player", player), [_int("spokes", s) for s in spokes], replace, king)
        return self

    def triangle(self, player: str, side: str, *, king: bool = False, replace: bool = False) -> "LineGame":
        """Pieces on a whole triangle, the point it hangs from left out."""
        self._core.triangle(_text("player", player), _text("side", side), replace, king)
        return self

    def clear(self, *points: str) -> "LineGame":
        """Takes pieces away."""
        self._core.clear([_text("points", p) for p in points])
        return self

    # --- The rules. ---

    def rules(
        self,
        *,
        captures: Optional[str] = None,
        sequence: Optional[str] = None,
        steps: Optional[str] = None,
        jumps: Optional[str] = None,
        flying: Optional[str] = None,
        promotion: Union[str, Mapping[str, Iterable[str]], None] = None,
        goals: Union[str, Mapping[str, Iterable[str]], None] = None,
        min_pieces: Optional[int] = None,
        no_move: Optional[str] = None,
        on_limit: Optional[str] = None,
        first: Optional[str] = None,
        scores: Optional[Tuple[int, int, int]] = None,
        compat: Optional[str] = None,
    ) -> "LineGame":
        """Changes the named rules.

        captures    "none", "optional" (default), "mandatory"
        sequence    after a jump: "single" (default) the turn ends; "whole": further jumps in the same move; "stepwise":
                    further jumps are moves of their own, and where captures are optional PASS ends the turn
        steps       where men may step: "any" (default), "forward", "not-backward"
        jumps       where men may jump, likewise
        flying      pieces that move over any number of empty points: "none" (default), "kings", "all"
        promotion   where a man becomes a king at the end of a turn: "far-row", or {WHITE: points, BLACK: points}
        goals       where a player wins by arriving, in the same form
        min_pieces  a side with fewer pieces loses at once
        no_move     result of having no move: "loss" (default), "draw", "win"
        on_limit    when a limit is reached: "majority" of pieces wins (default), or "draw"
        first       player that begins, WHITE by default
        scores      of a win, a draw, a loss: (100, 50, 0) by default
        compat      "published": labels and stepwise captures as in the published collection
        """
        given: Dict[str, Any] = {k: v for k, v in locals().items() if k != "self" and v is not None}
        for key in ("promotion", "goals"):
            if isinstance(given.get(key), Mapping):
                given[key] = {side: list(points) for side, points in given[key].items()}
        for key, value in given.items():
            self._core.set_rule(key, value)
        return self

    def limits(self, stagnation: Optional[int] = None, max_turns: Optional[int] = None) -> "LineGame":
        """Ends the game after ``stagnation`` turns without a capture, after ``max_turns`` turns in all (of both players).

        Without any limit a game ends after 100 turns.
        """
        self._core.set_rule("stagnation", stagnation)
        self._core.set_rule("max_turns", max_turns)
        return self

    # --- What comes out. ---

    def to_hrg(self) -> str:
        """The game as an HRG program."""
        return self._core.to_hrg()

    def to_rg(self, level: int = 2) -> str:
        """The game as RG text, optimized."""
        return self.game(level).to("rg")

    def to_json(self) -> str:
        """A definition that :meth:`from_json` and ``rgtrans --from linegames`` read."""
        return self._core.to_json()

    def game(self, level: int = 2) -> Game:
        """The game ready to be played, optimized unless ``level`` is 0."""
        game = load(self.to_json(), "linegames", name=self.name)
        return game.optimize(level) if level > 0 else game

    def svg(self) -> str:
        """A drawing of the board with its lines and pieces."""
        return self._core.svg()

    _repr_svg_ = svg

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes .linegame (the same as .json), .hrg, .rg or .svg, by the extension."""
        writers: Dict[str, Callable[[], str]] = {
            ".linegame": self.to_json,
            ".json": self.to_json,
            ".hrg": self.to_hrg,
            ".rg": self.to_rg,
            ".svg": self.svg,
        }
        extension = os.path.splitext(os.fspath(path))[1]
        if extension not in writers:
            raise ArgumentError(f"a line game cannot be saved as {extension!r}", "path", "allowed: " + ", ".join(writers))
        text = writers[extension]()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    # --- Questions. ---

    @property
    def name(self) -> str:
        """The name of the game."""
        return self._core.name

    @name.setter
    def name(self, name: str) -> None:
        self._core.name = _text("name", name)

    @property
    def points(self) -> Tuple[str, ...]:
        """The names of all points."""
        return tuple(self._core.points)

    @property
    def directions(self) -> Tuple[str, ...]:
        """The directions of the board, in the order of their numbers in published labels."""
        return tuple(self._core.directions)

    @property
    def pieces(self) -> Dict[str, str]:
        """The owner of each piece, by point."""
        return {point: owner for point, (owner, _) in self._core.pieces.items()}

    @property
    def kings(self) -> Tuple[str, ...]:
        """The points on which kings stand."""
        return tuple(point for point, (_, king) in self._core.pieces.items() if king)

    @property
    def rule_values(self) -> Dict[str, Any]:
        """The rules and limits in force, by the names of :meth:`rules` and :meth:`limits`."""
        return dict(self._core.rules)

    @property
    def edge_count(self) -> int:
        """How many steps there are from point to point."""
        return self._core.edge_count

    def at(self, row: int, column: int) -> str:
        """The point in that row and column; on a circle, on that ring and spoke."""
        return self._core.at(_int("row", row), _int("column", column))

    def triangle_point(self, side: str, row: int, column: int) -> str:
        """A point of a triangle: rows count from 1, columns are 0, 1, 2."""
        return self._core.triangle_point(_text("side", side), _int("row", row), _int("column", column))

    def neighbour(self, point: str, direction: str) -> Optional[str]:
        """The next point in that direction, or None."""
        return self._core.neighbour(_text("point", point), _text("direction", direction))

    def lines(self) -> List[Tuple[str, ...]]:
        """The maximal straight lines; a closed circle ends with its first point."""
        return [tuple(line) for line in self._core.lines()]

    def check(self) -> "LineGame":
        """Raises ArgumentError when board, pieces and rules do not fit together. Writing the game checks, too."""
        self._core.check()
        return self

    def copy(self) -> "LineGame":
        """A game that can be changed without changing this one."""
        return self._wrap(self._core.copy())

    def __copy__(self) -> "LineGame":
        return self.copy()

    def __deepcopy__(self, memo: Dict[int, Any]) -> "LineGame":
        return self.copy()

    def __reduce__(self) -> Any:
        return (LineGame.from_json, (self.to_json(),))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineGame):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<LineGame {self.name!r}: {self._core.summary()}>"


def _int(parameter: str, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{parameter} must be an int, not {type(value).__name__}")
    number: int = value.__index__()
    if not -(2**31) <= number < 2**31:
        raise ArgumentError(f"{parameter} cannot be {number}", parameter, "it is too large")
    return number


def _text(parameter: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{parameter} must be a str, not {type(value).__name__}")


def _suggesting(method: Callable[..., Any]) -> Callable[..., Any]:
    """The same method; the error for a misspelt keyword suggests the right one."""
    known = list(inspect.signature(method).parameters)[1:]

    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **keywords: Any) -> Any:
        for keyword in keywords:
            if keyword not in known:
                near = difflib.get_close_matches(keyword, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(known)
                called = "LineGame" if method.__name__ == "__init__" else method.__name__
                raise TypeError(f"{called}() has no parameter {keyword!r}; {hint}")
        return method(self, *arguments, **keywords)

    return call


for _name, _method in list(vars(LineGame).items()):
    _kinds = [p.kind for p in inspect.signature(_method).parameters.values()] if inspect.isfunction(_method) else []
    if _kinds and (_name == "__init__" or not _name.startswith("_")) and inspect.Parameter.VAR_KEYWORD not in _kinds and len(_kinds) > 1:
        setattr(LineGame, _name, _suggesting(_method))
