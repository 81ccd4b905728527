// Writes the masks of the board and the tables of needed cells (subset.hpp).
#include <fmt/format.h>

#include "backends/cpp/subset.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

std::vector<std::string> CodeWriter::write_masks(const std::vector<CellPredicate>& sources, std::size_t words) {
  std::vector<std::string> names;
  for (const CellPredicate& source : sources) {
    const std::string text = expressions_.cells_where(source, words);
    names.push_back(fresh("cells"));
    line("const auto {} = {};", names.back(), text);
  }
  return names;
}

std::string CodeWriter::words_of(const std::vector<std::string>& masks, std::size_t words) {
  std::string text;
  for (const std::string& mask : masks) {
    for (std::size_t w = 0; w < words; ++w) text += fmt::format("{}{}.words[{}]", text.empty() ? "" : ", ", mask, w);
  }
  return text;
}

std::string CodeWriter::write_have(const std::vector<std::string>& masks, std::size_t words) {
  std::string name = fresh("have");
  line("const std::uint64_t {}[{}] = {{{}}};", name, masks.size() * words, words_of(masks, words));
  return name;
}

void CodeWriter::for_each_word(std::size_t words, const std::function<void(const std::string&)>& body) {
  if (words == 1) return body("0");
  const std::string word = fresh("word");
  block(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, words), [&] { body(word); });
}

void CodeWriter::write_each_value(const ValueSet& values, const std::function<void()>& body) {
  for_each_word(values.words, [&](const std::string& word) {
    const std::string mask = fresh("mask");
    open("for (std::uint64_t {0} = {1}; {0} != 0; {0} &= {0} - 1) {{", mask, values.mask.at(word));
    line("const unsigned {} = {}lowest_bit({});", values.x, values.words == 1 ? "" : "64 * " + word + " + ", mask);
    body();
    close();
  });
}

std::string CodeWriter::place_of(const SetWay::Write& write, const Bits& possible, const std::string& x) {
  return fmt::format("s.{}[{}]", model_.identifiers[write.map.value],
                     of_value(write.cell, possible, model_.variable_shape(write.map).keys[0], x));
}

std::string CodeWriter::needs_table(const Subsets& all, std::size_t lanes, std::size_t planes, std::size_t words) {
  std::vector<std::uint64_t> needs;
  for (const std::vector<Subset>& of_value : all) {
    for (std::size_t i = 0; i < planes * lanes; ++i) {
      const std::size_t p = i / lanes;
      needs.push_back(i % lanes < of_value.size() ? of_value[i % lanes].needs[p / words].word(p % words) : 0);
    }
  }
  return shared_.number_table(needs, {all.size(), planes, lanes}, "std::uint64_t", "needs");
}

// For each value, bits of those that there are.
static std::vector<std::uint64_t> valid_lanes(const Subsets& all) {
  std::vector<std::uint64_t> valid;
  for (const auto& of_value : all) valid.push_back(of_value.empty() ? 0 : ~std::uint64_t{0} >> (64 - of_value.size()));
  return valid;
}

CodeWriter::SubsetTables CodeWriter::subset_tables(const Subsets& all, std::size_t lanes, std::size_t sources,
                                                   std::size_t words) {
  return {needs_table(all, lanes, sources * words, words), "",
          shared_.number_list(valid_lanes(all), "std::uint8_t", "valid"),
          lane_table(all, lanes, "std::uint16_t", "to", &Subset::to)};
}

CodeWriter::SubsetTables CodeWriter::subset_tables(const TargetTable& found) {
  const Subsets& all = found.targets;
  return {needs_table(all, found.padded, found.needs_planes, found.walks.words),
          lane_table(all, found.padded, "std::uint64_t", "shown", &Subset::shown),
          shared_.number_list(valid_lanes(all), "std::uint64_t", "valid"),
          found.next ? lane_table(all, found.padded, "std::uint16_t", "to", &Subset::to) : ""};
}

CodeWriter::WrittenCell CodeWriter::write_cell(VarId map, const std::string& place, const std::string& value) {
  const std::string cell = fresh("cell");
  const std::string old = fresh("old");
  line("auto& {} = {};", cell, place);
  line("const auto {} = {};", old, cell);
  const std::string planes = shared_.planes_name(map);
  if (planes.empty()) {
    line(expressions_.write_cell(map, cell, value));
    return {cell, expressions_.write_cell(map, cell, old)};
  }
  const std::string before = fresh("before");
  line("const auto {} = kept_planes({});", before, planes);
  line(expressions_.write_cell(map, cell, value));
  return {cell, fmt::format("{} = {}; {}.restore({});", cell, old, before, planes)};
}

}  // namespace rgtrans::cpp
