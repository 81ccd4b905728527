// Expressions, conditions and the words of loop masks as C++ text.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {
constexpr std::uint64_t kMostComposed = 8192;      // cells of a table made from several lookups
constexpr std::uint64_t kMostFilterWords = 32768;  // 64-bit words of a filter table

// Distinct variables read, the number of lookups, and whether a map of the state is among them.
struct Reads {
  std::vector<VarId> scalars;
  unsigned lookups = 0;
  bool maps = false;
};

void collect(const Model& model, ExprId expression, Reads& reads) {
  const auto& e = model.game.expressions();
  ir::visit_parts(e, expression, [&](ExprId part) {
    if (e.kind(part) == ExprKind::access) ++reads.lookups;
    return true;
  });
  model.for_each_read(expression, [&](VarId v) {
    if (!model.scalar(v))
      reads.maps = true;
    else if (std::find(reads.scalars.begin(), reads.scalars.end(), v) == reads.scalars.end())
      reads.scalars.push_back(v);
  });
}

}  // namespace

// A name that no variable of the game and no other local of this function has.
std::string Writer::fresh(std::string_view base) {
  for (;;) {
    const unsigned n = ++locals_[std::string(base)];
    std::string name = n == 1 ? std::string(base) : fmt::format("{}_{}", base, n);
    if (!shared_.is_variable(name)) return name;
  }
}

std::string Writer::variable(VarId v) {
  const std::string& known = env_[v.value];
  if (straight_ && known == scratch_name(v.value)) straight_scratch_.insert(v.value);
  if (!known.empty()) return known;
  if (straight_) return "s." + model_.identifiers[v.value];
  cached_.insert(v.value);
  return model_.identifiers[v.value];
}

std::string Writer::value(ExprId expression, std::uint32_t universe) {
  const auto& e = model_.game.expressions();
  const Folded folded = model_.fold(expression);
  if (folded.symbol.valid()) return shared_.symbol_text(universe, folded.symbol);
  if (folded.map.valid()) {
    const Shape shape = model_.shape(e.type(expression));
    const ExprId root = e.root(expression);
    const SymbolId name = e.kind(root) == ExprKind::constant ? model_.game.constant(e.constant(root)).name
                                                             : model_.game.variable(e.variable(root)).name;
    return shared_.map_table(folded.map, shape, model_.game.symbols.text(name));
  }
  if (e.kind(expression) == ExprKind::variable) {
    const VarId v = e.variable(expression);
    return model_.scalar(v) ? variable(v) : "s." + model_.identifiers[v.value];
  }
  if (std::string table = composed(expression, universe); !table.empty()) return table;
  const Shape map = model_.shape(e.type(e.map(expression)));
  return fmt::format("{}[{}]", value(e.map(expression), map.leaf), value(e.index(expression), map.keys.at(0)));
}

// Several lookups that depend on one or two variables become one table.
std::string Writer::composed(ExprId expression, std::uint32_t universe) {
  Reads reads;
  collect(model_, expression, reads);
  if (reads.maps || reads.scalars.empty() || reads.scalars.size() > 2) return {};
  if (reads.lookups < reads.scalars.size() + 1) return {};
  const auto& e = model_.game.expressions();
  if (!model_.shape(e.type(expression)).scalar()) return {};
  std::vector<std::size_t> dimensions;
  std::uint64_t cells = 1;
  std::vector<ExprId> keys;
  std::string name = "composed";
  std::string index;
  for (const VarId v : reads.scalars) {
    dimensions.push_back(model_.universes[model_.variable_shape(v).leaf].size());
    cells *= dimensions.back();
    keys.push_back(model_.game.variable_ref(v));
    index += fmt::format("[{}]", variable(v));
  }
  if (cells > kMostComposed) return {};
  std::vector<std::uint64_t> numbers;
  Bindings bindings(keys.size());
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    std::uint64_t rest = cell;
    for (std::size_t k = keys.size(); k-- > 0;) {
      const Universe& u = model_.universes[model_.variable_shape(reads.scalars[k]).leaf];
      bindings[k] = {keys[k], u.symbols[rest % u.size()]};
      rest /= u.size();
    }
    const Folded result = model_.fold(expression, bindings);
    if (!result.symbol.valid() || !model_.has(universe, result.symbol)) return {};
    numbers.push_back(model_.code(universe, result.symbol));
  }
  return shared_.number_table(numbers, dimensions, shared_.cell_type(universe), name) + index;
}

