"""Aiyawatstani.

Eleven men each on sixteen squares with diagonals (Cochiti, New Mexico). The two extra men of black are in white's half, as in the
published collection.
"""

from rgtrans.linegames import *

game = (
    LineGame("Aiyawatstani")
    .square_with_diagonals(4, 4)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .put(WHITE, "cy6x2", "cy6x6")
    .put(BLACK, "cy6x0", "cy6x8")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
