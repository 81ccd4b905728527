"""Translate, optimize and play Regular Games.

    >>> import rgtrans
    >>> game = rgtrans.load("breakthrough")                  # a game of the library, or a file in any language
    >>> small = rgtrans.optimize(game)                       # the same game, smaller
    >>> text = small.to("rg")                                # or "json", "dot", "cpp"
    >>> small.perft(3)                                       # how many ways to make three moves
    >>> state = small.new_state()
    >>> state.apply(state.legal_moves()[0])

``rgtrans.linegames`` builds games of the Alquerque family, ``rgtrans.batch`` converts many files,
``rgtrans.open_spiel`` and ``rgtrans.aec`` wrap games for other libraries, ``rgtrans.env`` plays thousands at once for learning,
``rgtrans.search`` finds good moves, ``rgtrans.scale`` ranks games by the million.

All errors are an :class:`Error`, which is a ValueError. A mistake in a game has its place, a wrong argument is an
:class:`ArgumentError`, and a call at a wrong time a :class:`UsageError`.
"""

from typing import TYPE_CHECKING

from . import _core
from ._actions import ActionSpace
from ._errors import ArgumentError, Diagnostic, Error, Note, ProofError, UsageError
from ._game import Game, PlayoutStats, State, engines, languages, load, optimize

if TYPE_CHECKING:
    from . import aec, env, linegames, open_spiel, scale, search
    from ._analysis import Analysis, Estimate, analyze
    from ._convert import Conversion, batch, convert
    from ._equal import Equality, Step, equal
    from ._library import LibraryGame, games, make
else:
    _MODULES = ("aec", "env", "linegames", "open_spiel", "scale", "search")
    _PLACES = {
        "Analysis": "_analysis", "Estimate": "_analysis", "analyze": "_analysis",
        "Equality": "_equal", "Step": "_equal", "equal": "_equal",
        "Conversion": "_convert", "batch": "_convert", "convert": "_convert",
        "LibraryGame": "_library", "games": "_library", "make": "_library",
    }

    def __getattr__(name: str) -> object:
        """Loads a module, with the libraries that it needs, when it is first used; games are loaded and played without it."""
        from importlib import import_module

        if name in _PLACES:
            return getattr(import_module(f".{_PLACES[name]}", __name__), name)
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return import_module(f".{name}", __name__)
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise ImportError(f"rgtrans.{name} needs NumPy (Debian: python3-numpy)") from error

    def __dir__() -> "list[str]":
        return sorted({*globals(), *__all__})


__version__: str = _core.__version__

__all__ = [
    "ActionSpace",
    "Analysis",
    "ArgumentError",
    "Conversion",
    "Diagnostic",
    "Equality",
    "Error",
    "Estimate",
    "Game",
    "LibraryGame",
    "Note",
    "PlayoutStats",
    "ProofError",
    "State",
    "Step",
    "UsageError",
    "aec",
    "analyze",
    "batch",
    "convert",
    "engines",
    "env",
    "equal",
    "games",
    "languages",
    "linegames",
    "load",
    "make",
    "open_spiel",
    "optimize",
    "scale",
    "search",
]
