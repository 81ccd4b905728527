#include "frontends/rbg/emit/counters.hpp"

#include <algorithm>

namespace rgtrans::rbg {

using ir::TypeId;
using ir::ValueId;

void Counters::declare(const std::vector<char>& read) {
  find_counted(read);
  std::vector<std::int64_t> counts(d_.pieces.size());
  for (const Vertex& vertex : d_.board) ++counts[vertex.piece];
  std::vector<ValueId> values;
  for (std::int64_t count : counts) values.push_back(g_.values.symbol(v_.number(count)));
  const TypeId numbers = v_.number_type(range());
  counters_ = g_.variable_ref(g_.define_variable(v_.fresh_name("counters"), g_.types.arrow(declared_.piece, numbers),
                                                 v_.map(v_.pieces, values)));
  std::vector<SymbolId> keys;
  std::vector<ValueId> more, fewer;
  for (std::int64_t n = 0; n <= range().high; ++n) {
    keys.push_back(v_.number(n));
    more.push_back(g_.values.symbol(v_.number(std::min(n + 1, range().high))));
    fewer.push_back(g_.values.symbol(v_.number(std::max<std::int64_t>(n - 1, 0))));
  }
  const TypeId type = g_.types.arrow(numbers, numbers);
  more_ = g_.constant_ref(v_.constant("one_more", type, v_.map(keys, more)));
  fewer_ = g_.constant_ref(v_.constant("one_fewer", type, v_.map(keys, fewer)));
}

Bits Counters::possible_before(const FlowGraph::Edge& edge) const {
  return k_.known() ? k_.pieces[edge.from] : Bits::full(d_.pieces.size());
}
Bits Counters::possible_after(const FlowGraph::Edge& edge) const {
  Bits pieces(d_.pieces.size());
  if (edge.step.kind == Do::off) {
    pieces.set(edge.step.index);
  } else {
    for (const auto& [key, value] : f_.table(edge.step.table)) pieces.set(value);
  }
  return pieces;
}

void Counters::find_counted(const std::vector<char>& read) {
  counted_ = Bits(d_.pieces.size());
  for (std::size_t p = 0; p < d_.pieces.size(); ++p) {
    if (read[p] != 0) counted_.set(p);
  }
  for (bool again = true; again;) {
    again = false;
    for (EdgeId id : f_.living_edges()) {
      const FlowGraph::Edge& edge = f_.edge(id);
      if (edge.step.kind != Do::off && edge.step.kind != Do::put) continue;
      for (const Bits& pieces : {possible_before(edge), possible_after(edge)}) {
        if (pieces.intersects(counted_)) again = counted_.merge(pieces) || again;
      }
    }
  }
}

void Counters::change(ir::ExprId piece, ir::ExprId table, std::vector<ir::Label>& labels) const {
  const ir::ExprId cell = g_.access(counters_, piece);
  labels.push_back(ir::Assign{cell, g_.access(table, cell)});
}

// Replaces the piece at the cursor, decrements the counter of the old kind and increments that of the new one.
// Replacing a piece by the same kind changes no counter.
void Counters::replace_piece(const FlowGraph::Edge& edge, ir::ExprId piece, std::vector<ir::Label>& labels) const {
  const ir::Label assignment = ir::Assign{g_.access(declared_.board, declared_.cursor), piece};
  if (!counters_.valid()) {
    labels.push_back(assignment);
    return;
  }
  const Bits before = possible_before(edge), after = possible_after(edge);
  const auto goes = before.single(), comes = after.single();
  const bool same = goes && goes == comes;
  const ir::ExprId below = g_.access(declared_.board, declared_.cursor);
  if (!same && before.intersects(counted_)) {
    change(goes ? g_.symbol(v_.pieces[*goes]) : below, fewer_, labels);
  }
  labels.push_back(assignment);
  if (!same && after.intersects(counted_)) {
    change(comes ? g_.symbol(v_.pieces[*comes]) : below, more_, labels);
  }
}

}  // namespace rgtrans::rbg
