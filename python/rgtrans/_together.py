"""Moves that are made at once. A game in Regular Games has one mover at a time: players who choose at once move one after
the other, and nobody sees the choices before. The observations of the players therefore reveal these groups."""

from __future__ import annotations

from typing import List, Set, Tuple

from ._game import Game, State

_MOST = 2000  # positions that are looked at


def choosing(state: State) -> List[Tuple[int, State]]:
    """The players who choose now, in order, each with a position in which that player is to move.

    The first is the mover. Another one is among them if that player moves next whatever the ones before choose, has seen
    nothing of it, and has the same moves in every case. Empty at the end, and where chance moves.
    """
    game = state.game
    if state.is_terminal() or state.current_player == "random":
        return []
    found = [(game.players.index(state.current_player), state)]
    if not game.has_hidden_information:
        return found
    positions = [State(game, state._core.as_start())]
    while len(found) < len(game.players):
        positions = [child for position in positions for _, child in position.children()]
        if not positions or len(positions) > _MOST:
            break
        movers = {"" if position.is_terminal() else position.current_player for position in positions}
        name = movers.pop()
        if movers or name not in game.players:
            break
        player = game.players.index(name)
        if any(player == earlier for earlier, _ in found) or not _unaware(positions, player):
            break
        found.append((player, positions[0]))
    return found


def _unaware(positions: List[State], player: int) -> bool:
    """Whether these positions are the same for a player: nothing was seen on the way, and the moves are the same."""
    moves: Set[Tuple[str, ...]] = set()
    for position in positions:
        if any(text for _, text in position.observation(player)):
            return False
        moves.add(tuple(sorted(position.legal_moves())))
    return len(moves) == 1


def has_joint_moves(game: Game, plays: int = 5, most_moves: int = 60) -> bool:
    """Whether players choose at once somewhere in a few random plays, which are always the same ones."""
    if not game.has_hidden_information:
        return False
    import random

    dice = random.Random(1)
    for _ in range(plays):
        state = game.new_state()
        for _ in range(most_moves):
            if state.is_terminal() or state.move_count == 0:
                break
            if len(choosing(state)) > 1:
                return True
            state.apply(dice.randrange(state.move_count))
    return False
