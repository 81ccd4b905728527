type Player = {p};
type Score = {0, 100};
type T = {a, b};
const m: T -> T -> T = {a: {b: a}, :{:b}};
begin, end: player = keeper;
