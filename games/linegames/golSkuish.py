"""Gol-skuish.

Twenty-one men each on seven circles with three diameters (Bengal); captures are mandatory.
"""

from rgtrans.linegames import *

game = (
    LineGame("Gol-skuish")
    .circle(6, 7)
    .spokes(WHITE, range(3))
    .spokes(BLACK, range(3, 6))
    .rules(captures="mandatory", sequence="whole")
    .limits(stagnation=100)
)
