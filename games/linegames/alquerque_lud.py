"""Alquerque, free captures.

Alquerque as Ludii plays it: captures are optional and a turn is one step or one jump.
"""

from rgtrans.linegames import *

game = (
    LineGame("Alquerque, free captures")
    .alquerque(5, 5)
    .halves(north=BLACK, middle_row="west-north")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
