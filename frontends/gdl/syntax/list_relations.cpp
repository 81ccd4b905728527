// The lists of a walk grow by one element at a time, so an induction over the list has two cases:
//
//   (<= (absent ?c nil) (cell ?c))                                            base: the initial list
//   (<= (absent ?c (cons ?d ?rest)) (absent ?c ?rest) (distinct ?c ?d))       step: one more element
//
// The rules for the step must cover all ways in which ?c can differ from ?d. An element with several parts may have a
// rule for each part. The caller must prove the other conditions, which are returned by their subject: columns,
// elements, or both.
#include "frontends/gdl/syntax/list_relations.hpp"

#include <algorithm>
#include <map>

#include "core/support/sorted.hpp"

namespace rgtrans::gdl {

// One rule of a relation on lists, as a case of the induction.
struct ListRelations::Case {
  std::map<std::uint32_t, std::uint32_t> formal, leaf;  // variable -> its column; variable -> its part of the element
  ListParts list;
  Element shape;                                          // of the element
  std::vector<std::optional<std::uint32_t>> column;       // by leaf: the column compared with it
  std::set<std::size_t> equal, different;                 // leaves
  std::vector<std::set<std::size_t>> different_together;  // at least one leaf of each set differs
  bool recursive = false;
  std::vector<Literal> needed, of_elements, of_both;

  [[nodiscard]] bool fits(std::size_t differing) const {
    const auto differs = [&](std::size_t leaf) { return (differing >> leaf & 1U) != 0; };
    return std::ranges::all_of(different, differs) && std::ranges::none_of(equal, differs) &&
           std::ranges::all_of(different_together, [&](const auto& any) { return std::ranges::any_of(any, differs); });
  }
};

ListRelations::ListRelations(Program& program, WalkLists lists) : p_(program), lists_(std::move(lists)) {
  for (const Fact& fact : p_.facts) {
    Rule& rule = facts_.emplace_back();
    rule.where = fact.where;
    rule.head = {fact.predicate, false, {}, fact.where};
    for (const TermId term : p_.arguments(fact)) rule.head.arguments.push_back(Pattern::ground(term));
  }
}

// --- Relations that hold for everything else. ---

Literal ListRelations::renamed(const Case& made, const Literal& literal) {
  Literal result = literal;
  for (Pattern& p : result.arguments)
    p = p_.patterns.substitute(p, [&](std::uint32_t v) {
      if (const auto found = made.formal.find(v); found != made.formal.end()) return Pattern::variable(found->second);
      if (const auto found = made.leaf.find(v); found != made.leaf.end())
        return Pattern::variable(kLeaf + found->second);
      return Pattern::variable(kOther + v);
    });
  return result;
}

bool ListRelations::contains(const std::vector<Literal>& literals, const Literal& literal) const {
  return std::ranges::any_of(literals, [&](const Literal& other) {
    return other.predicate == literal.predicate && other.negated == literal.negated &&
           same(p_.patterns, other.arguments, literal.arguments);
  });
}

void ListRelations::add(std::vector<Literal>& to, const std::vector<Literal>& more) const {
  for (const Literal& literal : more)
    if (!contains(to, literal)) to.push_back(literal);
}

// Reads `(distinct ?c ?d)` or `(distinct (pos ?x ?y) (pos ?x2 ?y2))` between columns and parts of the element.
bool ListRelations::take_difference(Case& made, const Literal& literal) {
  std::set<std::size_t> leaves;
  const auto pair = [&](Pattern a, Pattern b) {
    if (!a.is_variable() || !b.is_variable()) return false;
    if (!made.formal.contains(a.number())) std::swap(a, b);
    const auto formal = made.formal.find(a.number());
    const auto leaf = made.leaf.find(b.number());
    if (formal == made.formal.end() || leaf == made.leaf.end() || made.formal.contains(b.number())) return false;
    auto& column = made.column[leaf->second];
    if (column && *column != formal->second) return false;
    column = formal->second;
    leaves.insert(leaf->second);
    return true;
  };
  const Pattern a = literal.arguments[0], b = literal.arguments[1];
  if (a.is_variable() || b.is_variable()) {
    if (!pair(a, b)) return false;
    made.different.insert(leaves.begin(), leaves.end());
    return true;
  }
  if (p_.patterns.symbol(a) != p_.patterns.symbol(b) || p_.patterns.arity(a) != p_.patterns.arity(b)) return false;
  for (std::uint32_t i = 0; i < p_.patterns.arity(a); ++i)
    if (!pair(p_.patterns.argument(a, i), p_.patterns.argument(b, i))) return false;
  made.different_together.push_back(std::move(leaves));
  return true;
}

// The literal only requires a tuple of the walk with the list of the head, and constrains its element alone.
bool ListRelations::is_of_walk(const Rule& rule, const Literal& literal, const Element& element) {
  if (!lists_.each) return false;
  Element own;
  std::set<std::uint32_t> used;
  for (const Pattern p : lists_.element) {
    own.push_back(p_.patterns.substitute(p, [&](std::uint32_t c) { return literal.arguments[c]; }));
    p_.patterns.for_each_variable(p, [&](std::uint32_t c) { used.insert(c); });
  }
  const bool named = lists_.newest && !element.empty() && same(p_.patterns, own, element);
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    if (c == lists_.column || (named && used.contains(c))) continue;
    const Pattern p = literal.arguments[c];
    if (!p.is_variable() || mentions(p_.patterns, rule.head, p.number())) return false;
    std::size_t occurrences = 0;
    for (const Literal& l : rule.body)
      for (const Pattern argument : l.arguments)
        p_.patterns.for_each_variable(argument, [&](std::uint32_t v) { occurrences += v == p.number() ? 1 : 0; });
    if (occurrences > 1) return false;
  }
  return true;
}

