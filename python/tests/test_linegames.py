"""The builder of line games."""

import copy
import pickle
import subprocess
import sys
import xml.dom.minidom

import pytest

import rgtrans
from rgtrans.linegames import *
from rgtrans.linegames import LineGame


def small():
    return LineGame("small").alquerque(3, 3).rows(BLACK, first=1).rows(WHITE, last=1)


def test_the_published_example():
    game = (
        LineGame()
        .alquerque(5, 5)
        .attach_triangle(N, height=3)
        .attach_triangle(S, height=3)
        .halves(north=BLACK, middle_row="west-north")
        .triangle(BLACK, N)
        .triangle(WHITE, S)
        .rules(captures="optional", sequence="stepwise")
        .limits(max_turns=1250)
    )
    assert len(game.points) == 37 and game.edge_count == 152
    assert sorted(game.pieces.values()).count(WHITE) == 18
    assert [game.game().perft(d) for d in range(1, 5)] == [4, 8, 33, 210]


def test_questions():
    game = small()
    assert game.at(1, 2) == "cy1x2"
    assert game.neighbour("cy0x0", SE) == "cy1x1"
    assert game.neighbour("cy0x0", N) is None
    assert game.directions == ("north", "east", "south", "west", "northeast", "northwest", "southeast", "southwest")
    assert ("cy0x0", "cy1x1", "cy2x2") in game.lines()
    assert game.attach_triangle(N, rows=2).triangle_point(N, 1, 0) == "tnorthvy1x0"
    assert repr(small()) == "<LineGame 'small': 9 points, 8 lines; 3 white, 3 black; captures optional, single; 100 turns>"
    assert rotate(N, 90) == E and rotate("W", -45) == SW and reverse(NE) == SW and reverse(R) == L


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: LineGame().alquerque(4, 5), "width must be odd, not 4; allowed: 1, 3, 5"),
        (lambda: LineGame().circle(5, 2), "spokes must be an even number up to 8, not 5; allowed: 2, 4, 6, 8"),
        (lambda: LineGame().grid(3, 3).grid(3, 3), "already has a grid board"),
        (lambda: small().attach_triangle("up", 3), "side cannot be 'up'; allowed: north, "),
        (lambda: small().attach_triangle(N), "give either height or rows"),
        (lambda: small().attach_triangle(N, height=1), "height cannot be 1; allowed: 2 and more"),
        (lambda: small().rows("red", first=1), "player cannot be 'red'; allowed: white, black"),
        (lambda: small().put(WHITE, "cy0x0"), "already a black piece on 'cy0x0'; set replace"),
        (lambda: small().put(WHITE, "cy9x9"), "there is no point 'cy9x9'"),
        (lambda: small().rules(captures="maybe"), "captures cannot be 'maybe'; allowed: none, optional, mandatory"),
        (lambda: small().rules(captures=True), "captures must be a text; allowed: none, optional, mandatory"),
        (lambda: small().rules(promotion=3), "promotion cannot be that; allowed: 'far-row'"),
        (lambda: LineGame().circle(4, 2).rules(promotion="far-row"), "a circle board has no far row"),
        (lambda: small().limits(max_turns=0).to_hrg(), "max_turns must be a number of turns, not 0; allowed: 1 to"),
        (lambda: LineGame().grid(3, 3).to_hrg(), "white has no pieces"),
        (lambda: LineGame().to_hrg(), "a board needs at least two points"),
        (lambda: small().rules(flying="kings").to_hrg(), "in a game without kings"),
        (lambda: small().save("a.txt"), "cannot be saved as '.txt'; allowed: .linegame"),
        (lambda: rotate(R, 90), "cannot be turned; allowed: north"),
    ],
)
def test_wrong_arguments_say_what_is_allowed(call, message):
    with pytest.raises(rgtrans.ArgumentError) as caught:
        call()
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: LineGame().grid("3", 3), "width must be an int, not str"),
        (lambda: small().put(1, "cy0x0"), "player must be a str, not int"),
        (lambda: small().rules(scores="high"), "scores cannot be 'high'; allowed: three whole numbers"),
        (lambda: small().limits(max_turns=10**12), "max_turns cannot be 1000000000000"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_definitions_in_json():
    game = small().rules(promotion="far-row", flying="kings", goals={WHITE: ["cy0x1"]}).put(WHITE, "cy1x1", king=True)
    again = LineGame.from_json(game.to_json())
    assert again == game and again.to_hrg() == game.to_hrg()
    assert rgtrans.load(game.to_json(), "linegames").perft(2) == game.game().perft(2)
    with pytest.raises(rgtrans.Error) as caught:
        LineGame.from_json('{\n "board": {"kind": "alquerque", "width": 4, "height": 5},\n "pieces": []}', "x.json")
    assert caught.value.line == 2 and "x.json:2:42" in str(caught.value)
    assert "width must be odd" in str(caught.value)


def test_copies_are_independent():
    game = small()
    for clone in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert clone == game
        clone.put(WHITE, "cy1x1")
        assert "cy1x1" not in game.pieces and clone != game


def test_drawing():
    game = LineGame("<board>").circle(6, 3).spokes(WHITE, range(3)).spokes(BLACK, range(3, 6))
    document = xml.dom.minidom.parseString(game.svg())
    assert document.documentElement.tagName == "svg"
    assert len(document.getElementsByTagName("circle")) == 19
    assert len(document.getElementsByTagName("path")) == 18
    assert game._repr_svg_() == game.svg()


def test_saving(tmp_path):
    game = small()
    for extension in ("hrg", "rg", "json", "svg"):
        path = tmp_path / f"game.{extension}"
        game.save(path)
        assert path.read_text()
    assert rgtrans.load(tmp_path / "game.hrg").perft(2) == rgtrans.load(tmp_path / "game.rg").perft(2)


def test_boards_can_be_combined():
    game = LineGame("two rings").circle(4, 2)
    game.merge(LineGame().grid(3, 1), glue={"cy0x0": "cy2x0"}, prefix="tail")
    assert len(game.points) == 9 + 2 and game.neighbour("cy2x0", E) == "tailcy0x1"
    game.remove_point("cy1x1")
    assert game.neighbour("cy0x0", E) is None


# --- Rules: small cases counted by hand. ---


def moves(game, *played):
    state = game.game().new_state()
    for move in played:
        state.apply(move)
    return state


def line(*pieces, length=5, **rules):
    """A board of one row; pieces are (player, column) or (player, column, True) for a king."""
    game = LineGame().grid(length, 1)
    for player, column, *king in pieces:
        game.put(player, f"cy0x{column}", king=bool(king))
    return game.rules(**rules)


def test_optional_captures():
    game = line((WHITE, 1), (BLACK, 2))
    assert sorted(moves(game).legal_moves()) == ["cy0x1 CAPTURE east", "cy0x1 NORMAL west"]
    end = moves(game, "cy0x1 CAPTURE east")
    assert end.is_terminal() and end.goals() == {"white": "100", "black": "0"}


def test_mandatory_captures():
    assert moves(line((WHITE, 1), (BLACK, 2), captures="mandatory")).legal_moves() == ["cy0x1 CAPTURE east"]


def test_no_captures():
    game = line((WHITE, 1), (BLACK, 2), captures="none")
    assert moves(game).legal_moves() == ["cy0x1 NORMAL west"]


def test_sequences():
    pieces = [(WHITE, 0), (BLACK, 1), (BLACK, 3)]
    whole = line(*pieces, captures="mandatory", sequence="whole")
    assert moves(whole).legal_moves() == ["cy0x0 CAPTURE east east"]
    free = line(*pieces, captures="optional", sequence="whole")
    assert sorted(moves(free).legal_moves()) == ["cy0x0 CAPTURE east", "cy0x0 CAPTURE east east"]
    stepwise = line(*pieces, captures="mandatory", sequence="stepwise")
    assert moves(stepwise, "cy0x0 CAPTURE east").legal_moves() == ["east"]
    passing = line(*pieces, captures="optional", sequence="stepwise")
    state = moves(passing, "cy0x0 CAPTURE east")
    assert state.current_player == "white" and sorted(state.legal_moves()) == ["PASS", "east"]
    assert state.apply("PASS").current_player == "black"
    assert state.undo().apply("east").is_terminal()


def test_forward_movement():
    game = LineGame().grid(3, 3).put(WHITE, "cy1x1").put(BLACK, "cy0x0")
    assert sorted(moves(game.copy().rules(steps="forward")).legal_moves()) == ["cy1x1 NORMAL north"]
    sideways = game.copy().rules(steps="not-backward")
    assert sorted(moves(sideways).legal_moves()) == ["cy1x1 NORMAL east", "cy1x1 NORMAL north", "cy1x1 NORMAL west"]
    behind = LineGame().grid(1, 4).put(WHITE, "cy1x0").put(BLACK, "cy2x0")
    assert "cy1x0 CAPTURE south" in moves(behind).legal_moves()
    assert moves(behind.copy().rules(jumps="forward")).legal_moves() == ["cy1x0 NORMAL north"]


def test_promotion_and_kings():
    game = LineGame().grid(3, 3).put(WHITE, "cy1x1").put(BLACK, "cy0x0")
    game.rules(steps="forward", promotion="far-row")
    state = moves(game, "cy1x1 NORMAL north")
    state.apply("cy0x0 NORMAL south")
    assert "cy0x1 NORMAL south" in state.legal_moves()  # a king goes back


def test_flying():
    game = line((WHITE, 0), (BLACK, 3), length=6, flying="all")
    assert sorted(moves(game).legal_moves()) == [
        "cy0x0 CAPTURE east cy0x4",
        "cy0x0 CAPTURE east cy0x5",
        "cy0x0 NORMAL east cy0x1",
        "cy0x0 NORMAL east cy0x2",
    ]
    kings = line((WHITE, 0, True), (WHITE, 5), (BLACK, 3), length=6, flying="kings")
    assert [m for m in sorted(moves(kings).legal_moves()) if m.startswith("cy0x5")] == ["cy0x5 NORMAL west cy0x4"]
    assert "cy0x0 NORMAL east cy0x2" in moves(kings).legal_moves()


def test_flying_round_a_circle_ends():
    game = LineGame().circle(4, 1).put(WHITE, "cy1x0").put(BLACK, "cy1x2").rules(flying="all")
    found = moves(game).legal_moves()
    assert "cy1x0 NORMAL right cy1x1" in found and "cy1x0 CAPTURE right cy1x3" in found
    assert len(found) == len(set(found))


def test_goals_and_few_pieces_decide():
    race = LineGame().grid(2, 3).put(WHITE, "cy1x0").put(BLACK, "cy1x1").rules(goals={WHITE: ["cy0x0"], BLACK: ["cy2x1"]})
    assert moves(race, "cy1x0 NORMAL north").goals() == {"white": "100", "black": "0"}
    bare = line((WHITE, 0), (WHITE, 5), (BLACK, 1), (BLACK, 3), length=6, min_pieces=2)
    assert moves(bare, "cy0x0 CAPTURE east").goals() == {"white": "100", "black": "0"}


def test_limits():
    draw = line((WHITE, 0), (BLACK, 4)).limits(max_turns=2)
    state = moves(draw, "cy0x0 NORMAL east", "cy0x4 NORMAL west")
    assert state.is_terminal() and state.returns() == [50.0, 50.0]
    majority = line((WHITE, 0), (BLACK, 4), (BLACK, 3)).limits(stagnation=1)
    assert moves(majority, "cy0x0 NORMAL east").goals() == {"white": "0", "black": "100"}
    even = line((WHITE, 0), (BLACK, 4), (BLACK, 3), on_limit="draw").limits(stagnation=1)
    assert moves(even, "cy0x0 NORMAL east").goals() == {"white": "50", "black": "50"}


def test_no_move():
    stuck = [(WHITE, 0), (BLACK, 1), (BLACK, 2)]
    for rule, white in (("loss", "0"), ("draw", "50"), ("win", "100")):
        assert moves(line(*stuck, no_move=rule)).goals()["white"] == white


def test_first_and_scores():
    game = line((WHITE, 0), (BLACK, 4), first=BLACK, scores=(2, 1, 0))
    assert moves(game).current_player == BLACK
    assert game.game().scores() == [1.0, 0.0, 2.0]


def test_python_files_become_files_to_read(tmp_path):
    source = tmp_path / "small.py"
    source.write_text("from rgtrans.linegames import *\ngame = LineGame('small').grid(3, 3).rows(BLACK, first=1).rows(WHITE, last=1)\n")
    command = [sys.executable, "-m", "rgtrans", str(source), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    written = tmp_path / "out" / "small.linegame"
    assert done.stdout.strip() == str(written)
    assert LineGame.from_json(written.read_text()).game().perft(2) > 0
    source.write_text("game = 1\n")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "defines no line game" in done.stderr


def test_a_misspelt_keyword_is_told_the_right_one():
    with pytest.raises(TypeError, match="has no parameter 'widht'; did you mean 'width'"):
        LineGame().grid(widht=3, height=3)
    with pytest.raises(TypeError, match=r"LineGame\(\) has no parameter 'nam'; did you mean 'name'"):
        LineGame(nam="mine")
    assert repr(LineGame().grid(width=3, height=3)) == repr(LineGame().grid(3, 3))


def test_definitions_are_saved_as_line_games(tmp_path):
    path = tmp_path / "small.linegame"
    game = small()
    game.save(path)
    assert LineGame.from_json(path.read_text()) == game
