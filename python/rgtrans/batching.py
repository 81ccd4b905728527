"""Converting many games. How the work is spread is up to the caller: any executor with ``submit`` will do."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from .errors import Diagnostic, Error
from .game import load

__all__ = ["Conversion", "batch", "convert"]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Conversion:
    """What became of one file. True when it worked."""

    path: Path
    output: Optional[Path] = None
    """The file written, or None without ``out``."""
    text: Optional[str] = None
    """The converted game, when it was not written to a file."""
    seconds: float = 0.0
    stats: Dict[str, Any] = field(default_factory=dict)
    error: str = ""
    """What was wrong, as the command line prints it."""
    diagnostics: Tuple[Diagnostic, ...] = ()

    def __bool__(self) -> bool:
        return not self.error

    def __repr__(self) -> str:
        if self.error:
            return f"<Conversion of {str(self.path)!r} failed: {self.error.splitlines()[0]}>"
        return f"<Conversion of {str(self.path)!r} in {self.seconds:.3f} s>"


def convert(
    path: PathLike,
    *,
    to: str = "rg",
    level: int = 2,
    language: Optional[str] = None,
    out: Optional[PathLike] = None,
) -> Conversion:
    """Converts one file; a mistake in it is part of the result, not an exception.

    The result is written to the folder ``out`` under the file's name with a new extension, or returned as text.
    """
    path = Path(path)
    start = time.perf_counter()
    try:
        game = load(path, language)
        if level > 0:
            game = game.optimize(level)
        text = game.to(to)
        output = None
        if out is not None:
            output = Path(out) / f"{path.stem}.{to}"
            output.parent.mkdir(parents=True, exist_ok=True)
            partial = output.with_name(f"{output.name}.{os.getpid()}.partial")
            partial.write_text(text, encoding="utf-8", errors="surrogateescape")
            partial.replace(output)
        seconds = time.perf_counter() - start
        return Conversion(path, output, None if output else text, seconds, game.stats())
    except Error as error:
        seconds = time.perf_counter() - start
        return Conversion(path, seconds=seconds, error=str(error).strip(), diagnostics=error.diagnostics)
    except OSError as error:
        return Conversion(path, seconds=time.perf_counter() - start, error=str(error))


def batch(
    paths: Iterable[PathLike],
    executor: Any = None,
    *,
    to: str = "rg",
    level: int = 2,
    language: Optional[str] = None,
    out: Optional[PathLike] = None,
) -> Iterator[Conversion]:
    """Converts a library of games and yields a :class:`Conversion` for each path, in order.

    ``executor`` is anything with ``submit(function, *args, **kwargs)`` whose futures have ``result()``: those of
    ``concurrent.futures`` (threads work well, the conversion runs without Python's lock), a Dask client, an MPI
    pool. Without one the files are converted one after the other.
    """
    options: Dict[str, Any] = dict(to=to, level=level, language=language, out=out)
    if executor is None:
        return (convert(path, **options) for path in paths)
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor must have a method submit, as those of concurrent.futures have; {type(executor).__name__} has none"
        )
    futures: List[Any] = [executor.submit(convert, path, **options) for path in paths]
    return (future.result() for future in futures)
