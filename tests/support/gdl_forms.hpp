// The games that a description becomes, with what their moves are called in it.
#pragma once

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

// Efforts are bounded: what would take long has no form.
GdlGame ground_form(const std::string& text);
GdlGame lifted_form(const std::string& text);
// The rules as they stand, and their propositional network.
GdlRules direct_rules(const std::string& text);
GdlRules network_rules(const std::string& text);

}  // namespace rgtrans::test
