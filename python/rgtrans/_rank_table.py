"""The plays of a match in a worker."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence, Tuple

from . import _core
from ._game import load


class Table:
    """Plays rounds by their numbers."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        state = load(setup["text"], "rg", name=setup["name"]).new_state(setup["engine"])
        self._match = _core.MatchPlays(state._core, setup["players"], setup["seed"], setup["opening"], setup["max_moves"])
        self._count, self._round = setup["count"], len(setup["players"])

    def run(self, stages: Sequence[str], index: int) -> Tuple[Dict[str, Any], bytes]:
        first = index * self._round
        return {"plays": [(n, self._match.play(n)) for n in range(first, min(self._count, first + self._round))]}, b""
