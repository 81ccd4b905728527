type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, s: a + b;
begin, s: x # y;
%
begin, end: player = keeper;
