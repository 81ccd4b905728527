#include "frontends/gdl/lifted/turns.hpp"

#include <algorithm>
#include <map>

namespace rgtrans::gdl::lifted {

namespace {

constexpr std::size_t kMaxValues = 64;

enum class Truth : std::uint8_t { no, maybe, yes };

class TurnSearch {
 public:
  TurnSearch(Model& model, const Dependencies& dependencies)
      : m_(model), dependencies_(dependencies), refuter_(model, dependencies) {}

  Turns run(bool keep_forced) {
    Turns best = phases_of({}, keep_forced);
    std::size_t most = forced_count(best);
    for (const RelId fact : m_.facts()) {
      const auto found = dependencies_.find(fact);
      if (found == dependencies_.end() || !found->second.key.empty() || found->second.values.size() != 1) continue;
      if (!walks_alone(fact)) continue;
      Turns turns = phases_of(fact, keep_forced);
      const std::size_t count = forced_count(turns);
      if (count <= most) continue;
      most = count;
      best = std::move(turns);
    }
    return best;
  }

 private:
  [[nodiscard]] static std::size_t forced_count(const Turns& turns) {
    // Per value of the scalar, so that longer counters do not win by their length.
    std::size_t count = 0;
    std::size_t values = 0;
    for (const Turns::Phase& phase : turns.phases) {
      const std::size_t weight = std::max<std::size_t>(1, phase.values.size());
      values += weight;
      for (const auto& move : phase.forced) count += move ? weight : 0;
    }
    return 1000 * count / std::max<std::size_t>(1, values);
  }

  // What a body says when the scalar has the value and nothing else is known; variables as bound.
  Truth truth(const LiftedRule& rule, std::vector<std::optional<std::uint32_t>> bound, RelId scalar,
              std::uint32_t value) {
    const auto get = [&](Pattern p) -> std::optional<std::uint32_t> {
      return p.is_ground() ? std::optional(p.term().value) : bound[p.number()];
    };
    for (std::size_t v = 0; v < rule.sorts.size(); ++v)
      if (m_.terms(rule.sorts[v]).size() == 1) bound[v] = m_.terms(rule.sorts[v])[0];
    for (const EngineLiteral& l : rule.rule->body) {
      if (l.negated || m_.kind(l) != LiteralKind::fact || l.relation != scalar || get(l.arguments[0])) continue;
      if (!m_.contains(rule.sorts[l.arguments[0].number()], value)) return Truth::no;
      bound[l.arguments[0].number()] = value;
    }
    Truth result = Truth::yes;
    for (const EngineLiteral& l : rule.rule->body) {
      const LiteralKind kind = m_.kind(l);
      std::vector<std::uint32_t> tuple;
      for (const Pattern p : l.arguments)
        if (const auto t = get(p)) tuple.push_back(*t);
      const bool known = tuple.size() == l.arguments.size();
      bool holds = false;
      if (kind == LiteralKind::distinct && known) {
        holds = tuple[0] != tuple[1];
      } else if (kind == LiteralKind::fixed && known) {
        holds = (m_.info(l.relation).tuples->find(tuple.data()) != kNoRow) != l.negated;
      } else if (kind == LiteralKind::fact && l.relation == scalar && known) {
        holds = (tuple[0] == value) != l.negated;
      } else {
        result = Truth::maybe;
        continue;
      }
      if (!holds) return Truth::no;
    }
    return result;
  }

  // Each value has exactly one next value, whatever else happens.
  bool walks_alone(RelId scalar) {
    const Relation& tuples = *m_.info(scalar).tuples;
    const SortId sort = m_.column(scalar, 0);
    if (tuples.size() != 1 || m_.terms(sort).size() > kMaxValues) return false;
    for (const std::uint32_t value : m_.terms(sort)) {
      std::size_t next = 0;
      std::vector<std::uint32_t> heads;
      for (const LiftedRule& rule : m_.rules({scalar, true})) {
        const Pattern head = rule.rule->head.arguments[0];
        const std::vector<std::uint32_t> choices =
            head.is_ground() ? std::vector<std::uint32_t>{head.term().value} : m_.terms(rule.sorts[head.number()]);
        for (const std::uint32_t choice : choices) {
          std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
          if (head.is_variable()) bound[head.number()] = choice;
          const Truth t = truth(rule, std::move(bound), scalar, value);
          if (t == Truth::maybe) return false;
          if (t == Truth::no || std::ranges::find(heads, choice) != heads.end()) continue;
          heads.push_back(choice);
          ++next;
        }
      }
      if (next != 1) return false;
    }
    return true;
  }

  // The move without arguments that is certainly legal for the role and the only one.
  std::optional<RelId> forced(std::uint32_t role, RelId scalar, std::uint32_t value) {
    std::optional<RelId> only;
    bool certain = false;
    for (const RelId shape : m_.moves()) {
      for (const LiftedRule& rule : m_.rules({shape, true})) {
        const Pattern head = rule.rule->head.arguments[0];
        if (head.is_ground() ? head.term().value != role : !m_.contains(rule.sorts[head.number()], role)) continue;
        std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
        if (head.is_variable()) bound[head.number()] = role;
        const Truth t = truth(rule, bound, scalar, value);
        if (t == Truth::no) continue;
        if (t == Truth::maybe && refuted(rule, role, scalar, value)) continue;
        if (m_.info(shape).tuples->arity() != 1 || (only && *only != shape)) return std::nullopt;
        only = shape;
        certain = certain || t == Truth::yes;
      }
    }
    return certain ? only : std::nullopt;
  }

  bool refuted(const LiftedRule& rule, std::uint32_t role, RelId scalar, std::uint32_t value) {
    refuter_.clear();
    const auto variables = refuter_.add_body(rule);
    const Refuter::Term own = refuter_.term(rule.rule->head.arguments[0], variables);
    if (!refuter_.equal(own, Refuter::constant(role))) return true;
    if (scalar.valid()) refuter_.add_fact(scalar, {Refuter::constant(value)});
    return refuter_.refuted();
  }

  Turns phases_of(RelId scalar, bool keep_forced) {
    Turns turns;
    turns.scalar = scalar;
    const std::vector<TermId>& roles = m_.program().roles;
    std::map<std::vector<std::uint32_t>, std::size_t> index;
    const std::vector<std::uint32_t> values =
        scalar.valid() ? m_.terms(m_.column(scalar, 0)) : std::vector<std::uint32_t>{0};
    for (const std::uint32_t value : values) {
      std::vector<std::optional<RelId>> moves;
      std::vector<std::uint32_t> key;
      std::size_t deciders = 0;
      for (const TermId role : roles) {
        moves.push_back(keep_forced ? std::nullopt : forced(role.value, scalar, value));
        key.push_back(moves.back() ? moves.back()->value : RelId().value);
        deciders += moves.back() ? 0 : 1;
      }
      turns.single = turns.single && deciders <= 1;
      const auto [it, fresh] = index.try_emplace(key, turns.phases.size());
      if (fresh) turns.phases.push_back({{}, moves});
      if (scalar.valid()) turns.phases[it->second].values.push_back(value);
    }
    return turns;
  }

  Model& m_;
  const Dependencies& dependencies_;
  Refuter refuter_;
};

}  // namespace

Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced) {
  return TurnSearch(model, dependencies).run(keep_forced);
}

}  // namespace rgtrans::gdl::lifted
