#include "frontends/gdl/lifted/model.hpp"

#include <algorithm>
#include <set>

#include "core/support/components.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

Model::Model(Program& program, Unground& unground) : program_(program), unground_(unground), joins_(program, unground) {
  if (!unground.domains->usable() || !unground.domains->complete()) throw NotLifted{"columns without bound"};
  find_needed();
  find_components();
  collect_arguments();
}

std::string Model::name(RelId relation) const {
  const RelationInfo& r = info(relation);
  if (r.kind != RelationInfo::Kind::ordinary) return program_.symbols.str(r.functor);
  return program_.symbols.str(program_[r.predicate].name);
}

LiteralKind Model::kind(const EngineLiteral& literal) const {
  if (!literal.relation.valid()) {
    if (literal.kind != RelationInfo::Kind::ordinary) throw NotLifted{"a whole fact or move is a variable"};
    return LiteralKind::distinct;
  }
  if (literal.derived) return LiteralKind::derived;
  if (literal.kind == RelationInfo::Kind::fact) return LiteralKind::fact;
  if (literal.kind == RelationInfo::Kind::move) return LiteralKind::does;
  return info(literal.relation).dynamic ? LiteralKind::derived : LiteralKind::fixed;
}

const std::vector<LiftedRule>& Model::rules(RelKey key) const {
  static const std::vector<LiftedRule> kNone;
  const auto found = rules_.find(key);
  return found == rules_.end() ? kNone : found->second;
}

std::optional<std::uint32_t> Model::frame_literal(const EngineRule& rule) {
  const EngineLiteral& head = rule.head;
  for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
    const EngineLiteral& l = rule.body[i];
    const bool fact = !l.negated && !l.derived && l.kind == RelationInfo::Kind::fact;
    if (fact && l.relation == head.relation && l.arguments == head.arguments) return i;
  }
  return std::nullopt;
}

RelId Model::keyword(Keyword keyword) const {
  const PredId predicate = program_.find_keyword(keyword);
  if (!predicate.valid()) return {};
  for (std::uint32_t r = 0; r < unground_.engine().relations.size(); ++r) {
    const RelationInfo& i = info(RelId(r));
    if (i.kind == RelationInfo::Kind::ordinary && i.predicate == predicate) return RelId(r);
  }
  return {};
}

// Keeps a rule that can fire. Expansion replaces (does r ?m) by a rule for each move of any role, and role r has only
// some of these moves.
void Model::take_rule(const EngineRule& rule) {
  if (!unground_.domains->can_fire(rule)) return;
  std::vector<Domain> domains = unground_.domains->variables(rule);
  // Ignores a variable for a whole fact, which does not occur in the variants of its rule.
  for (std::uint32_t v = 0; v < domains.size(); ++v) {
    const auto here = [&](const EngineLiteral& literal) { return literal.mentions(Pattern::variable(v)); };
    if (!here(rule.head) && std::ranges::none_of(rule.body, here)) domains[v].insert_constant(0);
  }
  if (std::ranges::any_of(domains, &Domain::empty)) return;
  if (!rule.flat()) throw NotLifted{"nested terms with variables"};
  for (const EngineLiteral& literal : rule.body)
    if (kind(literal) == LiteralKind::fixed && info(literal.relation).tuples->size() > kFormLimits.fixed_tuples)
      throw NotLifted{"too many tuples in '" + name(literal.relation) + "'"};
  LiftedRule lifted{&rule, {}};
  for (const Domain& domain : domains) lifted.sorts.push_back(of_domain(domain, name(rule.head.relation)));
  rules_[key(rule.head)].push_back(std::move(lifted));
}

void Model::find_needed() {
  std::map<RelKey, std::vector<const EngineRule*>> by_head;
  for (const EngineRule& rule : unground_.rules()) {
    if (!rule.head.relation.valid()) throw NotLifted{"a whole fact or move is a variable"};
    by_head[key(rule.head)].push_back(&rule);
  }
  const auto shapes = engine().shapes(RelationInfo::Kind::move);
  moves_.assign(shapes.begin(), shapes.end());
  std::vector<RelKey> open;
  std::set<RelKey> seen;
  const auto need = [&](RelKey k) {
    if (seen.insert(k).second) open.push_back(k);
  };
  for (const RelId move : moves_) need({move, true});
  for (const Keyword k : {Keyword::terminal, Keyword::goal})
    if (const RelId relation = keyword(k); relation.valid()) need({relation, true});
  while (!open.empty()) {
    const RelKey k = open.back();
    open.pop_back();
    for (const EngineRule* rule : by_head[k]) {
      const auto before = rules_[k].size();
      take_rule(*rule);
      if (rules_[k].size() == before) continue;
      for (const EngineLiteral& literal : rule->body) {
        const LiteralKind what = kind(literal);
        if (what == LiteralKind::derived) need(key(literal));
        if (what != LiteralKind::fact) continue;
        if (seen.insert({literal.relation, false}).second) facts_.push_back(literal.relation);
        need({literal.relation, true});
      }
    }
  }
}