// A condition on the list or on its tail.
bool ListRelations::take_list(Case& made, const Rule& rule, std::uint32_t column, const Literal& literal,
                              std::uint32_t at) {
  const ListParts asked = parts(literal.arguments[at]);
  if (!ends_like(made.list, asked)) return false;
  const bool shorter = asked.elements.size() < made.list.elements.size();
  if (literal.predicate == lists_.walk)
    return !literal.negated && at == lists_.column && !shorter &&
           is_of_walk(rule, literal, made.list.elements.empty() ? Element() : made.list.elements[0]);
  if (!literal.negated && literal.predicate == rule.head.predicate && at == column && shorter) {
    made.recursive = true;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
      if (c != at && !same(p_.patterns, literal.arguments[c], rule.head.arguments[c])) return false;
    return true;
  }
  std::optional<Compared> compared;
  if (literal.negated) {
    compared = only_elements(literal.predicate, at);
    if (!compared) return false;
  } else {
    const auto inner = holds_outside(literal.predicate, at);
    if (!inner || !take_conditions(made, literal, *inner)) return false;
    compared = inner->compared;
  }
  if (!compared) return true;
  Element other;
  for (const Pattern p : compared->shape)
    other.push_back(
        p_.patterns.substitute(p, [&](std::uint32_t v) { return literal.arguments[compared->columns[v]]; }));
  return take_compared(made, rule, column, other, shorter);
}

// Inherits the conditions of another relation on the same list.
bool ListRelations::take_conditions(Case& made, const Literal& literal, const Holds& inner) {
  if (!inner.of_both.empty()) return false;
  if (made.shape.empty()) made.shape = inner.shape;
  if (!inner.shape.empty() && !same(p_.patterns, made.shape, inner.shape)) return false;
  add(made.of_elements, inner.of_elements);
  for (Literal condition : inner.needed) {
    for (Pattern& p : condition.arguments)
      p = p_.patterns.substitute(
          p, [&](std::uint32_t v) { return v < kLeaf ? literal.arguments[v] : Pattern::variable(v); });
    take_condition(made, condition);
  }
  return true;
}

