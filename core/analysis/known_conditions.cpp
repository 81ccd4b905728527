#include "core/analysis/known_conditions.hpp"

#include <algorithm>

#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

using ir::ExprKind;
using ir::Label;

const Bits& CheckReads::of(ir::NodeId from) {
  const auto [it, fresh] = reads_.try_emplace(from, Bits(game_.variables().size()));
  if (!fresh) return it->second;
  Bits& bits = it->second;
  seen_.resize(game_.graph.node_bound(), 0);
  ++search_;
  std::vector<ir::NodeId> work;
  auto enter = [&](ir::NodeId node) {
    if (seen_[node.value] == search_) return;
    seen_[node.value] = search_;
    work.push_back(node);
  };
  enter(from);
  while (!work.empty()) {
    const ir::NodeId node = work.back();
    work.pop_back();
    for (ir::EdgeId edge : game_.graph.out_edges(node)) {
      const Label& label = game_.graph.label(edge);
      for_each_read(game_, label, [&](ir::VarId v) { bits.set(v.value); });
      // Writing one cell of a map keeps the others, so it depends on the old value.
      const ir::VarId written = written_variable(game_, label);
      if (written.valid() && !writes_whole(game_, label)) bits.set(written.value);
      if (const auto* check = std::get_if<ir::Reachability>(&label)) {
        const auto known = reads_.find(check->from);
        if (known == reads_.end()) {
          enter(check->from);
        } else {
          bits |= known->second;
        }
      }
      enter(game_.graph.target(edge));
    }
  }
  return bits;
}

struct KnownProblem {
  using Domain = KnownConditions::Set;
  KnownConditions& analysis;
  Domain entry() { return analysis.intern(std::span<const KnownConditions::Fact>()); }
  std::optional<Domain> transfer(const FlowEdge& edge, Domain before) { return analysis.transfer(edge, before); }
  bool join(Domain& into, Domain from, std::uint32_t) {
    const Domain met = analysis.both(into, from);
    if (met == into) return false;
    into = met;
    return true;
  }
};

KnownConditions::KnownConditions(const ir::Game& game, const Flow& flow, Options options)
    : game_(game),
      flow_(&flow),
      options_(std::move(options)),
      check_reads_(game),
      edge_facts_(game.graph.edge_bound()),
      first_(1, 0) {
  KnownProblem problem{*this};
  at_ = solve_forward(flow, problem);
}

KnownConditions::Fact KnownConditions::fact(const Label& condition) {
  const Label key = canonical(game_, condition);
  const auto fresh = static_cast<Fact>(facts_.size());
  const Fact row =
      fact_index_.find_or_insert(ir::hash_label(key), fresh, [&](std::uint32_t f) { return facts_[f] == key; });
  if (row != fresh) return row;
  facts_.push_back(key);
  if (const auto* check = std::get_if<ir::Reachability>(&key)) {
    fact_reads_.push_back(options_.inputs == nullptr ? check_reads_.of(check->from) : options_.inputs->of(*check));
  } else {
    Bits bits(game_.variables().size());
    for_each_read(game_, key, [&](ir::VarId v) { bits.set(v.value); });
    fact_reads_.push_back(bits);
  }
  return fresh;
}

KnownConditions::EdgeFacts KnownConditions::facts_of(ir::EdgeId edge) {
  EdgeFacts& known = edge_facts_[edge.value];
  if (known.fact == kNone) {
    const Label& label = game_.graph.label(edge);
    if (is_condition(label)) {
      known = {fact(label), fact(negated(label))};
    } else {
      const auto& assign = std::get<ir::Assign>(label);
      known.fact = fact(ir::Compare{assign.lhs, assign.rhs, false});
    }
  }
  return known;
}

KnownConditions::Set KnownConditions::intern(std::span<const Fact> sorted) {
  std::uint64_t hash = 11;
  for (const Fact f : sorted) hash = (hash ^ f) * 0x9e3779b97f4a7c15ULL;
  hash = mix_hash(hash);
  const auto fresh = static_cast<Set>(first_.size() - 1);
  const Set row =
      set_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return std::ranges::equal(members(r), sorted); });
  if (row == fresh) {
    pool_.insert(pool_.end(), sorted.begin(), sorted.end());
    first_.push_back(pool_.size());
  }
  return row;
}

