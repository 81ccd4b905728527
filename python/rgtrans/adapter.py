"""Seats an engine of another protocol at a table of `rgtrans match`:

    rgtrans match games/hrg/chess.hrg "command:python3 -m rgtrans.adapter examples/engines/chess.json stockfish" mcts:1s

The engine speaks UCI, UGI (as UCI, with other first words) or GTP. The JSON file says how moves of the game are written in
that protocol; the text of every legal move is translated, so the file has one direction only:

    {"protocol": "uci",
     "moves": [["S__([1-8])_([1-8]) S__([1-8])_([1-8])", "{1:file}{2}{3:file}{4}"]],
     "tables": {"file": {"1": "a", "2": "b"}}}

A pattern matches a whole move; {N} is its N-th group, {N:TABLE} that group's entry in a table. A move without an entry, or
that fits no pattern, does not fit the row; a move of a player that fits no row is an error, one of chance is left out.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Dict, List, Optional, Sequence, Tuple

_FIELD = re.compile(r"\{(\d+)(?::(\w+))?\}")
_SYSTEM = ("keeper", "random")


class EngineError(Exception):
    """The file, the engine or the game is not as it should be."""


class Mapping:
    """How the moves of a game are written in a protocol."""

    def __init__(self, path: str) -> None:
        try:
            data: Dict[str, Any] = json.loads(Path(path).read_text())
            self.protocol = str(data["protocol"])
            self._rows = [(re.compile(pattern), str(template)) for pattern, template in data["moves"]]
            self._tables: Dict[str, Dict[str, str]] = data.get("tables", {})
            self.setup: List[str] = data.get("setup", [])
            self.position = str(data.get("position", "startpos"))
            self.colours: Dict[str, str] = data.get("colours", {})
        except OSError as error:
            raise EngineError(f"{path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, re.error) as error:
            raise EngineError(f"{path}: {type(error).__name__}: {error}") from None
        if self.protocol not in _PROTOCOLS:
            raise EngineError(f"{path}: the protocol is one of {', '.join(_PROTOCOLS)}, not {self.protocol!r}")
        for pattern, template in self._rows:
            for group, table in _FIELD.findall(template):
                if int(group) > pattern.groups or (table and table not in self._tables):
                    raise EngineError(f"{path}: {template!r} needs group {group}{f' and table {table}' if table else ''}")

    def text(self, move: str) -> Optional[str]:
        """The move in the protocol, or None where no row fits."""
        for pattern, template in self._rows:
            found = pattern.fullmatch(move)
            if not found:
                continue
            parts: List[str] = []
            end = 0
            for field in _FIELD.finditer(template):
                value: Optional[str] = found[int(field[1])] or ""
                if field[2]:
                    value = self._tables[field[2]].get(value or "")
                if value is None:
                    break
                parts += [template[end:field.start()], value]
                end = field.end()
            else:
                return "".join(parts) + template[end:]
        return None


class Engine:
    """A program with lines in and out."""

    def __init__(self, command: Sequence[str], mapping: Mapping, options: Sequence[str], go: str) -> None:
        self._mapping, self._go = mapping, go
        try:
            self._process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise EngineError(f"{command[0]}: {error.strerror}") from None
        assert self._process.stdin and self._process.stdout
        self._in: IO[str] = self._process.stdin
        self._out: IO[str] = self._process.stdout
        self.begin(options)

    def say(self, line: str) -> None:
        """Sends a line."""
        try:
            self._in.write(line + "\n")
            self._in.flush()
        except BrokenPipeError:
            raise EngineError(f"the engine ended before {line!r}") from None

    def heard(self, *words: str) -> List[str]:
        """The next line that begins with one of these words."""
        for line in self._out:
            parts = line.split()
            if parts and parts[0] in words:
                return parts
        raise EngineError(f"the engine ended instead of {' or '.join(words)}")

    def begin(self, options: Sequence[str]) -> None:
        """Agrees on the protocol and the position."""
        raise NotImplementedError

    def played(self, colour: str, move: str) -> None:
        """Tells a move, also the engine's own."""
        raise NotImplementedError

    def chosen(self, colour: str) -> str:
        """The engine's move, which is not yet made."""
        raise NotImplementedError

    def close(self) -> None:
        """Asks the engine to end."""
        try:
            self.say("quit")
            self._process.wait(2)
        except (EngineError, subprocess.TimeoutExpired):
            self._process.kill()


