type Player = {p};
type Score = {0, 100};
type T = {a, b};
tpye U = {a};
vra x: T = a;
begin, end: player = keeper;
