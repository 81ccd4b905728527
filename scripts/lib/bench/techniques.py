"""The gain of each technique of docs/reasoner-internals.md: reasoners built without it, measured in turn and compared with complete ones.

    scripts/bench techniques --seconds 0.3 --markdown docs/performance/techniques.md
"""
from lib.bench.speed import description
from lib.measure import build, cell, quotient, speed, table

DEFAULTS = {"runs": 3, "seconds": 1.0}
# For each technique of rgtrans build --without: games where it matters, and one where it hardly does.
TECHNIQUES = {
    "choices": ["hrg amazons", "hrg hex", "rbg chess", "rbg arimaa_split"],
    "values": ["hrg amazons", "hrg breakthrough", "hrg chess_kingCapture", "rbg breakthrough"],
    "loops": ["hrg chess", "rbg chess", "hrg ticTacToe"],
    "sets": ["hrg breakthrough", "hrg clobber", "hrg reversi", "hrg theMillGame", "rbg gess"],
    "targets": ["hrg amazons", "hrg amazons_split2", "rbg chess_kingCapture"],
    "guesses": ["hrg connect4", "hrg gomoku_standard", "hrg yavalath", "rbg connect4"],
    "waiting": ["hrg chess", "hrg oware", "rbg chess", "rbg go"],
    "tables": ["hrg amazons_split2", "hrg chess", "rbg chess", "rbg hex"],
    "numbers": ["hrg chess_kingCapture", "hrg clobber", "rbg breakthrough"],
    "patterns": ["hrg gomoku_standard", "hrg pentago", "hrg yavalath"],
    "planes": ["hrg breakthrough", "hrg yavalath", "hrg amazons", "rbg hex", "rbg reversi"],
    "memory": ["hrg ticTacToe", "hrg connect4", "rbg breakthrough_6x6"],
    "turns": ["hrg breakthrough", "hrg clobber", "rbg hex", "rbg chess"],
}


def options(parser):
    pass


def items(o):
    return [(f"{technique}: {game}", (technique, description(*game.split()))) for technique, games in TECHNIQUES.items()
            for game in games if description(*game.split()).exists()]


def prepare(subject, version, folder, o):
    technique, path = subject
    build(version, path, folder / "with")
    build(version, path, folder / "without", "--without", technique)
    ways = {f"{manner} {kind}": (folder / kind, flags) for manner, flags in (("listed", []), ("drawn", ["--sample"]))
            for kind in ("without", "with")}
    return lambda seed: {name: speed(program, o.seconds, seed, *flags)["playouts"] for name, (program, flags) in ways.items()}


def report(rows, o):
    lines, last = [], ""
    for row in rows:
        technique, game = row["name"].split(": ")
        cells = []
        for manner in ("listed", "drawn"):
            without, whole = (row.get("now", {}).get(f"{manner} {kind}") for kind in ("without", "with"))
            cells += [cell(without), cell(whole), cell(quotient(whole, without), ".2f")]
        lines.append(["" if technique == last else technique, game, *cells])
        last = technique
    head = ["technique", "game", "listed without", "listed with", "ratio", "drawn without", "drawn with", "ratio"]
    return "techniques", f"Medians of {o.runs} runs of {o.seconds:g} s each, playouts a second.\n\n" + table(head, lines)
