type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, sÿ: ;
Ã( junk;
begin, end: player = keeper;
