// Building the model: copy the automaton without casts and decided conditions, join types into universes by the
// flow of values, number symbols and tags, bound the values of variables.
#include "backends/cpp/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/pending/disjoint_sets.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "core/analysis/analysis.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

std::string Identifiers::make(std::string_view name) {
  // Words that generated code uses itself, and the keywords that a game is likely to use.
  static constexpr std::array kReserved = {
      "alignas",  "alignof",   "and",       "asm",      "auto",      "bool",      "break",   "case",   "catch",
      "char",     "class",     "concept",   "const",    "continue",  "default",   "delete",  "do",     "double",
      "else",     "enum",      "export",    "extern",   "false",     "float",     "for",     "friend", "goto",
      "if",       "inline",    "int",       "long",     "mutable",   "namespace", "new",     "not",    "operator",
      "or",       "private",   "protected", "public",   "register",  "requires",  "return",  "short",  "signed",
      "sizeof",   "static",    "struct",    "switch",   "template",  "this",      "throw",   "true",   "try",
      "typedef",  "typeid",    "typename",  "union",    "unsigned",  "using",     "virtual", "void",   "volatile",
      "while",    "xor",       "compl",     "bitand",   "bitor",     "nullptr",   "linux",   "unix",   "main",
      "s",        "c",         "moves",     "mask",     "rest",      "epoch",     "count",   "std",    "word",
      "noexcept", "constexpr", "decltype",  "explicit", "protected", "char8_t",   "not_eq",  "and_eq", "or_eq",
      "xor_eq",   "moved",     "Tag",       "Packed",   "tags",      "i386",      "result",  "NULL",   "EOF",
      "node",     "assert",    "errno",     "stdin",    "stdout"};
  // Longer keywords, and macros of the headers that generated code includes.
  static constexpr std::array kLonger = {
      "co_await",     "co_return",  "co_yield",      "const_cast",       "consteval",     "constinit",
      "char16_t",     "char32_t",   "dynamic_cast",  "reinterpret_cast", "static_assert", "static_cast",
      "thread_local", "wchar_t",    "stderr",        "BIG_ENDIAN",       "BUFSIZ",        "BYTE_ORDER",
      "CHAR_BIT",     "CHAR_MAX",   "CHAR_MIN",      "CLOCKS_PER_SEC",   "E2BIG",         "EACCES",
      "EAGAIN",       "EBUSY",      "EDOM",          "EEXIST",           "EFAULT",        "EINTR",
      "EINVAL",       "EIO",        "EMFILE",        "ENOENT",           "ENOMEM",        "EPERM",
      "EPIPE",        "ERANGE",     "ETIME",         "EXIT_FAILURE",     "EXIT_SUCCESS",  "FILENAME_MAX",
      "F_LOCK",       "F_OK",       "F_TEST",        "INT_MAX",          "INT_MIN",       "INT8_MAX",
      "INT8_MIN",     "INT16_MAX",  "INT16_MIN",     "INT32_MAX",        "INT32_MIN",     "INT64_MAX",
      "INT64_MIN",    "LINE_MAX",   "LITTLE_ENDIAN", "LONG_MAX",         "LONG_MIN",      "L_SET",
      "NAME_MAX",     "NZERO",      "PATH_MAX",      "RAND_MAX",         "R_OK",          "SEEK_CUR",
      "SEEK_END",     "SEEK_SET",   "SIZE_MAX",      "TIME_UTC",         "TMP_MAX",       "UINT8_MAX",
      "UINT16_MAX",   "UINT32_MAX", "UINT64_MAX",    "UINT_MAX",         "W_OK",          "X_OK"};
  // Types of the code that is the same for all games (runtime/).
  static constexpr std::array kTypes = {
      "ActionTable", "Batch",   "Cache",      "CacheBase",     "CandidateSet", "Candidates",     "Cells",
      "Choosing",    "Deeper",  "Device",     "Drawing",       "Drawn",        "DrawnFrom",      "DuplicateMarks",
      "Duplicates",  "End",     "FourWords",  "Game",          "GameState",    "Graph",          "HostBatch",
      "How",         "Images",  "KeyBuilder", "KeySet",        "KnownMove",    "KnownMoves",     "KnownRules",
      "KnownStates", "Lack",    "Lane",       "LanePlace",     "Line",         "List",           "Listed",
      "Marked",      "Memory",  "Move",       "MoveCode",      "MoveList",     "MoveSet",        "Numbers",
      "OnHeap",      "Output",  "Pace",       "Perft",         "Planes",       "Play",           "Played",
      "Playouts",    "Plays",   "Random",     "Reached",       "Refused",      "Rest",           "RoomBase",
      "Rules",       "Scratch", "Search",     "SecondTargets", "SetList",      "ShortKnownMove", "Shown",
      "StackTop",    "Start",   "State",      "StateWords",    "Stopwatch",    "Stored",         "Sums",
      "VisitKeys",   "Waiting", "WaitingSet", "Walker",        "Work",         "WorkList",       "Workspace"};
  constexpr std::size_t kLongest = 48;
  std::string id;
  for (const char c : name.substr(0, kLongest)) {
    const bool plain = is_letter(c) || is_digit(c);
    // Two underscores in a row are reserved in C++.
    if (plain)
      id += c;
    else if (!id.empty() && id.back() != '_')
      id += '_';
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  if (id.empty()) id = "x";
  if (is_digit(id[0])) id.insert(0, "n");
  const auto is_one_of = [&](const auto& words) { return std::ranges::find(words, id) != words.end(); };
  if (is_one_of(kReserved) || is_one_of(kLonger) || is_one_of(kTypes)) id += "_";
  const unsigned before = used_[id]++;
  if (before == 0) return id;
  std::string numbered;
  for (unsigned n = before + 1;; ++n) {
    numbered = id + (id.back() == '_' ? "" : "_") + std::to_string(n);
    if (used_.try_emplace(numbered, 1).second) return numbered;
  }
}

NumberedGame::NumberedGame(const ir::Game& source, bool follow_values) : game(source) {
  node_names = game.node_names();
  copy_steps();
  find_universes();
  find_values();
  find_extents();
  index_steps();
  // Where many ways meet, the squares that can be behind come one after the other. All of them would do where that
  // takes too long, but then the square outside of the board is among them.
  constexpr std::uint8_t kManyGrowths = 100, kFewGrowths = 24;
  values = std::make_unique<PossibleValues>(*this, follow_values ? kManyGrowths : 0);
  if (follow_values && !values->usable()) values = std::make_unique<PossibleValues>(*this, kFewGrowths);
  drop_decided_steps();
  narrow_values();
  number_tags();
  // Variables are locals where these functions are called, and beside these other locals.
  static constexpr std::array kTaken = {"add_move",
                                        "add_pairs",
                                        "add_waiting",
                                        "add_waiting_set",
                                        "any_contained",
                                        "before",
                                        "begin_list",
                                        "bit_count",
                                        "bit_in_word",
                                        "cells_equal",
                                        "cells_matching",
                                        "cells_of",
                                        "cells_paired",
                                        "contained",
                                        "copy_map",
                                        "drop",
                                        "each_cell",
                                        "end_list",
                                        "equal_cells",
                                        "everywhere",
                                        "first_cell",
                                        "forget_write",
                                        "gathered",
                                        "have",
                                        "holds",
                                        "is_reached",
                                        "key",
                                        "lowest_bit",
                                        "match_cells",
                                        "memcpy",
                                        "nearly_full",
                                        "next_member",
                                        "next_player",
                                        "note_write",
                                        "number",
                                        "one_cell",
                                        "out",
                                        "planes_of",
                                        "possible_targets",
                                        "possible_ways",
                                        "random",
                                        "seen_by",
                                        "shifted",
                                        "tag_at",
                                        "tries",
                                        "with_tag",
                                        "with_value"};
  Identifiers names;
  for (const char* const taken : kTaken) names.make(taken);
  for (const ir::Variable& variable : game.variables())
    identifiers.push_back(names.make(game.symbols.text(variable.name)));
}

void NumberedGame::copy_steps() {
  const std::size_t bound = game.graph.node_bound();
  out.resize(bound);
  in.resize(bound);
  node_names.resize(bound);
  assigned.assign(game.variables().size(), false);
  std::unordered_map<std::uint64_t, std::uint32_t> check_index;
  const std::vector<bool> artificial = ir::artificial_tags(game);
  for (const ir::EdgeId edge : game.graph.edges()) {
    Step step;
    step.edge = edge;
    step.from = game.graph.source(edge).value;
    step.to = game.graph.target(edge).value;
    const ir::Label label = game.graph.label(edge);
    std::visit(ir::Overloaded{
                   [](const ir::Empty&) {},
                   [&](const ir::Compare& l) {
                     step.kind = Deed::compare;
                     step.negated = l.negated;
                     step.lhs = game.strip_casts(l.lhs);
                     step.rhs = game.strip_casts(l.rhs);
                   },
                   [&](const ir::Assign& l) {
                     step.kind = Deed::assign;
                     step.ends_move = game.is_player_assignment(label);
                     step.lhs = game.strip_casts(l.lhs);
                     step.rhs = game.strip_casts(l.rhs);
                     step.variable = game.assigned_variable(l.lhs);
                   },
                   [&](const ir::AssignAny& l) {
                     step.kind = Deed::assign_any;
                     step.lhs = game.strip_casts(l.lhs);
                     step.type = game.resolve(l.type);
                     step.variable = game.assigned_variable(l.lhs);
                   },
                   [&](const ir::Reachability& l) {
                     step.kind = Deed::check;
                     step.negated = l.negated;
                     const std::uint64_t key = (std::uint64_t{l.from.value} << 32U) | l.to.value;
                     const auto [it, fresh] = check_index.try_emplace(key, static_cast<std::uint32_t>(checks.size()));
                     if (fresh) checks.push_back({l.from.value, l.to.value});
                     step.check = it->second;
                   },
                   [&](const ir::Tag& l) {
                     // An artificial tag is no part of a move.
                     step.mark = artificial[l.symbol.value];
                     if (step.mark) return;
                     step.kind = Deed::tag;
                     step.symbol = l.symbol;
                   },
                   [&](const ir::TagVariable& l) {
                     step.kind = Deed::tag_variable;
                     step.variable = l.variable;
                   },
               },
               label);
    if (is_assignment(step) && step.variable.valid()) {
      assigned[step.variable.value] = true;
    }
    steps.push_back(step);
  }
}

// Types are joined along the flow of values. A bare symbol has no universe of its own: it takes the one it meets,
// so that a 0 that is a Score and a 0 that is a Bool do not join the two.
void NumberedGame::find_universes() {
  boost::disjoint_sets_with_storage<> groups(game.types.size());
  const auto& e = game.expressions();
  const std::function<void(TypeId, TypeId)> join = [&](TypeId a, TypeId b) {
    a = game.resolve(a);
    b = game.resolve(b);
    if (!a.valid() || !b.valid() || a == b) return;
    const bool arrow = game.types.kind(a) == ir::TypeKind::arrow;
    if (arrow != (game.types.kind(b) == ir::TypeKind::arrow)) return;
    if (arrow) {
      join(game.types.from(a), game.types.from(b));
      join(game.types.to(a), game.types.to(b));
    } else {
      groups.union_set(a.value, b.value);
    }
  };
  const auto join_values = [&](ExprId a, ExprId b) {
    if (e.kind(a) != ExprKind::symbol && e.kind(b) != ExprKind::symbol) join(e.type(a), e.type(b));
  };
  // Casts connect what they convert; the original labels still have them.
  const auto join_index = [&](ExprId id) {
    const TypeId map = game.resolve(e.type(e.map(id)));
    if (game.is_arrow(map) && e.kind(e.index(id)) != ExprKind::symbol) join(game.types.from(map), e.type(e.index(id)));
  };
  for (const Step& step : steps) {
    for_each_access(step, join_index);
    if (step.kind == Deed::compare || step.kind == Deed::assign) join_values(step.lhs, step.rhs);
    if (step.kind == Deed::assign_any) join(e.type(step.lhs), step.type);
  }
  // Player and its union with the system's players are one thing to every user of the interface.
  join(game.variable(game.player()).type, game.types.from(game.resolve(game.variable(game.goals()).type)));
  join(game.variable(game.player()).type, game.types.from(game.resolve(game.variable(game.visible()).type)));

  std::vector<std::uint32_t> root(game.types.size(), kNone);
  for (std::uint32_t i = 0; i < game.types.size(); ++i) {
    if (game.types.kind(TypeId(i)) == ir::TypeKind::set) root[i] = static_cast<std::uint32_t>(groups.find_set(i));
  }
  number_universes(root);
  find_shapes();

  // Symbols that are no member of any type of the universe they are used in still get a number.
  const auto add_key = [&](ExprId id) {
    const ArrayShape map = shape(e.type(e.map(id)));
    if (e.kind(e.index(id)) == ExprKind::symbol && !map.scalar()) add_literal(map.keys[0], e.symbol(e.index(id)));
  };
  for (const Step& step : steps) {
    for_each_access(step, add_key);
    if (step.kind != Deed::compare && step.kind != Deed::assign) continue;
    for (const auto& [a, b] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
      if (e.kind(a) == ExprKind::symbol && e.kind(b) != ExprKind::symbol) {
        add_literal(shape(e.type(b)).leaf, e.symbol(a));
      }
    }
  }
  for (std::size_t i = 0; i < game.variables().size(); ++i)
    add_value_literals(game.variables()[i].initial, shapes_[i], 0);
  for (std::size_t i = 0; i < game.constants().size(); ++i) {
    if (game.constants()[i].alive) add_value_literals(game.constants()[i].value, constant_shapes_[i], 0);
  }
  for (const SymbolId player : game.players()) add_literal(shapes_[game.player().value].leaf, player);
  add_literal(shapes_[game.player().value].leaf, game.keeper());
  add_literal(shapes_[game.player().value].leaf, game.random());
  name_universes();
}

// Members of a type that do not follow each other in another one.
bool NumberedGame::has_gaps(TypeId part, TypeId whole) const {
  const auto members = game.types.members(whole);
  const auto of_part = game.types.members(part);
  const std::set<SymbolId> wanted(of_part.begin(), of_part.end());
  const auto inside = [&](SymbolId member) { return wanted.contains(member); };
  const auto first = std::ranges::find_if(members, inside);
  const auto behind = std::find_if_not(first, members.end(), inside);
  return std::any_of(behind, members.end(), inside);
}

void NumberedGame::number_universes(std::vector<std::uint32_t>& root) {
  // Small types come first, so that maps from them are small. A part of a board that no map is from does not when
  // it is small or has gaps: its cells stay among their neighbours, so that most of these are equally far away.
  constexpr std::size_t kLarge = 16;
  std::vector<std::uint32_t> order;
  std::vector<TypeId> largest(root.size());  // by root
  std::vector<bool> maps(root.size(), false);
  for (std::uint32_t i = 0; i < root.size(); ++i) {
    if (const TypeId type(i); game.types.kind(type) == ir::TypeKind::arrow) {
      const TypeId from = game.resolve(game.types.from(type));
      if (from.valid()) maps[from.value] = true;
    }
    if (root[i] == kNone) continue;
    order.push_back(i);
    TypeId& most = largest[root[i]];
    if (!most.valid() || game.types.members(TypeId(i)).size() > game.types.members(most).size()) most = TypeId(i);
  }
  std::map<std::uint32_t, std::pair<bool, std::size_t>> rank;
  for (const std::uint32_t i : order) {
    const std::size_t size = game.types.members(TypeId(i)).size();
    const std::size_t most = game.types.members(largest[root[i]]).size();
    const bool stays = most > kLarge && !maps[i] && (2 * size < most || has_gaps(TypeId(i), largest[root[i]]));
    rank[i] = {stays, size};
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return rank.at(i); });
  // Types that nothing names would only add symbols: the singletons of literals.
  std::vector<std::uint32_t> index(root.size(), kNone);
  universe_of_type_.assign(root.size(), kNone);
  for (const std::uint32_t type : order) {
    if (index[root[type]] == kNone) {
      index[root[type]] = static_cast<std::uint32_t>(universes.size());
      universes.emplace_back();
    }
    universe_of_type_[type] = index[root[type]];
    for (const SymbolId member : game.types.members(TypeId(type))) add_literal(universe_of_type_[type], member);
  }
}

