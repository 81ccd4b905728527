"""Terhuchu, small board.

The small form of Terhuchu of the Naga (Assam): ten men each, the middle row is empty.
"""

from rgtrans.linegames import *

game = (
    LineGame("Terhuchu, small board")
    .alquerque(5, 5)
    .rows(BLACK, first=2)
    .rows(WHITE, last=2)
    .rules(captures="optional", sequence="single")
    .limits(max_turns=1250)
)
