// Random GDL: small descriptions with a typed vocabulary, random rules over it, and typical parts of real games:
// counters, walking pieces, boards with lines and neighbours, simultaneous moves, cards dealt by nature. All constructs
// of the language occur, including rare ones. Most plays end after a few steps.
#include <algorithm>

#include "tests/support/random_game.hpp"
#include "tests/support/random_gdl_parts.hpp"

namespace rgtrans::test {

namespace {

constexpr std::size_t kRoles = kGdlRoles, kThings = kGdlThings, kNumbers = kGdlNumbers, kPairs = 3;  // sorts
constexpr std::size_t kMostTuples = 30;                                                              // in a relation
constexpr std::size_t kMostMoves = 9;                                                                // with one name

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string run() {
    make_sorts();
    make_relations();
    GdlParts parts(c_, v_, turns_ == Turns::alternate, out_);
    for (int n = c_.coin(12) ? 2 : c_.coin(60) ? 1 : 0; n > 0; --n) parts.add();
    for (const GdlRelation& relation : v_.facts) initial(relation);
    for (const GdlRelation& relation : v_.derived) definitions(relation);
    legal();
    changes();
    end();
    if (imperfect_) percepts();
    if (c_.coin(5)) strangers();
    return text();
  }

 private:
  enum class Turns { one, alternate, together };

  void say(const std::string& statement) { out_.push_back(statement + (statement.ends_with('\n') ? "" : "\n")); }
  GdlRule rule(GdlKind kind, std::size_t rank = 1000) { return GdlRule(c_, v_, {kind, rank}); }
  bool fits(const std::vector<std::size_t>& columns, std::size_t most) const { return v_.tuples(columns) <= most; }

  void make_sorts() {
    std::vector<std::string> roles = {c_.one_of({"w", "w", "w", "white", "player", "x", "r1"})};
    const int count = c_.coin(30) ? 1 : c_.coin(80) ? 2 : 3;
    if (count > 1) roles.push_back(c_.one_of({"b", "b", "black", "o", "keeper"}));
    if (count > 2) roles.push_back("g");
    turns_ = count == 1 ? Turns::one : c_.coin(50) ? Turns::alternate : Turns::together;
    if (c_.coin(12)) roles.insert(c_.coin(80) ? roles.end() : roles.begin(), "random");
    imperfect_ = c_.coin(8);
    std::vector<std::string> things = {"a", "b", "c"};
    things.resize(c_.coin(70) ? 2 : 3);
    if (c_.coin(15)) things.push_back(roles[0]);  // a role as data
    highest_ = c_.coin(2) ? c_.pick(8, 16) : c_.coin(60) ? 3 : c_.pick(2, 4);
    std::vector<std::string> numbers;
    for (int i = 1; i <= highest_; ++i) numbers.push_back(std::to_string(i));
    v_.sorts = {{"r", "role", roles}, {"a", "thing", things}, {"n", "num", numbers}};
    v_.numbers = kNumbers;
    v_.successor = c_.one_of({"succ", "plus", "++"});
    for (const std::string& role : roles) say("(role " + role + ")");
    for (const std::string& thing : things) say("(thing " + thing + ")");
    for (int i = 1; i < highest_; ++i) say("(" + v_.successor + " " + numbers[i - 1] + " " + numbers[i] + ")");
    if (c_.coin(6)) say("(" + v_.successor + " " + numbers.back() + " 1)");
    for (const std::string& n : numbers) say("(num " + n + ")");
    if (c_.coin(15)) nested();
  }

  // Adds pairs as nested terms.
  void nested() {
    GdlSort pairs{"p", "pair", {}, c_.one_of({"p", "cell"}), {c_.below(2) + 1, c_.below(3)}};
    for (const std::string& first : v_.sorts[pairs.parts[0]].values)
      for (const std::string& second : v_.sorts[pairs.parts[1]].values)
        pairs.values.push_back(gdl_sentence(pairs.functor, {first, second}));
    if (pairs.values.size() > 12) return;
    const std::string term = "(" + pairs.functor + " ?x ?y)";
    say("(<= (pair " + term + ") (" + v_.sorts[pairs.parts[0]].domain + " ?x) (" + v_.sorts[pairs.parts[1]].domain +
        " ?y))");
    v_.sorts.push_back(pairs);
  }

