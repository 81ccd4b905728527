"""Figures about a game from plays of equal players, as ``rgtrans analyze`` gives them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Tuple

from . import _core
from ._errors import ArgumentError
from ._game import Game, engines
from ._surface import engine_name, published, renamed


@dataclass(frozen=True)
class Estimate:
    """A figure with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True)
class Analysis:
    """Figures about a game, estimated from plays. Shares are between 0 and 1; ``figures["depth"]`` is the score of a player with
    ten times the simulations against the ordinary one."""

    game: str
    plays: int
    seconds: float
    figures: Dict[str, Estimate]
    lengths: Tuple[int, ...]

    def __getitem__(self, key: str) -> Estimate:
        return self.figures[key]


@renamed(games="count")
def analyze(
    game: Game,
    count: int = 30,
    simulations: int = 100,
    seed: int = 1,
    max_moves: int = 500,
    depth: bool = True,
    engine: str = "interpreter",
    seconds: float = 0,
) -> Analysis:
    """Lets equal players of so many ``simulations`` a move play ``count`` times, and a stronger one against them.

    With ``seconds``, no play begins after so long, and a play that takes twice as long is stopped; fewer plays widen the intervals.
    Runs without Python's lock, so threads analyze several games at once.
    """
    for name, value in (("count", count), ("simulations", simulations), ("max_moves", max_moves)):
        if value < 1:
            raise ArgumentError(f"{name} cannot be {value!r}", name, "it is at least 1")
    if not 0 <= seconds < 1e9:
        raise ArgumentError(f"seconds cannot be {seconds!r}", "seconds", "it is at least 0")
    (result,) = json.loads(_core.analyze(game._core, game.name, count, simulations, seed, max_moves, seconds, depth,
                                        engine_name(engine, engines())))
    return Analysis(
        game=result["game"],
        plays=result["plays"],
        seconds=result["seconds"],
        figures={key: Estimate(f["value"], f["low"], f["high"]) for key, f in result["figures"].items()},
        lengths=tuple(int(n) for n in result["lengths"]),
    )


published("rgtrans", Analysis, Estimate, analyze)
