"""Exact values of small games and puzzles, with a proof of each value, which `rgtrans solve --check` verifies.

    scripts/bench solver --markdown docs/players.md                    # our own games, on small boards too
    scripts/bench solver --seconds 20 FOLDER/*.kif                     # puzzles and other games of a library
    scripts/bench solver --log solved.jsonl --puzzles --seconds 20 --memory 1024 LIBRARY/*/*.kif
    scripts/bench solver --log solved.jsonl --again --puzzles --seconds 200 LIBRARY/*/*.kif     # also those that are not solved
    scripts/bench solver --log solved.jsonl --report --summary --markdown docs/players.md       # how many of each folder
"""
import json
import re
import time
from pathlib import Path

from lib.measure import Failed, ROOT, as_text, first_line, must, replaced, run, table

DEFAULTS = {"runs": 1, "seconds": 100.0}
TROMP = "draw: Tromp's table of small boards"
NASH = "win: Nash, by stealing the strategy"
BOUTON = "Bouton 1901"
def connect_four(columns, rows):
    top = rows + 1
    return [("1 | 2 | 3 | 4 | 5 | 6 | 7", " | ".join(str(c + 1) for c in range(columns))),
            ("C in 1..7, R in 1..6", f"C in 1..{columns}, R in 1..{rows}"), ("N in 1..7", f"N in 1..{top}"),
            ("N < 7", f"N < {top}"), ("H(7)", f"H({top})")]


def breakthrough(columns, rows):
    return [("F in 1..8, R in 7..8", f"F in 1..{columns}, R in {rows - 1}..{rows}"),
            ("F in 1..8, R in 1..8", f"F in 1..{columns}, R in 1..{rows}"),
            ("F in 1..8, R in 1..2", f"F in 1..{columns}, R in 1..2"), ("R == 8", f"R == {rows}")]


def hex_board(size):
    return [("1..11", f"1..{size}"), ("== 11", f"== {size}")]


def clobber(columns, rows):
    return [("F in 1..8, R in 1..8", f"F in 1..{columns}, R in 1..{rows}")]


def boxes(columns, rows):
    count, lines = columns * rows, columns * (rows + 1) + rows * (columns + 1)
    return [("H(X, Y) where X in 1..4, Y in 1..5", f"H(X, Y) where X in 1..{columns}, Y in 1..{rows + 1}"),
            ("V(X, Y) where X in 1..5, Y in 1..4", f"V(X, Y) where X in 1..{columns + 1}, Y in 1..{rows}"),
            ("B(X, Y) where X in 1..4, Y in 1..4", f"B(X, Y) where X in 1..{columns}, Y in 1..{rows}"),
            ("0..32", f"0..{2 * count}"), ("N < 32", f"N < {2 * count}"), ("D(16)", f"D({count})"),
            ("N > 16", f"N > {count}"), ("N < 16", f"N < {count}"), ("0..40", f"0..{lines}"), ("L(40)", f"L({lines})")]


def heaps(*sizes):
    return [("where I in 0..5", f"where I in 0..{max(max(sizes), 1)}")] + [
        (f"{name} = N({old})", f"{name} = N({new})")
        for name, old, new in reversed(list(zip("abc", (3, 4, 5), sizes)))]


def one_heap(size, most):
    """A single heap from which at most so many are taken."""
    return heaps(size, 0, 0) + [("if A < B then", f"if A < B && B <= A + {most} then")]


# Name, file, replacements in it, and the known value.
GAMES = [
    ("tic-tac-toe", "hrg/tic-tac-toe.hrg", [], "draw: folklore"),
    ("nim 3, 4, 5", "hrg/nim.hrg", [], f"win: {BOUTON}"),
    ("nim 1, 4, 5", "hrg/nim.hrg", heaps(1, 4, 5), f"loss: {BOUTON}"),
    ("nim 5", "hrg/nim.hrg", heaps(5, 0, 0), f"win: {BOUTON}"),
    ("one heap of 20, at most 3 taken", "hrg/nim.hrg", one_heap(20, 3), f"loss: {BOUTON}, a multiple of 4"),
    ("one heap of 21, at most 3 taken", "hrg/nim.hrg", one_heap(21, 3), f"win: {BOUTON}"),
    ("three-player nim", "gdl/three-player-nim.kif", [], ""),
    ("connect four 4x4", "hrg/connect-four.hrg", connect_four(4, 4), TROMP),
    ("connect four 5x4", "hrg/connect-four.hrg", connect_four(5, 4), TROMP),
    ("connect four 4x5", "hrg/connect-four.hrg", connect_four(4, 5), TROMP),
    ("hex 2x2", "hrg/hex.hrg", hex_board(2), NASH),
    ("hex 3x3", "hrg/hex.hrg", hex_board(3), NASH),
    ("hex 4x4", "hrg/hex.hrg", hex_board(4), NASH),
    ("breakthrough 4x4", "hrg/breakthrough.hrg", breakthrough(4, 4), ""),
    ("breakthrough 5x4", "hrg/breakthrough.hrg", breakthrough(5, 4), ""),
    ("clobber 4x4", "hrg/clobber.hrg", clobber(4, 4), ""),
    ("clobber 4x5", "hrg/clobber.hrg", clobber(4, 5), ""),
    ("dots and boxes 2x2", "hrg/dots-and-boxes.hrg", boxes(2, 2), ""),
    ("dots and boxes 3x2", "hrg/dots-and-boxes.hrg", boxes(3, 2), ""),
    ("pretwa on two circles", "linegames/pretwa.py", [("circle(6, 3)", "circle(6, 2)")], ""),
    ("misère tic-tac-toe", "ludax/misere-tic-tac-toe.ldx", [], "draw: folklore"),
    ("eight puzzle", "gdl/eight-puzzle.kif", [], ""),
]


