"""Meurimueng-rimueng peuet ploh.

Forty men each on four Alquerque boards (Aceh); a jump may be followed by further ones.
"""

from rgtrans.linegames import *

game = (
    LineGame("Meurimueng-rimueng peuet ploh")
    .alquerque(9, 9)
    .halves(north=BLACK, middle_row="east-north")
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
