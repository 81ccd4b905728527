"""Variants of line games that were never played before, made by combining boards, setups and rules.

    python3 games/linegames/variants.py            writes variants/NAME.linegame, and NAME.perft where it is missing

Each is a definition in JSON, so the command line plays it without Python:

    rgtrans perft --depth 4 games/linegames/variants/wheel-single-mandatory.linegame
"""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "variants"
MOST = 100_000  # leaves of the deepest line of a sidecar


def place(player, **where):
    return {"player": player, **where}


BOARDS = {
    "alquerque": (
        {"kind": "alquerque", "width": 5, "height": 5},
        [{"halves": {"north": "black", "middle_row": "west-north"}}],
    ),
    "wheel": (
        {"kind": "circle", "spokes": 6, "rings": 3},
        [place("white", spokes=[0, 1, 2]), place("black", spokes=[3, 4, 5])],
    ),
    "squares": (
        {"kind": "square_with_diagonals", "squares_x": 2, "squares_y": 2},
        [place("black", rows={"first": 2}), place("white", rows={"last": 2})],
    ),
    "star": (
        {"kind": "alquerque", "width": 3, "height": 3, "triangles": [{"side": s, "rows": 2} for s in ("N", "E", "S", "W")]},
        [place("white", triangle="S"), place("white", triangle="W"), place("black", triangle="N"), place("black", triangle="E")],
    ),
}
GRID = {"kind": "grid", "width": 4, "height": 5}
FACING = [place("black", rows={"first": 1}), place("white", rows={"last": 1})]


def definition(name, board, pieces, **rules):
    return {"name": name, "board": board, "pieces": pieces, "rules": rules}


def games():
    """All definitions, by name."""
    result = {}

    def add(name, board, pieces, **rules):
        result[name] = definition(name, board, pieces, **rules)

    for board, (shape, pieces) in BOARDS.items():
        for captures in ("optional", "mandatory"):
            for sequence in ("single", "whole", "stepwise"):
                add(f"{board}-{sequence}-{captures}", shape, pieces, captures=captures, sequence=sequence, max_turns=60)
    forward = dict(steps="forward", jumps="not-backward", max_turns=60)
    add("race", GRID, FACING, captures="none", steps="forward", goals="far-row", max_turns=40)
    add("race-with-captures", GRID, FACING, captures="optional", goals="far-row", **forward)
    add("draughts", GRID, FACING, captures="mandatory", sequence="whole", promotion="far-row", **forward)
    add("draughts-flying-kings", GRID, FACING, captures="mandatory", sequence="whole", promotion="far-row", flying="kings", **forward)
    add("flying-wheel", *BOARDS["wheel"], captures="optional", flying="all", stagnation=10)
    add("last-three", *BOARDS["squares"], captures="mandatory", sequence="whole", min_pieces=3, stagnation=20)
    add("block-to-win", *BOARDS["star"], captures="none", no_move="win", max_turns=40, on_limit="draw")
    add("black-first", *BOARDS["alquerque"], captures="mandatory", sequence="stepwise", first="black", scores=[1, 0, 0], max_turns=60)
    return result


def perft(text):
    """The lines of a sidecar."""
    import rgtrans

    game = rgtrans.load(text, "linegames").optimize()
    for depth in range(12):
        count = game.perft(depth)
        if count > MOST:
            break
        yield f"{depth}\t{count}\n"


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, game in games().items():
        text = json.dumps(game, indent=2) + "\n"
        (FOLDER / f"{name}.linegame").write_text(text)
        sidecar = FOLDER / f"{name}.perft"
        if not sidecar.exists():
            sidecar.write_text("".join(perft(text)))


if __name__ == "__main__":
    main()
