"""Dash Guti, free captures.

Dash Guti as Ludii plays it; the points at the sides are joined to the corners of the triangles.
"""

from rgtrans.linegames import *

game = (
    LineGame("Dash Guti, free captures")
    .point()
    .attach_triangle(S, height=4)
    .attach_triangle(N, height=4)
    .add_point("nodeL", {E: "cy0x0", S: "tsouthvy3x0", N: "tnorthvy3x2"})
    .add_point("nodeR", {W: "cy0x0", S: "tsouthvy3x2", N: "tnorthvy3x0"})
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .put(WHITE, "nodeL")
    .put(BLACK, "nodeR")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
