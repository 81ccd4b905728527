type Player = {p};
type Score = {0, 100};
type T = {a, b};
type U = {a,};
const m T = a;
var x: = a;
begin, s x;
s, q: x = ;
q, r: ? a b;
r, t: $;
t, end: player = keeper
