"""Ranks games by the thousand or the million: generated or read, translated, judged, played, the best ones searched.

    >>> from rgtrans import scale
    >>> ranking = scale.rank(scale.line_games(), "ranking", count=1000)
    >>> for row in ranking.best(10):
    ...     print(row["final"], row["name"])

A run that ends early keeps its results, and the same call goes on with it. `rgtrans rank` is the same on the command line.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._convert import module_hash
from ._errors import ArgumentError, Error, UsageError
from ._game import Game, load
from ._rank_match import Interrupted, play_part, run_match, run_slurm_match
from ._rank_report import write_page
from ._rank_run import Cluster, Progress, chunks_of, run_slurm, run_stages, search_best
from ._rank_sources import ARCHIVES, GameText, Spec, dice_of, open_source
from ._rank_stages import Row
from ._rank_store import Store, opened_store
from ._surface import published, whole

__all__ = ["CanonicalForm", "Ranking", "canonical_form", "files", "function", "line_games", "match", "merge", "mix", "mutations",
           "rank", "template"]

REPORTS = (".csv", ".csv.gz", ".parquet", ".html")
PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class CanonicalForm:
    """A game without names and orders of lists. Games with equal texts differ in nothing else; the hash has 128 bits. If the
    search for it was bounded, ``complete`` is False, and games that are equal up to names may have other texts."""

    hash: str
    text: bytes
    complete: bool


def canonical_form(game: Game, most_work: int = 50_000_000) -> CanonicalForm:
    """The form of a game as it is; optimized games have fewer differences that do not matter."""
    return CanonicalForm(*_core.canonical_form(game._core, whole(most_work, "most_work", 1, 2**62)))


# --- Sources. ---


def _existing(paths: Sequence[PathLike]) -> List[str]:
    for path in paths:
        if not os.path.exists(path):
            raise ArgumentError(f"there is no file {os.fspath(path)!r}", "paths",
                                "a source is a file, a folder, an archive, GENERATOR.py, linegames or mutate:PATH")
    return [os.path.abspath(path) for path in paths]


def _digest(file: str) -> str:
    """A run does not go on with another text."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]


def files(*paths: PathLike) -> Spec:
    """The games of files, folders and archives."""
    return {"kind": "files", "paths": _existing(paths)}


def function(generate: Union[Callable[..., Any], PathLike], name: str = "generate") -> Spec:
    """``generate(index, random)`` makes a game: a LineGame, a Game, a text, or (language, text). It is a function at the top
    level of a file, or the path of that file. Each game has random numbers of its own, so equal seeds give equal games."""
    if callable(generate):
        file, name = inspect.getsourcefile(generate), generate.__name__
        if not file or not os.path.exists(file):
            raise ArgumentError("generate is not in a file", "generate", "workers read the file that defines it")
    else:
        (file,) = _existing([generate])
    return {"kind": "function", "file": os.path.abspath(file), "function": name, "digest": _digest(file)}


def template(path: PathLike, parameters: Mapping[str, Sequence[Any]], most: Optional[int] = None) -> Spec:
    """A game in any language with ``{{NAME}}`` for each parameter: all combinations of their values, or random ones where
    there are more than ``most``."""
    values = {name: [str(value) for value in listed] for name, listed in parameters.items()}
    (file,) = _existing([path])
    return {"kind": "template", "file": file, "parameters": values, "most": most, "digest": _digest(file)}


def line_games() -> Spec:
    """Line games with random boards, pieces and rules."""
    return {"kind": "linegames"}


def mutations(*paths: PathLike) -> Spec:
    """The games of files, folders and archives with a few words changed."""
    return {"kind": "mutations", "paths": _existing(paths)}


def mix(*sources: Spec) -> Spec:
    """Several sources: those that end come first, then the others take turns."""
    return {"kind": "mix", "parts": list(sources)}


# --- Runs. ---


