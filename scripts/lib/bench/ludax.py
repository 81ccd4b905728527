"""Moves a second of compiled Ludax games on one core, compared with Ludii on one thread and Ludax on a GPU.

The figures of others are in ../shared/oracle/ldx_peer_speed.tsv (or below RGTRANS_SHARED), at the batch size that suits each best,
from other machines.
"""
from lib.measure import ROOT, build, geometric_mean, records, speed, table

DEFAULTS = {"runs": 5, "seconds": 0.5}
# Their names for our games.
BENCHMARK = {"tic_tac_toe": "tic-tac-toe", "connect_four": "connect-four", "hex": "hex", "reversi": "reversi",
             "gomoku": "exact-gomoku", "pente": "pente", "yavalath": "yavalath", "yavalax": "yavalax", "connect6": "connect6"}


def options(parser):
    pass


def items(o):
    return [(name, ROOT / "games" / "ludax" / f"{name}.ldx") for name in BENCHMARK.values()]


def prepare(path, version, folder, o):
    build(version, path, folder / "game")
    return lambda seed: speed(folder / "game", o.seconds, seed)


def report(rows, o):
    best = {}
    for row in records("ldx_peer_speed.tsv"):
        if row["system"] != "ludii" or row["batch_or_threads"] == "1":
            key = BENCHMARK.get(row["game"]), row["system"]
            best[key] = max(best.get(key, 0.0), float(row["moves_per_s"]))
    moves = {row["name"]: row["now"]["moves"] for row in rows if "now" in row}
    lines = [[name, f"{m / 1e6:.2f}", f"{best[name, 'ludii'] / 1e6:.3g}", f"{m / best[name, 'ludii']:.1f}",
              f"{best[name, 'ludax'] / 1e6:.3g}", f"{m / best[name, 'ludax']:.3f}"] for name, m in moves.items()]
    text = [table(["game", "million moves/s, one core", "Ludii, one thread", "ratio", "Ludax on a GPU", "ratio"], lines)]
    for title, system in (("Ludii on one thread", "ludii"), ("Ludax on a GPU", "ludax")):
        mean = geometric_mean([m / best[name, system] for name, m in moves.items()])
        text += ["", f"Geometric mean against {title}: {mean:.3g} ({len(moves)} games)."]
    return "bench-ludax", "\n".join(text)
