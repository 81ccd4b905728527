"""Random plays a second of compiled games of Ludii on one core, compared with Ludii itself.

    scripts/bench ludii                           all games of the table that are translated
    scripts/bench ludii --only Hex,Chess

Ludii's figures are in ../shared/oracle/lud_speed.tsv (or below RGTRANS_SHARED), for one thread of another machine; the games are in
../shared/corpus/lud. Plays of some games end by a limit of Ludii's, so moves a second are compared, too.
"""
from lib.measure import SHARED, build, geometric_mean, records, speed, table

DEFAULTS = {"runs": 3, "seconds": 0.5}


def options(parser):
    pass


def items(o):
    paths = {path.stem: path for path in (SHARED / "corpus" / "lud" / "games").rglob("*.lud")}
    return [(row["game"], paths[row["game"]]) for row in records("lud_speed.tsv")]


def prepare(path, version, folder, o):
    build(version, path, folder / "game")
    return lambda seed: speed(folder / "game", o.seconds, seed)


def report(rows, o):
    theirs = {row["game"]: row for row in records("lud_speed.tsv")}
    lines, plays, moves = [], [], []
    for row in rows:
        if "now" not in row:
            continue
        other = float(theirs[row["name"]]["playouts_per_cpu_s"])
        plays.append(row["now"]["playouts"] / other)
        moves.append(row["now"]["moves"] / (other * float(theirs[row["name"]]["mean_moves"])))
        lines.append([row["name"], f"{row['now']['playouts']:,.0f}", f"{other:,.0f}", f"{plays[-1]:.1f}", f"{moves[-1]:.1f}"])
    text = [table(["game", "plays/s", "Ludii", "ratio", "ratio of moves/s"], lines), "",
            f"Geometric mean: {geometric_mean(plays):.3g} of the plays, {geometric_mean(moves):.3g} of the moves ({len(lines)} games); "
            f"{sum(ratio < 1 for ratio in plays)} are slower."]
    return "bench-ludii", "\n".join(text)
