type Player = {p};
type Score = {0, 100};
type T = {a, b};
const m: T -> T = {a: b, b: a};
var n: T -> T = {};
begin, end: player = keeper;