void NumberedGame::find_shapes() {
  shapes_.clear();
  constant_shapes_.clear();
  for (const ir::Variable& variable : game.variables()) shapes_.push_back(shape(variable.type));
  for (const ir::Constant& constant : game.constants()) constant_shapes_.push_back(shape(constant.type));
}

// Maps from one type have arrays of one size, and so have maps of types that are copied or compared as a whole.
void NumberedGame::find_extents() {
  std::vector<std::uint32_t> extents(game.types.size(), 0);
  boost::disjoint_sets_with_storage<> groups(game.types.size());
  const auto& e = game.expressions();
  const auto widen = [&](TypeId type, std::uint32_t to) { extents[type.value] = std::max(extents[type.value], to); };
  const std::function<void(TypeId, TypeId)> join = [&](TypeId a, TypeId b) {
    a = game.resolve(a);
    b = game.resolve(b);
    if (!game.is_arrow(a) || !game.is_arrow(b)) return;
    groups.union_set(game.resolve(game.types.from(a)).value, game.resolve(game.types.from(b)).value);
    join(game.types.to(a), game.types.to(b));
  };
  const auto widen_map = [&](ExprId id) {
    const TypeId map = game.resolve(e.type(e.map(id)));
    if (!game.is_arrow(map)) return;
    const Bits indices = possible(e.index(id), shape(map).keys[0]);
    for (const std::size_t c : indices) widen(game.resolve(game.types.from(map)), static_cast<std::uint32_t>(c) + 1);
  };
  for (std::uint32_t i = 0; i < game.types.size(); ++i) {
    if (game.types.kind(TypeId(i)) != ir::TypeKind::set) continue;
    for (const std::uint32_t c : member_codes(TypeId(i))) widen(TypeId(i), c + 1);
  }
  for (const Step& step : steps) {
    for_each_access(step, widen_map);
    if (step.kind == Deed::compare || step.kind == Deed::assign) join(e.type(step.lhs), e.type(step.rhs));
  }
  for (std::uint32_t i = 0; i < extents.size(); ++i) widen(TypeId(groups.find_set(i)), extents[i]);
  for (std::uint32_t i = 0; i < extents.size(); ++i) extents[i] = extents[groups.find_set(i)];
  extents_ = std::move(extents);
  for (const Bits& codes : variable_values) {
    std::size_t bound = 0;
    for (const std::size_t code : codes) bound = code + 1;
    bounds.push_back(static_cast<std::uint32_t>(bound));
  }
  find_shapes();
}

