// The proof. Let a *walk* be a relation whose rules either begin (they do not ask the relation itself) or make one step
// from one of its tuples to another one. Tuples without their list are called nodes. Along a chain of steps
//
//   node 0 -> node 1 -> … -> node n
//
// some columns stay what they are; the others, together, are the *place* of a node, from which and to which the element
// of a list is a function in one way, the same everywhere. The list that belongs to node i has places of nodes 0 … i
// alone. It is handed on along the chain in one of two directions: from the rules that begin (lists are in the heads of
// steps), or from those that ask for the relation with a list of their own (lists are in the bodies of steps), and then
// node 0 is what they ask for.
//
// 1. Without lists and questions about them the relation holds for no fewer nodes.
// 2. Where it holds for a node without them, there is a chain that leads there, and a shortest one. Its nodes are
//    different, so their places are. A step from node i to node i+1 asks that the place of node i+1 is not in the list,
//    or that a place of node i that is not added yet is not: both are so. Whether the relation that is asked says so is
//    shown by ListRelations; where that needs conditions, these have to be part of the step already, or hold for all
//    values that there can be, or follow from what is asked, and then they are left in the rule.
//
// By 1 and 2 the nodes are the same. Who asks for the relation must not read the list.
#include "frontends/gdl/syntax/trails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/support/reach.hpp"
#include "frontends/gdl/syntax/columns.hpp"
#include "frontends/gdl/syntax/list_forms.hpp"
#include "frontends/gdl/syntax/list_relations.hpp"

namespace rgtrans::gdl {

namespace {

constexpr std::size_t kMaxValues = 200'000;  // for which a condition is tried

std::size_t occurrences(const Program& program, const Rule& rule, std::uint32_t variable) {
  std::size_t count = 0;
  const auto look = [&](const Literal& literal) {
    for (const Pattern p : literal.arguments)
      program.patterns.for_each_variable(p, [&](std::uint32_t v) { count += v == variable ? 1 : 0; });
  };
  look(rule.head);
  std::ranges::for_each(rule.body, look);
  return count;
}

bool occurs(const Program& program, const Literal& literal, std::uint32_t variable) {
  return std::ranges::any_of(literal.arguments, [&](Pattern p) { return program.patterns.occurs(variable, p); });
}

// One relation and its column of lists, in a program that is changed on the way and kept if all is shown.
class Trail {
 public:
  Trail(Program& program, PredId walk, std::uint32_t column) : p_(program), walk_(walk), column_(column) {}

  bool drop() {
    if (!find_steps() || !find_places() || !find_starts()) return false;
    lists_.walk = walk_;
    lists_.column = column_;
    lists_.newest = newest_;
    lists_.each = handed_ == Handed::to_heads && single_;
    lists_.different = !outside_ || outside_->empty();
    ListRelations relations(p_, lists_);
    for (Step& step : steps_)
      if (!find_questions(step, relations) || depends_on_failure(step)) return false;
    if (std::ranges::all_of(steps_, [](const Step& s) { return s.questions.empty(); })) return false;
    rewrite();
    ColumnContents columns(p_);
    columns_ = &columns;
    for (const Step& step : steps_)
      if (!settle(step)) return false;
    for (const Step& step : steps_) renumber(p_.rules[step.rule]);
    for (const std::size_t other : others_) renumber(p_.rules[other]);
    return drop_unneeded();
  }

 private:
  struct Question {
    Literal literal;
    bool negated = false;
    std::optional<ListRelations::Holds> holds;  // where it is not
    Element compared;                           // what is asked for; none where that makes no difference
    bool exact = false;                         // the conditions are those under which elements are told
  };
  struct Step {
    std::size_t rule;
    std::optional<std::size_t> own;  // the literal that asks the relation itself; else the rule begins
    std::optional<std::uint32_t> list;
    std::vector<Element> added;
    std::vector<std::size_t> asking;  // literals that go
    std::vector<Question> questions;
  };
  enum class Handed : std::uint8_t { open, to_heads, to_bodies };
  enum class Place : std::uint8_t { before, behind, other };

