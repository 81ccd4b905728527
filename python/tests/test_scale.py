"""rgtrans.scale: sources, stages, interrupted and divided runs. Tables must not depend on how a run was made."""

import csv
import gzip
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

import rgtrans
from rgtrans import _core, scale
from rgtrans._rank_guard import Guard

GAMES = Path(__file__).parents[2] / "games"
QUICK = dict(plays=5, best=2, matches=1, simulations=2, max_moves=200, jobs=2, level=1)


def table(ranking):
    path = ranking.path.with_suffix(".csv.gz")
    ranking.write(path)
    return gzip.decompress(path.read_bytes()).decode()


def column(ranking, name):
    return [row[name] for row in csv.DictReader(table(ranking).splitlines())]


GENERATOR = """
import os, time
from rgtrans.linegames import BLACK, WHITE, LineGame

def generate(index, random):
    if index % 20 == 3:
        raise ValueError("no idea")
    if index % 20 == 5:
        return "this is no game", 
    if index == 7:
        while True:
            pass
    if index == 8:
        os.kill(os.getpid(), 9)
    if index == 9:
        return bytearray(1 << 40)
    print("a generator may print")
    os.write(1, b"")
    width, rows = random.choice((3, 4, 5)), random.choice((1, 2))
    return LineGame().grid(width, 5).rows(BLACK, first=rows).rows(WHITE, last=rows).limits(max_turns=20 + index % 40)
"""


@pytest.fixture()
def generator(tmp_path):
    (tmp_path / "generator.py").write_text(GENERATOR)
    return scale.function(tmp_path / "generator.py")


def test_renamed_games_have_one_form():
    text = (GAMES / "hrg" / "nim.hrg").read_text()
    game = rgtrans.load(text, "hrg")
    renamed = rgtrans.load(re.sub(r"\b(first|second|heaps|Heap|rest)\b", r"\1x", text), "hrg")
    changed = rgtrans.load(text.replace("goals[me] = 100", "goals[me] = 50"), "hrg")
    form = scale.canonical_form(game)
    assert form.complete and len(form.hash) == 32
    assert scale.canonical_form(renamed) == form
    assert scale.canonical_form(changed).text != form.text


def test_bad_games_cost_themselves(generator, tmp_path):
    ranking = scale.rank(generator, tmp_path / "out", count=25, timeout=0.5, memory_mib=512, **QUICK)
    reasons = {index: reason for index, reason in enumerate(column(ranking, "reason"))}
    assert reasons[3] == reasons[23] == "the generator failed: ValueError: no idea"
    assert reasons[5].startswith("the generator failed: ")
    assert reasons[7] == "took longer than 0.5 s of processor time"
    assert reasons[8] == "ended the process (signal 9)"
    assert "MemoryError" in reasons[9] or "MiB" in reasons[9]
    assert column(ranking, "state")[4] == "open" or reasons[4]
    assert ranking.passed["translate"] == 19 and ranking.passed["search"] == 2
    equal = [index for index, number in enumerate(column(ranking, "equal_to")) if number]
    assert ranking.passed["distinct"] == 19 - len(equal)


def test_a_warning_hides_no_violation():
    text = ("type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type U = { 1, 2 };"
            "var x: T = 3; var m: U -> T = { :1 }; begin, s: player = p; s, t: m[x] == 1; t, a: x = T(*); a, b: $ m;"
            "b, c: player = keeper; c, d: x == 1; d, e: goals[p] = 9; c, e: x != 1; e, end: player = keeper;")
    found = _core.violations(_core.load(text, "a", "rg", {}, False), 2, 1, 500, 1000, 1000)
    assert len(found) == 1 and found[0].startswith("the move 'm'")


