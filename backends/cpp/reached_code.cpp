// A choice behind which a cycle is gone round by round (rounds.hpp): from each piece, all cells that jumps lead to.
// Where moves are drawn, no cycle is gone to find out how many moves there are. Each pair of a value of the choice and
// of what can ever be reached from it is a candidate. It needs what the last step of each way there needs; only where
// that holds the cycle is gone.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/rounds.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

// A function: whether a target of a value is reached. Most often the last steps tell that it is not.
std::string TargetWriter::write_reaches(const TargetTable& found, const TargetCycle& cycle) {
  const auto& e = model_.game.expressions();
  const std::size_t words = cycle.walks.words;
  std::string name = expressions_.fresh("reaches");
  scope_.text.open(fmt::format("static constexpr auto {} = [](const State& s, unsigned x, unsigned last) {{", name));
  const std::string have = words_of(write_masks(cycle.walks.sources, words), words);
  std::string changes;
  for (std::size_t i = 0; i < cycle.walks.sources.size(); ++i) {
    const CellPredicate& source = cycle.walks.sources[i];
    for (std::size_t w = 0; w < words; ++w) {
      for (const SetWay::Write& write : cycle.way->writes) {
        if (write.map != e.variable(source.board)) continue;
        const std::string cell = of_value(write.cell, cycle.possible, model_.variable_shape(write.map).keys[0], "x");
        changes += fmt::format("have[{}] {} bit_in_word({}, {}); ", i * words + w,
                               source.holds((*write.value)[*cycle.possible.begin()]) ? "|=" : "&= ~", cell, w);
      }
    }
  }
  scope_.text.line(fmt::format("std::uint64_t have[{}] = {{{}}};", cycle.walks.sources.size() * words, have));
  if (!changes.empty()) scope_.text.line(changes);
  const Codes& start = cycle.way->values.at(cycle.key.value);
  const auto rounds = [&](const Rounds& of) {
    const RoundTables names = round_tables(of, cycle.walks.sources.size(), words);
    return fmt::format("{}, {}, {}", names.needs, names.valid, names.to);
  };
  scope_.text.line(fmt::format("return is_reached<{}>({}, {}[x][last], have, {}, {});", words,
                               of_value(start, cycle.possible, model_.variable_shape(cycle.key).leaf, "x"),
                               target_values(found), rounds(cycle.rounds), rounds(turned_rounds(cycle.rounds))));
  scope_.text.close("};");
  return name;
}

// Where no target needs more than one cell, a table of them is small.
std::string TargetWriter::cell_needed(const TargetTable& found) {
  std::vector<std::uint64_t> cells;
  for (const auto& of_value : found.targets) {
    for (std::size_t t = 0; t < found.padded; ++t) {
      std::uint64_t cell = kSizes.drawn_planes * kWord;  // none
      std::size_t count = 0;
      for (std::size_t p = 0; t < of_value.size() && p < found.needs_planes; ++p) {
        const std::uint64_t word = of_value[t].needs[p / found.walks.words].word(p % found.walks.words);
        count += static_cast<std::size_t>(std::popcount(word));
        if (word != 0) cell = p * kWord + static_cast<std::size_t>(std::countr_zero(word));
      }
      if (count > 1) return "nullptr";
      cells.push_back(cell);
    }
  }
  return shared_.number_table(cells, {found.targets.size(), found.padded}, "std::uint8_t", "cell") + "[0]";
}

void TargetWriter::write_reached(const Step& any, const ReachedTargets& choice, const std::string& x, std::size_t words,
                                 const WordCode& mask, const std::function<void()>& body) {
  const TargetTable& found = choice.found;
  shared_.targets_in.insert(scope_.node);
  shared_.needs_acceptance_test = shared_.keeps_cells = true;
  std::string have;
  std::string second;
  DrawnValues drawn;
  drawn.prepare = [&](const Behind& behind) {
    have = write_have(write_masks(found.walks.sources, found.walks.words), found.walks.words);
    const std::string reaches = write_reaches(found, choice.cycle);
    std::vector<std::uint64_t> sure;
    for (const auto& of_value : found.targets) {
      sure.push_back(0);
      for (std::size_t t = 0; t < of_value.size(); ++t) sure.back() |= std::uint64_t{of_value[t].sure} << t;
    }
    const auto value_of = [](const Parameter& parameter) -> std::string {
      using enum Parameter::Role;
      return parameter.role == out     ? "begin_list(c)"
             : parameter.role == epoch ? kNextEpoch
             : parameter.role == value ? "x"
                                       : parameter.name;
    };
    const std::string list = fmt::format("[](State& s, Cache& c, Packed moved, unsigned x) {{ end_list(c, {}({})); }}",
                                         behind.name, print_arguments(behind.parameters, value_of));
    second =
        write_second(found, tables(found), false,
                     fmt::format(", {}, {}, {}", shared_.number_table(sure, {sure.size()}, "std::uint64_t", "sure"),
                                 list, reaches, cell_needed(found)));
  };
  drawn.add = [&](const std::string& ways, const std::string& first) {
    return fmt::format("out = add_pairs(c, out, {}, {}, {}, {}, {});", scope_.moved, first, ways, second, have);
  };
  write_values(
      any.to, x, words, mask,
      [&] {
        body();
        return 0;
      },
      &drawn);
}

}  // namespace rgtrans::cpp