@dataclass(frozen=True)
class Ranking:
    """The results of a run, in ``path``."""

    path: Path
    options: Mapping[str, Any]
    passed: Mapping[str, int]
    """How many games passed each stage."""
    reasons: Tuple[Tuple[str, str, int], ...]
    """Stage, reason and number of dropped games."""

    def best(self, count: int = 10) -> List[Row]:
        """The best games with all their figures."""
        with opened_store(self.path, self.options) as store:
            return store.ranking(count)

    def text(self, index: int) -> GameText:
        """The name, language and text of a game by its index."""
        return open_source(self.options["source"]).game(index, dice_of(self.options["seed"], index))

    def write(self, path: PathLike) -> None:
        """Writes the table (.csv, .csv.gz, .parquet) or the page (.html)."""
        path = Path(path)
        with opened_store(self.path, self.options) as store:
            if path.suffix == ".html":
                write_page(path, store, self.text)
            elif path.name.endswith(REPORTS):
                store.write_table(path)
            else:
                raise ArgumentError(f"there is no report {path.name!r}", "path", "allowed: " + ", ".join(REPORTS))


def _ranking(store: Store, options: Mapping[str, Any]) -> Ranking:
    return Ranking(store.path, options, store.left_by_stage(), tuple(store.reasons()))


def rank(
    source: Spec,
    out: PathLike,
    *,
    count: Optional[int] = None,
    seed: int = 1,
    cluster: Any = "local",
    jobs: int = 0,
    shard: Optional[Tuple[int, int]] = None,
    best: int = 100,
    plays: int = 20,
    matches: int = 6,
    simulations: int = 20,
    max_moves: int = 500,
    prove: bool = False,
    level: int = 2,
    timeout: float = 60,
    memory_mib: int = 1024,
    limits: Sequence[str] = (),
    until: str = "search",
    progress: Optional[bool] = None,
) -> Ranking:
    """Ranks ``count`` games of a source (all of one that ends) and keeps the results in the folder ``out``.

    Games that equal an earlier one up to names are dropped, then those that are not proper in a few plays (or by proofs,
    with ``prove``), then those whose ``plays`` at random do not end, are decided at once or leave no choice. The ``best`` of
    the others are searched: ``matches`` of players with so many ``simulations`` a move.

    ``cluster`` is "local" (``jobs`` processes, 0: one for each core), "dask://HOST:PORT", or an object with ``submit``, such
    as a Dask client or an executor of concurrent.futures. With ``shard=(I, N)``, only the I-th of N parts is done;
    :func:`merge` puts parts together. A game that needs more than ``timeout`` seconds of processor time is dropped. ``limits``
    are those of `rgtrans limits`, as "NAME=N". ``until`` is the last stage: "distinct", "play" or "search"; a call with a later
    one goes on.

    The same source, seed and options give the same table, on any cluster, in any order, however often the run was ended.
    """
    opened = open_source(source)
    if count is None:
        count = opened.count
        if count is None:
            raise ArgumentError("count is missing", "count", "this source has no end")
    elif opened.count is not None:
        count = min(count, opened.count)
    options: Dict[str, Any] = {
        "source": source, "seed": whole(seed, "seed", 0, 2**63 - 1), "count": whole(count, "count", 0, 2**40),
        "best": whole(best, "best", 0), "plays": whole(plays, "plays", 1), "matches": whole(matches, "matches", 1),
        "simulations": whole(simulations, "simulations", 1), "max_moves": whole(max_moves, "max_moves", 1),
        "prove": bool(prove), "level": whole(level, "level", 0, 2), "timeout": float(timeout),
        "memory": whole(memory_mib, "memory_mib", 64), "limits": list(limits), "proper_plays": 2, "form_work": 20_000_000,
        "version": f"{_core.__version__} {module_hash()}",
    }
    if until not in ("distinct", "play", "search"):
        raise ArgumentError(f"until cannot be {until!r}", "until", "allowed: distinct, play, search")
    if shard and not 1 <= shard[0] <= shard[1]:
        raise ArgumentError(f"shard cannot be {shard[0]}/{shard[1]}", "shard", "allowed: 1/N to N/N")
    name = f"shard-{shard[0]}-of-{shard[1]}.sqlite" if shard else "games.sqlite"
    with opened_store(Path(out) / name, options) as store:
        if isinstance(cluster, str):
            with Cluster(cluster, jobs) as found:
                run_stages(store, options, count, shard, found.executor, found.jobs, Progress(progress), until)
        else:
            run_stages(store, options, count, shard, cluster, jobs or 16, Progress(progress), until)
        return _ranking(store, options)


