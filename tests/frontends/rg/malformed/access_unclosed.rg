type Player = {p};
type Score = {0, 100};
type T = {a, b};
var m: T -> T = {:a};
var x: T = a;
begin, s: m[x == a;
s, end: player = keeper;
