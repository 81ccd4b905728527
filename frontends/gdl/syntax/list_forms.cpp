// Three rewritings. Each preserves the extension of all other relations:
//
// * Unfold a relation that is mutually recursive with a walk.
//     (path ?d (cons ?d ?l)) <= (on ?d ?l) …            (on ?d ?l) <= (path ?c ?l) (adjacent ?c ?d)
//
// * Split a column whose terms all have one functor into columns for the arguments, a list into its first element
//   and its tail.
//     (path (cons ?c ?l))                               (path' ?c ?l)
//
// * Merge a walk with a recursive reader of its list, if the reader has one rule per form of a list.
//     wins <= (path ?c ?l) (own ?l)                     wins <= (path' ?c ?l)
//     (own nil)
//     (own (cons ?c ?l)) <= (mine ?c) (own ?l)
//
//   The merged relation gets the rule
//     (path' ?d (cons ?d ?l)) <= (path' ?c ?l) (adjacent ?c ?d) (mine ?d)
#include "frontends/gdl/syntax/list_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/substitution.hpp"

namespace rgtrans::gdl {

namespace {

class Forms {
 public:
  explicit Forms(const Program& program) : given_(program), component_(program.components()) {}

  std::vector<Program> run() {
    std::vector<Program> result;
    const auto add = [&](std::optional<Program> made) {
      if (made) result.push_back(std::move(*made));
    };
    add(unfold());
    std::set<Functor> functors;
    std::set<std::pair<PredId, PredId>> readers;
    for (const Rule& rule : given_.rules) {
      for (const Pattern p : rule.head.arguments)
        if (p.is_compound() && ordinary(given_, rule.head.predicate))
          functors.emplace(given_.patterns.symbol(p), given_.patterns.arity(p));
      for (const Literal& walk : rule.body)
        for (const Literal& reader : rule.body)
          if (reads(rule, walk, reader)) readers.insert({walk.predicate, reader.predicate});
    }
    for (const Functor& functor : functors) add(expand(functor));
    for (const auto& [walk, reader] : readers) add(merge(walk, reader));
    return result;
  }

 private:
  [[nodiscard]] static bool ordinary(const Program& p, PredId id) {
    return p[id].keyword == Keyword::none || p[id].keyword == Keyword::auxiliary;
  }
  [[nodiscard]] bool asks_itself(const Rule& rule) const {
    return std::ranges::any_of(rule.body, [&](const Literal& l) { return l.predicate == rule.head.predicate; });
  }
  [[nodiscard]] bool together(PredId a, PredId b) const { return component_[a.value] == component_[b.value]; }
  [[nodiscard]] std::vector<const Rule*> rules_of(PredId relation) const {
    std::vector<const Rule*> result;
    for (const Rule& rule : given_.rules)
      if (rule.head.predicate == relation) result.push_back(&rule);
    return result;
  }
  // A recursive relation of the description.
  [[nodiscard]] bool grows(PredId relation) const {
    return ordinary(given_, relation) && std::ranges::any_of(rules_of(relation), [&](const Rule* rule) {
             return std::ranges::any_of(rule->body, [&](const Literal& l) { return together(l.predicate, relation); });
           });
  }
  [[nodiscard]] bool has_facts(PredId relation) const {
    return std::ranges::any_of(given_.facts, [&](const Fact& fact) { return fact.predicate == relation; });
  }

  // Resolvent: `rule` with one literal replaced by the body of `by`.
  static std::optional<Rule> replaced(Program& p, const Rule& rule, std::size_t literal, const Rule& by) {
    const auto first = static_cast<std::uint32_t>(rule.variables.size());
    Rule made;
    made.where = rule.where;
    made.variables = rule.variables;
    made.variables.insert(made.variables.end(), by.variables.begin(), by.variables.end());
    const auto moved = [&](Literal l) {
      for (Pattern& a : l.arguments)
        a = p.patterns.substitute(a, [&](std::uint32_t v) { return Pattern::variable(v + first); });
      return l;
    };
    Substitution unifier(p.patterns, made.variables.size());
    const Literal head = moved(by.head);
    for (std::size_t c = 0; c < head.arguments.size(); ++c)
      if (!unifier.unify(rule.body[literal].arguments[c], head.arguments[c])) return std::nullopt;
    made.head = unifier.apply(rule.head);
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      if (i != literal) made.body.push_back(unifier.apply(rule.body[i]));
      if (i != literal) continue;
      for (const Literal& l : by.body) made.body.push_back(unifier.apply(moved(l)));
    }
    return made;
  }

