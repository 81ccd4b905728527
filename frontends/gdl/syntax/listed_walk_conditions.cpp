// The conditions that make the queries on a walk's lists redundant, and their proofs.
#include <algorithm>

#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/listed_walk.hpp"

namespace rgtrans::gdl {

// The condition for the arguments of this literal; open variables keep their own numbers.
Literal ListedWalk::instance(const Literal& condition, const Literal& asked, const std::vector<Pattern>& leaves) {
  Literal result = condition;
  for (Pattern& p : result.arguments)
    p = p_.patterns.substitute(p, [&](std::uint32_t v) {
      if (v >= ListRelations::kOther) return Pattern::variable(v);
      return v >= ListRelations::kLeaf ? leaves[v - ListRelations::kLeaf] : asked.arguments[v];
    });
  return result;
}

bool ListedWalk::match(Pattern shape, Pattern pattern, std::vector<Pattern>& leaves) const {
  if (shape.is_variable()) {
    leaves.resize(std::max<std::size_t>(leaves.size(), shape.number() + 1));
    leaves[shape.number()] = pattern;
    return true;
  }
  if (shape.is_ground()) return shape == pattern;
  if (pattern.is_variable() || p_.patterns.symbol(shape) != p_.patterns.symbol(pattern) ||
      p_.patterns.arity(shape) != p_.patterns.arity(pattern))
    return false;
  for (std::uint32_t i = 0; i < p_.patterns.arity(shape); ++i)
    if (!match(p_.patterns.argument(shape, i), p_.patterns.argument(pattern, i), leaves)) return false;
  return true;
}

std::optional<std::vector<Pattern>> ListedWalk::leaves_of(const Element& shape, const Element& element) const {
  std::vector<Pattern> leaves;
  if (shape.size() != element.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!match(shape[i], element[i], leaves)) return std::nullopt;
  return leaves;
}

// The rule contains the literal.
bool ListedWalk::stated(std::size_t rule, const Literal& literal) const {
  const auto is = [&](const Literal& own) {
    return own.predicate == literal.predicate && own.negated == literal.negated &&
           same(p_.patterns, own.arguments, literal.arguments);
  };
  return std::ranges::any_of(p_.rules[rule].body, is) ||
         std::ranges::any_of(more_, [&](const auto& more) { return more.first == rule && is(more.second); });
}

// The literal holds for all values that the rule allows.
bool ListedWalk::always(const Rule& rule, const Literal& literal) {
  const auto k = p_[literal.predicate].keyword;
  if (literal.negated || (k != Keyword::none && k != Keyword::auxiliary && k != Keyword::role)) return false;
  std::vector<std::uint32_t> variables;
  std::vector<std::vector<TermId>> values;
  std::uint64_t combinations = 1;
  for (const Pattern p : literal.arguments) {
    if (p.is_compound()) return false;
    if (!p.is_variable() || p.number() >= ListRelations::kOther) continue;
    if (std::ranges::find(variables, p.number()) != variables.end()) continue;
    const ColumnContents::Values known = columns_->of_variable(rule, p.number());
    if (!known) return false;
    variables.push_back(p.number());
    values.push_back(*known);
    combinations *= known->size();
    if (combinations > kListLimits.combinations) return false;
  }
  for (std::size_t n = 0; n < combinations; ++n) {
    ColumnContents::Tuple tuple;
    for (const Pattern p : literal.arguments) {
      if (p.is_ground()) {
        tuple.emplace_back(p.term());
        continue;
      }
      std::size_t left = n;
      std::optional<TermId> value;
      for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i] == p.number()) value = values[i][left % values[i].size()];
        left /= values[i].size();
      }
      tuple.push_back(value);
    }
    if (!columns_->holds(literal.predicate, tuple)) return false;
  }
  return true;
}

bool ListedWalk::settle_needed(const Step& step, const Question& question, const Literal& needed) {
  const Literal own = instance(needed, question.literal, {});
  if (stated(step.rule, own) || always(rule(step), own)) return true;
  const auto implied = [&](const Literal& other) {
    return other.predicate == needed.predicate && same(p_.patterns, other.arguments, needed.arguments);
  };
  if (question.exact || std::ranges::none_of(question.holds->implied, implied)) return false;
  more_.emplace_back(step.rule, own);
  return true;
}

bool ListedWalk::holds_of_element(const Question& question, const Literal& literal, const Element& element,
                                  std::size_t rule) {
  const auto leaves = leaves_of(question.holds->shape, element);
  if (!leaves) return false;
  std::size_t most = 0;
  for (const Pattern p : literal.arguments)
    p_.patterns.for_each_variable(p, [&](std::uint32_t v) {
      if (v >= ListRelations::kLeaf && v < ListRelations::kOther)
        most = std::max<std::size_t>(most, v - ListRelations::kLeaf + 1);
    });
  if (most > leaves->size()) return false;
  const Literal own = instance(literal, question.literal, *leaves);
  return stated(rule, own) || always(p_.rules[rule], own);
}

