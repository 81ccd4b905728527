"""Bara Guti (Bihar).

Twelve men each on three circles with four diameters.
"""

from rgtrans.linegames import *

game = (
    LineGame("Bara Guti (Bihar)")
    .circle(8, 3)
    .spokes(WHITE, range(4))
    .spokes(BLACK, range(4, 8))
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
