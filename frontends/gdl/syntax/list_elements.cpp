// Decomposes lists in patterns, and recognises relations such as `member` that hold only for elements of a list. One
// pass over the rules decides this: each rule either has the element in its head or calls the relation on a shorter
// list.
#include <algorithm>

#include "core/support/sorted.hpp"
#include "frontends/gdl/syntax/list_relations.hpp"

namespace rgtrans::gdl {

void variables_of(const Patterns& patterns, const Element& element, std::vector<std::uint32_t>& out) {
  for (const Pattern p : element) patterns.for_each_variable(p, [&](std::uint32_t v) { out.push_back(v); });
}

bool mentions(const Patterns& patterns, const Literal& literal, std::uint32_t variable) {
  return std::ranges::any_of(literal.arguments, [&](Pattern p) { return patterns.occurs(variable, p); });
}

bool same(const Patterns& patterns, Pattern a, Pattern b) {
  if (a == b) return true;
  if (!a.is_compound() || !b.is_compound()) return false;
  if (patterns.symbol(a) != patterns.symbol(b) || patterns.arity(a) != patterns.arity(b)) return false;
  for (std::uint32_t i = 0; i < patterns.arity(a); ++i)
    if (!same(patterns, patterns.argument(a, i), patterns.argument(b, i))) return false;
  return true;
}

bool same(const Patterns& patterns, const Element& a, const Element& b) {
  return std::ranges::equal(a, b, [&](Pattern p, Pattern q) { return same(patterns, p, q); });
}

ListParts parts(const Patterns& patterns, const ListForm& form, Pattern pattern) {
  ListParts result;
  while (!pattern.is_variable() && patterns.symbol(pattern) == form.functor && patterns.arity(pattern) == form.arity) {
    Element& element = result.elements.emplace_back();
    for (std::uint32_t i = 0; i < form.arity; ++i)
      if (i != form.tail) element.push_back(patterns.argument(pattern, i));
    pattern = patterns.argument(pattern, form.tail);
  }
  result.rest = pattern;
  return result;
}

std::vector<const Rule*> ListRelations::rules_of(PredId relation) const {
  std::vector<const Rule*> result;
  const auto take = [&](const std::vector<Rule>& rules) {
    for (const Rule& rule : rules)
      if (rule.head.predicate == relation) result.push_back(&rule);
  };
  take(p_.rules);
  take(facts_);
  return result;
}

// The column of the only argument that is a list with this tail.
std::optional<std::uint32_t> ListRelations::list_column(const Literal& literal, Pattern rest) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    if (!p_.patterns.occurs(rest.number(), literal.arguments[c])) continue;
    if (found || parts(literal.arguments[c]).rest != rest) return std::nullopt;
    found = c;
  }
  return found;
}

bool ListRelations::ends_like(const ListParts& whole, const ListParts& end) const {
  if (whole.rest != end.rest || end.elements.size() > whole.elements.size()) return false;
  const std::size_t more = whole.elements.size() - end.elements.size();
  for (std::size_t i = 0; i < end.elements.size(); ++i)
    if (!same(p_.patterns, whole.elements[more + i], end.elements[i])) return false;
  return true;
}

// The columns of a head that hold the variables of an element.
std::optional<ListRelations::Compared> ListRelations::compared_in(const Literal& head, std::uint32_t column,
                                                                  const Element& element) {
  std::vector<std::uint32_t> variables;
  variables_of(p_.patterns, element, variables);
  Compared result;
  for (const std::uint32_t v : variables) {
    std::uint32_t c = 0;
    while (c < head.arguments.size() && (c == column || head.arguments[c] != Pattern::variable(v))) ++c;
    if (c == head.arguments.size()) return std::nullopt;
    result.columns.push_back(c);
  }
  for (const Pattern p : element)
    result.shape.push_back(p_.patterns.substitute(p, [&](std::uint32_t v) {
      return Pattern::variable(static_cast<std::uint32_t>(std::ranges::find(variables, v) - variables.begin()));
    }));
  if (variables.size() > kMaxLeaves) return std::nullopt;
  sort_unique(variables);
  if (variables.size() != result.columns.size()) return std::nullopt;
  return result;
}

bool ListRelations::unite(std::optional<Compared>& known, const Compared& more) const {
  if (!known) known = more;
  return known->columns == more.columns && same(p_.patterns, known->shape, more.shape);
}

// The compared columns, if the literal tests an element of the list or of one of its tails.
std::optional<ListRelations::Compared> ListRelations::through(const Rule& rule, std::uint32_t column,
                                                              const Literal& literal, const ListParts& list) {
  if (literal.negated || !list.rest.is_variable()) return std::nullopt;
  const auto at = list_column(literal, list.rest);
  if (!at || !ends_like(list, parts(literal.arguments[*at]))) return std::nullopt;
  Element element;
  if (literal.predicate == lists_.walk) {
    if (*at != lists_.column || !lists_.newest) return std::nullopt;
    for (const Pattern p : lists_.element)
      element.push_back(p_.patterns.substitute(p, [&](std::uint32_t c) { return literal.arguments[c]; }));
  } else {
    const auto inner = only_elements(literal.predicate, *at);
    if (!inner) return std::nullopt;
    for (const Pattern p : inner->shape)
      element.push_back(
          p_.patterns.substitute(p, [&](std::uint32_t v) { return literal.arguments[inner->columns[v]]; }));
  }
  return compared_in(rule.head, column, element);
}

std::optional<ListRelations::Compared> ListRelations::only_elements(PredId relation, std::uint32_t column) {
  if (p_[relation].keyword != Keyword::none && p_[relation].keyword != Keyword::auxiliary) return std::nullopt;
  if (!open_.insert({relation, column}).second) return std::nullopt;
  std::optional<Compared> result;
  bool shown = true;
  std::vector<const Rule*> left;
  for (const Rule* rule : rules_of(relation)) {
    std::optional<Compared> found;
    const ListParts list = parts(rule->head.arguments[column]);
    for (const Element& element : list.elements)
      if (!found) found = compared_in(rule->head, column, element);
    for (const Literal& literal : rule->body)
      if (!found && literal.predicate != relation) found = through(*rule, column, literal, list);
    if (found)
      shown = shown && unite(result, *found);
    else
      left.push_back(rule);
  }
  // The other rules must be recursive and pass on the compared columns.
  for (const Rule* rule : left) {
    const ListParts list = parts(rule->head.arguments[column]);
    shown = shown && result && std::ranges::any_of(rule->body, [&](const Literal& literal) {
              return literal.predicate == relation && !literal.negated &&
                     ends_like(list, parts(literal.arguments[column])) &&
                     std::ranges::all_of(result->columns, [&](std::uint32_t c) {
                       return same(p_.patterns, literal.arguments[c], rule->head.arguments[c]);
                     });
            });
  }
  open_.erase({relation, column});
  return shown ? result : std::nullopt;
}

}  // namespace rgtrans::gdl
