"""Playouts a second of our engines compared with the recorded figures of other systems, or of an older version of ours.

    scripts/bench speed --log speed.jsonl --svg docs/reasoner-speed.svg --markdown docs/performance/reasoner.md
    scripts/bench speed --engines cpp,pgo,interpreter games/hrg/chess.hrg
    scripts/bench speed --beside 8b4a84c --kinds hrg,rbg --log beside.jsonl --markdown docs/performance/reasoner.md
    scripts/bench speed --beside 8b4a84c --engines interpreter --markdown docs/performance/interpreter.md

The table is ../shared/oracle/peer_speed.tsv (or below RGTRANS_SHARED): every game in it whose description is there. A playout
is uniformly random: all legal moves are listed, the keeper's moves are part of it; `drawn` draws moves instead. Other systems
are not run: the record has their figures on this kind of machine. The whole table takes half an hour, most of it for compiling.

With --beside, ../shared/oracle/side_by_side.tsv has the ratio of that version to another system, measured in the same
manner: the product of the two ratios is the claim. With --engines interpreter alone, interpreters play every game in HRG
and RBG with more than 100 edges at -O2 whose plays take less than a second; their start is not counted.
"""
import collections
import json
import math
import pathlib
import re
import sys
from xml.sax.saxutils import escape

from lib.measure import (Failed, ROOT, SHARED, Version, as_text, build, cell, edges, mean_line, must, quotient, records, speed,
                         two_columns, table)

DEFAULTS = {"runs": 3, "seconds": 1.0}
ENGINES = ("cpp", "pgo", "interpreter", "drawn")
PEERS = {"RG compiler": "RG", "native RBG": "RBG", "Ludii": "Ludii"}
SAME_LENGTH = 0.1  # random games of the same rules differ by less
LARGE = 100  # edges; larger games measure the speed of the interpreter
WANTED = 1.8  # times another system, on every game

# Ludii's games that are the same as ours: the same rules, and random games of about the same length.
LUDII = {
    "Alquerque": "linegames alquerque_lud", "Amazons": "hrg amazons_split2", "Breakthrough": "hrg breakthrough",
    "Chess": "hrg chess", "Clobber": "hrg clobber", "Connect Four": "hrg connect4", "Dash Guti": "linegames dashGuti_lud",
    "Fox and Geese": "hrg foxAndGeese_lud", "Gomoku": "hrg gomoku_standard", "Hex (11x11)": "hrg hex",
    "Lau Kata Kati": "linegames lauKataKati_lud", "Pretwa": "linegames pretwa_lud", "Reversi": "hrg reversi",
    "Tic-Tac-Toe": "hrg ticTacToe", "Ultimate Tic-Tac-Toe": "hrg ultimateTicTacToe", "Yavalath": "hrg yavalath",
}


def options(parser):
    parser.add_argument("games", nargs="*", type=pathlib.Path)
    parser.add_argument("--engines", type=lambda text: text.split(","),
                        help=f"some of {', '.join(ENGINES)}, by default cpp and interpreter, with --beside cpp and drawn; pgo is profile-guided")
    parser.add_argument("--kinds", default=["hrg", "linegames", "rbg", "rg", "kif"], type=lambda text: text.split(","))
    parser.add_argument("--svg", type=pathlib.Path, help="also draw a chart")


def description(language, game):
    """The file that describes a game of the table: a shared one, else our own."""
    corpus = SHARED / "corpus"
    suffix = {"linegames": "py"}.get(language, language)
    folders = {"rbg": [corpus / "rbg" / "high", corpus / "rbg" / "low"], "kif": [corpus / "gdl" / "rg-kif"]}
    paths = [folder / f"{game}.{suffix}" for folder in folders.get(language, [corpus / language])]
    with_hyphens = re.sub("([A-Z])", r"-\1", game).lower()
    paths += [ROOT / "games" / language / f"{name}.{suffix}" for name in (game, with_hyphens)]
    return next((path for path in paths if path.exists()), paths[0])


def peers():
    """Name -> system -> playouts a second, and name -> mean number of moves."""
    speeds, lengths = collections.defaultdict(dict), {}
    for row in records("peer_speed.tsv"):
        name = LUDII.get(row["game"]) if row["engine"] == "Ludii" else f"{row['language']} {row['game']}"
        figure = float(row["playouts_per_s"])
        if name and figure > 0:
            speeds[name][row["engine"]] = max(figure, speeds[name].get(row["engine"], 0))
        if name and row["mean_moves"] and row["engine"] != "Ludii":
            lengths[name] = float(row["mean_moves"])
    return speeds, lengths