class Uci(Engine):
    """Universal Chess Interface, and UGI for other games."""

    def begin(self, options: Sequence[str]) -> None:
        name = self._mapping.protocol
        self._moves: List[str] = []
        self.say(name)
        self.heard(f"{name}ok")
        for option in options:
            key, _, value = option.partition("=")
            self.say(f"setoption name {key} value {value}")
        for line in self._mapping.setup:
            self.say(line)
        self.say(f"{name}newgame")
        self.say("isready")
        self.heard("readyok")

    def played(self, colour: str, move: str) -> None:
        self._moves.append(move)

    def chosen(self, colour: str) -> str:
        moves = " moves " + " ".join(self._moves) if self._moves else ""
        self.say(f"position {self._mapping.position}{moves}")
        self.say(f"go {self._go or 'movetime 1000'}")
        words = self.heard("bestmove")
        return words[1] if len(words) > 1 else ""


class Gtp(Engine):
    """Go Text Protocol."""

    def begin(self, options: Sequence[str]) -> None:
        for line in (*self._mapping.setup, *options, *filter(None, [self._go])):
            self.ask(line)
        self.ask("clear_board")

    def ask(self, line: str) -> str:
        """The answer to a command."""
        self.say(line)
        words = self.heard("=", "?")
        if words[0] == "?":
            raise EngineError(f"{line}: {' '.join(words[1:])}")
        return " ".join(words[1:])

    def played(self, colour: str, move: str) -> None:
        self.ask(f"play {colour} {move}")

    def chosen(self, colour: str) -> str:
        move = self.ask(f"genmove {colour}")
        if move.lower() != "resign":
            self.ask("undo")  # the table tells every move
        return move


_PROTOCOLS = {"uci": Uci, "ugi": Uci, "gtp": Gtp}


class Seat:
    """The engine as a player of a play."""

    def __init__(self, command: Sequence[str], mapping: Mapping, options: Sequence[str], go: str) -> None:
        self._mapping = mapping
        self._engine = _PROTOCOLS[mapping.protocol](command, mapping, options, go)
        self._you = ""

    def hear(self, message: Dict[str, Any]) -> Optional[str]:
        """The answer to a message of the table, if it needs one."""
        if message["type"] == "start":
            self._you = message["you"]
        elif message["type"] == "move":
            text = self._mapping.text(message["move"])
            if text is not None:
                self._engine.played(self._colour(message["by"]), text)
            elif message["by"] not in _SYSTEM:
                raise EngineError(f"no row for the move {message['move']!r}")
        elif message["type"] == "choose":
            move = self._engine.chosen(self._colour(self._you))
            known: List[Tuple[Optional[str], str]] = [(self._mapping.text(text), text) for text in message["moves"]]
            return next((text for theirs, text in known if theirs is not None and theirs.lower() == move.lower()), move)
        return None

    def _colour(self, player: str) -> str:
        return self._mapping.colours.get(player, player)

    def close(self) -> None:
        """Ends the engine."""
        self._engine.close()


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m rgtrans.adapter", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--go", default="", help="how long the engine thinks: the words after go (UCI: movetime 1000), or a GTP command "
                                                 "such as 'time_settings 0 1 1'")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION", help="NAME=VALUE for UCI, or a GTP command")
    parser.add_argument("mapping", help="the JSON file")
    parser.add_argument("engine", nargs=argparse.REMAINDER, help="the program and its arguments")
    given = parser.parse_args()
    if not given.engine:
        parser.error("name the engine")
    seat: Optional[Seat] = None
    try:
        seat = Seat(given.engine, Mapping(given.mapping), given.set, given.go)
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "end":
                break
            answer = seat.hear(message)
            if answer is not None:
                print(answer, flush=True)
        return 0
    except EngineError as error:
        print(f"{shlex.join(given.engine)}: {error}", file=sys.stderr)
        return 1
    finally:
        if seat:
            seat.close()


if __name__ == "__main__":
    raise SystemExit(_main())
