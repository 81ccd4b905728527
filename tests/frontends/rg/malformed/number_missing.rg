type Player = {p};
type Score = {0, 100};
type T = {a, b};
@tagIndex begin : one;
@integer : a;
begin, end: player = keeper;