void NumberedGame::name_universes() {
  std::vector<std::size_t> best(universes.size(), 0);
  for (const ir::TypeDef& def : game.type_defs()) {
    if (!def.alive) continue;
    const TypeId type = game.resolve(def.type);
    if (!type.valid() || game.types.kind(type) != ir::TypeKind::set) continue;
    Universe& universe = universes[universe_of_type_[type.value]];
    std::size_t& size = best[universe_of_type_[type.value]];
    if (game.types.members(type).size() > size) {
      size = game.types.members(type).size();
      universe.name = game.symbols.str(def.name);
    }
  }
  Identifiers names;
  for (Universe& universe : universes) {
    universe.name = names.make(universe.name.empty() ? "Symbols" : universe.name);
    // Functions of the reasoner begin so, and none ends with an underscore.
    if (is_lower(universe.name.front()) && universe.name.back() != '_') universe.name += '_';
    Identifiers members;
    for (const SymbolId symbol : universe.symbols)
      universe.enumerators.push_back(members.make(game.symbols.text(symbol)));
  }
}

void NumberedGame::add_literal(std::uint32_t universe, SymbolId symbol) {
  Universe& u = universes[universe];
  if (u.codes.try_emplace(symbol.value, u.size()).second) u.symbols.push_back(symbol);
}

