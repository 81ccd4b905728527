// Plays of small games of Ludii, for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/ludii/ludii.hpp"

namespace rgtrans::ludii {

inline constexpr std::string_view kAdd = "(move Add (to (sites Empty)))";
inline constexpr std::string_view kStep = "(forEach Piece (move Step (to if:(is Empty (to)))))";

// A game of Ludii. The text `1@0,3 2@1` puts pieces of player 1 on sites 0 and 3, and one of player 2 on site 1.
struct Rules {
  std::string board, pieces, play, end = "(if (no Moves Next) (result Mover Draw))";
  std::string players = "2";

  [[nodiscard]] std::string text() const {
    std::string start;
    for (const char player : {'1', '2'}) {
      const std::size_t at = pieces.find(fmt::format("{}@", player));
      if (at == std::string::npos) continue;
      std::string sites = pieces.substr(at + 2, pieces.find(' ', at) - at - 2);
      std::ranges::replace(sites, ',', ' ');
      start += fmt::format("(place \"M{}\" {{{}}})", player, sites);
    }
    return fmt::format(
        "(game \"T\" (players {}) (equipment {{(board {}) (piece \"M\" Each)}}) (rules {} (play {}) (end {})))",
        players, board, start.empty() ? "" : "(start {" + start + "})", play, end);
  }
};

class Play {
 public:
  explicit Play(const std::string& text, const FrontendOptions& options = {}) {
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add("test.lud", text);
    ir::Game game = frontend().load(file, diagnostics, options);
    if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) {
      mistake = diagnostics.all().front().message;
      return;
    }
    reasoner_ = make_interpreter(game);
    settle();
  }
  explicit Play(const Rules& rules) : Play(rules.text()) {}

  // "0>1 0>2", sorted; "!" for a pass.
  std::string moves() {
    if (reasoner_ == nullptr) return mistake;
    std::set<std::string> all;
    for (const std::string& text : reasoner_->move_texts()) all.insert(shown(text));
    std::string result;
    for (const std::string& text : all) result += (result.empty() ? "" : " ") + text;
    return result;
  }
  Play& apply(const std::string& move) {
    for (std::size_t i = 0; reasoner_ != nullptr && !reasoner_->terminal() && i < reasoner_->move_count(); ++i) {
      if (shown(reasoner_->move_text(i)) != move) continue;
      reasoner_->apply(i);
      settle();
      return *this;
    }
    ADD_FAILURE() << move << " is no move; there are " << moves();
    return *this;
  }
  // "1@0,3 2@1"
  [[nodiscard]] std::string pieces() const {
    std::string result;
    for (const VariableView& variable : reasoner_->variables()) {
      if (variable.name != "board") continue;
      for (const char* const player : {"1", "2"}) {
        std::vector<int> sites;
        for (const auto& cell : variable.cells) {
          if (cell.value == player) sites.push_back(std::stoi(cell.keys.front()));
        }
        std::ranges::sort(sites);
        for (std::size_t i = 0; i < sites.size(); ++i)
          result += i > 0 ? fmt::format(",{}", sites[i])
                          : fmt::format("{}{}@{}", result.empty() ? "" : " ", player, sites[i]);
      }
    }
    return result;
  }
  [[nodiscard]] std::string number(std::string_view name, std::string_view key) const {
    for (const VariableView& variable : reasoner_->variables()) {
      if (variable.name != name) continue;
      for (const auto& cell : variable.cells) {
        if (cell.keys.front() == key) return cell.value;
      }
    }
    return "none";
  }
  // The numbers of pieces on the sites 0 to 5.
  [[nodiscard]] std::string counts() const {
    std::string result;
    for (const char site : {'0', '1', '2', '3', '4', '5'})
      result += (result.empty() ? "" : " ") + number("count", std::string(1, site));
    return result;
  }
  [[nodiscard]] std::string goal(std::size_t player) const { return reasoner_->goal(player); }
  // "open", or the goals.
  [[nodiscard]] std::string end() const {
    return reasoner_->terminal() ? reasoner_->goal(0) + ":" + reasoner_->goal(1) : "open";
  }
  std::uint64_t perft(unsigned depth) { return reasoner_->perft(depth); }

  std::string mistake;

 private:
  static std::string shown(const std::string& text) {
    if (text == "pass") return "!";
    std::string result = text.substr(0, text.find(" alternative"));
    std::ranges::replace(result, ' ', '>');
    return result;
  }
  void settle() {
    while (reasoner_->keeper_moves()) reasoner_->apply(0);
  }
  std::unique_ptr<Reasoner> reasoner_;
};

inline Rules row(int sites, std::string pieces, std::string_view play,
                 std::string end = "(if (no Moves Next) (result Mover Draw))") {
  return {fmt::format("(rectangle 1 {})", sites), std::move(pieces), std::string(play), std::move(end)};
}

}  // namespace rgtrans::ludii
