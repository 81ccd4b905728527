// A seat thinks while nobody asks: until the start clock ends, and while others think. The work is ended by the next
// question. In a game it is the search of the position that follows, as far as that is known; the tree keeps its nodes.
// In a puzzle it is the search for the best play.
#include "cli/ggp/seat.hpp"

namespace rgtrans::cli::ggp {

void Seat::think_ahead(Clock::time_point until) {
  {
    const std::lock_guard lock(mutex_), ready(ready_mutex_);
    if (!options_.ponder || !rules_ || !settled()) return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!machine_) {
      first_moves_.stop();
      follow(Kif{.word = "NIL"});
    }
    ponder(until, std::nullopt);
  }
  pondering_.wait();
}

void Seat::ponder(Clock::time_point until, const std::optional<std::string>& answer) {
  if (!options_.ponder || lost_) return;
  try {
    if (Pondering::Work work = on_others_time(until, answer)) {
      work.run = [this, run = std::move(work.run)](const Following& following) {
        try {
          run(following);
        } catch (const std::exception& e) {
          log(e.what());
        }
      };
      pondering_.start(std::move(work));
    }
  } catch (const std::exception& e) {
    log(e.what());
  }
}

Pondering::Work Seat::on_others_time(Clock::time_point until, const std::optional<std::string>& answer) {
  {
    const std::lock_guard lock(ready_mutex_);
    if (!settled()) return {};  // the compiler needs the processor
  }
  if (!machine_) {
    if (!translated_tree_ || !translated_ || !answer) return {};
    const auto role = translated_->find_role(role_name_);
    std::shared_ptr<Reasoner> position = role ? translated_->after(*role, *answer) : nullptr;
    return position ? search_on(translated_tree_, position, options_.threads, until) : Pondering::Work();
  }
  if (information_) return {};
  if (puzzle_) {
    if (answer) return {};  // nobody else thinks
    return {[this, until](const Following& following) { solve_puzzle(seconds_until(until), following); }, nullptr};
  }
  // The step is known where the others have one move each.
  machine_->set_state(possible_.front());
  if (machine_->terminal()) return {};
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
  machine_->set_state(state);
  if (machine_->terminal()) return {};
  if (const std::shared_ptr<const CompiledMatch> compiled = ready_compiled()) {
    std::shared_ptr<Reasoner> position = compiled->after(steps);
    return position ? search_on(compiled_tree_, position, options_.threads, until) : Pondering::Work();
  }
  joint_->set_state(state);
  if (joint_->terminal()) return {};
  return search_on(tree_, joint_->clone(), options_.threads, until);
}

std::vector<std::string> Seat::played_texts() const {
  std::vector<std::string> texts;
  for (const std::vector<std::uint32_t>& joint : played_) texts.push_back(rules_->move_text(joint[role_]));
  return texts;
}

void Seat::solve_puzzle(double seconds, const Following& following) {
  std::shared_ptr<const Translated> game;
  {
    const std::lock_guard lock(ready_mutex_);
    game = translated_;
  }
  const std::vector<std::string> played = played_texts();
  if (!puzzle_ || !game || seconds <= 0 || puzzle_->next(played) != nullptr) return;
  puzzle_->solve(*game, played, {.seconds = seconds, .memory = options_.tree.memory, .following = following});
}

}  // namespace rgtrans::cli::ggp
