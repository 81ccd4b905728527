// Random games with dice, cards, chips and tracks in HRG, in the style of human authors: functions by cases, structured
// elements, maps of maps, loops of arbitrary length, hidden bids, reachability checks. Every choice appears in the
// move, and the game ends after some turns.
#include <fmt/format.h>

#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class TableGame {
 public:
  explicit TableGame(Choices& c) : c_(c) {}

  std::string game() {
    three_ = c_.chance(4);
    top_ = c_.pick(3, 6);
    faces_ = c_.pick(2, 4);
    track_ = c_.pick(4, 8);
    suits_ = c_.chance(2) ? "clubs, hearts" : "red, green, blue";
    values_ = c_.pick(2, 3);
    rounds_ = c_.pick(2, 4);
    domains();
    functions();
    variables();
    phases();
    return out_;
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  void domains() {
    line(three_ ? "domain Player = ann | bob | cid" : "domain Player = ann | bob");
    line("domain Score = 50 | 0 | 100");
    line(fmt::format("domain Count = N(X) where X in 0..{}", top_));
    line(fmt::format("domain Die = D(X) where X in 1..{}", faces_));
    line(fmt::format("domain Card = C(S, V) where S in {{{}}}, V in 1..{} | joker", suits_, values_));
    line(fmt::format("domain Suit = {}", std::string(suits_).replace(0, 0, "none, ")));
    std::string& text = out_;
    const std::size_t begins = text.rfind("domain Suit");
    for (std::size_t at = text.find(',', begins); at != std::string::npos; at = text.find(',', at))
      text.replace(at, 1, " |");
    line("domain Pawn = first | second");
    line(fmt::format("domain Place = P(I) where I in 1..{}", track_));
    line("domain Spot = start | home | off | Place");
    line("domain Owner = nobody | Player");
    line(fmt::format("domain Round = T(N) where N in 0..{}", rounds_));
    line("domain Roll = R(A, B) where A in 1..2, B in 1..2");
  }

  void functions() {
    if (three_)
      line("next : Player -> Player\nnext(ann) = bob\nnext(bob) = cid\nnext(_) = ann");
    else
      line("next : Player -> Player\nnext(ann) = bob\nnext(bob) = ann");
    line(c_.chance(2) ? fmt::format("more : Count -> Count\nmore(N({0})) = N({0})\nmore(N(X)) = N(X + 1)", top_)
                      : "more : Count -> Count\nmore(N(X)) = if N(X + 1) in Count then N(X + 1) else N(X)");
    line("fewer : Count -> Count\nfewer(N(0)) = N(0)\nfewer(N(X)) = N(X - 1)");
    line(
        fmt::format("sum : Count -> Count -> Count\nsum(N(X), N(Y)) = if X + Y > {0} then N({0}) else N(X + Y)", top_));
    line("less : Count -> Count -> Bool\nless(N(X), N(Y)) = if X < Y then 1 else 0");
    line("count : Die -> Count\ncount(D(X)) = if N(X) in Count then N(X) else N(0)");
    line(fmt::format("later : Round -> Round\nlater(T({0})) = T({0})\nlater(T(N)) = T(N + 1)", rounds_));
    // A walk along the track, recursive or in one step.
    if (c_.chance(2)) {
      line(
          "ahead : Spot -> Spot\nahead(start) = P(1)\nahead(P(I)) = if P(I + 1) in Place then P(I + 1) else home\n"
          "ahead(_) = off");
      line(
          "forward : Die -> Spot -> Spot\nforward(D(1), S) = ahead(S)\nforward(D(X), S) = forward(D(X - 1), ahead(S))");
    } else {
      line(fmt::format(
          "forward : Die -> Spot -> Spot\nforward(D(X), start) = P(X)\nforward(D(X), P(I)) = if I + X == {} then "
          "home else if P(I + X) in Place then P(I + X) else off\nforward(_, _) = off",
          track_ + 1));
    }
    line("suit : Card -> Suit\nsuit(C(S, _)) = S\nsuit(joker) = none");
    line(fmt::format(
        "beats : Card -> Card -> Bool\nbeats(joker, joker) = 0\nbeats(joker, _) = 1\nbeats(C(S, V), C(T, W)) = if S == "
        "T && V > W then 1 else 0\nbeats(_, _) = {}",
        c_.chance(2) ? "0" : "1"));
    line(
        "high : Roll -> Die\nhigh(R(A, B)) = if A > B then D(A) else D(B)\nlow : Roll -> Die\nlow(R(A, B)) = if A > B "
        "then D(B) else D(A)");
    line("owner : Player -> Owner\nowner(X) = X");
  }

  void variables() {
    line(fmt::format("chips : Player -> Count = {{ : N({}); bob = N({}) }}", c_.pick(0, 3), c_.pick(0, 3)));
    line(
        "pile : Count = N(3)\ndie : Die = D(1)\nroll : Roll\nround : Round = T(0)\nbid : Player -> Count = { : N(0) }");
    line("card : Card\nshown : Card = joker\nhand : Player -> Card -> Bool = { : { : 1 }; bob = { joker = 0; : 1 } }");
    line("at : Player -> Pawn -> Spot = { : { : start; second = P(2) }; bob = { : P(1) } }\npawn : Pawn\nspot : Spot");
    line(
        "held : Spot -> Owner = { : nobody; P(2) = ann }\namount : Count\nme : Player = ann\nasked : Player\nleader : "
        "Player = ann");
  }

  // Actions of a phase with `me`, which is a parameter or a variable.
  void roll() {
    line("graph rollDie() {\n  player = random\n  die = Die(*)\n  $$ die\n  player = keeper\n}");
    line("graph rollTwo() {\n  player = random\n  roll = Roll(*)\n  $$ roll\n  player = keeper\n  die = " +
         c_.one_of({"high", "low"}) + "[roll]\n}");
  }

  void race() {
    line(
        "graph hit(who : Player) {\n  asked = Player(*)\n  check(asked != who)\n  pawn = Pawn(*)\n  "
        "check(at[asked][pawn] == spot)\n}");
    line("graph advance(who : Player) {\n  pawn = Pawn(*)\n  spot = forward[die][at[who][pawn]]\n  check(spot != off)");
    if (c_.chance(2)) line("  check(not(reachable(mine(who))))");
    line("}");
    line("graph mine(who : Player) {\n  pawn = Pawn(*)\n  check(at[who][pawn] == spot)\n}");
    line("graph race(who : Player) {\n  " + c_.one_of({"rollDie()", "rollTwo()"}) +
         "\n  if reachable(advance(who)) {\n    player = who\n    advance(who)\n    $$ pawn\n    at[who][pawn] = "
         "spot\n    player = keeper");
    if (c_.coin(60)) {
      line(
          "    if spot != home && reachable(hit(who)) {\n      forall q : Player {\n        check(q == who)\n      }\n"
          "      chips[who] = more[chips[who]]\n    }");
    }
    if (c_.coin(60)) {
      line(
          "    repeat X in {ann, bob} {\n      repeat Y in {first, second} {\n        if X != who && at[X][Y] == spot "
          "&& spot "
          "!= home {\n          at[X][Y] = start\n        }\n      }\n    }");
    }
    line(
        "    if at[who][first] == home && at[who][second] == home {\n      goals[who] = 100\n      end()\n    }\n  "
        "}\n}");
  }

  void cards() {
    line("graph anyCard(who : Player) {\n  card = Card(*)\n  check(hand[who][card] == 1)\n}");
    line(
        "graph follows(who : Player) {\n  card = Card(*)\n  check(hand[who][card] == 1 && suit[card] == "
        "suit[shown])\n}");
    line(
        "graph playCard(who : Player) {\n  player = who\n  branch {\n    card = Card(*)\n    check(hand[who][card] == "
        "1)");
    if (c_.chance(2)) line("    check(suit[card] == suit[shown] || not(reachable(follows(who))))");
    line(
        "    $$ card\n    hand[who][card] = 0\n    player = keeper\n    if beats[card][shown] == 1 {\n      leader = "
        "who\n      chips[who] "
        "= sum[chips[who]][N(2)]\n    }\n    shown = card\n  } or {");
    if (c_.chance(2)) line("    check(not(reachable(anyCard(who))))");
    line("    $ pass\n    player = keeper\n  }\n}");
  }

  void takes() {
    line("graph take(who : Player) {\n  player = who");
    switch (c_.below(3)) {
      case 0:  // any number of times
        line(
            "  loop {\n    branch {\n      $ stop\n      break()\n    } or {\n      check(pile != N(0))\n      $ "
            "take\n      pile = "
            "fewer[pile]\n      chips[who] = more[chips[who]]\n    }\n  }");
        break;
      case 1:
        line(
            "  amount = Count(*)\n  check(amount != N(0) || pile == N(0))\n  check(less[pile][amount] == 0)\n  $$ "
            "amount\n  loop {\n    if "
            "amount == N(0) {\n      break()\n    }\n    amount = fewer[amount]\n    pile = fewer[pile]\n    "
            "chips[who] = more[chips[who]]\n  }");
        break;
      default:
        line(
            "  branch {\n    repeat 2 {\n      check(pile != N(0))\n      pile = fewer[pile]\n    }\n    $ two\n    "
            "chips[who] = "
            "more[more[chips[who]]]\n  } or {\n    check(pile != N(0))\n    $ one\n    pile = fewer[pile]\n  } or {\n  "
            "  $ add\n    pile = "
            "sum[pile][count[die]]\n  }");
    }
    line("  player = keeper\n  if pile == N(0) {\n    pile = N(2)\n  }\n}");
  }

  void bids() {
    line("graph secret(who : Player) {\n  player = who\n  " + std::string(three_ ? "visible[cid] = 0\n  " : "") +
         "visible[next[who]] = 0\n  amount = Count(*)\n  check(less[chips[who]][amount] == 0)\n  $$ amount\n  bid[who] "
         "= amount\n  player = "
         "keeper\n  visible[next[who]] = 1" +
         std::string(three_ ? "\n  visible[cid] = 1" : "") + "\n}");
    line("graph bids() {\n  secret(ann)\n  secret(bob)");
    if (c_.chance(2)) line("  player = keeper\n  amount = bid[ann]\n  $$ amount\n  amount = bid[bob]\n  $$ amount");
    line(
        "  if less[bid[ann]][bid[bob]] == 1 {\n    leader = bob\n    chips[bob] = fewer[chips[bob]]\n  } else if "
        "bid[ann] != bid[bob] {\n"
        "    leader = ann\n  } else {\n    chips[ann] = more[chips[ann]]\n  }\n  bid[ann] = N(0)\n  bid[bob] = "
        "N(0)\n}");
  }

  void claims() {
    line("graph free() {\n  spot = Spot(*)\n  check(held[spot] == nobody && spot != off)\n}");
    line(
        "graph claim(who : Player) {\n  player = who\n  if reachable(free()) {\n    spot = Spot(*)\n    "
        "check(held[spot] == nobody && spot "
        "!= off)\n    $$ spot\n    held[spot] = owner[who]");
    if (c_.chance(2)) {
      line(
          "    branch {\n      $ stay\n    } or {\n      loop {\n        spot = forward[D(1)][spot]\n        "
          "check(spot != off && held[spot] "
          "!= owner[who])\n        $ push\n        if held[spot] == nobody {\n          break()\n        }\n      }\n  "
          "    held[spot] = owner[who]\n    }");
    }
    line("  } else {\n    $ pass\n  }\n  player = keeper\n}");
  }

  void phases() {
    roll();
    race();
    cards();
    takes();
    bids();
    claims();
    const std::vector<std::string> turns = {"race(W)", "playCard(W)", "take(W)", "claim(W)"};
    line("graph turn(who : Player) {");
    const std::string who = c_.chance(3) ? "me" : "who";
    if (who == "me") line("  me = who");
    for (int n = c_.pick(1, 2); n > 0; --n) {
      std::string text = turns[c_.below(turns.size())];
      text.replace(text.find('W'), 1, who);
      line("  " + text);
    }
    if (c_.chance(4))
      line("  if chips[who] == N(" + std::to_string(top_) +
           ") {\n    goals[who] = 100\n    goals[next[who]] = 0\n    end()\n  }");
    line("}\ngraph rules() {\n  loop {\n    turn(ann)\n    turn(bob)");
    if (three_) line("    turn(cid)");
    if (c_.chance(3)) line("    bids()");
    if (c_.chance(3)) line("    turn(leader)");
    line(fmt::format("    round = later[round]\n    if round == T({}) {{", rounds_));
    line(
        "      if less[chips[ann]][chips[bob]] == 1 {\n        goals[bob] = 100\n        goals[ann] = 0\n      } else "
        "if chips[ann] != chips[bob] "
        "{\n        goals[ann] = 100\n        goals[bob] = 0\n      }\n      end()\n    }\n  }\n}");
  }

  Choices& c_;
  std::string out_, suits_;
  int top_ = 3, faces_ = 2, track_ = 4, values_ = 2, rounds_ = 2;
  bool three_ = false;
};

}  // namespace

std::string random_table_hrg(Choices& choices) { return TableGame(choices).game(); }

}  // namespace rgtrans::test
