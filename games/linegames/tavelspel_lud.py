"""Tavelspel.

Twenty-six men each on a grid of 13 x 13 points, with orthogonal lines only.
"""

from rgtrans.linegames import *

game = (
    LineGame("Tavelspel")
    .grid(13, 13)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
