"""Kotu Ellima.

Twenty-four men each on an Alquerque board with four triangles (Sri Lanka).
"""

from rgtrans.linegames import *

game = (
    LineGame("Kotu Ellima")
    .alquerque(5, 5)
    .attach_triangle(N, height=3)
    .attach_triangle(E, height=3)
    .attach_triangle(S, height=3)
    .attach_triangle(W, height=3)
    .halves(north=BLACK, middle_row="east-north")
    .triangle(WHITE, S)
    .triangle(WHITE, W)
    .triangle(BLACK, N)
    .triangle(BLACK, E)
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
