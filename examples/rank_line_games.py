# %% [markdown]
# # A thousand line games, ranked
#
# Searches the space of Alquerque's relatives: a first generation is drawn at random, and each following one consists of
# the best so far with one of their choices changed. A good game is balanced, is decided, lasts neither too short nor too
# long, offers a choice of moves, and rewards thinking. Run it as a script, or cell by cell as a notebook (the cells are
# marked the way Jupytext, VS Code and Spyder understand).
#
#     python3 examples/rank_line_games.py --count 1000 --out ranking
#
# Boards of your own, with their pieces, are files that LineGame.save has written:
#
#     python3 examples/rank_line_games.py --board mine.linegame --board other.linegame

# %%
import argparse
import csv
import itertools
import math
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence, Set, Tuple

import rgtrans
from rgtrans.linegames import BLACK, WHITE, E, LineGame, N, S, W

# %% [markdown]
# ## Boards and rules
# A variant is one choice from each list. There are more combinations than we want, so a sample is taken.

# %%


def rows(game, count):
    return game.rows(BLACK, first=count).rows(WHITE, last=count)


def wheel(spokes, rings):
    half = spokes // 2
    return LineGame().circle(spokes, rings).spokes(WHITE, range(half)).spokes(BLACK, range(half, spokes))


def triangles(height):
    game = LineGame().point().attach_triangle(N, height=height).attach_triangle(S, height=height)
    return game.triangle(BLACK, N).triangle(WHITE, S)


BOARDS: Dict[str, Callable[[], LineGame]] = {
    "alquerque 5x5": lambda: LineGame().alquerque(5, 5).halves(BLACK, "west-north"),
    "alquerque 5x5, two rows": lambda: rows(LineGame().alquerque(5, 5), 2),
    "alquerque 7x5": lambda: LineGame().alquerque(7, 5).halves(BLACK, "east-north"),
    "alquerque 5x7": lambda: rows(LineGame().alquerque(5, 7), 3),
    "alquerque with two triangles": lambda: LineGame().alquerque(5, 5).attach_triangle(N, height=3)
    .attach_triangle(S, height=3).halves(BLACK, "west-north").triangle(BLACK, N).triangle(WHITE, S),
    "alquerque with four triangles": lambda: LineGame().alquerque(3, 3).attach_triangle(N, height=3)
    .attach_triangle(E, height=3).attach_triangle(S, height=3).attach_triangle(W, height=3)
    .triangle(BLACK, N).triangle(BLACK, E).triangle(WHITE, S).triangle(WHITE, W),
    "squares 2x3": lambda: rows(LineGame().square_with_diagonals(2, 3), 3),
    "grid 4x6": lambda: rows(LineGame().grid(4, 6), 2),
    **{f"wheel {spokes}, {rings}": partial(wheel, spokes, rings) for spokes in (4, 6, 8) for rings in (2, 3, 4)},
    **{f"triangles {height}": partial(triangles, height) for height in (3, 4, 5)},
}
CAPTURES = list(itertools.product(["optional", "mandatory"], ["single", "whole", "stepwise"]))
STEPS = ["any", "not-backward", "forward"]
FLYING = ["none", "all"]
LIMITS = [dict(max_turns=60), dict(max_turns=120), dict(stagnation=20, max_turns=200)]


def own_boards(paths):
    """Replaces the boards by those in files of line games. Their rules and limits are among those that are varied."""
    BOARDS.clear()
    for path in paths:
        definition = path.read_text(encoding="utf-8")
        game = LineGame.from_json(definition, str(path))
        name = game.name if game.name not in BOARDS and game.name != "line game" else str(path)
        BOARDS[name] = partial(LineGame.from_json, definition, str(path))
    FIELDS[0] = list(BOARDS)


FIELDS: List[Sequence[Any]] = [list(BOARDS), CAPTURES, STEPS, FLYING, range(len(LIMITS))]


