"""Dash Guti.

Ten men each: two triangles that meet at a point, with one more point at either side of it.
"""

from rgtrans.linegames import *

game = (
    LineGame("Dash Guti")
    .point()
    .attach_triangle(S, height=4)
    .attach_triangle(N, height=4)
    .add_point("nodeL", {E: "cy0x0"})
    .add_point("nodeR", {W: "cy0x0"})
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .put(WHITE, "nodeL")
    .put(BLACK, "nodeR")
    .rules(captures="mandatory", sequence="whole")
    .limits(stagnation=100)
)
