#include "frontends/gdl/lifted/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/letters.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

Tables::Tables(Model& model, ir::Game& game)
    : GameWords(game, [&model](TermId t) { return model.text(t); }), model_(model) {
  // Words of the description take precedence over generated names.
  const Terms& terms = model.program().patterns.terms;
  for (std::uint32_t t = 0; t < terms.size(); ++t)
    if (terms.arity(TermId(t)) == 0) names_.term(TermId(t));
}

void Tables::players_and_scores(const std::vector<int>& scores) {
  std::vector<SymbolId> players;
  for (const TermId role : model_.program().roles) players.push_back(symbol(role.value));
  declare_basics(players, scores);
  std::vector<std::uint32_t> roles;
  for (const TermId role : model_.program().roles) roles.push_back(role.value);
  types_[{model_.sort(roles), false}] = symbol("Player");
}

// A sort that a static relation lists is named after it.
std::string Tables::wish_of(SortId sort, std::string_view wish) {
  const Engine& e = model_.engine();
  for (std::uint32_t r = 0; r < e.relations.size(); ++r) {
    const RelationInfo& info = e.relations[r];
    if (info.kind != RelationInfo::Kind::ordinary || info.dynamic || info.tuples->arity() != 1) continue;
    if (info.tuples->size() != model_.terms(sort).size() || e.program[info.predicate].keyword != Keyword::none)
      continue;
    bool same = true;
    for (std::uint32_t row = 0; same && row < info.tuples->size(); ++row)
      same = model_.contains(sort, *info.tuples->row(row));
    if (same) return capitalized(Names::readable(model_.name(RelId(r))));
  }
  return capitalized(Names::readable(wish));
}

SortId Tables::whole(SortId sort) const {
  SortId result = sort;
  for (const SortId board : boards_) {
    const bool larger = result == sort || model_.terms(board).size() < model_.terms(result).size();
    if (larger && model_.subset(sort, board)) result = board;
  }
  return result;
}

ir::TypeId Tables::type(SortId sort, bool with_none, std::string_view wish) {
  sort = whole(sort);
  const auto [it, fresh] = types_.try_emplace({sort, with_none});
  if (fresh) {
    std::vector<SymbolId> members;
    for (const std::uint32_t term : model_.terms(sort)) members.push_back(symbol(term));
    // Words come first, then numbers by value.
    const auto number = [&](SymbolId s) -> std::pair<std::size_t, std::string> {
      const std::string text = game_.symbols.str(s);
      const bool digits = all_digits(text);
      return digits ? std::pair(text.size(), text) : std::pair<std::size_t, std::string>();
    };
    std::ranges::stable_sort(members, {}, number);
    if (with_none) members.push_back(none_);
    const std::string base = wish_of(sort, wish);
    types_[{sort, with_none}] = symbol(fresh_word(with_none ? "Maybe" + base : base));
    game_.define_type(types_[{sort, with_none}], game_.types.set(members));
  }
  return game_.types.alias(types_[{sort, with_none}]);
}

Register Tables::declare(std::string_view wish, SortId sort) {
  const SymbolId first = symbol(model_.terms(sort)[0]);
  const ir::TypeId type = this->type(sort, false, wish);
  const ir::VarId id = variable(Names::readable(wish), type, game_.values.symbol(first));
  return {id, game_.variable_ref(id), sort, first};
}

ir::ExprId Tables::flag(std::string_view wish) {
  const auto [it, fresh] = flags_.try_emplace(std::string(wish));
  if (!fresh) return it->second;
  const ir::VarId id = variable(wish, bool_type(), game_.values.symbol(zero_));
  scratch_initial_[id] = zero_;
  return it->second = game_.variable_ref(id);
}

const Register& Tables::scratch(std::string_view wish, SortId sort, const std::set<ir::VarId>& busy,
                                std::string_view pool) {
  std::deque<Register>& list = scratch_[{std::string(pool), sort, std::string(wish)}];
  for (const Register& r : list)
    if (!busy.contains(r.variable)) return r;
  list.push_back(declare(pool.empty() ? std::string(wish) : fmt::format("{}_{}", pool, wish), sort));
  scratch_initial_[list.back().variable] = list.back().initial;
  return list.back();
}

// --- Stored facts. ---