def engines(o):
    chosen = o.engines or (["cpp", "drawn"] if o.beside else ["cpp", "interpreter"])
    if not set(chosen) <= set(ENGINES):
        sys.exit(f"the engines are {', '.join(ENGINES)}")
    return chosen


def interpreters_alone(o):
    return o.beside and o.engines == ["interpreter"]


def is_played_soon(path, o):
    version = Version("now", o.program)
    try:
        if edges(version, path) <= LARGE:
            return False
        return must([o.program, "playouts", "--count", 1, path], seconds=2).seconds < 1
    except Failed:
        return False


def items(o):
    if o.games:
        paths = [(path.suffix[1:].replace("py", "linegames"), path.stem, path) for path in o.games]
    elif interpreters_alone(o):
        paths = [(path.suffix[1:], path.stem, path) for folder in (SHARED / "corpus/hrg", SHARED / "corpus/rbg/high")
                 for path in sorted(folder.iterdir()) if path.suffix in (".hrg", ".rbg")]
        paths += [(kind, f"games/{path.stem}", path) for kind in ("hrg", "rbg") for path in sorted((ROOT / "games" / kind).glob(f"*.{kind}"))]
        paths = [row for row in paths if is_played_soon(row[2], o)]
    else:
        names = [f"{r['language']} {r['game']}" for r in records("side_by_side.tsv")] if o.beside else peers()[0]
        paths = [(*name.split(" ", 1), description(*name.split(" ", 1))) for name in names]
        paths = sorted((row for row in paths if row[0] in o.kinds and row[2].exists()), key=lambda row: (o.kinds.index(row[0]), row[1]))
    return [(f"{language} {game}", path) for language, game, path in paths]


def interpreted(program, path, *words):
    """Playouts and processor time of a run of the interpreter."""
    done = must([program, "playouts", "--json", *words, path], seconds=120)
    return json.loads(done.out)["playouts"], done.seconds


def prepare(path, version, folder, o):
    path = as_text(path, version, folder)
    for name, flags in (("cpp", []), ("pgo", ["--pgo"])):
        if name in engines(o) or (name == "cpp" and "drawn" in engines(o)):
            build(version, path, folder / name, *flags)
    start = min(interpreted(version.program, path, "--count", 1)[1] for _ in range(3)) if "interpreter" in engines(o) else 0

    def play(seed):
        row = {}
        for name in engines(o):
            if name == "interpreter":
                plays, seconds = interpreted(version.program, path, "--seconds", o.seconds, "--seed", seed)
                row[name] = max(plays - 1, 0) / max(seconds - start, 0.001)
            else:
                found = speed(folder / ("cpp" if name == "drawn" else name), o.seconds, seed, *(["--sample"] if name == "drawn" else []))
                row[name], row["turns"] = found["playouts"], found["moves"] / found["playouts"] or row.get("turns")
        return row
    return play


def compiled(figures):
    return max((figures[name] for name in ("cpp", "pgo") if figures.get(name)), default=None)


def main_figure(figures):
    return compiled(figures) or figures.get("interpreter")


