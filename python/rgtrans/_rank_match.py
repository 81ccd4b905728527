"""A match whose rounds are played by the workers of a cluster. What is random in a play depends on its number and the seed
alone, and plays are counted in their order, so the result is that of one process.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple

from . import _core
from ._errors import Error
from ._game import Game
from ._rank_guard import Result
from ._rank_run import Cluster, Engine, Progress
from ._slurm import run_array

Plays = Sequence[Tuple[int, Any]]  # number and result


def _rounds(setup: Mapping[str, Any]) -> int:
    return -(-int(setup["count"]) // len(setup["players"]))


def _play_rounds(setup: Mapping[str, Any], rounds: Iterable[int], cluster: Any, jobs: int, keep: Callable[[int, Plays], bool]) -> None:
    """``keep`` gets the plays of each round, in any order, and says whether to go on."""
    def kept(results: List[Result], indexes: List[int]) -> bool:
        for (row, _, _), index in zip(results, indexes):
            if "plays" not in row:
                raise Error(f"round {index + 1}: {row['reason']}")
            if not keep(index, row["plays"]):
                return False
        return True

    def play(executor: Any, jobs: int) -> None:
        Engine(executor, 4 * max(1, jobs), setup).run(["match"], ([number] for number in rounds), kept)

    if isinstance(cluster, str):
        with Cluster(cluster, jobs) as found:
            play(found.executor, found.jobs)
    else:
        play(cluster, jobs or 16)


class Interrupted(KeyboardInterrupt):
    """Ends a match early, with the plays so far."""

    def __init__(self, tally: _core.MatchTally) -> None:
        super().__init__()
        self.tally = tally


class _Counted:
    """The plays so far."""

    def __init__(self, game: Game, setup: Mapping[str, Any], test: Tuple[bool, float, float], progress: Progress) -> None:
        self.tally = _core.MatchTally(game.new_state()._core, setup["players"], setup["count"], setup["seed"], *test)
        self._progress = progress
        progress.begin("match", setup["count"])

    def add(self, index: int, plays: Plays) -> bool:
        """Whether more are needed."""
        for number, play in plays:
            self.tally.add(number, play)
        self._progress.add(len(plays), -1)
        return not self.tally.over


def run_match(game: Game, setup: Mapping[str, Any], test: Tuple[bool, float, float], cluster: Any, jobs: int,
              progress: Progress) -> _core.MatchTally:
    """Plays until the count is reached, or the sequential test has decided."""
    counted = _Counted(game, setup, test, progress)
    try:
        _play_rounds(setup, range(_rounds(setup)), cluster, jobs, counted.add)
    except KeyboardInterrupt:
        raise Interrupted(counted.tally) from None
    progress.end(-1)
    return counted.tally


# --- Through Slurm: each task writes its rounds to a file of its own. ---


def _written(file: Path, begin: int = 0) -> Iterator[Tuple[int, Plays, int]]:
    """Rounds in a file from a place on, each with the place behind it. A line without end is still being written."""
    try:
        with open(file, "rb") as lines:
            lines.seek(begin)
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                begin += len(line)
                index, plays = json.loads(line)
                yield index, plays, begin
    except FileNotFoundError:
        pass


def play_part(setup: Mapping[str, Any], part: int, parts: int, folder: Path, jobs: int) -> None:
    """Every so many-th round that the file of this part does not have."""
    file = folder / f"part-{part}.jsonl"
    done, end = set(), 0
    for index, _, end in _written(file):
        done.add(index)
    with open(file, "ab") as lines:
        lines.truncate(end)

        def keep(index: int, plays: Plays) -> bool:
            lines.write(json.dumps((index, plays)).encode() + b"\n")
            lines.flush()
            return True

        missing = [index for index in range(part - 1, _rounds(setup), parts) if index not in done]
        _play_rounds(setup, missing, "local", jobs, keep)


def run_slurm_match(game: Game, setup: Mapping[str, Any], test: Tuple[bool, float, float], parts: int, jobs: int,
                    progress: Progress) -> _core.MatchTally:
    """Counts the rounds of the tasks while they play. Their folder is below the current one, and stays if a task fails."""
    counted = _Counted(game, setup, test, progress)
    folder = Path(tempfile.mkdtemp(prefix="rgtrans-match-", dir="."), "").absolute()
    places: Dict[Path, int] = {folder / f"part-{part}.jsonl": 0 for part in range(1, parts + 1)}

    def go_on() -> bool:
        for file, begin in places.items():
            for index, plays, places[file] in _written(file, begin):
                if not counted.add(index, plays):
                    return False
        return True

    try:
        run_array(folder, {"command": "match", "setup": setup, "folder": str(folder), "jobs": jobs}, parts, jobs, progress.shown,
                  go_on)
        go_on()
    except KeyboardInterrupt:
        raise Interrupted(counted.tally) from None
    finally:
        if not isinstance(sys.exc_info()[1], Error):
            shutil.rmtree(folder, ignore_errors=True)
    progress.end(-1)
    return counted.tally
