"""Numbers for moves.

Learning libraries want every move of a game to have a number below a fixed bound. The moves of a Regular Game are texts.
Where the automaton shows all that there can be, an :class:`ActionSpace` numbers them in sorted order. Where they are too
many for that (or without end), it plays at random for a while, numbers what it meets, and keeps room for moves that turn
up later.
"""

from __future__ import annotations

import random
from typing import Dict, Iterable, Iterator, List, Optional

from .errors import ArgumentError, Error
from .game import Game, State

__all__ = ["ActionSpace"]


class ActionSpace:
    """Numbers 0, 1, ... for the moves of a game, by their texts. ``capacity`` is the bound.

    A ``complete`` space has a number for every move from the start: the same in every process, whatever is played. It is
    complete when the automaton shows at most ``most`` moves (some of which may never be legal).

    Else ``playouts`` random games with a fixed ``seed`` are looked at, and a move that turns up later gets the next number
    when it is first met. Such numbers depend on what was played: processes that have to agree share one space, by pickling
    it after it was used. The default ``capacity`` is then four times what was met.
    """

    def __init__(self, game: Game, *, playouts: int = 20, seed: int = 1, max_moves: int = 500,
                 capacity: Optional[int] = None, most: int = 1 << 15) -> None:
        self.game = game
        self._ids: Dict[str, int] = {}
        self._texts: List[str] = []
        every = game._core.move_texts(most if capacity is None else min(most, capacity))
        self.complete = every is not None
        """Whether every move has its number already."""
        for text in every if every is not None else sorted(_explore(game, playouts, seed, max_moves)):
            self._add(text)
        known = len(self._texts)
        self.capacity = capacity if capacity is not None else max(known, 1) if self.complete else 4 * known + 16
        if known > self.capacity:
            raise Error(f"the game has more than {self.capacity} moves; give a larger capacity")

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __repr__(self) -> str:
        known = "all" if self.complete else "known, more may come"
        return f"<ActionSpace of {self.game.name!r}: {len(self)} moves, {known}, room for {self.capacity}>"

    def id(self, move: str) -> int:
        """The number of a move; a new one if it was never seen before."""
        known = self._ids.get(move)
        if known is not None:
            return known
        if self.complete:
            raise ArgumentError(f"the game has no move {move!r}", "move", "moves are the texts of State.legal_moves()")
        if len(self._texts) >= self.capacity:
            raise Error(f"the game has more than {self.capacity} moves; give the ActionSpace a larger capacity")
        return self._add(move)

    def text(self, action: int) -> str:
        """The move of a number."""
        return self._texts[action]

    def legal(self, state: State) -> Dict[int, int]:
        """For each legal move: its number -> its index in ``state.legal_moves()``, in order of numbers."""
        ids = self._ids
        moves = state.legal_moves()
        try:
            numbered = [(ids[move], index) for index, move in enumerate(moves)]
        except KeyError:
            numbered = [(self.id(move), index) for index, move in enumerate(moves)]
        return dict(sorted(numbered))

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
