type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, s player = p;
begin, end: player = keeper;