// Excludes an element from the list or its tail: the element that this relation is about, or the first element of the
// list.
bool ListRelations::take_compared(Case& made, const Rule& rule, std::uint32_t column, const Element& other,
                                  bool shorter) {
  if (shorter && same(p_.patterns, other, made.list.elements[0])) return lists_.different;
  const auto own = compared_in(rule.head, column, other);
  if (!own || own->columns.empty()) return false;  // nothing is known about constants
  if (made.column.empty() && (made.shape.empty() || same(p_.patterns, own->shape, made.shape))) {
    made.shape = own->shape;
    made.column.assign(own->columns.begin(), own->columns.end());
    return true;
  }
  if (!same(p_.patterns, own->shape, made.shape)) return false;
  for (std::size_t i = 0; i < made.column.size(); ++i) {
    if (made.column[i] && *made.column[i] != own->columns[i]) return false;
    made.column[i] = own->columns[i];
  }
  return true;
}

// Files a condition under its subject: columns, the element, or both.
void ListRelations::take_condition(Case& made, const Literal& literal) {
  bool formal = false, leaf = false;
  for (const Pattern p : literal.arguments)
    p_.patterns.for_each_variable(p, [&](std::uint32_t v) {
      formal = formal || made.formal.contains(v);
      leaf = leaf || (made.leaf.contains(v) && !made.formal.contains(v));
    });
  (leaf ? formal ? made.of_both : made.of_elements : made.needed).push_back(renamed(made, literal));
}

bool ListRelations::take(Case& made, const Rule& rule, std::uint32_t column, const Literal& literal) {
  if (p_[literal.predicate].keyword == Keyword::distinct) return !literal.negated && take_difference(made, literal);
  if (made.list.rest.is_variable() && mentions(p_.patterns, literal, made.list.rest.number())) {
    const auto at = list_column(literal, made.list.rest);
    return at && take_list(made, rule, column, literal, *at);
  }
  if (literal.negated) return false;
  take_condition(made, literal);
  return true;
}

// The rule as a case of the induction; nullopt if it has another form.
std::optional<ListRelations::Case> ListRelations::case_of(const Rule& rule, std::uint32_t column) {
  Case made;
  made.list = parts(rule.head.arguments[column]);
  if (made.list.elements.size() > 1 || made.list.rest.is_compound()) return std::nullopt;
  for (std::uint32_t c = 0; c < rule.head.arguments.size(); ++c) {
    if (c == column) continue;
    const Pattern p = rule.head.arguments[c];
    if (!p.is_variable() || !made.formal.try_emplace(p.number(), c).second) return std::nullopt;
  }
  if (made.list.rest.is_variable() && made.formal.contains(made.list.rest.number())) return std::nullopt;
  if (!made.list.elements.empty()) {
    std::vector<std::uint32_t> variables;
    variables_of(p_.patterns, made.list.elements[0], variables);
    for (const std::uint32_t v : variables) {
      const auto number = static_cast<std::uint32_t>(made.leaf.size());
      if (!made.leaf.try_emplace(v, number).second) return std::nullopt;
      made.column.emplace_back();
      if (const auto formal = made.formal.find(v); formal != made.formal.end()) {
        made.equal.insert(number);
        made.column.back() = formal->second;
      }
    }
    if (variables.size() > ListRelations::kMaxLeaves) return std::nullopt;
    for (const Pattern p : made.list.elements[0])
      made.shape.push_back(
          p_.patterns.substitute(p, [&](std::uint32_t v) { return Pattern::variable(made.leaf.at(v)); }));
  }
  for (const Literal& literal : rule.body)
    if (!take(made, rule, column, literal)) return std::nullopt;
  compare_by_relation(made);
  if (!parts_are_free(made)) return std::nullopt;
  return made;
}

// The caller proves conditions one by one, so no two may share a variable that the rule leaves open.
bool ListRelations::parts_are_free(const Case& made) const {
  std::set<std::uint32_t> seen;
  for (const auto* literals : {&made.needed, &made.of_elements, &made.of_both}) {
    for (const Literal& literal : *literals) {
      std::vector<std::uint32_t> variables;
      variables_of(p_.patterns, literal.arguments, variables);
      std::erase_if(variables, [](std::uint32_t v) { return v < kOther; });
      const std::size_t count = variables.size();
      sort_unique(variables);
      if (variables.size() < count) return false;
      for (const std::uint32_t v : variables)
        if (!seen.insert(v).second) return false;
    }
  }
  return true;
}