void NumberedGame::add_value_literals(ValueId value, const ArrayShape& shape, std::size_t depth) {
  if (game.values.is_symbol(value)) {
    if (depth == shape.keys.size()) add_literal(shape.leaf, game.values.as_symbol(value));
    return;
  }
  if (depth >= shape.keys.size()) return;
  add_value_literals(game.values.default_of(value), shape, depth + 1);
  for (const auto& entry : game.values.exceptions(value)) {
    add_literal(shape.keys[depth], entry.key);
    add_value_literals(entry.value, shape, depth + 1);
  }
}

ArrayShape NumberedGame::shape(TypeId type) const {
  ArrayShape shape;
  for (const TypeId from : game.keys(type)) {
    shape.keys.push_back(from.valid() ? universe_of_type_[from.value] : 0);
    shape.sizes.push_back(from.valid() && from.value < extents_.size() ? extents_[from.value]
                                                                       : universes[shape.keys.back()].size());
  }
  if (const TypeId value = game.value_type(type); value.valid()) shape.leaf = universe_of_type_[value.value];
  return shape;
}

std::optional<std::uint32_t> NumberedGame::universe_of(ExprId expression) const {
  const auto& e = game.expressions();
  if (e.kind(expression) == ExprKind::symbol) return std::nullopt;
  return shape(e.type(expression)).leaf;
}

