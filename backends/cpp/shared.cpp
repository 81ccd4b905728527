// Text with indentation, tables of constants, names of functions.
#include "backends/cpp/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <sstream>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/equal_checks.hpp"
#include "core/support/letters.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::cpp {

namespace {}  // namespace

std::string in_comment(std::string_view text) {
  std::string result;
  for (const char c : text) result += (c >= 0x20 && c != 0x7f && c != '\\') ? c : '_';
  return result;
}

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      result += fmt::format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

namespace {
// Constants of every reasoner: tables of the game are not called so.
constexpr std::string_view kConstants =
    "AsksTargets Candidates Deepest Draws DrawsSets Duplicates EndNode EnvPlaces EnvUniverseCount "
    "EnvUniverses EnvVariableCount EnvVariables GameName Guesses HasRandom Keeper Kept KnownSlots "
    "LeastMajor MostTags NoMove None NothingMore NothingShown Outcomes PieceWords PlayerCodes PlayerNames "
    "PlayerNumbers Players Random Remembers ScoreNames Scores ScoresAreNumbers ScoreValues Sorts Stack "
    "StateWords TagBits TagCount TagNames Threads Together Waits";
}  // namespace

MoveLayout::MoveLayout(std::size_t tags, std::uint32_t most, bool as_numbers) {
  bits = std::max(static_cast<std::uint32_t>(std::bit_width(tags - 1)), 1U);
  capacity = std::max(most, 1U);
  packed = as_numbers && bits * capacity <= 128;
  wide = packed && bits * capacity > 64;
  if (!packed && most >= kManyTags) capacity = kSizes.move_tags;
}

Shared::Shared(NumberedGame& m, GameFacts& a, Techniques techniques, bool for_device)
    : CodeForm{techniques, for_device},
      model(m),
      facts(a),
      function_head(for_device ? "REASONER_DEVICE " : ""),
      table_head(for_device ? "REASONER_TABLE" : "inline constexpr"),
      functions(function_head) {
  variable_names_.insert(model.identifiers.begin(), model.identifiers.end());
  std::istringstream constants{std::string(kConstants)};
  for (std::string name; constants >> name;) names_.make("k" + name);
  std::uint32_t number = 0;
  for (const std::uint32_t node : facts.entries) entry_numbers_.emplace(node, number++);
  entry_numbers_.try_emplace(model.game.end().value, number);
  layout = MoveLayout(model.tags.size(), facts.max_tags, techniques.use(Technique::numbers));
  planes =
      for_device ? std::vector<BitPlanes>(model.game.variables().size()) : choose_bit_planes(model, facts, techniques);
  // Moves that are no number are listed as quickly as their walks are kept.
  if (for_device || !layout.packed || !techniques.use(Technique::waiting)) facts.walk_on();
}

void Shared::define(FunctionId id, Text body) {
  // A compiler's time and memory grow faster than a function.
  functions.at(id).body = std::move(body);
  functions.define(id);
  const std::size_t size = functions.definition(id).size();
  code_size_ += size;
  if (size > kSizes.function || code_size_ > limits::cpp_code) throw TooMuchCode();
}

void Shared::join_checks() {
  bool joined = false;
  while (join_equal_checks(functions)) joined = true;
  if (!joined) return;
  code_size_ = 0;
  for (const FunctionId id : functions.defined()) code_size_ += functions.definition(id).size();
}

std::string Shared::cell_type(std::uint32_t universe) const {
  return model.universes[universe].size() <= 256 ? "std::uint8_t" : "std::uint16_t";
}

std::string Shared::planes_name(VarId map) const {
  return planes[map.value] ? "s.planes." + model.identifiers[map.value] : "";
}

unsigned Shared::cell_bits(std::uint32_t universe) const {
  return for_device ? std::max<unsigned>(std::bit_width(model.universes[universe].size() - 1), 1) : 0;
}

std::string Shared::enumerator(std::uint32_t universe, std::uint32_t code) {
  const Universe& u = model.universes[universe];
  if (u.size() > kSizes.enumerators) {
    return fmt::format("{}u /* {} */", code, in_comment(model.game.symbols.text(u.symbols[code])));
  }
  used_universes_.insert(universe);
  return u.name + "::" + u.enumerators[code];
}

