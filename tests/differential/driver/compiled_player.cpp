#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/interface.h"
#include "tests/differential/driver/partial_player.hpp"
#include "tests/differential/driver/players.hpp"

namespace rgtrans::differential {

namespace {

// A compiled reasoner whose moves are counted, too: by numbers they have to be those that are listed.
class CompiledPlayer : public PartialPlayer {
 public:
  CompiledPlayer(const rgtrans_reasoner& functions, bool hidden)
      : functions_(functions), play_(cpp::make_cpp_reasoner(functions, hidden)) {
    info_ = play_->info();
  }

  void reset() override {
    play_->reset();
    counted_ = false;
  }
  [[nodiscard]] bool terminal() const override { return play_->terminal(); }
  [[nodiscard]] std::size_t mover() const override { return play_->mover(); }
  std::size_t move_count() override {
    // The keeper's only move may be given without its tags.
    if (!counted_ && !play_->keeper_moves()) compare_counted();
    counted_ = true;
    return play_->move_count();
  }
  std::string move_text(std::size_t index) override { return play_->move_text(index); }
  std::string observed_move_text(std::size_t index, std::size_t player) override {
    return play_->observed_move_text(index, player);
  }
  void apply(std::size_t index) override {
    play_->apply(index);
    counted_ = false;
  }
  [[nodiscard]] std::string goal(std::size_t player) const override { return play_->goal(player); }
  [[nodiscard]] std::vector<std::byte> state_bytes() const override { return play_->state_bytes(); }
  void set_state_bytes(std::span<const std::byte> bytes) override {
    play_->set_state_bytes(bytes);
    counted_ = false;
  }

 private:
  void compare_counted() {
    std::vector<std::string> listed = play_->move_texts(), counted = counted_moves();
    std::ranges::sort(listed);
    std::ranges::sort(counted);
    if (listed != counted)
      throw Error(fmt::format("counted moves differ from listed ones: {} instead of {}", fmt::join(counted, ", "),
                              fmt::join(listed, ", ")));
  }

  // The moves of a state by the numbers that counting gives them.
  [[nodiscard]] std::vector<std::string> counted_moves() const {
    const std::vector<std::byte> bytes = play_->state_bytes();
    constexpr std::align_val_t kAlign{64};  // for whatever vectors the reasoner uses
    void* const state = ::operator new(bytes.size(), kAlign);
    void* const cache = functions_.new_cache();
    std::memcpy(state, bytes.data(), bytes.size());
    std::vector<std::string> moves(play_->terminal() ? 0 : functions_.count_moves(state, cache));
    std::vector<std::uint32_t> tags(functions_.most_tags + 1);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const std::uint32_t count = functions_.counted_tags(state, cache, i, tags.data());
      for (std::uint32_t k = 0; k < count; ++k)
        moves[i] += (k == 0 ? "" : " ") + std::string(functions_.tag_names[tags[k]]);
    }
    functions_.delete_cache(cache);
    ::operator delete(state, kAlign);
    return moves;
  }

  const rgtrans_reasoner& functions_;
  std::unique_ptr<Reasoner> play_;
  bool counted_ = false;  // the moves of this state have been compared
};

}  // namespace

std::unique_ptr<Reasoner> make_compiled_player(const rgtrans_reasoner& functions, bool hidden) {
  return std::make_unique<CompiledPlayer>(functions, hidden);
}

}  // namespace rgtrans::differential
