// filter-choices: if a comparison that reads only x follows a choice x = T(*), restricts the choice to the members that
// pass, and removes the comparison. The choice must be the only edge into the node between them and the comparison the
// only edge out of it, and no check may start or end there. No other edge then observes x between the two, and behind
// the comparison x has the same values as before.
//
//   a, b: x = T(*);   b, c: f[x] == 2;      =>      type T_1 = { 1 };   a, b: x = T_1(*);   b, c: ;
#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::NodeId;

std::size_t filter_choices(ir::Game& game, const PassContext&) {
  constexpr std::size_t kMostMembers = 4096;
  const analysis::EndPoints ends(game);
  std::size_t changes = 0;
  for (std::uint32_t i = 0; i < game.graph.node_bound(); ++i) {
    const NodeId node(i);
    if (!game.graph.alive(node) || !ends.passed(node)) continue;
    const EdgeId in = *game.graph.in_edges(node).begin();
    const EdgeId out = *game.graph.out_edges(node).begin();
    const ir::Label choice = game.graph.label(in);
    const ir::Label condition = game.graph.label(out);
    const auto* any = std::get_if<ir::AssignAny>(&choice);
    const auto* compare = std::get_if<ir::Compare>(&condition);
    if (in == out || any == nullptr || compare == nullptr || !ir::writes_whole(game, choice)) continue;
    const ir::VarId x = game.assigned_variable(any->lhs);
    const auto span = game.members(any->type);
    const std::vector<SymbolId> members(span.begin(), span.end());
    if (!reads_only(game, *compare, x) || members.size() > kMostMembers) continue;
    std::vector<SymbolId> kept;
    std::ranges::copy_if(members, std::back_inserter(kept),
                         [&](SymbolId member) { return holds_for(game, *compare, member); });
    if (kept.empty() && remove_unwalked(game, {in}) == 0) continue;
    ++changes;
    if (game.claims.wanted()) {
      // Claims that the chosen members pass, and that all others fail.
      ir::Holds passes{node, {}, {*compare}};
      for (const SymbolId member : members)
        if (std::ranges::find(kept, member) == kept.end())
          passes.conclusions.push_back({game.variable_ref(x), game.symbol(member), false});
      game.claims.add("filter-choices", std::move(passes), game.graph.where(out));
      game.claims.add("filter-choices", ir::OneOf{out, game.variable_ref(x), kept}, game.graph.where(out));
    }
    if (kept.empty()) continue;
    if (kept.size() < members.size()) {
      game.graph.set_label(in, ir::AssignAny{any->lhs, named_set(game, any->type, kept)});
    }
    game.graph.set_label(out, ir::Empty{});
  }
  return changes;
}

}  // namespace rgtrans::passes
