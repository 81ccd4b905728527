"""A match whose rounds are played by the workers of a cluster. What is random in a play depends on its number and the seed
alone, and plays are counted in their order, so the result is that of one process.
"""

from __future__ import annotations

from typing import Any, List, Mapping, Tuple

from . import _core
from ._errors import Error
from ._game import Game
from ._rank_guard import Result
from ._rank_run import Cluster, Engine, Progress


def run_match(game: Game, setup: Mapping[str, Any], test: Tuple[bool, float, float], cluster: Any, jobs: int,
              progress: Progress) -> _core.MatchTally:
    """Plays until the count is reached, or the sequential test has decided."""
    state = game.new_state()._core
    tally = _core.MatchTally(state, setup["players"], setup["count"], setup["seed"], *test)
    rounds = -(-setup["count"] // len(setup["players"]))
    progress.begin("match", setup["count"])

    def keep(results: List[Result], indexes: List[int]) -> bool:
        for (row, _, _), index in zip(results, indexes):
            if "plays" not in row:
                raise Error(f"round {index + 1}: {row['reason']}")
            for number, play in row["plays"]:
                tally.add(number, play)
            progress.add(len(row["plays"]), -1)
        return not tally.over

    def play(executor: Any, jobs: int) -> None:
        Engine(executor, 4 * max(1, jobs), setup).run(["match"], ([number] for number in range(rounds)), keep)

    if isinstance(cluster, str):
        with Cluster(cluster, jobs) as found:
            play(found.executor, found.jobs)
    else:
        play(cluster, jobs or 16)
    progress.end(-1)
    return tally
