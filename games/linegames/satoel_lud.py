"""Satoel.

Forty men each on four Alquerque boards with a triangle at two sides (Sumatra).
"""

from rgtrans.linegames import *

game = (
    LineGame("Satoel")
    .alquerque(9, 9)
    .attach_triangle(N, height=3)
    .attach_triangle(S, height=3)
    .halves(north=BLACK, middle_row="east-north")
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