def test_equal_games_leave_the_first(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    text = (GAMES / "hrg" / "nim.hrg").read_text()
    for number, other in enumerate((text, text.replace("heaps", "piles"), text.replace("N(5)", "N(4)"), text)):
        (folder / f"{number}.hrg").write_text(other)
    ranking = scale.rank(scale.files(folder), tmp_path / "out", until="distinct", **QUICK)
    assert ranking.passed["distinct"] == 2 and ranking.passed["proper"] == 0
    ranking = scale.rank(scale.files(folder), tmp_path / "out", **QUICK)
    assert ranking.passed["search"] == 2
    assert column(ranking, "equal_to") == ["", "0", "", "0"]
    assert ranking.passed["distinct"] == 2


def run_killed(source, out, count, condition="1"):
    """Runs in a process of its own and kills it as soon as there is a result with this condition."""
    program = (f"from rgtrans import scale\nscale.rank({source!r}, {str(out)!r}, count={count}, **{QUICK!r})\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen([sys.executable, "-c", program], env=environment)
    while child.poll() is None:
        try:
            if scale.Store(out / "games.sqlite", scale.Store.options_of(out / "games.sqlite")).count(condition) > 0:
                break
        except Exception:  # not begun
            pass
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()


def test_killed_and_divided_runs_give_the_same_table(tmp_path):
    source = scale.mix(scale.line_games(), scale.mutations(GAMES / "hrg" / "nim.hrg", GAMES / "ludax" / "tic-tac-toe.ldx"))
    count = 330
    plain = scale.rank(source, tmp_path / "plain", count=count, **QUICK)
    assert plain.passed["translate"] > count / 2 > 0 < plain.passed["distinct"] < plain.passed["translate"]
    run_killed(source, tmp_path / "killed", count)
    known = scale.Store(tmp_path / "killed" / "games.sqlite", plain.options)
    assert 0 < known.count() < count
    known.close()
    run_killed(source, tmp_path / "killed", count, "stage = 'play'")
    known = scale.Store(tmp_path / "killed" / "games.sqlite", plain.options)
    assert known.count() == count and 0 < known.count("state = 'open' AND stage = 'distinct'")
    known.close()
    assert table(scale.rank(source, tmp_path / "killed", count=count, **QUICK)) == table(plain)
    for part in (3, 1, 2):
        scale.rank(source, tmp_path / "parts", count=count, shard=(part, 3), **QUICK)
        if part != 2:
            with pytest.raises(rgtrans.UsageError, match="shards of 3"):
                scale.merge(tmp_path / "parts")
            (tmp_path / "parts" / "games.sqlite").unlink()
    assert table(scale.merge(tmp_path / "parts", jobs=2)) == table(plain)
    with pytest.raises(rgtrans.UsageError, match="other options: plays"):
        scale.rank(source, tmp_path / "plain", count=count, **{**QUICK, "plays": 6})
    plain.write(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<section class=game>") == min(10, plain.passed["play"]) and "<svg" in page
    assert "equal to an earlier game" in page and "not a game" in page


def command(out, stdout=subprocess.PIPE, preexec_fn=None, **given):
    """The options as the program `rgtrans` passes them."""
    usual = dict(command="rank", sources=["linegames"], set=[], report=[], count=None, seed=1, best=0, plays=2, matches=1, simulations=2, max_moves=200,
                 memory_mib=1024, jobs=2, parts=2, level=0, timeout=10, prove=False, merge=False, until="search", quiet=False, cluster="local", shard="", limits=[],
                 progress=True)
    text = json.dumps({**usual, "out": str(out), **given})
    return subprocess.Popen([sys.executable, "-m", "rgtrans.scale", text], stdout=stdout, stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def test_ctrl_c_keeps_the_results(tmp_path):
    run = command(tmp_path, count=100_000)
    while not (tmp_path / "games.sqlite-wal").exists() or (tmp_path / "games.sqlite-wal").stat().st_size < 200_000:
        time.sleep(0.02)
        assert run.poll() is None, run.communicate()
    run.send_signal(signal.SIGINT)
    out, messages = run.communicate(timeout=60)
    assert run.returncode == 130 and "the same command goes on" in messages and "Traceback" not in messages
    assert scale.Store(tmp_path / "games.sqlite", scale.Store.options_of(tmp_path / "games.sqlite")).count() >= 100


def test_the_command_says_what_is_wrong(tmp_path):
    for given, message in ((dict(count=None), "this source has no end"), (dict(sources=["nowhere"]), "there is no file 'nowhere'"),
                           (dict(count=3, shard="4/3"), "allowed: 1/N to N/N"), (dict(merge=True), "there is no shard in"),
                           (dict(count=3, cluster="cloud"), "allowed: local, dask"), (dict(set=["A"], count=2), "NAME=VALUES"),
                           (dict(count=3, report=[str(tmp_path / "x.doc")], plays=1), "there is no report")):
        run = command(tmp_path / "out", **given)
        out, messages = run.communicate(timeout=60)
        assert run.returncode == 2 and message in messages and "Traceback" not in messages, messages


def test_a_disk_without_room_costs_unfinished_chunks(tmp_path):
    given = dict(sources=["linegames", f"mutate:{GAMES / 'hrg'}"], count=400, best=2, report=[str(tmp_path / "table.csv")])
    run = command(tmp_path / "out", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, 250_000)), **given)
    _, messages = run.communicate(timeout=120)
    assert run.returncode == 1 and "games.sqlite: " in messages and "Traceback" not in messages, messages
    path = tmp_path / "out" / "games.sqlite"
    assert 0 < scale.Store(path, scale.Store.options_of(path)).count() < 400
    for out in ("out", "plain"):
        run = command(tmp_path / out, **{**given, "report": [str(tmp_path / f"{out}.csv")]})
        assert run.communicate(timeout=300) and run.returncode == 0
    assert (tmp_path / "out.csv").read_text() == (tmp_path / "plain.csv").read_text()


def test_a_worker_that_is_killed_costs_nothing(tmp_path):
    guard = Guard({**scale.rank(scale.line_games(), tmp_path, count=3, **QUICK).options, "source": scale.line_games()})
    plain = guard.run(["translate"], range(30))
    killer = threading.Timer(0.03, lambda: guard._child.kill())
    killer.start()
    again = guard.run(["translate"], range(30))
    killer.join()
    guard._child.kill()
    assert guard.run(["translate"], [1])[0][:2] == plain[1][:2]
    assert [result[:2] for result in again] == [result[:2] for result in plain]
    guard.close()


def test_limits_and_full_disks_are_reported(tmp_path):
    with open("/dev/full", "w") as full:
        run = command(tmp_path, stdout=full, count=3, limits=["hrg-edges=2"])
        _, messages = run.communicate(timeout=60)
    assert run.returncode == 1 and "cannot write standard output" in messages and "Traceback" not in messages
    options = scale.Store.options_of(tmp_path / "games.sqlite")
    reasons = scale.Store(tmp_path / "games.sqlite", options).reasons()
    assert [(stage, number) for stage, _, number in reasons] == [("translate", 3)] and "too large" in reasons[0][1]


def test_templates_have_all_combinations_or_random_ones(tmp_path):
    path = tmp_path / "heaps.hrg"
    path.write_text((GAMES / "hrg" / "nim.hrg").read_text().replace("a = N(3)", "a = N({{A}})").replace("b = N(4)", "b = N({{B}})"))
    source = scale.open_source(scale.template(path, {"A": range(1, 4), "B": [4, 5]}))
    assert source.count == 6
    texts = {source.game(i, random.Random(0)).text for i in range(6)}
    assert len(texts) == 6
    drawn = scale.open_source(scale.template(path, {"A": range(1, 4), "B": [4, 5]}, most=5))
    assert drawn.count is None and drawn.game(1000, random.Random(3)).text in texts
    with pytest.raises(rgtrans.ArgumentError, match="without values"):
        scale.open_source(scale.template(path, {"A": [1]}))


def test_archives_are_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.write(GAMES / "hrg" / "nim.hrg", "a/nim.hrg")
        archive.writestr("readme.txt", "nothing")
    source = scale.open_source(scale.files(tmp_path / "games.zip", GAMES / "ludax"))
    assert source.count == 1 + len(list((GAMES / "ludax").glob("*.ldx")))
    assert source.game(0, random.Random(0)) == ("nim", "hrg", (GAMES / "hrg" / "nim.hrg").read_bytes())


def test_dask_gives_the_same_table_when_a_worker_is_lost(tmp_path):
    distributed = pytest.importorskip("distributed")
    options = {**QUICK, "best": 0}
    plain = scale.rank(scale.line_games(), tmp_path / "plain", count=300, **options)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())
        client.submit(lambda: time.sleep(1.5) or os.kill(pids[0], signal.SIGKILL), workers=list(client.scheduler_info()["workers"])[1:])
        assert table(scale.rank(scale.line_games(), tmp_path / "dask", count=300, cluster=client, **options)) == table(plain)


def without_times(result):
    return {**result, "players": [{key: value for key, value in player.items() if key != "seconds"} for player in result["players"]]}


def test_matches_on_a_cluster_are_those_of_one_process():
    game = rgtrans.load((GAMES / "hrg" / "tic-tac-toe.hrg").read_text(), "hrg")
    players = ["mcts:30", "random"]
    found = scale.match(game, players, count=11, seed=4, opening=1, jobs=2)
    state = game.new_state()._core
    tally, plays = _core.MatchTally(state, players, 11, 4, False, 0, 20), _core.MatchPlays(state, players, 4, 1, 10_000)
    for number in range(11):
        tally.add(number, plays.play(number))
    assert without_times(found) == without_times(json.loads(tally.json()))
    assert found["plays"] == 11 and sum(found["pairs"]) == 5
    loser = scale.match(game, ["random", "mcts:60"], count=2000, seed=1, test=(0, 50), jobs=2)
    assert loser["plays"] < 200 and "not stronger" in loser["test"]["verdict"]
    with pytest.raises(rgtrans.Error, match="mctz"):
        scale.match(game, ["mctz", "random"], count=2)


SBATCH = """#!/bin/sh
# Runs the tasks of an array at once, until the array is cancelled. The second one is killed while it writes, and starts again.
for script; do :; done
echo 7
parts=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
file=$(dirname "$script")/part-2.jsonl
tasks=
for SLURM_ARRAY_TASK_ID in $(seq "$parts"); do
  export SLURM_ARRAY_TASK_ID
  if [ "$SLURM_ARRAY_TASK_ID" = 2 ]; then
    sh "$script" &
    while [ ! -s "$file" ]; do sleep 0.01; done
    kill -9 $!
    wait $!
    printf '[4, [[8' >> "$file"
  fi
  sh "$script" &
  tasks="$tasks $!"
done
(while [ ! -e "$(dirname "$0")/../cancelled" ]; do sleep 0.1; done; kill $tasks) >/dev/null 2>&1 &
watch=$!
status=0
for task in $tasks; do wait "$task" || status=1; done
kill $watch 2>/dev/null
exit $status
"""


def test_a_match_through_slurm_is_that_of_one_process(tmp_path, monkeypatch, capsys):
    (tmp_path / "bin").mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", f"#!/bin/sh\necho $1 > {tmp_path}/cancelled\n")):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    text = (GAMES / "hrg" / "tic-tac-toe.hrg").read_text()
    game = rgtrans.load(text, "hrg")
    given = dict(command="match", text=game.to("rg"), players=["mcts:30", "random"], count=17, seed=4, opening=1, max_moves=10_000,
                 sprt=False, elo0=0, elo1=50, engine="interpreter", jobs=1, parts=3, json=True, cluster="slurm", progress=False)

    def through_slurm(**changes):
        shown, code = scale._match_command({**given, **changes})
        assert code == 0 and not list(tmp_path.glob("rgtrans-match-*/"))
        return without_times(json.loads(shown))

    plain = dict(count=17, seed=4, opening=1, jobs=2)
    assert through_slurm() == without_times(scale.match(game, given["players"], **plain))
    # A test that decides cancels the tasks that are left.
    (tmp_path / "cancelled").unlink(missing_ok=True)  # the last play may be counted before its task has ended
    loser = dict(players=["random", "mcts:60"], count=40_000, parts=2)
    decided = scale.match(game, loser["players"], **{**plain, "count": 40_000}, test=(0, 50))
    assert through_slurm(**loser, sprt=True) == without_times(decided)
    assert (tmp_path / "cancelled").read_text() == "7\n"


def test_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
    (block,) = re.findall(r"^```python\n(from rgtrans import scale.*?)^```", page, re.DOTALL | re.MULTILINE)
    exec(compile(block, "docs/scale.md", "exec"), {"__name__": "page"})
    assert "'translate': 100" in capsys.readouterr().out and (tmp_path / "ranking-python" / "ranking.html").exists()
