"""The games that come with rgtrans, by name."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Tuple

from . import _core
from ._game import Game, load
from ._surface import published

__all__ = ["LibraryGame", "games", "make"]


class LibraryGame:
    """A game of the library. ``name`` is the text that :func:`rgtrans.load` and the command line take."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        """Below the folder games/ of rgtrans, such as "hrg/chess.hrg"."""

    def __repr__(self) -> str:
        return f"<rgtrans.LibraryGame {self.name!r}: {self.path}>"

    @cached_property
    def game(self) -> Game:
        """The game itself, read when you first use it, or a property below."""
        return load(self.path)

    @property
    def players(self) -> Tuple[str, ...]:
        """The players, without chance."""
        return self.game.players

    @cached_property
    def size(self) -> int:
        """The number of edges of the optimized automaton."""
        return int(self.game.optimize().stats()["edges"])

    @property
    def kind(self) -> str:
        """"perfect information", "chance", "hidden information", or "chance and hidden information"."""
        kinds = ["chance"] * self.game.has_chance + ["hidden information"] * self.game.has_hidden_information
        return " and ".join(kinds) or "perfect information"


def games() -> Tuple[LibraryGame, ...]:
    """All games that come with rgtrans, sorted by name.

    >>> [game.name for game in rgtrans.games() if len(game.players) > 2]
    """
    return tuple(LibraryGame(name, path) for name, path in _core.library_games())


def make(name: str, count: int, **options: Any) -> Any:
    """``count`` plays of a game as one environment: ``VectorEnv(load(name), count, **options)``.

    >>> envs = rgtrans.make("connect-four", 4096)
    """
    from ._vector import VectorEnv

    return VectorEnv(load(name), count, **options)


published("rgtrans", LibraryGame, games, make)
