"""Peralikatuma.

Twenty-three men each on an Alquerque board with four triangles (Sri Lanka).
"""

from rgtrans.linegames import *

game = (
    LineGame("Peralikatuma")
    .alquerque(5, 5)
    .attach_triangle(N, height=3)
    .attach_triangle(E, height=3)
    .attach_triangle(S, height=3)
    .attach_triangle(W, height=3)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .triangle(WHITE, S)
    .triangle(WHITE, W)
    .triangle(BLACK, N)
    .triangle(BLACK, E)
    .put(WHITE, "cy2x0")
    .put(BLACK, "cy2x4")
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
