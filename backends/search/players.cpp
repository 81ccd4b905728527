// The players that can be named on the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "backends/search/command.hpp"
#include "backends/search/search.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::search {

namespace {

class RandomPlayer : public SeatPlayer {
 public:
  void start(const Reasoner&, std::size_t, std::uint64_t seed) override { random_ = TreeRandom(seed); }
  void observe(Reasoner&, std::size_t) override {}
  std::size_t choose(Reasoner& play) override { return random_.below(static_cast<std::uint32_t>(play.move_count())); }

 private:
  TreeRandom random_{1};
};

class TreePlayer : public SeatPlayer {
 public:
  TreePlayer(const TreeOptions& options, const Budget& budget) : options_(options), budget_(budget) {}

  void start(const Reasoner& game, std::size_t seat, std::uint64_t seed) override {
    seat_ = seat;
    random_ = TreeRandom(seed);
    if (game.info().hidden) {
      knowledge_.emplace(game, seat, random_.next());
      information_ = std::make_unique<InformationSearch>(game, options_, random_.next());
    } else {
      tree_ = make_tree(game, options_, random_.next());
    }
  }
  void observe(Reasoner& play, std::size_t index) override {
    if (knowledge_) knowledge_->observe(play, index);
  }
  std::size_t choose(Reasoner& play) override {
    const std::size_t count = play.move_count();
    if (count == 1) return 0;
    if (!knowledge_) {
      report_ = tree_->run(play, budget_);
    } else {
      report_ = information_->run(*knowledge_, play.move_texts(), budget_);
      // No possible position fits the observations.
      if (report_.simulations == 0) return random_.below(static_cast<std::uint32_t>(count));
    }
    return best_move(report_);
  }
  [[nodiscard]] const TreeReport* thoughts() const override { return &report_; }

 private:
  TreeOptions options_;
  Budget budget_;
  std::size_t seat_ = 0;
  TreeRandom random_{1};
  std::shared_ptr<TreeSearch> tree_;
  std::optional<SeatKnowledge> knowledge_;
  std::unique_ptr<InformationSearch> information_;
  TreeReport report_;
};

// Plays perfectly where a position can be solved in time, and else as well as the same time of tree search does.
class SolverPlayer : public SeatPlayer {
 public:
  explicit SolverPlayer(double seconds) : seconds_(seconds), tree_({}, {.seconds = seconds}) {}
  void start(const Reasoner& game, std::size_t seat, std::uint64_t seed) override { tree_.start(game, seat, seed); }
  void observe(Reasoner& play, std::size_t index) override { tree_.observe(play, index); }
  std::size_t choose(Reasoner& play) override {
    constexpr std::uint64_t kMemory = 512U << 20U;
    if (play.move_count() > 1 && !play.info().hidden) {
      const Solution solution = solve(play, {.seconds = seconds_, .memory = kMemory});
      if (solution.solved && !solution.line.empty()) {
        if (const auto index = play.find_move(solution.line[0])) return *index;
      }
    }
    return tree_.choose(play);
  }

 private:
  double seconds_;
  TreePlayer tree_;
};

[[noreturn]] void unknown(const std::string& text, const std::string& why) {
  throw Error(fmt::format("'{}' is no player: {}", text, why),
              "players are random, mcts:1000 (simulations), mcts:2s (seconds), solver:2s, command:./my-bot");
}

double number(const std::string& text, const std::string& whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e15) {
    unknown(whole, fmt::format("'{}' is no number", text));
  }
  return value;
}

// "1000" or "2s".
void read_budget(const std::string& text, const std::string& whole, Budget& budget) {
  if (text.ends_with('s')) {
    budget.seconds = number(text.substr(0, text.size() - 1), whole);
  } else {
    budget.simulations = static_cast<std::uint64_t>(number(text, whole));
  }
  if (budget.seconds <= 0 && budget.simulations == 0) unknown(whole, "it has no time to think");
}

// A setting that may follow the budget of mcts, written NAME=VALUE.
struct Setting {
  std::string_view name;
  void (*set)(TreeOptions& options, Budget& budget, double value);
};
constexpr Setting kSettings[] = {
    {"c", [](TreeOptions& o, Budget&, double value) { o.exploration = value; }},
    {"first", [](TreeOptions& o, Budget&, double value) { o.first_play = value; }},
    {"rave", [](TreeOptions& o, Budget&, double value) { o.rave = value; }},
    {"mast", [](TreeOptions& o, Budget&, double value) { o.mast = std::min(value, 1.0); }},
    {"minimax", [](TreeOptions& o, Budget&, double value) { o.minimax = std::min(value, 1.0); }},
    {"proofs", [](TreeOptions& o, Budget&, double value) { o.proofs = value > 0; }},
    {"wins", [](TreeOptions& o, Budget&, double v) { o.wins = static_cast<std::uint32_t>(std::min(v, 1e9)); }},
    {"cutoff", [](TreeOptions& o, Budget&, double v) { o.most_moves = static_cast<std::uint32_t>(std::min(v, 1e9)); }},
    {"memory", [](TreeOptions& o, Budget&, double mib) { o.memory = static_cast<std::uint64_t>(mib) << 20U; }},
    {"threads",
     [](TreeOptions&, Budget& b, double n) { b.threads = static_cast<unsigned>(std::clamp(n, 1.0, 256.0)); }},
};

void read_settings(std::span<const std::string> words, const std::string& whole, TreeOptions& options, Budget& budget) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const double value = equals == std::string::npos ? 1 : number(word.substr(equals + 1), whole);
    const auto* const setting = std::ranges::find(kSettings, name, &Setting::name);
    if (setting == std::end(kSettings)) {
      std::vector<std::string_view> names;
      for (const Setting& known : kSettings) names.push_back(known.name);
      unknown(whole, fmt::format("there is no option '{}'; the options of mcts are {}", name, fmt::join(names, ", ")));
    }
    setting->set(options, budget, value);
  }
}

std::unique_ptr<SeatPlayer> tree_player(const std::string& rest, const std::string& whole) {
  TreeOptions options;
  Budget budget;
  const std::vector<std::string> words = split_list(rest);
  read_budget(words.empty() ? "" : words[0], whole, budget);
  if (words.size() > 1) read_settings(std::span(words).subspan(1), whole, options, budget);
  return std::make_unique<TreePlayer>(options, budget);
}

}  // namespace

void set_tree_options(const std::string& settings, TreeOptions& options, Budget& budget) {
  if (!settings.empty()) read_settings(split_list(settings), settings, options, budget);
}

std::unique_ptr<SeatPlayer> make_player(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "random" && rest.empty()) return std::make_unique<RandomPlayer>();
  if (kind == "mcts") return tree_player(rest.empty() ? "1000" : rest, text);
  if (kind == "solver") {
    Budget budget;
    read_budget(rest.empty() ? "1s" : rest, text, budget);
    if (budget.seconds <= 0) unknown(text, "it takes seconds, as solver:2s");
    return std::make_unique<SolverPlayer>(budget.seconds);
  }
  if (kind == "command" && !rest.empty()) return make_command_player(rest);
  unknown(text, "nobody is called that");
}

}  // namespace rgtrans::search
