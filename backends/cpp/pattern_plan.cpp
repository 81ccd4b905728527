// See pattern_plan.hpp.
#include "backends/cpp/pattern_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/subset.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

namespace {

// Cases of clauses in which a cell holds a value, or is a place, whichever: a place is one cell alone, so that each of
// several cells may be allowed to be it.
std::vector<PatternCase> with_places(const CheckPatterns& patterns) {
  const auto is_place = [&](const PatternLiteral& l) { return !l.negated && patterns.values[l.value].place; };
  // A literal that excludes a place belongs to another literal of the same cell.
  const auto case_of = [&](const Clause& clause, auto&& kind_of) {
    PatternCase made = {clause.given, {}};
    const auto& literals = clause.literals;
    const auto excludes = [&](const PatternLiteral& l) { return l.negated && patterns.values[l.value].place; };
    for (std::size_t i = 0; i < literals.size(); ++i) {
      CellKind kind = kind_of(i);
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
  using Replaced = std::pair<std::size_t, std::uint32_t>;  // a literal, and the place that it asks for instead
  const auto clause_with = [](Clause clause, const std::vector<Replaced>& replaced) {
    for (const auto& [literal, place] : replaced) clause.literals[literal].value = place;
    std::ranges::sort(clause.literals);
    return clause;
  };
  // The case allows all combinations: one place is never at two cells, but two places can be.
  const auto fit_together = [&](const Clause& clause, const Replaced& a, const Replaced& b) {
    if (a.first == b.first) return true;
    if (clause.literals[a.first].cell == clause.literals[b.first].cell) return false;
    return a.second == b.second || all.contains(clause_with(clause, {a, b}));
  };
  const auto replaceable = [&](const Clause& clause) {
    std::vector<Replaced> result;
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < clause.literals.size(); ++i) {
      for (std::uint32_t place = 0; place < patterns.values.size() && !clause.literals[i].negated; ++place) {
        const Replaced made(i, place);
        if (!patterns.values[place].place || (used.size() == kEfforts.combined_places && !used.contains(place)))
          continue;
        const bool fits = all.contains(clause_with(clause, {made})) &&
                          std::ranges::all_of(result, [&](const Replaced& r) { return fit_together(clause, r, made); });
        if (!fits) continue;
        used.insert(place);
        result.push_back(made);
      }
    }
    return result;
  };
  std::set<Clause> joined;
  std::vector<PatternCase> result;
  for (const Clause& clause : patterns.clauses) {
    if (std::ranges::any_of(clause.literals, is_place)) continue;
    const std::vector<Replaced> places = replaceable(clause);
    for (const Replaced& made : places) joined.insert(clause_with(clause, {made}));
    result.push_back(case_of(clause, [&](std::size_t i) {
      CellKind kind{{clause.literals[i].value}, clause.literals[i].negated};
      for (const auto& [literal, place] : places)
        if (literal == i) kind.values.push_back(place);
      return kind;
    }));
  }
  for (const Clause& clause : patterns.clauses) {
    if (std::ranges::none_of(clause.literals, is_place) || joined.contains(clause)) continue;
    result.push_back(case_of(clause, [&](std::size_t i) {
      return CellKind{{clause.literals[i].value}, clause.literals[i].negated};
    }));
  }
  return result;
}

// Cases that differ in one value of one cell become one.
std::vector<PatternCase> merge(const CheckPatterns& patterns) {
  std::vector<PatternCase> cases = with_places(patterns);
  struct Others {
    PatternCase::Given given;
    std::vector<PatternCase::Need> needs;
    std::uint32_t cell;
    std::vector<std::uint32_t> except;
    auto operator<=>(const Others&) const = default;
  };
  std::map<Others, std::vector<std::pair<std::size_t, std::uint32_t>>> alike;  // cases, and their values of the cell
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const PatternCase& made = cases[c];
    for (std::size_t i = 0; i < made.needs.size(); ++i) {
      const auto& [cell, kind] = made.needs[i];
      if (kind.negated || kind.values.size() > 1) continue;
      std::vector<PatternCase::Need> others = made.needs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      alike[{made.given, std::move(others), cell, kind.except}].emplace_back(c, kind.values[0]);
    }
  }
  std::vector<bool> joined(cases.size(), false);
  std::vector<PatternCase> result;
  for (const auto& [key, members] : alike) {
    if (members.size() < 2) continue;
    if (std::ranges::any_of(members, [&](const auto& m) { return joined[m.first]; })) continue;
    PatternCase made = {key.given, key.needs};
    CellKind kind{{}, false, key.except};
    for (const auto& [index, value] : members) {
      joined[index] = true;
      kind.values.push_back(value);
    }
    std::ranges::sort(kind.values);
    made.needs.emplace_back(key.cell, std::move(kind));
    std::ranges::sort(made.needs);
    result.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!joined[i]) result.push_back(std::move(cases[i]));
  }
  return result;
}

