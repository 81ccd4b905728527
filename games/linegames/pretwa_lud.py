"""Pretwa, free captures.

Pretwa as Ludii plays it.
"""

from rgtrans.linegames import *

game = (
    LineGame("Pretwa, free captures")
    .circle(6, 3)
    .spokes(WHITE, range(3))
    .spokes(BLACK, range(3, 6))
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
