#include "cli/ggp/first_moves.hpp"

#include <algorithm>

#include "cli/ggp/kif.hpp"
#include "core/support/support.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli::ggp {

FirstMoves::FirstMoves(std::string rules, std::string role)
    : thread_([this, rules = std::move(rules), role = std::move(role)] {
        try {
          follow(rules, role);
        } catch (const Error&) {
          // Whoever grounds the rules says what is wrong with them.
        }
      }) {}

FirstMoves::~FirstMoves() {
  stop();
  thread_.join();
}

void FirstMoves::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

void FirstMoves::made(std::vector<std::string> moves) {
  {
    const std::lock_guard lock(mutex_);
    steps_.push_back(std::move(moves));
  }
  changed_.notify_all();
}

std::vector<std::string> FirstMoves::legal(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  const auto known = [&] { return legal_ && followed_ == steps_.size() && !legal_->empty(); };
  return changed_.wait_until(lock, until, known) ? *legal_ : std::vector<std::string>();
}

void FirstMoves::follow(const std::string& rules, const std::string& role) {
  gdl::Direct direct(rules);
  std::size_t me = 0;
  for (std::size_t r = 0; r < direct.roles().size(); ++r) {
    if (lower(direct.text(direct.roles()[r])) == lower(role)) me = r;
  }
  gdl::Direct::State state = direct.initial();
  for (std::size_t step = 0;; ++step) {
    const gdl::Direct::Moves moves = direct.moves(state);
    std::unique_lock lock(mutex_);
    legal_.emplace();
    for (const gdl::TermId move : moves.legal.at(me)) legal_->push_back(direct.text(move));
    followed_ = step;
    changed_.notify_all();
    changed_.wait(lock, [&] { return stopped_ || steps_.size() > step; });
    if (stopped_) return;
    const std::vector<std::string> made = steps_[step];
    lock.unlock();
    std::vector<gdl::TermId> joint;
    for (std::size_t r = 0; r < moves.legal.size() && r < made.size(); ++r) {
      const auto found = std::ranges::find_if(
          moves.legal[r], [&](gdl::TermId move) { return lower(direct.text(move)) == lower(made[r]); });
      if (found != moves.legal[r].end()) joint.push_back(*found);
    }
    if (joint.size() != moves.legal.size()) return;  // what the host says does not fit, or it tells percepts
    state = direct.successor(state, joint);
  }
}

}  // namespace rgtrans::cli::ggp
