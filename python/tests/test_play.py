"""Games and states of play."""

import copy
import math
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import rgtrans


def play(state, *moves):
    for move in moves:
        state.apply(move)
    return state


def test_perft(tic_tac_toe):
    assert [tic_tac_toe.perft(depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert tic_tac_toe.optimize().perft(5) == 15120
    assert tic_tac_toe.new_state().apply("R__1 C__1").perft(1) == 8
    assert tic_tac_toe.perft(2, walks=True) == 72


def test_scores_with_a_constructor_are_numbers():
    game = rgtrans.load(
        "type Player = { p }; type Score = { S__0, S__4, won };\nbegin, s: player = p; s, t: $ a; t, u: $ b;\n"
        "t, v: $ c; u, w: goals[p] = S__4; v, w: goals[p] = won; w, end: player = keeper;",
        "rg",
    )
    assert game.scores() == [0.0, 4.0]
    assert game.new_state().apply("a b").returns() == [4.0]
    assert math.isnan(game.new_state().apply("a c").returns()[0])


def test_a_play(tic_tac_toe):
    state = tic_tac_toe.new_state()
    assert tic_tac_toe.players == ("x", "o")
    assert state.current_player == "x"
    assert state.legal_moves()[0] == "R__0 C__0"
    play(state, "R__0 C__0", "R__1 C__0", "R__0 C__1", "R__1 C__1")
    assert not state.is_terminal()
    state.apply("R__0 C__2")
    assert state.is_terminal()
    assert state.legal_moves() == []
    assert state.returns() == [100.0, 0.0]
    assert state.goals() == {"x": "100", "o": "0"}
    assert repr(state) == "<rgtrans.State of 'tic-tac-toe' after 5 moves: x 100, o 0>"


def test_undo_takes_back_whole_turns(tic_tac_toe):
    state = tic_tac_toe.new_state()
    before = state.copy()
    state.apply(0)
    assert state != before
    assert state.undo() == before
    assert state.history == ()
    with pytest.raises(IndexError, match="no move to take back"):
        state.undo()
    # From the end back to the start.
    play(state, "R__0 C__0", "R__1 C__0", "R__0 C__1", "R__1 C__1", "R__0 C__2")
    for _ in range(5):
        state.undo()
    assert state == before


def test_states_are_values(tic_tac_toe):
    one = play(tic_tac_toe.new_state(), "R__0 C__0", "R__2 C__2")
    two = play(tic_tac_toe.new_state(), "R__0 C__0", "R__2 C__2")
    assert one == two and hash(one) == hash(two)
    assert len({one, two}) == 1
    assert one != play(tic_tac_toe.new_state(), "R__0 C__0", "R__2 C__1")
    for clone in (copy.copy(one), copy.deepcopy(one), one.child(0).undo(), pickle.loads(pickle.dumps(one))):
        assert clone == one and clone.history == one.history
    assert len(dict(one.children())) == 7


def test_positions_are_states_without_leftovers(tic_tac_toe):
    states = [tic_tac_toe.new_state()]
    for _ in range(4):
        states = [child for state in states for _, child in state.children()]
    assert len({state.canonical_hash() for state in states}) == 756
    assert len(set(states)) >= 756
    by_hash = {}
    for state in states:
        assert state.same_position(by_hash.setdefault(state.canonical_hash(), state))
    one, other = list(by_hash.values())[:2]
    assert not one.same_position(other)


def test_moves_from_strangers(tic_tac_toe):
    state = tic_tac_toe.new_state()
    first = state.legal_moves()[0]
    assert state.find_move(first) == 0 and state.is_legal(first) and state.is_legal(0)
    assert state.find_move("nowhere") is None and not state.is_legal("nowhere") and not state.is_legal(9)
    assert not state.apply_checked("nowhere") and state.history == ()
    assert state.apply_checked(first) and state.history == (0,)
    assert not state.apply_checked(first)


def test_games_are_values(tic_tac_toe):
    again = pickle.loads(pickle.dumps(tic_tac_toe))
    assert again == tic_tac_toe and hash(again) == hash(tic_tac_toe)
    assert again.name == tic_tac_toe.name
    assert tic_tac_toe != tic_tac_toe.optimize()


def test_wrong_moves_say_what_is_legal(tic_tac_toe):
    state = tic_tac_toe.new_state()
    with pytest.raises(ValueError, match=r"'R__9 C__9' is not a legal move; legal: 'R\(0\) C\(0\)', .*, \.\.\."):
        state.apply("R__9 C__9")
    with pytest.raises(ValueError, match="there is no move 9; allowed: 0 to 8"):
        state.apply(9)
    with pytest.raises(TypeError, match="a move is a str or an int, not float"):
        state.apply(1.5)
    with pytest.raises(ValueError, match="there is no player 'z'; allowed: x, o"):
        state.observation("z")
    assert state.history == ()


def test_wrong_arguments_say_what_is_allowed(tic_tac_toe):
    with pytest.raises(ValueError, match="there is no engine 'gpu'; allowed: interpreter, cpp"):
        tic_tac_toe.new_state("gpu")
    with pytest.raises(ValueError, match="level cannot be 7; allowed: 0, 1, 2"):
        tic_tac_toe.optimize(7)
    with pytest.raises(ValueError, match="no form 'pdf'; allowed: rg"):
        tic_tac_toe.to("pdf")
    with pytest.raises(ValueError, match="depth cannot be -1"):
        tic_tac_toe.perft(-1)
    with pytest.raises(ValueError, match="either count or seconds"):
        tic_tac_toe.playouts()
    with pytest.raises(ValueError, match="jobs cannot be 0; allowed: 1 to 1024"):
        tic_tac_toe.playouts(10, jobs=0)


def test_playouts(tic_tac_toe):
    stats = tic_tac_toe.playouts(2000)
    assert stats.playouts == 2000
    assert 5 <= stats.min_length <= stats.mean_length <= stats.max_length <= 9
    assert stats.wins["x"] > stats.wins["o"] > 0
    assert sum(stats.mean_goals.values()) == pytest.approx(100)
    assert 0 < stats.balance < 1
    threaded = tic_tac_toe.playouts(2001, jobs=3, seed=5)
    assert threaded.playouts == 2001
    assert threaded.wins == tic_tac_toe.playouts(2001, jobs=3, seed=5).wins
    assert tic_tac_toe.playouts(seconds=0.05).playouts > 0


def test_playouts_release_the_lock(tic_tac_toe):
    counter = 0
    running = True

    def count():
        nonlocal counter
        while running:
            counter += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counter
    tic_tac_toe.playouts(seconds=0.2)
    after = counter
    running = False
    thread.join()
    assert after > before + 1000


def test_both_engines_agree(tic_tac_toe, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rgtrans.engines() == ("interpreter", "cpp")
    game = tic_tac_toe.optimize()
    for depth in range(6):
        assert game.perft(depth, engine="cpp") == game.perft(depth)
    one, two = game.new_state(), game.new_state("cpp")
    while not one.is_terminal():
        assert two.current_player == one.current_player
        assert sorted(two.legal_moves()) == sorted(one.legal_moves())
        move = one.legal_moves()[-1]
        one.apply(move)
        two.apply(move)
        assert two.observation(0) == one.observation(0)
    assert two.is_terminal() and two.returns() == one.returns()
    assert pickle.loads(pickle.dumps(two)) == two
    assert two.undo().copy() == two
    assert game.playouts(1000, engine="cpp", jobs=2).playouts == 1000


GDL = Path(__file__).resolve().parents[2] / "games" / "gdl"


@pytest.mark.parametrize("name", ["tic-tac-toe.kif", "connect-four.kif", "monty-hall.kif", "prisoners-dilemma.kif"])
def test_the_rules_of_gdl_are_played_as_they_are(name):
    game = rgtrans.load(GDL / name)
    assert game.engines == ("interpreter", "cpp", "rules")
    assert rgtrans.engines() == ("interpreter", "cpp")
    small = game.optimize()
    assert small.engines == game.engines
    depth = 4 if name == "connect-four.kif" else 3
    if not game.has_chance:  # elsewhere the automaton counts equal states behind moves of random once
        assert small.perft(depth, engine="rules") == game.perft(depth)
    followed = game.new_state("rules")
    while not followed.is_terminal():
        assert followed.current_player in (*game.players, "random")
        followed.apply(followed.legal_moves()[-1])
    assert followed.current_player == "keeper"
    assert list(followed.goals()) == list(game.players) and all(0 <= goal <= 100 for goal in followed.returns())
    again = pickle.loads(pickle.dumps(followed))
    assert again == followed and again.game.engines == game.engines
    assert followed.undo().move_count > 0 and followed != again
    stats = game.playouts(20, engine="rules")
    assert stats.playouts == 20 and stats.stopped == 0


def test_the_rules_play_the_same_game():
    """Sums of outcomes over all plays, for both engines."""
    game = rgtrans.load(GDL / "prisoners-dilemma.kif")

    def outcomes(state):
        if state.is_terminal():
            return [tuple(state.returns())]
        return [outcome for _, child in state.children() for outcome in outcomes(child)]

    assert sorted(outcomes(game.new_state("rules"))) == sorted(outcomes(game.new_state()))


def test_the_engine_rules_says_what_it_lacks(tic_tac_toe):
    assert tic_tac_toe.engines == ("interpreter", "cpp")
    with pytest.raises(rgtrans.ArgumentError, match="needs a description in GDL"):
        tic_tac_toe.new_state("rules")
    state = rgtrans.load(GDL / "tic-tac-toe.kif").new_state("rules")
    assert state.shown_moves() == state.legal_moves()
    with pytest.raises(rgtrans.ArgumentError, match="no drawing"):
        state.board()
    with pytest.raises(rgtrans.ArgumentError, match="not a legal move"):
        state.apply("(mark 9 9)")
    with pytest.raises(rgtrans.ArgumentError, match="have no numbers"):
        rgtrans.ActionSpace(state.game).legal(state)
    with pytest.raises(rgtrans.Error, match="proves nothing"):
        rgtrans.load(GDL / "tic-tac-toe.kif", assert_proofs=True).new_state("rules")


def test_hidden_moves_are_not_observed(pennies):
    assert pennies.has_hidden_information and pennies.has_chance
    state = pennies.new_state()
    assert state.current_player == "random"
    assert state.chance_outcomes() == [("heads", 0.5), ("tails", 0.5)]
    play(state, "tails", "heads", "tails")
    assert state.observation("chooser") == [("random", "tails"), ("chooser", "heads"), ("guesser", "tails")]
    assert state.observation("guesser") == [("random", "tails"), ("chooser", ""), ("guesser", "tails")]
    assert state.observation_string(0) == "random: tails\nchooser: heads\nguesser: tails"
    assert state.returns() == [1.0, 0.0]


def test_text_forms(tic_tac_toe):
    text = tic_tac_toe.to("rg")
    assert rgtrans.load(text, "rg") == tic_tac_toe
    assert tic_tac_toe.to("dot").startswith("digraph")
    assert tic_tac_toe.stats()["nodes"] > 10
    assert not math.isnan(tic_tac_toe.optimize().optimization["seconds"])


def test_loading_from_files(tmp_path, tic_tac_toe):
    path = tmp_path / "game.rg"
    tic_tac_toe.save(path)
    for given in (path, str(path)):
        game = rgtrans.load(given)
        assert game == tic_tac_toe and game.name == "game"
    with pytest.raises(FileNotFoundError):
        rgtrans.load(tmp_path / "nothing.rg")
    with pytest.raises(ValueError, match="there is no language 'latin'; allowed: "):
        rgtrans.load(path, "latin")
    with pytest.raises(TypeError, match="must be a str or a path, not int"):
        rgtrans.load(7)


def test_files_need_not_be_utf8(tmp_path):
    path = tmp_path / "broken.hrg"
    path.write_bytes(b"domain Player = x | \xff\n")
    with pytest.raises(rgtrans.Error, match="broken.hrg:1:"):
        rgtrans.load(path)


def test_mistakes_have_places():
    text = "domain Player = x | o\ndomain Score = 0 | 1\n\ngraph rules() {\n  player = x\n  plyer = keeper\n  end()\n}\n"
    with pytest.raises(rgtrans.Error) as caught:
        rgtrans.load(text, "hrg", name="small.hrg")
    error = caught.value
    assert error.line == 6 and error.file == "small.hrg"
    assert error.diagnostics[0].severity == "error"
    assert "small.hrg:6:" in str(error) and "plyer = keeper" in str(error) and "^" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics


# --- What a state is, in every process. ---

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize("name", ["ataxx", "chess", "connect-four", "english-draughts", "kuhn-poker", "nine-mens-morris",
                                  "pentago"])
def test_states_of_equal_games_are_equal(name):
    original = rgtrans.load(GAMES / "hrg" / f"{name}.hrg")
    for game in (original, original.optimize(1)):
        again = rgtrans.load(game.to("rg"), "rg", name=game.name)
        assert again == game
        one, two = game.new_state(), again.new_state()
        for _ in range(6):
            assert one == two and hash(one) == hash(two) and one.legal_moves() == two.legal_moves()
            assert pickle.loads(pickle.dumps(one)) == one
            if one.is_terminal():
                break
            move = one.move_count // 2
            one.apply(move)
            two.apply(move)


def test_the_engine_is_kept_with_the_game(tic_tac_toe):
    made = []
    game = rgtrans.load(tic_tac_toe.to("rg"), "rg")
    start = time.process_time()
    game.new_state()
    first = time.process_time() - start
    start = time.process_time()
    for _ in range(20):
        made.append(game.new_state())
    assert (time.process_time() - start) / 20 < first
    made[0].apply(0)
    assert made[1] == game.new_state() != made[0]
    # Unpickled states share one game, too.
    one, two = (pickle.loads(pickle.dumps(made[0])) for _ in range(2))
    assert one.game is two.game and one == two == made[0]


def test_control_c_ends_playouts():
    program = (
        "import rgtrans, signal, threading, time\n"
        f"game = rgtrans.load({str(GAMES / 'hrg' / 'breakthrough.hrg')!r})\n"
        "game.new_state()\n"
        "threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        "start = time.perf_counter()\n"
        "try:\n"
        "    game.playouts(seconds=60)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted' if time.perf_counter() - start < 20 else 'late')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert run.stdout.strip() == "interrupted", run.stderr


def test_proofs_are_asserted():
    game = rgtrans.load(GAMES / "hrg" / "tic-tac-toe.hrg", assert_proofs=True)
    assert rgtrans.optimize(game).playouts(count=2, seed=1).playouts == 2
    # Both ways are possible, so the promise of the pragma is wrong.
    text = """
        type Player = { p };  type Score = { 0 };
        begin, s: player = p;  s, a: $ 1;  s, b: $ 2;  a, c: ;  b, c: ;  c, end: player = keeper;
        @disjoint s : a b;
    """
    assert rgtrans.load(text, "rg").playouts(count=1).playouts == 1
    with pytest.raises(rgtrans.ProofError, match="2 of 2 can be taken"):
        rgtrans.load(text, "rg", assert_proofs=True).playouts(count=1)
    # Claims about the rules of a description are evaluated, too.
    assert rgtrans.load(GAMES / "gdl" / "tic-tac-toe.kif", assert_proofs=True).playouts(count=2).playouts == 2


def test_playouts_that_were_stopped_have_no_outcome():
    # Each move ends the play with probability 1/2, and x always gets 100.
    game = rgtrans.load("""
        type Player = {x}; type Score = {100}; type Bit = {h, t};
        var bit: Bit = h;
        begin, go: player = x;
        go, gone: bit = Bit(*);
        gone, shown: $$ bit;
        shown, judged: player = keeper;
        judged, begin: bit == h;
        judged, over: bit == t;
        over, end: player = keeper;
    """, "rg", name="coin")
    stats = game.playouts(100, max_moves=1)
    assert 0 < stats.stopped < 100 and stats.mean_goals == {"x": 100.0}


def test_movers_have_the_names_of_players_in_every_engine():
    # RG writes the roles in another way, because `keeper` has a meaning there and `-` is no part of a name.
    text = """(role red-player) (role keeper) (init (turn 1)) (succ 1 2) (succ 2 3)
              (<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
              (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
              (<= terminal (true (turn 3))) (<= (goal ?r 50) (role ?r))"""
    game = rgtrans.load(text, "gdl")
    for engine in ("interpreter", "rules"):
        state = game.new_state(engine)
        movers = []
        while not state.is_terminal():
            movers.append(state.current_player)
            state.apply(0)
        assert set(movers) == set(game.players), engine
        for player in game.players:
            assert {who for who, _ in state.observation(player)} <= {*game.players, "keeper"}
