type Player = {p};
type Score = {0, 100};
type T = {a, b};
type type = {a};
var const: T = a;
begin, var: ;
begin, end: player = keeper;
