"""Tree search with a network, in all plays of a batch at once."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy
from numpy.typing import NDArray

from . import _core
from ._errors import ArgumentError
from ._surface import published, whole
from ._vector import VectorEnv, on_processor

Floats = NDArray[numpy.float32]
Evaluate = Callable[[NDArray[Any], NDArray[Any]], Tuple[Any, Any]]


class Search:
    """Monte-Carlo tree search with a network (PUCT), as AlphaZero has it, in all plays of an environment at once.

    ``evaluate(observations, masks)`` is called for a whole batch. It returns logits (count x actions) and values between
    -1 and 1, either of the mover (count) or of every player (count x players). ``noise`` is the share of Dirichlet noise
    (``alpha``) in the priors of the roots.

    For games without chance in which nothing is hidden: a tree follows one play, and nobody may know its dice.
    """

    def __init__(self, env: VectorEnv[Any], evaluate: Evaluate, *, simulations: int = 32, exploration: float = 1.5,
                 noise: float = 0.0, alpha: float = 0.3, seed: int = 1) -> None:
        if env.game.has_chance or env.game.has_hidden_information:
            raise ArgumentError(f"{env.game.name} has chance or hidden moves, which this search does not understand", "env",
                                "rgtrans match plays such games")
        self.env, self.evaluate = env, evaluate
        self.simulations = whole(simulations, "simulations", 1)
        self._core = _core.Search(on_processor(env).core, float(exploration), float(noise), float(alpha), whole(seed, "seed", 0))
        n, spec = env.num_envs, env.observation_spec
        self._observations = numpy.zeros((n, *spec.shape), spec.dtype)
        self._masks = numpy.zeros((n, env.num_actions), numpy.bool_)
        self._movers = numpy.zeros(n, numpy.int32)

    def run(self) -> Tuple[Floats, Floats]:
        """Searches from the present positions: visits (count x actions) and values of the roots (count x players)."""
        env = self.env
        self._core.begin()
        for _ in range(self.simulations + 1):
            self._core.collect(self._observations, self._masks, self._movers)
            thinking = self._movers >= 0
            if not thinking.any():
                continue
            logits, values = self.evaluate(self._observations, self._masks)
            self._core.expand(_numbers(logits, "logits"), self._values(values))
        visits = numpy.zeros((env.num_envs, env.num_actions), numpy.float32)
        roots = numpy.zeros((env.num_envs, env.num_players), numpy.float32)
        self._core.result(visits, roots)
        return visits, roots

    def _values(self, values: Any) -> Floats:
        given = _numbers(values, "values")
        n, players = self.env.num_envs, self.env.num_players
        if given.shape == (n, players) and players > 1:
            return numpy.ascontiguousarray(given)
        if given.shape not in ((n,), (n, 1)):
            raise ArgumentError(f"values must have the shape ({n},) or ({n}, {players}), not {given.shape}", "evaluate")
        given = given.reshape(n)
        each = numpy.repeat(-given[:, None] / max(players - 1, 1), players, 1)
        each[numpy.arange(n), numpy.maximum(self._movers, 0)] = given
        return numpy.ascontiguousarray(each)

    def actions(self, visits: Floats, temperature: Any = 0.0, generator: Optional[numpy.random.Generator] = None
                ) -> NDArray[numpy.int32]:
        """One action for each play: the most visited one, or one drawn by the visits where ``temperature`` is 1."""
        best = visits.argmax(1).astype(numpy.int32)
        warm = numpy.broadcast_to(numpy.asarray(temperature, float) > 0, best.shape)
        if warm.any():
            rng = generator or numpy.random.default_rng()
            totals = visits.cumsum(1)
            drawn = (totals > rng.random((len(best), 1)) * totals[:, -1:]).argmax(1)
            best = numpy.where(warm & (totals[:, -1] > 0), drawn, best).astype(numpy.int32)
        result: NDArray[numpy.int32] = best
        return result


def _numbers(given: Any, name: str) -> Floats:
    array: Floats = numpy.ascontiguousarray(given, numpy.float32)
    # The logit of an illegal action may be minus infinity.
    if numpy.isnan(array).any() or numpy.isposinf(array).any() or (name == "values" and numpy.isneginf(array).any()):
        raise ArgumentError(f"evaluate() gave {name} that are not numbers (NaN or infinite)", "evaluate")
    return array


published("rgtrans.env", Search)
