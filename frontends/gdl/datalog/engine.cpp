// Executes join plans and runs the rounds of semi-naive evaluation.
#include "frontends/gdl/datalog/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

Engine::Engine(Program& p, EngineLimits limits) : program(p), limits_(std::move(limits)) {
  next_check_ = std::min(kCheckInterval, limits_.max_rules);
}

RelId Engine::ordinary(PredId predicate, bool dynamic) {
  if (ordinary_.size() <= predicate.value) ordinary_.resize(predicate.value + 1);
  RelId& id = ordinary_[predicate.value];
  if (!id.valid()) {
    id = RelId(relations.size());
    RelationInfo& info = relations.emplace_back();
    info.predicate = predicate;
    info.dynamic = dynamic;
    info.tuples = std::make_unique<Relation>(program[predicate].arity);
  }
  return id;
}

RelId Engine::shape(RelationInfo::Kind kind, SymbolId functor, std::uint32_t arity) {
  std::vector<RelId>& list = kind == RelationInfo::Kind::fact ? fact_shapes_ : move_shapes_;
  const std::uint32_t columns = arity + (kind == RelationInfo::Kind::move ? 1 : 0);
  RelId& known = shape_index_[{kind, functor, arity}];
  if (known.valid()) return known;
  known = RelId(relations.size());
  const RelId id(relations.size());
  RelationInfo& info = relations.emplace_back();
  info.kind = kind;
  info.functor = functor;
  info.dynamic = true;
  info.recursive = true;
  info.tuples = std::make_unique<Relation>(columns);
  list.push_back(id);
  if (on_new_shape) on_new_shape(id);
  return id;
}

std::uint32_t Engine::insert(RelId relation, const std::uint32_t* tuple) {
  RelationInfo& info = relations[relation.value];
  const auto [row, fresh] = info.tuples->insert(tuple);
  if (fresh) touch(relation);
  if (fresh && info.dynamic) {
    info.atoms.push_back(static_cast<std::uint32_t>(atoms.size()));
    atoms.push_back({relation, row, false});
    if (info.kind != RelationInfo::Kind::ordinary) atoms.push_back({relation, row, false});
  }
  return row;
}

std::uint32_t Engine::atom_or_ghost(RelId relation, const std::uint32_t* tuple) {
  RelationInfo& info = relations[relation.value];
  if (const std::uint32_t row = info.tuples->find(tuple); row != kNone) return info.atoms[row];
  if (!info.ghosts) info.ghosts = std::make_unique<Relation>(info.tuples->arity());
  const auto [row, fresh] = info.ghosts->insert(tuple);
  if (fresh) {
    info.ghost_atoms.push_back(static_cast<std::uint32_t>(atoms.size()));
    atoms.push_back({relation, row, true});
    if (info.kind != RelationInfo::Kind::ordinary) atoms.push_back({relation, row, true});
  }
  return info.ghost_atoms[row];
}

std::set<std::uint32_t> EngineLiteral::variables() const {
  std::set<std::uint32_t> result;
  for (const Pattern p : arguments)
    if (p.is_variable()) result.insert(p.number());
  return result;
}

std::uint32_t Engine::add_rule(EngineRule rule) {
  const auto index = static_cast<std::uint32_t>(rules_.size());
  for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
    const EngineLiteral& literal = rule.body[i];
    if (literal.negated || !literal.relation.valid()) continue;
    RelationInfo& info = relations[literal.relation.value];
    if (!info.recursive) continue;
    const auto constant = std::ranges::find_if(literal.arguments, &Pattern::is_ground);
    if (constant == literal.arguments.end()) {
      info.triggers.push_back({index, i});
    } else {
      const auto column = static_cast<std::uint32_t>(constant - literal.arguments.begin());
      info.keyed_triggers[column][constant->term().value].push_back({index, i});
    }
  }
  rule.plans.resize(rule.body.size() + 1);
  rules_.push_back(std::move(rule));
  return index;
}

void Engine::touch(RelId relation) {
  RelationInfo& info = relations[relation.value];
  if (info.touched || !info.recursive) return;
  info.touched = true;
  touched_.push_back(relation);
}

// Advances the ranges: the delta becomes old, later tuples become the delta. False if there are none.
bool Engine::next_round() {
  for (const RelId id : active_) relations[id.value].tuples->old_end = relations[id.value].tuples->delta_end;
  active_.clear();
  std::swap(active_, touched_);
  for (const RelId id : active_) {
    RelationInfo& info = relations[id.value];
    info.touched = false;
    info.tuples->old_end = info.tuples->delta_end;
    info.tuples->delta_end = info.tuples->size();
    info.tuples->update_indexes();
  }
  return !active_.empty();
}

