"""Gol Ekuish.

Gol-skuish as Ludii plays it: a turn is one step or one jump.
"""

from rgtrans.linegames import *

game = (
    LineGame("Gol Ekuish")
    .circle(6, 7)
    .spokes(WHITE, range(3))
    .spokes(BLACK, range(3, 6))
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
