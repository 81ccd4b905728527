"""Ratti-chitti-bakri.

Forty men each on four Alquerque boards put together (Punjab).
"""

from rgtrans.linegames import *

game = (
    LineGame("Ratti-chitti-bakri")
    .alquerque(9, 9)
    .halves(north=BLACK, middle_row="east-north")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