std::string Writer::place(ExprId lhs) {
  const auto& e = model_.game.expressions();
  if (e.kind(lhs) == ExprKind::variable) return "s." + model_.identifiers[e.variable(lhs).value];
  const Shape map = model_.shape(e.type(e.map(lhs)));
  return fmt::format("{}[{}]", place(e.map(lhs)), value(e.index(lhs), map.keys.at(0)));
}

std::string Writer::region_size(ExprId expression) const {
  const Shape shape = model_.shape(model_.game.expressions().type(expression));
  std::uint64_t bytes = shared_.cell_type(shape.leaf) == "std::uint8_t" ? 1 : 2;
  for (const std::uint32_t key : shape.keys) bytes *= model_.universes[key].size();
  return fmt::format("{}", bytes);
}

std::string Writer::check_call(std::uint32_t index) {
  const Context& check = analysis_.checks[index];
  if (check.always) return "true";
  const std::uint32_t entry = check.entries[0];
  if (!check.contains(entry)) return "false";
  std::string text = shared_.node_function(check, entry) + "(s, c";
  if (check.at(entry).reaches_test) text += ", c.next_epoch()";
  const std::vector<VarId> handed = analysis_.parameters(check, entry);
  for (const VarId v : handed) text += ", " + variable(v);
  text += ")";
  // What the check reads in the state while this exploration has another value.
  const BitSet& live = check.at(entry).live;
  for (std::size_t v = live.find_first(); v != BitSet::npos; v = live.find_next(v)) {
    if (!model_.scalar(VarId(v)) || env_[v].empty() || std::ranges::find(handed, VarId(v)) != handed.end()) continue;
    text = fmt::format("with_value(s.{}, {}, [&] {{ return {}; }})", model_.identifiers[v], env_[v], text);
  }
  return text;
}

std::string Writer::compare_maps(const Step& step) {
  const auto& e = model_.game.expressions();
  const TypeId type = e.type(e.kind(e.root(step.lhs)) == ExprKind::variable ? step.lhs : step.rhs);
  const Shape shape = model_.shape(type);
  const std::string a = value(step.lhs, shape.leaf);
  const std::string b = value(step.rhs, shape.leaf);
  // Only keys of the declared types count.
  std::string test;
  std::string index;
  TypeId at = model_.game.resolve(type);
  for (std::size_t depth = 0; depth < shape.keys.size(); ++depth) {
    std::vector<std::uint64_t> keys;
    for (const std::uint32_t c : model_.member_codes(model_.game.types.from(at))) keys.push_back(c);
    const std::string list = shared_.number_table(keys, {keys.size()}, "std::uint16_t", "keys");
    test += fmt::format("for (const unsigned k{} : {}) ", depth, list);
    index += fmt::format("[k{}]", depth);
    at = model_.game.resolve(model_.game.types.to(at));
  }
  return fmt::format("{}[&] {{ {}if ({}{} != {}{}) return false; return true; }}()", step.negated ? "!" : "", test, a,
                     index, b, index);
}

std::string Writer::condition(const Step& step) {
  if (step.kind == StepKind::check) return (step.negated ? "!" : "") + check_call(step.check);
  const auto& e = model_.game.expressions();
  const ExprId typed = e.kind(step.lhs) == ExprKind::symbol ? step.rhs : step.lhs;
  if (!model_.shape(e.type(typed)).scalar()) return compare_maps(step);
  const std::uint32_t universe = model_.shape(e.type(typed)).leaf;
  return fmt::format("{} {} {}", value(step.lhs, universe), step.negated ? "!=" : "==", value(step.rhs, universe));
}

std::string Writer::set_condition(ExprId lhs, const std::vector<std::uint32_t>& codes, std::uint32_t universe) {
  const std::string text = value(lhs, universe);
  if (codes.size() == 1) return fmt::format("{} == {}", text, shared_.enumerator(universe, codes[0]));
  const std::uint32_t size = model_.universes[universe].size();
  if (size <= 64) {
    std::uint64_t bits = 0;
    for (const std::uint32_t c : codes) bits |= std::uint64_t{1} << c;
    return fmt::format("(0x{:x}u >> {} & 1u) != 0", bits, text);
  }
  std::vector<std::uint64_t> member(size, 0);
  for (const std::uint32_t c : codes) member[c] = 1;
  return fmt::format("{}[{}] != 0", shared_.number_table(member, {size}, "std::uint8_t", "set"), text);
}

