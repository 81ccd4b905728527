"""Lau Kata Kati, free captures.

Lau Kata Kati as Ludii plays it.
"""

from rgtrans.linegames import *

game = (
    LineGame("Lau Kata Kati, free captures")
    .point()
    .attach_triangle(S, height=4)
    .attach_triangle(N, height=4)
    .triangle(WHITE, S)
    .triangle(BLACK, N)
    .rules(captures="optional", sequence="stepwise")
    .limits(max_turns=1250)
)