std::uint32_t NumberedGame::code(std::uint32_t universe, SymbolId symbol) const {
  const auto it = universes[universe].codes.find(symbol.value);
  return it == universes[universe].codes.end() ? kNone : it->second;
}

std::uint32_t NumberedGame::initial_code(VarId board, std::size_t cell) const {
  const ArrayShape& shape = variable_shape(board);
  const ValueId value = game.values.at(game.variable(board).initial, universes[shape.keys[0]].symbols[cell]);
  return code(shape.leaf, game.values.as_symbol(value));
}

std::vector<std::uint32_t> NumberedGame::member_codes(TypeId type) const {
  type = game.resolve(type);
  std::vector<std::uint32_t> codes;
  for (const SymbolId member : game.types.members(type)) codes.push_back(code(universe_of_type_[type.value], member));
  std::ranges::sort(codes);
  return codes;
}

Bits NumberedGame::members(TypeId type) const {
  Bits result(universes[universe_of_type_[game.resolve(type).value]].size());
  for (const std::uint32_t c : member_codes(type)) result.set(c);
  return result;
}

Folded NumberedGame::fold(ExprId expression, const Bindings& bindings) const {
  const auto& e = game.expressions();
  return ir::fold(game, expression, [&](ExprId part) -> Folded {
    for (const auto& [bound, symbol] : bindings) {
      if (bound == part) return {symbol, {}};
    }
    if (e.kind(part) != ExprKind::variable || assigned[e.variable(part).value]) return {};
    return ir::folded(game, game.variable(e.variable(part)).initial);
  });
}

