"""Random line games: a board, pieces and rules, each choice drawn by itself."""

from __future__ import annotations

import random
from typing import Any, Dict

from .linegames import BLACK, WHITE, E, LineGame, N, S, W


def random_line_game(dice: random.Random) -> LineGame:
    """A line game. Every board has room for the pieces that are drawn for it."""
    choose = dice.choice
    game = LineGame()
    kind = choose(("alquerque", "alquerque", "grid", "squares", "circle", "triangles"))
    if kind == "circle":
        spokes, rings = choose((4, 6, 8)), choose((1, 2, 3, 4))
        game.circle(spokes, rings).spokes(WHITE, range(spokes // 2)).spokes(BLACK, range(spokes // 2, spokes))
        title = f"wheel {spokes}x{rings}"
    elif kind == "triangles":
        north, south = choose((3, 4, 5)), choose((3, 4, 5))
        game.point().attach_triangle(N, height=north).attach_triangle(S, height=south)
        game.triangle(BLACK, N).triangle(WHITE, S)
        title = f"triangles {north},{south}"
    else:
        if kind == "alquerque":
            width, height = choose((3, 5, 7)), choose((3, 5, 7))
            game.alquerque(width, height)
        elif kind == "grid":
            width, height = choose((3, 4, 5, 6)), choose((4, 5, 6))
            game.grid(width, height)
        else:
            width, height = choose((1, 2, 3)), choose((2, 3))
            game.square_with_diagonals(width, height)
            width, height = 2 * width + 1, 2 * height + 1
        title = f"{kind} {width}x{height}"
        tails = choose(((), (), (), (N, S), (E, W), (N, E, S, W))) if kind == "alquerque" else ()
        for side in tails:
            game.attach_triangle(side, height=3)
        most = (height - 1) // 2
        if kind == "alquerque" and dice.random() < 0.3:
            game.halves(BLACK, choose(("empty", "west-north", "east-north")))
        else:
            game.rows(BLACK, first=dice.randint(1, most)).rows(WHITE, last=dice.randint(1, most))
        if N in tails:
            game.triangle(BLACK, N).triangle(WHITE, S)
        title += f" with {len(tails)} triangles" if tails else ""
    has_rows = kind not in ("circle", "triangles")
    promotion = choose((None, "far-row")) if has_rows else None
    rules: Dict[str, Any] = {
        "captures": choose(("optional", "mandatory")),
        "sequence": choose(("single", "whole", "stepwise")),
        "steps": choose(("any", "forward", "not-backward")),
        "jumps": choose(("any", "any", "forward", "not-backward")),
        "flying": choose(("none", "kings", "all") if promotion else ("none", "none", "all")),
        "promotion": promotion,
        "goals": choose((None, None, "far-row")) if has_rows else None,
        "min_pieces": choose((1, 1, 2)),
        "no_move": choose(("loss", "loss", "draw", "win")),
        "on_limit": choose(("majority", "draw")),
        "first": choose((WHITE, BLACK)),
    }
    game.rules(**rules)
    limits = {"max_turns": choose((30, 40, 60, 80, 100, 120)), "stagnation": choose((None, 10, 20, 30))}
    game.limits(**limits)
    words = [f"{name} {value}" for name, value in {**rules, **limits}.items() if value is not None]
    game.name = f"{title}; {', '.join(words)}"
    return game