// How many conditions the check would ask when all fail, on average.
double effort(const std::vector<PatternCase>& cases, const std::vector<std::uint32_t>& sizes) {
  double result = 0;
  for (const PatternCase& c : cases) {
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

bool same_parameters(const PatternCase::Given& a, const PatternCase::Given& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

std::uint32_t decisive_cell(const PatternCase& c, const CellKind& other) {
  return std::ranges::find_if(c.needs, [&](const PatternCase::Need& n) { return n.second != other; })->first;
}

// No case of the group has the same decisive cell in a row of the table that this one is part of.
bool free(const PatternGroup& group, const PatternCase& made) {
  return std::ranges::all_of(group.cases, [&](const PatternCase& c) {
    if (!same_parameters(c.given, made.given)) return false;
    return c.given != made.given || decisive_cell(c, group.other) != decisive_cell(made, group.other);
  });
}

template <class Suits>
PatternGroup& group_of(std::vector<PatternGroup>& groups, Suits&& suits, PatternGroup otherwise) {
  const auto it = std::ranges::find_if(groups, suits);
  if (it != groups.end()) return *it;
  return groups.emplace_back(std::move(otherwise));
}

}  // namespace

std::map<CellKind, std::uint64_t> PatternCase::sets() const {
  std::map<CellKind, std::uint64_t> result;
  for (const auto& [cell, kind] : needs) result[kind] |= std::uint64_t{1} << cell;
  return result;
}

PatternPlan::PatternPlan(const CheckPatterns& patterns, const NumberedGame& model, bool for_device)
    : patterns_(patterns), for_device_(for_device) {
  for (const ExprId parameter : patterns.parameters) {
    const std::uint32_t universe = model.shape(model.game.expressions().type(parameter)).leaf;
    sizes_.push_back(model.universes[universe].size());
  }
}

PatternPlan::Verdict PatternPlan::choose(bool waits) {
  std::vector<PatternCase> cases = merge(patterns_);
  take_out_needed(cases);
  std::map<CellKind, bool> single;  // exactly one cell in each case of several cells
  std::vector<std::uint32_t> used;
  for (const PatternCase& c : cases) {
    for (const auto& [cell, kind] : c.needs) {
      used.insert(used.end(), kind.values.begin(), kind.values.end());
      single.try_emplace(kind, true);
    }
    if (c.needs.size() == 1) continue;
    for (const auto& [kind, set] : c.sets()) single[kind] = single[kind] && (set & (set - 1)) == 0;
  }
  for (const PatternGroup& group : needed)
    used.insert(used.end(), group.kinds[0].values.begin(), group.kinds[0].values.end());
  sort_unique(used);
  values_ = used.size();
  tested_ = effort(cases, sizes_);
  least_ = for_device_ ? kCosts.patterns_on_device : 2.0 * static_cast<double>(used.size()) + 2.0;
  if (waits && !for_device_) least_ = std::max(least_, kCosts.patterns_after_write);
  if (tested_ < least_) return Verdict::worse;
  // One instruction tests many sets without a branch. Meetings serve patterns that have too many sets, and devices,
  // which lack such instructions.
  for (const bool meet : {for_device_, !for_device_}) {
    for (auto* groups : {&any, &meetings, &sets}) groups->clear();
    for (const PatternCase& c : cases) place(c, single, meet);
    if (fits_all()) return Verdict::good;
  }
  return Verdict::large;
}

bool PatternPlan::in_planes(unsigned bits) const {
  return bits > 0 && kCosts.plane * bits + kCosts.equal_in_planes * values_ < kCosts.equal_cells * values_;
}

// What all cases of a row need in the same cells is asked first.
void PatternPlan::take_out_needed(std::vector<PatternCase>& cases) {
  std::map<CellKind, std::map<PatternCase::Given, std::uint64_t>> by_kind;
  std::map<CellKind, std::size_t> count;
  for (const PatternCase& c : cases) {
    for (const auto& [kind, set] : c.sets()) {
      const auto [it, fresh] = by_kind[kind].try_emplace(c.given, set);
      if (fresh || it->second == set) ++count[kind];
    }
    if (!same_parameters(c.given, cases[0].given)) return;
  }
  for (const auto& [kind, with] : count) {
    const bool all = with == cases.size();
    const bool something_left = std::ranges::all_of(cases, [&, k = &kind](const PatternCase& c) {
      return std::ranges::any_of(c.needs, [&](const PatternCase::Need& n) { return n.second != *k; });
    });
    if (!all || !something_left) continue;
    PatternGroup group = {{kind}, {}, {}};
    for (PatternCase& c : cases) {
      PatternCase taken = {c.given, {}};
      std::ranges::copy_if(c.needs, std::back_inserter(taken.needs),
                           [k = &kind](const PatternCase::Need& n) { return n.second == *k; });
      std::erase_if(c.needs, [k = &kind](const PatternCase::Need& n) { return n.second == *k; });
      group.cases.push_back(std::move(taken));
    }
    needed.push_back(std::move(group));
  }
}

void PatternPlan::place(const PatternCase& made, const std::map<CellKind, bool>& single, bool meet) {
  const std::map<CellKind, std::uint64_t> all = made.sets();
  if (made.needs.size() == 1) {
    const CellKind kind = made.needs[0].second;
    group_of(any, [&](const PatternGroup& g) { return g.kinds[0] == kind; }, {{kind}, {}, {}}).cases.push_back(made);
    return;
  }
  for (const auto& [kind, set] : all) {
    if (!meet || all.size() != 2 || !single.at(kind)) continue;
    const CellKind other = all.begin()->first == kind ? all.rbegin()->first : all.begin()->first;
    const auto suits = [&](const PatternGroup& g) { return g.other == other && free(g, made); };
    PatternGroup& group = group_of(meetings, suits, {{}, other, {}});
    if (std::ranges::find(group.kinds, kind) == group.kinds.end()) group.kinds.push_back(kind);
    group.cases.push_back(made);
    return;
  }
  std::vector<CellKind> kinds;
  for (const auto& [kind, set] : all) kinds.push_back(kind);
  group_of(sets, [&](const PatternGroup& g) { return g.kinds == kinds; }, {kinds, {}, {}}).cases.push_back(made);
}

std::vector<std::uint32_t> PatternPlan::parameters(const PatternGroup& group) {
  std::vector<std::uint32_t> result;
  for (const PatternCase& c : group.cases) {
    for (const auto& [parameter, code] : c.given) {
      if (std::ranges::find(result, parameter) == result.end()) result.push_back(parameter);
    }
  }
  std::ranges::sort(result);
  return result;
}

std::uint64_t PatternPlan::rows(const std::vector<std::uint32_t>& parameters) const {
  std::uint64_t result = 1;
  for (const std::uint32_t p : parameters) result *= sizes_[p];
  return result;
}

bool PatternPlan::fits_all() const {
  const auto all = [](const std::vector<PatternGroup>& groups, auto&& suits) {
    return std::ranges::all_of(groups, suits);
  };
  return all(needed, [&](const PatternGroup& g) { return fits(g, 1); }) &&
         all(any, [&](const PatternGroup& g) { return fits(g, 1); }) &&
         all(meetings, [&](const PatternGroup& g) { return fits(g, kPatternCells); }) &&
         all(sets, [&](const PatternGroup& g) { return fits_sets(g); });
}

bool PatternPlan::fits(const PatternGroup& group, std::uint64_t words) const {
  return rows(parameters(group)) * words <= kSizes.pattern_table;
}

// Calls f(row) for each row of tables with these parameters that a case is part of.
template <class F>
void PatternPlan::for_each_row(const std::vector<std::uint32_t>& all, const PatternCase& c, F&& f) const {
  for (std::uint64_t row = 0, count = rows(all); row < count; ++row) {
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

std::vector<std::uint64_t> PatternPlan::cells(const PatternGroup& group, const CellKind& kind) const {
  const std::vector<std::uint32_t> asked = parameters(group);
  std::vector<std::uint64_t> words(rows(asked), 0);
  for (const PatternCase& c : group.cases) {
    const std::map<CellKind, std::uint64_t> all = c.sets();
    const auto set = all.find(kind);
    if (set == all.end()) continue;
    for_each_row(asked, c, [&](std::uint64_t row) { words[row] |= set->second; });
  }
  return words;
}

std::vector<std::uint64_t> PatternPlan::others(const PatternGroup& group) const {
  const std::vector<std::uint32_t> asked = parameters(group);
  std::vector<std::uint64_t> words(rows(asked) * kPatternCells, 0);
  for (const PatternCase& c : group.cases) {
    const std::uint32_t cell = decisive_cell(c, group.other);
    for_each_row(asked, c, [&](std::uint64_t row) { words[row * kPatternCells + cell] = c.sets().at(group.other); });
  }
  return words;
}

std::vector<std::uint64_t> PatternPlan::case_sets(const PatternGroup& group, const CellKind& kind) const {
  const std::vector<std::vector<const PatternCase*>> cases = by_row(group);
  std::size_t width = 0;
  for (const auto& row : cases) width = std::max(width, row.size());
  width = whole_vectors(width);
  std::vector<std::uint64_t> words;
  for (const auto& row : cases) {
    for (std::size_t i = 0; i < width; ++i)
      words.push_back(row.empty() ? ~std::uint64_t{0} : row[i < row.size() ? i : 0]->sets().at(kind));
  }
  return words;
}

std::vector<std::vector<const PatternCase*>> PatternPlan::by_row(const PatternGroup& group) const {
  const std::vector<std::uint32_t> asked = parameters(group);
  std::vector<std::vector<const PatternCase*>> result(rows(asked));
  for (const PatternCase& c : group.cases)
    for_each_row(asked, c, [&](std::uint64_t row) { result[row].push_back(&c); });
  return result;
}

bool PatternPlan::has_empty_row(const PatternGroup& group) const {
  const auto all = by_row(group);
  return std::ranges::any_of(all, [](const auto& row) { return row.empty(); });
}

bool PatternPlan::fits_sets(const PatternGroup& group) const {
  if (!fits(group, kSizes.pattern_sets)) return false;
  const auto all = by_row(group);
  return std::ranges::all_of(all, [](const auto& row) { return row.size() <= kSizes.pattern_sets; }) &&
         (!has_empty_row(group) || used(group, group.kinds[0]) != ~std::uint64_t{0});
}

std::uint64_t PatternPlan::used(const PatternGroup& group, const CellKind& kind) {
  std::uint64_t result = 0;
  for (const PatternCase& c : group.cases) result |= c.sets().at(kind);
  return result;
}

CheckForm CheckPlanner::choose() {
  if (context_.purpose != Purpose::check) return {};
  if (!form_.techniques.use(Technique::patterns)) {
    no("left out");
    return {};
  }
  no("its walks do more than read cells of one board");
  for (const PatternMeans means : {PatternMeans::plain, PatternMeans::places}) {
    std::optional<CheckPatterns> found = find_patterns(model_, facts_, context_, means, decisions_.pattern_steps);
    if (!found) continue;
    const auto patterns = std::make_shared<const CheckPatterns>(std::move(*found));
    const auto plan = std::make_shared<PatternPlan>(*patterns, model_, form_.for_device);
    const bool waits = !form_.planes[patterns->board.value] &&
                       model_.variable_shape(patterns->board).sizes.back() > kCosts.cells_in_one_vector &&
                       follows_write(model_, facts_, context_, patterns->board);
    const PatternPlan::Verdict verdict = plan->choose(waits);
    if (verdict == PatternPlan::Verdict::good) return {patterns, plan};
    no(verdict == PatternPlan::Verdict::large
           ? "its tables are too large"
           : fmt::format("{:.1f} conditions are tested on average, {:.1f} pay", plan->tested(), plan->least()));
    if (verdict == PatternPlan::Verdict::worse) break;
  }
  return {.expression = is_expression()};
}

// A check of few comparisons, some of which hold together (rows through a cell), as one expression: a processor would
// often guess their branches wrong. They change nothing, and each may be asked whatever the others say.
bool CheckPlanner::is_expression() const {
  const std::uint32_t entry = context_.entries[0];
  const std::size_t count = comparisons_from(entry, 0);
  // What all ways ask first leaves out the others.
  return context_.at(entry).out.size() >= 2 && count >= kCosts.expression_least && count <= kCosts.expression_most;
}

// How many comparisons there are on all ways from the node on; too many where something else is done there.
std::size_t CheckPlanner::comparisons_from(std::uint32_t node, std::size_t depth) const {
  const std::size_t too_many = kCosts.expression_most + 1;
  if (context_.is_goal(node)) return 0;
  if (!context_.contains(node) || context_.at(node).test || depth == too_many) return too_many;
  const auto& e = model_.game.expressions();
  std::size_t count = 0;
  for (const Arm& arm : plan_.arms_of(context_.at(node).out)) {
    for (const Step& step : model_.steps_at(arm.steps)) {
      const bool assigns = is_assignment(step) && facts_.assignment_live(context_, step);
      const auto is_map = [&](ExprId side) {
        return e.kind(side) != ir::ExprKind::symbol && !model_.shape(e.type(side)).scalar();
      };
      const bool compares_maps = step.kind == Deed::compare && (is_map(step.lhs) || is_map(step.rhs));
      if (assigns || compares_maps || step.kind == Deed::check) return too_many;
    }
    count += (arm.guarded ? arm.steps.size() : 0) + comparisons_from(arm.target, depth + 1);
    if (count >= too_many) return too_many;
  }
  return count;
}

}  // namespace rgtrans::cpp
