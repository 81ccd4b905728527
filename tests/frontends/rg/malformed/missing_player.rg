type Score = {0};
begin, end: player = keeper;
begin, end: $$ player;
