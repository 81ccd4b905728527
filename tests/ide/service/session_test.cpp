// A whole session in each language: a game is typed, ten mistakes are made and repaired by quick fixes, a name is
// changed and changed back, the layout is spoiled and restored. The text must end as it was, without diagnostics.
#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

struct Mistake {
  std::string right, wrong;  // the first `right` of the text becomes `wrong`
};

struct Script {
  std::string language, extension, text;
  std::vector<Mistake> mistakes;
  std::string name, other_name;  // to be renamed; a place is the name's first occurrence
};

const Script kHrgScript{"hrg",
                        ".hrg",
                        R"(domain Player = white | black
domain Score = 0 | 50 | 100
domain Square = S(F, R) where F in 1..2, R in 1..2
domain Man = none | Player

opponent : Player -> Player
opponent(white) = black
opponent(black) = white

board : Square -> Man = { : none }
square : Square

graph put(me : Player) {
  player = me
  square = Square(*)
  check(board[square] == none)
  $$ square
  board[square] = me
  player = keeper
}

graph rules() {
  put(white)
  put(black)
  put(opponent[black])
  goals[white] = 100
  end()
}
)",
                        {{"me : Player", "me : Playr"},
                         {"Square(*)", "Squar(*)"},
                         {"put(black)", "putt(black)"},
                         {"board[square] = me", "bord[square] = me"},
                         {"opponent[black]", "oponent[black]"},
                         {"square : Square", "square : Sqare"},
                         {"$$ square", "$$ sqare"},
                         {"(black) = white", "(black) white"},
                         {"check(board[square] == none)", "check(board[square] == none"},
                         {"goals[white] = 100", "goal[white] = 100"}},
                        "square",
                        "cell"};

const Script kRg{"rg",
                 ".rg",
                 R"(type Player = { me, you };
type Score = { 0, 100 };
type Side = { heads, tails };
type Answer = Side -> Score;
const worth: Answer = { heads: 100, tails: 0, :0 };
var side: Side = heads;
begin, choose: player = me;
choose, chosen: side = Side(*);
chosen, done: $$ side;
done, judge: player = keeper;
judge, paid: goals[me] = worth[side];
paid, end: player = keeper;
)",
                 {{"type Score = { 0, 100 };", "type Score = { 0, 100 }"},
                  {"var side: Side", "var side: Sid"},
                  {"side = Side(*)", "side = Sidde(*)"},
                  {"worth[side];", "worth[side]"},
                  {"$$ side", "$$ sde"},
                  {", :0 }", " }"},
                  {"player = keeper;\njudge", "playr = keeper;\njudge"},
                  {"Answer = {", "Anser = {"},
                  {"worth[side]", "wort[side]"},
                  {"worth[side]", "worth[sid]"}},
                 "side",
                 "coin"};

const Script kRbg{"rbg",
                  ".rbg",
                  R"(#players = white(100), black(100)
#pieces = e, w, b
#variables = turns(9)
#board = rectangle(up,down,left,right,
    [e, e, e]
    [e, e, e])
#anySquare = (up* + down*) (left* + right*)
#turn(me; piece) = ->me anySquare {e} [piece] [$ turns = turns + 1, me = 50]
#rules = (turn(white; w) turn(black; b))*
)",
                  {{"turn(white; w)", "turm(white; w)"},
                   {"->me anySquare", "->me anySqare"},
                   {"{e} [piece]", "{e} [pieec]"},
                   {"$ turns", "$ turn_s"},
                   {"= turns + 1", "= tunrs + 1"},
                   {"turn(black; b)", "turn(blak; b)"},
                   {"(left* +", "(lefft* +"},
                   {"+ right*)", "+ rigt*)"},
                   {"(up* + down*)", "(upp* + down*)"},
                   {"me = 50", "mee = 50"}},
                  "anySquare",
                  "somewhere"};

