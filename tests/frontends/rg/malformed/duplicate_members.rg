type Player = {p};
type Score = {0, 100};
type U = {a, b, a};
begin, end: player = keeper
