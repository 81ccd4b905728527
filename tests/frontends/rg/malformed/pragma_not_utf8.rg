type Player = {p};
type Score = {0};
@simpleÿþ a;
begin, end: ;