bool NumberedGame::is_cell(ExprId expression) const {
  const auto& e = game.expressions();
  if (e.kind(expression) != ExprKind::access) return false;
  const ExprId root = e.root(expression);
  return e.kind(root) == ExprKind::variable && assigned[e.variable(root).value] &&
         game.types.kind(game.resolve(e.type(expression))) == ir::TypeKind::set;
}

std::optional<RowOfCells> NumberedGame::row_of(ExprId cell) const {
  if (!is_cell(cell)) return std::nullopt;
  const auto& e = game.expressions();
  const VarId map = e.variable(e.root(cell));
  switch (variable_shape(map).keys.size()) {
    case 1:
      return RowOfCells{map, {}, e.index(cell)};
    case 2:
      return RowOfCells{map, e.index(e.map(cell)), e.index(cell)};
    default:
      return std::nullopt;
  }
}

bool NumberedGame::in_vectors(VarId map) const {
  constexpr std::uint32_t kShortestRow = 9;
  const ArrayShape& shape = variable_shape(map);
  return !shape.scalar() && shape.keys.size() <= 2 && universes[shape.leaf].size() <= 256 &&
         shape.sizes.back() >= kShortestRow;
}

std::uint32_t NumberedGame::padded_size(VarId variable) const {
  const ArrayShape& shape = variable_shape(variable);
  const std::uint32_t size = shape.sizes[0];
  if (!in_vectors(variable)) return size;
  const std::uint32_t row = shape.sizes.back();
  const std::uint32_t unit = row <= 64 ? 16 : 64;
  const std::uint32_t padded = (row + unit - 1) / unit * unit;
  // Behind the last row of two dimensions, too, whole vectors can be read.
  return shape.keys.size() == 1 ? padded : size + (padded - 1) / row;
}

