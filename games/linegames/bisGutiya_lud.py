"""Bis Gutiya.

Twenty men each on sixteen squares with diagonals (India).
"""

from rgtrans.linegames import *

game = (
    LineGame("Bis Gutiya")
    .square_with_diagonals(4, 4)
    .halves(north=BLACK, middle_row="east-north")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
