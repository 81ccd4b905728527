// The games to which a GDL description is translated, with the names of their moves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/ir/ir.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::test {

struct GdlGame {
  std::shared_ptr<ir::Game> game;  // null if the description has no such form
  std::string why;                 // reason why there is no game
  bool wrong = false;              // the translation produced an invalid game
  // Translates the tags of a move, or tags that keeper shows, to terms of the description.
  std::function<std::string(const std::string&)> words;
};

struct GdlRules {
  std::unique_ptr<gdl::Steps> steps;  // null if the description is refused
  std::string why;
};

// Descriptions with more ground rules are refused; 0 uses the limits of the language.
inline constexpr std::uint64_t kMostGdlRules = 30'000;
GdlGame ground_form(const std::string& text, std::uint64_t rules = kMostGdlRules);
GdlGame lifted_form(const std::string& text, std::uint64_t rules = kMostGdlRules);
// The rules as written, and their propositional network.
GdlRules direct_rules(const std::string& text);
GdlRules network_rules(const std::string& text, std::uint64_t rules = kMostGdlRules);

}  // namespace rgtrans::test
