type Player = {p};
type Score = {0, 100};
type T = {a, b};
var position: T = a;
begin, s: $$ positon;
s, q: $$ a;
q, end: player = keeper;
