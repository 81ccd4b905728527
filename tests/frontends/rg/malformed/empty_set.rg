type Player = {p};
type Score = {0, 100};
type T = {a, b};
type Nothing = {};
begin, end: player = keeper;
