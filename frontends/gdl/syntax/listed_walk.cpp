// Recognises the walk, its places, and the queries on its lists.
#include "frontends/gdl/syntax/listed_walk.hpp"

#include <algorithm>

namespace rgtrans::gdl {

// --- The walk. ---

bool ListedWalk::set_form(Pattern list, std::uint32_t variable) {
  if (lists_.form.arity > 0) return true;
  for (std::uint32_t i = 0; i < p_.patterns.arity(list); ++i) {
    if (!p_.patterns.occurs(variable, p_.patterns.argument(list, i))) continue;
    lists_.form = {p_.patterns.symbol(list), p_.patterns.arity(list), i};
    return p_.patterns.arity(list) > 1;
  }
  return false;
}

bool ListedWalk::find_steps() {
  if (std::ranges::any_of(p_.facts, [&](const Fact& fact) { return fact.predicate == walk_; })) return false;
  for (std::size_t r = 0; r < p_.rules.size(); ++r) {
    const Rule& rule = p_.rules[r];
    if (rule.head.predicate != walk_) continue;
    Step step{r, {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      if (rule.body[i].predicate != walk_) continue;
      if (step.own || rule.body[i].negated) return false;
      step.own = i;
    }
    if (step.own && !take_list(step)) return false;
    steps_.push_back(std::move(step));
  }
  return handed_ != Handed::open;
}

// Finds the variable of the list and the elements that the step adds.
bool ListedWalk::take_list(Step& step) {
  const Pattern head = rule(step).head.arguments[column_];
  const Pattern body = rule(step).body[*step.own].arguments[column_];
  if (head == body) {
    if (!head.is_variable()) return false;
    step.list = head.number();
    return true;
  }
  const bool to_head = body.is_variable();
  if (!to_head && !head.is_variable()) return false;
  const Pattern list = to_head ? body : head, longer = to_head ? head : body;
  const Handed handed = to_head ? Handed::to_heads : Handed::to_bodies;
  if (!longer.is_compound() || (handed_ != Handed::open && handed_ != handed)) return false;
  handed_ = handed;
  step.list = list.number();
  if (!set_form(longer, list.number())) return false;
  const ListParts found = parts(longer);
  if (found.elements.empty() || found.rest != list) return false;
  step.added = found.elements;
  return true;
}

// --- Places. ---

bool ListedWalk::find_places() {
  const std::size_t arity = p_[walk_].arity;
  kept_.assign(arity, true);
  for (const Step& step : steps_) {
    if (!step.own) continue;
    for (std::size_t c = 0; c < arity; ++c)
      kept_[c] = kept_[c] && same(p_.patterns, rule(step).head.arguments[c], rule(step).body[*step.own].arguments[c]);
  }
  kept_[column_] = true;
  // The first added element defines the shape of elements as a function of places.
  for (const Step& step : steps_) {
    for (const Element& element : step.added) {
      if (!lists_.element.empty()) break;
      for (const Literal* node : {&behind(step), &before(step)})
        if (auto found = place(element, *node); found && lists_.element.empty()) lists_.element = std::move(*found);
    }
  }
  if (lists_.element.empty()) return false;
  newest_ = handed_ == Handed::to_heads;
  for (const Step& step : steps_) {
    for (const Element& element : step.added) {
      const Place found = place_of(element, step);
      if (found == Place::other) return false;
      (found == Place::behind ? adds_behind_ : adds_before_) = true;
      added_.push_back({step.rule, element});
    }
    single_ = single_ && step.added.size() <= 1;
    if (step.own) newest_ = newest_ && !step.added.empty() && place_of(step.added[0], step) == Place::behind;
  }
  return true;
}

// The element with columns for its variables, if it mentions every column that steps change.
std::optional<Element> ListedWalk::place(const Element& element, const Literal& node) {
  Element result;
  std::vector<bool> named = kept_;
  for (const Pattern p : element) {
    const auto found = place(p, node);
    if (!found) return std::nullopt;
    result.push_back(*found);
    p_.patterns.for_each_variable(*found, [&](std::uint32_t c) { named[c] = true; });
  }
  const bool all = std::ranges::all_of(named, [](bool b) { return b; });
  return all ? std::optional(result) : std::nullopt;
}

std::optional<Pattern> ListedWalk::place(Pattern pattern, const Literal& node) {
  for (std::uint32_t c = 0; c < node.arguments.size(); ++c)
    if (!kept_[c] && same(p_.patterns, node.arguments[c], pattern)) return Pattern::variable(c);
  if (!pattern.is_compound()) return std::nullopt;
  std::vector<Pattern> arguments;
  for (std::uint32_t i = 0; i < p_.patterns.arity(pattern); ++i) {
    const auto found = place(p_.patterns.argument(pattern, i), node);
    if (!found) return std::nullopt;
    arguments.push_back(*found);
  }
  return p_.patterns.make(p_.patterns.symbol(pattern), arguments);
}

ListedWalk::Place ListedWalk::place_of(const Element& element, const Step& step) {
  const auto is = [&](const Literal& node) {
    Element own;
    for (const Pattern p : lists_.element)
      own.push_back(p_.patterns.substitute(p, [&](std::uint32_t c) { return node.arguments[c]; }));
    return same(p_.patterns, own, element);
  };
  if (is(behind(step))) return Place::behind;
  return is(before(step)) ? Place::before : Place::other;
}

// --- Where lists begin. ---

bool ListedWalk::find_starts() {
  for (Step& step : steps_) {
    if (step.own) continue;
    const Pattern list = rule(step).head.arguments[column_];
    if (handed_ == Handed::to_bodies) {
      if (!list.is_variable()) return false;
      step.list = list.number();
      continue;
    }
    const ListParts start = parts(list);
    if (!starts_with(start, rule(step).head)) return false;
    for (const Element& element : start.elements) added_.push_back({step.rule, element});
    newest_ = newest_ && !start.elements.empty() && place_of(start.elements[0], step) == Place::behind;
  }
  if (handed_ == Handed::to_heads) return true;
  for (std::size_t r = 0; r < p_.rules.size(); ++r) {
    if (p_.rules[r].head.predicate == walk_) continue;
    for (const Literal& literal : p_.rules[r].body) {
      if (literal.predicate != walk_) continue;
      const ListParts start = parts(literal.arguments[column_]);
      if (start.rest.is_variable()) continue;  // a later query reads this list
      if (!starts_with(start, literal)) return false;
      for (const Element& element : start.elements) added_.push_back({r, element});
    }
  }
  return true;
}

// A start contains the place of its own node or not. Lists passed to heads may also contain elements of kept columns.
bool ListedWalk::starts_with(const ListParts& list, const Literal& node) {
  if (!list.rest.is_ground()) return false;
  std::vector<Element> outside;
  std::size_t own = 0;
  for (const Element& element : list.elements) {
    const auto found = place(element, node);
    if (found && same(p_.patterns, *found, lists_.element)) {
      ++own;
      continue;
    }
    auto kept = kept_place(element, node);
    if (!kept || handed_ != Handed::to_heads) return false;
    outside.push_back(std::move(*kept));
  }
  starts_with_own_ = starts_with_own_ || own > 0;
  single_ = single_ && list.elements.size() <= 1;
  const bool alike = !outside_ || std::ranges::equal(*outside_, outside, [&](const Element& a, const Element& b) {
    return same(p_.patterns, a, b);
  });
  outside_ = std::move(outside);
  lists_.starts.emplace_back(list.elements.size(), list.rest);
  return alike && own <= 1;
}

// The element with kept columns for its variables.
std::optional<Element> ListedWalk::kept_place(const Element& element, const Literal& node) {
  Element result;
  bool found = true;
  for (const Pattern p : element)
    result.push_back(p_.patterns.substitute(p, [&](std::uint32_t v) {
      for (std::uint32_t c = 0; c < node.arguments.size(); ++c)
        if (kept_[c] && c != column_ && node.arguments[c] == Pattern::variable(v)) return Pattern::variable(c);
      found = false;
      return Pattern::variable(v);
    }));
  return found ? std::optional(result) : std::nullopt;
}

// --- Queries on lists. ---

// Facts about the lists of the walk that the proof uses: those of shortest chains.
WalkLists ListedWalk::lists_of_walk() const {
  WalkLists lists = lists_;
  lists.walk = walk_;
  lists.column = column_;
  lists.newest = newest_;
  lists.each = handed_ == Handed::to_heads && single_;
  // No place enters a list twice: either each enters when the chain arrives, or each when the chain leaves.
  lists.different = single_ && (!outside_ || outside_->empty()) && (adds_behind_ ? !adds_before_ : !starts_with_own_);
  return lists;
}

bool ListedWalk::find_questions(Step& step) {
  if (!step.list) return true;
  const std::uint32_t list = *step.list;
  const Rule& r = rule(step);
  for (std::uint32_t c = 0; c < r.head.arguments.size(); ++c) {
    if (c == column_) continue;
    if (p_.patterns.occurs(list, r.head.arguments[c])) return false;
    if (step.own && p_.patterns.occurs(list, r.body[*step.own].arguments[c])) return false;
  }
  for (std::size_t i = 0; i < r.body.size(); ++i)
    if (i != step.own && mentions(p_.patterns, r.body[i], list) && !find_question(step, i, list)) return false;
  return true;
}

bool ListedWalk::find_question(Step& step, std::size_t i, std::uint32_t list) {
  const Literal& literal = rule(step).body[i];
  std::optional<std::uint32_t> at;
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    if (!p_.patterns.occurs(list, literal.arguments[c])) continue;
    if (at) return false;
    at = c;
  }
  const ListParts asked = parts(literal.arguments[*at]);
  if (asked.rest != Pattern::variable(list)) return false;
  WalkLists lists = lists_of_walk();
  if (!asked.elements.empty()) {
    // The list of the next node, which may not belong to a tuple of the walk yet.
    if (!std::ranges::equal(asked.elements, step.added,
                            [&](const Element& a, const Element& b) { return same(p_.patterns, a, b); }))
      return false;
    lists.each = false;
  }
  ListRelations relations(p_, lists);
  Question question{literal, literal.negated, {}, {}, false};
  std::optional<ListRelations::Compared> compared;
  if (literal.negated) {
    compared = relations.only_elements(literal.predicate, *at);
    if (!compared) return false;
  } else {
    question.holds = relations.holds_outside(literal.predicate, *at);
    if (!question.holds) return false;
    compared = question.holds->compared;
  }
  if (compared) {
    for (const Pattern p : compared->shape)
      question.compared.push_back(
          p_.patterns.substitute(p, [&](std::uint32_t v) { return literal.arguments[compared->columns[v]]; }));
    if (!not_visited(step, question.compared, asked) || !recognises_elements(question, *at, *compared, relations))
      return false;
  }
  step.asking.push_back(i);
  step.questions.push_back(std::move(question));
  return true;
}

// The literal compares the place of a node that cannot be in the list yet.
bool ListedWalk::not_visited(const Step& step, const Element& compared, const ListParts& asked) {
  const Place own = place_of(compared, step);
  if (own == Place::other) return false;
  for (const Element& other : asked.elements) {
    const Place in_front = place_of(other, step);
    if (in_front == Place::other || in_front == own) return false;
  }
  // Before the first step the list may contain the place of its own node; later, the added places.
  if (step.own && own == Place::behind) return true;
  return !adds_behind_ && !starts_with_own_ && (!outside_ || outside_->empty());
}

// Elements that are no places of the chain must be recognised exactly, because `distinct` replaces their test.
bool ListedWalk::recognises_elements(Question& question, std::uint32_t at, const ListRelations::Compared& compared,
                                     ListRelations& relations) {
  if (!outside_ || outside_->empty()) return true;
  if (!question.negated) return relations.never_for_elements(question.literal.predicate, at, compared);
  question.holds = relations.holds_for_elements(question.literal.predicate, at);
  question.exact = true;
  return question.holds && question.holds->compared && question.holds->compared->columns == compared.columns &&
         same(p_.patterns, question.holds->compared->shape, compared.shape);
}

}  // namespace rgtrans::gdl
