"""Ahtarah Guti.

Eighteen men each on an Alquerque board with two triangles (Bengal).
"""

from rgtrans.linegames import *

game = (
    LineGame("Ahtarah Guti")
    .alquerque(5, 5)
    .attach_triangle(N, height=3)
    .attach_triangle(S, height=3)
    .halves(north=BLACK, middle_row="west-north")
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
