// A seat thinks while nobody asks: until the start clock ends, and while others think. The work is ended by the next
// question. In a game it is the search of the position that follows, as far as that is known; the tree keeps its nodes.
// In a puzzle it is the search for the best play.
#include "cli/ggp/seat.hpp"

namespace rgtrans::cli::ggp {

void Seat::think_ahead(Clock::time_point until) {
  {
    const std::lock_guard lock(mutex_);
    {
      const std::lock_guard ready(ready_mutex_);
      if (!options_.ponder || !rules_ || !settled()) return;
    }
    if (!machine_) {
      first_moves_.stop();
      follow(Kif{.word = "NIL"});
    }
    ponder(until, std::nullopt);
  }
  pondering_.wait();
}

// The answer waits for nothing here: even the next position is found in the thread.
void Seat::ponder(Clock::time_point until, const std::optional<std::string>& answer) {
  if (!options_.ponder || lost_) return;
  {
    const std::lock_guard lock(ready_mutex_);
    if (!settled()) return;  // the compiler needs the processor
  }
  const bool puzzle = puzzle_ && !answer;  // after an answer, nobody else thinks
  const std::shared_ptr<search::TreeSearch> tree = present_tree();
  if (!puzzle && !tree) return;
  pondering_.start(
      [this, until, answer, puzzle, tree](const Following& following) {
        try {
          if (puzzle) return solve_puzzle(seconds_until(until), following);
          const std::unique_ptr<Reasoner> position = next_position(answer);
          const double seconds = seconds_until(until);
          if (!position || seconds <= 0 || following.stopped()) return;
          tree->run(*position, {.seconds = seconds, .threads = options_.threads});
        } catch (const std::exception& e) {
          log(e.what());
        }
      },
      [tree] {
        if (tree) tree->stop();
      });
}

std::shared_ptr<search::TreeSearch> Seat::present_tree() {
  if (!machine_) return translated_tree_;
  if (information_ || puzzle_) return nullptr;
  return ready_compiled() ? compiled_tree_ : tree_;
}

std::unique_ptr<Reasoner> Seat::next_position(const std::optional<std::string>& answer) {
  if (!machine_) {
    const std::shared_ptr<const Translated> game = ready_translated();
    const auto role = game ? game->find_role(role_name_) : std::nullopt;
    return role && answer ? game->after(*role, *answer) : nullptr;
  }
  machine_->set_state(possible_.front());
  if (machine_->terminal()) return nullptr;
  // The step is known where the others have one move each.
  std::vector<std::vector<std::uint32_t>> steps = played_;
  gdl::NetworkMachine::State state = possible_.front();
  std::vector<std::uint32_t> joint(rules_->role_count()), legal;
  bool known = answer.has_value();
  for (std::uint32_t r = 0; r < joint.size(); ++r) {
    machine_->legal(r, legal);
    known = known && (r == role_ || legal.size() == 1);
    joint[r] = r == role_ ? answered_ : legal.empty() ? kNone : legal[0];
  }
  if (known) {
    state = machine_->successor(joint);
    steps.push_back(joint);
  }
  if (const std::shared_ptr<const CompiledMatch> compiled = ready_compiled()) return compiled->after(steps);
  joint_->set_state(state);
  return joint_->terminal() ? nullptr : joint_->clone();
}

std::vector<std::string> Seat::played_texts() const {
  std::vector<std::string> texts;
  for (const std::vector<std::uint32_t>& joint : played_) texts.push_back(rules_->move_text(joint[role_]));
  return texts;
}

void Seat::solve_puzzle(double seconds, const Following& following) {
  const std::shared_ptr<const Translated> game = puzzle_ && seconds > 0 ? ready_translated() : nullptr;
  if (!game) return;
  const std::vector<std::string> played = played_texts();
  if (puzzle_->next(played) != nullptr) return;
  puzzle_->solve(*game, played, {.seconds = seconds, .memory = options_.tree.memory, .following = following});
}

}  // namespace rgtrans::cli::ggp
