#include "frontends/gdl/lower/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/support/sorted.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

using ir::ExprId;
using ir::NodeId;

namespace {

// The arguments outside the key.
std::vector<TermId> outside(const std::vector<std::uint32_t>& key, std::span<const TermId> arguments) {
  std::vector<TermId> rest;
  for (std::uint32_t i = 0; i < arguments.size(); ++i)
    if (std::ranges::find(key, i) == key.end()) rest.push_back(arguments[i]);
  return rest;
}

}  // namespace

Declarations::Declarations(const GroundProgram& program, const std::vector<FactGroup>& groups, ir::Game& game)
    : GameWords(game, [&program](TermId t) { return program.text(t); }), program_(program), fact_groups_(groups) {}

void Declarations::players_and_scores(const std::vector<int>& scores) {
  std::vector<SymbolId> players;
  for (std::uint32_t r = 0; r < program_.roles.size(); ++r) {
    role_symbols_.push_back(symbol(r == program_.random ? "random" : names_.term(program_.roles[r])));
    if (r != program_.random) players.push_back(role_symbols_[r]);
  }
  declare_basics(players, scores);
  type_sizes_[bool_] = 2;
}

SymbolId Declarations::define_set(std::string_view wish, const std::vector<SymbolId>& members) {
  std::vector<SymbolId> sorted = members;
  std::ranges::sort(sorted);
  const auto [it, fresh] = types_.try_emplace(sorted);
  if (fresh) {
    it->second = symbol(fresh_word(wish));
    game_.define_type(it->second, game_.types.set(members));
    type_sizes_[it->second] = members.size();
  }
  return it->second;
}

void Declarations::moves() {
  for (const auto& move : program_.moves) move_symbols_.push_back(symbol(names_.term(move.term)));
  roles_.resize(program_.roles.size());
  move_variables_.resize(program_.roles.size());
  for (std::uint32_t m = 0; m < program_.moves.size(); ++m)
    roles_[program_.moves[m].role].values.push_back(move_symbols_[m]);
  for (std::uint32_t r = 0; r < program_.roles.size(); ++r) {
    Place& place = roles_[r];
    if (place.values.empty()) continue;
    const std::string role = game_.symbols.str(role_symbols_[r]);
    place.type = define_set("Moves_" + role, place.values);
    place.initial = place.values[0];
    move_variables_[r] = variable("does_" + role, game_.types.alias(place.type), game_.values.symbol(place.initial));
    place.expression = game_.variable_ref(move_variables_[r]);
  }
}

SymbolId Declarations::value_symbol(std::span<const TermId> terms) {
  if (terms.size() == 1) return symbol(names_.term(terms[0]));
  const auto [it, fresh] = tuples_.try_emplace(std::vector<TermId>(terms.begin(), terms.end()));
  if (fresh) {
    std::string text;
    for (const TermId term : terms) text += (text.empty() ? "" : "_") + readable(term);
    it->second = symbol(names_.fresh(text));
  }
  return it->second;
}

std::vector<TermId> Declarations::key_of(const FactGroup& group) const {
  const auto arguments = program_.terms.arguments(program_.facts[group.facts[0]]);
  if (group.facts.size() == 1 && group.key.empty()) return {arguments.begin(), arguments.end()};
  std::vector<TermId> key;
  for (const std::uint32_t i : group.key) key.push_back(arguments[i]);
  return key;
}

// The symbols of a group's facts: the arguments outside the key, or the whole fact.
std::vector<SymbolId> Declarations::value_symbols(const FactGroup& group) {
  std::vector<SymbolId> values;
  for (const std::uint32_t f : group.facts) {
    const TermId fact = program_.facts[f];
    std::vector<TermId> rest = outside(group.key, program_.terms.arguments(fact));
    if (rest.empty() || group.mixed) rest = {fact};
    values.push_back(value_symbol(rest));
  }
  if (!group.exact) values.push_back(none_);
  return values;
}