void Model::add_mover(RelId shape, RelId scalar, std::uint32_t column, bool always) {
  if (always) always_[shape] = {scalar, column};
  const auto equals_scalar = [&](const EngineLiteral& l, Pattern role) {
    return !l.negated && kind(l) == LiteralKind::fact && l.relation == scalar && l.arguments[column] == role;
  };
  for (auto& [k, list] : rules_) {
    for (LiftedRule& rule : list) {
      const auto& body = rule.rule->body;
      const auto does = std::ranges::find_if(body, [&](const EngineLiteral& l) {
        return !l.negated && kind(l) == LiteralKind::does && l.relation == shape &&
               (always || l.arguments[0].is_variable());
      });
      if (does == body.end()) continue;
      const Pattern role = does->arguments[0];
      if (std::ranges::any_of(body, [&](const EngineLiteral& l) { return equals_scalar(l, role); })) continue;
      Rule& source = sources_.emplace_back(*rule.rule->source);
      EngineRule& made = longer_.emplace_back(*rule.rule);
      made.source = &source;
      EngineLiteral literal{scalar, RelationInfo::Kind::fact, false, true, false, {}};
      for (std::uint32_t c = 0; c < info(scalar).tuples->arity(); ++c) {
        literal.arguments.push_back(c == column ? role : Pattern::variable(made.variables));
        if (c == column) continue;
        source.variables.resize(made.variables, source.variables.empty() ? SymbolId(0U) : source.variables[0]);
        source.variables.push_back(program_.symbols.intern("any"));
        rule.sorts.push_back(this->column(scalar, c));
        ++made.variables;
      }
      made.body.push_back(std::move(literal));
      rule.rule = &made;
    }
  }
}

void Model::find_components() {
  std::map<RelKey, std::uint32_t> number;
  std::vector<RelKey> keys;
  for (const auto& [k, list] : rules_) {
    number.emplace(k, static_cast<std::uint32_t>(keys.size()));
    keys.push_back(k);
  }
  Arcs arcs;
  const auto for_each_use = [&](auto&& f) {
    for (const auto& [k, list] : rules_)
      for (const LiftedRule& rule : list)
        for (const EngineLiteral& literal : rule.rule->body)
          if (kind(literal) == LiteralKind::derived && number.contains(key(literal))) f(k, key(literal));
  };
  for_each_use([&](RelKey from, RelKey to) { arcs.emplace_back(number[from], number[to]); });
  const std::vector<std::uint32_t> component = strong_components(keys.size(), arcs).of;
  for (std::size_t i = 0; i < keys.size(); ++i) component_[keys[i]] = component[i];
  for_each_use([&](RelKey from, RelKey to) {
    if (component_[from] == component_[to]) recursive_[from] = recursive_[to] = true;
  });
}

bool Model::same_component(RelKey a, RelKey b) const {
  const auto i = component_.find(a);
  const auto j = component_.find(b);
  return i != component_.end() && j != component_.end() && i->second == j->second;
}

void Model::collect_arguments() {
  const auto widen = [&](RelKey k, std::uint32_t c, SortId with) {
    std::vector<SortId>& list = arguments_[k];
    list.resize(std::max<std::size_t>(list.size(), c + 1));
    list[c] = list[c].valid() ? unite(list[c], with) : with;
  };
  for (const auto& [k, list] : rules_) {
    for (const LiftedRule& rule : list) {
      for (const EngineLiteral& literal : rule.rule->body) {
        if (kind(literal) != LiteralKind::derived) continue;
        for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
          const Pattern p = literal.arguments[c];
          widen(key(literal), c, p.is_ground() ? single(p.term()) : rule.sorts[p.number()]);
        }
      }
    }
  }
}

SortId Model::of_domain(const Domain& domain, const std::string& what) {
  auto list = domain.enumerate(program_.patterns.terms, kLiftedLimits.sort_values);
  if (!list) throw NotLifted{"too many values in '" + what + "'"};
  return sort(std::move(*list));
}

SortId Model::column(RelId relation, std::uint32_t c) {
  return of_domain(unground_.domains->column(relation, c), name(relation));
}

EngineLiteral Model::relate(const StaticJoins::Tuple& variables, const std::set<StaticJoins::Tuple>& tuples,
                            const std::string& name) {
  EngineLiteral literal = joins_.literal_of(variables, tuples, name);
  unground_.domains->add_relations();
  return literal;
}

SortId Model::argument(RelKey k, std::uint32_t c) {
  const auto found = arguments_.find(k);
  return found == arguments_.end() || c >= found->second.size() ? SortId() : found->second[c];
}

}  // namespace rgtrans::gdl::lifted
