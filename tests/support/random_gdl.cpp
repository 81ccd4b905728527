// Random GDL: propositional and one-place facts over three constants, a number that goes up and down, a static
// relation, rules in which every variable is bound by a positive sentence, negation of facts and of relations of lower
// number only.
#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string run() {
    std::string out = "(role r)\n";
    const bool two = c_.coin(60);
    if (two) out += "(role s)\n";
    if (c_.chance(6)) out += "(role random)\n";
    out += "(succ 1 2) (succ 2 3)" + c_.one_of({"", " (succ 3 1)"}) + "\n(num 1) (num 2) (num 3)\n(init (step 0))\n";
    for (int i = 0; i < 6; ++i)
      out += "(<= (next (step " + std::to_string(i + 1) + ")) (true (step " + std::to_string(i) + ")))\n";
    for (int n = c_.pick(1, 4); n > 0; --n) out += "(init " + fact(false) + ")\n";
    for (int i = 1; i <= 3; ++i) {
      level_ = i;
      for (int n = c_.pick(1, 2); n > 0; --n) out += rule("(d" + std::to_string(i) + " ?x)", true);
      if (c_.coin(30))
        out += rule("(d" + std::to_string(i) + " ?x)", true, "(d" + std::to_string(i) + " ?y) (succ ?y ?x)");
    }
    level_ = 4;
    out += "(legal r (a 1))\n(<= (legal ?p noop) (role ?p) (distinct ?p r))\n";
    for (int n = c_.pick(1, 3); n > 0; --n) out += rule("(legal " + role(two) + " (a ?x))", true);
    if (c_.coin(40)) out += rule("(legal " + role(two) + " (b ?x ?y))", true, "(num ?y) (distinct ?x ?y)");
    does_ = true;
    for (int n = c_.pick(2, 6); n > 0; --n) {
      out += c_.coin(70) ? rule("(next (f ?x))", true) : rule("(next g)", false);
    }
    if (c_.coin(60)) out += "(<= (next (f ?x)) (true (f ?x)) (not (does r (a ?x))))\n";
    does_ = false;
    if (c_.coin(50)) out += counter();
    if (c_.chance(4)) out += "(<= (sees r ?m) (does r ?m))\n(<= (sees " + role(two) + " (f ?x)) (true (f ?x)))\n";
    out += "(<= terminal (true (step " + std::to_string(c_.pick(2, 5)) + ")))\n";
    if (c_.coin(60)) out += rule("terminal", false);
    for (const char* who : {"r", "s"}) {
      if (who[0] == 's' && !two) break;
      out += std::string("(<= (goal ") + who + " 100) (true g))\n(<= (goal " + who + " 0) (not (true g)))\n";
    }
    return out;
  }

 private:
  std::string number() { return std::to_string(c_.pick(1, 3)); }
  std::string role(bool two) { return two ? c_.one_of({"r", "s"}) : "r"; }
  std::string term(bool variables) { return variables && c_.coin(70) ? c_.one_of({"?x", "?y"}) : number(); }
  std::string fact(bool variables) { return c_.coin(25) ? "g" : "(f " + term(variables) + ")"; }

  // Which of its values hold can be seen from the legal moves; often it is one, sometimes none or two.
  std::string counter() {
    std::string out = "(init (n " + number() + "))\n(<= (legal r (c ?x)) (true (n ?x)))\n";
    for (int i = 0; i < 6; ++i) out += "(up " + std::to_string(i) + " " + std::to_string(i + 1) + ") ";
    const std::string what = c_.one_of({"(does r (a 1))", "(true g)", "(true (f 2))", "(does r (c 2))"});
    const std::string other = c_.one_of({"(true (f 1))", "(true g)", "(does r (a 2))"});
    out += "\n(<= more " + what + (c_.coin(40) ? " " + other : "") + ")\n(<= less (not more) " + other + ")\n";
    out += "(<= (next (n ?y)) (true (n ?x)) (up ?x ?y) more)\n(<= (next (n ?y)) (true (n ?x)) (up ?y ?x) less)\n";
    out += "(<= (next (n ?x)) (true (n ?x)) (not more)" + c_.one_of({" (not less)", " (not less)", ""}) + ")\n";
    if (c_.coin(20)) out += "(<= (next (n " + number() + ")) " + c_.one_of({"(does r (a 3))", "(true (f 3))"}) + ")\n";
    return out + (c_.coin(30) ? "(<= terminal (true (n 5)))\n" : "");
  }

  // A sentence whose variables are ?x and ?y.
  std::string sentence() {
    switch (c_.pick(0, 5)) {
      case 0:
        return "(true g)";
      case 1:
        return "(succ " + term(true) + " " + term(true) + ")";
      case 2:
        if (level_ > 1) return "(d" + std::to_string(c_.pick(1, level_ - 1)) + " " + term(true) + ")";
        [[fallthrough]];
      case 3:
        if (does_) return "(does r (a " + term(true) + "))";
        [[fallthrough]];
      default:
        return "(true (f " + term(true) + "))";
    }
  }
  // The head uses ?x when `bound`; ?x and ?y are always bound where they are used.
  std::string rule(const std::string& head, bool bound, const std::string& more = "") {
    std::string body = more;
    bool y = more.find("?y") != std::string::npos;
    if (bound) body += " " + c_.one_of({"(num ?x)", "(num ?x)", "(true (f ?x))"});
    for (int n = c_.pick(bound ? 0 : 1, 3); n > 0; --n) {
      std::string s = sentence();
      if (c_.coin(15)) s = "(or " + s + " " + sentence() + ")";
      if (c_.coin(30)) s = "(not " + s + ")";
      if (c_.coin(10)) s = "(distinct " + term(true) + " " + number() + ")";
      if (s.find("?y") != std::string::npos && !y) {
        y = true;
        body += " (num ?y)";
      }
      if (s.find("?x") != std::string::npos && !bound) {
        bound = true;
        body += " (num ?x)";
      }
      body += " " + s;
    }
    return "(<= " + head + body + ")\n";
  }

  Choices& c_;
  int level_ = 1;
  bool does_ = false;
};

}  // namespace

std::string random_gdl(Choices& choices) { return Generator(choices).run(); }

}  // namespace rgtrans::test
