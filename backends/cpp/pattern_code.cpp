// Code for checks that ask about the cells of one board (patterns.hpp). What the cells hold becomes bit masks, one
// vector comparison each; clauses become bit sets in tables, by the values of what they depend on. They take these
// forms:
//   needed   what all clauses need;
//   any      clauses of one cell: the mask meets a set;
//   meeting  clauses of one decisive cell and others that hold one thing (an attacker, and nothing between): for each
//            decisive cell that there is, the others are one set;
//   sets     the rest: each clause a set for each thing that cells hold, all of a row compared at once.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/patterns.hpp"
#include "backends/cpp/writer.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

namespace {

constexpr std::uint32_t kBits = kPatternCells;
constexpr std::size_t kLanes = 8;  // sets in one vector
constexpr const char* kAllCells = "0xffffffffffffffffu";
constexpr std::uint64_t kEmptySet = 0, kFullSet = ~std::uint64_t{0};

using Given = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// What a cell must hold: one of some values, or none of them; and these places it must not be.
struct Kind {
  std::vector<std::uint32_t> values;
  bool negated = false;
  std::vector<std::uint32_t> except{};
  auto operator<=>(const Kind&) const = default;
};
using Need = std::pair<std::uint32_t, Kind>;  // a cell and what it must hold

struct Case {
  Given given;
  std::vector<Need> needs;  // sorted

  [[nodiscard]] std::map<Kind, std::uint64_t> sets() const {
    std::map<Kind, std::uint64_t> result;
    for (const auto& [cell, kind] : needs) result[kind] |= std::uint64_t{1} << cell;
    return result;
  }
};

// Cases of clauses in which a cell holds a value, or is a place, whichever: a place is one cell alone, so that each of
// several cells may be allowed to be it.
std::vector<Case> with_places(const CheckPatterns& patterns) {
  const auto is_place = [&](const PatternLiteral& l) { return !l.negated && patterns.values[l.value].place; };
  // What a cell is not belongs to what it is.
  const auto case_of = [&](const Clause& clause, auto&& kind_of) {
    Case made = {clause.given, {}};
    const auto& literals = clause.literals;
    const auto excludes = [&](const PatternLiteral& l) { return l.negated && patterns.values[l.value].place; };
    for (std::size_t i = 0; i < literals.size(); ++i) {
      Kind kind = kind_of(i);
      const bool alone = std::ranges::none_of(
          literals, [&](const PatternLiteral& l) { return l.cell == literals[i].cell && !excludes(l); });
      if (excludes(literals[i]) && !alone) continue;
      for (const PatternLiteral& l : literals)
        if (!alone && l.cell == literals[i].cell && excludes(l)) kind.except.push_back(l.value);
      std::ranges::sort(kind.values);
      made.needs.emplace_back(literals[i].cell, std::move(kind));
    }
    std::ranges::sort(made.needs);
    return made;
  };
  const std::set<Clause> all(patterns.clauses.begin(), patterns.clauses.end());
  std::set<Clause> joined;
  std::vector<Case> result;
  for (const Clause& clause : patterns.clauses) {
    if (std::ranges::any_of(clause.literals, is_place)) continue;
    result.push_back(case_of(clause, [&](std::size_t i) {
      Kind kind{{clause.literals[i].value}, clause.literals[i].negated};
      for (std::uint32_t place = 0; place < patterns.values.size() && !kind.negated; ++place) {
        if (!patterns.values[place].place) continue;
        Clause other = clause;
        other.literals[i].value = place;
        std::ranges::sort(other.literals);
        if (!all.contains(other)) continue;
        kind.values.push_back(place);
        joined.insert(std::move(other));
      }
      return kind;
    }));
  }
  for (const Clause& clause : patterns.clauses) {
    if (std::ranges::none_of(clause.literals, is_place) || joined.contains(clause)) continue;
    result.push_back(case_of(clause, [&](std::size_t i) {
      return Kind{{clause.literals[i].value}, clause.literals[i].negated};
    }));
  }
  return result;
}

// Cases that differ in one value of one cell become one.
std::vector<Case> merge(const CheckPatterns& patterns) {
  std::vector<Case> cases = with_places(patterns);
  struct Others {
    Given given;
    std::vector<Need> needs;
    std::uint32_t cell;
    std::vector<std::uint32_t> except;
    auto operator<=>(const Others&) const = default;
  };
  std::map<Others, std::vector<std::pair<std::size_t, std::uint32_t>>> alike;  // cases, and their values of the cell
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Case& made = cases[c];
    for (std::size_t i = 0; i < made.needs.size(); ++i) {
      const auto& [cell, kind] = made.needs[i];
      if (kind.negated || kind.values.size() > 1) continue;
      std::vector<Need> others = made.needs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      alike[{made.given, std::move(others), cell, kind.except}].emplace_back(c, kind.values[0]);
    }
  }
  std::vector<bool> joined(cases.size(), false);
  std::vector<Case> result;
  for (const auto& [key, members] : alike) {
    if (members.size() < 2) continue;
    if (std::any_of(members.begin(), members.end(), [&](const auto& m) { return joined[m.first]; })) continue;
    Case made = {key.given, key.needs};
    Kind kind{{}, false, key.except};
    for (const auto& [index, value] : members) {
      joined[index] = true;
      kind.values.push_back(value);
    }
    std::sort(kind.values.begin(), kind.values.end());
    made.needs.emplace_back(key.cell, std::move(kind));
    std::sort(made.needs.begin(), made.needs.end());
    result.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!joined[i]) result.push_back(std::move(cases[i]));
  }
  return result;
}

