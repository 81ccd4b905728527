// A person against random, line by line.
#include "backends/play/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <random>

#include "core/support/support.hpp"

namespace rgtrans::play {

namespace {

constexpr std::size_t kMaxListed = 60;

class Game {
 public:
  Game(Reasoner& reasoner, scene::Witness& witness, std::istream& in, std::ostream& out, const PlayOptions& options)
      : reasoner_(reasoner), witness_(witness), in_(in), out_(out), options_(options), random_(options.seed) {
    if (!witness.hides() || options.reveal || options.people.empty()) return;
    if (options.people.size() > 1) {
      throw Error("this game hides moves, and several people would see each other's",
                  "move for one player, or see everything with --reveal");
    }
    viewer_ = options.people.front();
  }

  void run() {
    if (viewer_) {
      for (const scene::Seen& seen : witness_.seen(*viewer_)) tell(seen.mover, seen.text);
    }
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
    show();
    out_ << "The play is over.\n";
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

  // The text of a move for the one who looks on.
  std::string text(std::size_t index) {
    return viewer_ ? reasoner_.observed_move_text(index, *viewer_) : reasoner_.move_text(index);
  }

  void tell(std::size_t mover, const std::string& text) {
    if (!text.empty() || mover != reasoner_.info().keeper()) out_ << name(mover) << ": " << text << "\n";
  }

  void make(std::size_t index) {
    tell(reasoner_.mover(), text(index));
    witness_.apply(reasoner_.move_text(index));
    reasoner_.apply(index);
  }

  void show() {
    const auto variables = viewer_ ? witness_.variables(*viewer_) : witness_.variables();
    if (variables) {
      out_ << picture(*variables);
    } else {
      out_ << fmt::format("(Too many positions are possible for {} to draw one.)\n", name(*viewer_));
    }
  }

  // Back to the last decision of the person.
  void take_back() {
    bool any = false;
    while (reasoner_.undo()) {
      witness_.undo();
      any = true;
      if (std::ranges::find(options_.people, reasoner_.mover()) != options_.people.end()) return;
    }
    if (!any) out_ << "There is nothing to take back.\n";
  }

  void list(std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, kMaxListed); ++i) {
      out_ << fmt::format("  {:>3}  {}\n", i + 1, text(i));
    }
    if (count > kMaxListed)
      out_ << fmt::format("  … and {} more; type the start of one to see them\n", count - kMaxListed);
  }

  // False when the person leaves.
  bool ask(std::size_t count) {
    show();
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
        if (viewer_) {
          show();
        } else {
          out_ << reasoner_.describe();
        }
        continue;
      }
      std::vector<std::size_t> fitting;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string move = text(i);
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
        out_ << fmt::format("  {:>3}  {}\n", fitting[i] + 1, text(fitting[i]));
      }
    }
  }

  Reasoner& reasoner_;
  scene::Witness& witness_;
  std::optional<std::size_t> viewer_;  // from whom something is hidden
  std::istream& in_;
  std::ostream& out_;
  const PlayOptions& options_;
  std::mt19937_64 random_;
};

}  // namespace

void play(Reasoner& reasoner, scene::Witness& witness, std::istream& in, std::ostream& out,
          const PlayOptions& options) {
  Game(reasoner, witness, in, out, options).run();
}

}  // namespace rgtrans::play
