#include "frontends/gdl/lifted/wording.hpp"

#include <algorithm>
#include <array>
#include <range/v3/view/chunk_by.hpp>

#include "core/support/sorted.hpp"
#include "core/support/text.hpp"

namespace rgtrans::gdl::lifted {

std::shared_ptr<const ir::Words> LiftedWords::words() {
  auto words = std::make_shared<ir::Words>();
  std::set<ir::VarId> facts;
  for (const RelId fact : m_.facts()) facts.insert(t_.stored_of(fact).maps.begin(), t_.stored_of(fact).maps.end());
  for (std::size_t i = 0; i < game_.variables().size(); ++i) {
    const ir::VarId id(i);
    if (!facts.contains(id)) words->asides.insert(game_.variable(id).name);
  }
  if (turn_is_mover()) {
    const Stored& turn = t_.stored_of(turns_.scalars[0].relation);
    words->asides.insert(game_.variable(turn.maps[turn.map_of(turns_.scalars[0].column)]).name);
  }
  for (const std::uint32_t term : shown_terms()) {
    const SymbolId symbol = t_.symbol(term);
    if (text(term) != game_.symbols.str(symbol)) words->texts[symbol] = text(term);
  }
  for (const TermId role : roles()) words->texts[t_.symbol(role.value)] = m_.text(role);
  const auto same = [](const Part& a, const Part& b) { return a.whole == b.whole; };
  for (const auto parts : parted_.parts | ranges::views::chunk_by(same))
    if (ir::Words::Relation relation = relation_of(std::span(parts)); !relation.parts.empty())
      words->relations.push_back(std::move(relation));
  for (const RelId fact : m_.facts()) {
    const bool parted = std::ranges::find(parted_.parts, fact, &Part::relation) != parted_.parts.end();
    const Stored& stored = t_.stored_of(fact);
    const std::array whole = {Part{fact, fact, 0, std::nullopt}};
    if (!parted && !stored.never && stored.maps.size() > 1) words->relations.push_back(relation_of(whole));
  }
  place_cells(*words);
  return words;
}

// Places cells by their coordinates, in the natural order of the coordinates' texts.
void LiftedWords::place_cells(ir::Words& words) {
  if (std::ranges::any_of(cells_.coordinates, [](const auto& cell) { return cell.second.size() != 2; })) return;
  const auto before = [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; };
  std::array<std::vector<std::string>, 2> values;
  for (const auto& [cell, coordinates] : cells_.coordinates)
    for (std::size_t i = 0; i < 2; ++i) values[i].push_back(m_.text(TermId(coordinates[i])));
  for (auto& texts : values) sort_unique(texts, before);
  const auto number = [&](std::uint32_t coordinate, const std::vector<std::string>& texts) {
    const auto found = std::ranges::lower_bound(texts, m_.text(TermId(coordinate)), before);
    return static_cast<double>(found - texts.begin());
  };
  for (const auto& [cell, coordinates] : cells_.coordinates)  // y grows downwards
    words.places[t_.symbol(cell)] = {number(coordinates[0], values[0]), -number(coordinates[1], values[1])};
}

// In each phase one role decides and equals the scalar, so the scalar repeats the player to move.
bool LiftedWords::turn_is_mover() const {
  return turns_.scalars.size() == 1 && m_.info(turns_.scalars[0].relation).tuples->arity() == 1 &&
         std::ranges::all_of(turns_.phases, [&](const Turns::Phase& phase) {
           const auto decides = [](const std::optional<RelId>& forced) { return !forced; };
           if (std::ranges::count_if(phase.forced, decides) != 1) return false;
           const auto mover = std::ranges::find_if(phase.forced, decides) - phase.forced.begin();
           const std::uint32_t role = roles()[static_cast<std::size_t>(mover)].value;
           return std::ranges::all_of(phase.values, [&](const auto& value) { return value.second == role; });
         });
}

std::set<std::uint32_t> LiftedWords::shown_terms() {
  std::set<std::uint32_t> result;
  for (const RelId shape : m_.moves())
    for (std::uint32_t c = 1; c < m_.info(shape).tuples->arity(); ++c)
      for (const std::uint32_t term : m_.terms(m_.column(shape, c))) result.insert(term);
  return result;
}

std::string LiftedWords::text(std::uint32_t term) const {
  const auto cell = cells_.coordinates.find(term);
  if (cell == cells_.coordinates.end()) return m_.text(TermId(term));
  std::string text;
  for (const std::uint32_t coordinate : cell->second) text += (text.empty() ? "" : " ") + m_.text(TermId(coordinate));
  return text;
}

// A relation whose facts are stored in parts.
ir::Words::Relation LiftedWords::relation_of(std::span<const Part> parts) {
  ir::Words::Relation relation;
  relation.name = game_.symbols.intern(Names::readable(m_.name(parts[0].whole)));
  const std::uint32_t arity = m_.info(parts[0].whole).tuples->arity();
  std::vector<std::set<std::uint32_t>> terms(arity);
  for (const Part& part : parts) {
    // Skips a part on which nothing depends.
    if (std::ranges::find(m_.facts(), part.relation) == m_.facts().end()) continue;
    const Stored& s = t_.stored_of(part.relation);
    if (s.never) continue;
    ir::Words::Relation::Part& kept = relation.parts.emplace_back();
    for (const ir::VarId map : s.maps) kept.variables.push_back(game_.variable(map).name);
    for (std::uint32_t c = 0; c < arity; ++c) {
      ir::Words::Relation::Column& column = kept.columns.emplace_back();
      if (part.value && c == part.column) {
        column.constant = t_.symbol(part.value->value);
        terms[c].insert(part.value->value);
        continue;
      }
      const std::uint32_t own = part.value && c > part.column ? c - 1 : c;
      if (const auto key = std::ranges::find(s.key, own); key != s.key.end())
        column.key = static_cast<int>(key - s.key.begin());
      else
        column.variable = static_cast<int>(s.map_of(own));
      const auto& possible = m_.terms(s.columns[own]);
      terms[c].insert(possible.begin(), possible.end());
    }
  }
  for (const auto& column : terms) {
    auto& symbols = relation.columns.emplace_back();
    for (const std::uint32_t term : column) symbols.push_back(t_.symbol(term));
  }
  return relation;
}

}  // namespace rgtrans::gdl::lifted