std::string Writer::encode(std::uint32_t universe, std::string_view code) {
  const Universe& u = model_.universes[universe];
  bool consecutive = true;
  for (std::uint32_t i = 0; i < u.size(); ++i) consecutive &= u.tags[i] == u.tags[0] + i;
  if (consecutive) return fmt::format("{} + {}u", code, u.tags[0]);
  std::vector<std::uint64_t> numbers(u.tags.begin(), u.tags.end());
  return fmt::format("{}[{}]", shared_.number_table(numbers, {numbers.size()}, "std::uint16_t", "tag_of_" + u.name),
                     code);
}

std::string Writer::decode(std::uint32_t universe, std::string_view tag) {
  const Universe& u = model_.universes[universe];
  bool consecutive = true;
  for (std::uint32_t i = 0; i < u.size(); ++i) consecutive &= u.tags[i] == u.tags[0] + i;
  if (consecutive) return fmt::format("{} - {}u", tag, u.tags[0]);
  std::vector<std::uint64_t> numbers(model_.tags.size(), 0);
  for (std::uint32_t i = 0; i < u.size(); ++i) numbers[u.tags[i]] = i;
  return fmt::format("{}[{}]", shared_.number_table(numbers, {numbers.size()}, "std::uint16_t", "shown_" + u.name),
                     tag);
}

// --- Filters of loops over all members of a type -------------------------------------------------------------------

// Conditions behind `variable = T(*)` that can be decided for 64 values at once. `node` becomes the node where looking
// for them ended.
std::vector<Writer::Filter> Writer::find_filters(VarId variable, std::uint32_t& node, std::set<std::uint32_t>& way) {
  constexpr int kLookahead = 12;
  std::vector<Filter> filters;
  for (int i = 0; i < kLookahead; ++i) {
    if (context_.is_goal(node) || own_function(node)) break;
    const std::vector<std::uint32_t>& out = context_.at(node).out;
    if (out.empty()) break;
    const Step& first = model_.steps[out[0]];
    bool one_target = true;
    bool compares = true;
    for (const std::uint32_t s : out) {
      one_target &= model_.steps[s].to == first.to;
      compares &= model_.steps[s].kind == StepKind::compare;
    }
    if (!one_target || first.ends_move) break;
    if (compares) {
      if (std::string word = filter_word(variable, out); !word.empty()) filters.push_back({std::move(word), out});
    } else if (out.size() != 1 || is_assignment(first)) {
      break;
    }
    node = first.to;
    way.insert(node);
  }
  return filters;
}

std::string Writer::filter_word(VarId variable, const std::vector<std::uint32_t>& steps) {
  const auto compares = [&](std::uint32_t s) { return model_.steps[s].kind == StepKind::compare; };
  if (!std::all_of(steps.begin(), steps.end(), compares)) return {};
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  // board[x] == anything that does not depend on x
  if (steps.size() == 1) {
    const Step& step = model_.steps[steps[0]];
    for (const auto& [l, r] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
      if (e.kind(l) != ExprKind::access || e.index(l) != x || model_.reads(r, variable)) continue;
      if (e.kind(e.map(l)) != ExprKind::variable) continue;
      const VarId board = e.variable(e.map(l));
      const Shape& shape = model_.variable_shape(board);
      if (!model_.assigned[board.value] || shape.keys.size() != 1 || shared_.padded_size(board) % 16 != 0) continue;
      if (shared_.cell_type(shape.leaf) != "std::uint8_t") continue;
      return fmt::format("{}equal_cells(s.{}, {}, $word)", step.negated ? "~" : "", model_.identifiers[board.value],
                         value(r, shape.leaf));
    }
  }
  if (std::string word = constant_filter(variable, steps); !word.empty()) return word;
  return cell_filter(variable, steps);
}