bool ListedWalk::settle_both(const Step& step, const Question& question, const Literal& condition) {
  const auto& compared = question.holds->compared;
  if (!compared || question.exact) return false;
  // The pairs of a compared place and a place that a list may contain.
  std::vector<std::vector<TermId>> values;
  std::uint64_t combinations = 1;
  const auto add = [&](Rule& rule, Pattern p) {
    if (p.is_compound()) return false;
    const ColumnContents::Values known =
        p.is_ground() ? ColumnContents::Values(std::vector{p.term()}) : columns_->of_variable(rule, p.number());
    if (!known) return false;
    combinations *= known->size();
    values.push_back(*known);
    return combinations <= kListLimits.combinations;
  };
  for (const Added& other : added_) {
    values.clear();
    combinations = 1;
    const auto leaves = leaves_of(compared->shape, other.element);
    if (!leaves) return false;
    for (const std::uint32_t c : compared->columns)
      if (!add(p_.rules[step.rule], question.literal.arguments[c])) return false;
    for (const Pattern leaf : *leaves)
      if (!add(p_.rules[other.rule], leaf)) return false;
    const std::size_t count = compared->columns.size();
    for (std::size_t n = 0; n < combinations; ++n) {
      std::vector<TermId> chosen;
      std::size_t left = n;
      for (const auto& list : values) {
        chosen.push_back(list[left % list.size()]);
        left /= list.size();
      }
      if (std::equal(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(count),
                     chosen.begin() + static_cast<std::ptrdiff_t>(count)))
        continue;
      ColumnContents::Tuple tuple;
      for (const Pattern p : condition.arguments) {
        if (p.is_compound()) return false;
        if (p.is_ground()) {
          tuple.emplace_back(p.term());
        } else if (p.number() >= ListRelations::kOther) {
          tuple.emplace_back();
        } else if (p.number() >= ListRelations::kLeaf) {
          tuple.emplace_back(chosen[count + p.number() - ListRelations::kLeaf]);
        } else {
          const auto at = std::ranges::find(compared->columns, p.number());
          if (at == compared->columns.end()) return false;
          tuple.emplace_back(chosen[static_cast<std::size_t>(at - compared->columns.begin())]);
        }
      }
      if (condition.negated || !columns_->holds(condition.predicate, tuple)) return false;
    }
  }
  return true;
}

bool ListedWalk::settle(const Step& step) {
  for (const Question& question : step.questions) {
    if (!question.holds) continue;
    if (!has_shape(question.holds->shape)) return false;
    for (const Literal& needed : question.holds->needed)
      if (!settle_needed(step, question, needed)) return false;
    if (!settle_elements(question)) return false;
    for (const Literal& both : question.holds->of_both)
      if (!settle_both(step, question, both)) return false;
  }
  return true;
}

// Every added element has the shape for which the relation was examined.
bool ListedWalk::has_shape(const Element& shape) const {
  return shape.empty() ||
         std::ranges::all_of(added_, [&](const Added& added) { return leaves_of(shape, added.element).has_value(); });
}

bool ListedWalk::settle_elements(const Question& question) {
  return std::ranges::all_of(question.holds->of_elements, [&](const Literal& literal) {
    return std::ranges::all_of(
        added_, [&](const Added& added) { return holds_of_element(question, literal, added.element, added.rule); });
  });
}

// Binds the variables that only the removed queries had bound.
bool ListedWalk::bind(const Step& step) {
  Rule& rule = p_.rules[step.rule];
  const auto unbound = [&] {
    std::vector<bool> bound(rule.variables.size()), used(rule.variables.size());
    const auto mark = [&](const Literal& literal, std::vector<bool>& set) {
      for (const Pattern p : literal.arguments)
        p_.patterns.for_each_variable(p, [&](std::uint32_t v) { set[v] = true; });
    };
    mark(rule.head, used);
    for (const Literal& literal : rule.body) {
      mark(literal, used);
      if (!literal.negated && p_[literal.predicate].keyword != Keyword::distinct) mark(literal, bound);
    }
    std::optional<std::uint32_t> found;
    for (std::uint32_t v = 0; v < used.size(); ++v)
      if (used[v] && !bound[v]) found = v;
    return found;
  };
  while (const auto variable = unbound()) {
    bool added = false;
    for (const Question& question : step.questions) {
      if (question.negated) continue;
      for (const Literal& implied : question.holds->implied) {
        const Literal own = instance(implied, question.literal, {});
        if (added || !mentions(p_.patterns, own, *variable) || stated(step.rule, own)) continue;
        rule.body.push_back(own);
        added = true;
      }
    }
    if (!added) return false;
  }
  return true;
}

}  // namespace rgtrans::gdl
