// The interpreter as the optimizer plays it when it compares what its passes make of a game.
#include <fmt/format.h>

#include "backends/interpreter/interpreter.hpp"

namespace rgtrans {

namespace {

class InterpreterPlay final : public passes::Play {
 public:
  explicit InterpreterPlay(const ir::Game& game) : reasoner_(make_interpreter(game)) {}
  void reset() override { reasoner_->reset(); }
  [[nodiscard]] bool terminal() const override { return reasoner_->terminal(); }

  [[nodiscard]] std::string mover() const override {
    const GameInfo& info = reasoner_->info();
    const std::size_t mover = reasoner_->mover();
    return mover < info.players.size() ? info.players[mover] : mover == info.keeper() ? "keeper" : "random";
  }

  [[nodiscard]] std::string goals() const override {
    std::string text;
    for (std::size_t p = 0; p < reasoner_->info().players.size(); ++p) {
      text += (p == 0 ? "" : ", ") + reasoner_->info().players[p] + " " + reasoner_->goal(p);
    }
    return text;
  }

  std::vector<std::string> moves() override {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) {
      const std::string all = reasoner_->move_text(i);
      list.push_back(all);
      for (std::size_t p = 0; p < reasoner_->info().players.size(); ++p) {
        const std::string seen = reasoner_->observed_move_text(i, p);
        if (seen != all) list.back() += fmt::format(" ({} sees: {})", reasoner_->info().players[p], seen);
      }
    }
    return list;
  }

  std::vector<std::uint64_t> fingerprints() override {
    std::vector<std::uint64_t> list(reasoner_->move_count());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = reasoner_->move_fingerprint(i);
    return list;
  }

  void apply(std::size_t index) override { reasoner_->apply(index); }

 private:
  std::unique_ptr<Reasoner> reasoner_;
};

}  // namespace

passes::Engine lockstep_engine() {
  return [](const ir::Game& game) { return std::make_unique<InterpreterPlay>(game); };
}

}  // namespace rgtrans
