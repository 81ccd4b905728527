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

namespace {

// What the walk has written to the cell at last, if it has.
std::optional<std::uint32_t> last_written(const SetWay& way, VarId map, std::size_t cell, std::size_t x) {
  for (auto it = way.writes.rbegin(); it != way.writes.rend(); ++it) {
    if (it->map == map && it->cell[x] == cell) return (*it->value)[x];
  }
  return std::nullopt;
}

// Ways that are the same become one. False when others show the same: one question would not tell whether one of them
// is possible.
template <class Target>
bool join_shown(std::vector<Target>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t k = targets.size(); --k > i;) {
      Target& first = targets[i];
      const Target& other = targets[k];
      if (first.shown != other.shown || (!first.reached && !other.reached)) continue;
      if (!first.reached || !other.reached || first.to != other.to || first.needs != other.needs) return false;
      targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  return true;
}

// The rounds that lead to each value.
Rounds turned_rounds(const Rounds& rounds) {
  Rounds result(rounds.size());
  for (std::uint32_t x = 0; x < rounds.size(); ++x) {
    for (const NextValue& next : rounds[x]) result[next.value].push_back({next.needs, x});
  }
  return result;
}

bool few_rounds(const Rounds& rounds) {
  return std::ranges::all_of(rounds, [](const auto& of_value) { return of_value.size() <= kSizes.rounds_of_value; });
}

}  // namespace

