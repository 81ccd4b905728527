type Player = {p};
type Score = {0, 100};
type T = {a, b};
var x: T = a;
begin, s: = x;
s, end: player = keeper;
