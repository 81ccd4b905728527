type Player = {p};
type Score = {0, 100};
type T = {a, b};
const m: T -> T = {a: b :a};
begin, end: player = keeper;