KnownConditions::Set KnownConditions::both(Set a, Set b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  if (const Set known = memo_both_.find(a, b); known != kNone) return known;
  scratch_.clear();
  std::ranges::set_intersection(members(a), members(b), std::back_inserter(scratch_));
  const Set result = intern(scratch_);
  memo_both_.insert(a, b, result);
  return result;
}

KnownConditions::Set KnownConditions::without(Set set, ir::VarId written) {
  if (members(set).empty()) return set;
  if (const Set known = memo_without_.find(set, written.value); known != kNone) return known;
  scratch_.clear();
  for (const Fact f : members(set)) {
    if (!fact_reads_[f].test(written.value)) scratch_.push_back(f);
  }
  const Set result = intern(scratch_);
  memo_without_.insert(set, written.value, result);
  return result;
}

KnownConditions::Set KnownConditions::with(Set set, Fact fact) {
  // Huge games keep fewer facts per node, to save memory.
  constexpr std::size_t kHuge = 200'000;
  const std::size_t most = game_.graph.edge_count() > kHuge ? 16 : 64;
  const auto old = members(set);
  if (old.size() >= most) return set;
  const auto at = std::ranges::lower_bound(old, fact);
  if (at != old.end() && *at == fact) return set;
  scratch_.assign(old.begin(), at);
  scratch_.push_back(fact);
  scratch_.insert(scratch_.end(), at, old.end());
  return intern(scratch_);
}

Truth KnownConditions::ask(EdgeFacts condition, Set set) const {
  const auto known = members(set);
  if (known.empty()) return Truth::unknown;
  if (std::ranges::binary_search(known, condition.fact)) return Truth::yes;
  if (std::ranges::binary_search(known, condition.opposite)) return Truth::no;
  // `e == s` implies `e != t` for every other symbol t.
  const auto* compare = std::get_if<ir::Compare>(&facts_[condition.fact]);
  if (compare == nullptr || game_.expressions().kind(compare->rhs) != ExprKind::symbol) return Truth::unknown;
  for (const Fact f : known) {
    const auto* other = std::get_if<ir::Compare>(&facts_[f]);
    if (other == nullptr || other->negated || other->lhs != compare->lhs || other->rhs == compare->rhs) continue;
    if (game_.expressions().kind(other->rhs) == ExprKind::symbol) return truth_of(compare->negated);
  }
  return Truth::unknown;
}

Truth KnownConditions::ask(const Label& condition, ir::NodeId node) {
  const Set set = *at_[flow_->index(node)];
  return members(set).empty() ? Truth::unknown : ask({fact(condition), fact(negated(condition))}, set);
}

std::vector<Label> KnownConditions::at(ir::NodeId node) const {
  std::vector<Label> found;
  if (possible(node))
    for (const Fact f : members(*at_[flow_->index(node)])) found.push_back(facts_[f]);
  return found;
}

ir::ExprId KnownConditions::equal_name(ir::ExprId lookup, ir::NodeId node) const {
  ir::ExprId name;
  for (const Fact f : members(*at_[flow_->index(node)])) {
    const auto* known = std::get_if<ir::Compare>(&facts_[f]);
    if (known == nullptr || known->negated || (known->lhs != lookup && known->rhs != lookup)) continue;
    const ir::ExprId other = known->lhs == lookup ? known->rhs : known->lhs;
    if (game_.expressions().kind(other) == ExprKind::symbol) return other;
    if (game_.expressions().kind(other) == ExprKind::variable && (!name.valid() || other < name)) name = other;
  }
  return name;
}

std::optional<KnownConditions::Set> KnownConditions::transfer(const FlowEdge& edge, Set before) {
  check_wanted();
  if (!edge.edge.valid() || edge.call) return before;
  const Label& label = game_.graph.label(edge.edge);
  if (is_condition(label)) {
    const EdgeFacts facts = facts_of(edge.edge);
    if (ask(facts, before) == Truth::no) return std::nullopt;
    return with(before, facts.fact);
  }
  const ir::VarId written = written_variable(game_, label);
  if (!written.valid()) return before;
  const Set rest = without(before, written);
  const auto* assign = std::get_if<ir::Assign>(&label);
  if (assign == nullptr || options_.lost.contains(edge.edge.value)) return rest;
  // After an assignment both sides are equal, unless it changed a variable that a side reads.
  return reads(game_, label, written) ? rest : with(rest, facts_of(edge.edge).fact);
}

}  // namespace rgtrans::analysis