  [[nodiscard]] const Rule& rule(const Step& step) const { return p_.rules[step.rule]; }
  // The nodes of a step in the order of the chain. Where lists go to bodies the chain begins with the head.
  [[nodiscard]] const Literal& before(const Step& step) const {
    return step.own && handed_ == Handed::to_heads ? rule(step).body[*step.own] : rule(step).head;
  }
  [[nodiscard]] const Literal& behind(const Step& step) const {
    return step.own && handed_ == Handed::to_bodies ? rule(step).body[*step.own] : rule(step).head;
  }

  bool find_steps();
  bool take_list(Step& step);
  bool set_form(Pattern list, std::uint32_t variable);
  [[nodiscard]] ListParts parts(Pattern pattern) const { return gdl::parts(p_.patterns, lists_.form, pattern); }
  bool find_places();
  std::optional<Element> place(const Element& element, const Literal& node);
  std::optional<Pattern> place(Pattern pattern, const Literal& node);
  Place place_of(const Element& element, const Step& step);
  bool find_starts();
  bool starts_with(const ListParts& list, const Literal& node);
  std::optional<Element> kept_place(const Element& element, const Literal& node);
  bool tells_elements(Question& question, std::uint32_t at, ListRelations& relations);
  void keep_apart(const Step& step, Rule& rule);
  bool find_questions(Step& step, ListRelations& relations);
  [[nodiscard]] bool not_visited(const Step& step, const Element& compared, const ListParts& asked);

  [[nodiscard]] bool depends_on_failure(const Step& step) const;

  void rewrite();
  void renumber(Rule& rule);
  [[nodiscard]] bool reads_list(const Rule& rule, const Literal& literal);
  bool settle(const Step& step);
  bool settle_needed(const Step& step, const Question& question, const Literal& needed);
  bool settle_elements(const Question& question);
  bool holds_of_element(const Question& question, const Literal& literal, const Element& element, Rule& rule);
  bool bind(const Step& step);
  [[nodiscard]] bool stated(const Rule& rule, const Literal& literal) const;
  bool always(Rule& rule, const Literal& literal);
  Literal instance(const Literal& condition, const Literal& asked, const std::vector<Pattern>& leaves);
  std::optional<std::vector<Pattern>> leaves_of(const Element& shape, const Element& element) const;
  bool match(Pattern shape, Pattern pattern, std::vector<Pattern>& leaves) const;
  bool settle_both(const Step& step, const Question& question, const Literal& condition);
  [[nodiscard]] std::vector<bool> needed() const;
  bool drop_unneeded();

