// A function of one variable, "all rays from this square", whose walks differ only in which cells must hold something
// and in what they show: for each value a list of targets, each with the cells that it needs. Eight targets are tested
// with one comparison, and those that are possible are written together. The walks are those of sets.hpp, read value by
// value. It is a function where ways meet, the start of a move, or what follows a choice; and behind each target such a
// function may follow again, as the arrow behind the way of an amazon.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

namespace {
constexpr std::size_t kVector = 8;
}  // namespace

// The function at a node where ways meet; it is handed the variable.
std::shared_ptr<const TargetWriter::Found> TargetWriter::function(std::uint32_t node) {
  const auto [it, fresh] = functions_.try_emplace(node);
  if (fresh) {
    const std::vector<VarId> parameters = facts_.parameters(context_, node);
    std::optional<Found> found;
    if (parameters.size() == 1)
      found = find(node, parameters[0], {{}, {}, {}, shared_.facts.duplicates && facts_.duplicate_behind[node]});
    if (found && !found->next) it->second = std::make_shared<const Found>(std::move(*found));
  }
  return it->second;
}

std::optional<TargetWriter::Choice> TargetWriter::choose(std::uint32_t node) {
  if (auto found = function(node)) {
    const bool drawn = found->needs_planes <= kSizes.drawn_planes;
    return Choice{std::move(found), drawn};
  }
  const std::vector<VarId> parameters = facts_.parameters(context_, node);
  if (!shared_.for_device && parameters.size() == 1 && plan_.begins_rays(node)) {
    if (auto choice = choose_behind(node, parameters[0], functions_behind(node))) return choice;
  }
  // A move that starts here, for a value that the state has.
  if (std::ranges::find(context_.entries, node) == context_.entries.end() || !parameters.empty()) return std::nullopt;
  for (const std::size_t v : context_.live_at(node)) {
    const VarId variable(static_cast<std::uint32_t>(v));
    if (!model_.assigned[v] || !model_.scalar(variable)) continue;
    if (auto choice = choose_behind(node, variable, {})) return choice;
  }
  return std::nullopt;
}

std::optional<TargetWriter::Choice> TargetWriter::choose_behind(std::uint32_t node, VarId variable,
                                                                const std::set<std::uint32_t>& stops) {
  std::optional<Found> found = find(node, variable, {scope_.known, scope_.excluded, stops, scope_.may_duplicate});
  if (!found) return std::nullopt;
  return Choice{std::make_shared<const Found>(std::move(*found))};
}

void TargetWriter::write(const Choice& choice) {
  if (choice.found->next) return write_next(*choice.found);
  if (choice.drawn) shared_.targets_in.insert(scope_.node);
  write_moves(*choice.found, choice.drawn);
}

// Where moves are drawn, no value is followed alone: each counts as if there were as many targets behind it as behind
// any.
std::optional<TargetWriter::Choice> TargetWriter::choose_pairs(const Step& any) {
  if (context_.purpose != Purpose::moves || !shared_.any_output() || !shared_.layout.packed ||
      !model_.scalar(any.variable))
    return std::nullopt;
  auto choice = choose_behind(any.to, any.variable, {});
  if (!choice || choice->found->next || choice->found->needs_planes > kSizes.drawn_planes) return std::nullopt;
  choice->drawn = true;
  return choice;
}

void TargetWriter::write_pairs(const Choice& choice, std::size_t words, const WordCode& mask) {
  const Found& found = *choice.found;
  shared_.targets_in.insert(scope_.node);
  scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
  const std::string have = write_have(found);
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
std::string TargetWriter::write_second(const Found& found, const Tables& names, bool few, const std::string& asked) {
  std::string second = expressions_.fresh("second");
  scope_.text.line(fmt::format("static constexpr SecondTargets {} = {{{}[0][0], {}[0], {}, {}, {}, {}, {}, {}{}}};",
                               second, names.needs, names.shown, names.valid, found.needs_planes, found.padded,
                               found.most, shift_of(found), few, asked));
  return second;
}

// Functions behind a node that are lists of targets.
std::set<std::uint32_t> TargetWriter::functions_behind(std::uint32_t node) {
  std::set<std::uint32_t> seen = {node};
  std::vector<std::uint32_t> work = {node};
  std::set<std::uint32_t> result;
  while (!work.empty() && seen.size() < kEfforts.target_nodes) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (!context_.contains(at)) continue;
    if (at != node && plan_.own_function(at, scope_.excluded) && function(at) != nullptr) {
      result.insert(at);
      continue;
    }
    for (const std::uint32_t s : context_.at(at).out) {
      const Step& step = model_.steps[s];
      if (!step.ends_move && seen.insert(step.to).second) work.push_back(step.to);
    }
  }
  return result;
}

