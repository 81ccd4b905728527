#include "frontends/gdl/ground/grounder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontends/gdl/ground/split.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"

namespace rgtrans::gdl {

namespace {

using RelationKind = RelationInfo::Kind;

// Thrown if a state-independent component has too many tuples.
struct TooManyFixed {
  std::uint32_t component;
};

class Grounder {
 public:
  // The predicates `asked` are left unevaluated, although they do not depend on the state.
  Grounder(Program& program, const GroundOptions& options, Diagnostics& diagnostics, std::vector<PredId> asked = {})
      : program_(program), options_(options), diagnostics_(diagnostics), asked_(std::move(asked)) {
    EngineLimits limits;
    limits.max_rules = options.max_rules;
    limits.max_memory = options.max_memory;
    limits.max_seconds = options.max_seconds;
    limits.since = options.since;
    limits.max_steps = options.max_steps;
    for (std::uint32_t t = 0; t < program.patterns.terms.size(); ++t)
      deepest_ = std::max(deepest_, program.patterns.terms.depth(TermId(t)));
    limits.max_depth = std::max(limits.max_depth, deepest_ + 20);
    raw_.engine = std::make_unique<Engine>(program, limits);
  }

  RawGround run() try {
    classify();
    if (diagnostics_.has_errors()) return std::move(raw_);
    load_facts();
    evaluate_static();
    evaluate_dynamic();
    return std::move(raw_);
  } catch (const GroundingStopped& stop) {
    diagnostics_.error(stop.where, stop.message, stop.hint);
    return std::move(raw_);
  } catch (const TooManyFixed& found) {
    const PredId p(static_cast<std::uint32_t>(std::ranges::find(component_, found.component) - component_.begin()));
    diagnostics_.error(program_[p].where, fmt::format("'{}' has more than {} tuples",
                                                      program_.symbols.str(program_[p].name), options_.most_fixed));
    return std::move(raw_);
  }

  // None if some relation exceeds the limit; its component is then appended to `asked`.
  std::optional<Unground> prepare(std::vector<PredId>& asked) {
    Unground result;
    try {
      classify();
      if (diagnostics_.has_errors()) return result;
      load_facts();
      evaluate_static();
      result.first = add_dynamic_rules();
      result.domains = std::make_unique<Domains>(engine(), result.first);
      engine().on_new_shape = nullptr;
      result.component = component_;
    } catch (const GroundingStopped& stop) {
      diagnostics_.error(stop.where, stop.message, stop.hint);
    } catch (const TooManyFixed& found) {
      for (std::uint32_t p = 0; p < component_.size(); ++p)
        if (component_[p] == found.component) asked.emplace_back(p);
      return std::nullopt;
    }
    result.raw = std::move(raw_);
    return result;
  }

 private:
  [[nodiscard]] Keyword keyword(PredId id) const { return program_[id].keyword; }

  // --- Strata. ---
  void classify() {
    const std::size_t count = program_.predicates.size();
    Components found = PredicateGraph(program_).components();
    component_ = std::move(found.of);
    components_ = found.count;
    dynamic_.assign(count, false);
    recursive_.assign(components_, false);
    for (std::size_t p = 0; p < count; ++p) {
      const Keyword k = program_.predicates[p].keyword;
      dynamic_[p] = k == Keyword::fact || k == Keyword::does || k == Keyword::next || k == Keyword::legal ||
                    k == Keyword::goal || k == Keyword::terminal || k == Keyword::sees;
    }
    // A static component that negates itself may still be stratified atom by atom, so the ground program decides.
    std::vector<const Rule*> unstratified(components_);
    for (const Rule& rule : program_.rules) {
      const std::uint32_t head = component_[rule.head.predicate.value];
      for (const Literal& literal : rule.body) {
        if (component_[literal.predicate.value] != head) continue;
        recursive_[head] = true;
        if (literal.negated) unstratified[head] = &rule;
      }
    }
    for (std::size_t p = 0; p < count; ++p)
      if (unstratified[component_[p]] != nullptr) dynamic_[p] = true;
    for (const PredId p : asked_) dynamic_[p.value] = true;
    // Components are numbered bodies first.
    rules_of_.resize(components_);
    for (const Rule& rule : program_.rules) rules_of_[component_[rule.head.predicate.value]].push_back(&rule);
    std::vector<bool> dynamic_component(components_);
    for (std::size_t p = 0; p < count; ++p)
      if (dynamic_[p]) dynamic_component[component_[p]] = true;
    for (std::uint32_t c = 0; c < components_; ++c) {
      for (const Rule* rule : rules_of_[c])
        for (const Literal& literal : rule->body)
          if (dynamic_component[component_[literal.predicate.value]]) dynamic_component[c] = true;
    }
    for (std::size_t p = 0; p < count; ++p) {
      dynamic_[p] = dynamic_component[component_[p]];
      const Keyword k = program_.predicates[p].keyword;
      if (dynamic_[p] && (k == Keyword::init || k == Keyword::role)) {
        const Rule* rule = unstratified_below(unstratified);
        if (rule == nullptr) {
          diagnostics_.error(program_.predicates[p].where,
                             "the initial state depends on a relation with too many tuples");
        } else {
          diagnostics_.error(rule->where, "the initial state depends on a negation through recursion",
                             "a relation must not depend on its own negation");
        }
      }
    }
  }
  static const Rule* unstratified_below(const std::vector<const Rule*>& rules) {
    const auto found = std::ranges::find_if(rules, [](const Rule* r) { return r != nullptr; });
    return found == rules.end() ? nullptr : *found;
  }