// The only node of a cycle behind the node, where visits are told apart that begin behind it: what is reached for one
// value is then reached whatever was before.
std::optional<std::uint32_t> TargetWriter::cycle_behind(std::uint32_t node) const {
  std::set<std::pair<std::uint32_t, bool>> seen = {{node, false}};
  std::vector<std::pair<std::uint32_t, bool>> work(seen.begin(), seen.end());
  std::set<std::uint32_t> found;
  while (!work.empty()) {
    const auto [at, shown] = work.back();
    work.pop_back();
    if (!context_.contains(at) || !context_.at(at).reaches_test) continue;
    if (context_.at(at).test) {
      if (!shown) return std::nullopt;
      found.insert(at);
      continue;
    }
    for (const std::uint32_t s : context_.at(at).out) {
      const Step& step = model_.steps[s];
      const std::pair next(step.to, shown || is_tag(step));
      if (!step.ends_move && seen.insert(next).second) work.push_back(next);
    }
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

std::optional<TargetWriter::Cycle> TargetWriter::find_cycle(std::uint32_t node) {
  Cycle cycle;
  cycle.node = node;
  cycle.key = facts_.sole_key(context_, node);
  if (!cycle.key.valid() || facts_.parameters(context_, node) != std::vector{cycle.key}) return std::nullopt;
  WalkBounds bounds;
  bounds.may_duplicate = facts_.duplicates && facts_.duplicate_behind[node];
  bounds.around = true;
  auto walks = find_set_walks(model_, facts_, context_, node, cycle.key, std::move(bounds));
  if (!walks || walks->sources.size() * walks->words > kSizes.target_planes) return std::nullopt;
  const auto& e = model_.game.expressions();
  if (!std::ranges::all_of(walks->sources, [&](const CellSource& source) {
        return source.kind == CellSource::Kind::contents && e.kind(source.board) == ir::ExprKind::variable;
      }))
    return std::nullopt;
  const std::size_t values = model_.universes[model_.variable_shape(cycle.key).leaf].size();
  auto rounds = rounds_of(*walks, cycle.key, values);
  auto ends = ends_of(*walks, values);
  if (!rounds || !ends || !few_rounds(*rounds) || !few_rounds(turned_rounds(*rounds))) return std::nullopt;
  cycle.walks = std::move(*walks);
  cycle.rounds = std::move(*rounds);
  cycle.ends = std::move(*ends);
  return cycle;
}

std::optional<TargetWriter::Found> TargetWriter::find_reached(const Step& any, Cycle& cycle) {
  auto walks = find_set_walks(model_, facts_, context_, any.to, any.variable,
                              {scope_.known, scope_.excluded, {cycle.node}, scope_.may_duplicate});
  std::optional<Found> begun = walks ? begin(any.to, any.variable, std::move(*walks)) : std::nullopt;
  if (!begun) return std::nullopt;
  Found& found = *begun;
  found.walks.words = std::max(found.walks.words, cycle.walks.words);
  std::vector<CellSource>& sources = found.walks.sources;
  for (const CellSource& source : cycle.walks.sources) {
    const auto it = std::ranges::find(sources, source);
    cycle.sources.push_back(static_cast<std::size_t>(it - sources.begin()));
    if (it == sources.end()) sources.push_back(source);
  }
  const Needed start(found.targets.size(), std::vector<Bits>(sources.size(), Bits(found.walks.words * kWord)));
  if (!collect_reached(found.walks.items, start, cycle, found) || !cycle.way) return std::nullopt;
  if (!std::ranges::all_of(found.targets, [](auto& of_value) { return join_shown(of_value); })) return std::nullopt;
  drop_sources(found);
  found.most = most_of(found);
  found.padded = (found.most + kSizes.rounds_of_value - 1) / kSizes.rounds_of_value * kSizes.rounds_of_value;
  found.needs_planes = sources.size() * found.walks.words;
  if (found.most > kSizes.targets || found.needs_planes == 0 || found.needs_planes > kSizes.drawn_planes)
    return std::nullopt;
  return begun;
}

bool TargetWriter::collect_reached(const std::vector<SetItem>& items, const Needed& at, Cycle& cycle, Found& into) {
  return std::ranges::all_of(items, [&](const SetItem& item) {
    if (item.kind == SetItem::Kind::narrow) {
      const auto next = needed_behind(item, at);
      return next && collect_reached(item.inside, *next, cycle, into);
    }
    if (item.kind == SetItem::Kind::scalarize && item.node == cycle.node && !cycle.way) {
      cycle.way = item.way;
      cycle.possible = item.possible;
      if (!knows_writes(cycle)) return false;
      for (const std::size_t x : item.possible) {
        if (at[x] && !add_reached(x, *at[x], cycle, into)) return false;
      }
      return true;
    }
    if (item.kind != SetItem::Kind::moves) return false;
    for (const std::size_t x : item.possible) {
      if (!at[x]) continue;
      const auto shown = shown_by(item.tags, x, passed(into.node));
      if (!shown) return false;
      into.targets[x].push_back({*at[x], *shown});
    }
    return true;
  });
}

// All that can ever be reached from a value.
bool TargetWriter::add_reached(std::size_t x, const std::vector<Bits>& needs, const Cycle& cycle, Found& into) {
  const auto& e = model_.game.expressions();
  const std::uint32_t before = passed(into.node);
  const std::uint32_t start = cycle.way->values.at(cycle.key.value)[x];
  const auto first = shown_by(cycle.way->tags, x, before);
  if (!first) return false;
  for (const auto& [value, entered] : reached_from(cycle.rounds, start)) {
    for (const ShownBehind& end : cycle.ends[value]) {
      const auto rest = shown_by(end.tags, value, before + static_cast<std::uint32_t>(cycle.way->tags.size()));
      if (!rest) return false;
      Target target{needs, *first | *rest, value, value == start, true};
      bool possible = true;
      const auto need = [&](const std::vector<Bits>& of_cycle) {
        for (std::size_t i = 0; i < of_cycle.size(); ++i) {
          const CellSource& source = cycle.walks.sources[i];
          for (const std::size_t cell : of_cycle[i]) {
            if (const auto content = last_written(*cycle.way, e.variable(source.board), cell, x))
              possible = possible && source.holds(*content);
            else
              target.needs[cycle.sources[i]].set(cell);
          }
        }
      };
      need(entered);
      need(end.needs);
      if (possible) into.targets[x].push_back(std::move(target));
    }
  }
  return true;
}

// What the walk to the cycle writes to the boards that it asks is known, and the same for all values.
bool TargetWriter::knows_writes(const Cycle& cycle) const {
  const auto& e = model_.game.expressions();
  return std::ranges::all_of(cycle.walks.sources, [&](const CellSource& source) {
    const VarId board = e.variable(source.board);
    return !cycle.way->clobbered.contains(board.value) &&
           std::ranges::all_of(cycle.way->writes, [&](const SetWay::Write& write) {
             if (write.map != board) return true;
             return write.value && std::ranges::all_of(cycle.possible, [&](std::size_t x) {
                      return (*write.value)[x] == (*write.value)[*cycle.possible.begin()];
                    });
           });
  });
}

// The names of the tables of rounds, and of the values that they lead to.
CodeWriter::RoundTables CodeWriter::round_tables(const Rounds& rounds, std::size_t sources, std::size_t words) {
  constexpr std::size_t kVector = 8;
  std::vector<std::uint64_t> needs, valid, to;
  const std::size_t planes = sources * words;
  for (const auto& of_value : rounds) {
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t t = 0; t < kVector; ++t)
        needs.push_back(t < of_value.size() ? of_value[t].needs[p / words].word(p % words) : 0);
    }
    for (std::size_t t = 0; t < kVector; ++t) to.push_back(t < of_value.size() ? of_value[t].value : 0);
    valid.push_back((1U << of_value.size()) - 1);
  }
  return {shared_.number_table(needs, {rounds.size(), planes, kVector}, "std::uint64_t", "needs"),
          shared_.number_table(valid, {valid.size()}, "std::uint8_t", "valid"),
          shared_.number_table(to, {rounds.size(), kVector}, "std::uint16_t", "to")};
}