std::optional<TargetWriter::Choice> TargetWriter::choose_behind(const Step& any) {
  if (!model_.scalar(any.variable) || shared_.for_device) return std::nullopt;
  return choose_behind(any.to, any.variable, functions_behind(any.to));
}

std::optional<TargetWriter::Found> TargetWriter::find(std::uint32_t node, VarId variable, WalkBounds bounds) {
  if (!shared_.layout.packed || !context_.contains(node) || context_.is_goal(node) || !context_.tags_static(node) ||
      context_.at(node).reaches_test || shared_.target_attempts++ > kEfforts.target_attempts) {
    return std::nullopt;
  }
  auto walks = find_set_walks(model_, facts_, context_, node, variable, std::move(bounds));
  if (!walks || walks->sources.empty() || walks->sources.size() * walks->words > kSizes.target_planes)
    return std::nullopt;
  std::optional<Found> begun = begin(node, variable, std::move(*walks));
  if (!begun) return std::nullopt;
  Found& found = *begun;
  const SetWalks& of = found.walks;
  const Needed start(found.targets.size(), std::vector<Bits>(of.sources.size(), Bits(of.words * kWord)));
  if (!collect(of.items, start, found)) return std::nullopt;
  const std::size_t most = most_of(found);
  join_alike(found);
  found.most = most_of(found);
  found.padded = (found.most + kVector - 1) / kVector * kVector;
  found.needs_planes = found.walks.sources.size() * found.walks.words;
  if (most < kCosts.targets_least || found.most > kSizes.targets ||
      found.targets.size() * found.padded * (found.needs_planes + 1) > kSizes.target_table) {
    return std::nullopt;
  }
  return begun;
}

// What is found of walks without their targets; none where what they ask is no table of cells.
std::optional<TargetWriter::Found> TargetWriter::begin(std::uint32_t node, VarId variable, SetWalks walks) const {
  const auto plain = [](const CellPredicate& source) {
    return source.kind == CellPredicate::Kind::contents || source.kind == CellPredicate::Kind::kinds;
  };
  if (!shared_.techniques.use(Technique::targets) || !std::ranges::all_of(walks.sources, plain)) return std::nullopt;
  Found found;
  found.variable = variable;
  found.node = node;
  found.targets.resize(model_.universes[model_.variable_shape(variable).leaf].size());
  found.walks = std::move(walks);
  return found;
}

std::size_t TargetWriter::most_of(const Found& found) {
  std::size_t most = 0;
  for (const auto& of_value : found.targets) most = std::max(most, of_value.size());
  return most;
}

// Cells that hold what one of two sources asks for; none where the sources do not say that in one table.
std::optional<CellPredicate> TargetWriter::either(const CellPredicate& a, const CellPredicate& b) const {
  if (a.board != b.board || a.negated || b.negated) return std::nullopt;
  if (b.kind != CellPredicate::Kind::contents) {
    return a.kind == CellPredicate::Kind::contents ? either(b, a) : std::nullopt;
  }
  CellPredicate result = a;
  if (a.kind == CellPredicate::Kind::contents) {
    result.codes.insert(result.codes.end(), b.codes.begin(), b.codes.end());
    sort_unique(result.codes);
    return result;
  }
  const auto& e = model_.game.expressions();
  const std::size_t lanes =
      kind_lanes(model_.universes[model_.variable_shape(e.variable(e.root(a.board))).leaf].size());
  for (std::size_t row = 0; row < result.table.size(); row += lanes) {
    for (const std::uint32_t code : b.codes) result.table[row + code] = kAllOnes;
  }
  return result;
}

// Of two targets that are the same move, one where a cell is empty and one where it has a piece to be captured, one
// becomes that asks whether the cell holds either.
void TargetWriter::join_alike(Found& found) const {
  const std::size_t sources = found.walks.sources.size();
  for (std::size_t a = 0; a < sources; ++a) {
    for (std::size_t b = a + 1; b < sources && found.walks.sources.size() == sources; ++b) {
      const std::optional<CellPredicate> both = either(found.walks.sources[a], found.walks.sources[b]);
      if (!both || std::ranges::find(found.walks.sources, *both) != found.walks.sources.end()) continue;
      bool any = false;
      for (auto& of_value : found.targets) any = join_alike(of_value, a, b) || any;
      if (any) found.walks.sources.push_back(*both);
    }
  }
  if (found.walks.sources.size() == sources) return;
  for (auto& of_value : found.targets) {
    for (Target& target : of_value) target.needs.resize(sources + 1, Bits(found.walks.words * kWord));
  }
  drop_sources(found);
}