def build(genes):
    """The game with these choices, one from each list."""
    board, (captures, sequence), steps, flying, limit = genes
    game = BOARDS[board]()
    game.name = f"{board}; {captures} {sequence}; steps {steps}; flying {flying}; {LIMITS[limit]}"
    return game.rules(captures=captures, sequence=sequence, steps=steps, flying=flying).limits(**LIMITS[limit])


def mutated(genes, dice):
    """One choice is another one."""
    place = dice.randrange(len(FIELDS))
    others = [choice for choice in FIELDS[place] if choice != genes[place]]
    return genes[:place] + (dice.choice(others),) + genes[place + 1:]


def generations(count, size, dice, best):
    """Lists of new choices, `count` in all; `best()` returns the parents of the next list."""
    every = list(itertools.product(*FIELDS))
    known: Set[Tuple[Any, ...]] = set()
    while len(known) < min(count, len(every)):
        wanted = min(size, count - len(known), len(every) - len(known))
        parents = best()
        fresh: Set[Tuple[Any, ...]] = set()
        for _ in range(20 * wanted):
            genes = mutated(dice.choice(parents), dice) if parents and dice.random() < 0.8 else dice.choice(every)
            if genes not in known and len(fresh) < wanted:
                fresh.add(genes)
        fresh.update(itertools.islice((genes for genes in every if genes not in known | fresh), wanted - len(fresh)))
        known |= fresh
        yield sorted(fresh, key=every.index)


# %% [markdown]
# ## Playing
# Players of equal strength play each other, and one with ten times the simulations plays them. Translation and playing run
# without Python's lock, so plain threads use all cores.

# %%


def play(genes, options):
    line_game = build(genes)
    start = time.perf_counter()
    game = line_game.game()
    translated = time.perf_counter() - start
    found = rgtrans.analyze(
        game, count=options.plays, simulations=options.simulations, seed=options.seed, max_moves=300, depth=not options.no_depth,
        seconds=options.seconds,
    )
    row = {"name": line_game.name, "genes": genes, "translated": translated, "analyzed": found.seconds}
    for key, estimate in found.figures.items():
        row[key] = estimate.value
    row["balance"] = 1 - abs(2 * row["first"] - 1)
    row["decided"] = row["ended"] * (1 - row["draws"])
    row["score"] = score(row)
    return row


def score(row):
    """Between 0 and 1; lengths near 50 turns and 8 choices a turn are thought best."""
    length = math.exp(-((math.log(row["length"] / 50 + 1e-9)) ** 2))
    choice = math.exp(-((math.log(row["branching"] / 8 + 1e-9)) ** 2) / 2)
    depth = row.get("depth", 1)
    return row["balance"] * row["decided"] * length * choice * depth


def progress(done, total):
    """A bar on standard error, on a terminal."""
    if sys.stderr.isatty():
        filled = 40 * done // total
        print(f"\rplaying [{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end="", file=sys.stderr)


# %% [markdown]
# ## The plot
# Length against balance, one dot a game. With matplotlib as PNG, otherwise as SVG.

# %%


def plot(ranking, path):
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return plot_svg(ranking, path.with_suffix(".svg"))
    figure, axes = pyplot.subplots(figsize=(9, 6))
    dots = axes.scatter([r["length"] for r in ranking], [r["balance"] for r in ranking], s=12, c=[r["score"] for r in ranking])
    axes.set(xlabel="mean length in moves", ylabel="balance", title=f"{len(ranking)} line games")
    figure.colorbar(dots, label="score")
    figure.savefig(path.with_suffix(".png"), dpi=120)
    return path.with_suffix(".png")


def plot_svg(ranking, path):
    longest = max(r["length"] for r in ranking)
    dots = "\n".join(
        f'<circle cx="{60 + 700 * r["length"] / longest:.1f}" cy="{440 - 400 * r["balance"]:.1f}" r="3" '
        f'fill="hsl({240 * (1 - r["score"]):.0f} 80% 45%)" fill-opacity="0.6"><title>{r["name"]}</title></circle>'
        for r in ranking
    )
    ticks = "".join(
        f'<text x="{60 + 700 * i / 5}" y="460" text-anchor="middle">{longest * i / 5:.0f}</text>'
        f'<text x="50" y="{444 - 400 * i / 5}" text-anchor="end">{i / 5}</text>'
        for i in range(6)
    )
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="490" font-family="sans-serif" font-size="12">\n'
        '<rect width="100%" height="100%" fill="white"/>\n<path d="M60 30V440H780" fill="none" stroke="black"/>\n'
        f'{ticks}<text x="420" y="482" text-anchor="middle">mean length in moves</text>'
        f'<text x="60" y="20">balance of {len(ranking)} line games</text>\n{dots}\n</svg>\n'
    )
    return path


