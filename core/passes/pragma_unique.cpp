// pragma-unique: writes @unique and @repeat for all nodes that explorations pass.
//
//   @unique q;                    no exploration reaches q twice with the same tags and equal relevant variables
//   @repeat q : x y;              two arrivals at q with the same tags are equal if x and y are
#include <algorithm>
#include <unordered_map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::passes {

using ir::NodeId;

std::size_t pragma_unique(ir::Game& game, const PassContext& context) {
  analysis::Cache& analyses = *context.analyses;
  const analysis::Flow& flow = analyses.flow();
  // The analysis stores a bit for each variable at each node, several times.
  constexpr std::size_t kMostBits = 2'000'000'000;
  if (flow.size() * game.variables().size() > kMostBits) {
    leave_out(context, "pragma-unique: not in a game with so many nodes and variables");
    return replace_pragmas<ir::Repeat, ir::Unique>(game, {});
  }
  const analysis::SecondVisits repeats(game, flow, analyses.liveness(), analyses.versions(), analyses.values());
  ir::Unique unique;
  std::unordered_map<Bits, ir::Repeat, BitsHash> repeat;
  for (NodeId node : reached_nodes(game, flow)) {
    const auto& fact = repeats.at(node);
    if (!fact.explored) continue;
    if (!fact.repeated) {
      unique.nodes.push_back(node);
      continue;
    }
    repeat[fact.differing].nodes.push_back(node);
  }
  std::vector<ir::Pragma> fresh;
  for (auto& [differing, found] : repeat) {
    ir::Repeat pragma = std::move(found);
    differing.for_each([&pragma](std::size_t v) { pragma.variables.emplace_back(v); });
    fresh.push_back({std::move(pragma), {}});
  }
  // Sort by variables.
  std::ranges::sort(fresh, {}, [](const ir::Pragma& p) -> const std::vector<ir::VarId>& {
    return std::get<ir::Repeat>(p.content).variables;
  });
  if (!unique.nodes.empty()) fresh.push_back({std::move(unique), {}});
  return replace_pragmas<ir::Repeat, ir::Unique>(game, std::move(fresh));
}

}  // namespace rgtrans::passes
