// Writes lists of targets (targets.hpp): eight targets are tested with one comparison, and those that are possible are
// written together.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/subset.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

void TargetWriter::write(const TargetChoice& choice) {
  if (choice.found->next) return write_next(*choice.found);
  if (choice.drawn) shared_.targets_in.insert(scope_.node);
  write_moves(*choice.found, choice.drawn);
}

void TargetWriter::write_pairs(const TargetChoice& choice, std::size_t words, const WordCode& mask) {
  const TargetTable& found = *choice.found;
  shared_.targets_in.insert(scope_.node);
  scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
  const std::string have = write_have(write_masks(found.walks.sources, found.walks.words), found.walks.words);
  const Tables names = tables(found);
  const std::string second = write_second(found, names, false);
  const std::string word = words == 1 ? "0" : expressions_.fresh("word");
  if (words > 1) scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, words));
  scope_.text.line(fmt::format("out = add_pairs(c, out, {}, 64 * {}, {}, {}, {});", scope_.moved, word, mask.at(word),
                               second, have));
  if (words > 1) scope_.text.close();
  scope_.text.close("} else {");
  scope_.text.set_indent(scope_.text.indent() + 1);
}

// The tables as one constant. `few`: where there are few candidates all are asked at once. `asked`: how it is asked for
// some of them whether they are moves.
std::string TargetWriter::write_second(const TargetTable& found, const Tables& names, bool few,
                                       const std::string& asked) {
  std::string second = expressions_.fresh("second");
  scope_.text.line(fmt::format("static constexpr SecondTargets {} = {{{}[0][0], {}[0], {}, {}, {}, {}, {}, {}{}}};",
                               second, names.needs, names.shown, names.valid, found.needs_planes, found.padded,
                               found.most, shift_of(found), few, asked));
  return second;
}

TargetWriter::Tables TargetWriter::tables(const TargetTable& found) {
  const ByValue<TargetEntry>& all = found.targets;
  const auto table = [&](const std::vector<std::uint64_t>& numbers, std::vector<std::size_t> dimensions,
                         const char* type, const char* name) {
    dimensions.insert(dimensions.begin(), all.size());
    return shared_.number_table(numbers, dimensions, type, name);
  };
  Tables result;
  result.needs = table(needs_by_lane(all, found.needs_planes, found.walks.words, found.padded),
                       {found.needs_planes, found.padded}, "std::uint64_t", "needs");
  result.shown = table(by_lane(all, found.padded, [](const TargetEntry& target) { return target.shown; }),
                       {found.padded}, "std::uint64_t", "shown");
  result.valid = table(valid_lanes(all), {}, "std::uint64_t", "valid");
  if (found.next) result.to = target_values(found);
  return result;
}

std::string TargetWriter::target_values(const TargetTable& found) {
  return shared_.number_table(by_lane(found.targets, found.padded, [](const TargetEntry& target) { return target.to; }),
                              {found.targets.size(), found.padded}, "std::uint16_t", "to");
}

// Of wide moves the table shows the tags behind those that were passed.
std::uint32_t TargetWriter::shift_of(const TargetTable& found) const {
  return shared_.layout.wide ? context_.at(found.node).tags_max * shared_.layout.bits : 0;
}

void TargetWriter::write_moves(const TargetTable& found, bool drawn) {
  scope_.text.comment("All targets of this value: what each needs is compared with the board.");
  scope_.text.open("{");
  const std::string have = write_have(write_masks(found.walks.sources, found.walks.words), found.walks.words);
  const Tables names = tables(found);
  const std::string x = expressions_.variable(found.variable);
  shared_.lists_sets = true;
  ++shared_.set_ends;
  const std::string how =
      shared_.for_device ? fmt::format("<{}>", shift_of(found)) : fmt::format("<{}, {}>", shift_of(found), drawn);
  scope_.text.line(fmt::format("out = add_targets{}(c, out, {}, {}[{}], {}[{}], {}[{}], {});", how, scope_.moved,
                               names.needs, x, names.shown, x, names.valid, x, have));
  scope_.text.close();
}

