"""The examples in the documentation and in examples/ run."""

import contextlib
import io
import re
import runpy
from pathlib import Path

import pytest

from rgtrans import linegames

ROOT = Path(__file__).resolve().parents[2]


def test_the_manual_runs():
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    names = {"__name__": "manual"}
    count = 0
    output = io.StringIO()
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        with contextlib.redirect_stdout(output):
            exec(compile("\n" * line + block.group(1), "docs/python.md", "exec"), names)
        count += 1
    assert count >= 9
    assert "783\n" in output.getvalue() and "{'left': '1', 'right': '0'}" in output.getvalue()
    assert re.search(r"nim\.hrg:18:\d+: error", output.getvalue())


def test_the_page_about_environments_runs(monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "environments.md").read_text()
    names = {"__name__": "environments"}
    for block in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        exec(compile(block.group(1), "docs/environments.md", "exec"), names)
    assert names["observations"].shape == (256, *names["envs"].observation_spec.shape)
    assert names["env"].agents == []


def test_the_page_about_search_runs():
    text = (ROOT / "docs" / "python-search.md").read_text()
    names = {"__name__": "search"}
    with contextlib.redirect_stdout(io.StringIO()) as output:
        for block in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            exec(compile(block.group(1), "docs/python-search.md", "exec"), names)
    assert "of 20 plays" in output.getvalue()


def test_alphazero_learns_something(tmp_path, capsys):
    pytest.importorskip("torch")
    example = runpy.run_path(str(ROOT / "examples" / "train_alphazero.py"))
    options = ["--game", str(ROOT / "games" / "hrg" / "tic-tac-toe.hrg"), "--envs", "8", "--simulations", "4", "--test-games", "2",
               "--final-games", "2", "--opponent", "4", "--test-simulations", "4", "--batch", "8", "--channels", "8", "--blocks", "1",
               "--jobs", "1", "--out", str(tmp_path)]
    log = example["main"]([*options, "--minutes", "0.02"])
    assert len(log) >= 2 and (tmp_path / "plot.svg").read_text().startswith("<svg")
    header = (tmp_path / "log.csv").read_text().splitlines()[0].split(",")
    assert {"minutes", "policy_loss", "random", "random_low", "mcts_high", "policy_random", "policy_mcts"} <= set(header)
    more = example["main"]([*options, "--minutes", "0.04", "--resume"])
    assert more[: len(log)] == log and more[-1]["positions"] >= log[-1]["positions"]


def test_the_ranking_takes_own_boards(tmp_path, capsys):
    board = tmp_path / "mine.linegame"
    linegames.LineGame("Mine").grid(3, 4).rows(linegames.BLACK, first=1).rows(linegames.WHITE, last=1).save(board)
    example = runpy.run_path(str(ROOT / "examples" / "rank_line_games.py"))
    example["main"](["--board", str(board), "--count", "2", "--plays", "1", "--simulations", "2", "--no-depth", "--jobs", "1",
                     "--out", str(tmp_path / "ranking")])
    assert "translated 2 games" in capsys.readouterr().out
    rows = (tmp_path / "ranking" / "ranking.csv").read_text().splitlines()[1:]
    assert len(rows) == 2 and all(row.split(",")[0].strip('"').startswith("Mine;") for row in rows)
    with pytest.raises(SystemExit):
        example["main"](["--board", str(tmp_path / "none.linegame")])


def test_the_ranking_runs(tmp_path, capsys):
    example = runpy.run_path(str(ROOT / "examples" / "rank_line_games.py"))
    example["main"](["--count", "12", "--generation", "6", "--plays", "2", "--simulations", "3", "--jobs", "2", "--out", str(tmp_path)])
    assert "translated 12 games" in capsys.readouterr().out
    lines = (tmp_path / "ranking.csv").read_text().splitlines()
    assert len(lines) == 13
    scores = [float(line.rsplit(",", 1)[1]) for line in lines[1:]]
    assert scores == sorted(scores, reverse=True)
    assert (tmp_path / "ranking.svg").exists() or (tmp_path / "ranking.png").exists()
    assert (tmp_path / "best.svg").read_text().startswith("<svg")


def test_reinforce_learns(capsys):
    pytest.importorskip("numpy")
    example = runpy.run_path(str(ROOT / "examples" / "reinforce.py"))
    example["main"](["--game", "tic-tac-toe", "--steps", "250", "--plays", "60", "--opponent", "4"])
    lines = capsys.readouterr().out.splitlines()
    scores = [float(re.search(r": (\d+\.\d)% \(", line).group(1)) for line in lines]
    assert len(scores) == 4 and "against random moves" in lines[0] and "a search of 4 simulations" in lines[3]
    assert scores[2] > scores[0] + 10


def test_searches_with_three_kinds_of_knowledge_run(capsys):
    example = runpy.run_path(str(ROOT / "examples" / "search_three_ways.py"))
    example["main"](["--simulations", "4", "--plays", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["playouts", "value", "network", "value", "network"]
    assert all("of 2 plays" in line for line in lines)


def test_positions_need_fewer_entries_than_states(capsys):
    example = runpy.run_path(str(ROOT / "examples" / "transpositions.py"))
    example["main"]([])
    text = (ROOT / "docs" / "tutorials" / "first-search.md").read_text()
    assert f"```text\n{capsys.readouterr().out}```" in text


LOG = "minutes,random,random_low,random_high,policy_loss,value_loss\n0,0.5,0.3,0.7,,\n1,0.9,0.8,0.95,1.5,0.4\n"


def test_logs_are_drawn(tmp_path):
    example = runpy.run_path(str(ROOT / "examples" / "plot_log.py"))
    (tmp_path / "log.csv").write_text(LOG)
    columns = example["read"](tmp_path / "log.csv")
    assert columns["random"] == [0.5, 0.9] and columns["policy_loss"][0] != columns["policy_loss"][0]
    pytest.importorskip("matplotlib")
    example["main"]([str(tmp_path / "log.csv"), str(tmp_path / "log.png")])
    assert (tmp_path / "log.png").stat().st_size > 1000


def test_the_bot_plays(tmp_path):
    import json
    import subprocess
    import sys

    messages = [{"type": "start", "players": ["a", "b"], "you": "a", "seed": 1}, {"type": "choose", "moves": ["x", "y z"]},
                {"type": "move", "by": "a", "move": "y z"}, {"type": "end"}]
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run([sys.executable, str(ROOT / "examples" / "bot.py")], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == "y z\n"
