"""Bara Guti.

Twelve men each on the Alquerque board; the middle row is divided the other way round.
"""

from rgtrans.linegames import *

game = (
    LineGame("Bara Guti")
    .alquerque(5, 5)
    .halves(north=BLACK, middle_row="east-north")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