void Declarations::facts() {
  groups_.resize(fact_groups_.size());
  std::map<std::tuple<std::uint32_t, std::size_t, bool, std::vector<std::uint32_t>>, std::size_t> index;
  std::vector<PlacesOfMap> maps;
  for (std::uint32_t g = 0; g < fact_groups_.size(); ++g) {
    const FactGroup& group = fact_groups_[g];
    Place& place = groups_[g];
    const bool single = group.facts.size() == 1 && group.key.empty() && !group.exact;
    place.values = single ? std::vector<SymbolId>{one_, zero_} : value_symbols(group);
    place.initial = place.values.back();
    for (std::size_t i = 0; i < group.facts.size(); ++i)
      if (program_.initial[group.facts[i]]) place.initial = place.values[i];
    if (key_of(group).empty()) {
      declare_single(g);
      continue;
    }
    const TermId fact = program_.facts[group.facts[0]];
    const auto functor = program_.terms.symbol(fact);
    const auto [it, fresh] =
        index.try_emplace({functor.value, program_.terms.arity(fact), single, group.key}, maps.size());
    if (fresh) maps.push_back({Names::readable(program_.symbols.str(functor)), {}, {}});
    maps[it->second].places.push_back(&place);
    maps[it->second].keys.push_back(key_of(group));
  }
  for (const PlacesOfMap& map : maps) declare_places(map);
  end_of_facts_ = game_.variables().size();
}

void Declarations::declare_single(std::uint32_t g) {
  const FactGroup& group = fact_groups_[g];
  Place& place = groups_[g];
  const bool single = group.facts.size() == 1 && !group.exact;
  const std::string functor =
      group.mixed ? "phase"
                  : Names::readable(program_.symbols.str(program_.terms.symbol(program_.facts[group.facts[0]])));
  if (single) {
    place.values = {one_, zero_};
    place.initial = bit(program_.initial[group.facts[0]]);
    place.type = bool_;
  } else {
    place.type = define_set(std::string(kTypeOfValues) + functor, place.values);
  }
  const ir::VarId id = variable(functor, game_.types.alias(place.type), game_.values.symbol(place.initial));
  place.expression = game_.variable_ref(id);
}

void Declarations::declare_places(const PlacesOfMap& map) {
  std::vector<SymbolId> all;
  for (const Place* place : map.places) all.insert(all.end(), place->values.begin(), place->values.end());
  sort_unique(all);
  const bool bools = std::ranges::all_of(all, [&](SymbolId s) { return s == zero_ || s == one_; });
  const SymbolId type = bools ? bool_ : define_set(std::string(kTypeOfValues) + map.name, all);
  for (Place* place : map.places) place->type = type;
  declare_map(map, type);
}

void Declarations::declare_map(const PlacesOfMap& map, SymbolId value_type) {
  const std::vector<std::vector<TermId>>& keys = map.keys;
  const std::size_t arity = keys[0].size();
  std::vector<std::vector<SymbolId>> domains(arity);
  std::uint64_t cells = 1;
  for (std::size_t i = 0; i < arity; ++i) {
    std::set<SymbolId> seen;
    for (const auto& key : keys) {
      const SymbolId s = symbol(names_.term(key[i]));
      if (seen.insert(s).second) domains[i].push_back(s);
    }
    cells = std::min(cells * domains[i].size(), std::uint64_t{1} << 40U);
  }
  std::vector<std::vector<SymbolId>> paths;
  const bool nested = arity <= kFormCosts.nested && cells <= kFormCosts.sparse * keys.size();
  for (const auto& key : keys) {
    std::vector<SymbolId> path;
    if (nested) {
      for (const TermId term : key) path.push_back(symbol(names_.term(term)));
    } else {
      path.push_back(value_symbol(key));
    }
    paths.push_back(std::move(path));
  }
  if (!nested) {
    domains.assign(1, {});
    for (const auto& path : paths) domains[0].push_back(path[0]);
  }
  Paths values;
  for (std::size_t i = 0; i < paths.size(); ++i)
    values.emplace_back(paths[i], game_.values.symbol(map.places[i]->initial));
  const ir::ValueId missing = game_.values.symbol(map.places[0]->values.back());
  ir::TypeId type = game_.types.alias(value_type);
  for (std::size_t d = domains.size(); d-- > 0;) {
    const std::string wish = domains.size() > 1 ? fmt::format("Key_{}_{}", map.name, d + 1) : "Key_" + map.name;
    type = game_.types.arrow(game_.types.alias(define_set(wish, domains[d])), type);
  }
  const ir::VarId id = variable(map.name, type, map_value(std::move(values), domains.size(), missing));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ExprId expression = game_.variable_ref(id);
    for (const SymbolId s : paths[i]) expression = game_.access(expression, game_.symbol(s));
    map.places[i]->expression = expression;
  }
}

