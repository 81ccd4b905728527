"""Where games come from: folders and archives, functions, templates, line games, mutations, and mixtures of these.

A source is a specification of plain data, which every worker opens for itself. The game of an index depends on the
specification, the seed and the index alone, so any worker can make any game at any time, in any order.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import random
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import _core
from ._errors import ArgumentError
from ._game import Game
from ._rank_linegames import random_line_game
from .linegames import LineGame

Spec = Dict[str, Any]
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2")


class GameText(NamedTuple):
    """A game as it is read: ``language`` is "" where its name or text decides."""

    name: str
    language: str
    text: bytes


class Source:
    """Games by index. ``count`` is None for a source without end."""

    count: Optional[int] = None

    def game(self, index: int, dice: random.Random) -> GameText:
        raise NotImplementedError


class Files(Source):
    """The games of folders and archives, in the order of their names; files by any name."""

    def __init__(self, paths: Sequence[str]) -> None:
        extensions = tuple(e for _, _, listed in _core.languages() for e in listed)
        self._items: List[Tuple[str, str]] = []  # a file and the member of an archive, or ""
        for path in paths:
            if os.path.isdir(path):
                for found in sorted(p for p in Path(path).rglob("*") if p.is_file()):
                    if found.name.endswith(ARCHIVES):
                        self._items += [(str(found), name) for name in members(str(found)) if name.endswith(extensions)]
                    elif found.name.endswith(extensions) and not found.name.startswith("."):
                        self._items.append((str(found), ""))
            elif path.endswith(ARCHIVES):
                self._items += [(path, name) for name in members(path) if name.endswith(extensions)]
            else:
                self._items.append((path, ""))
        self.count = len(self._items)

    def game(self, index: int, dice: random.Random) -> GameText:
        path, member = self._items[index]
        name = os.path.splitext(os.path.basename(member or path))[0]
        language = language_of(member or path)
        if not member:
            return GameText(name, language, Path(path).read_bytes())
        if path.endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                return GameText(name, language, archive.read(member))
        with tarfile.open(path) as tar:
            file = tar.extractfile(member)
            return GameText(name, language, file.read() if file else b"")


def members(path: str) -> List[str]:
    """The files in an archive, in the order of their names."""
    if path.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            return sorted(name for name in archive.namelist() if not name.endswith("/"))
    with tarfile.open(path) as tar:
        return sorted(item.name for item in tar if item.isfile())


def language_of(path: str) -> str:
    """The language of an extension, or ""."""
    return next((name for name, _, listed in _core.languages() if path.endswith(tuple(listed))), "")


class Function(Source):
    """What ``function(index, random)`` of a Python file returns: a LineGame, a Game, a text, or (language, text)."""

    def __init__(self, file: str, function: str) -> None:
        spec = importlib.util.spec_from_file_location("rgtrans_rank_source", file)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        self._function: Callable[[int, random.Random], Any] = getattr(module, function)
        self._title = Path(file).stem

    def game(self, index: int, dice: random.Random) -> GameText:
        made = self._function(index, dice)
        name = f"{self._title} {index}"
        if isinstance(made, LineGame):
            return GameText(name if made.name == "line game" else made.name, "linegames", made.to_json().encode())
        if isinstance(made, Game):
            return GameText(made.name, "rg", made.to("rg").encode("utf-8", "surrogateescape"))
        language, text = made if isinstance(made, tuple) else ("", made)
        if not isinstance(text, str):
            raise TypeError(f"the generator returned {type(text).__name__}, not a game")
        return GameText(name, language, text.encode("utf-8", "surrogateescape"))


class Template(Source):
    """A text with ``{{NAME}}`` for each parameter. All combinations of their values, or random ones where there are more
    than ``most``."""

    def __init__(self, file: str, parameters: Mapping[str, Sequence[str]], most: Optional[int]) -> None:
        self._text = Path(file).read_text(encoding="utf-8", errors="surrogateescape")
        self._parameters = {name: list(values) for name, values in parameters.items()}
        self._title, self._language = Path(file).stem, language_of(file)
        total = 1
        for name, values in self._parameters.items():
            if "{{" + name + "}}" not in self._text:
                raise ArgumentError(f"{file} has no parameter {name!r}", "parameters", "write {{" + name + "}} in it")
            total *= len(values)
        unknown = set(re.findall(r"\{\{(\w+)\}\}", self._text)) - set(self._parameters)
        if unknown:
            raise ArgumentError(f"{file} has the parameter {min(unknown)!r} without values", "parameters", "set each one")
        self._all = most is None or total <= most
        self.count = total if self._all else None

    def game(self, index: int, dice: random.Random) -> GameText:
        chosen: Dict[str, str] = {}
        for name, values in self._parameters.items():
            if self._all:
                index, place = divmod(index, len(values))
                chosen[name] = values[place]
            else:
                chosen[name] = dice.choice(values)
        text = re.sub(r"\{\{(\w+)\}\}", lambda match: chosen[match.group(1)], self._text)
        name = self._title + "".join(f" {key}={value}" for key, value in chosen.items())
        return GameText(name, self._language, text.encode("utf-8", "surrogateescape"))


class LineGames(Source):
    """Line games drawn at random."""

    def game(self, index: int, dice: random.Random) -> GameText:
        game = random_line_game(dice)
        return GameText(game.name, "linegames", game.to_json().encode())


_WORD = re.compile(r"\w+|==|!=|<=|>=|[<>+*-]")
_OPERATORS = (("==", "!="), ("<", ">", "<=", ">="), ("+", "-"))


class Mutations(Source):
    """Given games with a few words of their texts changed: a number by one, an operator by a similar one, a word by
    another one of the text, or a line left out."""

    def __init__(self, paths: Sequence[str]) -> None:
        files = Files(paths)
        if not files.count:
            raise ArgumentError("there is no game to change", "paths", ", ".join(paths))
        self._games = [files.game(i, random.Random(0)) for i in range(files.count)]

    def game(self, index: int, dice: random.Random) -> GameText:
        name, language, original = dice.choice(self._games)
        text = original.decode("utf-8", "surrogateescape")
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            text = self._changed(text, dice)
        return GameText(f"{name}~{index}", language, text.encode("utf-8", "surrogateescape"))

    @staticmethod
    def _changed(text: str, dice: random.Random) -> str:
        words = list(_WORD.finditer(text))
        if not words:
            return text
        if dice.random() < 0.1:
            lines = text.split("\n")
            del lines[dice.randrange(len(lines))]
            return "\n".join(lines)
        word = dice.choice(words)
        old = word.group()
        similar = next((group for group in _OPERATORS if old in group), None)
        if similar:
            new = dice.choice([other for other in similar if other != old])
        elif old.isdigit():
            new = str(max(0, int(old) + dice.choice((-1, 1))))
        else:
            new = dice.choice(words).group()
        return text[: word.start()] + new + text[word.end():]


class Mix(Source):
    """Sources that end come first, one after the other; then the others take turns."""

    def __init__(self, parts: Sequence[Source]) -> None:
        ending = [part for part in parts if part.count is not None]
        self._endless = [part for part in parts if part.count is None]
        self._ends = list(itertools.accumulate(part.count or 0 for part in ending))
        self._ending = ending
        self._finite = self._ends[-1] if self._ends else 0
        self.count = None if self._endless else self._finite

    def game(self, index: int, dice: random.Random) -> GameText:
        begin = 0
        for part, end in zip(self._ending, self._ends):
            if index < end:
                return part.game(index - begin, dice)
            begin = end
        turn, place = divmod(index - self._finite, len(self._endless))
        return self._endless[place].game(turn, dice)


def open_source(spec: Spec) -> Source:
    """The source of a specification."""
    kind = spec["kind"]
    if kind == "files":
        return Files(spec["paths"])
    if kind == "function":
        return Function(spec["file"], spec["function"])
    if kind == "template":
        return Template(spec["file"], spec["parameters"], spec.get("most"))
    if kind == "linegames":
        return LineGames()
    if kind == "mutations":
        return Mutations(spec["paths"])
    assert kind == "mix"
    return Mix([open_source(part) for part in spec["parts"]])


def dice_of(seed: int, index: int) -> random.Random:
    """The random numbers of one game: those of others do not depend on how many it draws."""
    return random.Random(f"{seed}/{index}")
