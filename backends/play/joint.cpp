// Counts joint moves, one by each role at a time, on a game in which roles decide in turn. Sequences that lead to equal
// states are counted together.
#include <fmt/format.h>

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <map>
#include <unordered_map>

#include "backends/play/play.hpp"
#include "core/support/support.hpp"

namespace rgtrans::play {

namespace {

struct StateHash {
  std::size_t operator()(const std::vector<std::byte>& state) const {
    return boost::hash_range(state.begin(), state.end());
  }
};

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

class JointCounter {
 public:
  JointCounter(Reasoner& reasoner, std::string_view step, unsigned depth, std::uint64_t max_states)
      : reasoner_(reasoner), step_(step), max_states_(max_states), leaves_(depth + 1), layers_(depth + 1) {}

  // By length, from 1; stops early if there are too many states.
  std::vector<std::uint64_t> run() {
    add_state(0, 1);
    const auto depth = static_cast<unsigned>(layers_.size() - 1);
    for (depth_ = 0; depth_ < depth; ++depth_) {
      const Layer layer = std::move(layers_[depth_]);
      for (const auto& [state, ways] : layer) {
        reasoner_.set_state_bytes(state);
        ways_ = ways;
        follow();
        if (states_ > max_states_) return {leaves_.begin() + 1, leaves_.begin() + depth_ + 1};
      }
      states_ -= layer.size();
    }
    return {leaves_.begin() + 1, leaves_.end()};
  }

 private:
  using State = std::vector<std::byte>;
  using Layer = std::unordered_map<State, std::uint64_t, StateHash>;

  State state() {
    State state = reasoner_.state_bytes();
    reasoner_.canonical(state, false);
    return state;
  }

  void add_state(unsigned depth, std::uint64_t ways) {
    std::uint64_t& known = layers_[depth].try_emplace(state(), 0).first->second;
    states_ += known == 0 ? 1 : 0;
    known = add(known, ways);
  }

  // Follows all moves from the current state to the end of the step.
  void follow() {
    if (reasoner_.terminal()) return;
    const std::size_t count = reasoner_.move_count();
    const bool keeper = reasoner_.keeper_moves();
    if (keeper && count > 1) throw Error("keeper has several moves, so joint moves cannot be distinguished");
    for (const std::size_t move : distinct(count)) {
      const unsigned ended = keeper ? steps_shown(move) : 0;
      reasoner_.apply(move);
      if (ended > 0) end(ended);
      if (ended == 0) follow();
      reasoner_.undo();
      reasoner_.move_count();
    }
  }

  // Each role has every move once: moves with the same text lead to the same state.
  std::vector<std::size_t> distinct(std::size_t count) {
    std::vector<std::size_t> result;
    std::map<std::vector<std::uint32_t>, std::size_t> known;
    for (std::size_t move = 0; move < count; ++move) {
      const auto tags = reasoner_.move_tags(move);
      const auto [it, fresh] = known.try_emplace(std::vector<std::uint32_t>(tags.begin(), tags.end()), move);
      if (fresh) {
        result.push_back(move);
      } else if (after(it->second) != after(move)) {
        throw Error(
            fmt::format("two different moves of {} read {}", reasoner_.mover_name(), reasoner_.move_text(move)));
      }
    }
    return result;
  }
  State after(std::size_t move) {
    reasoner_.apply(move);
    State result = state();
    reasoner_.undo();
    reasoner_.move_count();
    return result;
  }

  // If nobody decides, one move of keeper may contain several steps.
  unsigned steps_shown(std::size_t move) {
    const auto tags = reasoner_.move_tags(move);
    return static_cast<unsigned>(
        std::ranges::count_if(tags, [&](std::uint32_t tag) { return reasoner_.tag_text(tag) == step_; }));
  }

  void end(unsigned steps) {
    for (unsigned d = depth_ + 1; d <= depth_ + steps && d < leaves_.size(); ++d) leaves_[d] = add(leaves_[d], ways_);
    if (depth_ + steps < layers_.size() - 1) add_state(depth_ + steps, ways_);
  }

  Reasoner& reasoner_;
  std::string_view step_;
  std::uint64_t max_states_;
  std::vector<std::uint64_t> leaves_;  // by number of steps
  std::vector<Layer> layers_;
  std::uint64_t states_ = 0;  // total in all layers
  unsigned depth_ = 0;
  std::uint64_t ways_ = 0;  // ways to the current state
};

}  // namespace

std::vector<std::uint64_t> joint_perft(Reasoner& reasoner, std::string_view step, unsigned depth,
                                       std::uint64_t max_states) {
  return JointCounter(reasoner, step, depth, max_states).run();
}

}  // namespace rgtrans::play
