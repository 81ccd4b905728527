"""The page of a ranking: the best games with drawings, the distributions of their figures, the reasons for dropped games."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from typing import Callable, List, Sequence

from ._errors import Error
from ._game import load
from ._rank_sources import GameText
from ._rank_stages import Row
from ._rank_store import Store

_DRAWN, _LISTED, _REASONS = 10, 200, 60
_FIGURES = (("score", "score of plays at random"), ("final", "score"), ("length", "moves of a play at random"),
            ("branching", "moves to choose from"), ("balance", "balance"), ("decided", "decided"), ("depth", "depth"))
_STYLE = """body{font:15px system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222}
section.game{display:inline-block;width:21rem;margin:.6rem;vertical-align:top}section.game svg{width:100%;height:16rem}
table{border-collapse:collapse}td,th{padding:.1rem .6rem;text-align:right}td:last-child,th:last-child{text-align:left}
tr:nth-child(even){background:#f4f4f4}figure{display:inline-block;margin:.6rem}figcaption{font-size:13px}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}tr:nth-child(even){background:#242424}section.game svg{background:#fff}}"""


def histogram(values: Sequence[float], title: str, bars: int = 24) -> str:
    """A drawing of how often values occur."""
    if not values:
        return ""
    low, high = min(values), max(values)
    width = (high - low) / bars or 1
    counts = [0] * bars
    for value in values:
        counts[min(bars - 1, int((value - low) / width))] += 1
    most = max(counts)
    drawn = "".join(f'<rect x="{12 * i}" y="{100 - 100 * n / most:.1f}" width="11" height="{100 * n / most:.1f}"><title>{n} games from '
                    f"{low + i * width:.3g}</title></rect>" for i, n in enumerate(counts) if n)
    return (f'<figure><svg width="{12 * bars}" height="118" font-size="11"><g fill="#4a7ab5">{drawn}</g><g fill="currentColor">'
            f'<text y="114">{low:.3g}</text><text x="{12 * bars}" y="114" text-anchor="end">{high:.3g}</text></g></svg>'
            f"<figcaption>{escape(title)}, {len(values):,} games</figcaption></figure>")


def _drawing(text: GameText) -> str:
    """The first position, or nothing where a game cannot be drawn."""
    try:
        game = load(text.text.decode("utf-8", "surrogateescape") + "\n", text.language or None, name=text.name)
        return game.new_state().svg()
    except (Error, ValueError):
        return ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows)
    return f"<table><tr>{''.join(f'<th>{cell}' for cell in head)}{lines}</table>"


def _number(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3g}"
    return "" if value is None else escape(str(value))


def write_page(path: Path, store: Store, text_of: Callable[[int], GameText]) -> None:
    """Writes one file without external references."""
    ranking: List[Row] = store.ranking(_LISTED)
    passed, costs = store.left_by_stage(), store.costs()
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Ranked games</title><style>{_STYLE}</style>"
             f"<h1>{store.count():,} games, ranked</h1>"]
    stages = [[f"{number:,}", f"{1000 * costs[stage][1] / max(1, costs[stage][0]):.1f} ms" if stage in costs else "", escape(stage)]
              for stage, number in passed.items()]
    parts.append("<h2>Stages</h2>" + _table(["games that passed", "processor time of a game", "stage"], stages))
    parts.append("<h2>The best games</h2>")
    for place, row in enumerate(ranking[:_DRAWN], 1):
        figures = "".join(f"<tr><td>{escape(title)}<td>{_number(row[key])}" for key, title in _FIGURES if row[key] is not None)
        parts.append(f"<section class=game><h3>{place}. {escape(row['name'] or '')}</h3>{_drawing(text_of(row['idx']))}"
                     f"<table>{figures}</table></section>")
    parts.append("<h2>Figures of all games that are left</h2>" + "".join(histogram(store.values(key), title) for key, title in _FIGURES))
    parts.append("<h2>Ranking</h2>" + _table(
        ["", *(key for key, _ in _FIGURES), "index", "game"],
        [[str(place), *(_number(row[key]) for key, _ in _FIGURES), str(row["idx"]), escape(row["name"] or "")]
         for place, row in enumerate(ranking, 1)]))
    reasons = store.reasons()
    shown = [[f"{number:,}", escape(stage), escape(reason or "")] for stage, reason, number in reasons[:_REASONS]]
    more = f"<p>{len(reasons) - _REASONS:,} further reasons" if len(reasons) > _REASONS else ""
    parts.append("<h2>Dropped games</h2>" + _table(["games", "stage", "reason"], shown) + more)
    path.write_text("\n".join(parts), encoding="utf-8", errors="surrogateescape")
