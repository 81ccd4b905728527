#include "tests/support/random_gdl_parts.hpp"

#include <utility>

namespace rgtrans::test {

namespace {

constexpr std::size_t kRoles = kGdlRoles, kNumbers = kGdlNumbers;

}  // namespace

void GdlParts::add() {
  switch (c_.pick(0, 13)) {
    case 0:
    case 1:
    case 2:
      if (!std::exchange(walks_, true)) walker();
      return;
    case 3:
      if (highest() <= 4 && !std::exchange(board_, true)) board();
      return;
    case 4:
    case 5:
      if (!std::exchange(counts_, true)) counter();
      return;
    case 6:
      if (!std::exchange(recurs_, true)) recursion();
      return;
    case 7:
      if (!std::exchange(owns_, true)) owners();
      return;
    case 8:
      if (!std::exchange(slides_, true)) sliders();
      return;
    case 9:
      if (!std::exchange(fills_, true)) quadrants();
      return;
    case 10:
      if (!std::exchange(groups_, true)) groups();
      return;
    default:
      if (!std::exchange(shares_, true)) shared();
  }
}

void GdlParts::walker() {
  const bool plane = c_.coin(70);
  const std::string chain = "(" + v_.successor + " ";
  const std::string turn = alternate_ && c_.coin(80) ? " (true (control ?r))" : "";
  const std::string here = plane ? "(true (pos ?x ?y))" : "(true (pos ?x))";
  const auto place = [&](const std::string& x, const std::string& y) {
    return plane ? "(pos " + x + " " + y + ")" : "(pos " + x + ")";
  };
  const std::string marked = plane ? "(mark ?x ?z)" : "(mark ?z)";
  const bool marks = plane && c_.coin(40);
  say("(init " + place(number(), number()) + ")");
  struct Way {
    const char *name, *link, *x, *y;
  };
  for (const Way& way : {Way{"right", "?x ?z", "?z", "?y"}, Way{"left", "?z ?x", "?z", "?y"},
                         Way{"up", "?y ?z", "?x", "?z"}, Way{"down", "?z ?y", "?x", "?z"}}) {
    const bool upright = way.y[1] == 'z';
    if ((upright && !plane) || c_.coin(25)) continue;
    const std::string link = chain + way.link + ")";
    const std::string unless = marks && c_.coin(50) && upright ? " (not (true (mark ?x ?z)))" : "";
    say(std::string("(<= (legal ?r ") + way.name + ") (role ?r)" + turn + " " + here + " " + link + unless + ")");
    say("(<= (next " + place(way.x, way.y) + ") " + here + " (does " +
        c_.one_of({"?r", "?r", v_.sorts[kRoles].values[0]}) + " " + way.name + ") " + link + ")");
    v_.moves.push_back({way.name, {}});
  }
  const std::string jumping =
      plane ? c_.one_of({"(true (pos ?x ?x))", "(true (pos ?x ?x))", "(true (pos 2 ?x))"}) : "(true (pos 2))";
  if (c_.coin(60)) {
    say("(<= (legal ?r jump) (role ?r)" + turn + " " + jumping + ")");
    say("(<= (next " + place("3", "3") + ") (does ?r jump))");
  }
  if (marks) {
    say("(<= (next (mark ?x ?y)) (true (pos ?x ?y))" + c_.one_of({"", " (does ?r up)", " (not (true (pos ?x ?x)))"}) +
        ")");
    say("(<= (next (mark ?x ?y)) (true (mark ?x ?y))" + c_.one_of({"", "", " (not (true (pos ?x ?y)))"}) + ")");
    if (c_.coin(40)) say("(<= terminal (true (pos ?x ?y)) " + chain + "?x ?z) (true (mark ?z ?y)))");
    v_.facts.push_back({"mark", {kNumbers, kNumbers}});
  }
  if (c_.coin(40))
    say("(<= (next " +
        (plane ? std::string("(pos ?x ?y)) (true (pos ?x ?y))") : std::string("(pos ?x)) (true (pos ?x))")) +
        " (does " + v_.sorts[kRoles].values[0] + " noop))");
  if (c_.coin(30)) say("(<= terminal " + std::string(plane ? "(true (pos 3 3))" : "(true (pos 3))") + ")");
  v_.facts.push_back(
      {"pos", plane ? std::vector<std::size_t>{kNumbers, kNumbers} : std::vector<std::size_t>{kNumbers}});
}

void GdlParts::board() {
  const int width = 2 + static_cast<int>(c_.below(2)), height = c_.coin(70) ? 2 : 3;
  const std::vector<std::string>& roles = v_.sorts[kRoles].values;
  for (int x = 1; x <= width; ++x)
    for (int y = 1; y <= height; ++y) {
      const std::string what = c_.coin(85) ? "e" : roles[c_.below(roles.size())];
      say("(init (cell " + std::to_string(x) + " " + std::to_string(y) + " " + what + "))");
    }
  const std::string chain = "(" + v_.successor + " ";
  const std::string turn = alternate_ ? " (true (control ?r))" : "";
  say("(<= (legal ?r (put ?x ?y)) (role ?r)" + turn + " (true (cell ?x ?y e))" +
      c_.one_of({"", "", " (not (true (cell ?y ?x ?r)))"}) + ")");
  say("(<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y))" + c_.one_of({"", "", " (true (cell ?x ?y e))"}) + ")");
  if (c_.coin(70)) {
    say("(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c e)" +
        c_.one_of({"", "", " (not (taken ?x ?y))"}) + ")");
    say("(<= (next (cell ?x ?y e)) (does " + c_.one_of({"?r", "?r", roles[0]}) +
        " (put ?m ?n)) (true (cell ?x ?y e)) (or (distinct ?m ?x) (distinct ?n ?y)))");
  } else {
    say("(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (touched ?x ?y)))");
  }
  say("(<= (touched ?x ?y) (does ?r (put ?x ?y)))");
  say("(<= (near ?x ?y ?z ?y) " + chain + "?x ?z) (num ?y))");
  if (c_.coin(70)) say("(<= (near ?x ?y ?x ?z) " + chain + "?y ?z) (num ?x))");
  if (c_.coin(60)) say("(<= (near ?x ?y ?u ?v) (near ?u ?v ?x ?y))");
  say("(<= (taken ?x ?y) (true (cell ?x ?y ?c)) (does ?r (put ?m ?n)) (near ?x ?y ?m ?n)" +
      c_.one_of({"", " (distinct ?c ?r)"}) + " (distinct ?c e))");
  if (c_.coin(50)) say("(<= (next (cell ?x ?y " + c_.one_of({"e", "?r"}) + ")) (taken ?x ?y) (does ?r (put ?m ?n)))");
  say("(<= (line ?c) (true (cell 1 ?y ?c)) (true (cell 2 ?y ?c))" + c_.one_of({"", " (distinct ?c e)"}) + ")");
  if (c_.coin(50)) say("(<= (line ?c) (true (cell ?x ?x ?c)) (not (open ?x)))");
  if (c_.coin(50)) say("(<= (line ?c) (true (cell ?x ?y ?c)) (near ?x ?y ?u ?v) (true (cell ?u ?v ?c)))");
  say("(<= (open ?x) (true (cell ?x ?y e)))");
  if (c_.coin(60)) say("(<= terminal (role ?c) (line ?c))");
  if (c_.coin(40)) say("(<= terminal (not (open 1)))");
  if (c_.coin(60)) say("(<= (goal ?r " + c_.one_of({"100", "70"}) + ") (role ?r) (line ?r))");
  if (c_.coin(30)) {
    say("(<= (joined ?x ?y ?x ?y) (true (cell ?x ?y ?c)) (distinct ?c e))");
    say("(<= (joined ?x ?y ?u ?v) (joined ?x ?y ?m ?n) (near ?m ?n ?u ?v) (true (cell ?u ?v ?c)) (true (cell ?m ?n "
        "?c)))");
    say("(<= (legal ?r shoot) (role ?r) (joined 1 1 ?x " + std::to_string(height) + ")" + turn + ")");
  }
  v_.facts.push_back({"cell", {kNumbers, kNumbers, kRoles}});
}

void GdlParts::counter() {
  say("(init (n " + number() + "))");
  say("(<= (legal ?r (c ?x)) (role ?r) (true (n ?x))" + std::string(alternate_ ? " (true (control ?r))" : "") + ")");
  const std::string chain = "(" + v_.successor + " ";
  const auto body = [&](GdlKind kind) {
    GdlRule condition = rule(kind);
    condition.literals(c_.pick(1, 2));
    return condition;
  };
  say(body(GdlKind::move).finish("more"));
  GdlRule less = body(GdlKind::move);
  less.add("(not more)", false);
  say(less.finish("less"));
  say("(<= (next (n ?y)) (true (n ?x)) " + chain + "?x ?y) more)");
  say("(<= (next (n ?y)) (true (n ?x)) " + chain + "?y ?x) less)");
  say("(<= (next (n ?x)) (true (n ?x)) (not more)" + c_.one_of({" (not less)", " (not less)", ""}) + ")");
  if (c_.coin(20)) say(body(GdlKind::move).finish("(next (n " + number() + "))"));
  if (c_.coin(30)) say("(<= terminal (true (n " + number() + ")))");
  v_.facts.push_back({"n", {kNumbers}});
}

void GdlParts::shared() {
  const std::string name = "own";
  for (const std::string& role : v_.sorts[kRoles].values)
    if (c_.coin(70)) say("(init (own " + role + "))");
  v_.moves.push_back({"keep", {}});
  v_.moves.push_back({"give", {kRoles}});
  const std::string turn = alternate_ ? " (true (control ?r))" : "";
  say("(<= (legal ?r keep) (role ?r)" + turn + c_.one_of({")", " (true (own ?r)))", " (true (own ?q)))"}));
  say("(<= (legal ?r (give ?q)) (role ?r) (role ?q)" + turn +
      c_.one_of({")", " (distinct ?r ?q))", " (true (own ?r)))"}));
  const std::string who = c_.one_of({"?r", "?r", v_.sorts[kRoles].values[0]});
  say("(<= (next (own ?x)) (true (own ?x)) (does " + who + " keep)" +
      (who == "?r" ? c_.one_of({" (distinct ?x ?r))", " (distinct ?x ?r))", ")", " (not (true (own ?r))))"}) : ")"));
  if (c_.coin(80))
    say("(<= (next (own ?q)) (does ?r (give ?q))" + c_.one_of({"", " (true (own ?r))", " (distinct ?r ?q)"}) + ")");
  if (c_.coin(30)) say("(<= (next (own ?x)) (true (own ?x)) (not (given ?x)))");
  say("(<= (given ?x) (does ?x (give ?q)))");
  if (c_.coin(20)) say("(<= (next (own ?x)) (role ?x) (does ?x ?m) (does ?q ?m) (distinct ?q ?x))");
  if (c_.coin(40)) say("(<= (goal ?r 90) (true (own ?r)))");
  v_.facts.push_back({"own", {kRoles}});
}

void GdlParts::recursion() {
  const std::string chain = "(" + v_.successor + " ";
  const std::string guard = c_.one_of({"", "", " (num ?z)"});
  switch (c_.pick(0, 4)) {
    case 0:
      say("(<= (before ?x ?y) " + chain + "?x ?y))");
      say("(<= (before ?x ?z) (before ?x ?y) " + chain + "?y ?z)" + guard + ")");
      break;
    case 1:
      say("(<= (before ?x ?y) " + chain + "?x ?y))");
      say("(<= (before ?x ?z) " + chain + "?x ?y) (before ?y ?z)" + guard + ")");
      break;
    case 2:
      say("(<= (before ?x ?y) " + chain + "?x ?y))");
      say("(<= (before ?x ?z) (before ?x ?y) (before ?y ?z)" + guard + ")");
      break;
    case 3:
      say("(before 1 1)");
      say("(<= (before ?x ?z) (after ?x ?y) " + chain + "?y ?z))");
      say("(<= (after ?x ?z) (before ?x ?y) " + chain + "?y ?z))");
      break;
    default: {  // over the facts of the state
      const GdlRelation& relation = v_.facts[c_.below(v_.facts.size())];
      GdlRule first = rule(GdlKind::state, 0), further = rule(GdlKind::state, 0);
      first.add("(true " + gdl_sentence(relation.name, first.terms(relation)) + ")");
      const std::string x = first.term(kNumbers);
      const std::string y = first.term(kNumbers);
      say(first.finish("(before " + x + " " + y + ")"));
      further.add("(true " + gdl_sentence(relation.name, further.terms(relation)) + ")");
      const std::string begin = further.term(kNumbers), middle = further.variable(kNumbers),
                        last = further.variable(kNumbers);
      further.add("(before " + begin + " " + middle + ")");
      further.add(chain + middle + " " + last + ")");
      say(further.finish("(before " + begin + " " + last + ")"));
    }
  }
  const std::string turn = alternate_ ? " (true (control ?r))" : "";
  say("(<= (legal ?r (far ?x)) (role ?r) (before ?x " + number() + ")" + turn + ")");
  if (c_.coin(40)) say("(<= terminal (before 1 ?x) (true (step ?x)) (not (before ?x 1)) (before 3 ?x))");
}

}  // namespace rgtrans::test
