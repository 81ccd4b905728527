type Player = {p};
type Score = {0, 100};
type T = {a, b};
@uniqe begin;
@tagIndexMax begin : 1;
begin, s: x y;
begin, end: player = keeper;