// Cases of one form that share a table.
struct Group {
  std::vector<Kind> kinds;  // decisive ones; of sets: all
  Kind other;               // of a meeting
  std::vector<Case> cases;
};

// How many conditions the check would ask when all fail, on average.
double effort(const std::vector<Case>& cases, const std::vector<std::uint32_t>& sizes) {
  double result = 0;
  for (const Case& c : cases) {
    double share = static_cast<double>(c.needs.size());
    for (const auto& [parameter, code] : c.given) share /= sizes[parameter];
    result += share;
  }
  return result;
}

// Whether a check is asked a few steps behind an assignment to the board, in the same move.
bool follows_write(const NumberedGame& model, const GameFacts& facts, const CodeContext& check, VarId board) {
  std::set<std::uint32_t> nodes;
  for (const Step& step : model.steps) {
    if (step.kind == Deed::check && &facts.checks[step.check] == &check) nodes.insert(step.from);
  }
  for (int i = 0; i < kEfforts.write_distance; ++i) {
    std::set<std::uint32_t> before = nodes;
    for (const Step& step : model.steps) {
      if (!nodes.contains(step.to) || step.ends_move) continue;
      if (is_assignment(step) && step.variable == board) return true;
      before.insert(step.from);
    }
    nodes = std::move(before);
  }
  return false;
}

}  // namespace

// Writes the functions of one check.
class PatternCode {
 public:
  PatternCode(const CheckPatterns& patterns, const NumberedGame& model, Shared& shared)
      : patterns_(patterns), shared_(shared) {
    for (const ExprId parameter : patterns.parameters) {
      const std::uint32_t universe = model.shape(model.game.expressions().type(parameter)).leaf;
      sizes_.push_back(model.universes[universe].size());
    }
  }

