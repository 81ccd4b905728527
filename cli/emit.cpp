#include "cli/emit.hpp"

#include <algorithm>
#include <array>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "cli/graphviz.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli {

namespace {

struct Emitter {
  const char* name;
  std::string (*emit)(const ir::Game& game);
};

constexpr std::array kTable = {
    Emitter{"rg", [](const ir::Game& game) { return rg::print(game); }},
    Emitter{"json", [](const ir::Game& game) { return json::print(game) + "\n"; }},
    Emitter{"dot", [](const ir::Game& game) { return dot::print(game); }},
    Emitter{"svg", [](const ir::Game& game) { return draw(game); }},
    Emitter{"stats", [](const ir::Game& game) { return stats::text(stats::collect(game)); }},
};

}  // namespace

std::vector<std::string> emitter_names() {
  std::vector<std::string> names;
  for (const Emitter& e : kTable) names.emplace_back(e.name);
  return names;
}

std::string emit(const ir::Game& game, std::string_view form) {
  const auto it = std::ranges::find(kTable, form, [](const Emitter& e) { return std::string_view(e.name); });
  return it->emit(game);
}

}  // namespace rgtrans::cli
