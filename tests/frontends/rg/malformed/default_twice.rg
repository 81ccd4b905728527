type Player = {p};
type Score = {0, 100};
type T = {a, b};
const m: T -> T = {:a, a: b, :b};
begin, end: player = keeper;
