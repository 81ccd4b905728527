type Player = {p};
type Score = {0, 100};
type T = {a, b};
const one: T -> T = {:a, b: two};
const two: T -> T = {:one};
const three: T -> T = {:four};
const four: Score = 0;
begin, end: player = keeper;