  // --- Static part. ---
  void load_facts() {
    for (const Fact& fact : program_.facts) {
      if (dynamic_[fact.predicate.value]) continue;
      tuple_.clear();
      for (const TermId t : program_.arguments(fact)) tuple_.push_back(t.value);
      engine().insert(engine().ordinary(fact.predicate, false), tuple_.data());
    }
  }

  void evaluate_static() {
    for (std::uint32_t p = 0; p < program_.predicates.size(); ++p) {
      if (dynamic_[p]) continue;
      RelationInfo& info = engine().relations[engine().ordinary(PredId(p), false).value];
      if (rules_of_[component_[p]].empty()) info.tuples->delta_end = info.tuples->size();
    }
    std::vector<std::vector<PredId>> members(components_);
    for (std::uint32_t p = 0; p < program_.predicates.size(); ++p)
      if (!dynamic_[p]) members[component_[p]].push_back(PredId(p));
    for (std::uint32_t c = 0; c < components_; ++c) {
      if (members[c].empty() || rules_of_[c].empty()) continue;
      std::vector<RelId> growing;
      for (const PredId p : members[c]) growing.push_back(engine().ordinary(p, false));
      engine().open_component(growing, recursive_[c]);
      const auto first = static_cast<std::uint32_t>(engine().rule_count());
      for (const Rule* rule : rules_of_[c]) engine().add_rule(compile(*rule));
      if (options_.most_fixed > 0 && !recursive_[c]) watch(growing);
      try {
        engine().complete_component(first, growing);
      } catch (const BudgetSpent&) {
        throw TooManyFixed{c};
      }
      engine().set_budget(0, nullptr);
    }
  }
  // Checks the number of tuples from time to time.
  void watch(const std::vector<RelId>& growing) {
    engine().set_budget(kGroundLimits.watched, [this, growing] {
      const bool many = std::ranges::any_of(
          growing, [&](RelId id) { return engine().relations[id.value].tuples->size() > options_.most_fixed; });
      if (!many) watch(growing);
      return many;
    });
  }
  RelationInfo& info_of(PredId p) { return engine().relations[engine().ordinary(p, dynamic_[p.value]).value]; }

  // --- Dynamic part. ---
  // Returns the index of the first dynamic rule. During evaluation, new shapes of facts and moves add variants.
  std::uint32_t add_dynamic_rules() {
    for (std::uint32_t p = 0; p < program_.predicates.size(); ++p) {
      const Keyword k = program_.predicates[p].keyword;
      if (!dynamic_[p] || k == Keyword::fact || k == Keyword::does || k == Keyword::next || k == Keyword::legal)
        continue;
      info_of(PredId(p)).recursive = true;
      info_of(PredId(p)).cyclic = recursive_[component_[p]];
    }
    const PredId legal = program_.find_keyword(Keyword::legal);
    raw_.legal_cyclic = legal.valid() && recursive_[component_[legal.value]];
    load_initial();
    const auto first = static_cast<std::uint32_t>(engine().rule_count());
    add_dynamic_facts();
    const std::size_t rules = program_.rules.size();
    for (std::size_t r = 0; r < rules; ++r) {
      const Rule& rule = program_.rules[r];
      if (!dynamic_[rule.head.predicate.value]) continue;
      if (std::ranges::any_of(rule.body, [&](const Literal& l) { return is_open(l); })) {
        open_rules_.push_back(&rule);
      } else {
        engine().add_rule(compile(rule));
      }
    }
    const auto expand = [this](RelId) {
      for (std::size_t i = 0; i < open_rules_.size(); ++i) add_variants(*open_rules_[i], open_rules_[i], {});
    };
    engine().on_new_shape = expand;
    expand({});
    return first;
  }

