type Player = {p};
type Score = {0, 100};
type T = {a, b};
begin, s: $ ;
begin, s: $$ ;
begin, s: $ type;
begin, end: player = keeper;