void Engine::run_triggers(const std::vector<RelationInfo::Trigger>& triggers, std::uint32_t rule_end) {
  for (std::size_t t = 0; t < triggers.size(); ++t) {
    const RelationInfo::Trigger trigger = triggers[t];
    if (trigger.rule < rule_end) execute(trigger.rule, trigger.literal);
  }
}

void Engine::open_component(std::span<const RelId> members, bool recursive) {
  for (const RelId id : members) relations[id.value].recursive = recursive;
}

void Engine::complete_component(std::uint32_t first, std::span<const RelId> members, std::uint32_t last) {
  evaluate(first, members, last);
  for (const RelId id : members) {
    relations[id.value].recursive = false;
    relations[id.value].tuples->settle();
  }
}

void Engine::evaluate(std::uint32_t first, std::span<const RelId> growing, std::uint32_t last) {
  for (const RelId id : growing)
    if (relations[id.value].tuples->size() > relations[id.value].tuples->delta_end) touch(id);
  std::uint32_t not_started = first;
  std::vector<std::uint32_t> values;
  const auto end = [&] { return std::min(last, static_cast<std::uint32_t>(rules_.size())); };
  while (next_round() || not_started < end()) {
    const std::uint32_t rule_end = end();
    const std::vector<RelId> active = active_;
    for (const RelId id : active) {
      RelationInfo& info = relations[id.value];
      run_triggers(info.triggers, not_started);
      for (auto& [column, by_value] : info.keyed_triggers) {
        values.clear();
        for (std::uint32_t row = info.tuples->old_end; row < info.tuples->delta_end; ++row)
          values.push_back(info.tuples->row(row)[column]);
        sort_unique(values);
        for (const std::uint32_t value : values) {
          const auto found = by_value.find(value);
          if (found != by_value.end()) run_triggers(found->second, not_started);
        }
      }
    }
    for (; not_started < rule_end; ++not_started) execute(not_started, rules_[not_started].body.size());
  }
}

void Engine::execute(std::uint32_t rule, std::size_t delta) {
  check_wanted();
  // A rule can only fire if every positive literal has tuples.
  for (const EngineLiteral& literal : rules_[rule].body) {
    if (!literal.negated && literal.relation.valid() && relations[literal.relation.value].tuples->size() == 0) return;
  }
  std::optional<Plan>& slot = rules_[rule].plans[delta];
  if (!slot || stale(rules_[rule], *slot)) slot = make_plan(rules_[rule], delta);
  // New shapes can add rules during the join, which moves the rules, so the join uses copies.
  Plan plan = std::move(*slot);
  EngineRule copy;
  EngineRule& r = rules_[rule];
  copy.head = r.head;
  copy.body = r.body;
  copy.variables = r.variables;
  copy.source = r.source;
  plan_ = &plan;
  rule_ = &copy;
  rule_index_ = rule;
  binding_.resize(std::max<std::size_t>(binding_.size(), plan.registers));
  matched_.resize(std::max(matched_.size(), copy.body.size()));
  run(0);
  plan_ = nullptr;
  rule_ = nullptr;
  rules_[rule].plans[delta] = std::move(plan);
}

namespace {

struct QueryStopped {};

// Compares two terms. A term that was never interned has no number, so both are compared argument by argument.
template <class Value>
bool same_terms(const Patterns& patterns, Pattern a, Pattern b, const Value& value) {
  const std::uint32_t one = value(a), other = value(b);
  if (one != kNone || other != kNone) return one == other;
  if (patterns.symbol(a) != patterns.symbol(b) || patterns.arity(a) != patterns.arity(b)) return false;
  for (std::uint32_t i = 0; i < patterns.arity(a); ++i)
    if (!same_terms(patterns, patterns.argument(a, i), patterns.argument(b, i), value)) return false;
  return true;
}

}  // namespace