  enum class Verdict : std::uint8_t { good, worse, large };
  // Whether this is better than other code, worse, or too large. `waits`: a cell of the board has just been written, so
  // that a processor waits before it reads whole vectors of it.
  Verdict plan(bool waits) {
    std::vector<Case> cases = merge(patterns_);
    take_out_needed(cases);
    std::map<Kind, bool> single;  // exactly one cell in each case of several cells
    std::vector<std::uint32_t> used;
    for (const Case& c : cases) {
      for (const auto& [cell, kind] : c.needs) {
        used.insert(used.end(), kind.values.begin(), kind.values.end());
        single.try_emplace(kind, true);
      }
      if (c.needs.size() == 1) continue;
      for (const auto& [kind, set] : c.sets()) single[kind] = single[kind] && (set & (set - 1)) == 0;
    }
    for (const Group& group : needed_)
      used.insert(used.end(), group.kinds[0].values.begin(), group.kinds[0].values.end());
    sort_unique(used);
    values_ = used.size();
    const double asked = effort(cases, sizes_);
    const bool few =
        shared_.for_device ? asked < kCosts.patterns_on_device : asked < 2.0 * static_cast<double>(used.size()) + 2.0;
    if (few || (waits && !shared_.for_device && asked < kCosts.patterns_after_write)) return Verdict::worse;
    // Sets are asked without branches, many by one instruction; meetings are for what is too much for that, and for a
    // device, which has no such instructions.
    for (const bool meet : {shared_.for_device, !shared_.for_device}) {
      for (auto* groups : {&any_, &meetings_, &sets_}) groups->clear();
      for (const Case& c : cases) place(c, single, meet);
      if (fits_all()) return Verdict::good;
    }
    return Verdict::large;
  }

  // Whether numbers of so many bits are better taken apart once than compared with each of the values.
  [[nodiscard]] bool in_planes(unsigned bits) const {
    return bits > 0 && kCosts.plane * bits + kCosts.equal_in_planes * values_ < kCosts.equal_cells * values_;
  }

  // `mask` gives the name of a kind's mask and writes it where that is new, `index` the text of a parameter.
  template <class MaskOf, class IndexOf>
  void write(Text& text, MaskOf&& mask, IndexOf&& index) {
    const auto join = [](const std::vector<std::string>& parts, const char* with) {
      return parts.size() == 1 ? parts[0] : fmt::format("({})", fmt::join(parts, with));
    };
    const auto meets = [&](const Group& group, const Kind& kind) {
      const std::string cells = any_table(group, kind, index);
      return cells == kAllCells ? mask(kind) : fmt::format("({} & {})", mask(kind), cells);
    };
    for (const Group& group : needed_) {
      const Kind& kind = group.kinds[0];
      text.line(fmt::format("if (({} & ~{}) != 0) return false;", any_table(group, kind, index), mask(kind)));
    }
    std::vector<std::string> tests;
    for (const Group& group : any_) tests.push_back(meets(group, group.kinds[0]));
    if (!tests.empty()) text.line(fmt::format("if ({} != 0) return true;", join(tests, " | ")));
    for (const Group& group : meetings_) {
      std::vector<std::string> cells;
      for (const Kind& kind : group.kinds) cells.push_back(meets(group, kind));
      const std::string other = mask(group.other);
      text.open(fmt::format("for (std::uint64_t rest = {}; rest != 0; rest &= rest - 1) {{", join(cells, " | ")));
      text.line(fmt::format("if (({}[lowest_bit(rest)] & ~{}) == 0) return true;", other_table(group, index), other));
      text.close();
    }
    for (const Group& group : sets_) {
      std::vector<std::string> all;
      const bool sole = group.kinds.size() == 1;
      for (const Kind& kind : group.kinds) {
        std::string in = mask(kind);
        // Full sets stand for "never": they are not contained in what other sets use.
        if (kind == group.kinds[0] && has_empty_row(group)) in += fmt::format(" & 0x{:x}u", used(group, kind));
        all.push_back(fmt::format("{}contained({}, {})", sole ? "any_" : "", set_table(group, kind, index), in));
      }
      text.line(fmt::format("if ({}{}) return true;", join(all, " & "), sole ? "" : " != 0"));
    }
    text.line("return false;");
  }

