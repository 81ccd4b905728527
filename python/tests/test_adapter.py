"""rgtrans.adapter: programs that speak UCI, UGI or GTP at a table of `rgtrans match`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rgtrans
from rgtrans import adapter, scale

ROOT = Path(__file__).parents[2]
CHESS, GO = (ROOT / "examples" / "engines" / name for name in ("chess.json", "go-9x9.json"))
PATH = os.pathsep.join([os.environ["PATH"], "/usr/games"])  # where Debian has them

# Notes what it hears, and answers with the lines of a script.
STAND_IN = """
import sys
notes = open(sys.argv[1], "a")
answers = sys.argv[2:]
for line in sys.stdin:
    line = line.strip()
    print(line, file=notes, flush=True)
    word = line.split()[0]
    if word in ("uci", "ugi"): print("id name stand-in\\n" + word + "ok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": print("info depth 1\\nbestmove " + answers.pop(0), flush=True)
    elif word == "genmove": print("= " + answers.pop(0) + "\\n", flush=True)
    elif word == "quit": break
    elif word in ("boardsize", "komi", "clear_board", "play", "undo"): print("=\\n", flush=True)
    elif word == "level": print("? unknown command\\n", flush=True)
"""


def seated(tmp_path, mapping, *answers, options=(), go=""):
    (tmp_path / "engine.py").write_text(STAND_IN)
    command = [sys.executable, str(tmp_path / "engine.py"), str(tmp_path / "notes"), *answers]
    return adapter.Seat(command, adapter.Mapping(str(mapping)), options, go)


def heard(tmp_path):
    return (tmp_path / "notes").read_text().splitlines()


@pytest.mark.parametrize("protocol", ["uci", "ugi"])
def test_uci_gets_all_moves_and_answers_with_ours(tmp_path, protocol):
    (tmp_path / "map.json").write_text(CHESS.read_text().replace('"uci"', f'"{protocol}"'))
    seat = seated(tmp_path, tmp_path / "map.json", "e7e5", "e2e1q", "e2e9", options=["Skill Level=3"], go="nodes 5")
    seat.hear({"type": "start", "players": ["white", "black"], "you": "black", "seed": 1})
    assert seat.hear({"type": "move", "by": "keeper", "move": ""}) is None
    seat.hear({"type": "move", "by": "white", "move": "S__5_2 S__5_4"})
    moves = ["S__5_7 S__5_6", "S__5_7 S__5_5"]
    assert seat.hear({"type": "choose", "moves": moves}) == moves[1]
    seat.hear({"type": "move", "by": "black", "move": moves[1]})
    promotions = ["S__5_2 S__5_1 rook", "S__5_2 S__5_1 queen"]
    assert seat.hear({"type": "choose", "moves": promotions}) == promotions[1]
    assert seat.hear({"type": "choose", "moves": moves}) == "e2e9"  # which the table refuses
    with pytest.raises(adapter.EngineError, match="no row for the move 'castle'"):
        seat.hear({"type": "move", "by": "white", "move": "castle"})
    seat.close()
    assert heard(tmp_path) == [protocol, "setoption name Skill Level value 3", f"{protocol}newgame", "isready",
                               "position startpos moves e2e4", "go nodes 5", "position startpos moves e2e4 e7e5", "go nodes 5",
                               "position startpos moves e2e4 e7e5", "go nodes 5", "quit"]


def test_gtp_is_told_every_move(tmp_path):
    seat = seated(tmp_path, GO, "c7", "PASS", "resign")
    seat.hear({"type": "start", "players": ["black", "white"], "you": "white", "seed": 1})
    seat.hear({"type": "move", "by": "black", "move": "rx8y0 index_3 rx8y0 index_4 rx8y0 index_5"})
    stone, passing = "rx2y2 index_42 rx2y2 index_43 rx2y2 index_44", "rx2y2 index_58 rx2y2 index_59"
    assert seat.hear({"type": "choose", "moves": [stone, passing]}) == stone
    seat.hear({"type": "move", "by": "white", "move": stone})
    assert seat.hear({"type": "choose", "moves": [stone, passing]}) == passing
    assert seat.hear({"type": "choose", "moves": [stone, passing]}) == "resign"
    seat.close()
    assert heard(tmp_path) == ["boardsize 9", "komi 7.5", "clear_board", "play black J9", "genmove white", "undo", "play white C7",
                               "genmove white", "undo", "genmove white", "quit"]


def test_what_is_wrong_is_said(tmp_path):
    def mapping(text):
        (tmp_path / "map.json").write_text(text)
        return adapter.Mapping(str(tmp_path / "map.json"))

    for text, message in (("{", "map.json"), ('{"protocol": "uci"}', "moves"), ('{"protocol": "xboard", "moves": []}', "uci, ugi, gtp"),
                          ('{"protocol": "uci", "moves": [["(", "x"]]}', "map.json"),
                          ('{"protocol": "uci", "moves": [["(a)", "{2}"]]}', "group 2"),
                          ('{"protocol": "uci", "moves": [["(a)", "{1:file}"]]}', "table file")):
        with pytest.raises(adapter.EngineError, match=message):
            mapping(text)
    with pytest.raises(adapter.EngineError, match="No such file"):
        adapter.Mapping(str(tmp_path / "none.json"))
    with pytest.raises(adapter.EngineError, match="unknown command"):
        seated(tmp_path, GO, options=["level 1"])
    with pytest.raises(adapter.EngineError, match="the engine ended"):
        adapter.Seat([sys.executable, "-c", ""], adapter.Mapping(str(CHESS)), (), "")
    run = subprocess.run([sys.executable, "-m", "rgtrans.adapter", str(CHESS), "no-such-engine"], stdin=subprocess.DEVNULL, text=True,
                         stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert run.returncode == 1 and run.stderr == "no-such-engine: no-such-engine: No such file or directory\n"


@pytest.mark.parametrize("game, mapping, engine", [
    ("hrg/chess.hrg", CHESS, ["stockfish"]),
    ("rbg/go-9x9.rbg", GO, ["gnugo", "--mode", "gtp", "--level", "1", "--chinese-rules", "--capture-all-dead"]),
])
def test_a_match_with_a_real_engine(monkeypatch, game, mapping, engine):
    if not shutil.which(engine[0], path=PATH):
        pytest.skip(f"{engine[0]} is not installed")
    monkeypatch.setenv("PATH", PATH)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    go = ["--go", "'movetime 10'"] if engine[0] == "stockfish" else []
    player = " ".join(["command:" + sys.executable, "-m", "rgtrans.adapter", *go, str(mapping), *engine])
    path = ROOT / "games" / game
    result = scale.match(rgtrans.load(path.read_text(), path.suffix[1:]), [player, "random"], count=2, seed=1, jobs=1)
    ours = result["players"][0]
    assert (ours["plays"], ours["faults"], ours["won"]) == (2, 0, 2), json.dumps(result)