bool NumberedGame::is_always_row(VarId map, ExprId index) const {
  const ArrayShape& shape = variable_shape(map);
  return std::ranges::all_of(possible(index, shape.keys[0]), [&](std::size_t c) { return c < shape.sizes[0]; });
}

bool NumberedGame::reads(ExprId expression, VarId variable) const {
  return assigned[variable.value] && ir::reads(game, expression, variable);
}

// A symbol that this universe does not have stands for nothing in it.
Bits NumberedGame::codes_of(analysis::SetId set, std::uint32_t universe) const {
  Bits codes(universes[universe].size());
  for (const SymbolId symbol : held->sets().of(set)) {
    if (const std::uint32_t c = code(universe, symbol); c != kNone) codes.set(c);
  }
  return codes;
}

Bits NumberedGame::possible(ExprId expression, std::uint32_t universe) const {
  const auto& e = game.expressions();
  if (const Folded folded = fold(expression); folded.symbol.valid())
    return codes_of(held->sets().one(folded.symbol), universe);
  const ExprId root = e.root(expression);
  if (e.kind(root) == ExprKind::variable && assigned[e.variable(root).value]) {
    const VarId variable = e.variable(root);
    return shapes_[variable.value].leaf == universe ? variable_values[variable.value]
                                                    : Bits::full(universes[universe].size());
  }
  return codes_of(held->values(expression), universe);
}

Bits NumberedGame::possible_at(std::uint32_t node, ExprId expression, std::uint32_t universe) const {
  Bits result = possible(expression, universe);
  if (!values->usable() || !values->reached(node)) return result;
  const PossibleValues::Codes here = values->values_at(node, expression, universe);
  for (std::size_t w = 0; w < result.words(); ++w) result.word(w) &= w < here.size() ? here[w] : 0;
  return result;
}

Bits NumberedGame::keys_of(ExprId map) const {
  return members(game.types.from(game.resolve(game.expressions().type(map))));
}

bool NumberedGame::has_key(std::uint32_t node, ExprId access) const {
  const auto& e = game.expressions();
  const std::uint32_t universe = shape(e.type(e.map(access))).keys.at(0);
  return keys_of(e.map(access)).contains(possible_at(node, e.index(access), universe));
}

void NumberedGame::find_values() {
  held = std::make_unique<analysis::HeldValues>(game);
  for (std::size_t i = 0; i < game.variables().size(); ++i)
    variable_values.push_back(codes_of(held->ever(VarId(i)), shapes_[i].leaf));
}