void Declarations::computed(const Conditions& conditions) {
  computed_.resize(conditions.computed.size());
  std::map<std::uint32_t, PlacesOfMap> maps;  // by relation
  for (std::size_t i = 0; i < computed_.size(); ++i) {
    const Conditions::Computed& variable = conditions.computed[i];
    Place& place = computed_[i];
    const std::uint32_t first = program_.derived_begin() + variable.atoms[0];
    PlacesOfMap& map = maps[variable.relation];
    map.name = Names::readable(program_.symbols.str(program_.names[variable.atoms[0]].predicate));
    map.places.push_back(&place);
    std::vector<TermId>& key = map.keys.emplace_back();
    for (const std::uint32_t a : variable.key) key.push_back(program_.arguments(first)[a]);
    for (const std::uint32_t d : variable.atoms) {
      place.values.push_back(value_symbol(outside(variable.key, program_.arguments(program_.derived_begin() + d))));
    }
    place.values.push_back(none_);
    place.initial = none_;
  }
  for (auto& [relation, map] : maps) {
    if (!map.keys[0].empty()) {
      declare_places(map);
      continue;
    }
    Place& place = *map.places[0];
    place.type = define_set(std::string(kTypeOfValues) + map.name, place.values);
    place = copy_of(place, map.name);
  }
  for (std::size_t i = 0; i < computed_.size(); ++i) {
    auto& tables = table_of_.emplace_back();
    for (const Lookup& lookup : conditions.computed[i].lookups)
      tables.push_back(table_for(of(conditions, lookup.source), lookup, computed_[i]));
  }
}

// The first table that agrees with the lookup on all common entries: variables of a relation with disjoint values share
// a table.
std::size_t Declarations::table_for(const Place& from, const Lookup& lookup, const Place& to) {
  const auto value = [&](std::size_t u) { return to.values[lookup.table[u]]; };
  const auto fits = [&](const Table& table) {
    if (table.from != from.type || table.to != to.type) return false;
    for (std::size_t u = 0; u < lookup.table.size(); ++u) {
      const auto known = table.entries.find(from.values[u]);
      if (known != table.entries.end() && known->second != value(u)) return false;
    }
    return true;
  };
  auto table = std::ranges::find_if(tables_, fits);
  if (table == tables_.end()) table = tables_.insert(table, {from.type, to.type, {}, {}});
  for (std::size_t u = 0; u < lookup.table.size(); ++u) table->entries.emplace(from.values[u], value(u));
  return static_cast<std::size_t>(table - tables_.begin());
}

ExprId Declarations::looked_up(const Conditions& conditions, std::uint32_t variable, std::size_t lookup) {
  const Lookup& what = conditions.computed[variable - conditions.first_computed].lookups[lookup];
  const Place& to = of(conditions, variable);
  if (std::ranges::all_of(what.table, [&](std::uint32_t v) { return v == what.table[0]; }))
    return game_.symbol(to.values[what.table[0]]);
  const Place& from = of(conditions, what.source);
  Table& table = tables_[table_of_[variable - conditions.first_computed][lookup]];
  if (!table.constant.valid()) {
    std::vector<ir::Values::Entry> entries;
    for (const auto& [u, v] : table.entries) entries.push_back({u, game_.values.symbol(v)});
    const std::string wish = fmt::format("look_up_{}", table_of_[variable - conditions.first_computed][lookup]);
    table.constant = constant_map(table.from, table.to, none_, entries, wish);
  }
  return game_.access(table.constant, from.expression);
}

std::vector<Place> Declarations::bits(const std::vector<std::string>& wishes) {
  std::vector<Place> result;
  if (wishes.empty()) return result;
  const auto add = [&](ExprId expression) { result.push_back({expression, bool_, {one_, zero_}, zero_}); };
  const ir::ValueId zero = game_.values.symbol(zero_);
  const ir::ValueId row = game_.values.map(zero, std::vector<ir::Values::Entry>{});
  const ir::TypeId bool_type = game_.types.alias(bool_);
  const bool named = wishes.size() <= kFormCosts.named_bits;
  std::vector<SymbolId> columns;
  for (std::size_t i = 0; i < (named ? wishes.size() : kFormCosts.bits_per_row); ++i)
    columns.push_back(symbol(names_.fresh(named ? wishes[i] : fmt::format("column_{}", i))));
  const ir::TypeId line = game_.types.arrow(game_.types.alias(define_set("Condition", columns)), bool_type);
  if (named) {
    const ExprId map = game_.variable_ref(variable("holds", line, row));
    for (const SymbolId s : columns) add(game_.access(map, game_.symbol(s)));
    return result;
  }
  std::vector<SymbolId> rows;
  for (std::size_t i = 0; i * kFormCosts.bits_per_row < wishes.size(); ++i)
    rows.push_back(symbol(names_.fresh(fmt::format("row_{}", i))));
  const ir::TypeId table = game_.types.arrow(game_.types.alias(define_set("Row", rows)), line);
  const ir::ValueId initial = game_.values.map(row, std::vector<ir::Values::Entry>{});
  const ExprId map = game_.variable_ref(variable("holds", table, initial));
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const ExprId at = game_.access(map, game_.symbol(rows[i / kFormCosts.bits_per_row]));
    add(game_.access(at, game_.symbol(columns[i % kFormCosts.bits_per_row])));
  }
  return result;
}

