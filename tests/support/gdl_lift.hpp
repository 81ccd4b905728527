// Lifts descriptions in tests, and compares them with their ground programs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/ir/parts.hpp"
#include "frontends/gdl/gdl.hpp"
#include "tests/support/gdl_lifted.hpp"

namespace rgtrans::gdl {

struct Lifted {
  std::optional<ir::Game> game;
  std::string why;
  lifted::LiftedNames names;
};

inline Program read_rules(const std::string& text,
                          const std::shared_ptr<Sources>& sources = std::make_shared<Sources>()) {
  Diagnostics diagnostics(sources);
  Program program = read_program(sources->add("game.kif", text), diagnostics, false);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *sources) << text;
  return program;
}

inline Lifted lift(const std::string& text, const GroundOptions& options = {}) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const Program program = read_rules(text, sources);
  Lifted result;
  result.game = lifted::lift(program, sources, options, {}, result.why, &result.names);
  if (result.game) ir::verify(*result.game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *sources);
  return result;
}

// The first difference from the ground program in some playouts, or "". If the game is not lifted, the reason.
inline std::string beside_ground(const std::string& text, const Lifted& game, std::uint64_t playouts) {
  if (!game.game) return "not lifted: " + game.why;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const std::unique_ptr<Steps> network =
      std::make_unique<NetworkSteps>(ground(sources->add("game.kif", text), diagnostics));
  LiftedPlay play(make_interpreter(*game.game), game.names);
  for (std::uint64_t seed = 1; seed <= playouts; ++seed)
    if (std::string difference = play.beside(*network, seed, 60); !difference.empty())
      return fmt::format("playout {}: {}", seed, difference);
  return "";
}

inline bool has_variable(const ir::Game& game, std::string_view end) {
  return std::ranges::any_of(game.variables(),
                             [&](const ir::Variable& v) { return game.symbols.str(v.name).ends_with(end); });
}

}  // namespace rgtrans::gdl
