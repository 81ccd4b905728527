type Player = {p};
type Score = {0, 100};
type T = {a, b};
var x: T = a;
@repeat begin : x yy;
@iterator begin s end : T;
begin, end: player = keeper;
