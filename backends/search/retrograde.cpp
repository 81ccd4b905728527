// Solves by rounds backwards from the ends. A player can force a result if it can step into a position where it forces
// the result, or if the opponent can only step into such positions. A play in which no player forces a result within
// finitely many moves is endless and counts as the convention says.
#include "backends/search/retrograde.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace rgtrans::search {

namespace {

constexpr std::uint8_t kOver = 255;

}  // namespace

PositionGraph::PositionGraph(const Reasoner& start, double cycle_value, SolveLimits& limits)
    : cycle_value_(cycle_value), limits_(limits) {
  const std::unique_ptr<Reasoner> r = start.clone();
  run_keeper(*r);
  std::deque<std::vector<std::byte>> waiting = {r->state_bytes()};
  id(canonical_key(*r));
  for (std::uint64_t next = 0; !waiting.empty(); ++next) {
    const std::vector<std::byte> state = std::move(waiting.front());
    waiting.pop_front();
    r->set_state_bytes(state);
    first_.push_back(edges_.size());
    if (r->terminal()) {
      mover_.push_back(kOver);
      goal_.push_back(constant_sum_value(*r));
      continue;
    }
    if (r->mover() > 1) throw Chance();
    mover_.push_back(static_cast<std::uint8_t>(r->mover()));
    goal_.push_back(0);
    const std::size_t count = r->move_count();
    if (count == 0) throw std::runtime_error("the play is stuck: a player has no move, and the play is not over");
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) r->set_state_bytes(state);
      r->apply(i);
      run_keeper(*r);
      std::vector<std::byte> below = r->state_bytes();
      const std::size_t known = ids_.size();
      edges_.push_back(id(canonical_key(*r)));
      if (ids_.size() > known) waiting.push_back(std::move(below));
    }
    limits_.check(bytes() + waiting.size() * (state.size() + 64));
  }
  first_.push_back(edges_.size());
  link_back();
}

std::uint64_t PositionGraph::bytes() const {
  // The edges exist in both directions in the end.
  return ids_.bytes() + edges_.capacity() * 8 + mover_.capacity() * (1 + 8 + 8 + 8 + 4 * 4);
}

std::uint32_t PositionGraph::id(const Key& key) {
  if (const std::uint32_t* known = ids_.find(key)) return *known;
  const auto fresh = static_cast<std::uint32_t>(ids_.size());
  ids_[key] = fresh;
  return fresh;
}

void PositionGraph::link_back() {
  first_back_.assign(mover_.size() + 1, 0);
  for (const std::uint32_t to : edges_) ++first_back_[to + 1];
  for (std::size_t i = 1; i < first_back_.size(); ++i) first_back_[i] += first_back_[i - 1];
  back_.resize(edges_.size());
  std::vector<std::uint64_t> at(first_back_.begin(), first_back_.end() - 1);
  for (std::uint32_t from = 0; from < mover_.size(); ++from) {
    for (std::uint64_t e = first_[from]; e < first_[from + 1]; ++e) back_[at[edges_[e]]++] = from;
  }
}

PositionGraph::Ranks PositionGraph::attractor(std::size_t player, const ProofClaim& claim) const {
  Ranks rank(mover_.size(), kNone);
  std::vector<std::uint32_t> open(mover_.size());  // moves that do not lead there yet
  std::vector<std::uint32_t> queue;
  for (std::uint32_t n = 0; n < mover_.size(); ++n) {
    open[n] = static_cast<std::uint32_t>(first_[n + 1] - first_[n]);
    if (mover_[n] != kOver || !claim.holds(goal_[n])) continue;
    rank[n] = 0;
    queue.push_back(n);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t to = queue[i];
    for (std::uint64_t e = first_back_[to]; e < first_back_[to + 1]; ++e) {
      const std::uint32_t from = back_[e];
      if (rank[from] != kNone) continue;
      if (mover_[from] != player && --open[from] > 0) continue;
      rank[from] = rank[to] + 1;
      queue.push_back(from);
    }
  }
  return rank;
}

const PositionGraph::Ranks& PositionGraph::ranks(std::size_t player, const ProofClaim& claim) {
  const auto [it, fresh] = ranks_.try_emplace({player, claim.at_least, claim.value});
  if (fresh) it->second = attractor(player, claim);
  return it->second;
}

double PositionGraph::value() {
  std::set<double> goals = {cycle_value_};
  for (std::size_t n = 0; n < mover_.size(); ++n) {
    if (mover_[n] == kOver) goals.insert(goal_[n]);
  }
  double value = *goals.begin();
  // The maximum for the first player. If it exceeds the value of an endless play, the first player forces it in
  // finitely many moves; else the opponent cannot force less.
  for (auto goal = std::next(goals.begin()); goal != goals.end(); ++goal) {
    const bool forced = *goal > cycle_value_ ? attractor(0, ProofClaim{0, 0, true, *goal})[0] != kNone
                                             : attractor(1, ProofClaim{1, 0, false, *std::prev(goal)})[0] == kNone;
    if (!forced) break;
    value = *goal;
  }
  return value;
}

std::size_t PositionGraph::advise(Walker& at, const ProofClaim& claim) {
  const std::size_t count = at.list();
  const std::size_t me = claim.chooser;
  // Where a play without end is good enough, it is enough that the other one can never force what is worse.
  const bool may_last = claim.holds(cycle_value_);
  ProofClaim worse = claim;
  worse.at_least = !claim.at_least;
  worse.value = claim.at_least ? std::nextafter(claim.value, -1e30) : std::nextafter(claim.value, 1e30);
  const Ranks& forced = ranks(me, claim);
  const Ranks* spoilt = may_last ? &ranks(1 - me, worse) : nullptr;
  std::size_t best = count;
  std::uint32_t least = kNone;
  for (std::size_t i = 0; i < count; ++i) {
    at.down(i);
    const std::uint32_t below = *ids_.find(at.key());
    at.up();
    if (forced[below] < least) {
      least = forced[below];
      best = i;
    } else if (best == count && spoilt != nullptr && (*spoilt)[below] == kNone) {
      best = i;
    }
  }
  if (best == count) throw std::runtime_error("no move keeps what was proven");
  return best;
}

}  // namespace rgtrans::search
