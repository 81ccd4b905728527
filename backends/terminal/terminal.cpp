// Plays a game against the user, line by line.
#include "backends/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>

#include "backends/terminal/company.hpp"
#include "backends/terminal/lines.hpp"
#include "core/support/letters.hpp"
#include "core/support/secrets.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::terminal {

namespace {

constexpr std::size_t kMaxListed = 60;
constexpr std::size_t kWindow = 80;    // columns of the terminal
constexpr std::size_t kMaxJudged = 5;  // moves listed in an evaluation
// Words that are typed instead of a move.
constexpr std::array<std::string_view, 8> kCommands = {"help", "moves", "board", "state",
                                                       "hint", "eval",  "undo",  "quit"};

// The player on each seat, "" for the user.
std::vector<std::string> seating(const GameInfo& info, const PlayOptions& options) {
  const std::size_t others = info.players.size() - options.people.size();
  const std::vector<std::string>& names = options.opponents;
  if (names.size() != 1 && names.size() != others) {
    throw Error(fmt::format("{} opponents are named, and {} seats are left to them", names.size(), others),
                "name one for all, or one for each");
  }
  std::vector<std::string> seats(info.players.size());
  std::size_t next = 0;
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    if (std::ranges::find(options.people, seat) != options.people.end()) continue;
    seats[seat] = names.size() == 1 ? names[0] : names[next++];
  }
  return seats;
}

// Passes text on line by line, without control characters that names could contain.
class SafeText : public std::stringbuf {
 public:
  explicit SafeText(std::ostream& out) : out_(out) {}
  SafeText(const SafeText&) = delete;
  SafeText& operator=(const SafeText&) = delete;
  ~SafeText() override { hand_on(); }

 protected:
  int sync() override {
    hand_on();
    return 0;
  }

 private:
  void hand_on() {
    out_ << terminal_text(str()) << std::flush;
    str({});
  }
  std::ostream& out_;
};

class Game {
 public:
  Game(Reasoner& reasoner, scene::Witness& witness, const ir::Game& game, TypedLines& lines, std::ostream& out,
       const PlayOptions& options)
      : reasoner_(reasoner),
        witness_(witness),
        painter_(game, witness),
        wording_(game),
        lines_(lines),
        terminal_(out),
        safe_(out),
        out_(&safe_),
        options_(options),
        company_(reasoner, seating(reasoner.info(), options), options.adviser, options.seed),
        random_(options.seed, "chance") {
    if (!witness.hides() || options.reveal || options.people.empty()) return;
    if (options.people.size() > 1) {
      throw Error("this game hides moves, and several people would see each other's",
                  "move for one player, or see everything with --reveal");
    }
    viewer_ = options.people.front();
  }

  void run() {
    if (viewer_) {
      for (const scene::Seen& seen : witness_.seen(*viewer_)) tell(seen.mover, wording_.full(seen.text));
    }
    while (!reasoner_.terminal()) {
      const std::size_t count = reasoner_.move_count();
      if (count == 0) throw Error("the play is stuck: " + reasoner_.mover_name() + " has no move");
      const bool mine = std::ranges::find(options_.people, reasoner_.mover()) != options_.people.end();
      if (mine) {
        if (!ask(count)) return;
      } else {
        make(choice_of_others(count));
      }
    }
    show();
    const std::string verdict = scene::verdict(reasoner_);
    out_ << "The play is over." << (verdict.empty() ? "" : " ") << verdict << "\n";
    for (std::size_t i = 0; i < reasoner_.info().players.size(); ++i) {
      out_ << fmt::format("{}: {}\n", reasoner_.info().players[i], reasoner_.goal(i));
    }
  }

 private:
  std::size_t choice_of_others(std::size_t count) {
    if (count == 1) return 0;
    if (reasoner_.mover() < reasoner_.info().players.size()) return company_.choose(reasoner_);
    return random_.below(count);
  }