// If a relation `(other ?c ?d)` expresses the difference, the order of its arguments determines the compared columns.
// The caller must prove that it holds for all different pairs.
void ListRelations::compare_by_relation(Case& made) const {
  const auto set = [](const auto& column) { return column.has_value(); };
  if (made.of_both.empty() || std::ranges::any_of(made.column, set)) return;
  std::vector<std::uint32_t> columns, leaves;
  variables_of(p_.patterns, made.of_both[0].arguments, columns);
  std::ranges::copy_if(columns, std::back_inserter(leaves), [](std::uint32_t v) { return v >= kLeaf && v < kOther; });
  std::erase_if(columns, [](std::uint32_t v) { return v >= kLeaf; });
  if (columns.size() != leaves.size() || leaves.size() != made.column.size()) return;
  for (std::size_t i = 0; i < leaves.size(); ++i) made.column[leaves[i] - kLeaf] = columns[i];
}

// Literals that every derivation of the relation uses.
std::vector<Literal> ListRelations::implied_by(PredId relation, std::uint32_t column) {
  std::optional<std::vector<Literal>> result;
  for (const Rule* rule : rules_of(relation)) {
    Case plain;
    for (std::uint32_t c = 0; c < rule->head.arguments.size(); ++c)
      if (const Pattern p = rule->head.arguments[c]; c != column && p.is_variable())
        plain.formal.try_emplace(p.number(), c);
    const bool asks_itself = std::ranges::any_of(rule->body, [&](const Literal& literal) {
      if (literal.predicate != relation || literal.negated) return false;
      for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
        if (c != column && !same(p_.patterns, literal.arguments[c], rule->head.arguments[c])) return false;
      return true;
    });
    if (asks_itself) continue;
    std::vector<Literal> own;
    for (const Literal& literal : rule->body) {
      bool about_formals = !literal.negated && p_[literal.predicate].keyword != Keyword::distinct;
      for (const Pattern p : literal.arguments)
        p_.patterns.for_each_variable(
            p, [&](std::uint32_t v) { about_formals = about_formals && plain.formal.contains(v); });
      if (about_formals) own.push_back(renamed(plain, literal));
    }
    if (!result) {
      result = own;
    } else {
      std::erase_if(*result, [&](const Literal& literal) { return !contains(own, literal); });
    }
  }
  return result.value_or(std::vector<Literal>());
}

// Tests that the cases together cover all ways to differ from one more element, and returns the cases that do.
bool ListRelations::cover(const std::vector<const Case*>& cases, std::vector<Case>& used) const {
  if (cases.empty()) return false;
  const auto plain = std::ranges::find_if(
      cases, [](const Case* c) { return c->equal.empty() && c->different.empty() && c->different_together.empty(); });
  if (plain != cases.end()) {
    used.push_back(**plain);
    return true;
  }
  const std::size_t leaves = cases[0]->column.size();
  for (const Case* c : cases)
    if (c->column.size() != leaves || !same(p_.patterns, c->shape, cases[0]->shape)) return false;
  for (std::size_t differing = 1; differing < std::size_t{1} << leaves; ++differing)
    if (std::ranges::none_of(cases, [&](const Case* c) { return c->fits(differing); })) return false;
  for (const Case* c : cases) used.push_back(*c);
  return true;
}

// Collects the conditions of all cases and the compared columns.
bool ListRelations::collect(const std::vector<Case>& used, Holds& result) const {
  for (const Case& c : used) {
    add(result.needed, c.needed);
    add(result.of_elements, c.of_elements);
    add(result.of_both, c.of_both);
    if (result.shape.empty()) result.shape = c.shape;
    if (!c.shape.empty() && !same(p_.patterns, result.shape, c.shape)) return false;
    if (std::ranges::none_of(c.column, [](const auto& column) { return column.has_value(); })) continue;
    Compared compared{c.shape, {}};
    for (std::size_t leaf = 0; leaf < c.column.size(); ++leaf) {
      // Another rule may compare the part that this one omits.
      std::optional<std::uint32_t> at = c.column[leaf];
      for (const Case& other : used)
        if (!at && leaf < other.column.size()) at = other.column[leaf];
      if (!at) return false;
      compared.columns.push_back(*at);
    }
    if (!unite(result.compared, compared)) return false;
  }
  return true;
}

