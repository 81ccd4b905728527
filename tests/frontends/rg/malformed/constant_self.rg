type Player = {p};
type Score = {0, 100};
type T = {a, b};
const one: T -> T = {:one};
begin, end: player = keeper;
