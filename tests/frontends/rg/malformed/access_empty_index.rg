type Player = {p};
type Score = {0, 100};
type T = {a, b};
var m: T -> T = {:a};
begin, s: m[] == a;
s, end: player = keeper;
