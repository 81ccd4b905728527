// Facts that a step removes while it derives others with the same key, such as flipped discs or cells that join another
// group. If the body of a cause contains all conditions of the removal, one walk does both.
#include <algorithm>

#include "core/support/coverage.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/lifted/step.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// An injective mapping of one rule's variables to terms of another rule.
class Renaming {
 public:
  explicit Renaming(std::size_t variables) : is_(variables) {}
  bool add(Pattern from, Pattern to) {
    if (from.is_ground() || to.is_ground()) return from == to;
    auto& is = is_[from.number()];
    if (is) return *is == to;
    if (std::ranges::find(is_, std::optional(to)) != is_.end()) return false;
    is = to;
    return true;
  }
  bool add(const EngineLiteral& from, const EngineLiteral& to) {
    if (from.relation != to.relation || from.derived != to.derived || from.kind != to.kind) return false;
    for (std::size_t c = 0; c < from.arguments.size(); ++c)
      if (!add(from.arguments[c], to.arguments[c])) return false;
    return true;
  }
  [[nodiscard]] const std::vector<std::optional<Pattern>>& all() const { return is_; }

 private:
  std::vector<std::optional<Pattern>> is_;
};

}  // namespace

std::optional<LiftedStep::Renewal> LiftedStep::renewal(const FactSet& part) {
  if (part.found == nullptr || !part.equal.empty() || !part.certain) return std::nullopt;
  for (const LiftedRule& rule : m_.causes(fact_))
    for (const bool whole : {true, false}) {
      const auto found = renewed_by(rule, part, whole);
      if (!found) continue;
      reached("lifted", "renewed");
      return found;
    }
  return std::nullopt;
}

// `whole`: the cause contains the complete walk. Otherwise it contains the complement of the failed literal, which must
// then depend on the key only.
std::optional<LiftedStep::Renewal> LiftedStep::renewed_by(const LiftedRule& cause, const FactSet& part, bool whole) {
  const std::vector<EngineLiteral>& going = part.found->rule->body;  // the fact and the complement
  const std::vector<std::uint32_t>& key = t_.stored_of(fact_).key;
  const auto of_key = [&](Pattern p) {
    return p.is_ground() ||
           std::ranges::any_of(key, [&](std::uint32_t c) { return part.found->rule->head.arguments[c] == p; });
  };
  if (!whole && !std::ranges::all_of(going[1].arguments, of_key)) return std::nullopt;
  Renaming is(part.found->rule->variables);
  for (const std::uint32_t c : key)
    if (!is.add(part.found->rule->head.arguments[c], cause.rule->head.arguments[c])) return std::nullopt;
  std::set<std::uint32_t> said;
  for (std::size_t i = whole ? 0 : 1; i < going.size(); ++i) {
    bool found = false;
    for (std::uint32_t j = 0; j < cause.rule->body.size() && !found; ++j) {
      if (cause.rule->body[j].negated || said.contains(j)) continue;
      Renaming more = is;
      if (!more.add(going[i], cause.rule->body[j])) continue;
      is = more;
      said.insert(j);
      found = true;
    }
    if (!found) return std::nullopt;
  }
  for (std::uint32_t v = 0; v < is.all().size(); ++v)
    if (const auto& p = is.all()[v]; p && !m_.subset(part.found->sorts[v], cause.sorts[p->number()]))
      return std::nullopt;
  if (!determined_by_key(cause, said)) return std::nullopt;
  std::set<std::uint32_t> left;
  for (std::uint32_t i = 0; i < cause.rule->body.size(); ++i)
    if (!said.contains(i)) left.insert(i);
  return Renewal{&cause, unfolder_.beginning_with(cause, left), static_cast<std::uint32_t>(left.size())};
}

// The matched literals bind the key, and the remaining ones depend on the key only, so every visit of a key has the
// same result. The remaining ones are cheap tests.
bool LiftedStep::determined_by_key(const LiftedRule& cause, const std::set<std::uint32_t>& said) const {
  const std::vector<Pattern>& head = cause.rule->head.arguments;
  const std::vector<std::uint32_t>& key = t_.stored_of(fact_).key;
  const auto of_key = [&](Pattern p) {
    return std::ranges::any_of(key, [&](std::uint32_t c) { return head[c] == p; });
  };
  std::set<std::uint32_t> mentioned;
  for (const std::uint32_t i : said) mentioned.merge(cause.rule->body[i].variables());
  const auto unbound = [&](Pattern p) { return p.is_variable() && !mentioned.contains(p.number()); };
  const auto other = [&](Pattern p) { return p.is_variable() && mentioned.contains(p.number()) && !of_key(p); };
  for (std::uint32_t c = 0; c < head.size(); ++c)
    if (std::ranges::count(key, c) > 0 ? unbound(head[c]) : other(head[c])) return false;
  BodyState f = w_.body_state(cause, 0);
  f.open.clear();
  for (std::uint32_t i = 0; i < cause.rule->body.size(); ++i) {
    if (said.contains(i)) continue;
    const EngineLiteral& literal = cause.rule->body[i];
    if (m_.kind(literal) == LiteralKind::derived || std::ranges::any_of(literal.arguments, other)) return false;
    f.open.push_back(i);
  }
  for (const std::uint32_t v : mentioned) w_.planner.suppose(f, Pattern::variable(v));
  f.want(head);
  return w_.planner.expected(f).steps <= kPlanCosts.renewed_steps;
}

// Removes the fact at each key of the walk, and adds the new one if the rest of the cause holds. The walk is a rule of
// its own, because static literals of the rest must not restrict its tables.
ir::NodeId LiftedStep::renew(const Renewal& renewal, ir::NodeId at) {
  const Stored& s = t_.stored_of(fact_);
  std::erase_if(causes_, [&](const LiftedRule* part) { return written_.at(part) == renewal.cause; });
  for (const LiftedRule* part : unfolder_.unfold(*renewal.walk)) {
    const std::vector<Pattern>& head = part->rule->head.arguments;
    const auto first = part->rule->body.begin() + renewal.left;
    const LiftedRule* const walk = unfolder_.with_body(*part, {first, part->rule->body.end()});
    BodyState f = w_.body_state(*walk, 0);
    for (const std::uint32_t c : s.key) f.want(head[c]);
    const ir::NodeId behind = w_.node();
    solutions_.each(f, at, behind, [&](BodyState& g, ir::NodeId from, ir::NodeId to) {
      for (std::size_t k = 0; k < keys_.size() && game_.claims.wanted(); ++k)
        from = set_key(k, *w_.value(g, head[s.key[k]]), from, to);
      claim_gone(from);
      std::vector<Value> key;
      for (const std::uint32_t c : s.key) key.push_back(*w_.value(g, head[c]));
      for (const ir::VarId map : target(fact_))
        from = w_.then(from, ir::Assign{w_.cell(map, key), s.values.empty() ? t_.zero() : t_.none()});
      g.rule = part;
      g.absent.clear();
      g.open.clear();
      for (std::uint32_t i = 0; i < renewal.left; ++i) g.open.push_back(i);
      from = cause(g, from);
      w_.edge(from, to, ir::Empty());
    });
    at = behind;
  }
  return at;
}

}  // namespace rgtrans::gdl::lifted