 private:
  // What all cases of a row need in the same cells is asked first.
  void take_out_needed(std::vector<Case>& cases) {
    std::map<Kind, std::map<Given, std::uint64_t>> sets;
    std::map<Kind, std::size_t> count;
    for (const Case& c : cases) {
      for (const auto& [kind, set] : c.sets()) {
        const auto [it, fresh] = sets[kind].try_emplace(c.given, set);
        if (fresh || it->second == set) ++count[kind];
      }
      if (!same_parameters(c.given, cases[0].given)) return;
    }
    for (const auto& [kind, with] : count) {
      const bool all = with == cases.size();
      const bool something_left = std::all_of(cases.begin(), cases.end(), [&, k = &kind](const Case& c) {
        return std::any_of(c.needs.begin(), c.needs.end(), [&](const Need& n) { return n.second != *k; });
      });
      if (!all || !something_left) continue;
      Group group = {{kind}, {}, {}};
      for (Case& c : cases) {
        Case needed = {c.given, {}};
        std::copy_if(c.needs.begin(), c.needs.end(), std::back_inserter(needed.needs),
                     [k = &kind](const Need& n) { return n.second == *k; });
        std::erase_if(c.needs, [k = &kind](const Need& n) { return n.second == *k; });
        group.cases.push_back(std::move(needed));
      }
      needed_.push_back(std::move(group));
    }
  }

  static bool same_parameters(const Given& a, const Given& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
  }

  void place(const Case& made, const std::map<Kind, bool>& single, bool meet) {
    const std::map<Kind, std::uint64_t> sets = made.sets();
    if (made.needs.size() == 1) {
      const Kind kind = made.needs[0].second;
      group_of(any_, [&](const Group& g) { return g.kinds[0] == kind; }, {{kind}, {}, {}}).cases.push_back(made);
      return;
    }
    for (const auto& [kind, set] : sets) {
      if (!meet || sets.size() != 2 || !single.at(kind)) continue;
      const Kind other = sets.begin()->first == kind ? sets.rbegin()->first : sets.begin()->first;
      const auto suits = [&](const Group& g) { return g.other == other && free(g, made); };
      Group& group = group_of(meetings_, suits, {{}, other, {}});
      if (std::find(group.kinds.begin(), group.kinds.end(), kind) == group.kinds.end()) group.kinds.push_back(kind);
      group.cases.push_back(made);
      return;
    }
    std::vector<Kind> kinds;
    for (const auto& [kind, set] : sets) kinds.push_back(kind);
    group_of(sets_, [&](const Group& g) { return g.kinds == kinds; }, {kinds, {}, {}}).cases.push_back(made);
  }

  template <class Suits>
  static Group& group_of(std::vector<Group>& groups, Suits&& suits, Group otherwise) {
    const auto it = std::find_if(groups.begin(), groups.end(), suits);
    if (it != groups.end()) return *it;
    return groups.emplace_back(std::move(otherwise));
  }

  static std::uint32_t decisive_cell(const Case& c, const Kind& other) {
    return std::find_if(c.needs.begin(), c.needs.end(), [&](const Need& n) { return n.second != other; })->first;
  }

  // No case of the group has the same decisive cell in a row of the table that this one is part of.
  static bool free(const Group& group, const Case& made) {
    return std::all_of(group.cases.begin(), group.cases.end(), [&](const Case& c) {
      if (!same_parameters(c.given, made.given)) return false;
      return c.given != made.given || decisive_cell(c, group.other) != decisive_cell(made, group.other);
    });
  }

  // The parameters of a group, in order.
  static std::vector<std::uint32_t> parameters(const Group& group) {
    std::vector<std::uint32_t> result;
    for (const Case& c : group.cases) {
      for (const auto& [parameter, code] : c.given) result.push_back(parameter);
    }
    sort_unique(result);
    return result;
  }

  [[nodiscard]] std::uint64_t rows(const Group& group) const {
    std::uint64_t result = 1;
    for (const std::uint32_t p : parameters(group)) result *= sizes_[p];
    return result;
  }
  [[nodiscard]] bool fits_all() const {
    const auto all = [](const std::vector<Group>& groups, auto&& suits) {
      return std::all_of(groups.begin(), groups.end(), suits);
    };
    return all(needed_, [&](const Group& g) { return fits(g, 1); }) &&
           all(any_, [&](const Group& g) { return fits(g, 1); }) &&
           all(meetings_, [&](const Group& g) { return fits(g, kBits); }) &&
           all(sets_, [&](const Group& g) { return fits_sets(g); });
  }
  [[nodiscard]] bool fits(const Group& group, std::uint64_t words) const {
    return rows(group) * words <= kSizes.pattern_table;
  }

