// See expressions.hpp.
#include "backends/cpp/expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

bool have_equal_keys(const NumberedGame& model, TypeId a, TypeId b) {
  const ir::Types& types = model.game.types;
  a = model.game.resolve(a);
  b = model.game.resolve(b);
  if (a == b || !model.game.is_arrow(a)) return true;
  return model.member_codes(types.from(a)) == model.member_codes(types.from(b)) &&
         have_equal_keys(model, types.to(a), types.to(b));
}

// The symbol that each key outside of the map's type gives, if they all give the same.
SymbolId only_default(const ir::Values& values, ir::ValueId map) {
  const ir::ValueId rest = values.default_of(map);
  if (values.is_symbol(rest)) return values.as_symbol(rest);
  const SymbolId found = only_default(values, rest);
  ir::ValueId row = rest;
  for (; !values.is_symbol(row); row = values.default_of(row)) {
    if (!values.exceptions(row).empty()) return {};
  }
  const bool same = std::ranges::all_of(values.exceptions(map),
                                        [&](const auto& entry) { return only_default(values, entry.value) == found; });
  return same ? found : SymbolId();
}

// Whether every map that is copied to or from another with such keys and contents has the same default, and keeps it.
bool copied_maps_share_default(const NumberedGame& model, const ArrayShape& shape) {
  const auto& e = model.game.expressions();
  std::set<SymbolId> defaults;
  for (const Step& step : model.steps) {
    if (step.kind != Deed::assign) continue;
    const ArrayShape copied = model.shape(e.type(step.lhs));
    if (copied.scalar() || copied.keys[0] != shape.keys[0] || copied.leaf != shape.leaf) continue;
    for (const ExprId side : {step.lhs, step.rhs}) {
      const ExprId root = e.root(side);
      defaults.insert(only_default(model.game.values, e.kind(root) == ExprKind::constant
                                                          ? model.game.constant(e.constant(root)).value
                                                          : model.game.variable(e.variable(root)).initial));
    }
  }
  return defaults.size() == 1 && defaults.begin()->valid();
}

}  // namespace

std::string ExpressionWriter::fresh(std::string_view base) {
  for (;;) {
    const unsigned n = ++scope_.locals[std::string(base)];
    std::string name = n == 1 ? std::string(base) : fmt::format("{}_{}", base, n);
    if (!shared_.is_variable(name)) return name;
  }
}

std::string ExpressionWriter::variable(VarId v) {
  const std::string& known = scope_.env[v.value].text;
  if (scope_.straight && known == scratch_name(v.value)) scope_.scratch.insert(v.value);
  if (!known.empty()) return known;
  if (scope_.straight) return "s." + model_.identifiers[v.value];
  scope_.cached.insert(v.value);
  return model_.identifiers[v.value];
}

std::string ExpressionWriter::scratch_name(std::uint32_t v) const {
  return scope_.own_variables ? model_.identifiers[v] : "w." + model_.identifiers[v];
}

std::string ExpressionWriter::value(ExprId expression, std::uint32_t universe) {
  const auto& e = model_.game.expressions();
  const Folded folded = model_.fold(expression);
  if (folded.symbol.valid()) return shared_.symbol_text(universe, folded.symbol);
  if (folded.map.valid())
    return shared_.map_table(folded.map, model_.shape(e.type(expression)), name_of_root(expression));
  if (e.kind(expression) == ExprKind::variable) {
    const VarId v = e.variable(expression);
    return model_.scalar(v) ? variable(v) : "s." + model_.identifiers[v.value];
  }
  if (std::string table = composed(expression, universe); !table.empty()) return table;
  if (std::string table = from_blocks(expression); !table.empty()) return table;
  const ArrayShape map = model_.shape(e.type(e.map(expression)));
  return fmt::format("{}[{}]", value(e.map(expression), map.leaf), value(e.index(expression), map.keys.at(0)));
}

WordCode ExpressionWriter::equal_cells(ExprId row, const std::string& value, std::size_t words) {
  if (const std::string planes = planes_of_row(row, words); !planes.empty())
    return {fmt::format("word_holding({}, {}, ", planes, value), ")"};
  const unsigned bits = bits_of_row(row);
  return {fmt::format("equal_cells{}({}, {}, ", bits > 0 ? fmt::format("<{}>", bits) : "",
                      this->value(row, model_.universe_of(row).value()), value),
          ")"};
}

