// Parts of random GDL for rewrites of lifted rules that other parts rarely trigger.
#include "tests/support/random_gdl_parts.hpp"

namespace rgtrans::test {

namespace {

constexpr std::size_t kRoles = kGdlRoles, kNumbers = kGdlNumbers;

}  // namespace

std::string GdlParts::turn() const { return alternate_ ? " (true (control ?r))" : ""; }

// Places without an owner, and moves that no role has made; both are expressed by negation.
void GdlParts::owners() {
  const std::vector<std::string>& roles = v_.sorts[kRoles].values;
  say("(init (piece " + number() + " " + roles[0] + "))");
  say("(<= (owned ?x ?r) (true (piece ?x ?r)))");
  std::string nobody, idle;
  for (const std::string& role : roles) {
    nobody += c_.coin(95) ? " (not (owned ?x " + role + "))" : "";
    idle += c_.coin(95) ? " (not (does " + role + " (take ?x)))" : "";
  }
  say("(<= (free ?x) (num ?x)" + nobody + ")");
  say("(<= (legal ?r (claim ?x)) (role ?r)" + turn() + " (num ?x)" + (c_.coin(60) ? nobody : " (free ?x)") + ")");
  say("(<= (legal ?r (take ?x)) (role ?r)" + turn() + " (true (piece ?x ?q)) (distinct ?q ?r))");
  say("(<= (next (piece ?x ?r)) (does ?r (claim ?x))" + c_.one_of({"", "", " (free ?x)"}) + ")");
  say("(<= (next (piece ?x ?q)) (true (piece ?x ?q))" + idle + ")");
  if (c_.coin(40)) say("(<= terminal (not (free 1)) (not (free 2)))");
  if (c_.coin(60)) say("(<= (goal ?r 80) (role ?r) (owned 1 ?r))");
  v_.facts.push_back({"piece", {kNumbers, kRoles}});
}

// Pieces on a line or a ring that slide over empty places and flip the pieces behind them.
void GdlParts::sliders() {
  const std::vector<std::string>& roles = v_.sorts[kRoles].values;
  const int places = c_.pick(3, 6);
  const auto place = [](int i) { return "c" + std::to_string(i); };
  for (int i = 1; i <= places; ++i) {
    say("(place " + place(i) + ")");
    if (i < places)
      say("(step east " + place(i) + " " + place(i + 1) + ")\n(step west " + place(i + 1) + " " + place(i) + ")");
    say("(init (at " + place(i) + " " + (c_.coin(50) ? std::string("none") : roles[c_.below(roles.size())]) + "))");
  }
  if (c_.coin(15)) say("(step east " + place(places) + " c1)");
  if (c_.coin(50)) {
    say("(<= (row ?x ?y) (place ?x) (place ?y)" + c_.one_of({"", " (distinct ?x ?y)"}) + ")");
  } else {
    for (int i = 1; i < places; ++i) say("(row c1 " + place(i + 1) + ")\n(row " + place(i + 1) + " c1)");
  }
  const std::string row = c_.coin(60) ? " (row ?x ?z)" : "";
  say("(<= (slide ?x ?y) (step ?d ?x ?y))");
  say("(<= (slide ?x ?z) (step ?d ?x ?y) (true (at ?y none)) (slide ?y ?z)" + row + ")");
  say("(<= (legal ?r (slide ?x ?y)) (role ?r)" + turn() + " (true (at ?x ?r)) (slide ?x ?y)" +
      c_.one_of({"", " (true (at ?y none))", " (not (true (at ?y ?r)))"}) + ")");
  say("(<= (next (at ?y ?r)) (does ?r (slide ?x ?y)))");
  say("(<= (next (at ?x none)) (does ?r (slide ?x ?y)))");
  say("(<= (next (at ?z ?q)) (true (at ?z ?q)) (does ?r (slide ?x ?y)) (distinct ?z ?x) (distinct ?z ?y)" +
      c_.one_of({"", " (not (turned ?z))"}) + ")");
  say("(<= (turned ?y) (does ?r (slide ?x ?z)) (step east ?z ?y) (true (at ?y ?q)) (distinct ?q none) (distinct ?q "
      "?r))");
  say("(<= (turned ?z) (turned ?y) (step east ?y ?z) (true (at ?z ?q)) (distinct ?q none))");
  if (c_.coin(70)) say("(<= (next (at ?y ?r)) (turned ?y) (does ?r (slide ?x ?z)))");
  // Rays from several places, beside other places.
  if (c_.coin(50)) {
    say("(<= (init (lamp ?x)) (place ?x))\n(<= (next (lamp ?x)) (true (lamp ?x)) (true (at ?x none)))");
    say("(<= (glow ?y) (true (lamp ?x)) (step east ?x ?y) (true (at ?y none)))");
    say("(<= (glow ?z) (glow ?y) (step east ?y ?z)" + c_.one_of({"", " (true (at ?z none))"}) + ")");
    say("(<= (next (lit ?z ?y)) (glow ?z) (true (at ?y " + c_.one_of({"none", "?q"}) + ")) (step east ?x ?y))");
    say("(<= (legal ?r (watch ?x ?y)) (role ?r)" + turn() + " (true (lit ?x ?y)) (distinct ?x ?y))");
  }
  // The place that a jump passes.
  if (c_.coin(50)) {
    say("(<= (near ?x ?y) (step ?d ?x ?y))");
    say("(<= (legal ?r (jump ?x ?z)) (role ?r)" + turn() +
        " (true (at ?x ?r)) (near ?x ?y) (near ?y ?z) (distinct ?x ?z) (true (at ?z none)))");
    say("(<= (over ?y) (does ?r (jump ?x ?z)) (row2 ?x ?z) (near ?x ?y) (near ?y ?z))");
    say("(<= (row2 ?x ?z) (near ?x ?y) (near ?y ?z) (distinct ?x ?z))");
    say("(<= (next (at ?y none)) (over ?y))");
    say("(<= (next (at ?z ?r)) (does ?r (jump ?x ?z)))");
  }
  if (c_.coin(40)) say("(<= terminal (slide c1 " + place(places) + "))");
  if (c_.coin(40)) say("(<= (goal ?r 60) (role ?r) (true (at " + place(c_.pick(1, places)) + " ?r)))");
}

// Cells with three coordinates. Fewer than nine would not be joined.
void GdlParts::quadrants() {
  const std::vector<std::string>& roles = v_.sorts[kRoles].values;
  for (const char* q : {"q1", "q2"})
    for (int x = 1; x <= 3; ++x)
      for (int y = 1; y <= 2; ++y)
        say("(init (field " + std::string(q) + " " + std::to_string(x) + " " + std::to_string(y) + " " +
            (c_.coin(85) ? std::string("e") : roles[c_.below(roles.size())]) + "))");
  const std::string up = "(" + v_.successor + " ";
  say("(other q1 q2) (other q2 q1)");
  say("(<= (legal ?r (fill ?q ?x ?y)) (role ?r)" + turn() + " (true (field ?q ?x ?y e)))");
  say("(<= (next (field ?q ?x ?y ?r)) (does ?r (fill ?q ?x ?y)))");
  say("(<= (next (field ?q ?x ?y ?c)) (true (field ?q ?x ?y ?c)) (distinct ?c e)" +
      c_.one_of({"", " (not (lost ?q ?x ?y))"}) + ")");
  say("(<= (next (field ?q ?x ?y e)) (true (field ?q ?x ?y e)) (not (filled ?q ?x ?y)))");
  say("(<= (filled ?q ?x ?y) (does ?r (fill ?q ?x ?y)))");
  say("(<= (lost ?p ?x ?y) (does ?r (fill ?q ?x ?y)) (other ?q ?p))");
  if (c_.coin(50)) say("(<= (next (field ?p ?x ?y e)) (lost ?p ?x ?y) (true (field ?p ?x ?y ?c)) (distinct ?c e))");
  say("(<= (wins ?c) (true (field ?q ?x ?y ?c)) " + up + "?x ?z) (true (field ?q ?z ?y ?c))" +
      c_.one_of({"", " (distinct ?c e)"}) + ")");
  say("(<= (wins ?c) (true (field ?q ?x ?y ?c)) (other ?q ?p) (true (field ?p ?y ?x ?c)) (distinct ?c e))");
  if (c_.coin(60)) say("(<= terminal (role ?c) (wins ?c))");
  if (c_.coin(60)) say("(<= (goal ?r 90) (role ?r) (wins ?r))");
  if (c_.coin(50)) say("(<= (goal ?r 10) (role ?r) (not (wins ?r)))");
}

// Places in groups that rarely share one: a stone names the group that it may complete. Stones change where others are
// laid.
void GdlParts::groups() {
  const std::vector<std::string>& roles = v_.sorts[kRoles].values;
  const int count = c_.pick(2, 4);
  for (int g = 1; g <= count; ++g) {
    const std::string names[] = {"a", "b", "c"};
    std::string line = "(group";
    for (const std::string& name : names) {
      const std::string place = name + std::to_string(c_.coin(90) ? g : 1);
      line += " " + place;
      say("(spot " + name + std::to_string(g) + ")");
      say("(init (stone " + name + std::to_string(g) + " " +
          (c_.coin(80) ? std::string("none") : roles[c_.below(roles.size())]) + "))");
    }
    say(line + ")");
  }
  const bool turning = c_.coin(60);
  say("(<= (legal ?r (lay ?p)) (role ?r)" + turn() + " (true (stone ?p none)))");
  say("(<= (laid ?p) (does ?r (lay ?p)))");
  if (turning) {
    say("(<= (turned ?q) (does ?r (lay ?p)) " +
        c_.one_of({"(group ?p ?q ?x)", "(group ?q ?p ?x)", "(group ?p ?x ?q)"}) +
        c_.one_of({"", " (true (stone ?q ?c))", " (true (stone ?q ?c)) (distinct ?c none)"}) + ")");
    if (c_.coin(50)) {
      say("(<= (changed ?p) (laid ?p))\n(<= (changed ?p) (turned ?p))");
    } else {
      say("(<= (changed ?p) (turned ?p))");
    }
    say("(<= (next (stone ?p " + c_.one_of({"none", roles[0], "?r"}) + ")) " +
        c_.one_of({"(turned ?p)", "(changed ?p)"}) + c_.one_of({"", " (true (stone ?p ?c))"}) + " (does ?r (lay ?x))" +
        c_.one_of({"", " (distinct ?p b1)"}) + ")");
    if (c_.coin(50))
      say("(<= (next (stone ?p none)) (changed ?p)" + c_.one_of({"", " (not (laid ?p))", " (distinct ?p c1)"}) + ")");
  }
  say("(<= (next (stone ?p ?r)) (does ?r (lay ?p)))");
  const std::string still = turning ? "(not (changed ?p))" : "(not (laid ?p))";
  if (c_.coin(70)) {
    say("(<= (next (stone ?p ?c)) (true (stone ?p ?c)) " + still + ")");
  } else {
    say("(<= (next (stone ?p ?c)) (true (stone ?p ?c)) (distinct ?c none))");
    say("(<= (next (stone ?p none)) (true (stone ?p none)) " + still + ")");
  }
  say("(<= (full ?r) (group ?x ?y ?z) (true (stone ?x ?r)) (true (stone ?y ?r)) (true (stone ?z ?r))" +
      c_.one_of({"", " (distinct ?r none)"}) + ")");
  if (c_.coin(85)) say("(<= terminal (role ?r) (full ?r))");
  if (c_.coin(60)) say("(<= (goal ?r 70) (role ?r) (full ?r))");
}

}  // namespace rgtrans::test
