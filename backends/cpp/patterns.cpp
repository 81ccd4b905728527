// Goes all ways of a check; see patterns.hpp.
#include "backends/cpp/patterns.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/pattern_literals.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

// One way so far.
struct Way {
  Clause clause;
  Bindings bindings;                               // what variables and parameters are
  std::vector<VarId> assigned;                     // on this way
  std::vector<std::pair<ExprId, ExprId>> holds{};  // variables and the places that they hold
  std::vector<std::pair<ExprId, Bits>> places{};   // which cells they can be, where that is several
};

class PatternSearch {
 public:
  PatternSearch(NumberedGame& model, const GameFacts& facts, const CodeContext& check, PatternMeans means,
                std::size_t& steps)
      : model_(model), facts_(facts), check_(check), places_(means == PatternMeans::places), all_steps_(steps) {}

  std::optional<CheckPatterns> run() {
    if (!suits()) return std::nullopt;
    if (places_) find_board();
    if (!go(check_.entries[0], Way()) || !found_.board.valid() || found_.clauses.empty()) return std::nullopt;
    // Without a place, what asks for several contents of a cell is better asked for all values at once (sets.hpp).
    if (several_contents_ && std::ranges::none_of(found_.values, &PatternValue::place)) return std::nullopt;
    drop_implied();
    return std::move(found_);
  }

 private:
  // Nothing but comparisons and assignments to scalars.
  [[nodiscard]] bool suits() const {
    if (check_.always || !check_.contains(check_.entries[0])) return false;
    for (const CodeContext::Node& node : check_.info) {
      for (const Step& step : model_.steps_at(node.out)) {
        if (step.kind == Deed::check) return false;
        if (is_assignment(step) && !model_.scalar(step.variable) && facts_.assignment_live(check_, step)) return false;
      }
    }
    return true;
  }

  // The board that all comparisons are about, if it is one.
  void find_board() {
    for (const CodeContext::Node& node : check_.info) {
      for (const std::uint32_t s : node.out) {
        if (model_.steps[s].kind != Deed::compare) continue;
        for (const ExprId side : {model_.steps[s].lhs, model_.steps[s].rhs})
          model_.for_each_atom(side, [&](ExprId atom) { is_cell(atom); });
      }
    }
  }

  // The place that a variable holds: one that may be a cell of the board, is handed to the check and finds nothing.
  [[nodiscard]] std::optional<ExprId> place_of(ExprId expression, const Way& way) {
    const auto& e = model_.game.expressions();
    if (!places_ || !found_.board.valid() || e.kind(expression) != ExprKind::variable) return std::nullopt;
    for (const auto& [variable, place] : way.holds)
      if (variable == expression) return place;
    const VarId v = e.variable(expression);
    const bool suits = model_.scalar(v) && !assigned(way, v) &&
                       model_.variable_shape(v).leaf == model_.variable_shape(found_.board).keys.back();
    return suits && handed_.never_index(v) ? std::optional(expression) : std::nullopt;
  }

  // What has its value: itself, unless it has been assigned, and variables that hold a place.
  [[nodiscard]] std::vector<ExprId> holders_of(const Way& way, ExprId unknown) const {
    const auto& e = model_.game.expressions();
    std::vector<ExprId> result;
    if (e.kind(unknown) != ExprKind::variable || !assigned(way, e.variable(unknown))) result.push_back(unknown);
    for (const auto& [variable, held] : way.holds)
      if (held == unknown) result.push_back(variable);
    return result;
  }
  static void forget_place(Way& way, ExprId place) {
    std::erase_if(way.holds, [&](const auto& held) { return held.second == place; });
    std::erase_if(way.places, [&](const auto& known) { return known.first == place; });
  }

  bool go(std::uint32_t node, const Way& way) {
    if (check_.is_goal(node)) {
      Clause clause = way.clause;
      if (!end_places(way, clause.literals)) return false;
      if (clause.literals.empty() || found_.clauses.size() >= kEfforts.clauses) return false;
      for (const PatternLiteral& l : clause.literals) {
        if (l.cell >= kPatternCells) return false;
      }
      found_.clauses.push_back(std::move(clause));
      return true;
    }
    if (stack_.size() == kEfforts.pattern_way) return false;
    for (const Visit& before : stack_) {
      if (before.node == node && before.bindings == way.bindings && before.holds == way.holds)
        return true;  // a cycle that came to nothing
    }
    stack_.push_back({node, way.bindings, way.holds});
    bool fine = true;
    for (const std::uint32_t s : check_.at(node).out) fine = fine && take(model_.steps[s], way);
    stack_.pop_back();
    return fine;
  }