# %%


FIGURES = ["score", "length", "branching", "balance", "decided", "depth", "lead_changes", "forced"]


def write_page(ranking, path):
    """The best ten as drawings with their figures."""
    parts = ["<!doctype html><meta charset=utf-8><title>Line games</title><style>body{font:15px system-ui;max-width:70rem;"
             "margin:2rem auto}section{display:inline-block;width:21rem;margin:1rem;vertical-align:top}svg{width:100%;"
             "height:16rem}td{padding:0 .6rem}</style><h1>The best line games</h1>"]
    for place, row in enumerate(ranking[:10], 1):
        figures = "".join(f"<tr><td>{key}<td>{row[key]:.2f}" for key in FIGURES if key in row)
        parts.append(f"<section><h3>{place}. {row['name']}</h3>{build(row['genes']).svg()}<table>{figures}</table></section>")
    path.write_text("\n".join(parts))


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Generate, translate, play and rank line games.")
    parser.add_argument("--board", type=Path, action="append", metavar="FILE", help="a line game whose board is ranked instead of those in this file; may be given several times")
    parser.add_argument("--count", type=int, default=1000, help="of games")
    parser.add_argument("--games", type=int, dest="count", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--plays", type=int, default=6, help="of each game, and as many against the stronger player")
    parser.add_argument("--simulations", type=int, default=10, help="of the players, for a move")
    parser.add_argument("--seconds", type=float, default=0.8, help="for the plays of one game: none begins later, none takes twice as long; 0: no limit")
    parser.add_argument("--no-depth", action="store_true", help="leave the stronger player out")
    parser.add_argument("--generation", type=int, default=100, help="games of a generation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="threads")
    parser.add_argument("--threads", type=int, dest="jobs", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ranking"), help="folder for ranking.csv, the plot and the best games")
    options = parser.parse_args(arguments)
    if options.board:
        try:
            own_boards(options.board)
        except (OSError, rgtrans.Error) as problem:
            parser.error(str(problem))

    ranking: List[Dict[str, Any]] = []
    parents = lambda: [row["genes"] for row in sorted(ranking, key=lambda row: -row["score"])[: options.generation // 4]]
    with ThreadPoolExecutor(options.jobs) as executor:
        for fresh in generations(options.count, options.generation, random.Random(options.seed), parents):
            for row in executor.map(lambda genes: play(genes, options), fresh):
                ranking.append(row)
                progress(len(ranking), options.count)
    ranking.sort(key=lambda row: -row["score"])

    options.out.mkdir(parents=True, exist_ok=True)
    columns = [key for key in ranking[0] if key != "genes"]
    with open(options.out / "ranking.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(ranking)
    best = build(ranking[0]["genes"])
    best.save(options.out / "best.svg")
    best.save(options.out / "best.hrg")
    write_page(ranking, options.out / "best.html")
    picture = plot(ranking, options.out / "ranking")

    print(f"translated {len(ranking)} games in {sum(r['translated'] for r in ranking):.1f} s and analyzed them in "
          f"{sum(r['analyzed'] for r in ranking):.1f} s of all threads together")
    print(f"{'score':>6} {'length':>7} {'choices':>8} {'balance':>8}  game")
    for row in ranking[:10]:
        print(f"{row['score']:6.2f} {row['length']:7.1f} {row['branching']:8.1f} {row['balance']:8.2f}  {row['name']}")
    print(f"written: {options.out / 'ranking.csv'}, {picture}, {options.out / 'best.html'}")


if __name__ == "__main__":
    main()
