"""Converts many games. You choose how the work is distributed: any executor with ``submit`` will do.

Names and resuming are those of ``rgtrans batch``. For its further features (a process with limits for each game, archives,
reports), run that command.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _core
from ._errors import ArgumentError, Diagnostic, Error
from ._game import load
from ._surface import published

__all__ = ["Conversion", "batch", "convert"]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Conversion:
    """The result for one file. True if the conversion succeeded."""

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


class _Memory:
    """The record of one result: a file of its own, so that any number of processes can write records."""

    FOLDER = ".rgtrans-batch-python"

    def __init__(self, out: Path, name: str) -> None:
        self.output = out / name
        self._file = out / self.FOLDER / f"{name}.json"

    @staticmethod
    def key(path: Path, to: str, level: int, language: Optional[str]) -> str:
        what = json.dumps([_core.__version__, module_hash(), path.name, to, level, language])
        return hashlib.sha256(what.encode() + path.read_bytes()).hexdigest()

    def recall(self, key: str) -> Optional[Dict[str, Any]]:
        try:
            known = json.loads(self._file.read_text())
            if known["key"] == key and known["output"] == hashlib.sha256(self.output.read_bytes()).hexdigest():
                stats: Dict[str, Any] = known["stats"]
                return stats
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def remember(self, key: str, content: bytes, stats: Dict[str, Any]) -> None:
        known = {"key": key, "output": hashlib.sha256(content).hexdigest(), "stats": stats}
        _write(self._file, json.dumps(known).encode())


@lru_cache(maxsize=None)
def module_hash() -> str:
    """Changes with the compiled part of the package."""
    return hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()


def _write(path: Path, content: bytes) -> None:
    """The file is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.partial")
    partial.write_bytes(content)
    partial.replace(path)


def _keep_inputs(paths: Iterable[Path], outputs: Iterable[Path]) -> None:
    """No result takes the place of something that is read, under whatever name."""
    inputs = {_identity(path) for path in paths} - {None}
    for output in outputs:
        if _identity(output) in inputs:
            raise ArgumentError(f"{output} is an input and would be overwritten", "out", "name another folder")


def _identity(path: Path) -> Optional[Tuple[int, int]]:
    try:
        info = path.stat()
    except OSError:
        return None
    return (info.st_dev, info.st_ino)


def _names(paths: List[Path], to: str) -> List[str]:
    plain = Counter(path.stem for path in paths)
    names: List[str] = []
    taken = set()
    for path in paths:
        base = path.stem if plain[path.stem] == 1 else path.name
        name = f"{base}.{to}"
        number = 2
        while name in taken:
            name = f"{base}~{number}.{to}"
            number += 1
        taken.add(name)
        names.append(name)
    return names


def convert(
    path: PathLike,
    *,
    to: str = "rg",
    level: int = 2,
    language: Optional[str] = None,
    out: Optional[PathLike] = None,
    name: Optional[str] = None,
    resume: bool = False,
) -> Conversion:
    """Converts one file; a mistake in it is part of the result, not an exception.

    The result is written to the folder ``out`` under the file's name with a new extension (or under ``name``), or returned
    as text. With ``resume`` a result is left alone when it was made of the same text with the same options by the same
    rgtrans, and is as it was left.
    """
    path = Path(path)
    start = time.perf_counter()
    memory = _Memory(Path(out), name or f"{path.stem}.{to}") if out is not None else None
    if memory:
        _keep_inputs([path], [memory.output])
    try:
        key = memory.key(path, to, level, language) if memory else ""
        if resume and memory and (stats := memory.recall(key)) is not None:
            return Conversion(path, memory.output, None, time.perf_counter() - start, stats)
        game = load(path, language)
        if level > 0:
            game = game.optimize(level)
        text = game.to(to)
        output = None
        if memory:
            output = memory.output
            content = text.encode("utf-8", "surrogateescape")
            _write(output, content)
            memory.remember(key, content, game.stats())
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
    resume: bool = False,
) -> Iterator[Conversion]:
    """Converts a library of games and yields a :class:`Conversion` for each path, in order.

    If two results would get one name in ``out``, they keep their extensions, then get numbers. ``resume`` is that of
    :func:`convert`.

    ``executor`` is anything with ``submit(function, *args, **kwargs)`` whose futures have ``result()``: those of
    ``concurrent.futures``, a Dask client, an MPI pool. Threads work well, because the conversion releases Python's lock.
    Without an executor the files are converted one after the other.
    """
    options: Dict[str, Any] = dict(to=to, level=level, language=language, out=out, resume=resume)
    inputs = [Path(path) for path in paths]
    names = _names(inputs, to)
    if out is not None:
        _keep_inputs(inputs, [Path(out) / name for name in names])
    if executor is None:
        return (convert(path, name=name, **options) for path, name in zip(inputs, names))
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor must have a method submit, as those of concurrent.futures have; {type(executor).__name__} has none"
        )
    futures: List[Any] = [
        executor.submit(convert, path, name=name, **options) for path, name in zip(inputs, names)
    ]
    return (future.result() for future in futures)


published("rgtrans", Conversion, batch, convert)
