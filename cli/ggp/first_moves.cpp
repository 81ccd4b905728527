#include "cli/ggp/first_moves.hpp"

#include <algorithm>

#include "core/support/letters.hpp"
#include "core/support/progress.hpp"
#include "core/support/support.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli::ggp {

FirstMoves::FirstMoves(std::string rules, std::string role)
    : thread_([this, rules = std::move(rules), role = std::move(role)] {
        const WhileWanted asking([this] {
          if (stopped_) throw Error("nobody asks any more");
        });
        try {
          follow(rules, role);
        } catch (const Error&) {
          // The thread that grounds the rules reports their mistakes.
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
  const std::vector<std::string>& roles = direct.role_names();
  std::uint32_t me = 0;
  for (std::uint32_t r = 0; r < roles.size(); ++r) {
    if (lower_case(roles[r]) == lower_case(role)) me = r;
  }
  std::vector<std::uint32_t> legal;
  for (std::size_t step = 0;; ++step) {
    direct.legal(me, legal);
    std::unique_lock lock(mutex_);
    legal_.emplace();
    for (const std::uint32_t move : legal) legal_->push_back(direct.move_text(move));
    followed_ = step;
    changed_.notify_all();
    changed_.wait(lock, [&] { return stopped_ || steps_.size() > step; });
    if (stopped_ || direct.imperfect()) return;  // percepts are no moves, though they may look like these
    const std::vector<std::string> made = steps_[step];
    lock.unlock();
    std::vector<std::uint32_t> joint;
    for (std::uint32_t r = 0; r < roles.size() && r < made.size(); ++r) {
      direct.legal(r, legal);
      const auto found = std::ranges::find_if(
          legal, [&](std::uint32_t move) { return lower_case(direct.move_text(move)) == lower_case(made[r]); });
      if (found != legal.end()) joint.push_back(*found);
    }
    if (joint.size() != roles.size()) return;  // the host's message does not fit
    direct.step(joint);
  }
}

}  // namespace rgtrans::cli::ggp
