// The least fixpoint over single columns. Once the head of a rule is in demand, the rule passes to each column of its
// head the values that all columns of its body allow for that variable. At the same time it adds to the demand of each
// body relation the values that the preceding literals allow. A demanded tuple gets all its instances: by induction
// over the reading order, their literals are demanded too.
#include "frontends/gdl/ground/domains.hpp"

#include <algorithm>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

constexpr double kMaxSize = 1e100;

}  // namespace

// --- One domain. ---

bool Domain::insert_constant(std::uint32_t term) {
  if (unbounded_ || !known_.insert(term)) return false;
  constants_.push_back(term);
  return true;
}

bool Domain::insert(const Terms& terms, TermId term) {
  if (unbounded_) return false;
  if (terms.arity(term) == 0) return insert_constant(term.value);
  if (terms.depth(term) > kGroundLimits.domain_depth) return make_unbounded();
  std::vector<Domain>& parts = compounds_[{terms.symbol(term), terms.arity(term)}];
  bool grown = parts.empty();
  parts.resize(terms.arity(term));
  for (std::uint32_t i = 0; i < parts.size(); ++i) grown = parts[i].insert(terms, terms.arguments(term)[i]) || grown;
  return grown;
}

bool Domain::merge(const Domain& other, std::uint32_t depth) {
  if (unbounded_) return false;
  if (other.unbounded_ || depth > kGroundLimits.domain_depth) return make_unbounded();
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
  if (depth > kGroundLimits.domain_depth) return make_unbounded();
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
  if (terms.arity(term) == 0) return known_.contains(term.value);
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
    if (other.known_.contains(term)) both.insert_constant(term);
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
  if (unbounded_) return kSplitCosts.unbounded_values;
  auto sum = static_cast<double>(constants_.size());
  for (const auto& [functor, parts] : compounds_) {
    double product = 1;
    for (const Domain& part : parts) product = std::min(kMaxSize, product * part.size());
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

Domains::Domains(Engine& engine, std::uint32_t first, Whole whole)
    : engine_(engine), first_(first), whole_(whole), known_rules_(first) {
  for (;;) {
    add_relations();
    for (; known_rules_ < engine_.rule_count(); ++known_rules_) {
      add_relations();
      queued_.push_back(false);
      const EngineRule& rule = engine_.rule(known_rules_);
      effort_.allow(kGroundLimits.domain_values_of_rule);
      // There may be very many ground rules, so the analysis assumes that each fires and demands all of its literals.
      if (rule.variables == 0) {
        for (const EngineLiteral& literal : rule.body) want(literal, {});
        const EngineLiteral head = rule.head;
        widen_head(head, {});
        continue;
      }
      for (const EngineLiteral& literal : rule.body)
        if (!literal.negated && literal.relation.valid()) readers_[literal.relation.value].push_back(known_rules_);
      if (rule.head.relation.valid()) definers_[rule.head.relation.value].push_back(known_rules_);
      queued_.back() = true;
      open_.push_back(known_rules_);
    }
    if (open_.empty()) return;
    if (effort_.ended()) {
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
    const RelId id(columns_.size());
    const Relation& tuples = *engine_.relations[id.value].tuples;
    std::vector<Domain>& columns = columns_.emplace_back(tuples.arity());
    std::vector<Domain>& wanted = wanted_.emplace_back(tuples.arity());
    reached_.push_back(wanted_whole(id));
    for (Domain& domain : wanted)
      if (reached_.back()) domain.make_unbounded();
    readers_.emplace_back();
    definers_.emplace_back();
    for (std::uint32_t row = 0; row < tuples.size(); ++row)
      for (std::uint32_t c = 0; c < tuples.arity(); ++c) columns[c].insert(terms, TermId(tuples.row(row)[c]));
  }
}

bool Domains::wanted_whole(RelId relation) const {
  const RelationInfo& info = engine_.relations[relation.value];
  if (whole_ == Whole::all || !info.dynamic || info.kind != RelationInfo::Kind::ordinary) return true;
  const Keyword k = engine_.program[info.predicate].keyword;
  return k != Keyword::none && k != Keyword::auxiliary;
}

bool Domains::can_fire(const EngineRule& rule) const {
  Scope scope;
  return pass(rule, false, scope, [](const EngineLiteral&) {});
}

std::vector<Domain> Domains::variables(const EngineRule& rule) const {
  Scope scope;
  if (!pass(rule, false, scope, [](const EngineLiteral&) {})) scope.values.assign(rule.variables, {});
  return std::move(scope.values);
}

std::vector<Domain> Domains::unrestricted(const EngineRule& rule) const {
  Scope scope;
  if (!pass(rule, true, scope, [](const EngineLiteral&) {})) scope.values.assign(rule.variables, {});
  return std::move(scope.values);
}

template <class F>
bool Domains::pass(const EngineRule& rule, bool whole_head, Scope& scope, F&& want) const {
  scope.values.assign(rule.variables, {});
  scope.known.assign(rule.variables, false);
  const RelId head = rule.head.relation;
  if (!whole_head && head.valid() && !wanted_whole(head)) {
    if (!reached_[head.value]) return false;
    for (std::uint32_t c = 0; c < rule.head.arguments.size(); ++c) {
      const Domain& wanted = wanted_[head.value][c];
      if (!wanted.unbounded() && !narrow(rule.head.arguments[c], wanted, scope)) return false;
    }
  }
  const auto columns = [&](const EngineLiteral& literal) {
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
      effort_.spend(1 + columns_[literal.relation.value][c].constants().size());
      if (!narrow(literal.arguments[c], columns_[literal.relation.value][c], scope)) return false;
    }
    return true;
  };
  const auto binds = [](const EngineLiteral& literal) { return !literal.negated && literal.relation.valid(); };
  for (const EngineLiteral& literal : rule.body)
    if (binds(literal) && wanted_whole(literal.relation) && !columns(literal)) return false;
  for (const EngineLiteral& literal : rule.body)
    if (binds(literal) && !literal.dynamic && !narrow_rows(literal, scope)) return false;
  for (const EngineLiteral& literal : rule.body) {
    if (!binds(literal) || wanted_whole(literal.relation)) continue;
    want(literal);
    if (!columns(literal)) return false;
  }
  for (const EngineLiteral& literal : rule.body)
    if (literal.negated && literal.relation.valid()) want(literal);
  return true;
}

// Intersects the domains of a pattern's variables with a column. False if the result is empty.
bool Domains::narrow(Pattern pattern, const Domain& domain, Scope& scope) const {
  const Patterns& patterns = engine_.program.patterns;
  if (pattern.is_ground()) return domain.contains(patterns.terms, pattern.term());
  if (pattern.is_variable()) {
    const std::uint32_t v = pattern.number();
    scope.values[v] = scope.known[v] ? scope.values[v].intersect(domain) : domain;
    scope.known[v] = true;
    return !scope.values[v].empty();
  }
  const std::uint32_t arity = patterns.arity(pattern);
  Domain anything;
  anything.make_unbounded();
  const auto found = domain.compounds().find({patterns.symbol(pattern), arity});
  if (!domain.unbounded() && found == domain.compounds().end()) return false;
  for (std::uint32_t i = 0; i < arity; ++i) {
    const Domain& part = domain.unbounded() ? anything : found->second[i];
    if (!narrow(patterns.argument(pattern, i), part, scope)) return false;
  }
  return true;
}

// Semijoin: keeps the values with which some row of a static relation joins.
bool Domains::narrow_rows(const EngineLiteral& literal, Scope& scope) const {
  const Relation& tuples = *engine_.relations[literal.relation.value].tuples;
  if (literal.arguments.size() < 2 || tuples.size() > kGroundLimits.domain_rows) return true;
  const Terms& terms = engine_.program.patterns.terms;
  std::vector<Domain> kept(literal.arguments.size());
  effort_.spend(tuples.size());
  for (std::uint32_t row = 0; row < tuples.size(); ++row) {
    const std::uint32_t* const values = tuples.row(row);
    bool joins = true;
    for (std::uint32_t c = 0; joins && c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      if (p.is_ground()) joins = p.term().value == values[c];
      if (p.is_variable()) joins = scope.values[p.number()].contains(terms, TermId(values[c]));
    }
    if (!joins) continue;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
      if (literal.arguments[c].is_variable()) kept[c].insert(terms, TermId(values[c]));
  }
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    const Pattern p = literal.arguments[c];
    if (p.is_variable() && !narrow(p, kept[c], scope)) return false;
  }
  return true;
}

void Domains::visit(std::uint32_t index) {
  Scope scope;
  if (!pass(engine_.rule(index), false, scope, [&](const EngineLiteral& literal) { want(literal, scope); })) return;
  // Copies the head, because new shapes may add rules, which moves them.
  const EngineLiteral head = engine_.rule(index).head;
  widen_head(head, scope);
}

void Domains::want(const EngineLiteral& literal, const Scope& scope) {
  if (!literal.relation.valid() || wanted_whole(literal.relation)) return;
  bool grown = !reached_[literal.relation.value];
  reached_[literal.relation.value] = true;
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
    grown = wanted_[literal.relation.value][c].merge(domain_of(literal.arguments[c], scope)) || grown;
  if (grown) changed(definers_[literal.relation.value]);
}

void Domains::widen_head(const EngineLiteral& head, const Scope& scope) {
  if (head.relation.valid()) {
    bool grown = false;
    for (std::uint32_t c = 0; c < head.arguments.size(); ++c)
      grown = columns_[head.relation.value][c].merge(domain_of(head.arguments[c], scope)) || grown;
    if (grown) changed(readers_[head.relation.value]);
    return;
  }
  // If the head is a variable, its terms go to the relations of their functors.
  const bool move = head.kind == RelationInfo::Kind::move;
  const Domain terms = domain_of(head.arguments.back(), scope);
  const Domain role = domain_of(head.arguments[0], scope);
  complete_ = complete_ && !terms.unbounded();
  const auto widen = [&](RelId shape, std::span<const Domain> arguments) {
    add_relations();
    std::vector<Domain>& columns = columns_[shape.value];
    bool grown = move && columns[0].merge(role);
    for (std::size_t i = 0; i < arguments.size(); ++i) grown = columns[i + (move ? 1 : 0)].merge(arguments[i]) || grown;
    if (grown) changed(readers_[shape.value]);
  };
  for (const std::uint32_t term : terms.constants())
    widen(engine_.shape(head.kind, engine_.program.patterns.terms.symbol(TermId(term)), 0), {});
  for (const auto& [functor, parts] : terms.compounds())
    widen(engine_.shape(head.kind, functor.first, functor.second), parts);
}

// The domain of a pattern; unbounded where a variable is not bound yet.
Domain Domains::domain_of(Pattern pattern, const Scope& scope) const {
  const Patterns& patterns = engine_.program.patterns;
  Domain result;
  if (pattern.is_variable()) {
    if (scope.known[pattern.number()]) return scope.values[pattern.number()];
    result.make_unbounded();
    return result;
  }
  if (pattern.is_ground()) {
    result.insert(patterns.terms, pattern.term());
    return result;
  }
  std::vector<Domain> parts;
  for (std::uint32_t i = 0; i < patterns.arity(pattern); ++i)
    parts.push_back(domain_of(patterns.argument(pattern, i), scope));
  result.merge_compound(patterns.symbol(pattern), parts);
  return result;
}

void Domains::changed(const std::vector<std::uint32_t>& rules) {
  effort_.spend(rules.size());
  for (const std::uint32_t rule : rules) {
    if (queued_[rule - first_]) continue;
    queued_[rule - first_] = true;
    open_.push_back(rule);
  }
}

}  // namespace rgtrans::gdl
