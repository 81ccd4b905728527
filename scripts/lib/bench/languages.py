"""The same rules in GDL or Ludax and in HRG: edges, and compiled playouts a second in turn.

    scripts/bench languages --language gdl --markdown docs/performance/gdl.md
"""
import statistics

from lib.measure import ROOT, SHARED, build, edges, replaced, speed, table

DEFAULTS = {"runs": 5, "seconds": 0.5}
# A description with replacements in its text, and the HRG game with replacements, where they differ by a number or a word.
CHESS = {"0..100": "0..200", "N < 100": "N < 200", "T(100)": "T(200)",  # until 200 moves were made
         "clock = T(0)": "clock = tick[clock]", "{ queen, rook, bishop, knight }": "{ queen }"}
GDL = [
    ("ggp-repository/amazons_8x8", {}, "amazons",
     {"1..10": "1..8", "S(1, 4)": "S(1, 3)", "S(4, 1)": "S(3, 1)", "S(7, 1)": "S(6, 1)", "S(10, 4)": "S(8, 3)",
      "S(1, 7)": "S(1, 6)", "S(4, 10)": "S(3, 8)", "S(7, 10)": "S(6, 8)", "S(10, 7)": "S(8, 6)"}),
    ("ggp-repository/breakthrough", {}, "breakthrough", {}),
    ("ggp-repository/checkers", {}, "checkers", {}),
    # White castles on the side of the king in its own turn, too, as all others do.
    ("ggpserver/jocular_chess", {"(move wk e 1 g 1))\n    (true (cell e 1 wk))": "(move wk e 1 g 1)) (true (control white)) (true (cell e 1 wk))"},
     "chess", CHESS),
    ("ggpserver/jocular_chess", {}, "chess", CHESS),
    ("ggp-repository/connectFour", {}, "connect-four", {"C in 1..7": "C in 1..8"}),
    ("ggp-repository/englishDraughts", {}, "english-draughts", {"0..80": "0..20", "N < 80": "N < 20", "T(80)": "T(20)"}),
    ("ggp-repository/gomoku_15x15", {}, "gomoku", {}),
    ("ggp-repository/hex", {}, "hex", {"1..11": "1..9", "== 11": "== 9"}),
    ("ggp-repository/pentago", {}, "pentago", {}),
    ("ggp-repository/quarto", {}, "quarto", {}),
    ("ggp-repository/reversi", {}, "reversi", {}),
    ("ggp-repository/skirmish", {}, "skirmish", {}),
]
LUDAX = ("tic-tac-toe", "connect-four", "gomoku", "hex", "reversi")


def options(parser):
    parser.add_argument("--language", choices=["gdl", "ludax"], required=True)


def items(o):
    if o.language == "ludax":
        for name in LUDAX:
            yield f"ludax {name}", (ROOT / "games" / "ludax" / f"{name}.ldx", {}, ROOT / "games" / "hrg" / f"{name}.hrg", {})
        return
    for gdl, gdl_changes, hrg, hrg_changes in GDL:
        name = f"gdl {gdl.split('/')[1]}{', mended' if gdl_changes else ''} | {hrg}{', other numbers' if hrg_changes else ''}"
        yield name, (SHARED / "corpus" / "gdl" / f"{gdl}.kif", gdl_changes, ROOT / "games" / "hrg" / f"{hrg}.hrg", hrg_changes)


def prepare(subject, version, folder, o):
    counts = []
    for i in (0, 1):
        path = replaced(subject[2 * i], subject[2 * i + 1].items(), folder)
        counts.append(edges(version, path))
        build(version, path, folder / str(i))

    def play(seed):
        ours, hrg = (speed(folder / str(i), o.seconds, seed)["playouts"] for i in (0, 1))
        return {"edges": counts[0], "edges of HRG": counts[1], "playouts": ours, "playouts of HRG": hrg, "ratio": ours / hrg}
    return play


def PICK(values):
    return statistics.median_low(values) if all(isinstance(value, int) for value in values) else statistics.median(values)


def report(rows, o):
    lines = []
    for row in rows:
        if "now" in row and row["name"].startswith(o.language):
            now, names = row["now"], row["name"].split(" ", 1)[1].split(" | ")
            lines.append([names[0], names[-1], now["edges"], now["edges of HRG"], f"{now['playouts']:,.0f}",
                          f"{now['playouts of HRG']:,.0f}", f"{now['ratio']:.2f}"])
    title = {"gdl": "GDL", "ludax": "Ludax"}[o.language]
    return f"bench-{o.language}-hrg", table([title, "HRG", "edges", "of HRG", "playouts/s", "of HRG", "ratio"], lines)
