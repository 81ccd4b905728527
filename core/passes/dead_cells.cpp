// dead-cells: an assignment to a cell of a map is empty when on every way on the same cell is written again before
// anything can read it. "The same cell" is the same left side with nothing written in between that its indices read.
// What can read a cell is everything that mentions its map: a lookup with any key, `goals` at `end`, `visible` at a tag
// of a move, and the end of a move of random (see random_moves.hpp). dead-stores takes care of maps that are not read
// any more at all.
//
//   a, b: m[x] = 1;   b, c: y = 2;   c, d: m[x] = y;      =>      a, b: ;   b, c: y = 2;   c, d: m[x] = y;
#include <unordered_map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::VarId;

namespace {

// Which cells of those that are written somewhere may be read before they are written again.
struct NeededCells {
  using Domain = Bits;

  NeededCells(const ir::Game& g, const analysis::Flow& f) : game(g), flow(f), random(g, f) {
    of_map.resize(game.variables().size());
    by_index.resize(game.variables().size());
    for (const analysis::FlowEdge& e : flow.edges()) {
      if (!e.edge.valid() || e.call) continue;
      const ir::Label& label = game.graph.label(e.edge);
      if (!ir::is_assignment(label) || ir::writes_whole(game, label)) continue;
      const ExprId lhs = ir::left_side(label);
      const auto number = static_cast<std::uint32_t>(cells.size());
      if (!cells.try_emplace(lhs, number).second) continue;
      of_map[game.assigned_variable(lhs).value].push_back(number);
      ir::for_each_index_variable(game, lhs, [&](VarId v) { by_index[v.value].push_back(number); });
    }
  }

  Domain boundary(std::uint32_t at) const {
    Domain needed(cells.size());
    const ir::NodeId node = flow.node(at);
    if (!node.valid()) return needed;
    if (node == game.end() && game.goals().valid()) add(needed, of_map[game.goals().value]);
    if (random.ends[at]) {
      random.end_written[at].for_each([&](std::size_t v) { add(needed, of_map[v]); });
    }
    return needed;
  }

  void transfer(const analysis::FlowEdge& edge, const Domain& after, Domain& before) const {
    if (!edge.edge.valid() || edge.call) {
      before |= after;
      return;
    }
    const ir::Label& label = game.graph.label(edge.edge);
    Domain passed = after;
    if (const VarId written = ir::written_variable(game, label); written.valid()) {
      if (ir::writes_whole(game, label)) {
        for (const std::uint32_t cell : of_map[written.value]) passed.reset(cell);
      } else {
        passed.reset(cells.at(ir::left_side(label)));
      }
      // Before this, the same left side means another cell.
      add(passed, by_index[written.value]);
    }
    ir::for_each_read(game, label, [&](VarId v) { add(passed, of_map[v.value]); });
    if (ir::is_tag(label) && game.visible().valid()) add(passed, of_map[game.visible().value]);
    before |= passed;
  }

  static void add(Domain& needed, const std::vector<std::uint32_t>& list) {
    for (const std::uint32_t cell : list) needed.set(cell);
  }

  const ir::Game& game;
  const analysis::Flow& flow;
  const analysis::RandomMoves random;
  std::unordered_map<ExprId, std::uint32_t> cells;   // left sides
  std::vector<std::vector<std::uint32_t>> of_map;    // by variable: cells of it
  std::vector<std::vector<std::uint32_t>> by_index;  // by variable: cells whose indices read it
};

}  // namespace

std::size_t dead_cells(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  NeededCells problem(game, flow);
  // Two writes to one cell, and not too much to remember at every node.
  constexpr std::size_t kMost = 40'000'000;
  if (problem.cells.empty() || problem.cells.size() * flow.size() > kMost) return 0;
  const std::vector<Bits> needed = analysis::solve_backward(flow, problem);
  std::size_t changes = 0;
  for (const analysis::FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::Label& label = game.graph.label(e.edge);
    if (!ir::is_assignment(label) || ir::writes_whole(game, label)) continue;
    if (needed[e.to].test(problem.cells.at(ir::left_side(label)))) continue;
    game.graph.set_label(e.edge, ir::Empty{});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
