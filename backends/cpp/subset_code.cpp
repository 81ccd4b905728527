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

CodeWriter::RoundTables CodeWriter::round_tables(const Rounds& rounds, std::size_t sources, std::size_t words) {
  const std::size_t planes = sources * words;
  return {shared_.number_table(needs_by_lane(rounds, planes, words, kLanes), {rounds.size(), planes, kLanes},
                               "std::uint64_t", "needs"),
          shared_.number_table(valid_lanes(rounds), {rounds.size()}, "std::uint8_t", "valid"),
          shared_.number_table(by_lane(rounds, kLanes, [](const NextValue& next) { return next.value; }),
                               {rounds.size(), kLanes}, "std::uint16_t", "to")};
}

CodeWriter::WrittenCell CodeWriter::write_cell(const std::string& place, const std::string& value) {
  const std::string cell = fresh("cell");
  const std::string old = fresh("old");
  line("auto& {} = {};", cell, place);
  line("const auto {} = {};", old, cell);
  line("{0} = static_cast<std::remove_reference_t<decltype({0})>>({1});", cell, value);
  return {cell, fmt::format("{} = {};", cell, old)};
}

}  // namespace rgtrans::cpp
