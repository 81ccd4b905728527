"""Drawings of positions as arrays of pixels, without a library for graphics.

It reads the SVG that :meth:`rgtrans.State.svg` writes: rectangles, circles, lines, paths of straight lines, and words, whose
letters are drawn with a small font of points. Chess figures are shown by their letters.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any, Dict, List, Optional, Tuple

import numpy
from numpy.typing import NDArray

Point = Tuple[float, float]
Style = Dict[str, str]

# Letters of five columns; bit 0 of a column is its top. From a blank on, in the order of ASCII.
_FONT = (
    "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000 001c224100 0041221c00 14083e0814"
    " 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31 1814127f10"
    " 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0814224100 1414141414 0041221408"
    " 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a 7f0808087f"
    " 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e 7f09192946"
    " 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100 0204081020"
    " 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102"
    " 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438 7c14141408"
    " 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c 4464544c44"
    " 0008364100 00007f0000 0041360800 0804080408"
).split()
_FIGURES = {"♚": "K", "♛": "Q", "♜": "R", "♝": "B", "♞": "N", "♟": "P", "♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N", "♙": "P"}
_BOX = b"\x7f\x41\x41\x41\x7f"  # a letter that the font lacks
_NAMED = {"white": (255, 255, 255), "black": (0, 0, 0), "red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 128, 0),
          "yellow": (255, 255, 0), "grey": (128, 128, 128), "gray": (128, 128, 128), "orange": (255, 165, 0),
          "purple": (128, 0, 128), "brown": (165, 42, 42), "pink": (255, 192, 203)}
_SMOOTH = 2  # points of a side of a pixel


def pixels(svg: str, scale: float = 1.0) -> NDArray[numpy.uint8]:
    """Height x width x 3."""
    root = ElementTree.fromstring(svg)
    width, height = (max(1, round(float(root.get(side, "1")) * scale)) for side in ("width", "height"))
    canvas = _Canvas(width, height, scale)
    canvas.group(root, {})
    return canvas.shown()


class _Canvas:
    def __init__(self, width: int, height: int, scale: float) -> None:
        self._width, self._height = width, height
        self._scale = scale * _SMOOTH
        self._points = numpy.full((height * _SMOOTH, width * _SMOOTH, 3), 255.0, numpy.float32)

    def shown(self) -> NDArray[numpy.uint8]:
        fine = self._points.reshape(self._height, _SMOOTH, self._width, _SMOOTH, 3).mean((1, 3))
        result: NDArray[numpy.uint8] = numpy.clip(numpy.rint(fine), 0, 255).astype(numpy.uint8)
        return result

    def group(self, element: ElementTree.Element, outer: Style) -> None:
        for child in element:
            style = {**outer, **child.attrib}
            kind = child.tag.rsplit("}", 1)[-1]
            if kind in ("g", "svg"):
                self.group(child, {name: style[name] for name in style if name not in ("x", "y", "width", "height")})
            elif kind == "rect":
                self._rectangle(style)
            elif kind == "circle":
                self._circle(style)
            elif kind == "line":
                ends = [(float(style["x1"]), float(style["y1"])), (float(style["x2"]), float(style["y2"]))]
                self._stroke(ends, False, style)
            elif kind == "path":
                for points, closed in _lines(style["d"]):
                    self._fill(points, style)
                    self._stroke(points, closed, style)
            elif kind == "text":
                self._words("".join(child.itertext()), style)

    # --- Shapes. ---

    def _rectangle(self, style: Style) -> None:
        whole = (self._width / self._scale * _SMOOTH, self._height / self._scale * _SMOOTH)
        wide, high = (side * float(given[:-1]) / 100 if given.endswith("%") else float(given)
                      for side, given in zip(whole, (style["width"], style["height"])))
        x, y = float(style.get("x", 0)), float(style.get("y", 0))
        r = min(float(style.get("rx", 0)), wide / 2, high / 2)
        points: List[Point] = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        if r == 0:
            self._box(x, y, x + wide, y + high, style)
        else:
            turns = numpy.linspace(0, numpy.pi / 2, 6)
            points = []
            for cx, cy, begin in ((x + wide - r, y + high - r, 0), (x + r, y + high - r, 1), (x + r, y + r, 2), (x + wide - r, y + r, 3)):
                points += [(cx + r * numpy.cos(begin * numpy.pi / 2 + t), cy + r * numpy.sin(begin * numpy.pi / 2 + t)) for t in turns]
            self._fill(points, style)
        self._stroke(points, True, style)

    def _circle(self, style: Style) -> None:
        x, y, r = (float(style[name]) for name in ("cx", "cy", "r"))
        rows, columns, at = self._around(x - r - 4, y - r - 4, x + r + 4, y + r + 4)
        distance = numpy.hypot(at[0] - x, at[1] - y)
        self._paint(rows, columns, distance <= r, style.get("fill", "black"), style)
        stroke = style.get("stroke", "none")
        if stroke != "none":
            half = float(style.get("stroke-width", 1)) / 2
            self._paint(rows, columns, abs(distance - r) <= half, stroke, style)

    def _box(self, x0: float, y0: float, x1: float, y1: float, style: Style) -> None:
        """A rectangle without a border: the points whose middles are in it."""
        columns, rows = (slice(max(0, round(low * self._scale)), max(0, round(high * self._scale))) for low, high in ((x0, x1), (y0, y1)))
        self._paint(rows, columns, slice(None), style.get("fill", "black"), style)

    def _fill(self, points: List[Point], style: Style) -> None:
        fill = style.get("fill", "black")
        if fill == "none" or len(points) < 3:
            return
        xs, ys = [x for x, _ in points], [y for _, y in points]
        rows, columns, at = self._around(min(xs), min(ys), max(xs), max(ys))
        inside = numpy.zeros(at[0].shape, numpy.bool_)
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
            if ay == by:
                continue
            between = (at[1] >= min(ay, by)) & (at[1] < max(ay, by))
            inside ^= between & (at[0] < ax + (at[1] - ay) * (bx - ax) / (by - ay))
        self._paint(rows, columns, inside, fill, style)

    def _stroke(self, points: List[Point], closed: bool, style: Style) -> None:
        stroke = style.get("stroke", "none")
        if stroke == "none":
            return
        half = max(float(style.get("stroke-width", 1)) / 2, 0.5 / self._scale)
        for (ax, ay), (bx, by) in zip(points, points[1:] + (points[:1] if closed else [])):
            rows, columns, at = self._around(min(ax, bx) - half, min(ay, by) - half, max(ax, bx) + half, max(ay, by) + half)
            length = (bx - ax) ** 2 + (by - ay) ** 2
            along = numpy.clip(((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / length, 0, 1) if length else 0.0
            square = (at[0] - ax - along * (bx - ax)) ** 2 + (at[1] - ay - along * (by - ay)) ** 2
            self._paint(rows, columns, square <= half**2, stroke, style)

    def _words(self, text: str, style: Style) -> None:
        size = float(style.get("font-size", 16))
        dot = size / 10
        text = "".join(_FIGURES.get(letter, letter) for letter in text)
        x, bottom = float(style["x"]), float(style["y"])
        if style.get("text-anchor") == "middle":
            x -= (len(text) * 6 - 1) * dot / 2
        for letter in text:
            number = ord(letter) - 32
            columns = bytes.fromhex(_FONT[number]) if 0 <= number < len(_FONT) else _BOX
            for i, column in enumerate(columns):
                for row in range(7):
                    if column >> row & 1:
                        left, top = x + i * dot, bottom + (row - 7) * dot
                        self._box(left, top, left + dot, top + dot, style)
            x += 6 * dot

    # --- Points. ---

    def _around(self, x0: float, y0: float, x1: float, y1: float) -> Tuple[slice, slice, Any]:
        """The points of a box, and where they are."""
        high, wide, _ = self._points.shape
        columns = slice(max(0, int(x0 * self._scale)), max(0, min(wide, int(x1 * self._scale) + 1)))
        rows = slice(max(0, int(y0 * self._scale)), max(0, min(high, int(y1 * self._scale) + 1)))
        x = (numpy.arange(columns.start, columns.stop) + 0.5) / self._scale
        y = (numpy.arange(rows.start, rows.stop) + 0.5) / self._scale
        return rows, columns, numpy.meshgrid(x, y)

    def _paint(self, rows: slice, columns: slice, where: Any, colour: str, style: Style) -> None:
        value = _colour(colour)
        if value is None:
            return
        share = float(style.get("fill-opacity", 1))
        box = self._points[rows, columns]
        box[where] = (1 - share) * box[where] + share * numpy.array(value, numpy.float32)


def _colour(text: str) -> Optional[Tuple[int, ...]]:
    if text == "none":
        return None
    if re.fullmatch("#[0-9a-fA-F]{3}", text):
        text = "#" + "".join(2 * digit for digit in text[1:])
    if re.fullmatch("#[0-9a-fA-F]{6}", text):
        return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))
    return _NAMED.get(text.lower(), (128, 128, 128))


def _lines(path: str) -> List[Tuple[List[Point], bool]]:
    """The polygons of a path of straight lines, and whether they are closed."""
    parts = re.findall(r"[A-Za-z]|-?\d*\.?\d+", path)
    result: List[Tuple[List[Point], bool]] = []
    points: List[Point] = []
    x = y = 0.0
    command = "M"
    i = 0

    def end(closed: bool) -> None:
        nonlocal points
        if len(points) > 1:
            result.append((points, closed))
        points = []

    while i < len(parts):
        if parts[i].isalpha():
            command = parts[i]
            i += 1
            if command in "zZ":
                end(True)
                continue
            if command in "mM":
                end(False)
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if command in "hH":
            x = dx + float(parts[i])
            i += 1
        elif command in "vV":
            y = dy + float(parts[i])
            i += 1
        else:
            x, y = dx + float(parts[i]), dy + float(parts[i + 1])
            i += 2
            if command in "mM":
                command = "l" if command == "m" else "L"
        points.append((x, y))
    end(False)
    return result