void Tables::stored(const Dependencies& dependencies) {
  for (const RelId fact : model_.facts()) {
    const auto found = dependencies.find(fact);
    declare_stored(fact, found == dependencies.end() ? nullptr : &found->second);
  }
}

// A reasoner compares the cells of a row at once, along the last index. So the first column, which has the cells,
// becomes the last index if the second one is mostly bound or has few values. Otherwise these values are tried row
// after row.
bool Tables::asks_for_rows(const Stored& s) const {
  if (model_.terms(s.columns[0]).size() <= model_.terms(s.columns[1]).size()) return false;
  std::size_t bound = 0;
  std::size_t tried = 0;
  for (const auto& [key, rules] : model_.rules()) {
    for (const LiftedRule& rule : rules) {
      if (key == RelKey{s.relation, true} && Model::frame_literal(rule)) continue;
      const std::vector<EngineLiteral>& body = rule.rule->body;
      for (const EngineLiteral& asked : body) {
        if (model_.kind(asked) != LiteralKind::fact || asked.relation != s.relation) continue;
        const Pattern p = asked.arguments[1];
        const bool binds = std::ranges::any_of(body, [&](const EngineLiteral& other) {
          const LiteralKind kind = model_.kind(other);
          return &other != &asked && kind != LiteralKind::fixed && kind != LiteralKind::distinct &&
                 std::ranges::count(other.arguments, p) != 0;
        });
        if (!p.is_variable() || binds || std::ranges::count(rule.rule->head.arguments, p) != 0)
          ++bound;
        else
          tried += model_.terms(rule.sorts[p.number()]).size();
      }
    }
  }
  return tried <= kPlanCosts.tried_per_row * bound;
}

void Tables::declare_stored(RelId fact, const Dependency* dependency) {
  Stored& s = stored_[fact];
  s.relation = fact;
  const std::uint32_t arity = model_.info(fact).tuples->arity();
  const std::string name = Names::readable(model_.name(fact));
  if (dependency != nullptr) {
    s.key = dependency->key;
    s.values = dependency->values;
  } else {
    for (std::uint32_t c = 0; c < arity; ++c) s.key.push_back(c);
  }
  std::uint64_t cells = 1;
  for (std::uint32_t c = 0; c < arity; ++c) s.columns.push_back(model_.column(fact, c));
  s.never = std::ranges::any_of(s.columns, [&](SortId column) { return model_.terms(column).empty(); });
  if (s.never) return;
  if (s.values.empty() && s.key.size() == 2 && asks_for_rows(s)) std::ranges::reverse(s.key);
  for (const std::uint32_t c : s.key) cells *= std::max<std::size_t>(1, model_.terms(s.columns[c]).size());
  if (cells > kLiftedLimits.fact_cells) throw NotLifted{fmt::format("'{}' would have {} cells", name, cells)};
  for (std::size_t i = 0; i < std::max<std::size_t>(1, s.values.size()); ++i) {
    const bool flag = s.values.empty();
    const std::string wish = s.values.size() > 1 ? fmt::format("{}_{}", name, s.values[i] + 1) : name;
    ir::TypeId type = flag ? bool_type() : this->type(s.columns[s.values[i]], true, name + "_value");
    ir::ValueId empty = game_.values.symbol(flag ? zero_ : none_);
    for (std::size_t k = s.key.size(); k-- > 0;) {
      type = game_.types.arrow(this->type(s.columns[s.key[k]], false, fmt::format("{}_{}", name, s.key[k] + 1)), type);
      empty = game_.values.map(empty, {});
    }
    s.types.push_back(type);
    s.empty.push_back(empty);
    s.maps.push_back(variable(wish, type, initial_of(s, i, empty)));
  }
}

ir::ValueId Tables::initial_of(const Stored& s, std::size_t map, ir::ValueId empty) {
  const Relation& tuples = *model_.info(s.relation).tuples;
  std::map<std::vector<SymbolId>, ir::ValueId> last;
  for (std::uint32_t r = 0; r < tuples.size(); ++r) {
    std::vector<SymbolId> key;
    for (const std::uint32_t c : s.key) key.push_back(symbol(tuples.row(r)[c]));
    last[key] = game_.values.symbol(s.values.empty() ? one_ : symbol(tuples.row(r)[s.values[map]]));
  }
  Paths level(last.begin(), last.end());
  return level.empty()
             ? empty
             : map_value(std::move(level), s.key.size(), game_.values.symbol(s.values.empty() ? zero_ : none_));
}