// Sources of which nothing is needed.
void TargetWriter::drop_sources(Found& found) {
  for (std::size_t i = found.walks.sources.size(); i-- > 0;) {
    const bool asked = std::ranges::any_of(found.targets, [&](const auto& of_value) {
      return std::ranges::any_of(of_value, [&](const Target& target) { return target.needs[i].any(); });
    });
    if (asked) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    found.walks.sources.erase(found.walks.sources.begin() + at);
    for (auto& of_value : found.targets) {
      for (Target& target : of_value) target.needs.erase(target.needs.begin() + at);
    }
  }
}

// Pairs of which the first needs one cell more from source a, and the second the same cell from source b.
bool TargetWriter::join_alike(std::vector<Target>& targets, std::size_t a, std::size_t b) {
  const std::size_t sources = targets.empty() ? 0 : targets[0].needs.size();
  const auto joined = [&](const Target& one, const Target& other) -> std::optional<std::vector<Bits>> {
    if (one.shown != other.shown || one.to != other.to || one.needs.size() != sources || other.needs.size() != sources)
      return std::nullopt;
    const Bits more = one.needs[a] - other.needs[a];
    if (more.count() != 1 || more != other.needs[b] - one.needs[b]) return std::nullopt;
    std::vector<Bits> needs = one.needs;
    needs[a] = one.needs[a] - more;
    std::vector<Bits> others = other.needs;
    others[b] = other.needs[b] - more;
    if (needs != others) return std::nullopt;
    needs.push_back(more);
    return needs;
  };
  const std::size_t before = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t k = i + 1; k < targets.size(); ++k) {
      std::optional<std::vector<Bits>> needs = joined(targets[i], targets[k]);
      if (!needs) needs = joined(targets[k], targets[i]);
      if (!needs) continue;
      targets[i].needs = std::move(*needs);
      targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
  }
  return targets.size() < before;
}

// `at`: what is needed to come here, by value; none where nobody comes.
bool TargetWriter::collect(const std::vector<SetItem>& items, const Needed& at, Found& into) {
  for (const SetItem& item : items) {
    if (item.kind == SetItem::Kind::narrow) {
      const auto next = needed_behind(item, at);
      if (!next || !collect(item.inside, *next, into)) return false;
      continue;
    }
    const bool ends = item.kind == SetItem::Kind::moves;
    const std::vector<SetTag>& tags = ends || !item.way ? item.tags : item.way->tags;
    if (!ends && !goes_on(item, into)) return false;
    if (ends && into.next) return false;
    into.ends = into.ends || ends;
    for (std::size_t x = 0; x < at.size(); ++x) {
      if (!at[x] || !item.possible.test(x)) continue;
      const auto shown = shown_by(tags, x, passed(into.node));
      if (!shown) return false;
      Target target{*at[x], *shown};
      if (!ends) target.to = item.way->values.at(function_parameter(*into.next).value)[x];
      into.targets[x].push_back(std::move(target));
    }
  }
  return true;
}

// How many tags come before those that the tables have: wide moves have a word for these alone.
std::uint32_t TargetWriter::passed(std::uint32_t node) const {
  return shared_.layout.wide ? 0 : context_.at(node).tags_max;
}

// What a table has of tags behind so many others; none where it has no room.
std::optional<std::uint64_t> TargetWriter::shown_by(const std::vector<SetTag>& tags, std::size_t x,
                                                    std::uint32_t passed) const {
  const std::uint32_t bits = shared_.layout.bits;
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (tags[i].outer.valid() || (passed + i + 1) * bits > kWord) return std::nullopt;
    result |= std::uint64_t{tags[i].tags[x]} << ((passed + i) * bits);
  }
  return result;
}

VarId TargetWriter::function_parameter(std::uint32_t node) const { return facts_.parameters(context_, node)[0]; }

// All targets go on at one node, with the same cells written. What is written where the walk has come is left out when
// nothing that follows asks for it: rays do not come back to where they begin.
bool TargetWriter::goes_on(const SetItem& item, Found& into) {
  if (item.kind != SetItem::Kind::scalarize || into.ends) return false;
  const SetWay& way = *item.way;
  if (into.next.value_or(item.node) != item.node || !way.values.contains(function_parameter(item.node).value) ||
      !way.clobbered.empty()) {
    return false;
  }
  std::vector<SetWay::Write> writes;
  for (const SetWay::Write& write : way.writes) {
    if (!write.value) return false;
    if (!is_unseen(write, item)) writes.push_back(write);
  }
  const auto same = [](const SetWay::Write& a, const SetWay::Write& b) {
    return a.map == b.map && a.cell == b.cell && a.value == b.value;
  };
  if (!into.next) into.writes = writes;
  into.next = item.node;
  return std::ranges::equal(into.writes, writes, same);
}

