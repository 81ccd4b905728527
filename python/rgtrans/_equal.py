"""Whether two games are the same game, as ``rgtrans equal`` decides it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Tuple

from . import _core
from ._errors import ArgumentError
from ._game import Game, engines, optimize
from ._surface import engine_name, one_of, published, whole


@dataclass(frozen=True)
class Step:
    """A move of a play that shows a difference, as both games call it."""

    mover: str
    first: str
    second: str


@dataclass(frozen=True)
class Equality:
    """The answer of :func:`equal`. ``equal`` is None where a limit was reached; ``stopped`` names it. It is true in a condition only
    if equality is proved.

    ``match`` is "texts", "structure" (under a renaming of moves by mover and text, in ``moves``, and of ``players``) or "results".
    """

    equal: Optional[bool]
    match: str
    states: int
    depth: int
    plays: int
    seconds: float
    stopped: str
    kind: str
    difference: str
    play: Tuple[Step, ...]
    players: Mapping[str, str]
    moves: Tuple[Step, ...]

    def __bool__(self) -> bool:
        return self.equal is True


def equal(
    first: Game,
    second: Optional[Game] = None,
    match: str = "auto",
    states: int = 100_000_000,
    count: int = 0,
    seconds: float = 0,
    memory_mib: int = 4096,
    skip_forced: bool = False,
    ways: bool = False,
    jobs: int = 1,
    seed: int = 1,
    engine: str = "interpreter",
) -> Equality:
    """Explores both games together. Without ``second``, the game is compared with its optimized form.

    ``states``, ``seconds`` and ``memory_mib`` bound the exploration; ``count`` plays go on at random from a bound. Runs without
    Python's lock, and Ctrl-C ends it.
    """
    one_of(match, "match", _core.matches)
    if second is None and match == "auto":
        match = "texts"  # the optimizer keeps names
    if not 0 <= seconds < 1e9:
        raise ArgumentError(f"seconds cannot be {seconds!r}", "seconds", "it is at least 0")
    text = _core.equal(
        first._core, (optimize(first) if second is None else second)._core, match, whole(states, "states", 1, 2**40),
        whole(count, "count", 0), seconds, whole(memory_mib, "memory_mib", 1) << 20, whole(jobs, "jobs", 1), skip_forced, ways,
        whole(seed, "seed", 0), engine_name(engine, engines()))
    result = json.loads(text)
    renaming: Dict[str, object] = result.get("renaming", {})

    def steps(rows: object) -> Tuple[Step, ...]:
        return tuple(Step(**row) for row in rows) if isinstance(rows, list) else ()

    players = renaming.get("players", {})
    return Equality(
        equal={"equal": True, "different": False}.get(result["verdict"]),
        match=result["match"],
        states=result["states"],
        depth=result["depth"],
        plays=result["plays"],
        seconds=result["seconds"],
        stopped=result.get("stopped", ""),
        kind=result.get("kind", ""),
        difference=result.get("difference", ""),
        play=steps(result.get("play", [])),
        players=players if isinstance(players, dict) else {},
        moves=steps(renaming.get("moves", [])),
    )


published("rgtrans", Equality, Step, equal)
