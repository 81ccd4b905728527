#include "frontends/rbg/emit/uses.hpp"

#include <algorithm>
#include <utility>

namespace rgtrans::rbg {

namespace {

class Finder {
 public:
  Finder(const Description& description, const Relations& relations, const Arithmetic& arithmetic)
      : d_(description), r_(relations), arithmetic_(arithmetic) {
    uses.read.assign(d_.variable_count(), 0);
    uses.written.assign(d_.variable_count(), 0);
    uses.counted.assign(d_.pieces.size(), 0);
  }

  void add(const FlowStep& step) {
    add(step.left);
    add(step.right);
    switch (step.kind) {
      case Do::move:
        uses.null_cursor = uses.null_cursor || (!step.total && is_partial(r_, step.index));
        break;
      case Do::select: {
        const Width rows = width(r_, RelationId(step.index));
        uses.null_cursor = uses.null_cursor || rows.varies();
        uses.most_choices = std::max(uses.most_choices, rows.most);
        break;
      }
      case Do::on:
        uses.null_board = uses.null_board || step.unchecked || (step.at != kNone && is_partial(r_, step.at));
        break;
      case Do::assign:
        uses.written[step.index] = 1;
        break;
      case Do::among:
      case Do::put:
        if (step.at != kNone) uses.read[step.at] = 1;
        break;
      case Do::code:
        uses.written[step.index] = 1;
        if (step.at != kNone) uses.read[step.at] = 1;
        break;
      default:
        break;
    }
  }

  Uses uses;

 private:
  void add(ArithId id) {
    if (!id.valid()) return;
    std::vector<ArithId> leaves;
    arithmetic_.leaves(id, leaves);
    for (ArithId leaf : leaves) {
      const ArithNode& node = d_.expressions.arith(leaf);
      if (node.kind == Arith::piece) {
        uses.counted[static_cast<std::size_t>(node.value)] = 1;
        uses.counting = true;
      } else {
        uses.read[static_cast<std::size_t>(node.value)] = 1;
      }
    }
  }

  const Description& d_;
  const Relations& r_;
  const Arithmetic& arithmetic_;
};

}  // namespace

Uses find_uses(const Description& description, const Relations& relations, const FlowGraph& flow,
               const Arithmetic& arithmetic) {
  Finder finder(description, relations, arithmetic);
  for (EdgeId id : flow.living_edges()) finder.add(flow.edge(id).step);
  return std::move(finder.uses);
}

bool is_partial(const Relations& relations, std::uint32_t function) {
  const std::vector<std::uint32_t>& targets = relations.function(function);
  return std::ranges::find(targets, kNone) != targets.end();
}

Width width(const Relations& relations, RelationId relation) {
  Width rows;
  for (std::uint32_t v = 0; v < relations.vertex_count(); ++v) {
    const std::size_t size = relations.size(relations.at(relation, v));
    rows.least = std::min(rows.least, size);
    rows.most = std::max(rows.most, size);
  }
  return rows;
}

}  // namespace rgtrans::rbg