std::string Shared::symbol_text(std::uint32_t universe, SymbolId symbol) {
  return enumerator(universe, model.code(universe, symbol));
}

namespace {
std::vector<std::size_t> numbers_of(ValueId value, const ArrayShape& shape) {
  std::vector<std::size_t> result = {value.value, shape.leaf};
  result.insert(result.end(), shape.keys.begin(), shape.keys.end());
  result.insert(result.end(), shape.sizes.begin(), shape.sizes.end());
  return result;
}

// Cells in blocks: which one each is, and the cells of those that differ.
struct Divided {
  std::vector<std::uint64_t> numbers, cells;
  std::size_t blocks = 0;
  [[nodiscard]] std::size_t count() const { return numbers.size() + cells.size(); }
};
Divided divided(std::span<const std::uint64_t> cells, std::size_t size) {
  const auto before = [](std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    return std::ranges::lexicographical_compare(a, b);
  };
  std::map<std::span<const std::uint64_t>, std::uint64_t, decltype(before)> number_of(before);
  Divided result;
  for (; !cells.empty(); cells = cells.subspan(size)) {
    const auto block = cells.first(size);
    const auto [it, fresh] = number_of.try_emplace(block, number_of.size());
    if (fresh) result.cells.insert(result.cells.end(), block.begin(), block.end());
    result.numbers.push_back(it->second);
  }
  result.blocks = number_of.size();
  return result;
}
}  // namespace

void Shared::flatten(ValueId value, const ArrayShape& shape, std::size_t depth,
                     std::vector<std::uint64_t>& into) const {
  if (depth == shape.keys.size()) {
    into.push_back(model.code(shape.leaf, model.game.values.as_symbol(value)));
    return;
  }
  const std::vector<SymbolId>& symbols = model.universes[shape.keys[depth]].symbols;
  for (std::uint32_t c = 0; c < shape.sizes[depth]; ++c)
    flatten(model.game.values.at(value, symbols[c]), shape, depth + 1, into);
}

std::vector<std::uint64_t> Shared::map_cells(ValueId value, const ArrayShape& shape, std::string_view name) const {
  if (shape.cells(limits::cpp_cells) > limits::cpp_cells) {
    throw Error(fmt::format("the table of {} would have more than {} cells", name, limits::cpp_cells),
                "make its source types smaller; " + limits::cpp_cells.advice());
  }
  std::vector<std::uint64_t> cells;
  flatten(value, shape, 0, cells);
  return cells;
}

std::string Shared::map_table(ValueId value, const ArrayShape& shape, std::string_view name) {
  std::string& table = map_table_of_[numbers_of(value, shape)];
  if (table.empty()) {
    table = number_table(map_cells(value, shape, name), {shape.sizes.begin(), shape.sizes.end()}, cell_type(shape.leaf),
                         name);
  }
  return table;
}

const Shared::Blocks& Shared::map_blocks(ValueId value, const ArrayShape& shape, std::string_view name) {
  static const Blocks kNone;
  if (shape.cells(kCosts.block_cells) <= kCosts.block_cells) return kNone;
  const auto [it, fresh] = map_blocks_of_.try_emplace(numbers_of(value, shape));
  if (fresh) it->second = make_blocks(value, shape, name);
  return it->second;
}

Shared::Blocks Shared::make_blocks(ValueId value, const ArrayShape& shape, std::string_view name) {
  const std::vector<std::uint64_t> cells = map_cells(value, shape, name);
  std::size_t least = cells.size() / kCosts.blocks_save;
  Divided best;
  std::size_t depth = 0;
  std::size_t size = cells.size();
  for (std::size_t d = 1; d < shape.sizes.size(); ++d) {
    size /= shape.sizes[d - 1];
    Divided found = divided(cells, size);
    if (found.count() >= least) continue;
    least = found.count();
    best = std::move(found);
    depth = d;
  }
  if (depth == 0) return {};
  const auto border = shape.sizes.begin() + static_cast<std::ptrdiff_t>(depth);
  std::vector<std::size_t> of_blocks{best.blocks};
  of_blocks.insert(of_blocks.end(), border, shape.sizes.end());
  const std::string_view type = best.blocks > UINT16_MAX ? "std::uint32_t" : "std::uint16_t";
  return {number_table(best.numbers, {shape.sizes.begin(), border}, type, fmt::format("block_of_{}", name)),
          number_table(best.cells, of_blocks, cell_type(shape.leaf), fmt::format("blocks_of_{}", name)), depth};
}