  std::vector<std::size_t> columns(std::size_t most) {
    static constexpr int kArity[] = {0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 5};
    for (;;) {
      std::vector<std::size_t> out;
      for (int n = kArity[c_.below(std::size(kArity))]; n > 0; --n)
        out.push_back(c_.coin(20)                          ? kRoles
                      : v_.sorts.size() > 3 && c_.coin(40) ? kPairs
                      : c_.coin(45)                        ? kThings
                                                           : kNumbers);
      if (fits(out, most)) return out;
      most *= 2;  // terminates in any case
    }
  }

  void make_relations() {
    for (int n = c_.pick(0, 2); n > 0; --n) {
      v_.fixed.push_back({"s" + std::to_string(n), columns(kMostTuples)});
      const GdlRelation& relation = v_.fixed.back();
      for (int m = c_.pick(relation.columns.empty() ? 0 : 1, 4); m > 0; --m) say(constants(relation));
    }
    for (int n = c_.coin(75) ? c_.pick(1, 2) : 3; n > 0; --n)
      v_.facts.push_back({"f" + std::to_string(n), columns(kMostTuples)});
    for (int n = c_.coin(80) ? c_.pick(1, 2) : 3; n > 0; --n)
      v_.moves.push_back({"m" + std::to_string(n), columns(kMostMoves)});
    std::size_t rank = 0;
    GdlKind kind = GdlKind::fixed;
    for (int n = c_.coin(30) ? 0 : c_.coin(75) ? c_.pick(1, 2) : c_.pick(3, 4); n > 0; --n) {
      if (rank == 0 || !c_.coin(12))
        ++rank;  // otherwise this relation and the previous one may be mutually recursive
      else
        v_.derived.back().kind = std::max(v_.derived.back().kind, kind);
      if (kind != GdlKind::move && c_.coin(55)) kind = kind == GdlKind::fixed ? GdlKind::state : GdlKind::move;
      if (rank > 0 && !v_.derived.empty() && v_.derived.back().rank == rank) kind = v_.derived.back().kind;
      v_.derived.push_back({"d" + std::to_string(v_.derived.size()), columns(kMostTuples), kind, rank});
    }
  }

  std::string constants(const GdlRelation& relation) {
    std::vector<std::string> arguments;
    for (const std::size_t sort : relation.columns)
      arguments.push_back(v_.sorts[sort].values[c_.below(v_.sorts[sort].values.size())]);
    return gdl_sentence(relation.name, arguments);
  }

  void initial(const GdlRelation& relation) {
    for (int n = c_.pick(c_.coin(70) ? 1 : 0, c_.coin(30) ? 4 : 2); n > 0; --n)
      say("(init " + constants(relation) + ")");
    if (c_.coin(6)) {
      GdlRule body = rule(GdlKind::fixed, 1);
      const std::vector<std::string> head = body.head_terms(relation);
      body.literals(1);
      say(body.finish("(init " + gdl_sentence(relation.name, head) + ")"));
    }
  }

  void definitions(const GdlRelation& relation) {
    for (int n = c_.pick(1, c_.coin(50) ? 2 : 3); n > 0; --n) {
      GdlRule body = rule(relation.kind, relation.rank);
      const std::vector<std::string> head = c_.coin(50) ? body.head_terms(relation) : std::vector<std::string>{};
      if (relation.kind == GdlKind::state && c_.coin(60)) body.add(body.fact());
      if (relation.kind == GdlKind::move) body.add(body.does());
      body.literals(c_.pick(1, 2));
      say(body.finish(gdl_sentence(relation.name, head.empty() ? body.terms(relation) : head)));
    }
  }

  void legal() {
    const std::size_t nature = v_.sorts[kRoles].values.size();
    for (const GdlRelation& move : v_.moves) {
      for (int n = c_.coin(70) ? 1 : 2; n > 0; --n) {
        GdlRule body = rule(GdlKind::state);
        const std::string who = c_.coin(65) ? body.variable(kRoles) : body.constant(kRoles);
        if (turns_ == Turns::alternate && c_.coin(92)) body.add("(true (control " + who + "))");
        const std::vector<std::string> arguments = c_.coin(70) ? body.head_terms(move) : body.terms(move);
        if (c_.coin(25)) body.add(body.fact());
        body.literals(c_.coin(35) ? 0 : c_.coin(70) ? 1 : 2);
        say(body.finish("(legal " + who + " " + gdl_sentence(move.name, arguments) + ")", c_.coin(15) ? who : ""));
      }
    }
    if (turns_ == Turns::alternate) {
      std::vector<std::string> roles = v_.sorts[kRoles].values;
      say("(init (control " + roles[0] + "))");
      for (std::size_t i = 0; i < nature; ++i)
        say("(<= (next (control " + roles[(i + 1) % nature] + ")) (true (control " + roles[i] + ")))");
      say("(<= (legal ?r noop) (role ?r) (not (true (control ?r))))");
      if (c_.coin(80)) say("(<= (legal ?r pass) (true (control ?r)))");
    } else if (c_.coin(90)) {
      say(c_.one_of({"(<= (legal ?r noop) (role ?r))", "(legal ?r noop)"}));
    }
    if (c_.coin(4)) say("(<= (legal ?r again) (legal ?r " + c_.one_of({"noop", "pass", "m1"}) + "))");
  }