// Conditions between constants disappear: true ones become empty steps, false ones are dropped with their step.
void NumberedGame::drop_decided_steps() {
  std::vector<Step> kept;
  for (Step& step : steps) {
    if (step.kind == Deed::compare) {
      if (const std::optional<bool> always = holds(step, {})) {
        if (!*always) continue;
        step.kind = Deed::nothing;
      } else if (const Truth holds = values->holds(step); holds != Truth::unknown) {
        if (holds == Truth::no) continue;
        step.kind = Deed::nothing;
      } else if (const auto universe = universe_of(step);
                 universe && shape(game.expressions().type(step.lhs)).scalar()) {
        const Bits left = possible(step.lhs, *universe);
        const Bits right = possible(step.rhs, *universe);
        if (!left.intersects(right)) {
          if (!step.negated) continue;
          step.kind = Deed::nothing;
        }
      }
    }
    if (step.kind == Deed::nothing && step.from == step.to) continue;
    kept.push_back(step);
  }
  steps = std::move(kept);
  index_steps();
}

void NumberedGame::index_steps() {
  for (auto* lists : {&out, &in}) {
    for (std::vector<std::uint32_t>& list : *lists) list.clear();
  }
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    steps[i].number = i;
    out[steps[i].from].push_back(i);
    in[steps[i].to].push_back(i);
  }
}

// What is known by node and cell also bounds what a variable can ever hold.
void NumberedGame::narrow_values() {
  if (!values->usable()) return;
  for (std::uint32_t v = 0; v < variable_values.size(); ++v) {
    if (const std::vector<std::uint64_t> ever = values->ever(VarId(v)); !ever.empty()) {
      Bits& values_of = variable_values[v];
      for (std::size_t w = 0; w < values_of.words(); ++w) values_of.word(w) &= w < ever.size() ? ever[w] : 0;
      std::vector<SymbolId> symbols;
      for (const std::size_t c : values_of) symbols.push_back(universes[shapes_[v].leaf].symbols[c]);
      held->narrow(VarId(v), std::move(symbols));
    }
  }
}

// Numbers from 1. A universe whose symbols are shown gets consecutive numbers where they are still free.
void NumberedGame::number_tags() {
  tags.assign(1, SymbolId());
  const auto number = [&](SymbolId symbol) {
    const auto [it, fresh] = tag_of.try_emplace(symbol.value, static_cast<std::uint32_t>(tags.size()));
    if (fresh) tags.push_back(symbol);
    return it->second;
  };
  for (const Step& step : steps) {
    if (step.kind != Deed::tag_variable) continue;
    Universe& universe = universes[shapes_[step.variable.value].leaf];
    if (!universe.tags.empty()) continue;
    for (const SymbolId symbol : universe.symbols) universe.tags.push_back(number(symbol));
  }
  for (const Step& step : steps) {
    if (step.kind == Deed::tag) number(step.symbol);
  }
}

std::string NumberedGame::label_text(const Step& step) const {
  constexpr std::size_t kLongest = 100;
  const auto shown = [&](ExprId e) { return ir::describe_expression(game, e, ir::Casts::hidden); };
  std::string text;
  switch (step.kind) {
    case Deed::compare:
      text = shown(step.lhs) + (step.negated ? " != " : " == ") + shown(step.rhs);
      break;
    case Deed::assign:
      text = shown(step.lhs) + " = " + shown(step.rhs);
      break;
    case Deed::assign_any:
      text = shown(step.lhs) + " = any of " + std::to_string(game.members(step.type).size());
      break;
    case Deed::check:
      text = (step.negated ? "! " : "? ") + node_names[checks[step.check].from] + " -> " +
             node_names[checks[step.check].to];
      break;
    case Deed::tag:
      text = "$ " + game.symbols.str(step.symbol);
      break;
    case Deed::tag_variable:
      text = "$$ " + game.symbols.str(game.variable(step.variable).name);
      break;
    default:
      break;
  }
  if (text.size() > kLongest) text.replace(kLongest, std::string::npos, "...");
  return text;
}

std::string NumberedGame::place(Range range) const {
  if (!range.known()) return {};
  const Sources::File* const file = game.sources()->file_of(range.begin);
  if (file == nullptr) return {};
  return fmt::format("{}:{}", std::filesystem::path(file->name).filename().string(),
                     game.sources()->position(range.begin).line);
}

}  // namespace rgtrans::cpp