int Engine::run(int level) {
  constexpr std::uint64_t kCancelInterval = 1U << 15U;  // tuples tried, a few milliseconds
  if (query_effort_ != nullptr) {
    if (!query_effort_->spend()) throw QueryStopped{};
  } else if (++steps_ >= next_step_check_) {
    check_limits();
  }
  if (steps_ % kCancelInterval == 0) check_wanted();
  if (static_cast<std::size_t>(level) == plan_->steps.size()) return emit();
  JoinStep& step = plan_->steps[static_cast<std::size_t>(level)];
  switch (step.kind) {
    case JoinStep::Kind::scan:
      return run_scan(step, level);
    case JoinStep::Kind::probe:
      return run_probe(step, level);
    case JoinStep::Kind::member:
    case JoinStep::Kind::absent: {
      for (std::size_t i = 0; i < step.key.size(); ++i) step.scratch[i] = value(step.key[i].pattern);
      const std::uint32_t row = step.relation->find(step.scratch.data());
      if (step.kind == JoinStep::Kind::absent) return row == kNone ? run(level + 1) : kContinue;
      const std::uint32_t end = step.limit == JoinStep::Limit::old ? step.relation->old_end : step.relation->delta_end;
      if (row >= end || (step.limit == JoinStep::Limit::delta && row < step.relation->old_end)) return kContinue;
      matched_[step.literal] = row;
      return run(level + 1);
    }
    case JoinStep::Kind::distinct:
      return same_terms(program.patterns, step.key[0].pattern, step.key[1].pattern,
                        [this](Pattern p) { return value(p); })
                 ? kContinue
                 : run(level + 1);
  }
  return kContinue;
}

int Engine::run_scan(JoinStep& step, int level) {
  Relation& relation = *step.relation;
  const std::uint32_t begin = step.limit == JoinStep::Limit::delta ? relation.old_end : 0;
  const std::uint32_t end = step.limit == JoinStep::Limit::old ? relation.old_end : relation.delta_end;
  for (std::uint32_t row = begin; row < end; ++row) {
    if (!match(step, relation.row(row))) continue;
    matched_[step.literal] = row;
    if (const int to = run(level + 1); to < level) return to;
  }
  return kContinue;
}

int Engine::run_probe(JoinStep& step, int level) {
  Relation& relation = *step.relation;
  const std::uint32_t end = step.limit == JoinStep::Limit::old ? relation.old_end : relation.delta_end;
  for (std::size_t i = 0; i < step.key.size(); ++i) step.scratch[i] = value(step.key[i].pattern);
  for (std::uint32_t row = step.index->find(step.scratch.data()); row < end; row = step.index->next(row)) {
    if (!match(step, relation.row(row))) continue;
    matched_[step.literal] = row;
    if (const int to = run(level + 1); to < level) return to;
  }
  return kContinue;
}

bool Engine::match(const JoinStep& step, const std::uint32_t* row) {
  for (const JoinStep::Op& op : step.ops) {
    const std::uint32_t value = op.from_row ? row[op.from] : binding_[op.from];
    switch (op.kind) {
      case JoinStep::Op::Kind::bind:
        binding_[op.value] = value;
        break;
      case JoinStep::Op::Kind::same:
        if (binding_[op.value] != value) return false;
        break;
      case JoinStep::Op::Kind::constant:
        if (op.value != value) return false;
        break;
      case JoinStep::Op::Kind::expand: {
        const Terms& terms = program.patterns.terms;
        const TermId term(value);
        if (terms.symbol(term) != op.symbol || terms.arity(term) != op.arity) return false;
        const auto arguments = terms.arguments(term);
        for (std::uint32_t i = 0; i < op.arity; ++i) binding_[op.value + i] = arguments[i].value;
        break;
      }
    }
  }
  return true;
}

std::uint32_t Engine::value(Pattern pattern) const {
  if (pattern.is_ground()) return pattern.term().value;
  if (pattern.is_variable()) return binding_[pattern.number()];
  const Patterns& patterns = program.patterns;
  const std::uint32_t arity = patterns.arity(pattern);
  std::vector<TermId> arguments(arity);
  for (std::uint32_t i = 0; i < arity; ++i) {
    arguments[i] = TermId(value(patterns.argument(pattern, i)));
    if (!arguments[i].valid()) return kNone;
  }
  return patterns.terms.find(patterns.symbol(pattern), arguments).value;
}

std::uint32_t Engine::build(Pattern pattern) {
  if (pattern.is_ground()) return pattern.term().value;
  if (pattern.is_variable()) return binding_[pattern.number()];
  Patterns& patterns = program.patterns;
  const std::uint32_t arity = patterns.arity(pattern);
  std::vector<TermId> arguments(arity);
  for (std::uint32_t i = 0; i < arity; ++i) arguments[i] = TermId(build(patterns.argument(pattern, i)));
  const TermId term = patterns.terms.intern(patterns.symbol(pattern), arguments);
  if (patterns.terms.depth(term) > limits_.max_depth) {
    fail(fmt::format("this rule builds ever larger terms: one is nested {} levels deep", patterns.terms.depth(term)),
         "a recursive rule may only pass on values that some other sentence of its body bounds; " +
             limits::term_depth.advice());
  }
  return term.value;
}

