"""Numbers for moves.

Learning libraries want every move of a game to have a number below a fixed bound. The moves of a Regular Game are texts
and are found while playing, so an :class:`ActionSpace` plays at random for a while, numbers what it meets in sorted
order, and keeps room for moves that turn up later.
"""

from __future__ import annotations

import random
from typing import Dict, Iterable, Iterator, List, Optional

from .errors import Error
from .game import Game, State

__all__ = ["ActionSpace"]


class ActionSpace:
    """Numbers 0, 1, ... for the moves of a game, by their texts.

    ``playouts`` random games with a fixed ``seed`` are looked at, so equal arguments give equal numbers. ``capacity`` is
    the bound; by default twice what was met, at least 16 more.
    """

    def __init__(self, game: Game, *, playouts: int = 20, seed: int = 1, max_moves: int = 500,
                 capacity: Optional[int] = None) -> None:
        self.game = game
        self._ids: Dict[str, int] = {}
        self._texts: List[str] = []
        for text in sorted(_explore(game, playouts, seed, max_moves)):
            self._add(text)
        self.capacity = capacity if capacity is not None else max(2 * len(self._texts), len(self._texts) + 16)
        if len(self._texts) > self.capacity:
            raise Error(f"the game has more than {self.capacity} moves; give a larger capacity")

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __repr__(self) -> str:
        return f"<ActionSpace of {self.game.name!r}: {len(self)} moves known, room for {self.capacity}>"

    def id(self, move: str) -> int:
        """The number of a move; a new one if it was never seen before."""
        known = self._ids.get(move)
        if known is not None:
            return known
        if len(self._texts) >= self.capacity:
            raise Error(f"the game has more than {self.capacity} moves; give the ActionSpace a larger capacity")
        return self._add(move)

    def text(self, action: int) -> str:
        """The move of a number."""
        return self._texts[action]

    def legal(self, state: State) -> Dict[int, int]:
        """For each legal move: its number -> its index in ``state.legal_moves()``, in order of numbers."""
        numbered = {self.id(move): index for index, move in enumerate(state.legal_moves())}
        return dict(sorted(numbered.items()))

    def mask(self, legal: Iterable[int]) -> List[int]:
        """1 for each of the given numbers, 0 elsewhere."""
        result = [0] * self.capacity
        for action in legal:
            result[action] = 1
        return result

    def _add(self, move: str) -> int:
        number = len(self._texts)
        self._ids[move] = number
        self._texts.append(move)
        return number


def _explore(game: Game, playouts: int, seed: int, max_moves: int) -> Iterable[str]:
    generator = random.Random(seed)
    found = set()
    for _ in range(playouts):
        state = game.new_state()
        for _ in range(max_moves):
            moves = state.legal_moves()
            if not moves:
                break
            found.update(moves)
            state.apply(generator.randrange(len(moves)))
    return found
