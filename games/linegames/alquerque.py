"""Alquerque.

The game of twelve from Alfonso X's book of games (1283): pieces step along lines to a neighbouring point
and must capture by jumping, as often as they can in one move.
"""

from rgtrans.linegames import *

game = (
    LineGame("Alquerque")
    .alquerque(5, 5)
    .halves(north=BLACK, middle_row="west-north")
    .rules(captures="mandatory", sequence="whole")
    .limits(stagnation=100)
)
