#include "frontends/gdl/lifted/unfold.hpp"

#include <algorithm>

#include "core/support/coverage.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

bool Unfolder::depends_on_move(RelKey key) {
  const auto [it, fresh] = moves_.try_emplace(key, false);
  if (!fresh) return it->second;
  for (const LiftedRule& rule : m_.rules(key)) {
    for (const EngineLiteral& literal : rule.rule->body) {
      const LiteralKind kind = m_.kind(literal);
      if (kind == LiteralKind::does || (kind == LiteralKind::derived && depends_on_move(Model::key(literal))))
        return moves_[key] = true;
    }
  }
  return false;
}

std::vector<const LiftedRule*> Unfolder::unfold(const LiftedRule& rule) {
  check_wanted();
  std::vector<const LiftedRule*> done;
  std::vector<const LiftedRule*> open = {&rule};
  while (!open.empty()) {
    const LiftedRule* next = open.back();
    open.pop_back();
    const auto& body = next->rule->body;
    const auto found =
        std::ranges::find_if(body, [&](const EngineLiteral& l) { return can_unfold(l) && wanted_(Model::key(l)); });
    if (found == body.end()) {
      done.push_back(next);
      continue;
    }
    const std::size_t rules = m_.rules(Model::key(*found)).size();
    if (open.size() + done.size() + rules > kLiftedLimits.unfolded_rules || body.size() > kLiftedLimits.body_literals) {
      done.push_back(next);
      continue;
    }
    const std::vector<const LiftedRule*> made = unfold(*next, static_cast<std::size_t>(found - body.begin()));
    open.insert(open.end(), made.begin(), made.end());
    if (!made.empty()) reached("lifted", "unfold");
  }
  std::ranges::reverse(done);
  return done;
}

bool Unfolder::can_unfold(const EngineLiteral& literal) const {
  if (literal.negated || m_.kind(literal) != LiteralKind::derived) return false;
  const RelKey key = Model::key(literal);
  return !m_.recursive(key) && m_.rules(key).size() <= kLiftedLimits.condition_rules;
}

std::vector<const LiftedRule*> Unfolder::unfold(const LiftedRule& rule, std::size_t literal) {
  std::vector<const LiftedRule*> result;
  for (const LiftedRule& by : m_.rules(Model::key(rule.rule->body[literal])))
    if (const auto* made = replace(rule, literal, by, Taken::body); made != nullptr) result.push_back(made);
  return result;
}

const LiftedRule* Unfolder::with_move_of(const LiftedRule& rule, std::size_t literal, const LiftedRule& cause) {
  return replace(rule, literal, cause, Taken::moves);
}

const LiftedRule* Unfolder::where_fails(const LiftedRule& frame, std::uint32_t fact, const EngineLiteral& complement,
                                        const std::set<std::uint32_t>& given) {
  EngineRule& made = rules_.emplace_back(*frame.rule);
  made.body = {frame.rule->body[fact], complement};
  for (const std::uint32_t v : given) made.head.arguments.push_back(Pattern::variable(v));
  lifted_.push_back({&made, frame.sorts});
  return &lifted_.back();
}

const LiftedRule* Unfolder::with_body(const LiftedRule& rule, std::vector<EngineLiteral> body) {
  EngineRule& made = rules_.emplace_back(*rule.rule);
  made.body = std::move(body);
  lifted_.push_back({&made, rule.sorts, rule.same_state});
  return &lifted_.back();
}

const LiftedRule* Unfolder::beginning_with(const LiftedRule& rule, const std::set<std::uint32_t>& literals) {
  EngineRule& made = rules_.emplace_back(*rule.rule);
  made.body.clear();
  for (const bool first : {true, false})
    for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i)
      if (literals.contains(i) == first) made.body.push_back(rule.rule->body[i]);
  lifted_.push_back({&made, rule.sorts, rule.same_state});
  return &lifted_.back();
}

const LiftedRule* Unfolder::replace(const LiftedRule& rule, std::size_t literal, const LiftedRule& by, Taken taken) {
  const std::uint32_t first = rule.rule->variables;
  const std::uint32_t count = first + by.rule->variables;
  // Union-find: each variable is itself, another variable or a constant.
  std::vector<Pattern> is(count);
  for (std::uint32_t v = 0; v < count; ++v) is[v] = Pattern::variable(v);
  const auto resolve = [&](Pattern p) {
    while (p.is_variable() && is[p.number()] != p) p = is[p.number()];
    return p;
  };
  const auto moved = [&](Pattern p) { return p.is_variable() ? Pattern::variable(p.number() + first) : p; };
  std::vector<SortId> sorts = rule.sorts;
  sorts.insert(sorts.end(), by.sorts.begin(), by.sorts.end());
  const EngineLiteral& call = rule.rule->body[literal];
  for (std::size_t c = 0; c < call.arguments.size(); ++c) {
    Pattern a = resolve(call.arguments[c]);
    Pattern b = resolve(moved(by.rule->head.arguments[c]));
    if (a == b) continue;
    if (b.is_ground()) std::swap(a, b);
    if (b.is_ground()) return nullptr;
    SortId& sort = sorts[b.number()];
    const SortId other = a.is_ground() ? m_.single(a.term()) : sorts[a.number()];
    sort = m_.intersect(sort, other);
    if (m_.terms(sort).empty()) return nullptr;
    if (a.is_variable()) sorts[a.number()] = sort;
    is[b.number()] = a;
  }
  const auto add = [&](EngineLiteral l, bool of_other) {
    for (Pattern& p : l.arguments) p = resolve(of_other ? moved(p) : p);
    return l;
  };
  Rule& source = sources_.emplace_back(*rule.rule->source);
  source.variables.resize(first, source.variables.empty() ? SymbolId(0U) : source.variables[0]);
  const std::vector<SymbolId>& names = by.rule->source->variables;
  for (std::uint32_t v = 0; v < by.rule->variables; ++v) source.variables.push_back(names[v]);
  EngineRule& made = rules_.emplace_back();
  made.head = add(rule.rule->head, false);
  made.variables = count;
  made.source = &source;
  for (std::size_t i = 0; i < rule.rule->body.size(); ++i)
    if (i != literal || taken == Taken::moves) made.body.push_back(add(rule.rule->body[i], false));
  for (const EngineLiteral& l : by.rule->body)
    if (taken == Taken::body || (!l.negated && m_.kind(l) == LiteralKind::does)) made.body.push_back(add(l, true));
  lifted_.push_back({&made, std::move(sorts), rule.same_state && by.same_state && taken == Taken::body});
  return &lifted_.back();
}

}  // namespace rgtrans::gdl::lifted
