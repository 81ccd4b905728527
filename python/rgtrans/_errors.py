"""Errors: mistakes in game descriptions (Error) and in arguments (ArgumentError)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Optional, Tuple

__all__ = ["ArgumentError", "Diagnostic", "Error", "Note", "ProofError", "UsageError"]


@dataclass(frozen=True)
class Note:
    """A second place that explains a diagnostic, such as "first defined here"."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Diagnostic:
    """One mistake or warning. Lines and columns count from 1; line 0 means that no place is known."""

    severity: str
    message: str
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    notes: Tuple[Note, ...] = field(default=())

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity}: {self.message}{hint}"


def parse_diagnostics(text: str) -> Tuple[Diagnostic, ...]:
    """Diagnostics from the JSON form that the command line writes, too."""
    result = []
    for item in json.loads(text):
        notes = tuple(
            Note(n["message"], n.get("file") or "", n.get("line") or 0, n.get("column") or 0)
            for n in item.get("notes", ())
        )
        result.append(
            Diagnostic(
                severity=item["severity"],
                message=item["message"],
                hint=item.get("hint") or "",
                file=item.get("file") or "",
                line=item.get("line") or 0,
                column=item.get("column") or 0,
                end_line=item.get("end_line") or 0,
                end_column=item.get("end_column") or 0,
                notes=notes,
            )
        )
    return tuple(result)


class Error(ValueError):
    """A game description is wrong, or cannot be read or played. All errors of this package are of this class.

    ``str(error)`` is the message of the command line: each mistake with its line and a caret.
    ``error.diagnostics`` has the same as a tuple of :class:`Diagnostic`; ``error.line`` and so on are those of the
    first one.
    """

    def __init__(self, rendered: str, diagnostics_json: str = "[]") -> None:
        super().__init__(rendered, diagnostics_json)
        self.rendered = rendered
        self.diagnostics = parse_diagnostics(diagnostics_json)

    def __str__(self) -> str:
        # A source line begins a line of the traceback, so that the caret is below its character.
        text = self.rendered.rstrip("\n")
        return "\n" + text if self.line else text

    @property
    def first(self) -> Optional[Diagnostic]:
        """The first diagnostic that is an error."""
        for diagnostic in self.diagnostics:
            if diagnostic.severity == "error":
                return diagnostic
        return None

    @property
    def file(self) -> str:
        return self.first.file if self.first else ""

    @property
    def line(self) -> int:
        return self.first.line if self.first else 0

    @property
    def column(self) -> int:
        return self.first.column if self.first else 0


class ProofError(Error):
    """A claim of a proof did not hold in a play of a game that was loaded with ``assert_proofs=True``.

    Nothing is wrong with the game; the message names the rewrite that relied on the claim.
    """


class ArgumentError(Error):
    """A wrong argument: the message names the mistake and the allowed values."""

    def __init__(self, message: str, parameter: str = "", hint: str = "") -> None:
        ValueError.__init__(self, message, parameter, hint)
        self.rendered = self.message = message
        self.diagnostics = ()
        self.parameter = parameter
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UsageError(ArgumentError):
    """An object cannot do this now: an environment before ``reset()``, in two threads at once, or in a forked child."""


for _class in (ArgumentError, Diagnostic, Error, Note, ProofError, UsageError):
    _class.__module__ = "rgtrans"  # as in _surface.published, which knows these classes