  // The moves as the viewer sees them, as in RG.
  std::vector<std::string> moves(std::size_t count) {
    std::vector<std::string> out(count);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = viewer_ ? reasoner_.observed_move_text(i, *viewer_) : reasoner_.move_text(i);
    }
    return out;
  }

  void tell(std::size_t mover, const std::string& text) {
    if (text.empty() && mover == reasoner_.info().keeper()) return;
    out_ << reasoner_.info().mover_name(mover) << ": " << (text.empty() && viewer_ ? "(hidden)" : text) << "\n";
  }

  void make(std::size_t index) {
    tell(reasoner_.mover(), wording_.shown(moves(reasoner_.move_count()))[index]);
    mark(reasoner_.move_text(index));
    witness_.apply(reasoner_.move_text(index));
    company_.observe(reasoner_, index);
    reasoner_.apply(index);
  }

  // Remembers the cells of a move for the drawing. A move that may be hidden marks nothing.
  void mark(const std::string& move) {
    if (reasoner_.keeper_moves() && move.empty()) return;
    last_.clear();
    if (viewer_ || wording_.passes(move)) return;
    const auto found = scene::targets(painter_.scene(witness_), {wording_.full(move)});
    for (const scene::Target& target : found.front()) {
      if (target.size() == 1) last_.push_back(target.front());
    }
  }

  void show() {
    scene::Scene scene = painter_.scene(witness_, viewer_);
    scene.last = last_;
    out_ << "\n" << std::flush;
    terminal_ << scene::text(scene, options_.style);
  }

  // Takes back moves up to the user's last decision.
  void take_back() {
    std::size_t left = company_.moves();
    const std::size_t before = left;
    while (left > 0 && reasoner_.undo()) {
      witness_.undo();
      --left;
      if (std::ranges::find(options_.people, reasoner_.mover()) != options_.people.end()) break;
    }
    last_.clear();
    if (left == before) {
      out_ << "There is nothing to take back.\n";
    } else {
      company_.take_back(left);
    }
  }

  // Prints the adviser's evaluation, with up to `most` moves.
  void judge(const std::vector<std::string>& shown, std::size_t most) {
    if (shown.size() == 1) {
      out_ << fmt::format("The only move is {}.\n", shown[0]);
      if (most == 1) return;
    }
    const search::TreeReport& report = company_.advice(reasoner_);
    const GameInfo& info = reasoner_.info();
    if (most > 1 && !report.values.empty()) {
      std::vector<std::string> values;
      for (std::size_t i = 0; i < info.players.size(); ++i) {
        values.push_back(fmt::format("{} {:.{}f}", info.players[i], report.values[i], report.proven ? 0 : 1));
      }
      out_ << fmt::format("{}: {}\n", report.proven ? "Proven" : "Expected", fmt::join(values, ", "));
    }
    if (report.moves.empty()) return;
    std::vector<search::RootMove> best = report.moves;
    const std::uint32_t first = search::best_move(report);
    std::ranges::stable_sort(best, [&](const search::RootMove& a, const search::RootMove& b) {
      return std::make_pair(a.move == first, a.visits) > std::make_pair(b.move == first, b.visits);
    });
    best.resize(std::min(best.size(), most));
    for (const search::RootMove& move : best) {
      const double value = info.least_goal + move.value * (info.most_goal - info.least_goal);
      out_ << fmt::format("  {:>3}  {:20} {} {:.{}f} for {}", move.move + 1, shown[move.move],
                          move.proven ? "proven" : "about", value, move.proven ? 0 : 1, reasoner_.mover_name());
      out_ << fmt::format(", {} visits\n", move.visits);
    }
  }

  void list(const std::vector<std::string>& shown, const std::vector<std::size_t>& which) {
    // In columns, so that the board stays in sight.
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < which.size() && i < kMaxListed; ++i) {
      texts.push_back(fmt::format("{:>3}  {}", which[i] + 1, shown[which[i]]));
    }
    out_ << in_columns(texts, kWindow);
    if (which.size() > kMaxListed) {
      out_ << fmt::format("  … and {} more; type the start of one to see them\n", which.size() - kMaxListed);
    }
  }

  void help() {
    out_ << "  3            the move with that number\n"
            "  a move       as in the list, in full, or as RG names it; the start of one is enough where it is clear\n"
            "  moves        the list again\n"
            "  board        the position again\n"
            "  state        all variables\n"
            "  hint         a good move\n"
            "  eval         the value of the position, and the best moves\n"
            "  undo         back to your last decision\n"
            "  quit         leave\n";
  }

  // Executes a command typed instead of a move. Returns true if it was one; the position may have changed.
  bool command(std::string_view line, const std::vector<std::string>& shown, const std::vector<std::size_t>& all) {
    if (line == "help" || line == "?" || line == "h") {
      help();
    } else if (line == "moves") {
      list(shown, all);
    } else if (line == "board" || (line == "state" && viewer_)) {
      show();
    } else if (line == "hint") {
      judge(shown, 1);
    } else if (line == "eval") {
      judge(shown, kMaxJudged);
    } else if (line == "state") {
      out_ << reasoner_.describe();
    } else {
      return false;
    }
    return true;
  }

  // Returns false if the user quits.
  bool ask(std::size_t count) {
    show();
    const std::vector<std::string> texts = moves(count);
    const std::vector<std::string> shown = wording_.shown(texts);
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    list(shown, all);
    std::vector<std::string> offered;
    for (const std::string& text : shown) offered.push_back(terminal_text(text));
    offered.insert(offered.end(), kCommands.begin(), kCommands.end());
    const std::string prompt = terminal_text(reasoner_.mover_name() + " to move (a number, a move, or help): ");
    while (true) {
      out_ << std::flush;
      const std::optional<std::string> typed = lines_.next(prompt, offered);
      if (!typed) {
        out_ << "\n";
        return false;
      }
      std::string line = *typed;
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
      if (line.empty()) continue;
      if (line == "quit" || line == "q") return false;
      if (line == "undo" || line == "u") {
        take_back();
        return true;
      }
      std::vector<std::size_t> fitting = wording_.meant(texts, line);
      if (fitting.empty() && command(line, shown, all)) continue;
      const bool number = line.size() < 9 && all_digits(line);
      if (fitting.empty() && number && std::stoul(line) >= 1 && std::stoul(line) <= count) {
        fitting = {std::stoul(line) - 1};
      }
      if (fitting.empty()) {
        for (std::size_t i = 0; i < count; ++i) {
          const bool starts = shown[i].starts_with(line) || texts[i].starts_with(line);
          if (starts || wording_.full(texts[i]).starts_with(line)) fitting.push_back(i);
        }
      }
      if (fitting.size() == 1) {
        make(fitting.front());
        return true;
      }
      if (fitting.empty()) out_ << "No move is or starts with '" << line << "'; help lists the other inputs.\n";
      list(shown, fitting);
    }
  }

  Reasoner& reasoner_;
  scene::Witness& witness_;
  scene::Painter painter_;
  scene::Wording wording_;
  std::vector<std::string> last_;      // cells of the last move
  std::optional<std::size_t> viewer_;  // a player from whom something is hidden
  TypedLines& lines_;
  std::ostream& terminal_;  // takes the colours of boards
  SafeText safe_;
  std::ostream out_;
  const PlayOptions& options_;
  Company company_;
  SecretNumbers random_;  // for chance
};

}  // namespace

void play(Reasoner& reasoner, scene::Witness& witness, const ir::Game& game, TypedLines& lines, std::ostream& out,
          const PlayOptions& options) {
  Game(reasoner, witness, game, lines, out, options).run();
}

}  // namespace rgtrans::terminal
