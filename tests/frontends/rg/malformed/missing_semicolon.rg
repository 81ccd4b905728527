type Player = {p}
type Score = {0} // the score
type T = {a, b}   type U = {c}
var x: T = a
begin, s: x = b

s, end: player = keeper