std::string ExpressionWriter::cells_equal(ExprId row, const std::string& value, std::size_t words) {
  if (const std::string planes = planes_of_row(row, words); !planes.empty())
    return fmt::format("cells_holding<{}>({}, {})", words, planes, value);
  const unsigned bits = bits_of_row(row);
  return fmt::format("cells_equal<{}{}>({}, {})", words, bits > 0 ? fmt::format(", {}", bits) : "",
                     this->value(row, model_.universe_of(row).value()), value);
}

std::string ExpressionWriter::planes_of_row(ExprId row, std::size_t words) const {
  if (model_.game.expressions().kind(row) != ExprKind::variable) return {};
  const VarId map = model_.game.expressions().variable(row);
  return words <= shared_.planes[map.value].words ? shared_.planes_name(map) : "";
}

std::string ExpressionWriter::write_cell(VarId map, const std::string& place, const std::string& value) const {
  if (!shared_.planes[map.value])
    return fmt::format("{} = static_cast<{}>({});", place, shared_.cell_type(model_.variable_shape(map).leaf), value);
  return fmt::format("write_cell({}, s.{}, {}, {});", shared_.planes_name(map), model_.identifiers[map.value], place,
                     value);
}

// A row of a map of two dimensions begins anywhere.
unsigned ExpressionWriter::bits_of_row(ExprId row) const {
  return model_.game.expressions().kind(row) == ExprKind::variable ? shared_.cell_bits(*model_.universe_of(row)) : 0;
}

std::string_view ExpressionWriter::name_of_root(ExprId expression) const {
  const auto& e = model_.game.expressions();
  const ExprId root = e.root(expression);
  return model_.game.symbols.text(e.kind(root) == ExprKind::constant ? model_.game.constant(e.constant(root)).name
                                                                     : model_.game.variable(e.variable(root)).name);
}

// A lookup in a large constant map that is stored in two tables.
std::string ExpressionWriter::from_blocks(ExprId expression) {
  const auto& e = model_.game.expressions();
  if (!model_.shape(e.type(expression)).scalar()) return {};
  std::vector<ExprId> indices;
  ExprId map = expression;
  ir::ValueId constant;
  for (; !constant.valid() && e.kind(map) == ExprKind::access; constant = model_.fold(map).map) {
    indices.push_back(e.index(map));
    map = e.map(map);
  }
  if (!constant.valid()) return {};
  std::ranges::reverse(indices);
  const ArrayShape shape = model_.shape(e.type(map));
  const Shared::Blocks& found = shared_.map_blocks(constant, shape, name_of_root(map));
  if (found.depth == 0) return {};
  std::string index = found.index;
  std::string rest;
  for (std::size_t i = 0; i < indices.size(); ++i)
    (i < found.depth ? index : rest) += fmt::format("[{}]", value(indices[i], shape.keys[i]));
  return fmt::format("{}[{}]{}", found.blocks, index, rest);
}

// Several lookups that depend on one or two variables become one table.
std::string ExpressionWriter::composed(ExprId expression, std::uint32_t universe) {
  Reads reads;
  reads.add(model_, expression);
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
    dimensions.push_back(model_.universe(v).size());
    cells *= dimensions.back();
    keys.push_back(model_.game.variable_ref(v));
    index += fmt::format("[{}]", variable(v));
  }
  if (cells > kSizes.composed_table) return {};
  std::vector<std::uint64_t> numbers;
  Bindings bindings(keys.size());
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    std::uint64_t rest = cell;
    for (std::size_t k = keys.size(); k-- > 0;) {
      const Universe& u = model_.universe(reads.scalars[k]);
      bindings[k] = {keys[k], u.symbols[rest % u.size()]};
      rest /= u.size();
    }
    const Folded result = model_.fold(expression, bindings);
    if (!result.symbol.valid() || !model_.has(universe, result.symbol)) return {};
    numbers.push_back(model_.code(universe, result.symbol));
  }
  return shared_.number_table(numbers, dimensions, shared_.cell_type(universe), name) + index;
}

