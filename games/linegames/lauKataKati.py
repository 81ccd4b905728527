"""Lau Kata Kati.

Nine men each on two triangles that meet at a point (Bengal); captures are mandatory.
"""

from rgtrans.linegames import *

game = (
    LineGame("Lau Kata Kati")
    .point()
    .attach_triangle(S, height=4)
    .attach_triangle(N, height=4)
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .rules(captures="mandatory", sequence="whole")
    .limits(stagnation=100)
)