const Script kGdl{"gdl",
                  ".kif",
                  R"((role white)
(role black)

(init (control white))

(<= (legal ?p pass)
    (true (control ?q))
    (role ?p)
    (distinct ?p ?q))
(<= (legal ?p (say ?w))
    (true (control ?p))
    (word ?w))

(word yes)
(word no)

(<= (next (control black))
    (true (control white)))
(<= (next over)
    (true (control black)))

(<= terminal
    (true over))
(goal white 50)
(goal black 50)
)",
                  {{"(role black)", "(role black"},
                   {"(true over))", "(true over)"},
                   {"(distinct ?p ?q))", "(distnct ?p ?q))"},
                   {"(word ?w))", "(wrod ?w))"},
                   {"(true (control white)))", "(true (control white))"},
                   {"(goal white 50)", "(goal wite 50)"},
                   {"(init (control", "(init (contrl"},
                   {"(word no)", "(word no"},
                   {"(true (control ?p))", "(tru (control ?p))"},
                   {"(role ?p)", "(rol ?p)"}},
                  "control",
                  "turn"};

const Script kInfix{"infix",
                    ".gdl",
                    R"(role(white)
role(black)

init(control(white))

legal(P, pass) :-
    true(control(Q)) &
    role(P) &
    distinct(P, Q)
legal(P, say(W)) :-
    true(control(P)) &
    word(W)

word(yes)
word(no)

next(control(black)) :-
    true(control(white))
next(over) :-
    true(control(black))

terminal :-
    true(over)
goal(white, 50)
goal(black, 50)
)",
                    {{"role(black)", "role(black"},
                     {"word(W)", "wrd(W)"},
                     {"true(over)", "true(ovr)"},
                     {"distinct(P, Q)", "distnct(P, Q)"},
                     {"true(control(P))", "treu(control(P))"},
                     {"init(control(white))", "init(contol(white))"},
                     {"role(P)", "rol(P)"},
                     {"goal(black, 50)", "goal(blak, 50)"},
                     {"next(over)", "nxt(over)"},
                     {"terminal :-", "terminl :-"}},
                    "control",
                    "turn"};

const Script kLudax{"ludax",
                    ".ldx",
                    R"((game "Three in a row"
  (players 2)
  (equipment (board (square 4)))
  (rules
    (play
      (repeat (P1 P2)
        (place (destination empty))))
    (end
      (if (line 3) (mover win))
      (if (full_board) (draw)))))
)",
                    {{"(destination empty)", "(destination emty)"},
                     {"(line 3)", "(lin 3)"},
                     {"full_board", "ful_board"},
                     {"(mover win)", "(mover wim)"},
                     {"(draw)", "(drw)"},
                     {"(board (square", "(board (sqare"},
                     {"(repeat (", "(repet ("},
                     {"(equipment", "(equipmnt"},
                     {"(place (", "(plce ("},
                     {"(draw)))))", "(draw))))"}},
                    "Three in a row",
                    "A row of three"};

const Script kLudiiScript{"ludii",
                          ".lud",
                          R"((define "Drop" (move Add (to (sites Empty))))
(game "Three in a row"
    (players 2)
    (equipment {
        (board (square 4))
        (piece "Disc" Each)
    })
    (rules
        (play "Drop")
        (end {
            (if (is Line 3) (result Mover Win))
            (if (no Moves Next) (result Mover Draw))
        })
    )
)
)",
                          {{"(is Line 3)", "(is Lin 3)"},
                           {"(result Mover", "(reslt Mover"},
                           {"(board (square", "(board (sqare"},
                           {"(no Moves", "(no Mowves"},
                           {"(sites Empty)", "(sites Emty)"},
                           {"(rules", "(ruls"},
                           {"(piece \"Disc\"", "(piecee \"Disc\""},
                           {"(equipment", "(equipmnt"},
                           {"(move Add", "(mve Add"},
                           {"Mover Draw", "Mover Drow"}},
                          "Drop",
                          "Put"};

