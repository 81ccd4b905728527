// The games that a description becomes, with what their moves are called in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/ir/ir.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::test {

struct GdlGame {
  std::shared_ptr<ir::Game> game;  // none where the description has no such form
  std::string why;                 // it has none
  bool wrong = false;              // that is a mistake of the translation: what it made is no well-formed game
  // From the tags of a move, or of what the keeper shows, to terms of the description.
  std::function<std::string(const std::string&)> words;
};

struct GdlRules {
  std::unique_ptr<gdl::Steps> steps;  // none where the description is refused
  std::string why;
};

// What would have more ground rules has no form; 0 for the limits of the language.
inline constexpr std::uint64_t kMostGdlRules = 30'000;
GdlGame ground_form(const std::string& text, std::uint64_t rules = kMostGdlRules);
GdlGame lifted_form(const std::string& text, std::uint64_t rules = kMostGdlRules);
// The rules as they stand, and their propositional network.
GdlRules direct_rules(const std::string& text);
GdlRules network_rules(const std::string& text, std::uint64_t rules = kMostGdlRules);

}  // namespace rgtrans::test