// Behind each target goes the function that follows. Where moves are drawn, it is asked only for the one that is
// picked.
void TargetWriter::write_next(const TargetTable& found) {
  const std::shared_ptr<const TargetTable> behind = planner_.targets.function(*found.next);
  const TargetTable& next = *behind;
  scope_.text.comment("All targets of this value, and what follows each.");
  scope_.text.open("{");
  const std::string have = write_have(write_masks(found.walks.sources, found.walks.words), found.walks.words);
  const Tables names = tables(found);
  const std::string x = expressions_.variable(found.variable);
  const std::string ways = expressions_.fresh("ways");
  scope_.text.line(fmt::format("std::uint64_t {} = possible_ways({}[{}], {}) & {}[{}];", ways, names.needs, x, have,
                               names.valid, x));
  shared_.lists_sets = true;
  Bits all(found.targets.size());
  for (std::size_t v = 0; v < found.targets.size(); ++v) {
    if (!found.targets[v].empty()) all.set(v);
  }
  if (const std::string have_behind = write_have_behind(found, next, all, have); !have_behind.empty()) {
    shared_.targets_in.insert(scope_.node);
    scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
    const std::string second = write_second(next, tables(next), true);
    scope_.text.line(fmt::format("out = add_ways<{}>(c, out, {}, {}[{}], {}[{}], {}, {}, {});", shift_of(found),
                                 scope_.moved, names.shown, x, names.to, x, ways, second, have_behind));
    scope_.text.close("} else {");
  } else {
    scope_.text.line("{");
  }
  scope_.text.set_indent(scope_.text.indent() + 1);
  std::vector<std::string> undo;
  for (const SetWay::Write& write : found.writes) {
    const ArrayShape& shape = model_.variable_shape(write.map);
    const std::string place =
        fmt::format("s.{}[{}]", model_.identifiers[write.map.value], of_value(write.cell, all, shape.keys[0], x));
    const WrittenCell cell = write_cell(place, of_value(*write.value, all, shape.leaf, x));
    undo.push_back(cell.undo);
    note_write(*found.next, cell.name);
  }
  const std::string i = expressions_.fresh("i");
  const std::string moved = expressions_.fresh("moved");
  const std::string to = expressions_.fresh("to");
  scope_.text.open(fmt::format("for (; {0} != 0; {0} &= {0} - 1) {{", ways));
  scope_.text.line(fmt::format("const unsigned {} = lowest_bit({});", i, ways));
  scope_.text.line(fmt::format("const Packed {} = {} | static_cast<Packed>({}[{}][{}]) << {};", moved, scope_.moved,
                               names.shown, x, i, shift_of(found)));
  scope_.text.line(fmt::format("const unsigned {} = {}[{}][{}];", to, names.to, x, i));
  const std::string moved_before = scope_.moved;
  const std::uint32_t parameter = planner_.targets.parameter_of(*found.next).value;
  const LocalValue before = scope_.env[parameter];
  scope_.moved = moved;
  scope_.env[parameter] = to;
  enter_(*found.next);  // a call
  scope_.env[parameter] = before;
  scope_.moved = moved_before;
  scope_.text.close();
  for (auto it = undo.rbegin(); it != undo.rend(); ++it) {
    forget_write(*found.next);
    scope_.text.line(*it);
  }
  scope_.text.close();
  scope_.text.close();
}

// What the function that follows would find, without writing to the board: a processor that has just written a byte
// waits before it reads the whole vector. Empty where that is not known.
std::string TargetWriter::write_have_behind(const TargetTable& found, const TargetTable& next, const Bits& possible,
                                            const std::string& have) {
  const auto& e = model_.game.expressions();
  if (next.needs_planes > kSizes.drawn_planes || next.walks.sources != found.walks.sources ||
      next.walks.words != found.walks.words) {
    return {};
  }
  std::string name = expressions_.fresh("have");
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
  scope_.text.line(fmt::format("std::uint64_t {}[{}] = {{{}}};", name, next.needs_planes, text));
  if (!changes.empty()) scope_.text.line(changes);
  return name;
}

}  // namespace rgtrans::cpp
