#include "core/analysis/known_conditions.hpp"

#include <algorithm>

#include "core/analysis/uses.hpp"

namespace rgtrans::analysis {

using ir::ExprKind;
using ir::Label;

Label canonical(const ir::Game& game, Label label) {
  if (auto* c = std::get_if<ir::Compare>(&label)) {
    const bool left = game.expressions().kind(c->lhs) == ExprKind::symbol;
    const bool right = game.expressions().kind(c->rhs) == ExprKind::symbol;
    if (left != right ? left : c->rhs < c->lhs) std::swap(c->lhs, c->rhs);
  }
  return label;
}

Label negated(Label label) {
  if (auto* c = std::get_if<ir::Compare>(&label)) c->negated = !c->negated;
  if (auto* r = std::get_if<ir::Reachability>(&label)) r->negated = !r->negated;
  return label;
}

const Bits& CheckReads::of(ir::NodeId from) {
  const auto [it, fresh] = reads_.try_emplace(from, Bits(game_.variables().size()));
  if (!fresh) return it->second;
  Bits& bits = it->second;
  std::vector<bool> seen(game_.graph.node_bound(), false);
  std::vector<ir::NodeId> work{from};
  seen[from.value] = true;
  auto enter = [&](ir::NodeId node) {
    if (seen[node.value]) return;
    seen[node.value] = true;
    work.push_back(node);
  };
  while (!work.empty()) {
    const ir::NodeId node = work.back();
    work.pop_back();
    for (ir::EdgeId edge : game_.graph.out_edges(node)) {
      const Label& label = game_.graph.label(edge);
      for_each_read(game_, label, [&](ir::VarId v) { bits.set(v.value); });
      // A cell write keeps the other cells.
      const ir::VarId written = written_variable(game_, label);
      if (written.valid() && !writes_whole(game_, label)) bits.set(written.value);
      if (const auto* check = std::get_if<ir::Reachability>(&label)) enter(check->from);
      enter(game_.graph.target(edge));
    }
  }
  return bits;
}

struct KnownProblem {
  using Domain = KnownConditions::Set;
  KnownConditions& analysis;
  Domain entry() { return analysis.intern({}); }
  std::optional<Domain> transfer(const FlowEdge& edge, Domain before) { return analysis.transfer(edge, before); }
  bool join(Domain& into, Domain from, std::uint32_t) {
    const Domain met = analysis.both(into, from);
    if (met == into) return false;
    into = met;
    return true;
  }
};

KnownConditions::KnownConditions(const ir::Game& game, const Flow& flow)
    : game_(game), flow_(&flow), check_reads_(game) {
  KnownProblem problem{*this};
  at_ = solve_forward(flow, problem);
}

KnownConditions::Fact KnownConditions::fact(const Label& condition) {
  const Label key = canonical(game_, condition);
  auto& bucket = fact_index_[ir::hash_label(key)];
  for (const Fact f : bucket) {
    if (facts_[f] == key) return f;
  }
  const auto fresh = static_cast<Fact>(facts_.size());
  bucket.push_back(fresh);
  facts_.push_back(key);
  if (const auto* check = std::get_if<ir::Reachability>(&key)) {
    fact_reads_.push_back(check_reads_.of(check->from));
  } else {
    Bits bits(game_.variables().size());
    for_each_read(game_, key, [&](ir::VarId v) { bits.set(v.value); });
    fact_reads_.push_back(bits);
  }
  return fresh;
}

KnownConditions::Set KnownConditions::intern(std::vector<Fact> sorted) {
  std::uint64_t hash = 11;
  for (const Fact f : sorted) hash = combine_hash(hash, f);
  const auto fresh = static_cast<Set>(sets_.size());
  const Set row = set_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return sets_[r] == sorted; });
  if (row == fresh) sets_.push_back(std::move(sorted));
  return row;
}

