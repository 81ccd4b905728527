// The least fixpoint over single columns: a rule passes on to a column of its head every value that all columns of
// its body allow for the variable there.
#include "frontends/gdl/domains.hpp"

#include <algorithm>

namespace rgtrans::gdl {

namespace {

// What an unbounded domain counts for.
constexpr double kGuess = 20'000;
constexpr double kMost = 1e100;
// More values looked at than this, beside some for each rule, end the analysis.
constexpr std::uint64_t kMaxEffort = 100'000'000;
// Deeper nesting is taken for growth without end.
constexpr std::uint32_t kMaxDepth = 6;

}  // namespace

// --- One domain. ---

bool Domain::insert_constant(std::uint32_t term) {
  if (unbounded_ || contains_constant(term)) return false;
  if (term / 64 >= bits_.size()) bits_.resize(term / 64 + 1);
  bits_[term / 64] |= std::uint64_t{1} << (term % 64);
  constants_.push_back(term);
  return true;
}

bool Domain::insert(const Terms& terms, TermId term) {
  if (unbounded_) return false;
  if (terms.arity(term) == 0) return insert_constant(term.value);
  if (terms.depth(term) > kMaxDepth) return make_unbounded();
  std::vector<Domain>& parts = compounds_[{terms.symbol(term), terms.arity(term)}];
  bool grown = parts.empty();
  parts.resize(terms.arity(term));
  for (std::uint32_t i = 0; i < parts.size(); ++i) grown = parts[i].insert(terms, terms.arguments(term)[i]) || grown;
  return grown;
}

bool Domain::merge(const Domain& other, std::uint32_t depth) {
  if (unbounded_) return false;
  if (other.unbounded_ || depth > kMaxDepth) return make_unbounded();
  bool grown = false;
  for (const std::uint32_t term : other.constants_) grown = insert_constant(term) || grown;
  for (const auto& [functor, parts] : other.compounds_) {
    grown = merge_compound(functor.first, parts, depth) || grown;
    if (unbounded_) return true;
  }
  return grown;
}

bool Domain::merge_compound(SymbolId symbol, std::span<const Domain> arguments, std::uint32_t depth) {
  if (unbounded_) return false;
  if (depth > kMaxDepth) return make_unbounded();
  if (std::ranges::any_of(arguments, &Domain::empty)) return false;
  std::vector<Domain>& parts = compounds_[{symbol, static_cast<std::uint32_t>(arguments.size())}];
  bool grown = parts.empty();
  parts.resize(arguments.size());
  for (std::size_t i = 0; i < parts.size(); ++i) grown = parts[i].merge(arguments[i], depth + 1) || grown;
  return grown;
}

bool Domain::make_unbounded() {
  if (unbounded_) return false;
  *this = Domain();
  unbounded_ = true;
  return true;
}

bool Domain::contains(const Terms& terms, TermId term) const {
  if (unbounded_) return true;
  if (terms.arity(term) == 0) return contains_constant(term.value);
  const auto found = compounds_.find({terms.symbol(term), terms.arity(term)});
  if (found == compounds_.end()) return false;
  for (std::uint32_t i = 0; i < terms.arity(term); ++i)
    if (!found->second[i].contains(terms, terms.arguments(term)[i])) return false;
  return true;
}

Domain Domain::intersect(const Domain& other) const {
  if (unbounded_) return other;
  if (other.unbounded_) return *this;
  Domain both;
  for (const std::uint32_t term : constants_)
    if (other.contains_constant(term)) both.insert_constant(term);
  for (const auto& [functor, parts] : compounds_) {
    const auto found = other.compounds_.find(functor);
    if (found == other.compounds_.end()) continue;
    std::vector<Domain> common(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) common[i] = parts[i].intersect(found->second[i]);
    both.merge_compound(functor.first, common);
  }
  return both;
}

double Domain::size() const {
  if (unbounded_) return kGuess;
  auto sum = static_cast<double>(constants_.size());
  for (const auto& [functor, parts] : compounds_) {
    double product = 1;
    for (const Domain& part : parts) product = std::min(kMost, product * part.size());
    sum += product;
  }
  return sum;
}

std::optional<std::vector<std::uint32_t>> Domain::enumerate(Terms& terms, double limit) const {
  if (unbounded_ || size() > limit) return std::nullopt;
  std::vector<std::uint32_t> result = constants_;
  for (const auto& [functor, parts] : compounds_) {
    std::vector<std::vector<std::uint32_t>> choices;
    for (const Domain& part : parts) choices.push_back(*part.enumerate(terms, limit));
    std::vector<std::size_t> choice(parts.size());
    std::vector<TermId> arguments(parts.size());
    for (std::size_t i = 0; i < parts.size();) {
      for (std::size_t k = 0; k < parts.size(); ++k) arguments[k] = TermId(choices[k][choice[k]]);
      result.push_back(terms.intern(functor.first, arguments).value);
      for (i = 0; i < parts.size() && ++choice[i] == choices[i].size(); ++i) choice[i] = 0;
    }
  }
  std::ranges::sort(result);
  return result;
}

// --- The fixpoint. ---

Domains::Domains(Engine& engine, std::uint32_t first) : engine_(engine), first_(first), known_rules_(first) {
  for (;;) {
    add_relations();
    for (; known_rules_ < engine_.rule_count(); ++known_rules_) {
      add_relations();
      queued_.push_back(false);
      // A rule without variables is taken to fire: there may be very many of them.
      if (engine_.rule(known_rules_).variables == 0) {
        const EngineLiteral head = engine_.rule(known_rules_).head;
        widen_head(head, {});
        continue;
      }
      for (const EngineLiteral& literal : engine_.rule(known_rules_).body)
        if (!literal.negated && literal.relation.valid()) readers_[literal.relation.value].push_back(known_rules_);
      queued_.back() = true;
      open_.push_back(known_rules_);
    }
    if (open_.empty()) return;
    if (effort_ > kMaxEffort + 20'000 * std::uint64_t{known_rules_ - first_}) {
      usable_ = false;
      return;
    }
    const std::uint32_t rule = open_.front();
    open_.pop_front();
    queued_[rule - first_] = false;
    visit(rule);
  }
}

void Domains::add_relations() {
  const Terms& terms = engine_.program.patterns.terms;
  while (columns_.size() < engine_.relations.size()) {
    const Relation& tuples = *engine_.relations[columns_.size()].tuples;
    std::vector<Domain>& columns = columns_.emplace_back(tuples.arity());
    readers_.emplace_back();
    for (std::uint32_t row = 0; row < tuples.size(); ++row)
      for (std::uint32_t c = 0; c < tuples.arity(); ++c) columns[c].insert(terms, TermId(tuples.row(row)[c]));
  }
}

std::vector<Domain> Domains::variables(const EngineRule& rule) const {
  std::vector<Domain> result;
  if (!narrow_body(rule, result)) result.assign(rule.variables, {});
  return result;
}

bool Domains::narrow_body(const EngineRule& rule, std::vector<Domain>& variables) const {
  variables.assign(rule.variables, {});
  std::vector<bool> known(rule.variables);
  for (const EngineLiteral& literal : rule.body) {
    if (literal.negated || !literal.relation.valid()) continue;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
      if (!narrow(literal.arguments[c], column(literal.relation, c), variables, known)) return false;
  }
  return true;
}

bool Domains::narrow(Pattern pattern, const Domain& domain, std::vector<Domain>& variables,
                     std::vector<bool>& known) const {
  const Patterns& patterns = engine_.program.patterns;
  if (pattern.is_ground()) return domain.contains(patterns.terms, pattern.term());
  if (pattern.is_variable()) {
    Domain& variable = variables[pattern.number()];
    variable = known[pattern.number()] ? variable.intersect(domain) : domain;
    known[pattern.number()] = true;
    return !variable.empty();
  }
  const std::uint32_t arity = patterns.arity(pattern);
  Domain anything;
  anything.make_unbounded();
  const auto found = domain.compounds().find({patterns.symbol(pattern), arity});
  if (!domain.unbounded() && found == domain.compounds().end()) return false;
  for (std::uint32_t i = 0; i < arity; ++i) {
    const Domain& part = domain.unbounded() ? anything : found->second[i];
    if (!narrow(patterns.argument(pattern, i), part, variables, known)) return false;
  }
  return true;
}

void Domains::visit(std::uint32_t index) {
  std::vector<Domain> values;
  for (const EngineLiteral& literal : engine_.rule(index).body)
    if (!literal.negated && literal.relation.valid())
      for (const Domain& column : columns_[literal.relation.value]) effort_ += 1 + column.constants().size();
  if (!narrow_body(engine_.rule(index), values)) return;
  // New shapes may add rules, which moves them.
  const EngineLiteral head = engine_.rule(index).head;
  widen_head(head, values);
}

void Domains::widen_head(const EngineLiteral& head, const std::vector<Domain>& variables) {
  if (head.relation.valid()) {
    bool grown = false;
    for (std::uint32_t c = 0; c < head.arguments.size(); ++c)
      grown = columns_[head.relation.value][c].merge(domain_of(head.arguments[c], variables)) || grown;
    if (grown) changed(head.relation);
    return;
  }
  // A whole fact or move: its terms go to the relations of their functors.
  const bool move = head.kind == RelationInfo::Kind::move;
  const Domain terms = domain_of(head.arguments.back(), variables);
  const Domain role = domain_of(head.arguments[0], variables);
  complete_ = complete_ && !terms.unbounded();
  const auto widen = [&](RelId shape, std::span<const Domain> arguments) {
    add_relations();
    std::vector<Domain>& columns = columns_[shape.value];
    bool grown = move && columns[0].merge(role);
    for (std::size_t i = 0; i < arguments.size(); ++i) grown = columns[i + (move ? 1 : 0)].merge(arguments[i]) || grown;
    if (grown) changed(shape);
  };
  for (const std::uint32_t term : terms.constants())
    widen(engine_.shape(head.kind, engine_.program.patterns.terms.symbol(TermId(term)), 0), {});
  for (const auto& [functor, parts] : terms.compounds())
    widen(engine_.shape(head.kind, functor.first, functor.second), parts);
}

// What a pattern can stand for.
Domain Domains::domain_of(Pattern pattern, const std::vector<Domain>& variables) const {
  const Patterns& patterns = engine_.program.patterns;
  if (pattern.is_variable()) return variables[pattern.number()];
  Domain result;
  if (pattern.is_ground()) {
    result.insert(patterns.terms, pattern.term());
    return result;
  }
  std::vector<Domain> parts;
  for (std::uint32_t i = 0; i < patterns.arity(pattern); ++i)
    parts.push_back(domain_of(patterns.argument(pattern, i), variables));
  result.merge_compound(patterns.symbol(pattern), parts);
  return result;
}

void Domains::changed(RelId relation) {
  effort_ += readers_[relation.value].size();
  for (const std::uint32_t rule : readers_[relation.value]) {
    if (queued_[rule - first_]) continue;
    queued_[rule - first_] = true;
    open_.push_back(rule);
  }
}

}  // namespace rgtrans::gdl
