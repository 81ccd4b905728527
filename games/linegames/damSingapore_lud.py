"""Dam (Singapore).

Sixteen men each on an Alquerque board with two triangles; a turn is one step or one jump.
"""

from rgtrans.linegames import *

game = (
    LineGame("Dam (Singapore)")
    .alquerque(5, 5)
    .attach_triangle(N, height=3)
    .attach_triangle(S, height=3)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