// The write is to the place where the walk has come, and no way on from there asks what that holds.
bool TargetWriter::is_unseen(const SetWay::Write& write, const SetItem& item) {
  const VarId parameter = function_parameter(item.node);
  const std::shared_ptr<const Found> next = function(item.node);
  if (next == nullptr || model_.variable_shape(write.map).keys[0] != model_.variable_shape(parameter).leaf)
    return false;
  const auto& places = item.way->values.at(parameter.value);
  return std::ranges::all_of(item.possible, [&](std::size_t x) {
    const std::uint32_t place = places[x];
    return write.cell[x] == place && std::ranges::none_of(next->targets[place], [&](const Target& target) {
             return std::ranges::any_of(target.needs, [&](const Bits& cells) { return cells.test(place); });
           });
  });
}

// What the boards have of what targets need, as an array of this name.
std::string TargetWriter::write_have(const Found& found) {
  std::string have;
  for (const CellPredicate& source : found.walks.sources) {
    const std::string name = expressions_.fresh("cells");
    scope_.text.line(fmt::format("const auto {} = {};", name, expressions_.cells_where(source, found.walks.words)));
    for (std::size_t w = 0; w < found.walks.words; ++w)
      have += fmt::format("{}{}.words[{}]", have.empty() ? "" : ", ", name, w);
  }
  std::string all = expressions_.fresh("have");
  scope_.text.line(fmt::format("const std::uint64_t {}[{}] = {{{}}};", all, found.needs_planes, have));
  return all;
}

TargetWriter::Tables TargetWriter::tables(const Found& found) {
  std::vector<std::uint64_t> needs;
  std::vector<std::uint64_t> shown;
  std::vector<std::uint64_t> valid;
  std::vector<std::uint64_t> to;
  const std::size_t words = found.walks.words;
  for (const auto& of_value : found.targets) {
    for (std::size_t p = 0; p < found.needs_planes; ++p) {
      for (std::size_t t = 0; t < found.padded; ++t) {
        needs.push_back(t < of_value.size() ? of_value[t].needs[p / words].word(p % words) : 0);
      }
    }
    for (std::size_t t = 0; t < found.padded; ++t) {
      shown.push_back(t < of_value.size() ? of_value[t].shown : 0);
      to.push_back(t < of_value.size() ? of_value[t].to : 0);
    }
    valid.push_back(of_value.size() == kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << of_value.size()) - 1);
  }
  const std::size_t size = found.targets.size();
  Tables result;
  result.needs = shared_.number_table(needs, {size, found.needs_planes, found.padded}, "std::uint64_t", "needs");
  result.shown = shared_.number_table(shown, {size, found.padded}, "std::uint64_t", "shown");
  result.valid = shared_.number_table(valid, {size}, "std::uint64_t", "valid");
  if (found.next) result.to = shared_.number_table(to, {size, found.padded}, "std::uint16_t", "to");
  return result;
}

// Of wide moves the table shows the tags behind those that were passed.
std::uint32_t TargetWriter::shift_of(const Found& found) const {
  return shared_.layout.wide ? context_.at(found.node).tags_max * shared_.layout.bits : 0;
}

void TargetWriter::write_moves(const Found& found, bool drawn) {
  scope_.text.comment("All targets of this value: what each needs is compared with the board.");
  scope_.text.open("{");
  const std::string have = write_have(found);
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
void TargetWriter::write_next(const Found& found) {
  const std::shared_ptr<const Found> behind = function(*found.next);
  const Found& next = *behind;
  scope_.text.comment("All targets of this value, and what follows each.");
  scope_.text.open("{");
  const std::string have = write_have(found);
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
    const std::string cell = expressions_.fresh("cell");
    const std::string old = expressions_.fresh("old");
    scope_.text.line(fmt::format("auto& {} = s.{}[{}];", cell, model_.identifiers[write.map.value],
                                 of_value(write.cell, all, shape.keys[0], x)));
    scope_.text.line(fmt::format("const auto {} = {};", old, cell));
    scope_.text.line(fmt::format("{0} = static_cast<std::remove_reference_t<decltype({0})>>({1});", cell,
                                 of_value(*write.value, all, shape.leaf, x)));
    undo.push_back(fmt::format("{} = {};", cell, old));
    note_write(*found.next, cell);
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
  const std::uint32_t parameter = function_parameter(*found.next).value;
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
std::string TargetWriter::write_have_behind(const Found& found, const Found& next, const Bits& possible,
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
