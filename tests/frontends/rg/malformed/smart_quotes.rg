type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, s: “x” == a;
begin, end: player = keeper;
