type Player = {p};
type Score = {0, 100};
type T = {a, b};
type A = B;
type B = A;
begin, s: x y;
begin, end: player = keeper;