  bool take(const Step& step, const Way& way) {
    if (++steps_ > (places_ ? kEfforts.place_steps : kEfforts.pattern_steps)) return false;
    if (++all_steps_ > kEfforts.all_pattern_steps) return false;
    switch (step.kind) {
      case Deed::compare:
        return compare(step, way);
      case Deed::assign:
        return assign(step, way);
      case Deed::assign_any: {
        if (!facts_.assignment_live(check_, step)) return go(step.to, way);
        const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
        Way next = way;
        for (const std::uint32_t c : model_.member_codes(step.type)) {
          if (!set(step, next, model_.universes[universe].symbols[c])) return false;
        }
        return true;
      }
      default:
        return go(step.to, way);
    }
  }

  bool assign(const Step& step, const Way& way) {
    if (!facts_.assignment_live(check_, step)) return go(step.to, way);
    const Folded value = model_.fold(step.rhs, way.bindings);
    if (value.known()) {
      Way next = way;
      return value.symbol.valid() && set(step, next, value.symbol);
    }
    const std::optional<ExprId> place = place_of(step.rhs, way);
    return place ? hand_on(step, way, *place) : decide(step.rhs, step, way);
  }

  bool set(const Step& step, Way& next, SymbolId symbol) {
    const ExprId variable = model_.game.variable_ref(step.variable);
    bind(next.bindings, variable, symbol);
    std::erase_if(next.holds, [&](const auto& held) { return held.first == variable; });
    return go_assigned(step, next);
  }

  // The variable becomes a place, whichever that is.
  bool hand_on(const Step& step, const Way& way, ExprId place) {
    const ExprId variable = model_.game.variable_ref(step.variable);
    Way next = way;
    std::erase_if(next.bindings, [&](const auto& bound) { return bound.first == variable; });
    std::erase_if(next.holds, [&](const auto& held) { return held.first == variable; });
    next.holds.emplace_back(variable, place);
    return go_assigned(step, next);
  }

  bool go_assigned(const Step& step, Way& next) {
    for (const ExprId parameter : found_.parameters) {
      if (model_.game.expressions().kind(parameter) == ExprKind::access && model_.reads(parameter, step.variable))
        return false;
    }
    if (!assigned(next, step.variable)) next.assigned.push_back(step.variable);
    return go(step.to, next);
  }

  static bool assigned(const Way& way, VarId v) { return std::ranges::find(way.assigned, v) != way.assigned.end(); }

  bool compare(const Step& step, const Way& way) {
    const Folded a = model_.fold(step.lhs, way.bindings);
    const Folded b = model_.fold(step.rhs, way.bindings);
    if (a.symbol.valid() && b.symbol.valid()) return (a.symbol == b.symbol) == step.negated || go(step.to, way);
    if (a.map.valid() || b.map.valid()) return false;
    if (const auto done = at_place(step, way)) return *done;
    // Of two cells the one that is easier to find is the value, the same for all that are compared with it.
    const bool right = is_cell(step.rhs);
    const bool left = is_cell(step.lhs) && (!right || lookups(step.lhs) >= lookups(step.rhs));
    if (!left && !right) {
      if (places_)
        if (const auto done = by_contents(step, way)) return *done;
      return decide(a.known() ? step.rhs : step.lhs, step, way);
    }
    const ExprId cell = left ? step.lhs : step.rhs;
    const ExprId value = left ? step.rhs : step.lhs;
    const RowOfCells of = *model_.row_of(cell);
    const Folded at = model_.fold(of.index, way.bindings);
    if (!at.known()) return decide(of.index, step, way);
    const std::optional<ExprId> fixed = fixed_value(value, way);
    if (!fixed) return decide(value, step, way);
    const ArrayShape& shape = model_.variable_shape(found_.board);
    const std::uint32_t board = shape.keys.back();
    if (!model_.has(board, at.symbol) || model_.code(board, at.symbol) >= shape.sizes.back()) return false;
    ExprId row = model_.game.variable_ref(found_.board);
    if (of.row.valid()) {
      const std::optional<ExprId> found = fixed_value(of.row, way);
      if (!found) return decide(of.row, step, way);
      if (!model_.is_always_row(found_.board, *found)) return !model_.fold(*found).known() && decide(of.row, step, way);
      row = model_.game.access(row, *found);
    }
    Way next = way;
    const PatternLiteral literal = {model_.code(board, at.symbol), literals_.number({*fixed, false, row}),
                                    step.negated};
    return !literals_.add(next.clause.literals, literal) || go(step.to, next);
  }

  // The expression, or what it is on this way. Values are read when the check begins, so they must not depend on what
  // is assigned.
  [[nodiscard]] std::optional<ExprId> fixed_value(ExprId expression, const Way& way) {
    bool fixed = true;
    model_.for_each_read(expression, [&](VarId v) { fixed = fixed && !assigned(way, v); });
    if (fixed) return expression;
    const Folded known = model_.fold(expression, way.bindings);
    return known.symbol.valid() ? std::optional(model_.game.symbol(known.symbol)) : std::nullopt;
  }

