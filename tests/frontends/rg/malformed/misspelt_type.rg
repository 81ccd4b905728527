type Player = {p};
type Score = {0, 100};
type T = {a, b};
var x: Tt = a;
var y: Visiblity = {:1};
var z: Tt = a;
begin, s: x = Scor(a);
s, end: player = keeper;
