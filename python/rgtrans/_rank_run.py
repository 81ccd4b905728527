"""Runs the stages on an executor: chunks of games go out, results come back in any order and are stored at once."""

from __future__ import annotations

import itertools
import os
import queue
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._errors import ArgumentError, UsageError
from ._rank_guard import Result, close_guards, run_chunk
from ._rank_store import Store
from ._slurm import run_array

CHUNK = 100  # games; a chunk belongs to one shard, and is stored as a whole
_PLAY_CHUNK, _SEARCH_CHUNK = 20, 2
_TRIES = 3


class Progress:
    """One line on a terminal with rate and time left, and a line for each finished stage. ``shown``: by default on a terminal."""

    def __init__(self, shown: Optional[bool]) -> None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.shown = sys.stderr is not None and (terminal if shown is None else shown)
        self._line = self.shown and terminal
        self._last = 0.0

    def begin(self, stage: str, total: int) -> None:
        """A stage of so many games, of which some may be done."""
        self._stage, self._total, self._begin, self._done = stage, total, time.monotonic(), 0

    def add(self, games: int, left: int) -> None:
        """So many more are done; ``left`` of all are still candidates (-1: not known)."""
        self._done += games
        now = time.monotonic()
        if not self._line or now - self._last < 0.2:
            return
        self._last = now
        rate = self._done / max(1e-9, now - self._begin)
        seconds = (self._total - self._done) / max(1e-9, rate)
        kept = f", {left:,} left" if left >= 0 else ""
        print(f"\r\x1b[K{self._stage}: {self._done:,} of {self._total:,} games, {rate:,.0f}/s, {_duration(seconds)} to go{kept}",
              end="", file=sys.stderr, flush=True)

    def end(self, left: int) -> None:
        """The stage is over."""
        seconds = time.monotonic() - self._begin
        if self._line:
            print("\r\x1b[K", end="", file=sys.stderr)
        if self.shown and self._done:
            kept = f", {left:,} left" if left >= 0 else ""
            print(f"{self._stage}: {self._done:,} games in {_duration(seconds)} ({self._done / max(seconds, 1e-9):,.0f}/s){kept}",
                  file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Engine:
    """An executor with a window of tasks. One thread gets all results."""

    def __init__(self, executor: Any, window: int, setup: Mapping[str, Any]) -> None:
        self._executor, self._window, self._setup = executor, window, setup

    def run(self, stages: Sequence[str], chunks: Iterable[Sequence[int]], keep: Callable[[List[Result], List[int]], bool]) -> None:
        """Takes chunks through stages. ``keep`` gets the results of each chunk, and says whether to go on."""
        finished: "queue.Queue[Any]" = queue.Queue()
        pending: Dict[Any, Tuple[List[int], int]] = {}

        def submit(chunk: List[int], tried: int) -> None:
            future = self._executor.submit(run_chunk, dict(self._setup), tuple(stages), chunk)
            pending[future] = (chunk, tried)
            future.add_done_callback(finished.put)

        waiting = iter(chunks)
        try:
            while True:
                for chunk in itertools.islice(waiting, self._window - len(pending)):
                    submit(list(chunk), 1)
                if not pending:
                    return
                try:
                    future = finished.get(timeout=0.5)
                except queue.Empty:
                    continue
                games, tried = pending.pop(future)
                try:
                    results = future.result()
                except Exception as error:  # a lost worker, whatever the executor calls it
                    if tried == _TRIES:
                        raise UsageError(f"a worker was lost {_TRIES} times: {type(error).__name__}: {error}") from error
                    submit(games, tried + 1)
                    continue
                if not keep(results, games):
                    return
        finally:
            for future in pending:
                future.cancel()


def _storing(store: Store, stage: str, progress: Progress) -> Callable[[List[Result], List[int]], bool]:
    def keep(results: List[Result], games: List[int]) -> bool:
        store.add(results, stage, games[0] if stage == "translate" else -1)
        progress.add(len(games), -1)
        return True
    return keep


def chunks_of(count: int, shard: Optional[Tuple[int, int]]) -> Iterator[range]:
    """The chunks of a run, or of one shard of it."""
    part, parts = shard or (1, 1)
    for number in range(part - 1, -(-count // CHUNK), parts):
        yield range(number * CHUNK, min(count, (number + 1) * CHUNK))


def run_stages(store: Store, setup: Mapping[str, Any], count: int, shard: Optional[Tuple[int, int]], executor: Any,
               jobs: int, progress: Progress, until: str) -> None:
    """All that is left to do, up to a stage. A shard leaves the search to the run that merges it."""
    engine = Engine(executor, 4 * max(1, jobs), setup)
    missing = sum(len(chunk) for chunk in store.missing_chunks(chunks_of(count, shard)))
    progress.begin("translate", missing)
    engine.run(["translate"], store.missing_chunks(list(chunks_of(count, shard))), _storing(store, "translate", progress))
    progress.end(store.count("form IS NOT NULL"))
    if store.count("state = 'open' AND stage = 'translate'"):
        store.drop_equal_games()
    if shard is None:
        store.remove_forms()
    if until == "distinct":
        return
    progress.begin("judge and play", store.count("state = 'open' AND stage = 'distinct'"))
    engine.run(["proper", "play"], store.open_games("distinct", _PLAY_CHUNK), _storing(store, "play", progress))
    progress.end(store.count("state = 'open'"))
    if shard is None and until == "search":
        search_best(store, setup, executor, jobs, progress)


def search_best(store: Store, setup: Mapping[str, Any], executor: Any, jobs: int, progress: Progress) -> None:
    """The expensive figures, of the best games so far."""
    chunks = list(store.best_games(setup["best"], _SEARCH_CHUNK))
    progress.begin("search", sum(map(len, chunks)))
    Engine(executor, 4 * max(1, jobs), setup).run(["search"], chunks, _storing(store, "search", progress))
    progress.end(store.count("stage = 'search'"))


class Cluster:
    """The executor with a name: "local", or "dask://HOST:PORT"."""

    def __init__(self, name: str, jobs: int) -> None:
        if name == "local":
            self.jobs = jobs or os.cpu_count() or 1
            self.executor: Any = ThreadPoolExecutor(self.jobs)  # each thread waits for a process of its own
        elif name.startswith("dask://"):
            try:
                import distributed
            except ImportError:
                raise UsageError("the package distributed is not installed", hint="Debian: python3-distributed") from None
            try:
                client: Any = distributed.Client
                self.executor = client("tcp://" + name[len("dask://"):], timeout=20)
            except OSError as error:
                raise UsageError(f"there is no Dask scheduler at {name}: {error}") from None
            # More workers may come later.
            self.jobs = max(jobs, 2 * sum(self.executor.ncores().values()), 8)
        else:
            raise ArgumentError(f"cluster cannot be {name!r}", "cluster", "allowed: local, dask://HOST:PORT; the command line also has slurm")

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: Any) -> None:
        if isinstance(self.executor, ThreadPoolExecutor):
            close_guards()
            self.executor.shutdown(wait=True)
        else:
            self.executor.close()


def run_slurm(given: Mapping[str, Any], progress: Progress) -> None:
    """The shards of a command as an array. A task that is started again goes on where its shard ends."""
    out, jobs = Path(given["out"]).absolute(), given["jobs"] or 1
    out.mkdir(parents=True, exist_ok=True)
    command: Dict[str, Any] = {**given, "out": str(out), "cluster": "local", "jobs": jobs, "report": [], "quiet": True}
    run_array(out, command, given["parts"], jobs, progress.shown, lambda: True)
