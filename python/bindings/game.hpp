// A game as Python holds it: immutable, shared between Python objects and the playing engines.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::python {

struct Game {
  std::shared_ptr<const ir::Game> game;
  std::string warnings_json;
};

// By the name of an engine, as in rgtrans.engines().
std::unique_ptr<Reasoner> make_reasoner(const Game& game, std::string_view engine);

}  // namespace rgtrans::python