  // Adds rules that keep facts and rules that create them.
  void changes() {
    for (const GdlRelation& relation : v_.facts) {
      for (int n = c_.coin(70) ? 1 : c_.pick(0, 3); n > 0; --n) frame(relation);
      for (int n = c_.coin(65) ? 1 : c_.pick(0, 2); n > 0; --n) cause(relation);
    }
    if (c_.coin(4)) say("(<= (next ?f) (true ?f) (lasting ?f))\n(lasting (" + v_.facts[0].name + "))");
  }

  void frame(const GdlRelation& relation) {
    GdlRule body = rule(GdlKind::move);
    std::vector<std::string> arguments;
    for (const std::size_t sort : relation.columns)
      arguments.push_back(c_.coin(90) ? body.variable(sort) : body.term(sort));
    const std::string kept = gdl_sentence(relation.name, arguments);
    body.add("(true " + kept + ")");
    switch (c_.pick(0, 7)) {
      case 0:
        break;
      case 1:
        body.add("(not " + body.does() + ")", false);
        break;
      case 2: {  // one role, or any role, keeps the fact
        body.add(body.does());
        if (c_.coin(50)) body.literal();
        break;
      }
      case 3: {  // all roles except the one concerned
        const GdlRelation& move = v_.moves[c_.below(v_.moves.size())];
        const std::string who = body.variable(kRoles);
        body.add("(does " + who + " " + gdl_sentence(move.name, body.terms(move)) + ")");
        for (std::size_t i = 0; i < arguments.size(); ++i)
          if (relation.columns[i] == kRoles) body.add("(distinct " + arguments[i] + " " + who + ")", false);
        break;
      }
      case 7: {  // no role does it
        const GdlRelation& move = v_.moves[c_.below(v_.moves.size())];
        const std::string term = gdl_sentence(move.name, body.terms(move));
        for (const std::string& role : v_.sorts[kRoles].values)
          body.add("(not (does " + role + " " + term + "))", false);
        break;
      }
      case 4:  // the moves of all roles
        for (const std::string& role : v_.sorts[kRoles].values) {
          const GdlRelation& move = v_.moves[c_.below(v_.moves.size())];
          body.add("(does " + role + " " + gdl_sentence(move.name, body.terms(move)) + ")");
        }
        break;
      default:
        body.literals(c_.pick(1, 2));
    }
    if (c_.coin(15)) body.literal();
    say(body.finish("(next " + kept + ")"));
  }

  void cause(const GdlRelation& relation) {
    GdlRule body = rule(GdlKind::move);
    if (c_.coin(75)) body.add(body.does());
    if (c_.coin(30)) body.add(body.fact());
    body.literals(c_.coin(60) ? 0 : c_.pick(1, 2));
    const std::vector<std::string> arguments = body.terms(relation);
    say(body.finish("(next " + gdl_sentence(relation.name, arguments) + ")"));
  }

