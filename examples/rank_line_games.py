# %% [markdown]
# # A thousand line games, ranked
#
# Generates variants of Alquerque, translates and plays them, and ranks them: a good game is balanced, lasts neither too
# short nor too long, and offers a choice of moves. Run it as a script, or cell by cell as a notebook (the cells are
# marked the way Jupytext, VS Code and Spyder understand).
#
#     python3 examples/rank_line_games.py --games 1000 --playouts 200 --out ranking

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
from pathlib import Path

import rgtrans
from rgtrans.linegames import BLACK, WHITE, E, LineGame, N, S, W

# %% [markdown]
# ## Boards and rules
# A variant is one choice from each list. There are more combinations than we want, so a sample is taken.

# %%


def rows(game, count):
    return game.rows(BLACK, first=count).rows(WHITE, last=count)


BOARDS = {
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
    **{
        f"wheel {spokes}, {rings}": lambda spokes=spokes, rings=rings: LineGame().circle(spokes, rings)
        .spokes(WHITE, range(spokes // 2)).spokes(BLACK, range(spokes // 2, spokes))
        for spokes in (4, 6, 8) for rings in (2, 3, 4)
    },
    **{
        f"triangles {height}": lambda height=height: LineGame().point().attach_triangle(N, height=height)
        .attach_triangle(S, height=height).triangle(BLACK, N).triangle(WHITE, S)
        for height in (3, 4, 5)
    },
}
CAPTURES = list(itertools.product(["optional", "mandatory"], ["single", "whole", "stepwise"]))
STEPS = ["any", "not-backward", "forward"]
FLYING = ["none", "all"]
LIMITS = [dict(max_turns=60), dict(max_turns=120), dict(stagnation=20, max_turns=200)]


def variants(count, seed=1):
    """`count` different games."""
    choices = list(itertools.product(BOARDS, CAPTURES, STEPS, FLYING, LIMITS))
    for board, (captures, sequence), steps, flying, limits in random.Random(seed).sample(choices, count):
        game = BOARDS[board]()
        game.name = f"{board}; {captures} {sequence}; steps {steps}; flying {flying}; {limits}"
        yield game.rules(captures=captures, sequence=sequence, steps=steps, flying=flying).limits(**limits)


# %% [markdown]
# ## Playing
# Translation and playouts run without Python's lock, so plain threads use all cores.

# %%


def play(line_game, playouts):
    start = time.perf_counter()
    game = line_game.game()
    translated = time.perf_counter() - start
    stats = game.playouts(playouts)
    return {
        "name": line_game.name,
        "seconds": translated,
        "length": stats.mean_length,
        "branching": stats.mean_branching,
        "balance": stats.balance,
        "decided": sum(stats.wins.values()) / stats.playouts,
        "white": stats.wins[WHITE] / stats.playouts,
    }


def score(row):
    """Between 0 and 1; lengths near 50 moves and 8 choices a move are thought best."""
    length = math.exp(-((math.log(row["length"] / 50 + 1e-9)) ** 2))
    choice = math.exp(-((math.log(row["branching"] / 8 + 1e-9)) ** 2) / 2)
    return row["balance"] * row["decided"] * length * choice


def progress(items, total, label):
    """A bar on standard error; tqdm's when it is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = -1
        for done, item in enumerate(items, 1):
            filled = 40 * done // total
            if filled > shown and sys.stderr.isatty():
                print(f"\r{label} [{'#' * filled}{'.' * (40 - filled)}] {done}/{total}", end="", file=sys.stderr)
                shown = filled
            yield item
        print(f"\r{label} {total} games: done{' ' * 40}", file=sys.stderr)
    else:
        yield from tqdm(items, total=total, desc=label)


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


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Generate, translate, play and rank line games.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--playouts", type=int, default=100, help="random playouts of each game")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ranking"), help="folder for ranking.csv, the plot and the best game")
    options = parser.parse_args(arguments)

    games = list(variants(options.games, options.seed))
    with ThreadPoolExecutor(options.threads) as executor:
        results = executor.map(lambda game: play(game, options.playouts), games)
        ranking = list(progress(results, len(games), "playing"))
    for row in ranking:
        row["score"] = score(row)
    by_name = {game.name: game for game in games}
    ranking.sort(key=lambda row: -row["score"])

    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "ranking.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ranking[0].keys())
        writer.writeheader()
        writer.writerows(ranking)
    by_name[ranking[0]["name"]].save(options.out / "best.svg")
    by_name[ranking[0]["name"]].save(options.out / "best.hrg")
    picture = plot(ranking, options.out / "ranking")

    print(f"translated {len(ranking)} games in {sum(r['seconds'] for r in ranking):.1f} s of all threads together")
    print(f"{'score':>6} {'length':>7} {'choices':>8} {'balance':>8}  game")
    for row in ranking[:10]:
        print(f"{row['score']:6.2f} {row['length']:7.1f} {row['branching']:8.1f} {row['balance']:8.2f}  {row['name']}")
    print(f"written: {options.out / 'ranking.csv'}, {picture}, {options.out / 'best.svg'}")


if __name__ == "__main__":
    main()
