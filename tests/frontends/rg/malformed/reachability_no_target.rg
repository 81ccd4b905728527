type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, s: ? q;
begin, s: ! -> q;
begin, s: ? q -> ;
begin, end: player = keeper;
