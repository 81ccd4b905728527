"""Tree search from a position, and matches that say how strong a player is.

    >>> state = rgtrans.load("connect-four").new_state()
    >>> found = rgtrans.search.run(state, simulations=1000)      # random playouts; no network, no knowledge of the game
    >>> state.apply(found.best)

The same search can be guided: by ``value``, a function that judges positions, or by ``network``, which also says which moves
look good. A player is any function of a state that gives the number of a legal move: :func:`player` makes one of a search,
:func:`match` compares two.

:class:`rgtrans.env.Search` searches in thousands of plays at once, for learning.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import _core
from ._analysis import Estimate
from ._errors import ArgumentError
from ._game import Game, State
from ._surface import published, whole

__all__ = ["Chooser", "Found", "Match", "Move", "interval", "match", "player", "random_player", "run"]

Values = Union[float, Sequence[float]]
"""Between -1 and 1: of the one who moves, or of every player."""
Value = Callable[[State], Values]
Network = Callable[[State], Tuple[Sequence[float], Values]]
Chooser = Callable[[State], int]


@dataclass(frozen=True)
class Move:
    """A legal move as the search saw it."""

    index: int
    """In ``state.legal_moves()``."""
    move: str
    visits: int
    value: float
    """Its worth to the mover, from 0 (the lowest score of the game) to 1 (the highest)."""
    proven: bool
    """The value is exact."""


@dataclass(frozen=True)
class Found:
    """The result of a search."""

    moves: Tuple[Move, ...]
    """The most visited first."""
    values: Dict[str, float]
    """The worth of the position to each player, from 0 to 1."""
    simulations: int
    seconds: float

    @property
    def best(self) -> str:
        """The move to make."""
        return self.moves[0].move


def run(state: State, *, simulations: Optional[int] = None, seconds: Optional[float] = None, value: Optional[Value] = None,
        network: Optional[Network] = None, exploration: Optional[float] = None, settings: str = "", jobs: int = 1, seed: int = 1
        ) -> Found:
    """Searches below a position in which a player moves: so many simulations, or as long as ``seconds`` allow.

    Without ``value`` and ``network`` this is the search of ``rgtrans match``: Monte Carlo tree search with random playouts, in
    C++. ``settings`` are the options of its players, such as "rave=100"; ``jobs`` threads search one tree. It copes with
    chance, and where moves are hidden it searches the positions that the one who moves thinks possible.

    ``value(state)`` replaces the playouts: what a position is worth, between -1 and 1, to the one who moves (a number) or to
    every player (a sequence). ``network(state)`` returns logits, one for each legal move, and such a value; the search then
    prefers moves with high logits (PUCT). Both need games in which nothing is hidden.
    """
    if state.is_terminal() or state.current_player == "random":
        raise ArgumentError("nobody chooses in this position", "state", "search where a player moves")
    if (simulations is None) == (seconds is None):
        raise ArgumentError("give either simulations or seconds", "simulations", "run(state, simulations=1000)")
    count = 0 if simulations is None else whole(simulations, "simulations", 1)
    time = 0.0 if seconds is None else float(seconds)
    if seconds is not None and not 0 < time < 1e6:
        raise ArgumentError(f"seconds cannot be {seconds}", "seconds", "allowed: more than 0")
    if value is None and network is None:
        if exploration is not None:
            settings = ",".join(filter(None, [settings, f"exploration={exploration:g}"]))
        return _report(state, _core.Tree(state._core, settings, whole(seed, "seed", 0)).run(
            state._core, count, time, whole(jobs, "jobs", 1, 1024)))
    if value is not None and network is not None:
        raise ArgumentError("give either value or network", "network", "a network gives values, too")
    if settings or jobs != 1:
        raise ArgumentError("settings and jobs are those of the search without value and network", "settings" if settings else "jobs")
    if state.game.has_hidden_information:
        raise ArgumentError(f"{state.game.name} hides moves, so the value of a state would tell what is hidden", "state",
                            "search without value and network")
    return _Guided(state, value, network, 1.5 if exploration is None else float(exploration), seed).run(count, time)


def _report(state: State, raw: Dict[str, Any]) -> Found:
    texts = state.legal_moves()
    moves = [Move(index, texts[index], visits, value, proven) for index, visits, value, proven in raw["moves"]]
    won = [move for move in moves if move.proven and move.value >= 1]
    order = sorted(moves, key=lambda move: (move not in won, -move.visits, -move.value))
    scores = state.game._utilities()
    low, span = min(scores), max(max(scores) - min(scores), 1e-12)
    values = {name: (value - low) / span for name, value in zip(state.game.players, raw["values"])}
    if not raw["values"]:
        values = {}
    return Found(tuple(order), values, raw["simulations"], raw["seconds"])


class _Node:
    __slots__ = ("state", "mover", "priors", "visits", "sums", "children", "total")

    def __init__(self, state: State, mover: Optional[int]) -> None:
        self.state = state
        self.mover = mover
        """A player; None for chance and at the end."""
        self.priors: List[float] = []
        self.visits: List[int] = []
        self.sums: List[float] = []
        self.children: Dict[int, _Node] = {}
        self.total = 0


class _Guided:
    """PUCT over states, for functions in Python. Each player maximizes the value for that player."""

    def __init__(self, state: State, value: Optional[Value], network: Optional[Network], exploration: float, seed: int) -> None:
        self._players = state.game.players
        self._value, self._network = value, network
        self._exploration = exploration
        self._random = random.Random(seed)
        scores = state.game._utilities()
        self._low, self._span = min(scores), max(scores) - min(scores)
        self._root = self._node(state.copy())
        self._sums = [0.0] * len(self._players)

    def run(self, simulations: int, seconds: float) -> Found:
        import time

        begin = time.monotonic()
        self._expand(self._root)
        done = 0
        while done < simulations or (seconds > 0 and time.monotonic() - begin < seconds):
            self._sums = [one + more for one, more in zip(self._sums, self._descend())]
            done += 1
        root, texts = self._root, self._root.state.legal_moves()
        moves = [Move(i, texts[i], root.visits[i], self._share(root.sums[i] / max(root.visits[i], 1)), False)
                 for i in range(len(texts))]
        moves.sort(key=lambda move: (-move.visits, -move.value))
        values = {name: self._share(total / max(done, 1)) for name, total in zip(self._players, self._sums)}
        return Found(tuple(moves), values, done, time.monotonic() - begin)

    @staticmethod
    def _share(value: float) -> float:
        return (value + 1) / 2

    def _node(self, state: State) -> _Node:
        name = "" if state.is_terminal() else state.current_player
        return _Node(state, self._players.index(name) if name in self._players else None)

    def _expand(self, node: _Node) -> List[float]:
        """Judges a position for the first time."""
        count = node.state.move_count
        node.visits, node.sums = [0] * count, [0.0] * count
        if self._network is None:
            assert self._value is not None
            node.priors = [1 / count] * count
            return self._each(node, self._value(node.state))
        logits, value = self._network(node.state)
        numbers = [float(logit) for logit in logits]
        if len(numbers) != count:
            raise ArgumentError(f"network() gave {len(numbers)} logits for {count} legal moves", "network")
        if any(math.isnan(logit) or logit == math.inf for logit in numbers) or max(numbers) == -math.inf:
            raise ArgumentError("network() gave logits that are not numbers", "network")
        most = max(numbers)
        weights = [math.exp(logit - most) for logit in numbers]
        node.priors = [weight / sum(weights) for weight in weights]
        return self._each(node, value)

    def _each(self, node: _Node, given: Values) -> List[float]:
        """The value for every player."""
        n = len(self._players)
        try:
            values = [float(value) for value in given]  # type: ignore[union-attr]
        except TypeError:
            mine = float(given)  # type: ignore[arg-type]
            values = [mine if player == node.mover else -mine / max(n - 1, 1) for player in range(n)]
        if len(values) != n or not all(math.isfinite(value) for value in values):
            raise ArgumentError(f"a value must be a number for the one who moves, or one for each of {n} players", "value")
        return values

    def _descend(self) -> List[float]:
        node, way = self._root, []
        while True:
            if node.state.is_terminal():
                values = self._final(node.state)
                break
            if node.mover is None:  # chance: nothing is judged here
                index = self._random.randrange(node.state.move_count)
            elif not node.visits:
                values = self._expand(node)
                break
            else:
                index = self._choose(node)
                way.append((node, index))
            if index not in node.children:
                node.children[index] = self._node(node.state.child(index))
            node = node.children[index]
        for passed, index in way:
            assert passed.mover is not None
            passed.total += 1
            passed.visits[index] += 1
            passed.sums[index] += values[passed.mover]
        return values

    def _choose(self, node: _Node) -> int:
        reach = self._exploration * math.sqrt(node.total + 1)

        def promise(i: int) -> float:
            visits = node.visits[i]
            return (node.sums[i] / visits if visits else 0.0) + reach * node.priors[i] / (1 + visits)

        return max(range(len(node.visits)), key=promise)

    def _final(self, state: State) -> List[float]:
        if self._span == 0:
            return [0.0] * len(self._players)
        return [2 * (score - self._low) / self._span - 1 for score in state._utilities()]


# --- Players and matches. ---


def player(*, seed: int = 1, **options: Any) -> Chooser:
    """A player that searches: ``options`` are those of :func:`run`. Each search has another seed."""
    dice = random.Random(seed)

    def choose(state: State) -> int:
        if state.move_count == 1:
            return 0
        return run(state, seed=dice.randrange(2**31), **options).moves[0].index

    return choose


def random_player(seed: int = 1) -> Chooser:
    """A player that makes random moves."""
    dice = random.Random(seed)
    return lambda state: dice.randrange(state.move_count)


@dataclass(frozen=True)
class Match:
    """How a player did. A win counts 1, a shared best result a share of it."""

    score: Estimate
    """Of a play, with the ends of its 95 % interval."""
    plays: int
    wins: int
    draws: int
    losses: int

    def __str__(self) -> str:
        return (f"{self.score.value:.1%} ({self.score.low:.1%} to {self.score.high:.1%}) of {self.plays} plays: "
                f"{self.wins} won, {self.draws} drawn, {self.losses} lost")


def match(game: Game, one: Chooser, other: Chooser, plays: int = 100, *, engine: str = "interpreter", max_moves: int = 10_000,
          seed: int = 1) -> Match:
    """Plays ``one`` against ``other``, which has all other seats. ``one`` has each seat equally often, so give a multiple of the
    number of players. A play with ``max_moves`` moves ends as a draw."""
    whole(plays, "plays", 1)
    players = game.players
    dice = random.Random(seed)
    total, wins, draws = 0.0, 0, 0
    for number in range(plays):
        seat = number % len(players)
        state = game.new_state(engine)
        moves = 0
        while not state.is_terminal() and moves < max_moves:
            mover = state.current_player
            if mover == "random":
                state.apply(dice.randrange(state.move_count))
                continue
            state.apply((one if mover == players[seat] else other)(state))
            moves += 1
        if state.is_terminal():
            results = state._utilities()
            best = [i for i, result in enumerate(results) if result == max(results)]
            share = 1 / len(best) if seat in best else 0.0
        else:
            share = 1 / len(players)
        total += share
        wins += share == 1
        draws += 0 < share < 1
    return Match(interval(total, plays), plays, wins, draws, plays - wins - draws)


def interval(score: float, plays: int) -> Estimate:
    """A score in so many plays as a share, with its 95 % interval (Wilson's)."""
    return Estimate(*_core.share_of(float(score), float(plays)))


published("rgtrans.search", Found, Match, Move, interval, match, player, random_player, run)