  void evaluate_dynamic() {
    const std::uint32_t first = add_dynamic_rules();
    std::vector<EngineRule> split;
    engine().set_budget(std::min(kGroundLimits.unsplit, options_.max_rules), [&] {
      split = split_rules(first);
      return !split.empty();
    });
    try {
      evaluate_from(first);
    } catch (const BudgetSpent&) {
      restart(first, std::move(split));
    }
    engine().on_new_shape = nullptr;
  }

  void evaluate_from(std::uint32_t first) {
    std::vector<RelId> growing;
    for (std::uint32_t id = 0; id < engine().relations.size(); ++id)
      if (engine().relations[id].recursive) growing.emplace_back(id);
    engine().evaluate(first, growing);
  }

  // The rules from `first` on, with large ones split; empty if none is split or restricted.
  std::vector<EngineRule> split_rules(std::uint32_t first) {
    Domains domains(engine(), first);
    if (!domains.usable()) return {};
    DomainRelations domain_relations(engine());
    Splitter splitter(engine(), domains, domain_relations);
    std::vector<EngineRule> result;
    bool any = false;
    for (std::uint32_t r = first; r < engine().rule_count(); ++r) {
      EngineRule rule = engine().rule(r).unplanned();
      const std::size_t literals = rule.body.size();
      const bool wanted = restrict_to_demand(rule, domains, domain_relations);
      any = any || !wanted || rule.body.size() > literals;
      if (!wanted) continue;
      domains.add_relations();
      if (splitter.plan(rule)) {
        any = true;
        splitter.apply(is_cyclic(rule.head), result);
      } else {
        result.push_back(std::move(rule));
      }
    }
    if (!any) result.clear();
    return result;
  }

  [[nodiscard]] bool is_cyclic(const EngineLiteral& head) {
    if (head.kind != RelationKind::ordinary)
      return head.derived && head.kind == RelationKind::move && raw_.legal_cyclic;
    return engine().relations[head.relation.value].cyclic;
  }

  // Restarts the dynamic part with other rules.
  void restart(std::uint32_t first, std::vector<EngineRule> rules) {
    engine().restart(first);
    raw_.initial.clear();
    load_initial();
    std::vector<bool> added(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const RelId head = rules[i].head.relation;
      if (!head.valid() || engine().relations[head.value].dynamic) continue;
      const auto at = static_cast<std::uint32_t>(engine().rule_count());
      engine().add_rule(std::move(rules[i]));
      added[i] = true;
      engine().evaluate(at, {});
      engine().relations[head.value].tuples->settle();
    }
    first = static_cast<std::uint32_t>(engine().rule_count());
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (!added[i]) engine().add_rule(std::move(rules[i]));
    evaluate_from(first);
  }

  void load_initial() {
    const PredId init = program_.find_keyword(Keyword::init);
    if (!init.valid()) return;
    const Relation& relation = *info_of(init).tuples;
    const Terms& terms = program_.patterns.terms;
    for (std::uint32_t row = 0; row < relation.size(); ++row) {
      const TermId term(*relation.row(row));
      const RelId shape = engine().shape(RelationKind::fact, terms.symbol(term), terms.arity(term));
      tuple_.clear();
      for (const TermId t : terms.arguments(term)) tuple_.push_back(t.value);
      const std::uint32_t at = engine().insert(shape, tuple_.data());
      raw_.initial.push_back(engine().relations[shape.value].atoms[at]);
    }
  }

  // Adds heads without a body, such as (legal robot noop).
  void add_dynamic_facts() {
    for (const Fact& fact : program_.facts) {
      if (!dynamic_[fact.predicate.value]) continue;
      Rule& rule = raw_.variants.emplace_back();
      rule.where = fact.where;
      rule.head.predicate = fact.predicate;
      for (const TermId t : program_.arguments(fact)) rule.head.arguments.push_back(Pattern::ground(t));
      engine().add_rule(compile(rule));
    }
  }

  // A positive `true`, `does` or `legal` whose fact or move is a variable abbreviates one literal per shape.
  [[nodiscard]] bool is_open(const Literal& literal) const {
    const Keyword k = keyword(literal.predicate);
    if (literal.negated || (k != Keyword::fact && k != Keyword::does && k != Keyword::legal)) return false;
    return literal.arguments.back().is_variable();
  }

