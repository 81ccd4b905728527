#include "frontends/gdl/lifted/moves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/gdl/lifted/lifted.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;

SymbolId Moves::symbol(RelId shape) {
  const auto found = symbols_.find(shape);
  if (found != symbols_.end()) return found->second;
  const RelationInfo& info = m_.info(shape);
  const TermId plain = m_.program().patterns.terms.find(info.functor, {});
  const bool constant = info.tuples->arity() == 1 && plain.valid();
  const SymbolId symbol = constant ? t_.symbol(plain.value) : t_.symbol(t_.fresh(Names::readable(m_.name(shape))));
  return symbols_[shape] = symbol;
}

// Finds a variable for the next argument of this shape. It shares one with arguments of other shapes that have the same
// sort, or else a common value. Mixing pieces and cells in one variable would make tables about either range over both.
void Moves::find_place(RelId shape, SortId sort) {
  std::vector<std::size_t>& own = places_[shape];
  const auto first = [&](auto&& fits) {
    std::size_t i = 0;
    while (i < sorts_.size() && (std::ranges::find(own, i) != own.end() || !fits(sorts_[i]))) ++i;
    return i;
  };
  std::size_t place = first([&](SortId other) { return other == sort; });
  if (place == sorts_.size()) place = first([&](SortId other) { return !m_.disjoint(other, sort); });
  if (place == sorts_.size()) sorts_.push_back(sort);
  sorts_[place] = m_.unite(sorts_[place], sort);
  own.push_back(place);
}

void Moves::declare(bool one_decides) {
  std::vector<SymbolId> functors;
  for (const RelId shape : m_.moves()) {
    if (m_.rules({shape, true}).empty()) continue;
    functors.push_back(symbol(shape));
    for (std::uint32_t c = 1; c < m_.info(shape).tuples->arity(); ++c) find_place(shape, m_.column(shape, c));
  }
  if (functors.empty()) throw NotLifted{"nobody ever moves"};
  const SymbolId name = t_.symbol(t_.fresh("Move"));
  game_.define_type(name, game_.types.set(functors));
  const ir::TypeId players = game_.types.alias(t_.symbol("Player"));
  const auto across = [&](ir::TypeId type, SymbolId first, std::string_view wish) {
    const ir::ValueId value = game_.values.map(game_.values.symbol(first), {});
    return t_.variable(wish, game_.types.arrow(players, type), value);
  };
  functor = across(game_.types.alias(name), functors[0], "does");
  shared = one_decides;
  for (std::size_t i = 0; i < sorts_.size(); ++i) {
    const std::string wish = fmt::format("argument_{}", i + 1);
    if (shared) {
      const Register r = t_.declare(wish, sorts_[i]);
      arguments.push_back(r.variable);
    } else {
      arguments.push_back(across(t_.type(sorts_[i], false, wish), t_.symbol(m_.terms(sorts_[i])[0]), wish));
    }
  }
}

ExprId Moves::argument(const Value& role, std::size_t place) {
  const ExprId variable = game_.variable_ref(arguments[place]);
  return shared ? variable : game_.access(variable, t_.expression(role));
}

}  // namespace rgtrans::gdl::lifted
