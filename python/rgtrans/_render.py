"""Pictures of positions, in the modes of Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import Any, Optional

from ._game import State
from ._surface import one_of

MODES = ("ansi", "svg", "rgb_array")


def mode_of(render_mode: Optional[str]) -> Optional[str]:
    """A mode that exists; None shows nothing."""
    return None if render_mode is None else one_of(render_mode, "render_mode", MODES)


def render(state: State, mode: str) -> Any:
    """The board as text ("ansi"), as a drawing ("svg"), or as an array of pixels, height x width x 3 ("rgb_array")."""
    if mode == "ansi":
        return state.board()
    if mode == "svg":
        return state.svg()
    from ._picture import pixels

    return pixels(state.svg())
