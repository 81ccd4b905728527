"""Numbers for moves.

Learning libraries want every move of a game to have a number below a fixed bound. The moves of a Regular Game are texts,
and an :class:`ActionSpace` numbers all that there can be. It is found from the rules, not by playing: the same in every
process and at every level of the optimizer.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from . import _core
from ._errors import ArgumentError, Error
from ._game import RULES, Game, State
from ._surface import published, renamed, whole

__all__ = ["ActionSpace"]


class ActionSpace:
    """The numbers 0, 1, ... for the moves of a game, in the order of their texts (digits count as numbers).

    Every move that is legal somewhere has a number; some numbers may never be legal.

    With more than ``max_actions`` moves, or endless ones, the space is ``factored``: it numbers the tags of moves
    instead, and a move is several numbers, one after the other (:meth:`ids`). Number 0 then ends a move that could
    continue. ``random=True`` gives the moves of random.
    """

    @renamed(most="max_actions")
    def __init__(self, game: Game, *, max_actions: int = 1_000_000, random: bool = False) -> None:
        self.game = game
        self._most, self._random = whole(max_actions, "max_actions", 1, 2**63 - 1), random
        self._core = _core.ActionSpace(game._written, random, self._most)
        facts = self._core.facts
        self.factored: bool = facts["factored"]
        """Whether tags have the numbers, not moves."""
        self.size: int = facts["size"]
        """How many numbers there are."""
        self.longest: int = facts["longest"]
        """Most tags of one move; 0 where the space is factored."""
        self._texts: Optional[List[str]] = None  # found when first needed
        self._names: Optional[List[str]] = None
        self._ids: Dict[str, int] = {}

    @property
    def capacity(self) -> int:
        """At least 1, as libraries want it."""
        return max(self.size, 1)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[str]:
        return (self._core.text(i) for i in range(self.size))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_make, (self.game, self._most, self._random))

    def __repr__(self) -> str:
        form = "numbers of tags" if self.factored else "moves"
        return f"<ActionSpace of {self.game.name!r}: {self.size} {form}>"

    def id(self, move: str, state: Optional[State] = None) -> int:
        """The number of a move: its text, or the words in which the author writes it.

        With a ``state``, one of its legal moves, given by any text that ``state.apply`` takes, such as "e4".
        """
        if self.factored:
            raise Error(f"{self!r} numbers tags; ids() has the numbers of a move")
        if state is not None:
            move = state.move_text(move)
        known = self._ids.get(move)
        if known is not None:
            return known
        number = self._core.id(" ".join(move.split()))
        if number is None:
            number = self._meant(move)
        self._ids[move] = number
        return number

    def _meant(self, move: str) -> int:
        """Among all moves, the one that people call so."""
        found = self.game._scenes().meant(self._all(), " ".join(move.split()))
        if len(found) != 1:
            raise _no_move(move, [self.name(number) for number in found])
        return found[0]

    def _all(self) -> List[str]:
        if self._texts is None:
            self._texts = list(self)
        return self._texts

    def name(self, action: int) -> str:
        """:meth:`text` in the words of the game's author, as boards and players show it: "e2 e4" for "S(5,2) S(5,4)"."""
        text = self.text(action)
        if self.factored:
            return self.game._scenes().full(text) if text else text
        if self._names is None:
            self._names = self.game._scenes().shown(self._all())
        return self._names[action]

    def ids(self, move: str, state: Optional[State] = None) -> List[int]:
        """The numbers of a move (as :meth:`id` takes it): one, or one for each tag where the space is factored."""
        if not self.factored:
            return [self.id(move, state)]
        if state is not None:
            move = state.move_text(move)
        numbers = self._core.ids(move)
        if numbers is None:
            raise _no_move(move)
        return list(numbers)

    def text(self, action: int) -> str:
        """The move of a number; of a tag where the space is factored, "" being the end."""
        if not 0 <= action < self.size:
            raise ArgumentError(f"there is no action {action}", "action", f"allowed: 0 to {self.size - 1}")
        return self._core.text(action)

    def legal(self, state: State, given: Sequence[int] = ()) -> Dict[int, Optional[int]]:
        """For each legal action, in order: number -> index of the move in ``state.legal_moves()``.

        Where the space is factored, ``given`` are the numbers so far, and the index is None while more have to follow.
        """
        if state._core.engine == RULES:
            raise ArgumentError(f'moves of the engine "{RULES}" have no numbers', "state", "those of the other engines have")
        legal = state._core.legal(self._core, given)
        if isinstance(legal, int):
            raise _no_move(state._core.move_text(legal))
        return legal

    def mask(self, legal: Iterable[int]) -> List[int]:
        """1 for each of the given numbers, 0 elsewhere."""
        result = [0] * self.capacity
        for action in legal:
            result[action] = 1
        return result


def _no_move(move: str, several: Sequence[str] = ()) -> ArgumentError:
    if several:
        some = ", ".join(repr(name) for name in several[:5]) + (", ..." if len(several) > 5 else "")
        return ArgumentError(f"{move!r} can mean several moves", "move", f"{some}; a state decides: id(move, state)")
    return ArgumentError(f"the game has no move {move!r}", "move", "moves are the texts of State.legal_moves()")


def _make(game: Game, most: int, random: bool) -> ActionSpace:
    return ActionSpace(game, max_actions=most, random=random)


published("rgtrans", ActionSpace)
