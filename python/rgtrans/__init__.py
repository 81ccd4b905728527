"""Translate, optimize and play Regular Games.

    >>> import rgtrans
    >>> game = rgtrans.load("breakthrough.hrg")              # any language
    >>> small = rgtrans.optimize(game)                       # the same game, smaller
    >>> text = small.to("rg")                                # or "json", "dot", "cpp"
    >>> small.perft(3)                                       # how many ways to make three moves
    >>> state = small.new_state()
    >>> state.apply(state.legal_moves()[0])

``rgtrans.linegames`` builds games of the Alquerque family, ``rgtrans.batch`` converts many files,
``rgtrans.open_spiel`` and ``rgtrans.aec`` wrap games for other libraries, ``rgtrans.env`` plays thousands at once for learning.
A mistake in a game raises :class:`Error`, which knows its place; a wrong argument :class:`ArgumentError`.
"""

import importlib
from typing import Any

from . import _core, aec, linegames, open_spiel
from .actions import ActionSpace
from .analysis import Analysis, Estimate, analyze
from .batching import Conversion, batch, convert
from .errors import ArgumentError, Diagnostic, Error, Note, ProofError
from .game import Game, PlayoutStats, State, engines, languages, load, optimize

__version__: str = _core.__version__


def __getattr__(name: str) -> Any:
    """``rgtrans.env`` needs NumPy, which takes longer to load than everything else here; it is loaded when it is used."""
    if name == "env":
        try:
            return importlib.import_module(".env", __name__)
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise ImportError("rgtrans.env needs NumPy (Debian: python3-numpy)") from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ActionSpace",
    "Analysis",
    "ArgumentError",
    "Conversion",
    "Diagnostic",
    "Error",
    "Estimate",
    "Game",
    "Note",
    "PlayoutStats",
    "ProofError",
    "State",
    "aec",
    "analyze",
    "batch",
    "convert",
    "env",
    "engines",
    "languages",
    "linegames",
    "load",
    "open_spiel",
    "optimize",
]