def merge(out: PathLike, *, cluster: str = "local", jobs: int = 0, progress: Optional[bool] = None) -> Ranking:
    """Puts the shards of a folder together, drops games that equal one of another shard, and searches the best."""
    shards = sorted(path for path in Path(out).glob("shard-*-of-*.sqlite") if not path.stem.endswith("-forms"))
    if not shards:
        raise UsageError(f"there is no shard in {out}", hint="run with shard=(1, N) to (N, N) first")
    options = Store.options_of(shards[0])
    with opened_store(Path(out) / "games.sqlite", options) as store:
        parts = {name.stem.split("-of-")[1] for name in shards}
        if len(parts) > 1 or len(shards) != int(min(parts)):
            raise UsageError(f"{out} has {len(shards)} shards of {' and '.join(sorted(parts))}", hint="run the missing ones first")
        for path in shards:
            Store(path, options).close()  # the same options
            store.add_all_of(path)
        if next(store.missing_chunks(chunks_of(options["count"], None)), None) is not None:
            raise UsageError(f"a shard in {out} is not finished", hint="run the shards again; they go on")
        store.drop_equal_games()
        store.remove_forms()
        with Cluster(cluster, jobs) as found:
            search_best(store, options, found.executor, found.jobs, Progress(progress))
        return _ranking(store, options)


def match(
    game: Game,
    players: Sequence[str],
    *,
    count: int = 100,
    seed: int = 1,
    cluster: Any = "local",
    jobs: int = 0,
    opening: int = 0,
    max_moves: int = 10_000,
    test: Optional[Tuple[float, float]] = None,
    engine: str = "interpreter",
    timeout: float = 3600,
    memory_mib: int = 4096,
    progress: Optional[bool] = None,
) -> Dict[str, Any]:
    """Lets players such as "random" and "mcts:1000" play each other on a cluster, which is as for :func:`rank`. Returns what
    `rgtrans match --json` prints, which also explains the other options. A worker plays one round, in which every player takes
    each seat once.

    ``test=(ELO0, ELO1)`` stops as soon as a sequential test of the rounds decides whether the first player is stronger by
    ELO1 or not by more than ELO0. ``timeout`` is the processor time of a round.
    """
    setup = _match_setup(game, players, count, seed, opening, max_moves, engine, timeout, memory_mib)
    tally = run_match(game, setup, _sequential(test), cluster, jobs, Progress(progress))
    result: Dict[str, Any] = json.loads(tally.json())
    return result


def _sequential(test: Optional[Tuple[float, float]]) -> Tuple[bool, float, float]:
    return (test is not None, *(test or (0.0, 20.0)))


def _match_setup(game: Game, players: Sequence[str], count: int, seed: int, opening: int, max_moves: int, engine: str,
                 timeout: float, memory_mib: int) -> Dict[str, Any]:
    if len(players) < min(2, len(game.players)):
        raise ArgumentError(f"{len(players)} players cannot play {game.name}", "players", "name at least two")
    return {
        "text": game.to("rg"), "name": game.name, "engine": engine, "players": list(players), "count": whole(count, "count", 1),
        "seed": whole(seed, "seed", 0, 2**64 - 1), "opening": whole(opening, "opening", 0),
        "max_moves": whole(max_moves, "max_moves", 1), "timeout": float(timeout),
        "memory": whole(memory_mib, "memory_mib", 64), "limits": [],
    }


published("rgtrans.scale", CanonicalForm, Ranking, canonical_form, files, function, line_games, match, merge, mix, mutations, rank,
          template)


# --- The command line: the program `rgtrans` passes its options as JSON. ---


def _source_of(words: Sequence[str], parameters: Mapping[str, Sequence[str]], count: Optional[int]) -> Spec:
    parts: List[Spec] = []
    for word in words:
        if word == "linegames" and not os.path.exists(word):
            parts.append(line_games())
        elif word.startswith("mutate:"):
            parts.append(mutations(word[len("mutate:"):]))
        elif word.partition(":")[0].endswith(".py"):
            file, _, name = word.partition(":")
            parts.append(function(file, name or "generate"))
        elif parameters and os.path.isfile(word) and not word.endswith(ARCHIVES):
            parts.append(template(word, parameters, count))
        else:
            parts.append(files(word))
    return parts[0] if len(parts) == 1 else mix(*parts)


def _values(text: str) -> List[str]:
    """ "3..5" or "a,b" as a list."""
    low, dots, high = text.partition("..")
    if dots and low.lstrip("-").isdigit() and high.lstrip("-").isdigit():
        return [str(number) for number in range(int(low), int(high) + 1)]
    return text.split(",")


