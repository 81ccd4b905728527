type Player = {p};
type Score = {0, 100};
type T = {a, b};
}
{
begin, end: player = keeper;
