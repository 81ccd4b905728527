"""Shared by all functions of the package: names of parameters and engines, checks of arguments, import paths of classes."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Callable, Dict, Mapping, Sequence, TypeVar, Union

from ._errors import ArgumentError, UsageError

Function = TypeVar("Function", bound=Callable[..., Any])
Renaming = Union[str, Callable[[Any], Mapping[str, Any]]]


def renamed(**names: Renaming) -> Callable[[Function], Function]:
    """A function that takes former names of its keywords, too: ``@renamed(threads="jobs")``.

    Where a value changed with the name, a function of the value gives the arguments that replace it. Help and signatures show
    the present names only.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def translated(*arguments: Any, **given: Any) -> Any:
            for former, now in names.items():
                if former not in given:
                    continue
                value = given.pop(former)
                replacement = {now: value} if isinstance(now, str) else now(value)
                for name, argument in replacement.items():
                    if name in given:
                        raise TypeError(f"{function.__qualname__}() got {name!r} twice: {former!r} is its former name")
                    given[name] = argument
            return function(*arguments, **given)

        return translated  # type: ignore[return-value]

    return decorate


def engine_of_device(device: Any) -> Dict[str, Any]:
    """The argument that replaces ``device``, for :func:`renamed`."""
    return {"engine": "cuda"} if one_of(device, "device", ("cpu", "cuda")) == "cuda" else {}


def engine_name(engine: str, allowed: Sequence[str], hidden: Sequence[str] = ()) -> str:
    """An engine by its name on the command line. "compiled" is the former name of "cpp"."""
    if engine == "compiled":
        engine = "cpp"
    if engine not in (*allowed, *hidden):
        raise ArgumentError(f"there is no engine {engine!r}", "engine", "allowed: " + ", ".join(allowed))
    return engine


def whole(value: Any, name: str, least: int, most: int = 2**31 - 1) -> int:
    """A whole number between limits."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    number = int(value.__index__())
    if not least <= number <= most:
        raise ArgumentError(f"{name} cannot be {number}", name, f"allowed: {least} to {most}")
    return number


def one_of(value: str, name: str, allowed: Sequence[str]) -> str:
    """One of these words."""
    if value not in allowed:
        raise ArgumentError(f"{name} cannot be {value!r}", name, "allowed: " + ", ".join(allowed))
    return value


class OneUser:
    """Allows one call at a time: ``with self._user: ...``. A second thread gets an error instead of a data race; so does
    a forked child of a process whose worker threads it would wait for."""

    def __init__(self, item: str, workers: bool) -> None:
        self._item = item
        self._process = os.getpid() if workers else None
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if self._process is not None and self._process != os.getpid():
            raise UsageError(f"the worker threads of {self._item} belong to the process that made it",
                             hint="make it in this process, start processes by spawn, or choose jobs=1")
        if not self._lock.acquire(blocking=False):
            raise UsageError(f"two threads use {self._item} at once", hint="give each thread its own")

    def __exit__(self, *error: Any) -> None:
        self._lock.release()


def published(module: str, *items: Any) -> None:
    """Tracebacks, help and pickles name classes and functions by the module that users import them from."""
    for item in items:
        item.__module__ = module
