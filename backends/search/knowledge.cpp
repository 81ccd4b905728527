// A sample of positions (particles), replaced after each observation: random continuations of old positions are kept if
// they give the same observation.
#include <algorithm>
#include <set>

#include "backends/search/search.hpp"

namespace rgtrans::search {

namespace {

constexpr std::size_t kPositions = 100;
constexpr std::size_t kTries = 50;     // for each of them
constexpr std::size_t kUnseen = 1000;  // moves in a row

}  // namespace

SeatKnowledge::SeatKnowledge(const Reasoner& game, std::size_t seat, std::uint64_t seed)
    : reasoner_(game.clone()), seat_(seat), random_(seed), positions_{game.state_bytes()} {}

void SeatKnowledge::observe(Reasoner& play, std::size_t index) {
  const std::size_t mover = play.mover();
  const std::string text = mover == seat_ ? play.move_text(index) : play.observed_move_text(index, seat_);
  if (mover == seat_ || !text.empty()) saw(mover, text);
}

// Plays on from where the reasoner stands: moves of which nothing is seen at random, then one that reads so. How likely
// that was: 0 when it is not possible.
double SeatKnowledge::advance(std::size_t mover, const std::string& text) {
  double likely = 1;
  std::vector<std::size_t> fitting;
  for (std::size_t steps = 0; steps < kUnseen && !reasoner_->terminal(); ++steps) {
    const std::size_t now = reasoner_->mover();
    const std::size_t count = reasoner_->move_count();
    fitting.clear();
    bool found = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string shown = now == seat_ ? reasoner_->move_text(i) : reasoner_->observed_move_text(i, seat_);
      if (now == mover && shown == text) {
        if (!found) fitting.clear();
        found = true;
        fitting.push_back(i);
      } else if (!found && now != seat_ && shown.empty()) {
        fitting.push_back(i);
      }
    }
    if (fitting.empty()) return 0;
    if (now != seat_) likely *= static_cast<double>(fitting.size()) / static_cast<double>(count);
    reasoner_->apply(fitting[random_.below(static_cast<std::uint32_t>(fitting.size()))]);
    if (found) return likely;
  }
  return 0;
}

void SeatKnowledge::saw(std::size_t mover, const std::string& text) {
  std::vector<std::vector<std::byte>> next;
  std::vector<double> up_to;  // sums of their likelihoods
  double sum = 0;
  std::set<std::vector<std::byte>> distinct;
  for (std::size_t tries = 0; !positions_.empty() && tries < kPositions * kTries && next.size() < kPositions; ++tries) {
    // A position that is certain needs fewer samples.
    if (positions_.size() == 1 && distinct.size() == 1 && next.size() >= kTries) break;
    reasoner_->set_state_bytes(positions_[random_.below(static_cast<std::uint32_t>(positions_.size()))]);
    const double likely = advance(mover, text);
    if (likely <= 0) continue;
    sum += likely;
    up_to.push_back(sum);
    next.push_back(reasoner_->state_bytes());
    distinct.insert(next.back());
  }
  positions_.clear();
  if (distinct.size() == 1) next.resize(1);
  // Drawn by their likelihoods.
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto drawn = next.size() == 1 ? up_to.begin() : std::ranges::lower_bound(up_to, random_.unit() * sum);
    positions_.push_back(next[static_cast<std::size_t>(drawn - up_to.begin())]);
  }
}

}  // namespace rgtrans::search
