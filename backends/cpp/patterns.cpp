// Goes all ways of a check; see patterns.hpp.
#include "backends/cpp/patterns.hpp"

#include <algorithm>
#include <map>

#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

constexpr std::size_t kMostClauses = 20000;
constexpr std::size_t kMostParameters = 3;
constexpr std::size_t kLongestWay = 400;
constexpr std::uint32_t kSmallestBoard = 9;  // a smaller one is not stored in whole vectors
constexpr std::size_t kMostAssumed = 2;
constexpr std::uint32_t kMostContents = 64;

// One way so far.
struct Way {
  Clause clause;
  Bindings bindings;            // what variables and parameters are
  std::vector<VarId> assigned;  // on this way
};

class PatternSearch {
 public:
  PatternSearch(NumberedGame& model, const GameFacts& facts, const CodeContext& check, std::size_t& budget)
      : model_(model), facts_(facts), check_(check), budget_(budget) {}

  std::optional<CheckPatterns> run() {
    if (!suits()) return std::nullopt;
    const bool done = go(check_.entries[0], Way());
    if (!done || !found_.board.valid() || found_.clauses.empty()) return std::nullopt;
    drop_implied();
    return std::move(found_);
  }

 private:
  // Nothing but comparisons and assignments to scalars.
  [[nodiscard]] bool suits() const {
    if (check_.always || !check_.contains(check_.entries[0])) return false;
    for (const CodeContext::Node& node : check_.info) {
      for (const std::uint32_t s : node.out) {
        const Step& step = model_.steps[s];
        if (step.kind == Deed::check) return false;
        if (is_assignment(step) && !model_.scalar(step.variable) && facts_.assignment_live(check_, step)) return false;
      }
    }
    return true;
  }

  bool go(std::uint32_t node, const Way& way) {
    if (check_.is_goal(node)) {
      if (way.clause.literals.empty() || found_.clauses.size() >= kMostClauses) return false;
      for (const PatternLiteral& l : way.clause.literals) {
        if (l.cell >= kPatternCells) return false;
      }
      found_.clauses.push_back(way.clause);
      return true;
    }
    if (stack_.size() == kLongestWay) return false;
    for (const auto& [before, bindings] : stack_) {
      if (before == node && bindings == way.bindings) return true;  // a cycle that came to nothing
    }
    stack_.emplace_back(node, way.bindings);
    bool fine = true;
    for (const std::uint32_t s : check_.at(node).out) fine = fine && take(model_.steps[s], way);
    stack_.pop_back();
    return fine;
  }

