// The domain of a variable lists its possible forms: constants, or terms of a few functors. Each choice of functors
// gives one copy of the rule, with variables for the arguments. Then every argument of a literal has one form, and a
// relation whose columns have several forms is split by form. Other relations stay.
#include "frontends/gdl/lifted/flatten.hpp"

#include <algorithm>
#include <set>

#include "core/support/coverage.hpp"
#include "frontends/gdl/lifted/model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using Kind = RelationInfo::Kind;

class Flattener {
 public:
  Flattener(Program& program, Unground& unground) : program_(program), patterns_(program.patterns), u_(unground) {}

  [[nodiscard]] bool needed() const {
    return !std::ranges::all_of(
        u_.rules(), [](const EngineRule& rule) { return flat(rule.head) && std::ranges::all_of(rule.body, flat); });
  }

  Forms run() {
    for (const EngineRule& rule : u_.rules()) expand(rule.unplanned());
    u_.replace_rules(std::move(made_));
    return std::move(forms_);
  }

 private:
  // A rule under construction: the replacement of each variable. New variables follow those of the rule.
  struct Draft {
    const EngineRule* rule = nullptr;
    std::vector<Domain> domains;
    std::vector<Pattern> becomes;
    std::vector<SymbolId> names;
  };
  static bool flat(const EngineLiteral& literal) {
    if (!literal.relation.valid() && literal.kind != Kind::ordinary) return false;
    return literal.flat();
  }

  // --- Forms of variables. ---
  void expand(const EngineRule& rule) {
    Draft draft{&rule, u_.domains->variables(rule), {}, rule.source->variables};
    std::vector<bool> used(rule.variables), whole(rule.variables);
    rule.for_each_literal([&](const EngineLiteral& literal) {
      for (const Pattern p : literal.arguments)
        patterns_.for_each_variable(p, [&](std::uint32_t v) { used[v] = true; });
      if (!literal.relation.valid() && literal.kind != Kind::ordinary && literal.arguments.back().is_variable())
        whole[literal.arguments.back().number()] = true;
    });
    for (std::uint32_t v = 0; v < rule.variables; ++v)
      if (used[v] && draft.domains[v].empty()) return;
    variants_ = 0;
    choose(std::move(draft), used, whole);
  }

