type Player = {p};
type Score = {0, 100};
type T = {a, b};
@integer 99999999999999999999999 : a b;
@tagIndex begin : 4294967296;
begin, end: player = keeper;
