// The games of Ludii that the front end translates: perft by moves and positions, and playouts step by step with all
// legal moves, positions, ends and ranks, against Ludii itself. By default small numbers and every twenty-fifth game;
// with RGTRANS_FULL everything that is recorded. RGTRANS_GAME chooses games,
// with semicolons between them.
#include "frontends/ludii/ludii.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "tests/support/checksum.hpp"
#include "tests/support/ludii_corpus.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

using namespace corpus;
using nlohmann::json;

// A game with the texts of the oracle.
class LudiiPlay {
 public:
  LudiiPlay(const ir::Game& game, const ludii::Equipment& equipment)
      : reasoner_(make_interpreter(game)), e_(equipment) {
    for (const NumberedCell& cell : reasoner_->cells()) {
      if (cell.keys.empty() || cell.keys.front().starts_with("minus")) {
        if (cell.variable == "swapped") swapped_ = cell.number;
        continue;
      }
      if (cell.keys.size() == 2) {
        levels_[cell.variable][{std::stoi(cell.keys[0]), std::stoi(cell.keys[1])}] = cell.number;
      } else {
        cells_[cell.variable][std::stoi(cell.keys.front())] = cell.number;
      }
    }
    settle();
  }

  [[nodiscard]] Reasoner& reasoner() { return *reasoner_; }
  void reset() {
    reasoner_->reset();
    settle();
  }
  // Number of steps, so that they can be undone.
  std::size_t apply(std::size_t index) {
    reasoner_->move_count();
    reasoner_->apply(index);
    return 1 + settle();
  }
  void undo(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) reasoner_->undo();
  }
  [[nodiscard]] std::string key(int site) const {
    const char letter = !e_.is_board_site(site) || e_.use == ludii::SiteType::cell ? 'C'
                        : e_.use == ludii::SiteType::vertex                        ? 'V'
                                                                                   : 'E';
    return fmt::format("{}{}", letter, site);
  }
  [[nodiscard]] std::string body() const {
    std::string text;
    for (const auto& [site, cell] : cells_.at("board")) {
      const int piece = number(cell), state = at("state", site), value = at("value", site);
      if (piece == 0 && state == 0 && value == 0) continue;
      text += fmt::format("{}{}=", text.empty() ? "" : " ", key(site));
      if (const int height = at("height", site); height > 1) {
        text += stack(site, height);
        continue;
      }
      const int count = at("count", site);
      if (count > 1 || (piece == 0 && cells_.contains("count"))) text += fmt::format("{}*", count);
      text += item(piece, state, value);
    }
    return text;
  }
  [[nodiscard]] std::string item(int piece, int state, int value) const {
    std::string name = piece == 0 ? "-" : e_.component(piece).name;
    std::ranges::replace(name, ' ', '_');
    return name + (state > 0 ? fmt::format(":s{}", state) : "") + (value > 0 ? fmt::format(":v{}", value) : "");
  }
  // From the bottom to the top; equal pieces are counted.
  [[nodiscard]] std::string stack(int site, int height) const {
    const auto on = [&](const std::string& variable, int level) {
      const auto map = levels_.find(variable);
      return map == levels_.end() ? 0 : number(map->second.at({site, level}));
    };
    std::string text;
    for (int level = 0; level < height;) {
      const std::string one = item(on("stack_piece", level), on("stack_state", level), on("stack_value", level));
      int end = level + 1;
      while (end < height && item(on("stack_piece", end), on("stack_state", end), on("stack_value", end)) == one) ++end;
      text += (text.empty() ? "" : "/") + (end - level > 1 ? fmt::format("{}*", end - level) : "") + one;
      level = end;
    }
    return text;
  }
  // Throws the dice as the oracle writes it: `site=26,state=5 site=27,state=0`. Returns false if that is no throw.
  bool throw_dice(const std::string& outcome) {
    std::string tags;
    for (const std::string& die : split(outcome)) tags += (tags.empty() ? "" : " ") + die.substr(die.rfind('=') + 1);
    for (std::size_t i = 0; is_chance() && i < reasoner_->move_count(); ++i) {
      if (reasoner_->move_text(i) != tags) continue;
      apply(i);
      return true;
    }
    return false;
  }
  [[nodiscard]] bool is_chance() const { return reasoner_->mover() == reasoner_->info().random(); }
  [[nodiscard]] std::string tail() {
    std::string text = "over";
    if (!reasoner_->terminal()) {
      // Whoever moves next has the dice thrown.
      const bool chance = is_chance();
      const std::size_t steps = chance ? apply(0) : 0;
      std::size_t player = static_cast<std::size_t>(reasoner_->mover());
      undo(steps);
      if (swapped_ && number(*swapped_) == 1) player = 1 - player;
      text = fmt::format("m{}", player + 1);
    }
    for (int player = 1; player <= e_.player_count() && cells_.contains("score"); ++player)
      text += fmt::format("{}{}", player == 1 ? " s" : ",", at("score", player));
    return text;
  }
  [[nodiscard]] std::string position() {
    const std::string text = body();
    return fmt::format("{}|{}", text.empty() ? "" : text + " ", tail());
  }
  // The moves as Ludii's oracle writes them.
  std::map<std::string, std::size_t> moves() {
    std::multimap<std::string, std::size_t> texts;
    for (std::size_t i = 0; i < (reasoner_->terminal() ? 0 : reasoner_->move_count()); ++i) {
      std::vector<std::string> words;
      for (const std::string& word : split(reasoner_->move_text(i))) {
        if (word == "over" || word.starts_with("alternative")) break;
        words.push_back(word == "pass" || word == "swap" ? word : key(std::stoi(word)));
      }
      // A piece that stays on its site.
      if (words.size() == 2 && words[0] == words[1]) words.pop_back();
      texts.emplace(fmt::format("{}", fmt::join(words, "-")), i);
    }
    std::map<std::string, std::size_t> result;
    for (auto it = texts.begin(); it != texts.end();) {
      const auto end = texts.upper_bound(it->first);
      std::map<std::string, std::size_t> positions;
      if (std::next(it) != end) {
        for (auto one = it; one != end; ++one) {
          const std::size_t steps = apply(one->second);
          positions.emplace(fmt::format("{}={:08x}", it->first, crc32(position())), one->second);
          undo(steps);
        }
      }
      // Of moves with one text, the positions tell them apart.
      if (positions.size() > 1) {
        result.merge(positions);
      } else {
        result.emplace(it->first, it->second);
      }
      it = end;
    }
    return result;
  }

 private:
  static std::vector<std::string> split(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
  }
  std::size_t settle() {
    std::size_t steps = 0;
    for (; reasoner_->keeper_moves(); ++steps) reasoner_->apply(0);
    return steps;
  }

  std::unique_ptr<Reasoner> reasoner_;
  const ludii::Equipment& e_;
  [[nodiscard]] int number(std::uint32_t cell) const {
    const std::string text = reasoner_->value_text(reasoner_->cell_value(cell));
    return text.starts_with("minus_") ? -std::stoi(text.substr(6)) : std::stoi(text);
  }
  [[nodiscard]] int at(const std::string& variable, int key) const {
    const auto map = cells_.find(variable);
    if (map == cells_.end()) return 0;
    const auto cell = map->second.find(key);
    return cell == map->second.end() ? 0 : number(cell->second);
  }

  std::map<std::string, std::map<int, std::uint32_t>> cells_;  // by variable and key
  std::map<std::string, std::map<std::pair<int, int>, std::uint32_t>> levels_;
  std::optional<std::uint32_t> swapped_;
};