  // Calls f(row) for each row of the group's tables that a case is part of.
  template <class F>
  void for_each_row(const Group& group, const Case& c, F&& f) const {
    const std::vector<std::uint32_t> all = parameters(group);
    for (std::uint64_t row = 0, count = rows(group); row < count; ++row) {
      std::uint64_t rest = row;
      bool mine = true;
      for (std::size_t k = all.size(); k-- > 0;) {
        for (const auto& [parameter, code] : c.given)
          mine = mine && (parameter != all[k] || code == rest % sizes_[all[k]]);
        rest /= sizes_[all[k]];
      }
      if (mine) f(row);
    }
  }

  template <class IndexOf>
  std::string table(const Group& group, const std::vector<std::uint64_t>& words, std::size_t width, const char* name,
                    IndexOf&& index) {
    std::vector<std::size_t> dimensions;
    std::string where;
    for (const std::uint32_t p : parameters(group)) {
      dimensions.push_back(sizes_[p]);
      where += "[" + index(p) + "]";
    }
    if (width == 1 && dimensions.empty()) return fmt::format("0x{:x}u", words[0]);
    if (width > 1) dimensions.push_back(width);
    return shared_.number_table(words, dimensions, "std::uint64_t", name) + where;
  }

  // The cells that must hold something of a kind in one of the cases.
  template <class IndexOf>
  std::string any_table(const Group& group, const Kind& kind, IndexOf&& index) {
    std::vector<std::uint64_t> words(rows(group), kEmptySet);
    for (const Case& c : group.cases) {
      const std::map<Kind, std::uint64_t> sets = c.sets();
      const auto set = sets.find(kind);
      if (set == sets.end()) continue;
      for_each_row(group, c, [&](std::uint64_t row) { words[row] |= set->second; });
    }
    return table(group, words, 1, "cells", index);
  }

  template <class IndexOf>
  std::string other_table(const Group& group, IndexOf&& index) {
    std::vector<std::uint64_t> words(rows(group) * kBits, kEmptySet);
    for (const Case& c : group.cases) {
      const std::uint32_t cell = decisive_cell(c, group.other);
      for_each_row(group, c, [&](std::uint64_t row) { words[row * kBits + cell] = c.sets().at(group.other); });
    }
    return table(group, words, kBits, "between", index);
  }

  // By row: the cases.
  [[nodiscard]] std::vector<std::vector<const Case*>> by_row(const Group& group) const {
    std::vector<std::vector<const Case*>> result(rows(group));
    for (const Case& c : group.cases) for_each_row(group, c, [&](std::uint64_t row) { result[row].push_back(&c); });
    return result;
  }

  [[nodiscard]] bool has_empty_row(const Group& group) const {
    const auto all = by_row(group);
    return std::any_of(all.begin(), all.end(), [](const auto& row) { return row.empty(); });
  }

  [[nodiscard]] bool fits_sets(const Group& group) const {
    if (!fits(group, kSizes.pattern_sets)) return false;
    const auto all = by_row(group);
    return std::all_of(all.begin(), all.end(), [](const auto& row) { return row.size() <= kSizes.pattern_sets; }) &&
           (!has_empty_row(group) || used(group, group.kinds[0]) != kFullSet);
  }

  static std::uint64_t used(const Group& group, const Kind& kind) {
    std::uint64_t result = 0;
    for (const Case& c : group.cases) result |= c.sets().at(kind);
    return result;
  }

  template <class IndexOf>
  std::string set_table(const Group& group, const Kind& kind, IndexOf&& index) {
    const std::vector<std::vector<const Case*>> cases = by_row(group);
    std::size_t width = 0;
    for (const auto& row : cases) width = std::max(width, row.size());
    width = (width + kLanes - 1) / kLanes * kLanes;
    std::vector<std::uint64_t> words;
    for (const auto& row : cases) {
      for (std::size_t i = 0; i < width; ++i)
        words.push_back(row.empty() ? kFullSet : row[i < row.size() ? i : 0]->sets().at(kind));
    }
    return table(group, words, width, "sets", index);
  }

