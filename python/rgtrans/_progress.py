"""A word while compilers work: nobody should wonder whether a program hangs."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Iterator, Optional

_PATIENCE = 1.0  # seconds without a word
_name = "a game"
_begin: Optional[float] = None
_said = 0.0


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Names the game that a block may compile."""
    global _name, _begin, _said
    outer, _name, _begin, _said = _name, name, None, 0.0
    try:
        yield
    finally:
        if _said and sys.stderr is not None and sys.stderr.isatty():
            print(file=sys.stderr, flush=True)
        _name, _begin, _said = outer, None, 0.0


def tick() -> None:
    """Called a few times a second while compilers work: one line, in which a terminal sees the seconds go by."""
    global _begin, _said
    now = time.monotonic()
    if _begin is None:
        _begin = now
    if sys.stderr is None or now - _begin < _PATIENCE:
        return
    line = f"rgtrans: compiling {_name}; the result is kept"
    if sys.stderr.isatty():
        if now - _said >= _PATIENCE:
            print(f"\r{line} ({now - _begin:.0f} s)", end="", file=sys.stderr, flush=True)
            _said = now
    elif not _said:
        print(line, file=sys.stderr, flush=True)
        _said = now
