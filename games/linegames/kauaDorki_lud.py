"""Kaua Dorki.

Eight men each: two triangles that meet at a point, and a line of two points at either side of it (India).
"""

from rgtrans.linegames import *

game = (
    LineGame("Kaua Dorki")
    .point()
    .attach_triangle(N, height=3)
    .attach_triangle(S, height=3)
    .add_point("nodeW1", {E: "cy0x0"})
    .add_point("nodeW2", {E: "nodeW1"})
    .add_point("nodeE1", {W: "cy0x0"})
    .add_point("nodeE2", {W: "nodeE1"})
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .put(WHITE, "nodeW1", "nodeW2")
    .put(BLACK, "nodeE1", "nodeE2")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