std::string Shared::number_table(const std::vector<std::uint64_t>& numbers, const std::vector<std::size_t>& dimensions,
                                 std::string_view type, std::string_view name) {
  std::string key(type);
  for (const std::size_t d : dimensions) key += fmt::format("[{}]", d);
  key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0]));
  const auto [it, fresh] = table_of_.try_emplace(std::move(key));
  if (!fresh) return it->second;
  it->second = names_.make("k" + capitalized(name));
  std::string head = fmt::format("{} {} {}", table_head, type, it->second);
  for (const std::size_t d : dimensions) head += fmt::format("[{}]", d);
  tables.line(head + " = {");
  const bool wide = type == "std::uint64_t";
  // Rows of the last dimension on their own lines. Zeros at the end of a row, and rows of them, need not be written: a
  // universe may have many more symbols than the keys of a map.
  const std::function<void(std::span<const std::uint64_t>, std::size_t, int)> rows =
      [&](std::span<const std::uint64_t> all, std::size_t level, int indent) {
        const auto last =
            std::ranges::find_if(all.rbegin(), all.rend(), [](std::uint64_t number) { return number != 0; });
        const auto used = static_cast<std::size_t>(all.rend() - last);
        if (used == 0) return;
        const std::string margin(static_cast<std::size_t>(indent) * 2, ' ');
        if (level + 1 == dimensions.size()) {
          std::string text = margin;
          for (const std::uint64_t number : all.first(used)) {
            std::string item = wide ? fmt::format("0x{:x}u", number) : std::to_string(number);
            if (text.size() + item.size() > kSizes.line) {
              tables.raw(text + "\n");
              text = margin;
            }
            text += std::move(item) + ", ";
          }
          while (!text.empty() && text.back() == ' ') text.pop_back();
          tables.raw(text + "\n");
          return;
        }
        const std::size_t size = all.size() / dimensions[level];
        for (std::size_t begin = 0; begin < used; begin += size) {
          tables.raw(margin + "{\n");
          rows(all.subspan(begin, size), level + 1, indent + 1);
          tables.raw(margin + "},\n");
        }
      };
  rows(numbers, 0, 1);
  tables.raw("};\n");
  return it->second;
}

const std::string& Shared::comment(const Step& step) {
  std::string& comment = comments_[step.edge.value];
  if (comment.empty()) {
    const std::string where = place_text(model.game, model.game.graph.where(step.edge));
    comment = in_comment(fmt::format("{}, {}: {};{}{}", model.node_names[step.from], model.node_names[step.to],
                                     label_text(model, step), where.empty() ? "" : " - ", where));
  }
  return comment;
}

FunctionId Shared::node_function(const CodeContext& context, std::uint32_t node, bool way) {
  const std::uint64_t group =
      context.purpose == Purpose::check ? context.check + 8 : static_cast<std::uint64_t>(context.purpose);
  FunctionId& id = node_functions_[{group, node, way}];
  if (!id.valid()) {
    static constexpr const char* kPrefix[] = {"", "moves", "apply", "system", "check"};
    std::string name =
        way ? functions.at(node_function(context, node)).name + "_way"
            : names_.make(fmt::format("{}_{}", kPrefix[static_cast<int>(context.purpose)], model.node_names[node]));
    id = functions.create(std::move(name), context.purpose);
  }
  return id;
}

Parameters Shared::node_parameters(const CodeContext& context, std::uint32_t node) const {
  using enum Parameter::Role;
  Parameters result = {{state, "s"}, {cache, "c"}};
  if (!context.returns_value()) result.emplace_back(out, "out");
  if (context.purpose == Purpose::apply) result.emplace_back(rest, "rest");
  if (context.carries_tags() && layout.packed) result.emplace_back(moved, "moved");
  if (context.carries_tags() && !context.tags_static(node)) result.emplace_back(count, "count");
  if (context.at(node).reaches_test) result.emplace_back(epoch, "epoch");
  for (const VarId v : facts.parameters(context, node))
    result.emplace_back(value, model.identifiers[v.value], std::string(), v);
  return result;
}

}  // namespace rgtrans::cpp
