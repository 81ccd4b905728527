"""Hewakam Keliya.

Sixteen men each on an Alquerque board with two triangles (Sri Lanka, the war game); a jump may be followed by further ones.
"""

from rgtrans.linegames import *

game = (
    LineGame("Hewakam Keliya")
    .alquerque(5, 5)
    .attach_triangle(N, height=3)
    .attach_triangle(S, height=3)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