  // Goes on where the comparison holds, if it depends on nothing but a place.
  std::optional<bool> at_place(const Step& step, const Way& way) {
    ExprId place;
    std::vector<ExprId> holders;  // variables of the comparison
    bool only = true;
    for (const ExprId side : {step.lhs, step.rhs}) {
      if (model_.fold(side, way.bindings).known()) continue;
      model_.for_each_atom(side, [&](ExprId atom) {
        if (!only || model_.fold(atom, way.bindings).known()) return;
        const std::optional<ExprId> held = place_of(atom, way);
        only = held && (!place.valid() || place == *held);
        if (only) place = *held;
        holders.push_back(atom);
      });
    }
    if (!only || !place.valid()) return std::nullopt;
    const std::uint32_t universe = model_.variable_shape(found_.board).keys.back();
    Way next = way;
    Bits& possible = possible_places(next, place);
    for (const std::size_t c : Bits(possible)) {
      for (const ExprId holder : holders) bind(next.bindings, holder, model_.universes[universe].symbols[c]);
      const std::optional<bool> holds = model_.holds(step, next.bindings);
      if (!holds) return std::nullopt;
      if (!*holds) possible.reset(c);
    }
    if (possible.none()) return true;
    next.bindings = way.bindings;
    if (possible.count() > 1) return go(step.to, next);
    const auto cell = static_cast<std::uint32_t>(*possible.begin());
    for (const ExprId holder : holders_of(next, place))
      bind(next.bindings, holder, model_.universes[universe].symbols[cell]);
    forget_place(next, place);
    return !literals_.add(next.clause.literals, {cell, literals_.number({place, true}), false}) || go(step.to, next);
  }

  // Goes on with each content of a cell with which the comparison holds, if it depends on nothing else.
  std::optional<bool> by_contents(const Step& step, const Way& way) {
    ExprId cell;
    bool only = true;
    for (const ExprId side : {step.lhs, step.rhs}) {
      model_.for_each_atom(side, [&](ExprId atom) {
        if (model_.fold(atom, way.bindings).known()) return;
        only = only && (!cell.valid() || cell == atom) && model_.is_cell(atom);
        cell = atom;
      });
    }
    if (!only || !cell.valid() || !is_cell(cell) || model_.row_of(cell)->row.valid()) return std::nullopt;
    const Folded at = model_.fold(model_.game.expressions().index(cell), way.bindings);
    const ArrayShape& shape = model_.variable_shape(found_.board);
    if (!at.symbol.valid() || !model_.has(shape.keys[0], at.symbol)) return std::nullopt;
    const std::uint32_t place = model_.code(shape.keys[0], at.symbol);
    if (place >= shape.sizes[0]) return std::nullopt;
    several_contents_ = true;
    Bindings bindings = way.bindings;
    for (const std::size_t c : contents_of(model_, found_.board, place)) {
      const SymbolId content = model_.universes[shape.leaf].symbols[c];
      bind(bindings, cell, content);
      const std::optional<bool> holds = model_.holds(step, bindings);
      if (!holds) return false;
      if (!*holds) continue;
      Way next = way;
      if (literals_.add(
              next.clause.literals,
              {place, literals_.number({model_.game.symbol(content), false, model_.game.expressions().map(cell)}),
               false}) &&
          !go(step.to, next))
        return false;
    }
    return true;
  }

  Bits& possible_places(Way& way, ExprId place) {
    const auto it = std::ranges::find(way.places, place, [](const auto& known) { return known.first; });
    if (it != way.places.end()) return it->second;
    return way.places.emplace_back(place, places_at_first(place)).second;
  }

  // Those that are no cells of a word are assumed not to be asked for.
  Bits places_at_first(ExprId place) {
    const ArrayShape& shape = model_.variable_shape(found_.board);
    const Bits all = model_.possible(place, shape.keys.back());
    Bits result = all;
    for (const std::size_t c : all) {
      if (!literals_.starts_with(place, static_cast<std::uint32_t>(c))) {
        result.reset(c);
      } else if (c >= std::min<std::size_t>(kPatternCells, shape.sizes.back())) {
        result.reset(c);
        if (std::ranges::find(found_.inside, place) == found_.inside.end()) found_.inside.push_back(place);
      }
    }
    return result;
  }

  // What is known of places where a way ends: few cells that they are not. False where that is not all.
  bool end_places(const Way& way, std::vector<PatternLiteral>& literals) {
    for (const auto& [place, possible] : way.places) {
      const Bits all = places_at_first(place);
      if (all.count() - possible.count() > kEfforts.excluded_cells) return false;
      for (const std::size_t c : all)
        if (!possible.test(c) &&
            !literals_.add(literals, {static_cast<std::uint32_t>(c), literals_.number({place, true}), true}))
          return false;
    }
    return true;
  }