// A function of x and at most one other variable: a table of bit sets.
std::string Writer::constant_filter(VarId variable, const std::vector<std::uint32_t>& steps) {
  Reads reads;
  for (const std::uint32_t s : steps) {
    collect(model_, model_.steps[s].lhs, reads);
    collect(model_, model_.steps[s].rhs, reads);
  }
  const auto it = std::find(reads.scalars.begin(), reads.scalars.end(), variable);
  if (reads.maps || it == reads.scalars.end() || reads.scalars.size() > 2) return {};
  reads.scalars.erase(it);
  const Universe& u = model_.universes[model_.variable_shape(variable).leaf];
  const std::size_t words = (u.size() + 63) / 64;
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  if (words * others.size() > kMostFilterWords) return {};
  std::vector<std::uint64_t> bits;
  Bindings bindings = {{model_.game.variable_ref(variable), SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    std::vector<std::uint64_t> row(words, 0);
    for (std::uint32_t c = 0; c < u.size(); ++c) {
      bindings[0].second = u.symbols[c];
      for (const std::uint32_t s : steps) {
        const Folded a = model_.fold(model_.steps[s].lhs, bindings);
        const Folded b = model_.fold(model_.steps[s].rhs, bindings);
        if (!a.symbol.valid() || !b.symbol.valid()) return {};
        if ((a.symbol == b.symbol) != model_.steps[s].negated) row[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
    bits.insert(bits.end(), row.begin(), row.end());
  }
  std::string index;
  std::vector<std::size_t> dimensions;
  if (!reads.scalars.empty()) {
    index = fmt::format("[{}]", this->variable(reads.scalars[0]));
    dimensions.push_back(others.size());
  }
  dimensions.push_back(words);
  return shared_.number_table(bits, dimensions, "std::uint64_t", "where") + index + "[$word]";
}

// A function of board[x] and at most one other variable, with few kinds of cells: one byte shuffle.
std::string Writer::cell_filter(VarId variable, const std::vector<std::uint32_t>& steps) {
  constexpr std::uint32_t kLanes = 16;
  const auto& e = model_.game.expressions();
  const ExprId x = model_.game.variable_ref(variable);
  ExprId cell;
  Reads reads;
  bool bad = false;
  for (const std::uint32_t s : steps) {
    for (const ExprId side : {model_.steps[s].lhs, model_.steps[s].rhs}) {
      model_.for_each_atom(side, [&](ExprId atom) {
        if (e.kind(atom) == ExprKind::variable || e.index(atom) != x) return collect(model_, atom, reads);
        bad = bad || (cell.valid() && cell != atom);
        cell = atom;
      });
    }
  }
  if (bad || !cell.valid() || reads.maps || reads.scalars.size() > 1) return {};
  if (!reads.scalars.empty() && reads.scalars[0] == variable) return {};
  const VarId board = e.variable(e.map(cell));
  const Shape& shape = model_.variable_shape(board);
  if (shape.keys.size() != 1 || shared_.padded_size(board) % 16 != 0) return {};
  const Universe& kinds = model_.universes[shape.leaf];
  if (kinds.size() > kLanes) return {};
  static const std::vector<SymbolId> kOne(1);
  const std::vector<SymbolId>& others =
      reads.scalars.empty() ? kOne : model_.universes[model_.variable_shape(reads.scalars[0]).leaf].symbols;
  std::vector<std::uint64_t> lanes;
  Bindings bindings = {{cell, SymbolId()}};
  if (!reads.scalars.empty()) bindings.emplace_back(model_.game.variable_ref(reads.scalars[0]), SymbolId());
  for (const SymbolId other : others) {
    if (bindings.size() > 1) bindings[1].second = other;
    for (std::uint32_t k = 0; k < kLanes; ++k) {
      std::uint64_t lane = 0;
      if (k < kinds.size()) {
        bindings[0].second = kinds.symbols[k];
        for (const std::uint32_t s : steps) {
          const Folded a = model_.fold(model_.steps[s].lhs, bindings);
          const Folded b = model_.fold(model_.steps[s].rhs, bindings);
          if (!a.symbol.valid() || !b.symbol.valid()) return {};
          if ((a.symbol == b.symbol) != model_.steps[s].negated) lane = 255;
        }
      }
      lanes.push_back(lane);
    }
  }
  std::vector<std::size_t> dimensions = {kLanes};
  std::string index;
  if (!reads.scalars.empty()) {
    dimensions.insert(dimensions.begin(), others.size());
    index = fmt::format("[{}]", this->variable(reads.scalars[0]));
  }
  return fmt::format("match_cells(s.{}, {}{}, $word)", model_.identifiers[board.value],
                     shared_.number_table(lanes, dimensions, "std::uint8_t", "kinds"), index);
}

}  // namespace rgtrans::cpp
