type Player = {p};
type Score = {0, 100};
type T = {a, b};
type M = (T -> T) -> T;
begin, end: player = keeper;
