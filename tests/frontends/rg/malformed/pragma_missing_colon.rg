type Player = {p};
type Score = {0, 100};
type T = {a, b};
@disjoint begin end;
@repeat begin end;
@tagIndex begin;
@iterator a b;
begin, end: player = keeper;