KnownConditions::Set KnownConditions::both(Set a, Set b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  const std::uint64_t key = (std::uint64_t{a} << 32U) | b;
  if (const auto it = memo_both_.find(key); it != memo_both_.end()) return it->second;
  std::vector<Fact> met;
  std::ranges::set_intersection(sets_[a], sets_[b], std::back_inserter(met));
  return memo_both_.emplace(key, intern(std::move(met))).first->second;
}

KnownConditions::Set KnownConditions::without(Set set, ir::VarId written) {
  if (sets_[set].empty()) return set;
  const std::uint64_t key = (std::uint64_t{set} << 32U) | written.value;
  if (const auto it = memo_without_.find(key); it != memo_without_.end()) return it->second;
  std::vector<Fact> rest;
  for (const Fact f : sets_[set]) {
    if (!fact_reads_[f].test(written.value)) rest.push_back(f);
  }
  return memo_without_.emplace(key, intern(std::move(rest))).first->second;
}

KnownConditions::Set KnownConditions::with(Set set, Fact fact) {
  constexpr std::size_t kMost = 64;
  const auto& old = sets_[set];
  if (old.size() >= kMost || std::ranges::binary_search(old, fact)) return set;
  std::vector<Fact> more = old;
  more.insert(std::ranges::lower_bound(more, fact), fact);
  return intern(std::move(more));
}

KnownConditions::Answer KnownConditions::ask(const Label& condition, Set set) {
  if (sets_[set].empty()) return Answer::unknown;
  if (std::ranges::binary_search(sets_[set], fact(condition))) return Answer::yes;
  if (std::ranges::binary_search(sets_[set], fact(negated(condition)))) return Answer::no;
  // e == s tells about e == t for another symbol t.
  const Label key = canonical(game_, condition);
  const auto* compare = std::get_if<ir::Compare>(&key);
  if (compare == nullptr || game_.expressions().kind(compare->rhs) != ExprKind::symbol) return Answer::unknown;
  for (const Fact f : sets_[set]) {
    const auto* known = std::get_if<ir::Compare>(&facts_[f]);
    if (known == nullptr || known->negated || known->lhs != compare->lhs || known->rhs == compare->rhs) continue;
    if (game_.expressions().kind(known->rhs) == ExprKind::symbol) return compare->negated ? Answer::yes : Answer::no;
  }
  return Answer::unknown;
}

KnownConditions::Answer KnownConditions::ask(const Label& condition, ir::NodeId node) {
  return ask(condition, *at_[flow_->index(node)]);
}

ir::ExprId KnownConditions::equal_name(ir::ExprId lookup, ir::NodeId node) const {
  ir::ExprId name;
  for (const Fact f : sets_[*at_[flow_->index(node)]]) {
    const auto* known = std::get_if<ir::Compare>(&facts_[f]);
    if (known == nullptr || known->negated || (known->lhs != lookup && known->rhs != lookup)) continue;
    const ir::ExprId other = known->lhs == lookup ? known->rhs : known->lhs;
    if (game_.expressions().kind(other) == ExprKind::symbol) return other;
    if (game_.expressions().kind(other) == ExprKind::variable && (!name.valid() || other < name)) name = other;
  }
  return name;
}

std::optional<KnownConditions::Set> KnownConditions::transfer(const FlowEdge& edge, Set before) {
  if (!edge.edge.valid() || edge.call) return before;
  const Label& label = game_.graph.label(edge.edge);
  if (is_condition(label)) {
    if (ask(label, before) == Answer::no) return std::nullopt;
    return with(before, fact(label));
  }
  const ir::VarId written = written_variable(game_, label);
  if (!written.valid()) return before;
  const Set rest = without(before, written);
  const auto* assign = std::get_if<ir::Assign>(&label);
  if (assign == nullptr) return rest;
  // What was assigned is equal from now on, unless the assignment changed what either side reads.
  bool stable = true;
  for_each_read(game_, label, [&](ir::VarId v) { stable = stable && v != written; });
  return stable ? with(rest, fact(ir::Compare{assign->lhs, assign->rhs, false})) : rest;
}

}  // namespace rgtrans::analysis
