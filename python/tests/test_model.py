"""The generated program and the direct model of the rules agree: on move texts, on outcomes, on counts."""

import random
import runpy
from pathlib import Path

import pytest

from model import DRAW, LOSS, WIN, Model
from rgtrans.linegames import BLACK, WHITE, E, LineGame, N, NE, S, SW, W

FOLDER = Path(__file__).resolve().parents[2] / "games" / "linegames"
VARIANTS = runpy.run_path(str(FOLDER / "variants.py"))["games"]()
LEAVES = 3000


def compare(line_game, plays=6, moves=60):
    model = Model(line_game)
    game = line_game.game()
    for depth in range(1, 12):
        count = game.perft(depth)
        if count > LEAVES:
            break
        assert model.perft(depth) == count, f"depth {depth}"
    generator = random.Random(7)
    high, low = max(game.scores()), min(game.scores())
    for _ in range(plays):
        state, ours = game.new_state(), model._begin(dict(model.start), model.rules["first"], 0, 0)
        for _ in range(moves):
            expected = model.moves(ours)
            assert sorted(state.legal_moves()) == sorted(expected)
            assert state.is_terminal() == (ours[0] == "over")
            if state.is_terminal():
                white = state.returns()[game.players.index(WHITE)]
                assert {WIN: white == high, LOSS: white == low, DRAW: low <= white <= high}[ours[1]]
                break
            move = generator.choice(state.legal_moves())
            state.apply(move)
            ours = expected[move]


@pytest.mark.parametrize("name", VARIANTS)
def test_variants(name):
    import json

    compare(LineGame.from_json(json.dumps(VARIANTS[name])))


def random_game(seed):
    """Any board, any pieces, any rules."""
    r = random.Random(seed)
    game = LineGame(f"random {seed}")
    kind = r.randrange(5)
    if kind == 0:
        game.alquerque(r.choice([3, 5]), r.choice([3, 5]))
    elif kind == 1:
        game.grid(r.randint(2, 5), r.randint(2, 5))
    elif kind == 2:
        game.circle(r.choice([2, 4, 6, 8]), r.randint(1, 3))
    elif kind == 3:
        game.square_with_diagonals(r.randint(1, 2), r.randint(1, 2))
    else:
        one, two = r.choice([(N, S), (W, E), (NE, SW)])
        game.point().attach_triangle(one, rows=2).attach_triangle(two, rows=3)
    if kind in (0, 1, 4) and r.random() < 0.3:
        game.add_point("extra", {r.choice([NE, "L"]): game.points[-1]} if kind == 1 else {"R": game.points[-1]})
    points = list(game.points)
    r.shuffle(points)
    count = r.randint(1, max(1, len(points) // 3))
    kings = r.random() < 0.3
    for player, some in ((WHITE, points[:count]), (BLACK, points[count : 2 * count])):
        game.put(player, *some)
        if kings:
            game.put(player, some[0], king=True, replace=True)
    captures = r.choice(["none", "optional", "mandatory"])
    sequence = "single" if captures == "none" else r.choice(["single", "whole", "stepwise"])
    promotion = {WHITE: r.sample(points, 2), BLACK: r.sample(points, 2)} if r.random() < 0.3 else None
    flying = r.choice(["none", "all", "kings" if kings or promotion else "none"])
    goals = {WHITE: r.sample(points, 1), BLACK: r.sample(points, 1)} if r.random() < 0.2 else None
    movement = ["any", "any", "forward", "not-backward"]
    game.rules(
        captures=captures, sequence=sequence, flying=flying, promotion=promotion, goals=goals,
        no_move=r.choice(["loss", "draw", "win"]), on_limit=r.choice(["majority", "draw"]),
        first=r.choice([WHITE, BLACK]), min_pieces=r.choice([0, 0, min(2, count)]),
    )
    for rule in ("steps", "jumps"):
        choice = r.choice(movement)
        if choice != "any" and kind != 1:
            game.rules(**{rule: choice})
            try:
                game.check()
            except ValueError:
                game.rules(**{rule: "any"})
    return game.limits(r.choice([None, 3]), r.randint(4, 20))


@pytest.mark.parametrize("seed", range(120))
def test_random_games(seed):
    compare(random_game(seed), plays=3, moves=30)
