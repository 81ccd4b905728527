// The naive evaluator behind the interface of engines, so that it is compared like one of them. It does not support
// observations of players.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "tests/support/naive_evaluator.hpp"

namespace rgtrans::naive {

class NaiveReasoner : public Reasoner {
 public:
  explicit NaiveReasoner(const ir::Game& game);

  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override;
  void reset() override;
  [[nodiscard]] bool terminal() const override { return evaluator_.final(state_); }
  [[nodiscard]] std::size_t mover() const override;
  std::size_t move_count() override;
  std::string move_text(std::size_t index) override { return listed().at(index).text; }
  std::span<const std::uint32_t> move_tags(std::size_t) override { return {}; }
  [[nodiscard]] std::string tag_text(std::uint32_t) const override { return {}; }
  std::string observed_move_text(std::size_t, std::size_t) override { return {}; }
  // The number of states that the move can lead to, or of ways in which it can be shown if that is larger.
  std::uint64_t walk_count(std::size_t index) override { return listed().at(index).ways; }
  void apply(std::size_t index) override;
  bool undo() override { return false; }
  [[nodiscard]] std::string goal(std::size_t player) const override;
  [[nodiscard]] std::vector<std::byte> state_bytes() const override;
  void set_state_bytes(std::span<const std::byte> bytes) override;
  [[nodiscard]] std::string describe() const override { return evaluator_.goals(state_); }
  std::uint64_t perft(unsigned depth) override { return evaluator_.perft(state_, depth); }
  std::uint64_t perft_walks(unsigned depth) override { return perft(depth); }
  PlayoutStats playouts(const PlayoutOptions& options) override;

 private:
  struct Move {
    std::string text;
    std::set<State> states;
    std::uint64_t ways;
  };
  using Moves = std::vector<Move>;
  const Moves& listed();

  const ir::Game& game_;
  Evaluator evaluator_;
  bool hides_ = false;  // some tags, from some players
  GameInfo info_;
  State state_;
  std::map<State, Moves> lists_;  // of the last states: a comparison comes to each several times
  const Moves* moves_ = nullptr;  // of state_; null before somebody asks
};

}  // namespace rgtrans::naive
