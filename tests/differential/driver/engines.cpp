#include "tests/differential/driver/engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::differential {

namespace {

template <class Id>
struct Word {
  std::string_view name;
  Id id;
  std::string_view help;
};
constexpr std::array kForms = {
    Word<Form>{"rules", Form::rules, "the rules of a GDL description as they stand"},
    Word<Form>{"network", Form::network, "its propositional network"},
    Word<Form>{"ground", Form::ground, "its ground form"},
    Word<Form>{"lifted", Form::lifted, "its lifted form"},
    Word<Form>{"game", Form::game, "what the front end makes of a text of any language"},
};
constexpr std::array kPlayers = {
    Word<Player>{"interpreter", Player::interpreter, "where nothing else is said"},
    Word<Player>{"naive", Player::naive, "the naive evaluator, with -O0"},
    Word<Player>{"cpp", Player::cpp, "the compiled reasoner; many games are compiled together"},
    Word<Player>{"tables", Player::tables, "the same as if the game were too large for code"},
    Word<Player>{"twin", Player::twin, "the host twin of a game on a GPU; each game is compiled alone"},
    Word<Player>{"env", Player::env, "a batch environment"},
    Word<Player>{"claims", Player::claims,
                 "some plays that evaluate what the translation claims, compared with nothing"},
    Word<Player>{"page", Player::page, "the reasoner of `rgtrans page`, in node; with -O0"},
    Word<Player>{"text", Player::text, "the text in RG, which must mean the same game"},
};
constexpr std::array<std::string_view, 3> kLevels = {"O0", "O1", "O2"};

EngineName engine_named(const std::string& word) {
  EngineName engine;
  const std::size_t slash = word.find('/');
  engine.name = word.substr(0, slash);
  if (slash != std::string::npos) engine.each = std::max(1ULL, std::stoull(word.substr(slash + 1)));
  const std::vector<std::string> parts = split_list(engine.name, "-");
  const auto form = std::ranges::find(kForms, parts.empty() ? "" : parts[0], &Word<Form>::name);
  bool known = form != kForms.end();
  if (known) engine.form = form->id;
  if (engine.form == Form::rules || engine.form == Form::network) engine.player = Player::rules;
  for (std::size_t i = 1; known && i < parts.size(); ++i) {
    const auto level = std::ranges::find(kLevels, parts[i]);
    const auto player = std::ranges::find(kPlayers, parts[i], &Word<Player>::name);
    if (level != kLevels.end() && i == 1) {
      engine.level = static_cast<int>(level - kLevels.begin());
    } else if (player != kPlayers.end() && i + 1 == parts.size()) {
      engine.player = player->id;
    } else {
      known = false;
    }
  }
  if (!known) throw Error(fmt::format("there is no engine \"{}\"", word));
  return engine;
}

}  // namespace

std::vector<EngineName> engines_named(const std::string& list) {
  std::vector<EngineName> result;
  for (const std::string& word : split_list(list)) result.push_back(engine_named(word));
  return result;
}

std::string engine_help() {
  std::string out = "An engine is FORM, FORM-LEVEL or FORM-LEVEL-PLAYER, with /N for one game in N.\nForms:\n";
  for (const auto& form : kForms) out += fmt::format("  {:<13}{}\n", form.name, form.help);
  out += "Levels: O0, O1, O2\nPlayers:\n";
  for (const auto& player : kPlayers) out += fmt::format("  {:<13}{}\n", player.name, player.help);
  return out;
}

std::string standard_engines(bool description) {
  return description ? "rules,ground-O0,lifted-O0,ground-O2/8,lifted-O2/8,ground-O0-text/8,lifted-O2-text/8"
                     : "game-O0-naive,game-O0,game-O1,game-O2,game-O2-text/4";
}

}  // namespace rgtrans::differential