struct Leaves {
  std::uint64_t count = 0;
  std::uint32_t sum = 0;
};

// The time for one game; what is not compared by then is left out.
class Clock {
 public:
  explicit Clock(double seconds) : end_(std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)) {}
  [[nodiscard]] bool over() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
};

void count_leaves(LudiiPlay& play, unsigned depth, Leaves& leaves, const Clock& clock) {
  for (const auto& [text, i] : play.moves()) {
    if (clock.over()) return;
    const std::size_t steps = play.apply(i);
    if (depth == 1) {
      ++leaves.count;
      leaves.sum += crc32(play.position());
    } else {
      count_leaves(play, depth - 1, leaves, clock);
    }
    play.undo(steps);
  }
}

class GameCheck {
 public:
  GameCheck(std::string name, LudiiPlay& play, double seconds) : name_(std::move(name)), play_(play), clock_(seconds) {}

  void perft(const std::vector<Row>& rows, std::uint64_t most) {
    for (Row row : rows) {
      if (std::stoull(row["leaves"]) > most) continue;
      play_.reset();
      Leaves leaves;
      count_leaves(play_, static_cast<unsigned>(std::stoul(row["depth"])), leaves, clock_);
      if (clock_.over()) return;
      const std::string sum = fmt::format("{:08x}", leaves.sum);
      const bool equal = std::to_string(leaves.count) == row["leaves"] && sum == row["pos_crc_sum"];
      (equal ? equal_rows : different_rows) += 1;
      if (!equal)
        differ(fmt::format("perft {}: {} {} instead of {} {}", row["depth"], leaves.count, sum, row["leaves"],
                           row["pos_crc_sum"]));
      if (!equal) return;
    }
  }