  // Unfolds the relations that are mutually recursive with a walk.
  std::optional<Program> unfold() {
    Program p = given_;
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t r = 0; r < p.rules.size() && !again; ++r) {
        const Rule rule = p.rules[r];
        if (!ordinary(p, rule.head.predicate)) continue;
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
          const Literal& l = rule.body[i];
          if (l.negated || l.predicate == rule.head.predicate || l.predicate.value >= component_.size()) continue;
          if (!together(l.predicate, rule.head.predicate) || has_facts(l.predicate)) continue;
          const auto by = rules_of(l.predicate);
          if (by.size() > 4 || std::ranges::any_of(by, [&](const Rule* other) { return asks_itself(*other); }))
            continue;
          p.rules.erase(p.rules.begin() + static_cast<std::ptrdiff_t>(r));
          for (const Rule* other : by)
            if (auto made = replaced(p, rule, i, *other)) p.rules.push_back(std::move(*made));
          changed = again = true;
          break;
        }
      }
      if (p.rules.size() > given_.rules.size() + kListLimits.rules) return std::nullopt;
    }
    return changed ? std::optional(std::move(p)) : std::nullopt;
  }

  static PredId make(Program& p, PredId like, std::uint32_t arity, std::string_view what) {
    std::string name = fmt::format("#{}_{}", p.symbols.text(p[like].name), what);
    while (p.symbols.find(name).valid()) name += '#';
    const PredId made = p.predicate(p.symbols.intern(name), arity, Keyword::none, p[like].where);
    p.predicates[made.value].defined = true;
    return made;
  }

  // --- Columns for the arguments of a term. ---
  using Functor = std::pair<SymbolId, std::uint32_t>;
  using Marks = std::vector<std::vector<bool>>;  // by relation and column

  static bool is(const Program& p, Pattern pattern, Functor functor) {
    return !pattern.is_variable() && Functor(p.patterns.symbol(pattern), p.patterns.arity(pattern)) == functor;
  }

  // The columns that hold only terms of the functor: the greatest fixpoint over the rules that pass values between
  // columns.
  [[nodiscard]] Marks holding(Functor functor) const {
    Marks marks(given_.predicates.size());
    for (std::uint32_t p = 0; p < marks.size(); ++p)
      marks[p].assign(given_.predicates[p].arity, ordinary(given_, PredId(p)) && given_.predicates[p].defined);
    const auto given = [&](const Rule& rule, Pattern variable) {
      return std::ranges::any_of(rule.body, [&](const Literal& l) {
        for (std::uint32_t c = 0; c < l.arguments.size(); ++c)
          if (!l.negated && l.arguments[c] == variable && marks[l.predicate.value][c]) return true;
        return false;
      });
    };
    for (bool again = true; again;) {
      again = false;
      const auto check = [&](PredId relation, std::uint32_t column, auto&& holds) {
        const bool mark = marks[relation.value][column];
        if (!mark || holds()) return;
        marks[relation.value][column] = false;
        again = true;
      };
      for (const Rule& rule : given_.rules) {
        for (std::uint32_t c = 0; c < rule.head.arguments.size(); ++c) {
          const Pattern p = rule.head.arguments[c];
          check(rule.head.predicate, c, [&] { return p.is_variable() ? given(rule, p) : is(given_, p, functor); });
        }
      }
      for (const Fact& fact : given_.facts) {
        const auto terms = given_.arguments(fact);
        for (std::uint32_t c = 0; c < terms.size(); ++c)
          check(fact.predicate, c, [&] { return is(given_, Pattern::ground(terms[c]), functor); });
      }
    }
    return marks;
  }

  std::optional<Program> expand(Functor functor) {
    const Marks marks = holding(functor);
    Program p = given_;
    std::map<PredId, PredId> made;
    for (std::uint32_t id = 0; id < marks.size(); ++id) {
      const auto count = static_cast<std::uint32_t>(std::ranges::count(marks[id], true));
      if (count == 0) continue;
      const PredId old(id);
      made.emplace(old, make(p, old, p[old].arity + count * (functor.second - 1), "parts"));
    }
    if (made.empty()) return std::nullopt;
    for (Rule& rule : p.rules)
      if (!expand(p, rule, functor, marks, made)) return std::nullopt;
    for (Fact& fact : p.facts) {
      const auto found = made.find(fact.predicate);
      if (found == made.end()) continue;
      std::vector<TermId> terms;
      for (std::uint32_t c = 0; c < p[fact.predicate].arity; ++c) {
        const TermId term = p.arguments(fact)[c];
        if (!marks[fact.predicate.value][c]) terms.push_back(term);
        if (marks[fact.predicate.value][c])
          for (const TermId argument : p.patterns.terms.arguments(term)) terms.push_back(argument);
      }
      fact = {found->second, static_cast<std::uint32_t>(p.fact_arguments.size()), fact.where};
      p.fact_arguments.insert(p.fact_arguments.end(), terms.begin(), terms.end());
    }
    return p;
  }

  // False if the rule needs a tuple that no rule derives.
  static bool expand(Program& p, Rule& rule, Functor functor, const Marks& marks,
                     const std::map<PredId, PredId>& made) {
    const auto marked = [&](const Literal& l, std::uint32_t c) {
      return l.predicate.value < marks.size() && c < marks[l.predicate.value].size() && marks[l.predicate.value][c];
    };
    // Variables of marked columns in the head and in positive literals are replaced by terms. A variable of negated
    // literals alone stays, because testing the literal for further terms changes nothing.
    const auto open = [&](const Literal& l) -> std::optional<std::uint32_t> {
      if (l.negated) return std::nullopt;
      for (std::uint32_t c = 0; c < l.arguments.size(); ++c)
        if (marked(l, c) && l.arguments[c].is_variable()) return l.arguments[c].number();
      return std::nullopt;
    };
    const auto open_of_rule = [&] {
      std::optional<std::uint32_t> found = open(rule.head);
      for (const Literal& l : rule.body)
        if (!found) found = open(l);
      return found;
    };
    while (const auto variable = open_of_rule()) {
      std::vector<Pattern> parts;
      for (std::uint32_t a = 0; a < functor.second; ++a) {
        parts.push_back(Pattern::variable(static_cast<std::uint32_t>(rule.variables.size())));
        rule.variables.push_back(
            p.symbols.intern(fmt::format("{}_{}", p.symbols.str(rule.variables[*variable]), a + 1)));
      }
      const Pattern whole = p.patterns.make(functor.first, parts);
      const auto set = [&](Literal& l) {
        for (Pattern& a : l.arguments)
          a = p.patterns.substitute(a, [&](std::uint32_t v) { return v == *variable ? whole : Pattern::variable(v); });
      };
      set(rule.head);
      std::ranges::for_each(rule.body, set);
    }
    const auto spread = [&](Literal& l) {
      const auto found = made.find(l.predicate);
      if (found == made.end()) return true;
      std::vector<Pattern> arguments;
      for (std::uint32_t c = 0; c < l.arguments.size(); ++c) {
        if (!marked(l, c)) {
          arguments.push_back(l.arguments[c]);
          continue;
        }
        if (!is(p, l.arguments[c], functor)) return false;
        for (std::uint32_t i = 0; i < functor.second; ++i) arguments.push_back(p.patterns.argument(l.arguments[c], i));
      }
      l.predicate = found->second;
      l.arguments = std::move(arguments);
      return true;
    };
    return spread(rule.head) && std::ranges::all_of(rule.body, spread);
  }

  // Both literals are recursive relations, and they share a variable: the list of the walk.
  [[nodiscard]] bool reads(const Rule& rule, const Literal& walk, const Literal& reader) const {
    if (&walk == &reader || walk.negated || reader.negated || !ordinary(given_, walk.predicate) ||
        !ordinary(given_, reader.predicate) || together(walk.predicate, reader.predicate) || !grows(walk.predicate) ||
        !grows(reader.predicate) || rule.head.predicate == walk.predicate || rule.head.predicate == reader.predicate)
      return false;
    return list_of(walk, reader).has_value();
  }
  [[nodiscard]] static std::optional<std::pair<std::uint32_t, std::uint32_t>> list_of(const Literal& walk,
                                                                                      const Literal& reader) {
    for (std::uint32_t c = 0; c < walk.arguments.size(); ++c)
      for (std::uint32_t d = 0; d < reader.arguments.size(); ++d)
        if (walk.arguments[c].is_variable() && walk.arguments[c] == reader.arguments[d]) return std::pair(c, d);
    return std::nullopt;
  }

  // Unfolds the walk, then the reader, and folds the result into the merged relation.
  std::optional<Program> merge(PredId walk, PredId reader) {
    if (has_facts(walk)) return std::nullopt;
    Program p = given_;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> columns;
    const std::uint32_t arity = p[walk].arity, more = p[reader].arity - 1;
    const PredId made = make(p, walk, arity + more, "with");
    const auto joined = [&](const Literal& of, const Literal& with) {
      Literal result = of;
      result.predicate = made;
      for (std::uint32_t c = 0; c < with.arguments.size(); ++c)
        if (c != columns->second) result.arguments.push_back(with.arguments[c]);
      return result;
    };
    // Replaces each pair of walk and reader in a body.
    for (Rule& rule : p.rules) {
      for (std::size_t i = 0; i < rule.body.size(); ++i) {
        for (std::size_t j = 0; j < rule.body.size(); ++j) {
          if (i >= rule.body.size() || rule.body[i].predicate != walk || rule.body[j].predicate != reader) continue;
          if (!reads(rule, rule.body[i], rule.body[j])) continue;
          const auto found = list_of(rule.body[i], rule.body[j]);
          if (columns && columns != found) return std::nullopt;
          columns = found;
          rule.body[i] = joined(rule.body[i], rule.body[j]);
          rule.body.erase(rule.body.begin() + static_cast<std::ptrdiff_t>(j));
          break;
        }
      }
    }
    if (!columns) return std::nullopt;
    // The rules of the reader; its facts become rules without a body.
    std::vector<Rule> readers;
    for (const Rule* rule : rules_of(reader)) readers.push_back(*rule);
    for (const Fact& fact : given_.facts) {
      if (fact.predicate != reader) continue;
      Rule& rule = readers.emplace_back();
      rule.head = {reader, false, {}, fact.where};
      for (const TermId term : given_.arguments(fact)) rule.head.arguments.push_back(Pattern::ground(term));
    }
    for (const Rule* rule : rules_of(walk)) {
      Rule whole = *rule;
      Literal asks{reader, false, std::vector<Pattern>(more + 1), rule->where};
      for (std::uint32_t c = 0; c <= more; ++c) {
        if (c == columns->second) {
          asks.arguments[c] = rule->head.arguments[columns->first];
          continue;
        }
        asks.arguments[c] = Pattern::variable(static_cast<std::uint32_t>(whole.variables.size()));
        whole.variables.push_back(p.symbols.intern(fmt::format("?with_{}", c + 1)));
      }
      whole.head = joined(rule->head, asks);
      whole.body.push_back(asks);
      auto unfolded = read(p, whole, readers, reader, columns->second);
      if (!unfolded || !fold(*unfolded, walk, reader, *columns, joined)) return std::nullopt;
      p.rules.push_back(std::move(*unfolded));
    }
    return p;
  }

  // Unfolds readers whose list argument is partly known. Exactly one rule must match each.
  static std::optional<Rule> read(Program& p, Rule rule, const std::vector<Rule>& readers, PredId reader,
                                  std::uint32_t column) {
    for (std::size_t round = 0; round < 10; ++round) {
      const auto found = std::ranges::find_if(rule.body, [&](const Literal& l) {
        return l.predicate == reader && !l.negated && !l.arguments[column].is_variable();
      });
      if (found == rule.body.end()) return rule;
      std::optional<Rule> made;
      for (const Rule& by : readers) {
        auto next = replaced(p, rule, static_cast<std::size_t>(found - rule.body.begin()), by);
        if (next && made) return std::nullopt;
        if (next) made = std::move(next);
      }
      if (!made) return std::nullopt;
      rule = std::move(*made);
    }
    return std::nullopt;
  }

  // Folds the walk and the reader of its list into one literal.
  template <class Joined>
  static bool fold(Rule& rule, PredId walk, PredId reader, std::pair<std::uint32_t, std::uint32_t> columns,
                   Joined&& joined) {
    const auto with = std::ranges::find(rule.body, reader, &Literal::predicate);
    const auto of = std::ranges::find(rule.body, walk, &Literal::predicate);
    if (of == rule.body.end()) return with == rule.body.end();
    if (with == rule.body.end() || with->arguments[columns.second] != of->arguments[columns.first]) return false;
    *of = joined(*of, *with);
    rule.body.erase(with);
    return std::ranges::none_of(rule.body,
                                [&](const Literal& l) { return l.predicate == walk || l.predicate == reader; });
  }

  const Program& given_;
  std::vector<std::uint32_t> component_;
};

}  // namespace

std::vector<Program> other_forms(const Program& program) { return Forms(program).run(); }

}  // namespace rgtrans::gdl