std::string ExpressionWriter::place(ExprId lhs) {
  const auto& e = model_.game.expressions();
  if (e.kind(lhs) == ExprKind::variable) return "s." + model_.identifiers[e.variable(lhs).value];
  const ArrayShape map = model_.shape(e.type(e.map(lhs)));
  return fmt::format("{}[{}]", place(e.map(lhs)), value(e.index(lhs), map.keys.at(0)));
}

std::string ExpressionWriter::hits(const Step& step) {
  const auto& e = model_.game.expressions();
  std::string text;
  for (ExprId lhs = step.lhs; e.kind(lhs) == ExprKind::access; lhs = e.map(lhs)) {
    if (model_.has_key(step.from, lhs)) continue;
    const std::uint32_t universe = model_.shape(e.type(e.map(lhs))).keys.at(0);
    text += (text.empty() ? "" : " && ") + member(model_.keys_of(e.map(lhs)), value(e.index(lhs), universe));
  }
  return text;
}

std::string ExpressionWriter::written(const Step& step, const std::string& place, const std::string& value) {
  const std::string hit = hits(step);
  return hit.empty() ? value : fmt::format("{} ? ({}) : {}", hit, value, place);
}

std::string ExpressionWriter::region_size(ExprId expression) const {
  const ArrayShape shape = model_.shape(model_.game.expressions().type(expression));
  std::uint64_t bytes = shared_.cell_type(shape.leaf) == "std::uint8_t" ? 1 : 2;
  for (const std::uint32_t size : shape.sizes) bytes *= size;
  return fmt::format("{}", bytes);
}

Code ExpressionWriter::check_call(std::uint32_t index) {
  const CodeContext& check = facts_.checks[index];
  if (check.always) return "true";
  const std::uint32_t entry = check.entries[0];
  if (!check.contains(entry)) return "false";
  shared_.called_checks.insert(index);
  const auto value_of = [&](const Parameter& parameter) -> std::string {
    if (parameter.role == Parameter::Role::epoch) return kNextEpoch;
    return parameter.role == Parameter::Role::value ? variable(parameter.variable) : parameter.name;
  };
  Code call = shared_.functions.call(shared_.node_function(check, entry), check.at(entry).reaches_test) + "(" +
              print_arguments(shared_.node_parameters(check, entry), value_of) + ")";
  const std::vector<VarId> handed = facts_.parameters(check, entry);
  // What the check reads in the state while this exploration has another value.
  const Bits& live = check.live_at(entry);
  for (const std::size_t v : live) {
    if (!model_.scalar(VarId(v)) || scope_.env[v].empty() || std::ranges::find(handed, VarId(v)) != handed.end())
      continue;
    call =
        fmt::format("with_value(s.{}, {}, [&] {{ return ", model_.identifiers[v], scope_.env[v].text) + call + "; })";
  }
  return call;
}

// Loops over the keys of maps of these types; the index of a cell is added.
std::string ExpressionWriter::loop_over_keys(std::vector<TypeId> maps, std::string& index) {
  const ir::Types& types = model_.game.types;
  std::string loops;
  for (std::size_t depth = 0; model_.game.is_arrow(maps[0]); ++depth) {
    std::set<std::uint64_t> keys;
    for (TypeId& map : maps) {
      map = model_.game.resolve(map);
      for (const std::uint32_t c : model_.member_codes(types.from(map))) keys.insert(c);
      map = types.to(map);
    }
    const std::string list = shared_.number_list(keys, "std::uint16_t", "keys");
    loops += fmt::format("for (const unsigned k{} : {}) ", depth, list);
    index += fmt::format("[k{}]", depth);
  }
  return loops;
}

std::string ExpressionWriter::compare_maps(const Step& step) {
  const auto& e = model_.game.expressions();
  const std::uint32_t leaf = model_.shape(e.type(step.lhs)).leaf;
  const std::string a = value(step.lhs, leaf);
  const std::string b = value(step.rhs, leaf);
  // Only keys of the declared types count.
  std::string index;
  const std::string loops = loop_over_keys({e.type(step.lhs), e.type(step.rhs)}, index);
  return fmt::format("{}[&] {{ {}if ({}{} != {}{}) return false; return true; }}()", step.negated ? "!" : "", loops, a,
                     index, b, index);
}

