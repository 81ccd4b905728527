type Player = {p};
type Score = {0, 100};
type T = {a, b};
const one = a;
begin, end: player = keeper;