// A function: whether a target of a value is reached. Most often the last steps tell that it is not.
std::string TargetWriter::write_reaches(const Found& found, const Cycle& cycle) {
  const auto& e = model_.game.expressions();
  const std::size_t words = cycle.walks.words;
  std::vector<std::uint64_t> to;
  for (const auto& of_value : found.targets) {
    for (std::size_t t = 0; t < found.padded; ++t) to.push_back(t < of_value.size() ? of_value[t].to : 0);
  }
  std::string name = expressions_.fresh("reaches");
  scope_.text.open(fmt::format("static constexpr auto {} = [](const State& s, unsigned x, unsigned last) {{", name));
  std::string have;
  std::string changes;
  for (std::size_t i = 0; i < cycle.walks.sources.size(); ++i) {
    const CellSource& source = cycle.walks.sources[i];
    const std::string cells = expressions_.fresh("cells");
    scope_.text.line(fmt::format("const auto {} = {};", cells, cells_source(source, words)));
    for (std::size_t w = 0; w < words; ++w) {
      have += fmt::format("{}{}.words[{}]", have.empty() ? "" : ", ", cells, w);
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
                               shared_.number_table(to, {found.targets.size(), found.padded}, "std::uint16_t", "to"),
                               rounds(cycle.rounds), rounds(turned_rounds(cycle.rounds))));
  scope_.text.close("};");
  return name;
}

// Where no target needs more than one cell, a table of them is small.
std::string TargetWriter::cell_needed(const Found& found) {
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

std::shared_ptr<const TargetWriter::ReachedChoice> TargetWriter::choose_reached(const Step& any) {
  if (context_.purpose != Purpose::moves || !shared_.any_output() || !shared_.layout.packed ||
      !model_.scalar(any.variable) || scope_.may_duplicate || !context_.tags_static(any.to) ||
      !context_.at(any.to).reaches_test || facts_.parameters(context_, any.to) != std::vector{any.variable})
    return nullptr;
  const std::optional<std::uint32_t> node = cycle_behind(any.to);
  std::optional<Cycle> cycle = node ? find_cycle(*node) : std::nullopt;
  std::optional<Found> found = cycle ? find_reached(any, *cycle) : std::nullopt;
  return found ? std::make_shared<const ReachedChoice>(ReachedChoice{std::move(*found), std::move(*cycle)}) : nullptr;
}

void TargetWriter::write_reached(const Step& any, const ReachedChoice& choice, const std::string& x, std::size_t words,
                                 const WordCode& mask, const std::function<void()>& body) {
  const Found& found = choice.found;
  shared_.targets_in.insert(scope_.node);
  shared_.needs_acceptance_test = shared_.keeps_cells = true;
  std::string have;
  std::string second;
  DrawnValues drawn;
  drawn.prepare = [&](const Behind& behind) {
    have = write_have(found);
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