  const CheckPatterns& patterns_;
  Shared& shared_;
  std::vector<std::uint32_t> sizes_;  // by parameter
  std::size_t values_ = 0;            // that are asked for
  std::vector<Group> needed_, any_, meetings_, sets_;
};

bool SearchWriter::CheckForm::complete() const {
  return expression || (patterns && patterns->assumed.empty() && patterns->inside.empty());
}

SearchWriter::CheckForm SearchWriter::choose_form() {
  if (context_.purpose != Purpose::check) return {};
  for (const PatternMeans means : {PatternMeans::plain, PatternMeans::places}) {
    std::size_t& budget = means == PatternMeans::plain ? shared_.pattern_budget : shared_.place_budget;
    std::optional<CheckPatterns> found = find_patterns(model_, facts_, context_, means, budget);
    if (!found) continue;
    const auto patterns = std::make_shared<const CheckPatterns>(std::move(*found));
    const auto code = std::make_shared<PatternCode>(*patterns, model_, shared_);
    const bool waits = model_.variable_shape(patterns->board).sizes.back() > kCosts.cells_in_one_vector &&
                       follows_write(model_, facts_, context_, patterns->board);
    const PatternCode::Verdict verdict = code->plan(waits);
    if (verdict == PatternCode::Verdict::good) return {patterns, code};
    if (verdict == PatternCode::Verdict::worse) break;
  }
  return {.expression = is_expression()};
}

void SearchWriter::write(const CheckForm& form) {
  if (form.patterns) {
    write_patterns(form);
  } else if (form.expression) {
    scope_.text.comment("What this check asks, without branches.");
    scope_.text.line("return " + ways_from(context_.entries[0]) + ";");
  }
}

void SearchWriter::write_patterns(const CheckForm& form) {
  const CheckPatterns& patterns = *form.patterns;
  PatternCode& code = *form.code;
  const std::string& board = model_.identifiers[patterns.board.value];
  const std::uint32_t leaf = model_.variable_shape(patterns.board).leaf;
  std::map<std::uint32_t, std::string> masks;
  const unsigned bits = shared_.cell_bits(leaf);
  std::string planes;
  const auto mask_of_value = [&](std::uint32_t index) {
    std::string& name = masks[index];
    if (!name.empty()) return name;
    const PatternValue& asked = patterns.values[index];
    if (asked.place) {
      const std::uint32_t keys = model_.variable_shape(patterns.board).keys.back();
      return name = fmt::format("bit_in_word({}, 0)", expressions_.value(asked.expression, keys));
    }
    const std::string value = expressions_.value(asked.expression, leaf);
    const bool all = model_.game.expressions().kind(asked.row) == ir::ExprKind::variable;
    if (all && code.in_planes(bits) && planes.empty()) {
      planes = expressions_.fresh("planes");
      scope_.text.line(fmt::format("const auto {} = planes_of<{}>(s.{}, 0);", planes, bits, board));
    }
    name = expressions_.fresh("holds");
    scope_.text.line(fmt::format("const std::uint64_t {} = {};", name,
                                 planes.empty() || !all ? expressions_.equal_cells(asked.row, value).at("0")
                                                        : planes + ".equal(" + value + ")"));
    return name;
  };
  const auto mask = [&](const Kind& kind) {
    std::string all;
    for (const std::uint32_t index : kind.values) all += (all.empty() ? "" : " | ") + mask_of_value(index);
    if (kind.values.size() > 1) all = "(" + all + ")";
    if (kind.negated) all = "~" + all;
    for (const std::uint32_t place : kind.except) all += " & ~" + mask_of_value(place);
    return kind.except.empty() ? all : "(" + all + ")";
  };
  const auto index = [&](std::uint32_t parameter) {
    const ExprId expression = patterns.parameters[parameter];
    return expressions_.value(expression, model_.shape(model_.game.expressions().type(expression)).leaf);
  };
  scope_.text.comment("All ways of this check, as sets of cells and what they hold.");
  if (form.complete()) return code.write(scope_.text, mask, index);
  const ArrayShape& shape = model_.variable_shape(patterns.board);
  const std::uint32_t keys = shape.keys.back();
  std::vector<std::string> tests;
  for (const AssumedCell& assumed : patterns.assumed)
    tests.push_back(fmt::format("{}[{}] == {}", expressions_.value(assumed.row, leaf),
                                shared_.enumerator(keys, assumed.cell), shared_.symbol_text(leaf, assumed.holds)));
  for (const ExprId place : patterns.inside)
    tests.push_back(fmt::format("{} < {}", expressions_.value(place, keys),
                                std::min<std::size_t>(kPatternCells, shape.sizes.back())));
  scope_.text.open(fmt::format("if ({}) {{", fmt::join(tests, " && ")));
  code.write(scope_.text, mask, index);
  scope_.text.close();
}