def beside_report(rows, o):
    known = {}
    for r in records("side_by_side.tsv"):
        if f"ours_{o.beside}" in r:
            known[f"{r['language']} {r['game']}"] = (r["system"], float(r["ratio"]))
    ratios = {row["name"]: quotient(main_figure(row["now"]), main_figure(row["before"])) for row in rows}
    claims = {name: ratio * known[name][1] for name, ratio in ratios.items() if ratio and name in known}
    drawn = {row["name"]: quotient(row["now"].get("drawn"), row["now"].get("cpp")) for row in rows}
    lines = [f"Medians of {o.runs} runs of {o.seconds:g} s each, in turn with version {o.beside}.", ""]
    lines += mean_line("against the older version", ratios)
    for system in ("RG compiler", "native RBG"):
        lines += mean_line(f"against other systems ({system})", {n: c for n, c in claims.items() if known[n][0] == system})
    missed = sorted((claim, name) for name, claim in claims.items() if claim < WANTED)
    if missed:
        lines.append(f"* against other systems below {WANTED}: " + ", ".join(f"{name} {claim:.2f}" for claim, name in missed))
    lines += mean_line("drawn plays against listed ones", drawn)
    speeds = {row["name"]: [cell(main_figure(row["before"])), cell(main_figure(row["now"]))] for row in rows}
    if interpreters_alone(o):
        cells = [[name, *speeds[name], cell(ratios[name], ".2f")] for name in speeds if ratios[name]]
        return "beside-interpreter", "\n".join([*lines, "", two_columns(["game", "before", "now", "ratio"], cells)])
    cells = [[row["name"], *speeds[row["name"]], cell(row["now"].get("drawn")), cell(ratios[row["name"]], ".2f"),
              known.get(row["name"], ("",))[0], cell(claims.get(row["name"]), ".2f")] for row in rows]
    return "beside", "\n".join([*lines, "", table(["game", "before", "now", "drawn", "now / before", "against", "claim"], cells)])


def draw(ratios, path):
    """One bar a game: our compiled speed as a multiple of the best other system, on a logarithmic scale."""
    height, left, width = 16, 220, 560
    low, high = 0.5, max([4.0, *ratios.values()]) * 1.2

    def at(ratio):
        return left + width * math.log(max(ratio, low) / low) / math.log(high / low)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 80}" height="{height * (len(ratios) + 2)}" '
             'font-family="sans-serif" font-size="11">']
    for i, (game, ratio) in enumerate(ratios.items()):
        y = height * (i + 1)
        colour = "#2a7f62" if ratio >= 1 else "#b5483a"
        lines.append(f'<text x="{left - 6}" y="{y + 12}" text-anchor="end">{escape(game)}</text>')
        lines.append(f'<rect x="{left}" y="{y + 2}" width="{at(ratio) - left:.1f}" height="{height - 4}" fill="{colour}"/>')
        lines.append(f'<text x="{at(ratio) + 4:.1f}" y="{y + 12}">{ratio:.2f}</text>')
    lines.append(f'<line x1="{at(1):.1f}" x2="{at(1):.1f}" y1="{height}" y2="{height * (len(ratios) + 1)}" stroke="black"/>')
    lines.append(f'<text x="{left}" y="12">times the best other system (logarithmic)</text></svg>')
    path.write_text("\n".join(lines) + "\n")


def report(rows, o):
    rows = sorted((row for row in rows if "failed" not in row), key=lambda row: row["name"])
    if o.beside:
        return beside_report(rows, o)
    speeds, lengths = peers()
    # A game of our own may have other rules than that of the table: plays of another length show it.
    others = {row["name"]: speeds.get(row["name"], {}) for row in rows
              if not (row["name"] in lengths and abs((row["now"].get("turns") or lengths[row["name"]]) / lengths[row["name"]] - 1) > SAME_LENGTH)}
    ours = {row["name"]: compiled(row["now"]) for row in rows}
    lines = [f"Medians of {o.runs} runs of {o.seconds:g} s each.", ""]
    groups = (("RG compiler", "hrg and line games", ("hrg", "linegames")), ("native RBG", "rbg games", ("rbg",)),
              ("RG compiler", "all games", None), ("Ludii", "all games", None))
    for system, what, languages in groups:
        lines += mean_line(f"against {system}, {what}", {n: quotient(ours[n], others.get(n, {}).get(system)) for n in ours
                                                         if languages is None or n.split()[0] in languages})
    best = {name: max(of.items(), key=lambda item: item[1]) for name, of in others.items() if of}
    ratios = {n: quotient(ours[n], best[n][1]) for n in ours if n in best and ours[n]}
    lines += mean_line("against the best other system, all games", ratios)
    cells = [[row["name"], cell(ours[row["name"]], ",.0f" if (ours[row["name"]] or 0) >= 10 else ".2g"), cell(row["now"].get("interpreter")),
              f"{best[row['name']][1]:,.0f} {PEERS[best[row['name']][0]]}" if row["name"] in best else "",
              cell(ratios.get(row["name"]), ".2f")] for row in rows]
    if o.svg:
        draw(ratios, o.svg)
    return "bench", "\n".join([*lines, "", two_columns(["game", "compiled", "interpreter", "best other", "ratio"], cells)])