const std::vector<ir::VarId>& Tables::copies(RelId fact) {
  std::vector<ir::VarId>& list = copies_[fact];
  const Stored& s = stored_.at(fact);
  if (list.empty())
    for (std::size_t i = 0; i < s.maps.size(); ++i)
      list.push_back(variable("new_" + game_.symbols.str(game_.variable(s.maps[i]).name), s.types[i],
                              game_.variable(s.maps[i]).initial));
  return list;
}

// --- Constant maps. ---

ir::ExprId Tables::membership(SortId from, bool with_none, SortId part) {
  const auto [it, fresh] = memberships_.try_emplace({from, with_none, part});
  if (!fresh) return it->second;
  const ir::TypeId source = type(from, with_none, "Values");
  const std::string part_name = [&] {
    const auto named = types_.find({part, false});
    return named == types_.end() ? std::string("set") : game_.symbols.str(named->second);
  }();
  std::vector<ir::Values::Entry> entries;
  for (const std::uint32_t term : model_.terms(from))
    if (model_.contains(part, term)) entries.push_back({symbol(term), game_.values.symbol(one_)});
  const ir::ValueId value = game_.values.map(game_.values.symbol(zero_), entries);
  return memberships_[{from, with_none, part}] =
             constant("is_" + Names::readable(part_name), game_.types.arrow(source, bool_type()), value);
}

ir::ExprId Tables::successor(SortId sort) {
  const auto [it, fresh] = successors_.try_emplace(sort);
  if (!fresh) return it->second;
  const ir::TypeId t = type(sort, false, "Values");
  const auto& terms = model_.terms(sort);
  std::vector<ir::Values::Entry> entries;
  for (std::size_t i = 0; i < terms.size(); ++i)
    entries.push_back({symbol(terms[i]), game_.values.symbol(symbol(terms[std::min(i + 1, terms.size() - 1)]))});
  const ir::ValueId value = game_.values.map(game_.values.symbol(symbol(terms[0])), entries);
  return it->second =
             constant("behind_" + game_.symbols.str(game_.types.alias_name(t)), game_.types.arrow(t, t), value);
}

std::vector<SymbolId> Tables::path(const Tuple& row) {
  std::vector<SymbolId> result;
  for (const std::uint32_t term : row) result.push_back(symbol(term));
  return result;
}

ir::ExprId Tables::table(std::string_view wish, const std::vector<SortId>& from, ir::TypeId to, Paths rows,
                         SymbolId missing, const std::vector<bool>& with_none) {
  std::uint64_t cells = 1;
  for (const SortId s : from) cells *= model_.terms(s).size();
  if (cells > kLiftedLimits.constant_cells)
    throw NotLifted{fmt::format("'{}' would be a table of {} cells", wish, cells)};
  for (std::size_t k = from.size(); k-- > 0;)
    to = game_.types.arrow(type(from[k], !with_none.empty() && with_none[k], wish), to);
  return constant(Names::readable(wish), to, map_value(std::move(rows), from.size(), game_.values.symbol(missing)));
}

ir::ExprId Tables::function_table(std::string_view wish, const std::vector<SortId>& from, SortId to,
                                  const std::vector<std::pair<Tuple, std::uint32_t>>& rows, bool total) {
  Paths level;
  for (const auto& [key, value] : rows) {
    const ir::ValueId last = game_.values.symbol(symbol(value));
    level.emplace_back(path(key), last);
  }
  total = total && std::ranges::all_of(from, [&](SortId s) { return whole(s) == s; });
  return table(wish, from, type(to, !total, wish), std::move(level), total ? symbol(model_.terms(to)[0]) : none_);
}

std::int64_t Tables::distance(SortId board, std::uint32_t from, std::uint32_t to) const {
  const auto& cells = model_.terms(whole(board));
  return (std::ranges::lower_bound(cells, to) - cells.begin()) -
         (std::ranges::lower_bound(cells, from) - cells.begin());
}