def _shown(text: Optional[str]) -> str:
    """Without control characters, which a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in text or "")


def _summary(ranking: Ranking, shown: int) -> str:
    lines = ["  ".join(f"{stage} {number:,}" for stage, number in ranking.passed.items())]
    rows = ranking.best(shown)
    if rows:
        lines.append(f"{'score':>6} {'length':>7} {'choices':>8} {'balance':>8} {'index':>8}  game")
    for row in rows:
        value = row["score"] if row["final"] is None else row["final"]
        lines.append(f"{value:6.3f} {row['length']:7.1f} {row['branching']:8.1f} {row['balance']:8.2f} {row['idx']:8}  "
                     f"{_shown(row['name'])}")
    return "\n".join(lines) + "\n"


def _match_command(given: Mapping[str, Any]) -> Tuple[str, int]:
    if "setup" in given:  # a task of an array
        play_part(given["setup"], *_part_of(given["shard"]), Path(given["folder"]), given["jobs"])
        return "", 0
    game = load(given["text"], "rg")
    setup = _match_setup(game, given["players"], given["count"], given["seed"], given["opening"], given["max_moves"],
                         given["engine"], 3600, 4096)
    test = _sequential((given["elo0"], given["elo1"]) if given["sprt"] else None)
    code, progress = 0, Progress(given["progress"])
    try:
        if given["cluster"] == "slurm":
            tally = run_slurm_match(game, setup, test, given["parts"], given["jobs"] or 1, progress)
        else:
            tally = run_match(game, setup, test, given["cluster"], given["jobs"], progress)
    except Interrupted as interrupted:
        tally, code = interrupted.tally, 130
        print(f"interrupted after {tally.plays} of {given['count']} plays; the intervals hold for these", file=sys.stderr)
    return (tally.json() + "\n" if given["json"] else tally.text()), code


def _part_of(text: str) -> Tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit()):
        raise ArgumentError(f"--shard cannot be {text}", "shard", "write I/N, such as 3/8")
    return int(part), int(parts)


def _rank_command(given: Dict[str, Any]) -> str:
    out, shown, reports = given["out"], given["progress"], given["report"]
    for report in reports:
        if not report.endswith(REPORTS):
            raise ArgumentError(f"there is no report {report!r}", "report", "allowed: " + ", ".join(REPORTS))
    shard: Optional[Tuple[int, int]] = None
    if given["shard"]:
        shard = _part_of(given["shard"])
    if given["merge"]:
        ranking = merge(out, jobs=given["jobs"], progress=shown)
    else:
        if not given["sources"]:
            raise ArgumentError("no source is given", "source",
                                "a source is a file, a folder, an archive, GENERATOR.py, linegames or mutate:PATH")
        parameters: Dict[str, Sequence[str]] = {}
        for word in given["set"]:
            name, equals, values = word.partition("=")
            if not equals:
                raise ArgumentError(f"--set cannot be {word}", "set", "write NAME=VALUES, such as SIZE=3..7 or RULE=a,b")
            parameters[name] = _values(values)
        source = _source_of(given["sources"], parameters, given["count"])
        numbers = {key: given[key] for key in ("count", "seed", "jobs", "best", "plays", "matches", "simulations", "max_moves",
                                               "prove", "level", "timeout", "memory_mib", "until")}
        if given["cluster"] == "slurm":
            run_slurm(given, Progress(shown))
            ranking = merge(out, jobs=given["jobs"], progress=shown)
        else:
            ranking = rank(source, out, shard=shard, cluster=given["cluster"], progress=shown, limits=given.get("limits", ()), **numbers)
    for report in reports:
        ranking.write(report)
    return "" if given["quiet"] else _summary(ranking, 10)


def _main() -> int:
    """Runs a command and writes its text."""
    text = sys.argv[1]
    given = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
    name = given["command"]
    if len(sys.argv) > 2:
        given["shard"] = sys.argv[2]
    try:
        text, code = (_rank_command(given), 0) if name == "rank" else _match_command(given)
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # not once more at the end
            raise OSError(f"cannot write standard output: {error.strerror}") from None
        return code
    except KeyboardInterrupt:
        kept = f"; {given['out']} has the results so far, and the same command goes on" if name == "rank" else ""
        print(f"interrupted{kept}", file=sys.stderr)
        return 130
    except (ArgumentError, UsageError) as error:
        print(f"rgtrans {name}: {error}", file=sys.stderr)
        return 2
    except (Error, OSError) as error:
        print(f"rgtrans {name}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(_main())