  void choose(Draft draft, const std::vector<bool>& used, const std::vector<bool>& whole) {
    const auto v = static_cast<std::uint32_t>(draft.becomes.size());
    if (v == draft.domains.size()) {
      if (++variants_ > kLiftedLimits.flat_variants || made_.size() > kLiftedLimits.flat_rules)
        throw NotLifted{"terms of too many forms"};
      write(draft);
      return;
    }
    const auto with = [&](Draft next, Pattern value) {
      next.becomes.push_back(value);
      choose(std::move(next), used, whole);
    };
    const Domain domain = draft.domains[v];
    if (v < used.size() && !used[v]) return with(draft, Pattern::variable(v));
    // A flat variable represents constants only.
    if (domain.unbounded()) throw NotLifted{std::string(kGrowing)};
    if (v < whole.size() && whole[v]) {
      for (const std::uint32_t term : domain.constants()) with(draft, Pattern::ground(TermId(term)));
    } else if (!domain.constants().empty()) {
      with(draft, Pattern::variable(v));
    }
    for (const auto& [functor, parts] : domain.compounds()) {
      Draft next = draft;
      std::vector<Pattern> arguments;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        arguments.push_back(Pattern::variable(static_cast<std::uint32_t>(next.domains.size())));
        next.domains.push_back(parts[i]);
        next.names.push_back(
            program_.symbols.intern(program_.symbols.str(draft.names[v]) + "_" + std::to_string(i + 1)));
      }
      with(std::move(next), patterns_.make(functor.first, arguments));
    }
  }

  Pattern substitute(const Draft& draft, Pattern p) {
    return patterns_.substitute(p, [&](std::uint32_t v) {
      const Pattern to = draft.becomes[v];
      return to == Pattern::variable(v) ? to : substitute(draft, to);
    });
  }

  // --- Rules. ---
  void write(const Draft& draft) {
    EngineRule rule;
    rule.variables = static_cast<std::uint32_t>(draft.domains.size());
    rule.head = draft.rule->head;
    if (literal(draft, rule.head) == Truth::no) return;
    std::vector<std::vector<EngineLiteral>> tests;  // a conjunction of disjunctions
    for (const EngineLiteral& old : draft.rule->body) {
      EngineLiteral l = old;
      const bool test = !l.relation.valid() && l.kind == Kind::ordinary;
      if (test) {
        std::vector<EngineLiteral> any;
        const Truth truth = distinct(substitute(draft, l.arguments[0]), substitute(draft, l.arguments[1]), l, any);
        if (truth == Truth::no) return;
        if (truth == Truth::unknown) tests.push_back(std::move(any));
        continue;
      }
      const Truth truth = literal(draft, l);
      if (truth == Truth::no) return;
      if (truth == Truth::unknown) rule.body.push_back(std::move(l));
    }
    Rule& source = u_.source_like(*draft.rule->source, 0);
    source.variables = draft.names;
    rule.source = &source;
    add(std::move(rule), tests, 0);
  }

  void add(EngineRule rule, const std::vector<std::vector<EngineLiteral>>& tests, std::size_t at) {
    if (at == tests.size()) {
      made_.push_back(std::move(rule));
      return;
    }
    for (const EngineLiteral& test : tests[at]) {
      EngineRule next = rule.unplanned();
      next.body.push_back(test);
      add(std::move(next), tests, at + 1);
    }
  }

  // Decides whether two terms differ. If that is unknown, `any` gets the disjunction of tests.
  Truth distinct(Pattern a, Pattern b, const EngineLiteral& like, std::vector<EngineLiteral>& any) {
    if (a == b) return Truth::no;
    const bool simple_a = a.is_variable() || patterns_.arity(a) == 0;
    const bool simple_b = b.is_variable() || patterns_.arity(b) == 0;
    if (simple_a != simple_b || (a.is_ground() && b.is_ground())) return Truth::yes;
    if (simple_a) {
      EngineLiteral one = like;
      one.arguments = {a, b};
      any.push_back(std::move(one));
      return Truth::unknown;
    }
    if (patterns_.symbol(a) != patterns_.symbol(b) || patterns_.arity(a) != patterns_.arity(b)) return Truth::yes;
    for (std::uint32_t i = 0; i < patterns_.arity(a); ++i)
      if (distinct(patterns_.argument(a, i), patterns_.argument(b, i), like, any) == Truth::yes) return Truth::yes;
    return any.empty() ? Truth::no : Truth::unknown;
  }

  // --- Literals. ---
  // Decides whether a literal is always or never true. If that is unknown, `l` becomes the literal to test.
  Truth literal(const Draft& draft, EngineLiteral& l) {
    std::vector<Pattern> arguments;
    for (const Pattern p : l.arguments) arguments.push_back(substitute(draft, p));
    if (!l.relation.valid()) {
      const Pattern term = arguments.back();
      if (term.is_variable()) throw NotLifted{"a whole fact or move is a variable"};
      arguments.pop_back();
      for (std::uint32_t i = 0; i < patterns_.arity(term); ++i) arguments.push_back(patterns_.argument(term, i));
      l.relation = u_.engine().shape(l.kind, patterns_.symbol(term), patterns_.arity(term));
      u_.domains->add_relations();
    }
    // A role is never a compound term.
    if (l.kind == Kind::move && !simple(arguments[0])) return l.negated ? Truth::yes : Truth::no;
    const bool has_terms = std::ranges::any_of(arguments, [&](Pattern p) { return !simple(p); });
    if (!split(l.relation)) {
      l.arguments = std::move(arguments);
      if (!has_terms) return Truth::unknown;
      // No tuple of the relation has a compound term there.
      return l.negated ? Truth::yes : Truth::no;
    }
    std::string shape;
    l.arguments.clear();
    for (const Pattern p : arguments) spread(p, l.arguments, shape);
    l.relation = part(l.relation, shape, static_cast<std::uint32_t>(l.arguments.size()));
    return Truth::unknown;
  }

  [[nodiscard]] bool simple(Pattern p) const { return p.is_variable() || patterns_.arity(p) == 0; }

  // Some column can contain a compound term.
  bool split(RelId relation) {
    const auto [it, fresh] = split_.try_emplace(relation);
    if (!fresh) return it->second;
    bool found = false;
    for (std::uint32_t c = 0; c < u_.info(relation).tuples->arity(); ++c) {
      const Domain& column = u_.domains->column(relation, c);
      if (column.unbounded()) throw NotLifted{"columns without bound"};
      found = found || !column.compounds().empty();
    }
    return it->second = found;
  }

  void spread(Pattern p, std::vector<Pattern>& out, std::string& shape) const {
    if (simple(p)) {
      out.push_back(p);
      shape += kPlaceholder;
      return;
    }
    shape += '(' + program_.symbols.str(patterns_.symbol(p));
    for (std::uint32_t i = 0; i < patterns_.arity(p); ++i) {
      shape += ' ';
      spread(patterns_.argument(p, i), out, shape);
    }
    shape += ')';
  }

  // The relation for the tuples of this shape.
  RelId part(RelId relation, const std::string& shape, std::uint32_t arity) {
    if (!filled_.contains(relation)) fill(relation);
    const auto found = parts_.find({relation, shape});
    if (found != parts_.end()) return found->second;
    return make_part(relation, shape, arity);
  }

  RelId make_part(RelId relation, const std::string& shape, std::uint32_t arity) {
    const RelationInfo& info = u_.info(relation);
    const Kind kind = info.kind;
    std::string words;
    for (const char c : shape)
      if (c != kPlaceholder && c != ')') words += c == '(' || c == ' ' ? '_' : c;
    RelId id;
    if (kind == Kind::ordinary) {
      const Predicate& predicate = program_[info.predicate];
      if (predicate.keyword != Keyword::none && predicate.keyword != Keyword::auxiliary)
        throw NotLifted{"a goal is no number"};
      const SymbolId name = fresh_symbol(program_, program_.symbols.str(predicate.name) + words);
      id = u_.engine().ordinary(program_.predicate(name, arity, Keyword::none, predicate.where), info.dynamic);
    } else {
      const std::string functor = program_.symbols.str(info.functor);
      const std::uint32_t roles = kind == Kind::move ? 1 : 0;
      id = u_.engine().shape(kind, fresh_symbol(program_, functor + words), arity - roles);
      std::string form = functor;
      std::size_t depth = 0;
      std::size_t skip = roles;
      for (const char c : shape) {
        if (depth == 0 && skip > 0) {
          --skip;
          continue;
        }
        if (depth == 0) form += ' ';
        depth += c == '(' ? 1 : 0;
        depth -= c == ')' ? 1 : 0;
        form += c;
      }
      forms_[id] = form == functor ? functor : '(' + form + ')';
    }
    reached("lifted", "flatten");
    return parts_[{relation, shape}] = id;
  }

  // Distributes the known tuples over the parts.
  void fill(RelId relation) {
    filled_.insert(relation);
    const std::uint32_t rows = u_.info(relation).tuples->size();
    if (rows > kLiftedLimits.flat_rows) throw NotLifted{"too many tuples with terms inside"};
    for (std::uint32_t row = 0; row < rows; ++row) {
      const Relation& tuples = *u_.info(relation).tuples;
      std::vector<Pattern> arguments;
      std::string shape;
      for (std::uint32_t c = 0; c < tuples.arity(); ++c)
        spread(Pattern::ground(TermId(tuples.row(row)[c])), arguments, shape);
      const auto found = parts_.find({relation, shape});
      const RelId id = found != parts_.end() ? found->second
                                             : make_part(relation, shape, static_cast<std::uint32_t>(arguments.size()));
      std::vector<std::uint32_t> tuple;
      for (const Pattern p : arguments) tuple.push_back(p.term().value);
      u_.engine().insert(id, tuple.data());
    }
  }

  Program& program_;
  Patterns& patterns_;
  Unground& u_;
  std::size_t variants_ = 0;
  std::vector<EngineRule> made_;
  std::map<RelId, bool> split_;
  std::set<RelId> filled_;
  std::map<std::pair<RelId, std::string>, RelId> parts_;
  Forms forms_;
};

}  // namespace

SymbolId fresh_symbol(Program& program, const std::string& wish) {
  std::string name = wish;
  for (std::size_t n = 2; program.symbols.find(name).valid(); ++n) name = wish + "_" + std::to_string(n);
  return program.symbols.intern(name);
}

std::string form_of(const Program& program, const RelationInfo& info, RelId relation, const Forms& forms) {
  if (const auto found = forms.find(relation); found != forms.end()) return found->second;
  std::string form = program.symbols.str(info.functor);
  const std::uint32_t first = info.kind == Kind::move ? 1 : 0;
  for (std::uint32_t c = first; c < info.tuples->arity(); ++c) (form += ' ') += kPlaceholder;
  return info.tuples->arity() > first ? "(" + form + ")" : form;
}

Forms flatten(Program& program, Unground& unground) {
  if (!unground.domains->usable() || !unground.domains->complete()) return {};
  Flattener flattener(program, unground);
  if (!flattener.needed()) return {};
  return flattener.run();
}

}  // namespace rgtrans::gdl::lifted