const Script kLineGames{"linegames",
                        ".linegame",
                        R"({
  "name": "small",
  "board": {
    "kind": "alquerque",
    "width": 3,
    "height": 3,
    "points": [{ "name": "pond", "edges": { "west": "cy1x2" }, "at": [3, 1] }]
  },
  "pieces": [
    { "player": "black", "rows": { "first": 1 } },
    { "player": "white", "rows": { "last": 1 } }
  ],
  "rules": { "captures": "optional", "sequence": "single", "max_turns": 20 }
}
)",
                        {{"width", "widht"},
                         {"height", "heigth"},
                         {"kind", "kindd"},
                         {"board", "boarb"},
                         {"pieces", "pices"},
                         {"captures", "captres"},
                         {"sequence", "sequense"},
                         {"max_turns", "max_turn"},
                         {"rules", "rule"},
                         {"last", "lst"}},
                        "pond",
                        "lake"};

std::string shown(const Script& script) { return script.language; }

void PrintTo(const Script& script, std::ostream* out) { *out << script.language; }

class EditingSession : public testing::TestWithParam<Script> {};

TEST_P(EditingSession, EndsAsItShould) {
  const Script& script = GetParam();
  Client client;
  client.open("file:///game" + script.extension, "");
  // Typed in pieces, asking for proposals in between as an editor does.
  for (std::size_t at = 0; at < script.text.size(); at += 7) {
    client.type(script.text.substr(at, 7));
    client.begin("textDocument/completion", client.parameters({{"position", client.position(client.text().size())}}));
  }
  ASSERT_EQ(client.text(), script.text);
  EXPECT_THAT(client.messages(), testing::IsEmpty());

  for (const Mistake& mistake : script.mistakes) {
    SCOPED_TRACE(mistake.wrong);
    const std::size_t at = client.text().find(mistake.right);
    ASSERT_NE(at, std::string::npos);
    client.replace(at, at + mistake.right.size(), mistake.wrong);
    Json found = client.diagnostics();
    ASSERT_FALSE(found.empty());
    // One looks where one has typed.
    const Json line = client.position(at)["line"];
    std::stable_partition(found.begin(), found.end(),
                          [&](const Json& d) { return d["range"]["start"]["line"] == line; });
    Json fix;
    for (const Json& diagnostic : found) {
      const Json actions = client.in_document(
          "codeAction",
          {{"range", diagnostic["range"]}, {"context", {{"diagnostics", Json::array()}, {"only", {"quickfix"}}}}});
      if (fix.is_null() && !actions.empty()) fix = actions[0];
    }
    ASSERT_FALSE(fix.is_null()) << "no fix for " << found.dump(1);
    client.apply(fix["edit"]["changes"][client.uri()]);
    EXPECT_EQ(client.text(), script.text) << found.dump(1);
    EXPECT_THAT(client.messages(), testing::IsEmpty());
    if (client.text() != script.text) client.replace(0, client.text().size(), script.text);
  }

  const auto rename = [&](const std::string& from, const std::string& to) {
    const Json edit = client.in_document("rename", {{"position", client.at(from, 1)}, {"newName", to}});
    client.apply(edit["changes"][client.uri()]);
  };
  rename(script.name, script.other_name);
  EXPECT_EQ(client.text().find(script.name), std::string::npos) << client.text();
  EXPECT_THAT(client.messages(), testing::IsEmpty());
  rename(script.other_name, script.name);
  EXPECT_EQ(client.text(), script.text);

  client.replace(0, client.text().size(), script.text);
  const std::size_t at = script.text.find("\n") + 1;
  client.replace(at, at, "      ");
  client.apply(client.in_document("formatting", {{"options", Json::object()}}));
  EXPECT_EQ(client.text(), script.text);
  EXPECT_THAT(client.diagnostics(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Languages, EditingSession,
                         testing::Values(kHrgScript, kRg, kRbg, kGdl, kInfix, kLudax, kLudiiScript, kLineGames),
                         [](const auto& info) { return shown(info.param); });

}  // namespace
}  // namespace rgtrans::ide
