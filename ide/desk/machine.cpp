#include "ide/desk/machine.hpp"

#include <mutex>

#include "backends/cpp/cpp.hpp"
#include "ide/rpc/rpc.hpp"

namespace rgtrans::ide {

namespace {

class Machine : public Host {
 public:
  explicit Machine(Shelf shelf) : shelf_(std::move(shelf)) {}
  [[nodiscard]] std::string folder() const override { return shelf_.folder(); }
  [[nodiscard]] std::vector<std::string> names() const override { return shelf_.names(); }
  [[nodiscard]] std::string read(const std::string& name) const override { return shelf_.read(name); }
  void write(const std::string& name, std::string_view text) const override { shelf_.write(name, text); }
  [[nodiscard]] std::unique_ptr<Reasoner> compile(const ir::Game& game, const Stop& stop) const override {
    cpp::BuildOptions options;
    options.stop = [&] { return stop.requested(); };
    try {
      return cpp::make_cpp_reasoner(game, options);
    } catch (const cpp::Stopped&) {
      throw Abandoned();
    }
  }
  [[nodiscard]] std::unique_ptr<Reasoner> compiled(const GamePointer& game) const override {
    const std::lock_guard lock(mutex_);
    if (game != game_) {
      // A newer game takes the place of the older one, also in the compiler.
      game_ = game;
      ready_ = nullptr;
      compiler_.post("compile", [this, game](const Stop& stop) { make_ready(game, stop); });
    }
    return ready_ == nullptr ? nullptr : ready_->clone();
  }

 private:
  // A game that the compiler refuses stays interpreted.
  void make_ready(const GamePointer& game, const Stop& stop) const {
    std::unique_ptr<Reasoner> made;
    try {
      made = compile(game->optimized(), stop);
    } catch (const Error&) {
      return;
    } catch (const Abandoned&) {
      return;
    }
    const std::lock_guard lock(mutex_);
    if (game == game_) ready_ = std::move(made);
  }

  Shelf shelf_;
  mutable std::mutex mutex_;  // of the next two
  mutable GamePointer game_;
  mutable std::unique_ptr<Reasoner> ready_;
  mutable Lane compiler_;  // its thread uses the others
};

}  // namespace

std::shared_ptr<const Host> machine(Shelf shelf) { return std::make_shared<Machine>(std::move(shelf)); }

}  // namespace rgtrans::ide