def options(parser):
    parser.add_argument("games", nargs="*", type=Path)
    parser.add_argument("--engine", default="interpreter", choices=["interpreter", "cpp"], help="the engine that plays the games")
    parser.add_argument("--memory", type=int, default=2048, help="MiB")
    parser.add_argument("--puzzles", action="store_true", help="of the files, those in KIF with one role")
    parser.add_argument("--summary", action="store_true", help="count the games of each folder")


def is_puzzle(path):
    """Whether a game description in KIF names one role."""
    text = re.sub(r";.*", "", path.read_text(errors="replace")) if path.suffix == ".kif" else ""
    return len(set(re.findall(r"\(\s*role\s+([^?\s()]+)\s*\)", text))) == 1


def items(o):
    if o.games:
        return [(f"{path.parent.name}/{path.stem}", (path, [])) for path in o.games if not o.puzzles or is_puzzle(path)]
    return [(f"games/{name}", (ROOT / "games" / file, changes)) for name, file, changes, _ in GAMES]


def prepare(subject, version, folder, o):
    path = as_text(replaced(*subject, folder), version, folder)
    proof = folder / "proof"

    def play(_):
        """The values if the game is solved, else why not; and whether the proof was verified."""
        row = {"limits": f"{o.seconds:g} s, {o.memory} MiB", "values": "", "positions": 0, "proof": "none", "why": ""}
        begin = time.perf_counter()
        done = run([version.program, "solve", "--json", "--memory", o.memory, "--seconds", o.seconds, "--engine", o.engine, "--proof", proof, path],
                   timeout=o.seconds + 60)
        row["seconds"] = round(time.perf_counter() - begin, 1)
        if done.code < 0 or not done.out:
            return {**row, "why": "not loaded" if done.code < 0 else first_line(done.err).replace(f"{path.parent.parent}/", "")[:90] or "?"}
        found = json.loads(done.out)
        row["positions"] = found.get("positions", 0)
        if not found.get("solved"):
            return {**row, "why": found.get("stopped", "?")}
        values = found["values"].values() if isinstance(found["values"], dict) else found["values"]
        row["values"] = ", ".join(f"{value:g}" for value in values)
        if proof.exists() and proof.stat().st_size > 0:
            try:
                row["proof"] = "verified" if "verified" in must([version.program, "solve", "--check", proof, path]).out else "FAILED"
            except Failed:
                row["proof"] = "FAILED"
            proof.unlink()
        return row
    return play


def again(row, o):
    return "failed" in row or not row["now"]["values"]


def summary(rows):
    """How many games of each folder were solved."""
    folders = {}
    for row in rows:
        folders.setdefault(row["name"].split("/")[0], []).append(row["now"])
    groups = sorted(folders.items())
    if len(groups) > 1:
        groups.append(("all", [row["now"] for row in rows]))
    lines = []
    for folder, of in groups:
        solved = [now for now in of if now["values"]]
        tried = [now for now in of if not now["values"] and now["positions"] > 0]
        verified = sum(now["proof"] == "verified" for now in solved)
        lines.append([folder, len(of), len(solved), verified, len(tried), len(of) - len(solved) - len(tried)])
    return table(["folder", "games", "solved", "proofs verified", "not solved within the limits", "not loaded"], lines)


def report(rows, o):
    rows = [row for row in rows if "now" in row]
    if o.summary:
        return "bench-solver-summary", summary(rows)
    known = {f"games/{name}": text for name, _, _, text in GAMES}
    lines = []
    for row in rows:
        now = row["now"]
        lines.append([row["name"].split("/", 1)[1], now["values"] or f"not solved: {now['why']}", f"{now['positions']:,}", f"{now['seconds']:.1f}",
                      now["proof"] if now["values"] else "", known.get(row["name"], "")])
    return "bench-solver", table(["game", "goals", "positions", "seconds", "proof", "known"], lines)