std::string ExpressionWriter::copy_map(const Step& step, std::string_view target, std::string_view source) {
  const auto& e = model_.game.expressions();
  const TypeId to = e.type(step.lhs);
  std::string hit = hits(step);
  if (!hit.empty()) hit = fmt::format("if ({}) ", hit);
  if (have_equal_keys(model_, to, e.type(step.rhs)))
    return fmt::format("{}copy_map(&{}, &{}, {});", hit, target, source, region_size(step.lhs));
  // A read of a key that the type lacks gives the default, before and after.
  if (!copied_maps_share_default(model_, model_.shape(to)))
    throw Error(fmt::format("compiled engines cannot copy to {}, because the maps have different keys and defaults",
                            name_of_root(step.lhs)));
  // Both maps may be found by cells that change.
  std::string index;
  const std::string loops = loop_over_keys({to}, index);
  return fmt::format("{}[&](auto& to, const auto& from) {{ {}to{} = from{}; }}({}, {});", hit, loops, index, index,
                     target, source);
}

Code ExpressionWriter::condition(const Step& step) {
  if (step.kind == Deed::check) return Code(step.negated ? "!" : "") + check_call(step.check);
  const auto& e = model_.game.expressions();
  const ExprId typed = e.kind(step.lhs) == ExprKind::symbol ? step.rhs : step.lhs;
  if (!model_.shape(e.type(typed)).scalar()) return compare_maps(step);
  const std::uint32_t universe = model_.shape(e.type(typed)).leaf;
  return fmt::format("{} {} {}", value(step.lhs, universe), step.negated ? "!=" : "==", value(step.rhs, universe));
}

std::string ExpressionWriter::hold(const std::vector<AssumedCell>& assumed) {
  std::string tests;
  for (const auto& [row, cell, holds] : assumed) {
    const std::uint32_t leaf = leaf_of(row);
    const std::uint32_t keys = model_.variable_shape(root_of(row)).keys.back();
    tests += fmt::format("{}{}[{}] == {}", tests.empty() ? "" : " && ", value(row, leaf),
                         shared_.enumerator(keys, cell), shared_.symbol_text(leaf, holds));
  }
  return tests;
}

std::string ExpressionWriter::member(const Bits& set, const std::string& x) {
  if (set.count() == 1) return fmt::format("{} == {}u", x, *set.first());
  const std::vector<std::uint64_t> words = set.to_words();
  if (words.size() > 1) return bit_of_words(shared_.number_list(words, "std::uint64_t", "set"), x);
  return fmt::format("(0x{:x}ull >> {} & 1u) != 0", words[0], x);
}

std::string ExpressionWriter::encode(std::uint32_t universe, std::string_view code) {
  const Universe& u = model_.universes[universe];
  bool consecutive = true;
  for (std::uint32_t i = 0; i < u.size(); ++i) consecutive &= u.tags[i] == u.tags[0] + i;
  if (consecutive) return fmt::format("{} + {}u", code, u.tags[0]);
  return fmt::format("{}[{}]", shared_.number_list(u.tags, "std::uint16_t", "tag_of_" + u.name), code);
}

std::string ExpressionWriter::decode(std::uint32_t universe, std::string_view tag) {
  const Universe& u = model_.universes[universe];
  bool consecutive = true;
  for (std::uint32_t i = 0; i < u.size(); ++i) consecutive &= u.tags[i] == u.tags[0] + i;
  if (consecutive) return fmt::format("{} - {}u", tag, u.tags[0]);
  std::vector<std::uint64_t> numbers(model_.tags.size(), 0);
  for (std::uint32_t i = 0; i < u.size(); ++i) numbers[u.tags[i]] = i;
  return fmt::format("{}[{}]", shared_.number_list(numbers, "std::uint16_t", "shown_" + u.name), tag);
}

}  // namespace rgtrans::cpp