  void traces(std::istream& stream, bool all) {
    bool lost = false, open = false;
    for (std::string line; std::getline(stream, line);) {
      if (clock_.over()) return;
      const json row = json::parse(line);
      const std::string kind = row.value("t", "");
      if (kind == "start") {
        if (row["playout"] != 0 && !all) break;
        play_.reset();
        lost = false;
        open = true;
        compare("start", fmt::format("{:08x}", crc32(play_.body())), row["b"], lost);
      } else if (kind == "end") {
        if (!lost) finish(row, lost);
        (lost ? different_traces : equal_traces) += 1;
        open = false;
      } else if (kind.empty() && !lost) {
        step(row, lost);
      }
    }
    if (open && lost) ++different_traces;
  }

  std::size_t equal_rows = 0, different_rows = 0, equal_traces = 0, different_traces = 0;
  std::vector<std::string> differences;

 private:
  void differ(std::string what) { differences.push_back(name_ + ": " + std::move(what)); }
  void compare(const std::string& what, const std::string& ours, const std::string& theirs, bool& lost) {
    if (ours == theirs || lost) return;
    lost = true;
    differ(fmt::format("{}: {} instead of {}", what, ours, theirs));
  }
  void step(const json& row, bool& lost) {
    const std::string at = fmt::format("move {}", row["k"].get<int>());
    if (row.contains("dice") != play_.is_chance() || (play_.is_chance() && !play_.throw_dice(row["dice"])))
      return compare(at, "other dice", row.value("dice", "none"), lost);
    const auto moves = play_.moves();
    std::string list, shown;
    for (const auto& [text, index] : moves) {
      list += text + "\n";
      shown += text + " ";
    }
    if (fmt::format("{:08x}", crc32(list)) != row["lc"]) {
      compare(at, shown, row.value("L", "other moves"), lost);
      lost = true;
      return;
    }
    const auto chosen = moves.find(row["mv"].get<std::string>());
    if (chosen == moves.end()) return compare(at, "no such move", row["mv"], lost);
    play_.apply(chosen->second);
    const std::string body = play_.body(), crc = fmt::format("{:08x}", crc32(body));
    compare(at + " position", crc == row["b"] ? crc : body, crc == row["b"] ? crc : row["d"].dump(), lost);
    compare(at + " mover", play_.tail(), row["x"], lost);
  }
  void finish(const json& row, bool& lost) {
    if (row["end"] != "over") return;
    compare("end", play_.reasoner().terminal() ? "over" : "open", "over", lost);
    if (lost) return;
    const std::size_t players = row["rank"].size();
    for (std::size_t player = 0; players > 1 && player < players; ++player) {
      const double rank = row["rank"][player], n = static_cast<double>(players);
      compare("rank", play_.reasoner().goal(player), std::to_string(std::lround(100 * (n - rank) / (n - 1))), lost);
    }
  }

