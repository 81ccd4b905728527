#include "backends/terminal/company.hpp"

#include "core/support/secrets.hpp"
#include "core/support/support.hpp"

namespace rgtrans::terminal {

Company::Company(const Reasoner& start, std::vector<std::string> seats, std::string adviser, std::uint64_t seed)
    : start_(start.clone()), seats_(std::move(seats)), adviser_(std::move(adviser)), seed_(seed) {
  sitting_.resize(seats_.size());
  advisers_.resize(seats_.size());
  take_back(0);
}

std::unique_ptr<search::SeatPlayer> Company::informed(const std::string& name, std::size_t seat) const {
  std::unique_ptr<search::SeatPlayer> player = search::make_player(name);
  const std::unique_ptr<Reasoner> play = start_->clone();
  player->start(*play, seat, derived_seed(seed_, "player", seat));
  for (const std::size_t index : made_) {
    player->observe(*play, index);
    play->apply(index);
  }
  return player;
}

void Company::take_back(std::size_t left) {
  made_.resize(left);
  for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
    if (!seats_[seat].empty()) sitting_[seat] = informed(seats_[seat], seat);
    advisers_[seat].reset();
  }
}

void Company::observe(Reasoner& play, std::size_t index) {
  for (const auto* company : {&sitting_, &advisers_}) {
    for (const auto& player : *company) {
      if (player) player->observe(play, index);
    }
  }
  made_.push_back(index);
}

std::size_t Company::choose(Reasoner& play) { return sitting_[play.mover()]->choose(play); }

const search::TreeReport& Company::advice(Reasoner& play) {
  std::unique_ptr<search::SeatPlayer>& adviser = advisers_[play.mover()];
  if (!adviser) adviser = informed(adviser_, play.mover());
  adviser->choose(play);
  const search::TreeReport* thoughts = adviser->thoughts();
  if (thoughts == nullptr) throw Error("'" + adviser_ + "' reports no thoughts", "take mcts:1s, for example");
  return *thoughts;
}

}  // namespace rgtrans::terminal
