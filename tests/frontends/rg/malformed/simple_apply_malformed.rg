type Player = {p};
type Score = {0, 100};
type T = {a, b};
@simpleApply begin s;
@simpleApply begin s [a, ] x = y;
@simpleApply begin s [a: ] ;
@simpleApply begin s [a] x;
@simpleApply begin [a];
begin, end: player = keeper;