Tables::Distances Tables::distances_of(const std::vector<SortId>& from, SortId to,
                                       const std::map<Tuple, Tuple>& rows) const {
  Distances result;
  if (from.empty() || whole(from.back()) != whole(to)) return result;
  for (const auto& [key, values] : rows)
    for (const std::uint32_t value : values) result[{key.begin(), key.end() - 1}][distance(to, key.back(), value)] = 0;
  for (auto& [others, places] : result) {
    std::size_t next = 0;
    for (auto& [distance, place] : places) place = next++;
  }
  return result;
}

Tables::List Tables::list_table(std::string_view wish, const std::vector<SortId>& from, SortId to,
                                const std::map<Tuple, Tuple>& rows) {
  std::size_t most = 1;
  std::size_t keys = 1;
  for (const SortId s : from) keys *= model_.terms(s).size();
  for (const auto& [key, values] : rows) most = std::max(most, values.size());
  const auto all = [&](const auto& row) { return row.second.size() == most; };
  List list;
  list.full = rows.size() == keys && std::ranges::all_of(rows, all);
  const auto number = [&](std::size_t i) { return symbol(std::to_string(i + 1)); };
  const auto [it, fresh] = numbers_.try_emplace(most);
  if (fresh) {
    std::vector<SymbolId> members;
    std::vector<ir::Values::Entry> entries;
    for (std::size_t i = 0; i < most; ++i) members.push_back(number(i));
    for (std::size_t i = 0; i + 1 < most; ++i) entries.push_back({number(i), game_.values.symbol(number(i + 1))});
    it->second.type = symbol(names_.fresh("Upto_" + std::to_string(most)));
    game_.define_type(it->second.type, game_.types.set(members));
    const ir::TypeId type = game_.types.alias(it->second.type);
    const ir::ValueId value = game_.values.map(game_.values.symbol(number(most - 1)), entries);
    it->second.behind = constant("behind_" + std::to_string(most), game_.types.arrow(type, type), value);
  }
  list.numbers = game_.types.alias(it->second.type);
  list.first = number(0);
  list.last = number(most - 1);
  list.behind = it->second.behind;
  Paths level;
  const SymbolId missing = list.full ? symbol(model_.terms(to)[0]) : none_;
  const auto distances = distances_of(from, to, rows);
  for (const auto& [key, values] : rows) {
    std::vector<ir::Values::Entry> entries;
    const auto of_key = distances.find({key.begin(), key.empty() ? key.end() : key.end() - 1});
    const bool placed = of_key != distances.end() && of_key->second.size() <= most;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t place = placed ? of_key->second.at(distance(to, key.back(), values[i])) : i;
      list.gaps = list.gaps || (placed && of_key->second.size() > values.size());
      entries.push_back({number(place), game_.values.symbol(symbol(values[i]))});
    }
    const ir::ValueId last = game_.values.map(game_.values.symbol(missing), entries);
    level.emplace_back(path(key), last);
  }
  ir::TypeId type = game_.types.arrow(list.numbers, this->type(to, !list.full, wish));
  for (std::size_t k = from.size(); k-- > 0;) type = game_.types.arrow(this->type(from[k], false, wish), type);
  const ir::ValueId value =
      map_value(std::move(level), from.size(), game_.values.map(game_.values.symbol(missing), {}));
  list.table = constant(Names::readable(wish), type, value);
  return list;
}

const Register& Tables::number(const List& list, const std::set<ir::VarId>& busy, std::string_view pool) {
  std::deque<Register>& registers = number_registers_[{list.numbers, std::string(pool)}];
  for (const Register& r : registers)
    if (!busy.contains(r.variable)) return r;
  const ir::VarId id = variable("number", list.numbers, game_.values.symbol(list.first));
  scratch_initial_[id] = list.first;
  registers.push_back({id, game_.variable_ref(id), SortId(), list.first});
  return registers.back();
}

ir::ExprId Tables::bool_table(std::string_view wish, const std::vector<SortId>& from, const std::vector<Tuple>& rows,
                              const std::vector<bool>& with_none) {
  Paths level;
  for (const Tuple& key : rows) level.emplace_back(path(key), game_.values.symbol(one_));
  return table(wish, from, bool_type(), std::move(level), zero_, with_none);
}

}  // namespace rgtrans::gdl::lifted