  bool take(const Step& step, const Way& way) {
    if (budget_ == 0) return false;
    --budget_;
    switch (step.kind) {
      case Deed::compare:
        return compare(step, way);
      case Deed::assign:
        return assign(step, way);
      case Deed::assign_any: {
        if (!facts_.assignment_live(check_, step)) return go(step.to, way);
        const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
        for (const std::uint32_t c : model_.member_codes(step.type)) {
          if (!set(step, way, model_.universes[universe].symbols[c])) return false;
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
    if (!value.known()) return decide(step.rhs, step, way);
    return value.symbol.valid() && set(step, way, value.symbol);
  }

  bool set(const Step& step, const Way& way, SymbolId symbol) {
    for (const ExprId parameter : found_.parameters) {
      if (model_.game.expressions().kind(parameter) == ExprKind::access && model_.reads(parameter, step.variable))
        return false;
    }
    Way next = way;
    bind(next.bindings, model_.game.variable_ref(step.variable), symbol);
    if (!assigned(way, step.variable)) next.assigned.push_back(step.variable);
    return go(step.to, next);
  }

  static void bind(Bindings& bindings, ExprId expression, SymbolId symbol) {
    for (auto& [bound, value] : bindings) {
      if (bound != expression) continue;
      value = symbol;
      return;
    }
    bindings.emplace_back(expression, symbol);
    std::sort(bindings.begin(), bindings.end());
  }

  static bool assigned(const Way& way, VarId v) {
    return std::find(way.assigned.begin(), way.assigned.end(), v) != way.assigned.end();
  }

  bool compare(const Step& step, const Way& way) {
    const Folded a = model_.fold(step.lhs, way.bindings);
    const Folded b = model_.fold(step.rhs, way.bindings);
    if (a.symbol.valid() && b.symbol.valid()) return (a.symbol == b.symbol) == step.negated || go(step.to, way);
    if (a.map.valid() || b.map.valid()) return false;
    // Of two cells the one that is easier to find is the value, the same for all that are compared with it.
    const bool right = is_cell(step.rhs);
    const bool left = is_cell(step.lhs) && (!right || lookups(step.lhs) >= lookups(step.rhs));
    if (!left && !right) return decide(a.known() ? step.rhs : step.lhs, step, way);
    const ExprId cell = left ? step.lhs : step.rhs;
    const ExprId value = left ? step.rhs : step.lhs;
    const ExprId index = model_.game.expressions().index(cell);
    const Folded at = model_.fold(index, way.bindings);
    if (!at.known()) return decide(index, step, way);
    // The value is read when the check begins, so it must not depend on what is assigned.
    bool fixed = true;
    model_.for_each_read(value, [&](VarId v) { fixed = fixed && !assigned(way, v); });
    const Folded known = model_.fold(value, way.bindings);
    if (!fixed && !known.known()) return decide(value, step, way);
    const ArrayShape& shape = model_.variable_shape(found_.board);
    const std::uint32_t board = shape.keys[0];
    if (!model_.has(board, at.symbol) || model_.code(board, at.symbol) >= shape.sizes[0]) return false;
    Way next = way;
    const PatternLiteral literal = {model_.code(board, at.symbol),
                                    number(fixed ? value : model_.game.symbol(known.symbol)), step.negated};
    return !add(next.clause.literals, literal) || go(step.to, next);
  }

  // A cell of the board; the first board that is met is the one.
  bool is_cell(ExprId expression) {
    if (!model_.is_cell(expression)) return false;
    const VarId map = model_.game.assigned_variable(expression);
    const ArrayShape& shape = model_.variable_shape(map);
    if (shape.keys.size() != 1) return false;
    if (shape.sizes[0] < kSmallestBoard) return false;
    if (model_.universes[shape.leaf].size() > kMostContents) return false;
    if (!found_.board.valid()) found_.board = map;
    return found_.board == map;
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

  std::uint32_t number(ExprId value) {
    const auto it = std::find(found_.values.begin(), found_.values.end(), value);
    const auto index = static_cast<std::uint32_t>(it - found_.values.begin());
    if (it != found_.values.end()) return index;
    found_.values.push_back(value);
    learn(value);
    return index;
  }

  // What a value can be; one that depends on one variable is known for each of its values.
  struct Known {
    Bits can_be;
    VarId variable;
    std::map<std::uint32_t, SymbolId> by_code;
  };

  void learn(ExprId value) {
    const std::uint32_t universe = model_.variable_shape(found_.board).leaf;
    Known known = {model_.possible(value, universe), VarId(), {}};
    bool one = true;
    model_.for_each_read(value, [&](VarId v) {
      one = one && model_.scalar(v) && (!known.variable.valid() || known.variable == v);
      known.variable = v;
    });
    if (known.variable.valid() && one) {
      const ExprId x = model_.game.variable_ref(known.variable);
      const std::uint32_t keys = model_.variable_shape(known.variable).leaf;
      const Bits codes = model_.possible(x, keys);
      Bits can_be(model_.universes[universe].size());
      for (const std::size_t c : codes) {
        if (!starts_with(x, static_cast<std::uint32_t>(c))) continue;
        const Folded folded = model_.fold(value, {{x, model_.universes[keys].symbols[c]}});
        one = one && folded.symbol.valid() && model_.has(universe, folded.symbol);
        if (!one) break;
        known.by_code.emplace(static_cast<std::uint32_t>(c), folded.symbol);
        can_be.set(model_.code(universe, folded.symbol));
      }
      if (one) known.can_be &= can_be;
    }
    if (!one) known.variable = VarId();
    known_.push_back(std::move(known));
  }

  // Never equal.
  [[nodiscard]] bool apart(std::uint32_t a, std::uint32_t b) const {
    if (!known_[a].can_be.intersects(known_[b].can_be)) return true;
    if (!known_[a].variable.valid() || known_[a].variable != known_[b].variable) return false;
    return std::all_of(known_[a].by_code.begin(), known_[a].by_code.end(),
                       [&](const auto& entry) { return known_[b].by_code.at(entry.first) != entry.second; });
  }

  [[nodiscard]] Bits cell_can_be(std::uint32_t cell) const {
    Bits result = model_.variable_values[found_.board.value];
    if (!model_.values->usable() || !model_.values->knows_cells(found_.board)) return result;
    for (const std::size_t c : model_.variable_values[found_.board.value]) {
      if (!model_.values->cell_can_hold(found_.board, cell, static_cast<std::uint32_t>(c))) result.reset(c);
    }
    return result;
  }

  // False when the clause cannot hold with it.
  bool add(std::vector<PatternLiteral>& literals, const PatternLiteral& literal) {
    const Bits& mine = known_[literal.value].can_be;
    if (literal.cell >= kPatternCells && assume(literal.cell, mine)) return literal.negated;
    const Bits cell = cell_can_be(literal.cell);
    const bool never = !mine.intersects(cell);
    const bool always = mine.count() == 1 && mine == cell;
    if (literal.negated ? always : never) return false;
    if (literal.negated ? never : always) return true;
    for (const PatternLiteral& other : literals) {
      if (other.cell != literal.cell) continue;
      if (other.value == literal.value) return other.negated == literal.negated;
      if (other.negated || !apart(literal.value, other.value)) continue;
      return literal.negated;
    }
    if (!literal.negated) {
      std::erase_if(literals, [&](const PatternLiteral& other) {
        return other.cell == literal.cell && other.negated && apart(literal.value, other.value);
      });
    }
    literals.insert(std::upper_bound(literals.begin(), literals.end(), literal), literal);
    return true;
  }

  // Takes it that the cell holds what it held at first, when that is none of the values.
  bool assume(std::uint32_t cell, const Bits& values) {
    const ArrayShape& shape = model_.variable_shape(found_.board);
    const ValueId initial = model_.game.variable(found_.board).initial;
    const SymbolId key = model_.universes[shape.keys[0]].symbols[cell];
    const SymbolId holds = model_.game.values.as_symbol(model_.game.values.at(initial, key));
    if (values.test(model_.code(shape.leaf, holds))) return false;
    const std::pair assumption(cell, holds);
    if (std::find(found_.assumed.begin(), found_.assumed.end(), assumption) != found_.assumed.end()) return true;
    if (found_.assumed.size() == kMostAssumed) return false;
    found_.assumed.push_back(assumption);
    return true;
  }

  // Goes on with each value of the first thing in the expression that is not known.
  bool decide(ExprId expression, const Step& step, const Way& way) {
    const auto& e = model_.game.expressions();
    ExprId unknown = expression;
    if (!find_unknown(way, expression, unknown)) return false;
    bool fine = true;
    model_.for_each_read(unknown, [&](VarId v) { fine = fine && !assigned(way, v) && v != found_.board; });
    if (!fine) return false;
    const auto it = std::find(found_.parameters.begin(), found_.parameters.end(), unknown);
    const auto parameter = static_cast<std::uint32_t>(it - found_.parameters.begin());
    if (it == found_.parameters.end()) {
      if (parameter == kMostParameters) return false;
      found_.parameters.push_back(unknown);
    }
    const std::uint32_t universe = model_.shape(e.type(unknown)).leaf;
    const Bits codes = model_.possible(unknown, universe);
    for (const std::size_t c : codes) {
      if (!starts_with(unknown, static_cast<std::uint32_t>(c))) continue;
      Way next = way;
      bind(next.bindings, unknown, model_.universes[universe].symbols[c]);
      const std::pair given(parameter, static_cast<std::uint32_t>(c));
      next.clause.given.insert(std::upper_bound(next.clause.given.begin(), next.clause.given.end(), given), given);
      if (!take(step, next)) return false;
    }
    return true;
  }

  // Whether the check can begin with this value of a parameter.
  [[nodiscard]] bool starts_with(ExprId parameter, std::uint32_t code) const {
    const auto& e = model_.game.expressions();
    if (e.kind(parameter) != ExprKind::variable || !model_.values->usable()) return true;
    const VarId v = e.variable(parameter);
    const std::uint32_t entry = check_.entries[0];
    return !model_.values->tracked(v) || !model_.values->reached(entry) || model_.values->can_hold(entry, v, code);
  }

  bool find_unknown(const Way& way, ExprId expression, ExprId& unknown) const {
    const auto& e = model_.game.expressions();
    if (model_.fold(expression, way.bindings).known()) return false;
    if (e.kind(expression) == ExprKind::access) {
      const ExprId root = e.root(expression);
      if (e.kind(root) != ExprKind::variable || !model_.assigned[e.variable(root).value])
        return find_unknown(way, e.index(expression), unknown) || find_unknown(way, e.map(expression), unknown);
    }
    if (!model_.shape(e.type(expression)).scalar()) return false;
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
  std::size_t& budget_;
  CheckPatterns found_;
  std::vector<Known> known_;  // by value
  std::vector<std::pair<std::uint32_t, Bindings>> stack_;
};

}  // namespace

std::optional<CheckPatterns> find_patterns(NumberedGame& model, const GameFacts& facts, const CodeContext& check,
                                           std::size_t& budget) {
  return PatternSearch(model, facts, check, budget).run();
}

}  // namespace rgtrans::cpp