  void end() {
    const bool counted = c_.coin(88);
    if (counted) {
      const int last = c_.pick(3, 6);
      say("(init (step 1))");
      if (highest_ >= last && c_.coin(70)) {
        say("(<= (next (step ?y)) (true (step ?x)) (" + v_.successor + " ?x ?y))");
      } else {
        for (int i = 1; i < last; ++i)
          say("(<= (next (step " + std::to_string(i + 1) + ")) (true (step " + std::to_string(i) + ")))");
      }
      say("(<= terminal (true (step " + std::to_string(last) + ")))");
    }
    if (!counted || c_.coin(35)) {
      GdlRule body = rule(GdlKind::state);
      if (c_.coin(50)) body.add(body.fact());
      body.literals(c_.pick(1, 2));
      say(body.finish("terminal"));
    }
    for (int n = c_.pick(1, 3); n > 0; --n) {
      GdlRule body = rule(GdlKind::state);
      const std::string who = c_.coin(60) ? body.variable(kRoles) : body.constant(kRoles);
      if (c_.coin(50)) body.add(body.fact());
      body.literals(c_.pick(0, 2));
      say(body.finish("(goal " + who + " " + c_.one_of({"100", "50", "30", "10", "0"}) + ")"));
    }
    if (c_.coin(15)) {
      say("(<= (goal ?r 20) (role ?r) (not (goal ?r 100)))");
    } else if (c_.coin(40)) {
      say("(goal " + v_.sorts[kRoles].values[0] + " " + c_.one_of({"0", "40"}) + ")");
    }
  }

  void percepts() {
    if (c_.coin(60))
      say("(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m)" + c_.one_of({"", " (distinct ?r ?q)"}) + ")");
    for (int n = c_.pick(0, 2); n > 0; --n) {
      GdlRule body = rule(GdlKind::move);
      const std::string who = c_.coin(60) ? body.variable(kRoles) : body.constant(kRoles);
      const GdlRelation& relation = v_.facts[c_.below(v_.facts.size())];
      const std::vector<std::string> arguments = body.terms(relation);
      body.add("(true " + gdl_sentence(relation.name, arguments) + ")");
      body.literals(c_.pick(0, 1));
      say(body.finish("(sees " + who + " " + gdl_sentence(relation.name, arguments) + ")"));
    }
  }

  // Moves that are legal for a word that is no role: nobody makes them, but rules read that they are legal.
  void strangers() {
    const std::string& role = v_.sorts[kRoles].values[0];
    const std::string move = c_.coin(50) ? "stray" : constants(v_.moves[0]);
    say("(<= (legal guest " + move + ") " +
        (c_.coin(50) ? "(true " + constants(v_.facts[0]) + ")" : c_.one_of({"(thing ?a)", "(true (last ?m))"})) + ")");
    say("(<= (next (last ?m)) (does " + role + " ?m))\n(<= visited (legal guest ?m))");
    say(c_.one_of({"(<= terminal (not visited))", "(<= (goal ?r 70) (role ?r) visited)",
                   "(<= (goal ?r 60) (role ?r) (true (last ?m)) (legal guest ?m))"}));
  }

  // Replaces the names of two functors by numbers, which scores and truth values have, too.
  static void name_by_number(std::string& out) {
    for (const auto& [name, number] : {std::pair<std::string, std::string>("f1", "1"), {"f2", "50"}})
      for (std::size_t at = out.find(name); at != std::string::npos; at = out.find(name, at + 1))
        if ((out[at - 1] == '(' || out[at - 1] == ' ') && (out[at + 2] == ' ' || out[at + 2] == ')'))
          out.replace(at, name.size(), number);
  }

  std::string text() {
    if (c_.coin(15)) {
      // Shuffle all statements except the roles, whose order matters.
      const auto first =
          std::stable_partition(out_.begin(), out_.end(), [](const std::string& s) { return s.starts_with("(role "); });
      for (auto count = static_cast<std::size_t>(out_.end() - first); count > 1; --count)
        std::swap(first[static_cast<std::ptrdiff_t>(count) - 1], first[static_cast<std::ptrdiff_t>(c_.below(count))]);
    }
    std::string out;
    for (const std::string& statement : out_) out += statement;
    if (c_.coin(4)) name_by_number(out);
    if (c_.coin(8) && v_.successor != "++") return gdl_infix(out);
    if (c_.coin(3)) {
      for (const char* keyword :
           {"role ", "init ", "true ", "does ", "next ", "legal ", "goal ", "not ", "distinct ", "or "}) {
        const std::string lower = std::string("(") + keyword;
        std::string upper = lower;
        std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
        for (std::size_t at = out.find(lower); at != std::string::npos; at = out.find(lower, at))
          out.replace(at, lower.size(), upper);
      }
    }
    return out;
  }

  Choices& c_;
  GdlVocabulary v_;
  Turns turns_ = Turns::one;
  bool imperfect_ = false;
  int highest_ = 3;
  std::vector<std::string> out_;
};

}  // namespace

std::string random_gdl(Choices& choices) { return Generator(choices).run(); }

}  // namespace rgtrans::test