  Program& p_;
  PredId walk_, made_;
  std::uint32_t column_;
  WalkLists lists_;
  Handed handed_ = Handed::open;
  std::vector<Step> steps_;
  std::vector<bool> kept_;  // columns that all steps hand on
  bool adds_behind_ = false, starts_with_own_ = false, newest_ = false;
  bool single_ = true;                           // elements come one at a time
  std::optional<std::vector<Element>> outside_;  // with which lists begin besides, of columns that are kept
  struct Added {                                 // a place comes into a list
    std::size_t rule;
    Element element;
  };
  std::vector<Added> added_;
  std::vector<std::size_t> others_;  // rules that ask for the walk
  ColumnContents* columns_ = nullptr;
};

// --- The walk. ---

bool Trail::set_form(Pattern list, std::uint32_t variable) {
  if (lists_.form.arity > 0) return true;
  for (std::uint32_t i = 0; i < p_.patterns.arity(list); ++i) {
    if (!p_.patterns.occurs(variable, p_.patterns.argument(list, i))) continue;
    lists_.form = {p_.patterns.symbol(list), p_.patterns.arity(list), i};
    return p_.patterns.arity(list) > 1;
  }
  return false;
}

bool Trail::find_steps() {
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

// The variable of the list, and what the step adds to it.
bool Trail::take_list(Step& step) {
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

bool Trail::find_places() {
  const std::size_t arity = p_[walk_].arity;
  kept_.assign(arity, true);
  for (const Step& step : steps_) {
    if (!step.own) continue;
    for (std::size_t c = 0; c < arity; ++c)
      kept_[c] = kept_[c] && same(p_.patterns, rule(step).head.arguments[c], rule(step).body[*step.own].arguments[c]);
  }
  kept_[column_] = true;
  // The first element that is added tells how elements are made of places.
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
      adds_behind_ = adds_behind_ || found == Place::behind;
      added_.push_back({step.rule, element});
    }
    single_ = single_ && step.added.size() <= 1;
    if (step.own) newest_ = newest_ && !step.added.empty() && place_of(step.added[0], step) == Place::behind;
  }
  return true;
}

// The element with columns for its variables, if it names all columns that are not kept.
std::optional<Element> Trail::place(const Element& element, const Literal& node) {
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

std::optional<Pattern> Trail::place(Pattern pattern, const Literal& node) {
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

Trail::Place Trail::place_of(const Element& element, const Step& step) {
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

bool Trail::find_starts() {
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
      if (start.rest.is_variable()) continue;  // found to be read later on
      if (!starts_with(start, literal)) return false;
      for (const Element& element : start.elements) added_.push_back({r, element});
    }
  }
  return true;
}

// With the place of its own node, or without; and, where lists go to heads, with others that do not change on the way.
bool Trail::starts_with(const ListParts& list, const Literal& node) {
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

// The element with columns that are kept for its variables.
std::optional<Element> Trail::kept_place(const Element& element, const Literal& node) {
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

// --- What is asked of lists. ---

bool Trail::find_questions(Step& step, ListRelations& relations) {
  if (!step.list) return true;
  const std::uint32_t list = *step.list;
  const Rule& r = rule(step);
  for (std::uint32_t c = 0; c < r.head.arguments.size(); ++c) {
    if (c == column_) continue;
    if (p_.patterns.occurs(list, r.head.arguments[c])) return false;
    if (step.own && p_.patterns.occurs(list, r.body[*step.own].arguments[c])) return false;
  }
  for (std::size_t i = 0; i < r.body.size(); ++i) {
    const Literal& literal = r.body[i];
    if (i == step.own || !occurs(p_, literal, list)) continue;
    std::optional<std::uint32_t> at;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      if (!p_.patterns.occurs(list, literal.arguments[c])) continue;
      if (at) return false;
      at = c;
    }
    const ListParts asked = parts(literal.arguments[*at]);
    if (asked.rest != Pattern::variable(list)) return false;
    Question question{literal, literal.negated, {}, {}, false};
    std::optional<ListRelations::Compared> compared;
    if (literal.negated) {
      compared = relations.only_elements(literal.predicate, *at);
      if (!compared) return false;
    } else {
      question.holds = relations.holds_beside(literal.predicate, *at);
      if (!question.holds) return false;
      compared = question.holds->compared;
    }
    if (compared) {
      for (const Pattern p : compared->shape)
        question.compared.push_back(
            p_.patterns.substitute(p, [&](std::uint32_t v) { return literal.arguments[compared->columns[v]]; }));
      if (!not_visited(step, question.compared, asked) || !tells_elements(question, *at, relations)) return false;
    } else if (!asked.elements.empty()) {
      return false;
    }
    step.asking.push_back(i);
    step.questions.push_back(std::move(question));
  }
  return true;
}

// A step that needs that some nodes are not reached, of the walk or of others that depend on it.
bool Trail::depends_on_failure(const Step& step) const {
  const std::vector<std::uint32_t> component = p_.components();
  for (std::size_t i = 0; i < rule(step).body.size(); ++i) {
    const Literal& literal = rule(step).body[i];
    const bool asks = std::ranges::find(step.asking, i) != step.asking.end();
    if (literal.negated && !asks && component[literal.predicate.value] == component[walk_.value]) return true;
  }
  return false;
}

// The literal compares the place of a node that is not in the list yet.
bool Trail::not_visited(const Step& step, const Element& compared, const ListParts& asked) {
  const Place own = place_of(compared, step);
  if (own == Place::other) return false;
  for (const Element& other : asked.elements) {
    const Place in_front = place_of(other, step);
    if (in_front == Place::other || in_front == own) return false;
  }
  // Before the first step the list may have the place of its node already, and later those that were added.
  if (step.own && own == Place::behind) return true;
  return !adds_behind_ && !starts_with_own_ && (!outside_ || outside_->empty());
}

// Elements that are no places of the chain have to be told from others exactly, because the difference stays.
bool Trail::tells_elements(Question& question, std::uint32_t at, ListRelations& relations) {
  if (!outside_ || outside_->empty()) return true;
  if (!question.negated) return relations.never_for_elements(question.literal.predicate, at);
  question.holds = relations.holds_for_elements(question.literal.predicate, at);
  question.exact = true;
  return question.holds.has_value() && question.holds->compared.has_value();
}

// --- The rules without lists. ---

// The list in this literal is one that nobody else looks at, or one with which a walk begins.
bool Trail::reads_list(const Rule& rule, const Literal& literal) {
  const Pattern list = literal.arguments[column_];
  if (handed_ == Handed::to_bodies) return !parts(list).rest.is_ground();
  return literal.negated || !list.is_variable() || occurrences(p_, rule, list.number()) > 1;
}

void Trail::rewrite() {
  std::string name = fmt::format("#{}_walk", p_.symbols.text(p_[walk_].name));
  while (p_.symbols.find(name).valid()) name += '#';
  made_ = p_.predicate(p_.symbols.intern(name), p_[walk_].arity - 1, Keyword::auxiliary, p_[walk_].where);
  p_.predicates[made_.value].defined = true;
  const auto shorten = [&](Literal& literal) {
    literal.predicate = made_;
    literal.arguments.erase(literal.arguments.begin() + column_);
  };
  for (Rule& rule : p_.rules) {
    if (rule.head.predicate == walk_) continue;
    bool shorter = false;
    for (Literal& literal : rule.body) {
      if (literal.predicate != walk_ || reads_list(rule, literal)) continue;
      shorten(literal);
      shorter = true;
    }
    if (shorter) others_.push_back(static_cast<std::size_t>(&rule - p_.rules.data()));
  }
  for (const Step& step : steps_) {
    Rule& rule = p_.rules[step.rule];
    shorten(rule.head);
    if (step.own) shorten(rule.body[*step.own]);
    for (auto i = step.asking.rbegin(); i != step.asking.rend(); ++i)
      rule.body.erase(rule.body.begin() + static_cast<std::ptrdiff_t>(*i));
    keep_apart(step, rule);
  }
}

// Places that are in every list from the beginning are not gone to.
void Trail::keep_apart(const Step& step, Rule& rule) {
  const auto whole = [&](const Element& element) {
    return element.size() == 1 ? element[0] : p_.patterns.make(lists_.form.functor, element);
  };
  for (const Question& question : step.questions) {
    if (question.compared.empty() || !outside_) continue;
    for (const Element& other : *outside_) {
      Element element;
      for (const Pattern p : other)
        element.push_back(
            p_.patterns.substitute(p, [&](std::uint32_t c) { return rule.head.arguments[c > column_ ? c - 1 : c]; }));
      const PredId distinct = p_.predicate(p_.symbols.intern("distinct"), 2, Keyword::distinct, rule.where);
      rule.body.push_back({distinct, false, {whole(question.compared), whole(element)}, rule.where});
    }
  }
}

// Variables of lists are no variables any more.
void Trail::renumber(Rule& rule) {
  std::vector<SymbolId> names;
  std::vector<std::uint32_t> number(rule.variables.size(), kNone);
  const auto renamed = [&](Literal& literal) {
    for (Pattern& p : literal.arguments)
      p = p_.patterns.substitute(p, [&](std::uint32_t v) {
        if (number[v] == kNone) {
          number[v] = static_cast<std::uint32_t>(names.size());
          names.push_back(rule.variables[v]);
        }
        return Pattern::variable(number[v]);
      });
  };
  renamed(rule.head);
  std::ranges::for_each(rule.body, renamed);
  rule.variables = std::move(names);
}

// --- What has to hold for it. ---

// A condition of a relation on lists, as this literal asks it. What it leaves open gets variables of its own.
Literal Trail::instance(const Literal& condition, const Literal& asked, const std::vector<Pattern>& leaves) {
  Literal result = condition;
  for (Pattern& p : result.arguments)
    p = p_.patterns.substitute(p, [&](std::uint32_t v) {
      if (v >= ListRelations::kOther) return Pattern::variable(v);
      return v >= ListRelations::kLeaf ? leaves[v - ListRelations::kLeaf] : asked.arguments[v];
    });
  return result;
}

bool Trail::match(Pattern shape, Pattern pattern, std::vector<Pattern>& leaves) const {
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

std::optional<std::vector<Pattern>> Trail::leaves_of(const Element& shape, const Element& element) const {
  std::vector<Pattern> leaves;
  if (shape.size() != element.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!match(shape[i], element[i], leaves)) return std::nullopt;
  return leaves;
}

// The rule says so itself.
bool Trail::stated(const Rule& rule, const Literal& literal) const {
  return std::ranges::any_of(rule.body, [&](const Literal& own) {
    return own.predicate == literal.predicate && own.negated == literal.negated &&
           same(p_.patterns, own.arguments, literal.arguments);
  });
}

// It holds for all values that the rule allows.
bool Trail::always(Rule& rule, const Literal& literal) {
  const auto k = p_[literal.predicate].keyword;
  if (literal.negated || (k != Keyword::none && k != Keyword::auxiliary && k != Keyword::role)) return false;
  std::vector<std::uint32_t> variables;
  std::vector<std::vector<TermId>> values;
  std::size_t combinations = 1;
  for (const Pattern p : literal.arguments) {
    if (p.is_compound()) return false;
    if (!p.is_variable() || p.number() >= ListRelations::kOther) continue;
    if (std::ranges::find(variables, p.number()) != variables.end()) continue;
    const ColumnContents::Values known = columns_->of_variable(rule, p.number());
    if (!known) return false;
    variables.push_back(p.number());
    values.push_back(*known);
    combinations *= known->size();
    if (combinations > kMaxValues) return false;
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

bool Trail::settle_needed(const Step& step, const Question& question, const Literal& needed) {
  Rule& rule = p_.rules[step.rule];
  const Literal own = instance(needed, question.literal, {});
  if (stated(rule, own) || always(rule, own)) return true;
  const auto implied = [&](const Literal& other) {
    return other.predicate == needed.predicate && same(p_.patterns, other.arguments, needed.arguments);
  };
  if (question.exact || std::ranges::none_of(question.holds->implied, implied)) return false;
  rule.body.push_back(own);
  return true;
}

bool Trail::holds_of_element(const Question& question, const Literal& literal, const Element& element, Rule& rule) {
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
  return stated(rule, own) || always(rule, own);
}

bool Trail::settle_both(const Step& step, const Question& question, const Literal& condition) {
  const auto& compared = question.holds->compared;
  if (!compared || question.exact) return false;
  // The places that can be compared with those that can be in a list.
  std::vector<std::vector<TermId>> values;
  std::size_t combinations = 1;
  const auto add = [&](Rule& rule, Pattern p) {
    if (p.is_compound()) return false;
    const ColumnContents::Values known =
        p.is_ground() ? ColumnContents::Values(std::vector{p.term()}) : columns_->of_variable(rule, p.number());
    if (!known) return false;
    combinations *= known->size();
    values.push_back(*known);
    return combinations <= kMaxValues;
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

bool Trail::settle(const Step& step) {
  for (const Question& question : step.questions) {
    if (!question.holds) continue;
    for (const Literal& needed : question.holds->needed)
      if (!settle_needed(step, question, needed)) return false;
    if (!settle_elements(question)) return false;
    for (const Literal& both : question.holds->of_both)
      if (!settle_both(step, question, both)) return false;
  }
  return bind(step);
}

bool Trail::settle_elements(const Question& question) {
  return std::ranges::all_of(question.holds->of_elements, [&](const Literal& literal) {
    return std::ranges::all_of(added_, [&](const Added& added) {
      return holds_of_element(question, literal, added.element, p_.rules[added.rule]);
    });
  });
}

// Questions may have been where variables got their values.
bool Trail::bind(const Step& step) {
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
        if (added || !occurs(p_, own, *variable) || stated(rule, own)) continue;
        rule.body.push_back(own);
        added = true;
      }
    }
    if (!added) return false;
  }
  return true;
}

std::vector<bool> Trail::needed() const {
  std::vector<std::vector<std::uint32_t>> bodies(p_.predicates.size());
  for (const Rule& rule : p_.rules)
    for (const Literal& literal : rule.body) bodies[rule.head.predicate.value].push_back(literal.predicate.value);
  std::vector<std::uint32_t> roots;
  for (std::uint32_t p = 0; p < bodies.size(); ++p) {
    const Keyword k = p_.predicates[p].keyword;
    if (k != Keyword::none && k != Keyword::auxiliary && k != Keyword::base && k != Keyword::input) roots.push_back(p);
  }
  return reached_from(bodies.size(), roots,
                      [&](std::uint32_t p, auto&& reach) { std::ranges::for_each(bodies[p], reach); });
}

// Nobody may need the lists any more.
bool Trail::drop_unneeded() {
  const std::vector<bool> needed = this->needed();
  if (needed[walk_.value]) return false;
  std::erase_if(p_.rules, [&](const Rule& rule) { return !needed[rule.head.predicate.value]; });
  std::erase_if(p_.facts, [&](const Fact& fact) { return !needed[fact.predicate.value]; });
  return true;
}

// Where a relation asks itself and some rule makes terms longer: the columns in which it does.
std::vector<std::pair<PredId, std::uint32_t>> candidates(const Program& program) {
  std::vector<std::pair<PredId, std::uint32_t>> result;
  for (const Rule& rule : program.rules) {
    const PredId head = rule.head.predicate;
    for (const Literal& literal : rule.body) {
      if (literal.predicate != head || program[head].keyword != Keyword::none) continue;
      for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
        const bool compound = rule.head.arguments[c].is_compound() || literal.arguments[c].is_compound();
        if (compound && std::ranges::find(result, std::pair(head, c)) == result.end()) result.emplace_back(head, c);
      }
    }
  }
  return result;
}

// Some rule that depends on what it derives makes terms longer. Few descriptions have one.
bool makes_lists(const Program& program) {
  const std::vector<std::uint32_t> component = program.components();
  const auto compound = [](const Literal& l) { return std::ranges::any_of(l.arguments, &Pattern::is_compound); };
  return std::ranges::any_of(program.rules, [&](const Rule& rule) {
    if (program[rule.head.predicate].keyword != Keyword::none) return false;
    return std::ranges::any_of(rule.body, [&](const Literal& l) {
      return component[l.predicate.value] == component[rule.head.predicate.value] &&
             (compound(rule.head) || compound(l));
    });
  });
}

constexpr std::size_t kMaxForms = 60;   // that are tried
constexpr unsigned kMaxRewritings = 3;  // one after the other

bool drop_one(Program& program) {
  std::vector<std::pair<Program, unsigned>> forms;
  forms.emplace_back(program, 0);
  for (std::size_t i = 0; i < forms.size() && i < kMaxForms; ++i) {
    for (const auto& [walk, column] : candidates(forms[i].first)) {
      Program trial = forms[i].first;
      if (!Trail(trial, walk, column).drop()) continue;
      program = std::move(trial);
      return true;
    }
    if (forms[i].second == kMaxRewritings) continue;
    std::vector<Program> others = other_forms(forms[i].first);
    for (Program& other : others) forms.emplace_back(std::move(other), forms[i].second + 1);
  }
  return false;
}

}  // namespace

bool drop_trails(Program& program) {
  bool changed = false;
  while (makes_lists(program) && drop_one(program)) changed = true;
  return changed;
}

}  // namespace rgtrans::gdl
