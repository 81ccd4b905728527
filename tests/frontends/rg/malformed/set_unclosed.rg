type Player = {p};
type Score = {0, 100};
type T = {a, b};
type U = {a, b;
type V = {c};
begin, end: player = keeper;