std::pair<RelId, std::vector<std::uint32_t>> Engine::dispatch(const EngineLiteral& literal) {
  const std::uint32_t term = build(literal.arguments.back());
  const Terms& terms = program.patterns.terms;
  std::vector<std::uint32_t> tuple;
  if (literal.kind == RelationInfo::Kind::move) tuple.push_back(build(literal.arguments[0]));
  for (const TermId argument : terms.arguments(TermId(term))) tuple.push_back(argument.value);
  const RelId id = shape(literal.kind, terms.symbol(TermId(term)), terms.arity(TermId(term)));
  return {id, std::move(tuple)};
}

std::uint32_t Engine::head_row(RelId& relation) {
  const EngineLiteral& head = rule_->head;
  relation = head.relation;
  if (!relation.valid()) {
    auto [id, tuple] = dispatch(head);
    relation = id;
    return insert(relation, tuple.data());
  }
  tuple_.resize(head.arguments.size());
  for (std::size_t i = 0; i < head.arguments.size(); ++i) tuple_[i] = build(head.arguments[i]);
  return insert(relation, tuple_.data());
}

int Engine::emit() {
  if (found_ != nullptr) {
    tuple_.clear();
    for (const Pattern p : rule_->head.arguments) tuple_.push_back(value(p));
    found_->insert(tuple_);
    return plan_->emit_level;
  }
  RelId relation;
  const std::uint32_t row = head_row(relation);
  if (relations[relation.value].dynamic)
    emit_instance(relations[relation.value].atoms[row] + (rule_->head.derived ? 1 : 0));
  if (++emitted_ >= next_check_) check_limits();
  return plan_->emit_level;
}

std::optional<Engine::Tuples> Engine::query(const EngineRule& rule, Effort& effort) {
  check_wanted();
  std::set<std::uint32_t> bound, tested;
  for (const EngineLiteral& literal : rule.body) {
    const bool binds = !literal.negated && literal.relation.valid();
    (binds ? bound : tested).merge(literal.variables());
    if (literal.relation.valid()) relations[literal.relation.value].tuples->settle();
  }
  if (!std::ranges::includes(bound, tested)) return std::nullopt;
  Tuples found;
  Plan plan = make_plan(rule, rule.body.size());
  binding_.assign(std::max<std::size_t>(binding_.size(), plan.registers), kNone);
  matched_.resize(std::max(matched_.size(), rule.body.size()));
  std::tie(plan_, rule_, found_, query_effort_) = std::tuple(&plan, &rule, &found, &effort);
  bool complete = true;
  try {
    run(0);
  } catch (const QueryStopped&) {
    complete = false;
  }
  std::tie(plan_, rule_, found_, query_effort_) = std::tuple(nullptr, nullptr, nullptr, nullptr);
  return complete ? std::optional(std::move(found)) : std::nullopt;
}

void Engine::emit_instance(std::uint32_t head) {
  const std::size_t begin = ground.literals.size();
  for (std::size_t i = 0; i < rule_->body.size(); ++i) {
    const EngineLiteral& literal = rule_->body[i];
    if (!literal.dynamic) continue;
    std::uint32_t atom = 0;
    if (!literal.negated) {
      atom = relations[literal.relation.value].atoms[matched_[i]];
    } else if (literal.relation.valid()) {
      tuple_.resize(literal.arguments.size());
      for (std::size_t a = 0; a < literal.arguments.size(); ++a) tuple_[a] = build(literal.arguments[a]);
      atom = atom_or_ghost(literal.relation, tuple_.data());
    } else {
      const auto [id, tuple] = dispatch(literal);
      atom = atom_or_ghost(id, tuple.data());
    }
    atom += literal.derived ? 1 : 0;
    ground.literals.push_back(atom * 2 + (literal.negated ? 1 : 0));
  }
  const auto fresh = static_cast<std::uint32_t>(ground.heads.size());
  if (plan_->may_repeat) {
    const std::span<const std::uint32_t> body(ground.literals.data() + begin, ground.literals.size() - begin);
    std::uint64_t hash = combine_hash(rule_index_, head);
    for (const std::uint32_t l : body) hash = combine_hash(hash, l);
    const std::uint32_t found = repeats_.find_or_insert(hash, fresh, [&](std::uint32_t other) {
      return ground.heads[other] == head && ground.rule_of[other] == rule_index_ &&
             std::ranges::equal(ground.body(other), body);
    });
    if (found != fresh) {
      ground.literals.resize(begin);
      return;
    }
  }
  add_instance(head, rule_index_);
}

