// Writes lists of targets (targets.hpp): eight targets are tested with one comparison, and those that are possible are
// written together.
//
// Behind a choice, a cycle may lead to the targets (rounds.hpp): from each piece, all cells that jumps lead to. Where
// moves are drawn, the cycle is not followed to count them. A candidate is a value of the choice with a target that can
// ever be reached from it. The cells that the last step of some way there needs are tested first; the cycle is followed
// only where they hold.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/rounds.hpp"
#include "backends/cpp/subset.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {
class TargetWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  void write(const TargetTable& found) {
    if (found.next) return write_next(found);
    if (found.drawn) shared_.candidates_in.insert(scope_.node);
    write_moves(found);
  }

  void write_sample(const Sampling& sample, const ValueSet& values, const std::function<void()>& body) {
    if (sample.cycle) return write_reached(*sample.targets, *sample.cycle, values, body);
    if (!sample.targets) {
      return write_values(values, [&] {
        const std::size_t sets = shared_.set_ends;
        body();
        return shared_.set_ends == sets || sample.most <= kCosts.moves_behind_sets ? sample.most : 0;
      });
    }
    const auto draw = [&] {
      const std::string have = write_have(sample.targets->walks);
      const std::string second = write_second(*sample.targets, false);
      for_each_word(values.words, [&](const std::string& word) {
        line("out = {};", add_pairs("64 * " + word, values.mask.at(word), second, have));
      });
    };
    write_sampled(draw, [&] { write_each_value(values, body); });
  }

  std::string add_pairs(const std::string& first, const std::string& ways, const std::string& second,
                        const std::string& have) const {
    return fmt::format("add_pairs(c, out, {}, {}, {}, {}, {})", scope_.moved, first, ways, second, have);
  }

  // The tables as one constant. `few`: where there are few candidates all are asked at once. `asked`: how it is asked
  // for some of them whether they are moves.
  std::string write_second(const TargetTable& found, bool few, const std::string& asked = "") {
    const SubsetTables names = subset_tables(found);
    std::string second = fresh("second");
    line("static constexpr SecondTargets {} = {{{}[0][0], {}[0], {}, {}, {}, {}, {}, {}{}}};", second, names.needs,
         names.shown, names.valid, found.needs_planes, found.padded, found.most, shift_of(found), few, asked);
    return second;
  }

  // Of wide moves the table shows the tags behind those that were passed.
  std::uint32_t shift_of(const TargetTable& found) const {
    return shared_.layout.wide ? context_.at(found.node).tags_max * shared_.layout.bits : 0;
  }

  void write_moves(const TargetTable& found) {
    comment("All targets of this value: what each needs is compared with the board.");
    open("{");
    const std::string have = write_have(found.walks);
    const SubsetTables names = subset_tables(found);
    const std::string x = expressions_.variable(found.variable);
    shared_.lists_sets = true;
    ++shared_.set_ends;
    const std::string how = shared_.for_device ? fmt::format("<{}>", shift_of(found))
                                               : fmt::format("<{}, {}>", shift_of(found), found.drawn);
    line("out = add_targets{}(c, out, {}, {}[{}], {}[{}], {}[{}], {});", how, scope_.moved, names.needs, x, names.shown,
         x, names.valid, x, have);
    close();
  }

  // Behind each target goes the function that follows. Where moves are drawn, it is asked only for the one that is
  // picked.
  void write_next(const TargetTable& found) {
    const TargetTable& next = *planner_.targets.function(*found.next);
    comment("All targets of this value, and what follows each.");
    open("{");
    const std::string have = write_have(found.walks);
    const SubsetTables names = subset_tables(found);
    const std::string x = expressions_.variable(found.variable);
    const std::string ways = fresh("ways");
    line("std::uint64_t {} = possible_ways({}[{}], {}) & {}[{}];", ways, names.needs, x, have, names.valid, x);
    shared_.lists_sets = true;
    Bits all(found.targets.size());
    for (std::size_t v = 0; v < found.targets.size(); ++v) {
      if (!found.targets[v].empty()) all.set(v);
    }
    const std::string have_behind = write_have_behind(found, next, all, have);
    const auto draw = [&] {
      const std::string second = write_second(next, true);
      line("out = add_ways<{}>(c, out, {}, {}[{}], {}[{}], {}, {}, {});", shift_of(found), scope_.moved, names.shown, x,
           names.to, x, ways, second, have_behind);
    };
    const auto list = [&] { write_each_way(found, names, all, x, ways); };
    if (have_behind.empty())
      block("{", list);
    else
      write_sampled(draw, list);
    close();
  }

  void write_each_way(const TargetTable& found, const SubsetTables& names, const Bits& all, const std::string& x,
                      const std::string& ways) {
    std::vector<std::string> undo;
    for (const SetWay::Write& write : found.writes) {
      const std::string place = place_of(write, all, x);
      const WrittenCell cell =
          write_cell(write.map, place, of_value(*write.value, all, model_.variable_shape(write.map).leaf, x));
      undo.push_back(cell.undo);
      note_write(*found.next, cell.name);
    }
    const std::string i = fresh("i");
    const std::string moved = fresh("moved");
    const std::string to = fresh("to");
    open("for (; {0} != 0; {0} &= {0} - 1) {{", ways);
    line("const unsigned {} = lowest_bit({});", i, ways);
    line("const Packed {} = {} | static_cast<Packed>({}[{}][{}]) << {};", moved, scope_.moved, names.shown, x, i,
         shift_of(found));
    line("const unsigned {} = {}[{}][{}];", to, names.to, x, i);
    {
      LocalValue& parameter = scope_.env[planner_.targets.parameter_of(*found.next).value];
      const Restored restored(scope_.moved, parameter);
      scope_.moved = moved;
      parameter = to;
      at_.enter(*found.next);  // a call
    }
    close();
    for (auto it = undo.rbegin(); it != undo.rend(); ++it) {
      forget_write(*found.next);
      line(*it);
    }
  }

  // What the function that follows would find, without writing to the board: a processor that has just written a byte
  // waits before it reads the whole vector. Empty where that is not known.
  std::string write_have_behind(const TargetTable& found, const TargetTable& next, const Bits& possible,
                                const std::string& have) {
    const auto& e = model_.game.expressions();
    if (next.needs_planes > kSizes.drawn_planes || next.walks.sources != found.walks.sources ||
        next.walks.words != found.walks.words) {
      return {};
    }
    std::string name = fresh("have");
    std::string text;
    for (std::size_t p = 0; p < next.needs_planes; ++p)
      text += fmt::format("{}{}[{}]", text.empty() ? "" : ", ", have, p);
    std::string changes;
    for (std::size_t i = 0; i < next.walks.sources.size(); ++i) {
      const CellPredicate& source = next.walks.sources[i];
      for (const SetWay::Write& write : found.writes) {
        if (write.map != e.variable(e.root(source.board))) continue;
        const std::uint32_t value = (*write.value)[*possible.begin()];
        for (const std::size_t v : possible) {
          if ((*write.value)[v] != value) return {};
        }
        if (source.kind != CellPredicate::Kind::contents) return {};
        const bool inside = (std::ranges::find(source.codes, value) != source.codes.end()) != source.negated;
        const std::string cell = of_value(write.cell, possible, model_.variable_shape(write.map).keys[0],
                                          expressions_.variable(found.variable));
        for (std::size_t w = 0; w < next.walks.words; ++w) {
          changes += fmt::format("{}[{}] {}bit_in_word({}, {}); ", name, i * next.walks.words + w,
                                 inside ? "|= " : "&= ~", cell, w);
        }
      }
    }
    line("std::uint64_t {}[{}] = {{{}}};", name, next.needs_planes, text);
    if (!changes.empty()) line(changes);
    return name;
  }

  // Writes a function that decides whether a value reaches a target. Most often the last steps already exclude it.
  std::string write_reaches(const TargetTable& found, const TargetCycle& cycle) {
    const auto& e = model_.game.expressions();
    const std::size_t words = cycle.walks.words;
    std::string name = fresh("reaches");
    open("static constexpr auto {} = [](const State& s, unsigned x, unsigned last) {{", name);
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
    line("std::uint64_t have[{}] = {{{}}};", cycle.walks.sources.size() * words, have);
    if (!changes.empty()) line(changes);
    const Codes& start = cycle.way->values.at(cycle.key.value);
    const auto rounds = [&](const Subsets& of) {
      const SubsetTables names = subset_tables(of, kLanes, cycle.walks.sources.size(), words);
      return fmt::format("{}, {}, {}", names.needs, names.valid, names.to);
    };
    line("return is_reached<{}>({}, {}[x][last], have, {}, {});", words,
         of_value(start, cycle.possible, model_.variable_shape(cycle.key).leaf, "x"),
         lane_table(found.targets, found.padded, "std::uint16_t", "to", &Subset::to), rounds(cycle.rounds),
         rounds(turned_rounds(cycle.rounds)));
    close("};");
    return name;
  }

  // Where no target needs more than one cell, a table of them is small.
  std::string cell_needed(const TargetTable& found) {
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

  void write_reached(const TargetTable& found, const TargetCycle& cycle, const ValueSet& values,
                     const std::function<void()>& body) {
    shared_.needs_acceptance_test = shared_.keeps_cells = true;
    const auto draw = [&](const Behind& behind) -> AddedWord {
      const std::string have = write_have(found.walks);
      const std::string reaches = write_reaches(found, cycle);
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
      const std::string list =
          fmt::format("[](State& s, Cache& c, Packed moved, unsigned x) {{ end_list(c, {}({})); }}", behind.name,
                      print_arguments(behind.parameters, value_of));
      const std::string second =
          write_second(found, false,
                       fmt::format(", {}, {}, {}", shared_.number_list(sure, "std::uint64_t", "sure"), list, reaches,
                                   cell_needed(found)));
      return [=, this](const std::string& ways, const std::string& first) {
        return "out = " + add_pairs(first, ways, second, have) + ";";
      };
    };
    const auto behind_one = [&] {
      body();
      return 0;
    };
    write_values(values, behind_one, draw);
  }
};

}  // namespace

void write_targets(Workplace& at, const TargetTable& found) { TargetWriter(at).write(found); }

void write_sample(Workplace& at, const Sampling& sample, const ValueSet& values, const std::function<void()>& body) {
  TargetWriter(at).write_sample(sample, values, body);
}

}  // namespace rgtrans::cpp
