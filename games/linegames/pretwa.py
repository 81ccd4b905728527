"""Pretwa.

Nine men each on three circles with three diameters (Bihar); captures are mandatory.
"""

from rgtrans.linegames import *

game = (
    LineGame("Pretwa")
    .circle(6, 3)
    .spokes(WHITE, range(3))
    .spokes(BLACK, range(3, 6))
    .rules(captures="mandatory", sequence="whole")
    .limits(stagnation=100)
)
