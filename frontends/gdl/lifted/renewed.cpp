// Facts that a step takes away where it derives others with the same key: stones that are turned, cells that join
// another group. One walk does both, where a cause says all that is said of the facts that go.
#include <algorithm>

#include "core/support/coverage.hpp"
#include "frontends/gdl/lifted/step.hpp"

namespace rgtrans::gdl::lifted {

namespace {

constexpr double kFewAtKey = 24;  // for what is asked at each key

// What variables of one rule are in another one, different ones for different ones.
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

std::optional<LiftedStep::Renewal> LiftedStep::renewal(const Part& part) {
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

// The cause has all that the walk says; or, where the key is all that this is about, what must not hold.
std::optional<LiftedStep::Renewal> LiftedStep::renewed_by(const LiftedRule& cause, const Part& part, bool whole) {
  const std::vector<EngineLiteral>& going = part.found->rule->body;  // the fact, and what must not hold
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
  if (!told_by_key(cause, said)) return std::nullopt;
  std::set<std::uint32_t> left;
  for (std::uint32_t i = 0; i < cause.rule->body.size(); ++i)
    if (!said.contains(i)) left.insert(i);
  return Renewal{&cause, unfolder_.beginning_with(cause, left), static_cast<std::uint32_t>(left.size())};
}

// What is said of a key tells it, and what is left to ask is about the key alone: it is the same whenever the walk
// comes there. None of it has to be looked for.
bool LiftedStep::told_by_key(const LiftedRule& cause, const std::set<std::uint32_t>& said) const {
  const std::vector<Pattern>& head = cause.rule->head.arguments;
  const std::vector<std::uint32_t>& key = t_.stored_of(fact_).key;
  const auto of_key = [&](Pattern p) {
    return std::ranges::any_of(key, [&](std::uint32_t c) { return head[c] == p; });
  };
  std::set<std::uint32_t> mentioned;
  for (const std::uint32_t i : said) mentioned.merge(cause.rule->body[i].variables());
  const auto untold = [&](Pattern p) { return p.is_variable() && !mentioned.contains(p.number()); };
  const auto other = [&](Pattern p) { return p.is_variable() && mentioned.contains(p.number()) && !of_key(p); };
  for (std::uint32_t c = 0; c < head.size(); ++c)
    if (std::ranges::count(key, c) > 0 ? untold(head[c]) : other(head[c])) return false;
  Walks::Frame f = w_.frame(cause, 0);
  f.open.clear();
  for (std::uint32_t i = 0; i < cause.rule->body.size(); ++i) {
    if (said.contains(i)) continue;
    const EngineLiteral& literal = cause.rule->body[i];
    if (m_.kind(literal) == LiteralKind::derived || std::ranges::any_of(literal.arguments, other)) return false;
    f.open.push_back(i);
  }
  for (const std::uint32_t v : mentioned) w_.suppose(f, Pattern::variable(v));
  f.want(head);
  return w_.expected(f).steps <= kFewAtKey;
}

// At each key that the walk finds the fact goes, and the new one comes if the rest of the cause holds.
ir::NodeId LiftedStep::renew(const Renewal& renewal, ir::NodeId at) {
  const Stored& s = t_.stored_of(fact_);
  std::erase_if(causes_, [&](const LiftedRule* part) { return written_.at(part) == renewal.cause; });
  for (const LiftedRule* part : unfolder_.unfold(*renewal.walk)) {
    const std::vector<Pattern>& head = part->rule->head.arguments;
    Walks::Frame f = w_.frame(*part, 0);
    f.open.clear();
    f.absent.clear();
    for (std::uint32_t i = renewal.left; i < part->rule->body.size(); ++i) f.open.push_back(i);
    for (const std::uint32_t c : s.key) f.want(head[c]);
    const ir::NodeId behind = w_.node();
    solutions_.each(f, at, behind, [&](Walks::Frame& g, ir::NodeId from, ir::NodeId to) {
      std::vector<Value> key;
      for (const std::uint32_t c : s.key) key.push_back(*w_.value(g, head[c]));
      for (const ir::VarId map : target(fact_))
        from = w_.then(from, ir::Assign{w_.cell(map, s, key), s.values.empty() ? t_.zero() : t_.none()});
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
