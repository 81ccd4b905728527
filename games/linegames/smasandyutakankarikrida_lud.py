"""Smasandyutakankarikrida.

Six men each at the far ends of an Alquerque board with two long triangles (Uttar Pradesh).
"""

from rgtrans.linegames import *

game = (
    LineGame("Smasandyutakankarikrida")
    .alquerque(5, 5)
    .attach_triangle(N, height=5)
    .attach_triangle(S, height=5)
    .put(WHITE, *(f"tsouthvy{row}x{column}" for row in (3, 4) for column in range(3)))
    .put(BLACK, *(f"tnorthvy{row}x{column}" for row in (3, 4) for column in range(3)))
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