  std::string name_;
  LudiiPlay& play_;
  Clock clock_;
};

TEST(LudiiGames, AreTranslatedExactly) {
  SKIP_WITHOUT_SHARED();
  const LudiiOracle oracle("lud_traces");
  std::map<std::string, std::vector<Row>> rows;
  for (Row& row : table(shared() / "oracle/lud_perft.tsv")) rows[row["game"]].push_back(std::move(row));
  const char* const only = std::getenv("RGTRANS_GAME");
  std::map<std::string, std::size_t> missing;
  std::size_t translated = 0, number = 0, equal_rows = 0, different_rows = 0, equal_traces = 0, different_traces = 0,
              tried = 0;
  std::vector<std::string> differences;
  for (const auto& [name, path] : ludii_games()) {
    if (const char* const first = std::getenv("RGTRANS_FROM"); first != nullptr && name < first) continue;
    if (only != nullptr ? (";" + std::string(only) + ";").find(";" + name + ";") == std::string::npos
                        : !full() && number++ % 25 != 0)
      continue;
    ++tried;
    if (std::getenv("RGTRANS_MISSING") != nullptr) fmt::print(stderr, "{}\n", name);
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add(path.string(), read_file(path));
    const ir::Game game = ludii::frontend().load(file, diagnostics, {});
    if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) {
      const std::string message = diagnostics.all().front().message;
      std::string every;
      for (const Diagnostic& one : diagnostics.all()) every += one.message + "; ";
      ++missing[diagnostics.all().size() == 1 ? message : every];
      if (std::getenv("RGTRANS_MISSING") != nullptr) fmt::print("MISSING {}: {}\n", name, every);
      if (only != nullptr || message.find("is not translated") == std::string::npos)
        fmt::print("{}: {}\n", name, render(diagnostics.all(), *diagnostics.sources()).substr(0, 600));
      continue;
    }
    ++translated;
    Sources sources;
    const Sources::File& again = sources.add(path.string(), read_file(path));
    const ludii::Description description = ludii::read_description(again, sources);
    const ludii::Equipment equipment = ludii::read_equipment(*description.players, *description.equipment);
    LudiiPlay play(game, equipment);
    const char* const seconds = std::getenv("RGTRANS_SECONDS");
    GameCheck check(name, play, seconds != nullptr ? std::stod(seconds) : full() ? 3 : 0.2);
    check.perft(rows[name], full() || only != nullptr ? 20'000 : 600);
    if (std::ifstream stream(oracle.path(name + ".jsonl")); stream) check.traces(stream, full());
    equal_rows += check.equal_rows;
    different_rows += check.different_rows;
    equal_traces += check.equal_traces;
    different_traces += check.different_traces;
    for (const std::string& what : check.differences) fmt::print("DIFFERS {}\n", what.substr(0, 700));
    differences.insert(differences.end(), check.differences.begin(), check.differences.end());
    std::fflush(stdout);
    fmt::print("{}: {} rows, {} traces\n", name, check.equal_rows, check.equal_traces);
  }
  std::vector<std::pair<std::size_t, std::string>> by_number;
  for (const auto& [what, count] : missing) by_number.emplace_back(count, what);
  std::ranges::sort(by_number, std::greater());
  for (std::size_t i = 0; i < std::min<std::size_t>(by_number.size(), 60); ++i)
    fmt::print("{} games: {}\n", by_number[i].first, by_number[i].second);
  fmt::print("{} of {} games translated, {} rows equal, {} different, {} traces equal, {} different\n", translated,
             tried, equal_rows, different_rows, equal_traces, different_traces);
  EXPECT_TRUE(differences.empty());
  EXPECT_GE(translated, only != nullptr ? 1U : full() ? 515U : 1U);
}

}  // namespace
}  // namespace rgtrans
