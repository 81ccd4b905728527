// A seat at a table: one match of the Game Manager protocol from the player's side.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "backends/rules/rules.hpp"
#include "backends/search/search.hpp"
#include "cli/ggp/compiled.hpp"
#include "cli/ggp/first_moves.hpp"
#include "cli/ggp/kif.hpp"
#include "cli/ggp/pondering.hpp"
#include "cli/ggp/puzzle.hpp"
#include "cli/ggp/translated.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::cli::ggp {

using rules::JointReasoner;
using rules::MatchRules;

struct SeatOptions {
  double margin = 0.2;  // seconds before the clock runs out when an answer is sent
  bool compile = true;  // make a compiled reasoner in the background
  bool ponder = true;   // think while others do, and until the start clock ends
  std::uint64_t seed = 1;
  search::TreeOptions tree;
  unsigned threads = 1;
  // Receives a line for each answer and each failure, from any thread.
  std::function<void(const std::string& line)> log;
};

// Reads the rules in the background; answers come in time, whatever is ready by then.
class Seat {
 public:
  Seat(std::string id, std::string role, std::string rules, double play_clock, const SeatOptions& options);
  ~Seat();
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  [[nodiscard]] const std::string& id() const { return id_; }
  // Waits until the match can begin as well as it ever will, at most until then; until `last` where no legal move would
  // be known.
  void wait_ready(Clock::time_point until, Clock::time_point last);
  // Thinks about the first position until then, where everything is ready for that.
  void think_ahead(Clock::time_point until);
  // The move for the next step, after this one; `arrived` is when the host asked.
  std::string play(const Kif& last, Clock::time_point arrived);

 private:
  void prepare(const std::string& rules);
  void compile(const std::string& text, const std::shared_ptr<const MatchRules>& rules);
  // Makes `translated_`; it is compiled where the rules cannot be ground.
  void translate(const std::string& rules);
  void compile_translated(const std::shared_ptr<Translated>& translated);
  // Ends what the background does when the match is over.
  [[nodiscard]] std::function<void()> while_open() const;
  [[nodiscard]] bool settled() const;
  void log(const std::string& what) const;
  void follow(const Kif& last);
  // One step: a joint move, or percepts after the last answer.
  void follow_step(const Kif& last);
  bool follow_joint(const std::vector<Kif>& moves);
  void follow_percepts(const std::vector<Kif>& percepts);
  std::string think(Clock::time_point until);
  // Before the rules are ground, or instead.
  std::string wait_and_see(const Kif& last, Clock::time_point until);
  // Nothing where the translated game cannot answer.
  std::optional<std::string> think_translated(Clock::time_point until);
  search::TreeReport search_joint(const std::vector<std::string>& moves, double seconds);
  std::optional<std::string> think_compiled(double seconds);
  [[nodiscard]] std::shared_ptr<const CompiledMatch> ready_compiled();
  [[nodiscard]] std::shared_ptr<const Translated> ready_translated();
  [[nodiscard]] std::vector<std::string> played_texts() const;
  // Within these seconds.
  void solve_puzzle(double seconds, const Following& following);

  // Thinks on until then, after an answer or before the first one.
  void ponder(Clock::time_point until, const std::optional<std::string>& answer);
  // The tree that searches the present position, if one does.
  [[nodiscard]] std::shared_ptr<search::TreeSearch> present_tree();
  // After the answer, as far as it is known; null where the play is over.
  [[nodiscard]] std::unique_ptr<Reasoner> next_position(const std::optional<std::string>& answer);

  std::string id_;
  std::string role_name_;
  double play_clock_;
  SeatOptions options_;
  std::mutex mutex_;  // one message at a time

  // The results of the background thread.
  std::mutex ready_mutex_;
  std::condition_variable ready_changed_;
  std::shared_ptr<const MatchRules> rules_;
  std::shared_ptr<const std::string> failure_;
  std::shared_ptr<const CompiledMatch> compiled_;
  std::shared_ptr<search::TreeSearch> compiled_tree_;
  bool building_ = false;
  bool translating_ = true;
  std::shared_ptr<Translated> translated_;
  std::unique_ptr<Reasoner> faster_;  // of the translated game, compiled
  std::atomic<bool> closed_ = false;

  // The match, once there are rules.
  std::uint32_t role_ = 0;
  std::unique_ptr<gdl::NetworkMachine> machine_;
  std::vector<gdl::NetworkMachine::State> possible_;  // GDL-II: a sample; else the state
  std::vector<std::vector<std::uint32_t>> played_;    // joint moves since the beginning, where they are known
  std::uint32_t answered_ = kNone;
  bool lost_ = false;  // the host's messages do not fit
  std::unique_ptr<JointReasoner> joint_;
  std::optional<Puzzle> puzzle_;
  std::unique_ptr<search::InformationSearch> information_;
  std::shared_ptr<search::TreeSearch> tree_;
  search::TreeRandom random_;
  std::vector<Kif> waiting_;                  // steps received before there were rules
  std::vector<std::string> waiting_answers_;  // to each of them
  std::size_t translated_steps_ = 0;          // of them, that the translated game has made
  std::shared_ptr<search::TreeSearch> translated_tree_;
  std::string thoughts_;  // about the last answer, for the log
  std::uint64_t answers_ = 0;
  FirstMoves first_moves_;

  std::thread translator_;
  std::thread background_;
  Pondering pondering_;
};

}  // namespace rgtrans::cli::ggp