std::optional<ListRelations::Holds> ListRelations::holds_outside(PredId relation, std::uint32_t column) {
  if (p_[relation].keyword != Keyword::none && p_[relation].keyword != Keyword::auxiliary) return std::nullopt;
  if (!open_.insert({relation, column}).second) return std::nullopt;
  std::vector<Case> starts, longer;
  for (const Rule* rule : rules_of(relation)) {
    auto made = case_of(*rule, column);
    if (made) (made->list.rest.is_variable() ? longer : starts).push_back(std::move(*made));
  }
  open_.erase({relation, column});
  std::vector<Case> used;
  const auto any_list = std::ranges::find_if(longer, [](const Case& c) { return c.list.elements.empty(); });
  if (any_list != longer.end()) {
    used.push_back(*any_list);  // it delegates to other relations on the list
  } else {
    std::vector<const Case*> all;
    for (const Case& c : longer) all.push_back(&c);
    if (!cover(all, used)) return std::nullopt;
    for (const auto& start : lists_.starts) {
      const std::size_t count = start.first;
      const Pattern rest = start.second;
      const auto begins = [&](std::size_t elements) {
        std::vector<const Case*> cases;
        for (const Case& c : starts)
          if (c.list.rest == rest && c.list.elements.size() == elements) cases.push_back(&c);
        if (elements > 0) return cover(cases, used);
        if (!cases.empty()) used.push_back(*cases[0]);
        return !cases.empty();
      };
      if (!begins(0) && (count == 0 || !begins(1))) return std::nullopt;
    }
  }
  Holds result;
  if (!collect(used, result)) return std::nullopt;
  result.implied = implied_by(relation, column);
  return result;
}

std::optional<ListRelations::Holds> ListRelations::holds_for_elements(PredId relation, std::uint32_t column) {
  if (!open_.insert({relation, column}).second) return std::nullopt;
  std::vector<Case> here, behind;
  for (const Rule* rule : rules_of(relation)) {
    auto made = case_of(*rule, column);
    if (!made || !made->list.rest.is_variable() || made->list.elements.empty()) continue;
    (made->recursive ? behind : here).push_back(std::move(*made));
  }
  open_.erase({relation, column});
  // One case for the first element, and cases that cover the elements that differ from it.
  const auto found =
      std::ranges::find_if(here, [](const Case& c) { return c.fits(0) && c.equal.size() == c.column.size(); });
  std::vector<Case> used;
  std::vector<const Case*> others;
  for (const Case& c : behind) others.push_back(&c);
  if (found == here.end() || !cover(others, used)) return std::nullopt;
  used.push_back(*found);
  Holds result;
  if (!collect(used, result)) return std::nullopt;
  return result;
}

bool ListRelations::never_for_elements(PredId relation, std::uint32_t column, const Compared& compared) {
  if (!open_.insert({relation, column}).second) return false;
  const auto rules = rules_of(relation);
  const bool never = std::ranges::all_of(rules, [&](const Rule* rule) {
    const auto made = case_of(*rule, column);
    if (!made) return false;
    if (made->list.elements.empty()) return !made->list.rest.is_variable();
    // Some part differs from the column compared with it.
    const bool differs =
        same(p_.patterns, made->shape, compared.shape) && std::ranges::any_of(made->different, [&](std::size_t leaf) {
          return made->column[leaf] == std::optional(compared.columns[leaf]);
        });
    return differs && (made->recursive || !made->list.rest.is_variable());
  });
  open_.erase({relation, column});
  return never;
}

}  // namespace rgtrans::gdl