namespace {
// Of a check that becomes one expression. Of more comparisons most fail at once, and branches leave out the others.

Code any_of(const std::vector<Code>& conditions) {
  if (conditions.empty()) return {};
  Code all = conditions[0];
  for (std::size_t i = 1; i < conditions.size(); ++i) all += " | " + conditions[i];
  return conditions.size() > 1 ? "(" + all + ")" : all;
}
}  // namespace

// A check of few comparisons, some of which hold together (rows through a cell), as one expression: a processor would
// often guess their branches wrong. They change nothing, and each may be asked whatever the others say.
bool SearchWriter::is_expression() const {
  if (!shared_.techniques.use(Technique::patterns)) return false;
  const std::uint32_t entry = context_.entries[0];
  const std::size_t count = comparisons_from(entry, 0);
  // What all ways ask first leaves out the others.
  return context_.at(entry).out.size() >= 2 && count >= kCosts.expression_least && count <= kCosts.expression_most;
}

// How many comparisons there are on all ways from the node on; too many where something else is done there.
std::size_t SearchWriter::comparisons_from(std::uint32_t node, std::size_t depth) const {
  constexpr std::size_t kTooMany = kCosts.expression_most + 1;
  if (context_.is_goal(node)) return 0;
  if (!context_.contains(node) || context_.at(node).test || depth == kTooMany) return kTooMany;
  const auto& e = model_.game.expressions();
  std::size_t count = 0;
  for (const Arm& arm : plan_.arms_of(context_.at(node).out)) {
    for (const std::uint32_t s : arm.steps) {
      const Step& step = model_.steps[s];
      const bool assigns = is_assignment(step) && facts_.assignment_live(context_, step);
      const auto is_map = [&](ExprId side) {
        return e.kind(side) != ir::ExprKind::symbol && !model_.shape(e.type(side)).scalar();
      };
      const bool compares_maps = step.kind == Deed::compare && (is_map(step.lhs) || is_map(step.rhs));
      if (assigns || compares_maps || step.kind == Deed::check) return kTooMany;
    }
    count += (arm.guarded ? arm.steps.size() : 0) + comparisons_from(arm.target, depth + 1);
    if (count >= kTooMany) return kTooMany;
  }
  return count;
}

Code SearchWriter::ways_from(std::uint32_t node) {
  std::vector<Code> ways;
  for (const Arm& arm : plan_.arms_of(context_.at(node).out)) {
    std::vector<Code> alike;
    for (const std::uint32_t s : arm.steps) {
      comment_step(model_.steps[s]);
      if (arm.guarded) alike.push_back("(" + expressions_.condition(model_.steps[s]) + ")");
    }
    Code way = any_of(alike);
    if (!context_.is_goal(arm.target)) {
      const Code rest = ways_from(arm.target);
      way = way.empty() ? rest : "(" + way + " & " + rest + ")";
    }
    ways.push_back(way.empty() ? Code("true") : way);
  }
  return any_of(ways);
}

}  // namespace rgtrans::cpp
