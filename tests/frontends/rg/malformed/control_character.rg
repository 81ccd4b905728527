type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, end: ;
begin, end: player = keeper;
