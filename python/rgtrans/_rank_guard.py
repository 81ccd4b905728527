"""A process that works on one game after the other. One that ends or never ends costs the game at hand, and a new process
goes on with the next one. A game whose process was killed is tried again, since another program may have done that.

The child arms a timer of the system before each game, so nothing that a game or its generator does can outlast it. Time is
that of the processor; the longer one of the clock ends a game that only waits.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from typing import Any, BinaryIO, Dict, List, Mapping, Optional, Sequence, Tuple

from ._rank_stages import Row

Result = Tuple[Row, bytes, float]  # a row, a canonical form, seconds
_WAITING = 20  # times as long as the processor may work, and a minute
_SEARCHING = 5  # times as long as the other stages: whether a game is searched should not depend on the machine


def _seconds(setup: Mapping[str, Any], stages: Sequence[str]) -> float:
    """Of processor time, for these stages of a game."""
    return float(setup["timeout"]) * (_SEARCHING if "search" in stages else 1)


class Guard:
    """Owns the process of one thread."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self._setup = dict(setup)
        self._child: Optional["subprocess.Popen[bytes]"] = None
        self._closed = False

    def run(self, stages: Sequence[str], indexes: Sequence[int]) -> List[Result]:
        """One result for each game, in this order."""
        done: List[Result] = []
        lost = -1
        while len(done) < len(indexes):
            child = self._child or self._start()
            assert child.stdin and child.stdout
            try:
                pickle.dump((tuple(stages), list(indexes[len(done):])), child.stdin)
                child.stdin.flush()
                while len(done) < len(indexes):
                    done.append(pickle.load(child.stdout))
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                code = child.wait()
                if self._closed:
                    raise RuntimeError("the run is over") from None
                self._end()
                index = indexes[len(done)]
                if code < 0 and -code not in (signal.SIGPROF, signal.SIGALRM) and index != lost:
                    lost = index  # somebody else may have killed the process
                    continue
                row: Row = {"idx": index, "seed": f"{self._setup['seed']}/{index}", "state": "dropped", "stage": stages[0],
                            "reason": self._reason(code, _seconds(self._setup, stages))}
                done.append((row, b"", 0.0))
        return done

    def _start(self) -> "subprocess.Popen[bytes]":
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        # A group of its own: Ctrl-C is for the process that keeps the results.
        self._child = subprocess.Popen(
            [sys.executable, "-m", "rgtrans._rank_guard"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        assert self._child.stdin
        pickle.dump(self._setup, self._child.stdin)
        return self._child

    def _reason(self, code: int, limit: float) -> str:
        if code == -signal.SIGPROF:
            return f"took longer than {limit:g} s of processor time"
        if code == -signal.SIGALRM:
            return f"waited for longer than {_WAITING * limit + 60:g} s"
        if code == _OUT_OF_MEMORY:
            return f"needs more than {self._setup['memory']} MiB"
        return f"ended the process (signal {-code})" if code < 0 else f"ended the process (exit code {code})"

    def close(self) -> None:
        """Ends the process; a thread that waits for it gets an error."""
        self._closed = True
        if self._child:
            self._child.kill()

    def _end(self) -> None:
        if self._child:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        pass
            self._child = None


_OUT_OF_MEMORY = 77
_guards: Dict[Tuple[int, str], Guard] = {}
_lock = threading.Lock()


def run_chunk(setup: Mapping[str, Any], stages: Sequence[str], indexes: Sequence[int]) -> List[Result]:
    """The task of an executor: the games of these indexes, by the process that belongs to this thread."""
    key = (threading.get_ident(), repr(sorted(setup.items())))
    with _lock:
        guard = _guards.get(key) or _guards.setdefault(key, Guard(setup))
    return guard.run(stages, indexes)


def close_guards() -> None:
    """Ends the processes of all threads."""
    with _lock:
        for guard in _guards.values():
            guard.close()
        _guards.clear()


def _main() -> None:
    import resource
    import time

    requests: BinaryIO = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a generator may print
    setup = pickle.load(requests)
    memory = setup["memory"] << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def arm(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, _WAITING * seconds + 60 if seconds else 0)

    from . import _core

    for assignment in setup["limits"]:
        _core.set_limit(assignment)
    worker: Any
    if "source" in setup:
        from ._rank_sources import open_source
        from ._rank_stages import Judge

        worker = Judge(open_source(setup["source"]), setup)
    else:
        from ._rank_table import Table

        worker = Table(setup)
    while True:
        try:
            stages, indexes = pickle.load(requests)
        except EOFError:
            return
        for index in indexes:
            begin = time.process_time()
            arm(_seconds(setup, stages))
            try:
                row, form = worker.run(stages, index)
            except MemoryError:
                os._exit(_OUT_OF_MEMORY)
            arm(0)
            try:
                pickle.dump((row, form, time.process_time() - begin), answers)
                answers.flush()
            except BrokenPipeError:
                os._exit(1)


if __name__ == "__main__":
    _main()
