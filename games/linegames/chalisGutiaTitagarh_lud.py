"""Chalis Gutia (Titagarh).

Twenty-four men each on four Alquerque boards put together; six of them stand ahead of the others.
"""

from rgtrans.linegames import *

game = (
    LineGame("Chalis Gutia (Titagarh)")
    .alquerque(9, 9)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .put(WHITE, "cy6x3", "cy6x4", "cy6x5", "cy6x6", "cy6x7", "cy6x8")
    .put(BLACK, "cy2x0", "cy2x1", "cy2x2", "cy2x3", "cy2x4", "cy2x5")
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
