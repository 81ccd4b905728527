#include "frontends/rbg/emit/board_tables.hpp"

#include <fmt/format.h>

namespace rgtrans::rbg {

using ir::TypeId;
using ir::ValueId;

ValueId BoardTables::vertex(std::uint32_t v) const { return g_.values.symbol(v == kNone ? v_.null : v_.vertices[v]); }

ir::ExprId BoardTables::function(std::uint32_t id) {
  const auto [it, fresh] = functions_.try_emplace(id, ir::ExprId());
  if (!fresh) return it->second;
  std::vector<ValueId> values;
  // Without null in the game, steps use the direction only where it is defined; other entries are arbitrary.
  for (std::uint32_t v : r_.function(id)) values.push_back(vertex(v == kNone && !null_ ? 0 : v));
  const TypeId type = g_.types.arrow(declared_.vertex, is_partial(r_, id) ? declared_.null_vertex : declared_.vertex);
  const std::string& name = r_.function_name(id);
  it->second = g_.constant_ref(v_.constant(name.empty() ? fmt::format("jump_{}", ++jumps_) : "direction_" + name, type,
                                           v_.map(v_.vertices, values)));
  return it->second;
}

const BoardTables::Choice& BoardTables::choice(RelationId relation) {
  const auto [it, fresh] = choices_.try_emplace(relation, Choice());
  Choice& choice = it->second;
  if (!fresh) return choice;
  const Width rows = width(r_, relation);
  choice.partial = rows.varies();
  const Interval range{0, static_cast<std::int64_t>(rows.most) - 1};
  const std::vector<SymbolId> numbers = v_.numbers(range);
  choice.numbers = v_.number_type(range);
  std::vector<ValueId> maps;
  for (std::uint32_t v = 0; v < r_.vertex_count(); ++v) {
    const auto members = r_.members(r_.at(relation, v));
    std::vector<ValueId> row;
    for (std::size_t k = 0; k < rows.most; ++k) row.push_back(vertex(k < members.size() ? members[k] : kNone));
    maps.push_back(v_.map(numbers, row));
  }
  const TypeId target = choice.partial ? declared_.null_vertex : declared_.vertex;
  const TypeId type = g_.types.arrow(declared_.vertex, g_.types.arrow(choice.numbers, target));
  choice.expression =
      g_.constant_ref(v_.constant(fmt::format("reach_{}", choices_.size()), type, v_.map(v_.vertices, maps)));
  return choice;
}

ir::ExprId BoardTables::indicator(std::string_view stem, TypeId keys_type, const std::vector<SymbolId>& keys,
                                  const std::function<bool(std::size_t)>& test) {
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < keys.size(); ++i) values.push_back(g_.values.symbol(v_.number(test(i) ? 1 : 0)));
  const TypeId type = g_.types.arrow(keys_type, v_.booleans());
  const ValueId value = v_.map(keys, values);
  return g_.constant_ref(v_.constant(fmt::format("{}_{}", stem, ++indicators_[std::string(stem)]), type, value));
}

}  // namespace rgtrans::rbg