  // `shapes` are the choices made so far for the open literals of `origin`.
  void add_variants(const Rule& rule, const Rule* origin, const std::vector<std::uint32_t>& shapes) {
    const auto open = std::ranges::find_if(rule.body, [&](const Literal& l) { return is_open(l); });
    if (open == rule.body.end()) {
      if (done_.insert({origin, shapes}).second) {
        raw_.variants.push_back(rule);
        engine().add_rule(compile(raw_.variants.back()));
      }
      return;
    }
    const RelationKind kind = keyword(open->predicate) == Keyword::fact ? RelationKind::fact : RelationKind::move;
    const std::uint32_t variable = open->arguments.back().number();
    const std::vector<RelId> choices(engine().shapes(kind).begin(), engine().shapes(kind).end());
    for (const RelId choice : choices) {
      const RelationInfo& info = engine().relations[choice.value];
      const std::uint32_t arity = info.tuples->arity() - (kind == RelationKind::move ? 1 : 0);
      Rule variant = rule;
      std::vector<Pattern> arguments;
      for (std::uint32_t i = 0; i < arity; ++i) {
        arguments.push_back(Pattern::variable(static_cast<std::uint32_t>(variant.variables.size())));
        variant.variables.push_back(variant.variables[variable]);
      }
      const Pattern term = program_.patterns.make(info.functor, arguments);
      const auto replace = [&](Literal& literal) {
        for (Pattern& p : literal.arguments)
          p = program_.patterns.substitute(
              p, [&](std::uint32_t v) { return v == variable ? term : Pattern::variable(v); });
      };
      replace(variant.head);
      for (Literal& literal : variant.body) replace(literal);
      std::vector<std::uint32_t> chosen = shapes;
      chosen.push_back(choice.value);
      add_variants(variant, origin, chosen);
    }
  }

  // --- Rules for the engine. ---
  EngineRule compile(const Rule& rule) {
    EngineRule result;
    result.source = &rule;
    result.variables = static_cast<std::uint32_t>(rule.variables.size());
    result.head = compile(rule.head);
    for (const Literal& literal : rule.body) result.body.push_back(compile(literal));
    return result;
  }

  EngineLiteral compile(const Literal& literal) {
    EngineLiteral result;
    const Keyword k = keyword(literal.predicate);
    result.negated = literal.negated;
    result.where = literal.where;
    result.arguments = literal.arguments;
    if (k == Keyword::distinct) return result;
    result.dynamic = dynamic_[literal.predicate.value];
    if (k == Keyword::fact || k == Keyword::next) result.kind = RelationKind::fact;
    if (k == Keyword::does || k == Keyword::legal) result.kind = RelationKind::move;
    result.derived = k == Keyword::next || k == Keyword::legal;
    if (result.kind == RelationKind::ordinary) {
      result.relation = engine().ordinary(literal.predicate, result.dynamic);
      return result;
    }
    const Pattern term = literal.arguments.back();
    if (term.is_variable()) return result;
    const Patterns& patterns = program_.patterns;
    result.arguments.pop_back();
    for (std::uint32_t i = 0; i < patterns.arity(term); ++i) result.arguments.push_back(patterns.argument(term, i));
    result.relation = engine().shape(result.kind, patterns.symbol(term), patterns.arity(term));
    return result;
  }

  Engine& engine() { return *raw_.engine; }

  Program& program_;
  const GroundOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<PredId> asked_;
  RawGround raw_;
  std::uint32_t deepest_ = 0;
  std::vector<std::uint32_t> component_;
  std::uint32_t components_ = 0;
  std::vector<bool> dynamic_;
  std::vector<bool> recursive_;  // per component
  std::vector<std::vector<const Rule*>> rules_of_;
  std::vector<const Rule*> open_rules_;
  std::set<std::pair<const Rule*, std::vector<std::uint32_t>>> done_;
  std::vector<std::uint32_t> tuple_;
};

}  // namespace

Rule& Unground::source_like(const Rule& source, std::uint32_t variables) {
  Rule& made = raw.variants.emplace_back(source);
  made.variables.resize(variables, source.variables.empty() ? SymbolId(0U) : source.variables[0]);
  return made;
}

Unground::Before Unground::replace_rules(std::vector<EngineRule> rules) {
  const auto end = static_cast<std::uint32_t>(engine().rule_count());
  for (EngineRule& rule : rules) engine().add_rule(std::move(rule));
  return {std::exchange(first, end), std::exchange(domains, std::make_unique<Domains>(engine(), end))};
}

void Unground::take_back(Before before) {
  engine().forget_rules(std::exchange(first, before.first));
  domains = std::move(before.domains);
  domains->add_relations();
}

Unground prepare(Program& program, const GroundOptions& options, Diagnostics& diagnostics) {
  std::vector<PredId> asked;
  for (;;)
    if (auto result = Grounder(program, options, diagnostics, asked).prepare(asked)) return std::move(*result);
}

RawGround instantiate(Program& program, const GroundOptions& options, Diagnostics& diagnostics) {
  return Grounder(program, options, diagnostics).run();
}

}  // namespace rgtrans::gdl