void Engine::add_instance(std::uint32_t head, std::uint32_t rule) {
  ground.heads.push_back(head);
  ground.ends.push_back(ground.literals.size());
  ground.rule_of.push_back(rule);
}

std::size_t Engine::memory() const {
  std::size_t bytes = ground.heads.capacity() * 16 + ground.literals.capacity() * 4 + atoms.capacity() * sizeof(Atom) +
                      program.patterns.terms.memory();
  for (const RelationInfo& info : relations) {
    bytes += info.tuples->memory() + (info.ghosts ? info.ghosts->memory() : 0) + info.atoms.capacity() * 4;
  }
  return bytes;
}

void Engine::check_limits() {
  check_budget();
  std::size_t tuples = 0;
  for (const RelationInfo& info : relations) tuples += info.tuples->size();
  if (ground.size() > limits_.max_rules) {
    fail(fmt::format("grounding gives more than {} rules; this rule is being instantiated", limits_.max_rules),
         "raise the limit with --limit gdl-rules=N, or split the rule so that fewer variables meet in one body");
  }
  // A growing vector doubles, so the check uses capacities.
  if (memory() > limits_.max_memory) {
    fail(fmt::format(
             "grounding needs more than {} MiB ({} ground rules, {} tuples so far); this rule is being instantiated",
             limits_.max_memory >> 20, ground.size(), tuples),
         "raise the limit with --limit gdl-memory=MIB");
  }
  if (limits_.max_steps > 0 && steps_ >= limits_.max_steps)
    fail(fmt::format("grounding tries more than {} tuples; this rule is being instantiated", limits_.max_steps), {});
  if (limits_.max_seconds > 0 && thread_seconds() - limits_.since >= static_cast<double>(limits_.max_seconds)) {
    fail(fmt::format("grounding takes longer than {} s ({} ground rules so far); this rule is being instantiated",
                     limits_.max_seconds, ground.size()),
         "allow more with --option max-seconds=N (in a batch it is six tenths of --timeout), or split the rule so that "
         "fewer variables meet in one body");
  }
  tell_phase(fmt::format("grounding, {} rules so far; this rule was being instantiated", ground.size()),
             rule_->source != nullptr ? rule_->source->where : Range{});
  next_check_ = emitted_ + std::min<std::uint64_t>(kCheckInterval, limits_.max_rules - ground.size() + 1);
  next_step_check_ = steps_ + kStepInterval;
  if (!limits_.on_budget) return;
  next_check_ = std::min(next_check_, emitted_ + (limits_.budget - ground.size()));
  next_step_check_ = std::min(next_step_check_, budget_steps_end_);
}

void Engine::check_budget() {
  if (!limits_.on_budget) return;
  if (ground.size() < limits_.budget && steps_ < budget_steps_end_) return;
  const std::function<bool()> ask = std::exchange(limits_.on_budget, nullptr);
  if (ask()) throw BudgetSpent{};
}

void Engine::set_budget(std::uint64_t budget, std::function<bool()> on_budget) {
  limits_.budget = budget;
  limits_.on_budget = std::move(on_budget);
  budget_steps_end_ = steps_ + budget * kStepsPerRule;
  next_check_ = std::min(next_check_, emitted_ + budget);
  next_step_check_ = std::min(next_step_check_, budget_steps_end_);
}

void Engine::restart(std::uint32_t first) {
  rules_.resize(first);
  atoms.clear();
  ground = {};
  repeats_ = {};
  touched_.clear();
  active_.clear();
  for (RelationInfo& info : relations) {
    if (!info.dynamic) continue;
    info.tuples = std::make_unique<Relation>(info.tuples->arity());
    info.ghosts.reset();
    info.atoms.clear();
    info.ghost_atoms.clear();
    info.triggers.clear();
    info.keyed_triggers.clear();
    info.touched = false;
  }
}

void Engine::fail(const std::string& message, const std::string& hint) const {
  throw GroundingStopped{rule_->source != nullptr ? rule_->source->where : Range{}, message, hint};
}

}  // namespace rgtrans::gdl
