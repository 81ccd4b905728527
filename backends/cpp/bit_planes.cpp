#include "backends/cpp/bit_planes.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

namespace {

class PlanesPlanner {
 public:
  PlanesPlanner(const NumberedGame& model, const GameFacts& facts)
      : model_(model),
        facts_(facts),
        asked_(model.game.variables().size()),
        searched_(asked_),
        copied_(asked_),
        writes_(model.game.variables().size()),
        chosen_(model.universes.size()) {
    find_uses(facts.moves);
    for (const CodeContext& check : facts.checks) find_uses(check);
    count_writes(facts.apply);
    count_writes(facts.system);
    for (const Step& step : model.steps) {
      if (step.kind == Deed::assign && model.game.expressions().kind(step.lhs) == ir::ExprKind::variable)
        copied_.set(step.variable.value);
    }
  }

  BitPlanes choose(VarId map) const {
    const ArrayShape& shape = model_.variable_shape(map);
    if (shape.keys.size() != 1 || !model_.in_vectors(map)) return {};
    const std::uint32_t cells = shape.sizes[0];
    const std::uint32_t bits = std::bit_width(model_.bounds[map.value] - 1);
    if (bits == 0 || bits > kCosts.planes_most) return {.reason = "it has too many contents"};
    if (cells < kCosts.planes_least_cells) return {};
    if (!asked_.test(map.value)) return {.reason = "nothing asks for its cells"};
    if (writes_[map.value] > kCosts.planes_most_writes) return {.reason = "a move writes many of its cells"};
    // The square outside of a board is not worth a word, for no choice has it.
    const std::uint32_t words = (std::clamp(chosen_[shape.keys[0]], 1U, cells) + 63) / 64;
    if (searched_.test(map.value) && words > kCosts.planes_most_restored)
      return {.reason = "walks of a move write it and restore it"};
    if (copied_.test(map.value)) return {.reason = "it is written as a whole"};
    return {bits, words, "its cells are read together, and few are written"};
  }

 private:
  void find_uses(const CodeContext& context) {
    for (const std::uint32_t node : context.nodes) {
      if (!context.contains(node)) continue;
      for (const Step& step : model_.steps_at(context.at(node).out)) {
        if (is_assignment(step) && facts_.assignment_live(context, step)) {
          searched_.set(step.variable.value);
          std::uint32_t& chosen = chosen_[model_.variable_shape(step.variable).leaf];
          if (step.kind == Deed::assign_any) chosen = std::max(chosen, model_.member_codes(step.type).back() + 1);
        }
        if (step.kind != Deed::compare) continue;
        model_.for_each_access(step, [&](ExprId access) {
          if (model_.is_cell(access))
            asked_.set(model_.game.expressions().variable(model_.game.expressions().root(access)).value);
        });
      }
    }
  }

  // How many cells of each map are written one after the other, where the walk does not part.
  void count_writes(const CodeContext& context) {
    const auto goes_on = [&](std::uint32_t node) {
      const auto& in = context.in[context.local.at(node)];
      return in.size() == 1 && context.at(context.nodes[context.edges[in[0]].source]).out.size() == 1;
    };
    for (const std::uint32_t first : context.nodes) {
      if (goes_on(first)) continue;
      std::map<std::uint32_t, std::size_t> writes;
      for (std::uint32_t node = first; context.at(node).out.size() == 1;) {
        const Step& step = model_.steps[context.at(node).out[0]];
        if (is_assignment(step)) {
          const std::uint32_t v = step.variable.value;
          writes_[v] = std::max(writes_[v], ++writes[v]);
        }
        if (step.ends_move || !context.contains(step.to) || !goes_on(step.to)) break;
        node = step.to;
      }
    }
  }

  const NumberedGame& model_;
  const GameFacts& facts_;
  Bits asked_;                         // cells are compared where moves are listed or checks evaluated
  Bits searched_;                      // cells are written there
  Bits copied_;                        // all of it becomes another map
  std::vector<std::size_t> writes_;    // by variable: the most assignments in a row
  std::vector<std::uint32_t> chosen_;  // by universe: one more than the last value that a choice there can have
};

}  // namespace

std::vector<BitPlanes> choose_bit_planes(const NumberedGame& model, const GameFacts& facts,
                                         const Techniques& techniques) {
  std::vector<BitPlanes> result(model.game.variables().size());
  const bool used = techniques.use(Technique::planes);
  const PlanesPlanner planner(model, facts);
  for (const std::size_t v : facts.state) result[v] = used ? planner.choose(VarId(v)) : BitPlanes{.reason = "left out"};
  return result;
}

}  // namespace rgtrans::cpp