  // A cell of the board; the first board that is met is the one.
  bool is_cell(ExprId expression) {
    const std::optional<RowOfCells> of = model_.row_of(expression);
    if (!of || !model_.in_vectors(of->map)) return false;
    if (model_.universe(of->map).size() > kSizes.pattern_contents) return false;
    if (!found_.board.valid()) found_.board = of->map;
    return found_.board == of->map;
  }

  [[nodiscard]] unsigned lookups(ExprId expression) const {
    const auto& e = model_.game.expressions();
    unsigned count = 0;
    ir::visit_parts(e, expression, [&](ExprId part) {
      count += e.kind(part) == ExprKind::access ? 1 : 0;
      return true;
    });
    return count;
  }

  // Goes on with each value of the first thing in the expression that is not known.
  bool decide(ExprId expression, const Step& step, const Way& way) {
    const auto& e = model_.game.expressions();
    ExprId unknown = expression;
    if (!find_unknown(way, expression, unknown, false) && !find_unknown(way, expression, unknown, true)) return false;
    unknown = place_of(unknown, way).value_or(unknown);
    bool fine = true;
    model_.for_each_read(unknown, [&](VarId v) { fine = fine && !assigned(way, v) && v != found_.board; });
    if (!fine) return false;
    const auto it = std::ranges::find(found_.parameters, unknown);
    const auto parameter = static_cast<std::uint32_t>(it - found_.parameters.begin());
    if (it == found_.parameters.end()) {
      if (parameter == kEfforts.parameters) return false;
      found_.parameters.push_back(unknown);
    }
    const std::uint32_t universe = model_.shape(e.type(unknown)).leaf;
    Way next = way;
    Bits codes = model_.possible(unknown, universe);
    const auto narrowed = std::ranges::find(next.places, unknown, [](const auto& known) { return known.first; });
    if (narrowed != next.places.end()) codes = narrowed->second;
    const std::vector<ExprId> holders = holders_of(next, unknown);
    forget_place(next, unknown);
    auto& all = next.clause.given;
    const std::pair first(parameter, std::uint32_t{0});
    const auto given = all.insert(std::upper_bound(all.begin(), all.end(), first), first);
    for (const std::size_t c : codes) {
      if (!literals_.starts_with(unknown, static_cast<std::uint32_t>(c))) continue;
      for (const ExprId holder : holders) bind(next.bindings, holder, model_.universes[universe].symbols[c]);
      given->second = static_cast<std::uint32_t>(c);
      if (!take(step, next)) return false;
    }
    return true;
  }

  bool find_unknown(const Way& way, ExprId expression, ExprId& unknown, bool places) {
    const auto& e = model_.game.expressions();
    if (model_.fold(expression, way.bindings).known()) return false;
    if (e.kind(expression) == ExprKind::access) {
      const ExprId root = e.root(expression);
      if (e.kind(root) != ExprKind::variable || !model_.assigned[e.variable(root).value])
        return find_unknown(way, e.index(expression), unknown, places) ||
               find_unknown(way, e.map(expression), unknown, places);
    }
    if (!model_.shape(e.type(expression)).scalar() || (!places && place_of(expression, way))) return false;
    unknown = expression;
    return true;
  }

  // Clauses that hold only where another one does.
  void drop_implied() {
    std::vector<Clause>& clauses = found_.clauses;
    sort_unique(clauses);
    std::vector<Clause> kept;
    for (auto first = clauses.begin(); first != clauses.end();) {
      const auto last = std::find_if(first, clauses.end(), [&](const Clause& c) { return c.given != first->given; });
      for (auto it = first; it != last; ++it) {
        const bool implied = std::any_of(first, last, [&](const Clause& other) {
          return other.literals.size() < it->literals.size() &&
                 std::includes(it->literals.begin(), it->literals.end(), other.literals.begin(), other.literals.end());
        });
        if (!implied) kept.push_back(*it);
      }
      first = last;
    }
    clauses = std::move(kept);
  }

  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& check_;
  bool places_;
  std::size_t& all_steps_;
  std::size_t steps_ = 0;
  CheckPatterns found_;
  PatternLiterals literals_{model_, check_, found_};
  HandedPlaces handed_{model_, facts_, check_};
  bool several_contents_ = false;  // are asked for in some comparison
  struct Visit {
    std::uint32_t node;
    Bindings bindings;
    std::vector<std::pair<ExprId, ExprId>> holds;
  };
  std::vector<Visit> stack_;
};

}  // namespace

std::optional<CheckPatterns> find_patterns(NumberedGame& model, const GameFacts& facts, const CodeContext& check,
                                           PatternMeans means, std::size_t& steps) {
  return PatternSearch(model, facts, check, means, steps).run();
}

}  // namespace rgtrans::cpp
