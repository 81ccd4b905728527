"""The stages of one game: translated, judged, played, searched. Each adds columns to its row or says why it is dropped.

Results depend on the text of the game, its seed and the options alone. Only proofs are limited by time.
"""

from __future__ import annotations

import json
import math
import zlib
from typing import Any, Callable, Dict, Mapping, Tuple

from . import _core
from ._analysis import analyze
from ._errors import Error
from ._game import Game
from ._rank_sources import Source, dice_of

Row = Dict[str, Any]

# Columns of the table, with their types in SQLite. The figures of plays at random come before those of a search.
COLUMNS: Dict[str, str] = {
    "idx": "INTEGER PRIMARY KEY",
    "seed": "TEXT",
    "name": "TEXT",
    "language": "TEXT",
    "state": "TEXT",       # open, dropped
    "stage": "TEXT",       # the last one that the game passed, or the one that dropped it
    "reason": "TEXT",      # why it was dropped
    "equal_to": "INTEGER",  # the game that it equals
    "form": "TEXT",        # 128 bits of its canonical form
    "complete": "INTEGER",  # 0: the search for that form was bounded, so equal games may have other ones
    "nodes": "INTEGER",
    "edges": "INTEGER",
    "proved": "TEXT",      # the conditions of proper descriptions that are proved
    "length": "REAL",
    "branching": "REAL",
    "balance": "REAL",
    "decided": "REAL",
    "score": "REAL",       # of these figures
    "search_length": "REAL",
    "search_balance": "REAL",
    "search_draws": "REAL",
    "depth": "REAL",
    "final": "REAL",       # score of all figures, of the games that were searched
}
STAGES = ("translate", "distinct", "proper", "play", "search")


class Dropped(Exception):
    """Why a game is no candidate any more."""


class Judge:
    """Takes the games of one source through stages."""

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self._source = source
        self._options = options
        self._stages: Dict[str, Callable[[Game, Row], None]] = {
            "translate": self._form, "proper": self._proper, "play": self._play, "search": self._search,
        }

    def run(self, stages: Tuple[str, ...], index: int) -> Tuple[Row, bytes]:
        """The columns that these stages determine, and the canonical form if "translate" is one of them."""
        row: Row = {"idx": index, "state": "open", "stage": stages[0]}
        form = b""
        try:
            game = self._translate(index, row)
            for stage in stages:
                row["stage"] = stage
                self._stages[stage](game, row)
            form = row.pop("text", b"")
        except Dropped as reason:
            row.update(state="dropped", reason=str(reason)[:200])
        except Error as error:
            row.update(state="dropped", reason=f"not playable: {_message(error)}"[:200])
        return row, form

    def _translate(self, index: int, row: Row) -> Game:
        seed = self._options["seed"]
        row["seed"] = f"{seed}/{index}"
        try:
            name, language, text = self._source.game(index, dice_of(seed, index))
        except MemoryError:
            raise
        except Exception as error:  # whatever a generator raises
            raise Dropped(f"the generator failed: {type(error).__name__}: {error}") from None
        row["name"] = name
        try:
            core = _core.load(text, name, language, {}, False)
            game = Game(core, name).optimize(self._options["level"])
        except Error as error:
            raise Dropped(f"not a game: {_message(error)}") from None
        row["language"] = language
        return game

    def _form(self, game: Game, row: Row) -> None:
        row["form"], text, complete = _core.canonical_form(game._core, self._options["form_work"])
        row["complete"] = int(complete)
        row["nodes"], row["edges"] = game._core.size
        row["text"] = zlib.compress(text, 6)

    def _proper(self, game: Game, row: Row) -> None:
        options = self._options
        if options["prove"]:
            report = _core.examine(game._core, 20_000, options["timeout"] / 10, options["proper_plays"], 1)
            answers = json.loads(report)["conditions"]
            row["proved"] = " ".join(answer["condition"] for answer in answers if answer["standing"] == "proved")
            refuted = next((answer for answer in answers if answer["standing"] == "refuted"), None)
            if refuted:
                raise Dropped(f"not proper: {refuted['text']} is refuted: {refuted['reason']}")
            return
        found = _core.violations(game._core, options["proper_plays"], 1, options["max_moves"], 2_000_000,
                                 100_000_000)
        if found:
            raise Dropped(f"not proper: {found[0]}")

    def _play(self, game: Game, row: Row) -> None:
        stats = game.playouts(self._options["plays"], seed=1, max_moves=self._options["max_moves"])
        ended = stats.playouts - stats.stopped
        row["length"], row["branching"] = round(stats.mean_length, 3), round(stats.mean_branching, 3)
        row["balance"] = round(stats.balance, 4)
        row["decided"] = round(sum(stats.wins.values()) / max(1, stats.playouts), 4)
        if 2 * ended < stats.playouts:
            raise Dropped(f"most plays at random do not end within {self._options['max_moves']} moves")
        if stats.mean_length < 4:
            raise Dropped("plays at random are over before the fourth move")
        if stats.mean_branching < 1.2:
            raise Dropped("there is hardly a choice in plays at random")
        if not row["decided"]:
            raise Dropped("nobody wins a play at random")
        row["score"] = round(score(row["length"], row["branching"], row["balance"], row["decided"]), 6)

    def _search(self, game: Game, row: Row) -> None:
        options = self._options
        found = analyze(game, count=options["matches"], simulations=options["simulations"], seed=1,
                        max_moves=options["max_moves"], depth=True)
        value = {key: figure.value for key, figure in found.figures.items()}
        row["search_length"] = round(value["length"], 3)
        row["search_balance"] = round(1 - abs(2 * value["first"] - 1), 4)
        row["search_draws"] = round(value["draws"], 4)
        row["depth"] = round(value.get("depth", 0.5), 4)
        decided = value["ended"] * (1 - value["draws"])
        row["final"] = round(score(value["length"], value["branching"], row["search_balance"], decided) * row["depth"], 6)


def _message(error: Error) -> str:
    return error.diagnostics[0].message if error.diagnostics else str(error).strip().split("\n")[0]


def score(length: float, branching: float, balance: float, decided: float) -> float:
    """Between 0 and 1. Lengths near 50 turns and 8 choices a turn are thought best."""
    long = math.exp(-(math.log(length / 50 + 1e-9) ** 2))
    choice = math.exp(-(math.log(branching / 8 + 1e-9) ** 2) / 2)
    return balance * decided * long * choice