Place Declarations::copy_of(const Place& place, std::string_view wish) {
  Place copy = place;
  copy.initial = place.values.back();
  copy.expression =
      game_.variable_ref(variable(wish, game_.types.alias(place.type), game_.values.symbol(copy.initial)));
  return copy;
}

Place Declarations::flag(std::string_view wish) {
  const Place bit{{}, bool_, {one_, zero_}, zero_};
  return copy_of(bit, wish);
}

void Declarations::test(const Place& place, std::span<const std::uint32_t> values, NodeId from, NodeId yes, NodeId no) {
  const auto compare = [&](ExprId left, SymbolId right, NodeId at, NodeId equal, NodeId different) {
    if (equal.valid()) game_.graph.add_edge(at, equal, ir::Compare{left, game_.symbol(right), false}, this->place);
    if (different.valid())
      game_.graph.add_edge(at, different, ir::Compare{left, game_.symbol(right), true}, this->place);
  };
  const std::size_t size = type_sizes_.at(place.type);
  if (values.size() > 1) {
    std::vector<SymbolId> members;
    for (const std::uint32_t v : values) members.push_back(place.values[v]);
    std::ranges::sort(members);
    const auto known = set_tests_.find({place.type, members});
    if (known != set_tests_.end() ||
        (size <= values.size() * kFormCosts.cells_per_test && table_cells_ + size <= kLowerLimits.table_cells)) {
      ExprId constant;
      if (known != set_tests_.end()) {
        constant = known->second;
      } else {
        table_cells_ += size;
        std::vector<ir::Values::Entry> entries;
        for (const SymbolId s : members) entries.push_back({s, game_.values.symbol(one_)});
        constant = constant_map(place.type, bool_, zero_, entries, fmt::format("among_{}", set_tests_.size() + 1));
        set_tests_.emplace(std::pair(place.type, members), constant);
      }
      compare(game_.access(constant, place.expression), one_, from, yes, no);
      return;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool last = i + 1 == values.size();
    const NodeId next = last ? no : game_.graph.add_node();
    compare(place.expression, place.values[values[i]], from, yes, next);
    from = next;
  }
}

ExprId Declarations::constant_map(SymbolId from, SymbolId to, SymbolId otherwise,
                                  const std::vector<ir::Values::Entry>& entries, std::string_view wish) {
  const ir::ValueId map = game_.values.map(game_.values.symbol(otherwise), entries);
  return constant(wish, game_.types.arrow(game_.types.alias(from), game_.types.alias(to)), map);
}

ExprId Declarations::mapped(const Place& from, const std::vector<SymbolId>& to, SymbolId to_type,
                            std::string_view wish) {
  std::vector<SymbolId> key = from.values;
  key.insert(key.end(), to.begin(), to.end());
  key.push_back(to_type);
  const auto [it, fresh] = maps_.try_emplace({from.type, key});
  if (fresh) {
    std::vector<ir::Values::Entry> entries;
    for (std::size_t i = 0; i < to.size(); ++i) entries.push_back({from.values[i], game_.values.symbol(to[i])});
    it->second = constant_map(from.type, to_type, to[0], entries, wish);
  }
  return game_.access(it->second, from.expression);
}

std::shared_ptr<const ir::Words> Declarations::words() const {
  auto words = std::make_shared<ir::Words>();
  names_.add_words(*words, game_.symbols);
  for (const auto& [terms, symbol] : tuples_) {
    std::string& text = words->texts[symbol];
    for (const TermId term : terms) text += (text.empty() ? "" : " ") + program_.text(term);
  }
  for (std::size_t i = 0; i < game_.variables().size(); ++i) {
    const ir::VarId id(i);
    const bool fact = i < end_of_facts_ && std::ranges::find(move_variables_, id) == move_variables_.end();
    if (!fact) words->asides.insert(game_.variable(id).name);
  }
  return words;
}

}  // namespace rgtrans::gdl
