#include "frontends/rbg/proofs/piece_counts.hpp"

#include <algorithm>
#include <set>

#include "frontends/rbg/flow/solve.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

PieceCounts::PieceCounts(const Description& description, const FlowGraph& flow) : d_(description), f_(flow) {
  find_sets();
  counts_.assign(f_.node_count() * sets_.size(), {});
  IdVector<EdgeId, std::optional<Bits>> below(f_.edge_count());
  for (EdgeId id : f_.living_edges()) below[id] = below_cursor_after(f_.edge(id));
  ByNode<char> reached(f_.node_count());
  reached[f_.begin] = 1;
  std::vector<Count> counts = at_start();
  const auto row = [&](NodeId node) {
    return counts_.begin() + static_cast<std::ptrdiff_t>(node.value * counts.size());
  };
  std::ranges::copy(counts, row(f_.begin));
  solve_forward(f_, [&](NodeId node, auto&& wake) {
    if (reached[node] == 0) return;
    for (EdgeId id : f_.out(node)) {
      std::copy_n(row(node), counts.size(), counts.begin());
      advance(f_.edge(id).step, below[id], counts);
      if (join(row(f_.edge(id).to), counts) || reached[f_.edge(id).to] == 0) wake(f_.edge(id).to);
      reached[f_.edge(id).to] = 1;
    }
  });
}

bool PieceCounts::join(std::vector<Count>::iterator known, const std::vector<Count>& counts) {
  bool changed = false;
  for (const Count& count : counts) {
    changed = changed || count.all > known->all || count.elsewhere > known->elsewhere;
    *known = {std::max(known->all, count.all), std::max(known->elsewhere, count.elsewhere)};
    ++known;
  }
  return changed;
}

void PieceCounts::find_sets() {
  std::set<std::uint32_t> tested;
  for (EdgeId id : f_.living_edges()) {
    if (f_.edge(id).step.kind == Do::on) tested.insert(f_.edge(id).step.index);
  }
  for (std::uint32_t set : tested) sets_.push_back(contents_bits(d_, set));
}

std::vector<PieceCounts::Count> PieceCounts::at_start() const {
  std::vector<Count> counts(sets_.size());
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    for (std::size_t v = 0; v < d_.board.size(); ++v) {
      if (!sets_[set].test(d_.board[v].piece)) continue;
      add_one(counts[set].all);
      if (v > 0) add_one(counts[set].elsewhere);
    }
  }
  return counts;
}

void PieceCounts::add_one(std::uint8_t& count) {
  count = std::min<std::uint8_t>(kMany, static_cast<std::uint8_t>(count + 1));
}

void PieceCounts::advance(const FlowStep& step, const std::optional<Bits>& below, std::vector<Count>& counts) const {
  const Do kind = step.kind;
  const bool puts = kind == Do::off || kind == Do::put;
  const bool moves = kind == Do::move || kind == Do::any || kind == Do::select;
  if (!puts && !moves && !below) return;
  for (std::size_t set = 0; set < counts.size(); ++set) {
    Count& count = counts[set];
    if (puts) {
      count.all = count.elsewhere;
      if (may_put(step, sets_[set])) add_one(count.all);
    }
    if (moves) count.elsewhere = count.all;
    if (below && count.all > 0 && count.all < kMany && sets_[set].contains(*below))
      count.elsewhere = std::min<std::uint8_t>(count.elsewhere, static_cast<std::uint8_t>(count.all - 1));
  }
}

bool PieceCounts::may_put(const FlowStep& step, const Bits& pieces) const {
  if (step.kind == Do::off) return pieces.test(step.index);
  return std::ranges::any_of(f_.table(step.table), [&](const auto& entry) { return pieces.test(entry.second); });
}

std::optional<Bits> PieceCounts::below_cursor_after(const FlowGraph::Edge& edge) const {
  const FlowStep& step = edge.step;
  if (step.kind == Do::on && step.at == kNone && !step.negated) return contents_bits(d_, step.index);
  if (step.kind == Do::move && f_.in(edge.from).size() == 1) {
    // Uses a test of the destination on the only edge before the move.
    const FlowStep& look = f_.edge(f_.in(edge.from).front()).step;
    if (look.kind == Do::on && !look.negated && look.at == step.index) return contents_bits(d_, look.index);
  }
  return std::nullopt;
}

bool PieceCounts::one_on_board(NodeId node, const Bits& contents) const {
  return at_most_one(node, contents, &Count::all);
}
bool PieceCounts::one_elsewhere(NodeId node, const Bits& contents) const {
  return at_most_one(node, contents, &Count::elsewhere);
}

bool PieceCounts::at_most_one(NodeId node, const Bits& contents, std::uint8_t Count::*where) const {
  if (contents.test(d_.pieces.size())) return false;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (counts_[node.value * sets_.size() + set].*where <= 1 && sets_[set].contains(contents)) return true;
  }
  return false;
}

}  // namespace rgtrans::rbg
