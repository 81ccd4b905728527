type Player = {p};
type Score = {0, 100};
type T = {a, b};
@unique;
@artificialTag;
@disjoint begin :;
begin, end: player = keeper;
