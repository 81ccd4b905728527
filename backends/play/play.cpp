// A person against random, line by line.
#include "backends/play/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <random>

#include "core/support/support.hpp"

namespace rgtrans::play {

namespace {

constexpr std::size_t kMaxListed = 60;

class Game {
 public:
  Game(Reasoner& reasoner, std::istream& in, std::ostream& out, const PlayOptions& options)
      : reasoner_(reasoner), in_(in), out_(out), options_(options), random_(options.seed) {}

  void run() {
    while (!reasoner_.terminal()) {
      const std::size_t count = reasoner_.move_count();
      if (count == 0) throw Error("the play is stuck: " + name(reasoner_.mover()) + " has no move");
      const bool mine = std::ranges::find(options_.people, reasoner_.mover()) != options_.people.end();
      if (mine) {
        if (!ask(count)) return;
      } else {
        make(count == 1 ? 0 : std::uniform_int_distribution<std::size_t>(0, count - 1)(random_));
      }
    }
    out_ << picture(reasoner_) << "The play is over.\n";
    for (std::size_t i = 0; i < reasoner_.info().players.size(); ++i) {
      out_ << fmt::format("{}: {}\n", reasoner_.info().players[i], reasoner_.goal(i));
    }
  }

 private:
  std::string name(std::size_t mover) const {
    if (mover == reasoner_.info().keeper()) return "keeper";
    if (mover == reasoner_.info().random()) return "random";
    return reasoner_.info().players[mover];
  }

  // Shows the move as far as one of the people may see it.
  void make(std::size_t index) {
    const std::size_t mover = reasoner_.mover();
    std::string shown = reasoner_.move_text(index);
    if (!options_.people.empty() && mover < reasoner_.info().players.size()) {
      shown = reasoner_.observed_move_text(index, options_.people.front());
    }
    if (!shown.empty() || mover != reasoner_.info().keeper()) out_ << name(mover) << ": " << shown << "\n";
    reasoner_.apply(index);
  }

  // Back to the last decision of the person.
  void take_back() {
    bool any = false;
    while (reasoner_.undo()) {
      any = true;
      if (std::ranges::find(options_.people, reasoner_.mover()) != options_.people.end()) return;
    }
    if (!any) out_ << "There is nothing to take back.\n";
  }

  void list(std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, kMaxListed); ++i) {
      out_ << fmt::format("  {:>3}  {}\n", i + 1, reasoner_.move_text(i));
    }
    if (count > kMaxListed)
      out_ << fmt::format("  … and {} more; type the start of one to see them\n", count - kMaxListed);
  }

  // False when the person leaves.
  bool ask(std::size_t count) {
    out_ << picture(reasoner_);
    list(count);
    for (std::string line;;) {
      out_ << name(reasoner_.mover()) << " to move (number or move, undo, state, quit): " << std::flush;
      if (!std::getline(in_, line)) {
        out_ << "\n";
        return false;
      }
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
      if (line == "quit" || line == "q") return false;
      if (line == "undo" || line == "u") {
        take_back();
        return true;
      }
      if (line == "state") {
        out_ << reasoner_.describe();
        continue;
      }
      std::vector<std::size_t> fitting;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string move = reasoner_.move_text(i);
        if (move == line) {
          make(i);
          return true;
        }
        if (!line.empty() && move.starts_with(line)) fitting.push_back(i);
      }
      const bool number =
          !line.empty() && line.size() < 9 && std::ranges::all_of(line, [](char c) { return c >= '0' && c <= '9'; });
      if (number && std::stoul(line) >= 1 && std::stoul(line) <= count) {
        make(std::stoul(line) - 1);
        return true;
      }
      if (fitting.size() == 1) {
        make(fitting.front());
        return true;
      }
      if (fitting.empty()) out_ << "No move is or starts with '" << line << "'.\n";
      for (std::size_t i = 0; i < std::min(fitting.size(), kMaxListed); ++i) {
        out_ << fmt::format("  {:>3}  {}\n", fitting[i] + 1, reasoner_.move_text(fitting[i]));
      }
    }
  }

  Reasoner& reasoner_;
  std::istream& in_;
  std::ostream& out_;
  const PlayOptions& options_;
  std::mt19937_64 random_;
};

}  // namespace

void play(Reasoner& reasoner, std::istream& in, std::ostream& out, const PlayOptions& options) {
  Game(reasoner, in, out, options).run();
}

}  // namespace rgtrans::play
