// Follows walks with sets of values; see sets.hpp.
#include "backends/cpp/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/plan.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {

class Follower {
 public:
  Follower(NumberedGame& model, const GameFacts& facts, const CodeContext& context, WalkBounds bounds)
      : model_(model), facts_(facts), main_(context), bounds_(std::move(bounds)), plan_(model, facts, context) {}

  std::optional<SetWalks> run(const Step& any) {
    if (!model_.scalar(any.variable)) return no("a map is chosen");
    universe_ = model_.variable_shape(any.variable).leaf;
    size_ = model_.universes[universe_].size();
    const std::vector<std::uint32_t> codes = model_.member_codes(any.type);
    found_.words = codes.back() / 64 + 1;
    if (codes.size() < kCosts.set_values_least && !bounds_.for_single_value)
      return no(fmt::format("{} values, at least {} pay", codes.size(), kCosts.set_values_least));
    if (found_.words > most_words(codes.size())) return no("a set has too many words");
    SetWay way;
    way.may_duplicate = bounds_.may_duplicate;
    way.possible = model_.members(any.type);
    Codes& values = way.values[any.variable.value];
    for (std::uint32_t c = 0; c < size_; ++c) values.push_back(c);
    allow_scalar_ = !bounds_.for_single_value;
    many_ = codes.size() > 64 * kSizes.set_words;
    if (!follow(main_, any.to, way, found_.items)) return std::nullopt;
    if (found_.items.empty()) return no("nothing follows");
    if (found_.words > most_words(codes.size())) return no("a set has too many words");
    if (each_ > ends_ || each_ > kEfforts.scalarized_places) return no("most values go on one by one");
    if (!bounds_.for_single_value &&
        !std::ranges::all_of(found_.items, [&](const SetItem& item) { return pays(item); }))
      return no("few values have many walks");
    return std::move(found_);
  }

  std::optional<SetWalks> run(std::uint32_t node, VarId variable) {
    universe_ = model_.variable_shape(variable).leaf;
    size_ = model_.universes[universe_].size();
    if (!model_.values->usable() || !model_.values->reached(node)) return no("possible values are not known");
    SetWay way;
    way.may_duplicate = bounds_.may_duplicate;
    way.possible = Bits(size_);
    Codes& values = way.values[variable.value];
    for (std::uint32_t c = 0; c < size_; ++c) {
      values.push_back(c);
      if (!model_.values->can_hold(node, variable, c)) continue;
      way.possible.set(c);
      if (bounds_.around) found_.words = c / 64 + 1;
    }
    const std::size_t count = way.possible.count();
    around_ = {node, variable};
    if (bounds_.around ? !follow_out(main_, node, way, found_.items) : !follow(main_, node, way, found_.items))
      return std::nullopt;
    if (found_.items.empty()) return no("nothing follows");
    if (found_.words > most_words(count)) return no("a set has too many words");
    Bits useful(size_);
    add_useful(found_.items, useful);
    find_images(found_.items, useful);
    return std::move(found_);
  }

  // Why there are no walks.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  std::nullopt_t no(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }
  bool fail(const char* why) {
    why_ = why;
    return false;
  }

  // Of so many values. Few of them in many words would not pay.
  static std::size_t most_words(std::size_t values) {
    return values > 64 * kSizes.set_words ? kSizes.large_set_words : kSizes.set_words;
  }

  bool follow(const CodeContext& context, std::uint32_t node, const SetWay& way, std::vector<SetItem>& into) {
    if (steps_++ > kEfforts.set_steps) return fail("the effort for sets ended");
    if (found_.asked > kEfforts.state_conditions) return fail("the state decides too many conditions");
    if (way.depth > kEfforts.set_walk) return fail("a walk has too many steps");
    if (context.is_goal(node)) {
      ++ends_;
      into.push_back(item(SetItem::Kind::goal, nullptr, way));
      return true;
    }
    if (!context.contains(node)) return true;
    if (&context == &main_ && bounds_.around && node == around_.first) return come_back(way, into);
    if (&context == &main_ && bounds_.stops.contains(node)) return scalarize(node, way, into);
    if (&context == &main_ && !way.may_duplicate && facts_.duplicates && facts_.may_fork_duplicates[node]) {
      SetWay here = way;
      here.may_duplicate = true;
      return follow(context, node, here, into);
    }
    const CodeContext::Node& info = context.at(node);
    if (info.test || info.tag_cycle) return fail("second visits are recognised");
    if (&context == &main_ && many_ && goes_around(node) && can_scalarize(node, way)) {
      ++each_;
      return scalarize(node, way, into);
    }
    if (&context != &main_) return follow_out(context, node, way, into);
    nodes_.push_back(node);
    const bool followed = follow_out(context, node, way, into);
    nodes_.pop_back();
    return followed;
  }

  // Steps that are known to hold, or are walked elsewhere, are so when the walk first comes to their node: a cycle
  // comes back with other values.
  [[nodiscard]] bool is_bounded(const CodeContext& context, const std::set<std::uint32_t>& steps,
                                std::uint32_t step) const {
    return &context == &main_ && steps.contains(step) && std::ranges::count(nodes_, model_.steps[step].from) <= 1;
  }

  // A ray over a large board is long, and few values go far on it.
  [[nodiscard]] bool goes_around(std::uint32_t node) const {
    const std::uint32_t component = main_.at(node).component;
    return std::ranges::any_of(main_.at(node).out, [&](std::uint32_t s) {
      const Step& step = model_.steps[s];
      return !is_tag(step) && !step.ends_move && main_.contains(step.to) && main_.at(step.to).component == component;
    });
  }

  bool follow_out(const CodeContext& context, std::uint32_t node, const SetWay& way, std::vector<SetItem>& into) {
    std::vector<std::uint32_t> steps = context.at(node).out;
    std::erase_if(steps, [&](std::uint32_t s) { return is_bounded(context, bounds_.excluded, s); });
    if (&context == &main_ && context.purpose == Purpose::moves && !in_asked_ && asks(node, steps, way)) {
      SetItem made = item(SetItem::Kind::check_deferrable, nullptr, way);
      made.node = node;
      made.way = way;
      in_asked_ = true;
      const bool followed = follow_out(context, node, way, made.inside);
      in_asked_ = false;
      // Where values are followed one by one, nothing is asked for all of them.
      const bool one_by_one = made.inside.size() == 1 && made.inside[0].kind == SetItem::Kind::scalarize;
      if (followed && one_by_one) into.push_back(std::move(made.inside[0]));
      if (followed && !one_by_one && !made.inside.empty()) into.push_back(std::move(made));
      return followed;
    }
    const std::size_t before = into.size();
    const std::size_t asked = found_.asked;
    const std::size_t ends = ends_;
    const std::size_t each = each_;
    for (const Arm& arm : plan_.arms_of(steps)) {
      if (arm.guarded ? guard(context, arm, way, into) : step(context, model_.steps[arm.steps[0]], way, into)) continue;
      if (&context != &main_ || !can_scalarize(node, way)) return false;
      into.resize(before);
      found_.asked = asked;
      ends_ = ends;
      each_ = each + 1;
      return scalarize(node, way, into);
    }
    return true;
  }

  // A check is asked there whose answer depends on the value, and one value could go on alone.
  [[nodiscard]] bool asks(std::uint32_t node, const std::vector<std::uint32_t>& steps, const SetWay& way) const {
    return can_scalarize(node, way) && std::ranges::any_of(steps, [&](std::uint32_t s) {
             return model_.steps[s].kind == Deed::check && depends(model_.steps[s], way);
           });
  }

  // With the values that the variable has now, the walks from the start go on.
  bool come_back(const SetWay& way, std::vector<SetItem>& into) {
    if (!way.writes.empty() || !way.clobbered.empty()) return fail("a cycle writes to maps");
    SetItem made = item(SetItem::Kind::loop_back, nullptr, way);
    made.way = way;
    into.push_back(std::move(made));
    return true;
  }

  // The values from which walks come to some end.
  static void add_useful(const std::vector<SetItem>& items, Bits& useful) {
    for (const SetItem& item : items) {
      if (item.inside.empty()) useful |= item.possible;
      add_useful(item.inside, useful);
    }
  }

  // Where bits of the sets that come back are from. Nothing is done with other values than useful ones.
  void find_images(std::vector<SetItem>& items, const Bits& useful) {
    for (SetItem& item : items) {
      find_images(item.inside, useful);
      if (item.kind != SetItem::Kind::loop_back) {
        found_.shifts = found_.shifts && (item.inside.empty() || by_shifts(item));
        continue;
      }
      const Codes& values = item.way->values.at(around_.second.value);
      std::map<std::int64_t, Bits> shifts;
      for (const std::size_t x : Bits(item.possible)) {
        if (useful.test(values[x]))
          shifts.try_emplace(static_cast<std::int64_t>(x) - values[x], size_).first->second.set(x);
        else
          item.possible.reset(x);
      }
      found_.shifts = found_.shifts && shifts.size() <= kCosts.shifts;
      for (auto& [delta, where] : shifts) item.images.push_back({0, delta, std::move(where), {}});
    }
  }

  static bool by_shifts(const SetItem& item) {
    return std::ranges::all_of(item.conditions, [](const SetCondition& condition) {
      return std::ranges::all_of(condition.asked, [](const Shifted& asked) { return asked.cell.empty(); });
    });
  }

  // How many cells a permutation tells of.
  [[nodiscard]] std::size_t gathered_cells() const {
    if (bounds_.for_single_value) return size_;
    return found_.words > 1 ? kSizes.gathered_cells : kSizes.gathered_cells / 2;
  }

  // From here on one value after the other is followed.
  bool scalarize(std::uint32_t node, const SetWay& way, std::vector<SetItem>& into) const {
    SetItem made = item(SetItem::Kind::scalarize, nullptr, way);
    made.node = node;
    made.way = way;
    into.push_back(std::move(made));
    return true;
  }

  // What the walk has done so far can be done for one value, too, and there is room for more such places.
  [[nodiscard]] bool can_scalarize(std::uint32_t node, const SetWay& way) const {
    if (!allow_scalar_ || steps_ > kEfforts.set_steps || found_.asked > kEfforts.state_conditions ||
        each_ > 2 * kEfforts.scalarized_places)
      return false;
    return way.clobbered.empty() && found_.asked > 0 && !(main_.at(node).reaches_test && begins_epoch(way)) &&
           std::ranges::all_of(way.writes, &SetWay::Write::known);
  }

  // Visits behind the walk are no longer those of its start. Walks that part later have them in common, which those
  // that are followed with sets, one after the other, would not.
  [[nodiscard]] bool begins_epoch(const SetWay& way) const {
    const auto renews = [&](std::uint32_t v) { return main_.begins_epoch.test(v); };
    return !way.tags.empty() || std::ranges::any_of(way.values, [&](const auto& of) { return renews(of.first); }) ||
           std::ranges::any_of(way.writes, [&](const SetWay::Write& write) { return renews(write.map.value); });
  }

  // A queen is followed sooner than a set of queens. How many values there will be is guessed from the initial state,
  // where it has any; nothing but time depends on it.
  [[nodiscard]] bool pays(const SetItem& item) const {
    if (item.kind == SetItem::Kind::narrow && !item.constant) {
      const std::optional<std::size_t> values = initial_values(item);
      if (!values || *values == 0) return true;
      const double most = std::max(kEfforts.few_ends, static_cast<double>(*values) * kEfforts.ends_per_value);
      return ends_in(item, 1) <= most || ends_in(item, 0.5) < static_cast<double>(*values);
    }
    const auto each = [&](const SetItem& part) { return pays(part); };
    return std::ranges::all_of(item.check, each) && (!item.check.empty() || std::ranges::all_of(item.inside, each));
  }

  // Ends behind one condition after the other (a jump, and another one) count less, each by this factor. The same ones
  // asked again and again (a ray) are one.
  [[nodiscard]] static double ends_in(const SetItem& item, double factor, double share = 1,
                                      const std::set<const Step*>& asked = {}) {
    double result = item.inside.empty() ? share : 0;
    double split = 0;  // of one value, whichever it is
    for (const std::vector<SetItem>* parts : {&item.check, &item.inside}) {
      for (const SetItem& part : *parts) {
        std::set<const Step*> with = asked;
        const bool asks = part.kind == SetItem::Kind::narrow && !part.constant;
        const bool fresh = asks && with.insert(part.step).second;
        const double ends = ends_in(part, factor, fresh && !asked.empty() ? share * factor : share, with);
        if (part.split)
          split = std::max(split, ends);
        else
          result += ends;
      }
    }
    return result + split;
  }

  // How many values pass a condition in the initial state: where cells are compared with what was set before, of the
  // value that most of them hold. Where there is none yet, as many as there are of another kind.
  [[nodiscard]] std::optional<std::size_t> initial_values(const SetItem& item) const {
    const auto& e = model_.game.expressions();
    std::map<std::uint32_t, std::size_t> holding;
    std::size_t passing = 0;
    std::size_t of_a_kind = 0;
    for (const SetCondition& condition : item.conditions) {
      passing += condition.sure.count();
      for (const Shifted& asked : condition.asked) {
        const CellPredicate& source = found_.sources[asked.source];
        const bool negated_value = source.kind == CellPredicate::Kind::expression && source.negated;
        if (source.kind == CellPredicate::Kind::table || source.kind == CellPredicate::Kind::kinds || negated_value ||
            e.kind(source.board) != ExprKind::variable)
          return std::nullopt;
        const VarId board = e.variable(source.board);
        std::map<std::uint32_t, std::size_t> contents;
        for (const std::size_t x : asked.where) {
          const std::uint32_t code = model_.initial_code(board, asked.cell_of(x));
          ++contents[code];
          if (source.kind == CellPredicate::Kind::expression) {
            if (model_.possible(source.expression, model_.variable_shape(board).leaf).test(code)) ++holding[code];
          } else if (source.holds(code)) {
            ++passing;
          }
        }
        of_a_kind = std::max(of_a_kind, pieces_of_a_kind(contents));
      }
    }
    std::size_t most = 0;
    for (const auto& [code, count] : holding) most = std::max(most, count);
    return passing + most > 0 ? passing + most : of_a_kind;
  }

  // How many cells hold the same on average, where they do not hold what most hold.
  [[nodiscard]] static std::size_t pieces_of_a_kind(const std::map<std::uint32_t, std::size_t>& contents) {
    std::size_t most = 0;
    std::size_t all = 0;
    for (const auto& [code, count] : contents) {
      most = std::max(most, count);
      all += count;
    }
    return contents.size() < 2 ? 0 : (all - most) / (contents.size() - 1);
  }

  SetItem item(SetItem::Kind kind, const Step* step, const SetWay& way) const {
    SetItem result;
    result.kind = kind;
    result.step = step;
    result.possible = way.possible;
    return result;
  }

  bool go_on(const CodeContext& context, std::uint32_t node, SetWay way, SetItem made, std::vector<SetItem>& into) {
    ++way.depth;
    if (!follow(context, node, way, made.inside)) return false;
    if (!made.inside.empty()) into.push_back(std::move(made));
    return true;
  }

  // --- Conditions. ---

  bool guard(const CodeContext& context, const Arm& arm, const SetWay& way, std::vector<SetItem>& into) {
    const Step& first = model_.steps[arm.steps[0]];
    if (std::ranges::any_of(arm.steps, [&](std::uint32_t s) { return is_bounded(context, bounds_.known, s); }))
      return follow(context, arm.target, way, into);
    bool outer = true;
    for (const std::uint32_t s : arm.steps) outer = outer && !depends(model_.steps[s], way);
    if (outer) {
      // One of several: only for one is there a text.
      if (arm.steps.size() > 1) return false;
      return go_on(context, arm.target, way, item(SetItem::Kind::when, &first, way), into);
    }
    if (first.kind == Deed::check) return arm.steps.size() == 1 && check(context, first, way, into);
    SetItem made = item(SetItem::Kind::narrow, &first, way);
    SetWay next = way;
    next.possible.clear();
    made.constant = true;
    for (const Step& step : model_.steps_at(arm.steps)) {
      if (step.kind != Deed::compare || !depends(step, way)) return false;
      SetCondition condition;
      if (!compare(step, way, condition)) return fail("a condition is no function of the value");
      condition.sure &= way.possible;
      next.possible |= condition.sure;
      for (const Shifted& shifted : condition.asked) next.possible |= shifted.where;
      made.constant = made.constant && condition.asked.empty();
      // Without a choice there will be no masks, so that it does not matter how the cells lie.
      found_.asked += allow_scalar_ ? condition.asked.size() : 1;
      if (condition.sure.any() || !condition.asked.empty()) made.conditions.push_back(std::move(condition));
    }
    next.possible &= way.possible;
    if (next.possible.none()) return true;
    if (made.constant && next.possible == way.possible) {
      ++next.depth;
      return follow(context, arm.target, next, into);
    }
    return go_on(context, arm.target, std::move(next), std::move(made), into);
  }

  // What the walk has changed, or chosen, is looked at.
  [[nodiscard]] bool depends(const Step& step, const SetWay& way) const {
    if (step.kind == Deed::check) {
      const CodeContext& check = facts_.checks[step.check];
      if (check.always || !check.contains(check.entries[0])) return false;
      const Bits& live = check.live_at(check.entries[0]);
      for (const auto& [v, codes] : way.values) {
        if (live.test(v)) return true;
      }
      for (const SetWay::Write& write : way.writes) {
        if (live.test(write.map.value)) return true;
      }
      return std::ranges::any_of(way.clobbered, [&](std::uint32_t v) { return live.test(v); });
    }
    bool result = false;
    for (const ExprId side : {step.lhs, step.rhs}) {
      model_.for_each_read(side, [&](VarId v) { result = result || changed(v, way); });
    }
    return result;
  }

  [[nodiscard]] static bool changed(VarId v, const SetWay& way) {
    return way.values.contains(v.value) || way.clobbered.contains(v.value) ||
           std::ranges::any_of(way.writes, [&](const SetWay::Write& write) { return write.map == v; });
  }

  bool check(const CodeContext& context, const Step& step, const SetWay& way, std::vector<SetItem>& into) {
    const CodeContext& asked = facts_.checks[step.check];
    SetItem made = item(SetItem::Kind::check, &step, way);
    made.negated = step.negated;
    SetWay inner = way;
    ++inner.depth;
    inner.tags.clear();
    if (!follow(asked, asked.entries[0], inner, made.check)) return false;
    if (made.check.empty()) {
      if (!step.negated) return true;
      SetWay next = way;
      ++next.depth;
      return follow(context, step.to, next, into);
    }
    return go_on(context, step.to, way, std::move(made), into);
  }

  // The atoms of a comparison.
  struct Sides {
    std::vector<ExprId> cells;
    std::vector<VarId> outers;  // scalars that were set before, outside of indices
  };

  [[nodiscard]] Sides sides_of(const Step& step, const SetWay& way) const {
    Sides sides;
    const auto& e = model_.game.expressions();
    for (const ExprId side : {step.lhs, step.rhs}) {
      ir::visit_parts(e, side, [&](ExprId part) {
        const bool variable =
            e.kind(e.root(part)) == ExprKind::variable && model_.assigned[e.variable(e.root(part)).value];
        if (!variable) return true;
        if (e.kind(part) == ExprKind::access) {
          if (std::ranges::find(sides.cells, part) == sides.cells.end()) sides.cells.push_back(part);
        } else if (!way.values.contains(e.variable(part).value)) {
          if (std::ranges::find(sides.outers, e.variable(part)) == sides.outers.end())
            sides.outers.push_back(e.variable(part));
        }
        return e.kind(part) == ExprKind::cast;
      });
    }
    return sides;
  }

  [[nodiscard]] Bindings bindings(std::uint32_t x, const SetWay& way) const {
    Bindings result;
    for (const auto& [v, codes] : way.values) {
      const Universe& u = model_.universe(VarId(v));
      result.emplace_back(model_.game.variable_ref(VarId(v)), u.symbols[codes[x]]);
    }
    return result;
  }

  // The expression as a function of x.
  [[nodiscard]] std::optional<Codes> by_value(ExprId expression, std::uint32_t universe, const SetWay& way) const {
    bool known = true;
    model_.for_each_read(expression, [&](VarId v) { known = known && way.values.contains(v.value); });
    if (!known) return std::nullopt;
    Codes result(size_, 0);
    for (const std::size_t x : way.possible) {
      const Folded value = model_.fold(expression, bindings(static_cast<std::uint32_t>(x), way));
      if (!value.symbol.valid() || !model_.has(universe, value.symbol)) return std::nullopt;
      result[x] = model_.code(universe, value.symbol);
    }
    return result;
  }

  // A comparison of a cell: where it lies for each x, in which row of cells.
  struct Asked {
    const Step& step;
    const SetWay& way;
    ExprId cell;
    VarId map;
    const Codes& index;
  };

  bool compare(const Step& step, const SetWay& way, SetCondition& condition) {
    condition.sure = Bits(size_);
    const Sides sides = sides_of(step, way);
    if (sides.cells.empty() && sides.outers.empty()) return compare_values(step, way, condition);
    if (sides.cells.empty()) return sides.outers.size() == 1 && compare_table(step, way, sides.outers[0], condition);
    const ExprId cell = sides.cells[0];
    const auto map = sides.cells.size() == 1 ? row_of(cell, way) : std::nullopt;
    const auto index =
        map ? by_value(model_.game.expressions().index(cell), model_.variable_shape(*map).keys.back(), way)
            : std::nullopt;
    if (!index) return false;
    const Asked asked{step, way, cell, *map, *index};
    if (sides.outers.empty()) return compare_contents(asked, condition);
    if (compare_outer(asked, condition)) return true;
    condition.sure = Bits(size_);  // of values before the one that compare_outer() gave up at
    return sides.outers.size() == 1 && compare_kinds(asked, sides.outers[0], condition);
  }

  bool compare_values(const Step& step, const SetWay& way, SetCondition& condition) const {
    for (const std::size_t x : way.possible) {
      const std::optional<bool> result = model_.holds(step, bindings(static_cast<std::uint32_t>(x), way));
      if (!result) return false;
      if (*result) condition.sure.set(x);
    }
    return true;
  }

  // A set of x for each value of a variable that was set before.
  bool compare_table(const Step& step, const SetWay& way, VarId outer, SetCondition& condition) {
    const Universe& u = model_.universe(outer);
    const std::size_t words = (size_ + 63) / 64;
    if (u.size() * words > kSizes.set_table) return false;
    auto source = predicate_of_values(model_, {step.number}, way.possible, outer,
                                      [&](std::uint32_t x) { return bindings(x, way); });
    if (!source) return false;
    condition.asked.push_back({source_number(std::move(*source)), 0, way.possible, {}});
    return true;
  }

  // The board that a cell belongs to, as an expression whose value is one row of cells that can be compared together.
  [[nodiscard]] std::optional<VarId> row_of(ExprId cell, const SetWay& way) const {
    const std::optional<RowOfCells> of = model_.row_of(cell);
    if (!of || way.clobbered.contains(of->map.value) || !model_.in_vectors(of->map)) return std::nullopt;
    if (!of->row.valid()) return of->map;
    // The row is the same for all x, there is one when the walks begin, and nothing was written to the map.
    bool same = model_.is_always_row(of->map, of->row);
    model_.for_each_read(of->row, [&](VarId v) { same = same && model_.scalar(v) && !changed(v, way); });
    for (const SetWay::Write& write : way.writes) same = same && write.map != of->map;
    return same ? std::optional(of->map) : std::nullopt;
  }

  // What the walk can have written to the cell at last, if it has.
  [[nodiscard]] static std::optional<Bits> written(VarId map, std::uint32_t cell, std::size_t x, const SetWay& way) {
    for (auto it = way.writes.rbegin(); it != way.writes.rend(); ++it) {
      if (it->map != map || it->cell[x] != cell) continue;
      Bits codes = it->possible;
      if (it->value) {
        codes.clear();
        codes.set((*it->value)[x]);
      }
      return codes;
    }
    return std::nullopt;
  }

  // Contents that have to be told apart, and where the cells lie.
  struct Group {
    Bits yes, no;
    std::map<std::int64_t, Bits> shifts;
  };

  bool compare_contents(const Asked& asked, SetCondition& condition) {
    const auto& [step, way, cell, map, index] = asked;
    const ArrayShape& shape = model_.variable_shape(map);
    if (std::ranges::any_of(way.possible, [&](std::size_t x) { return asked.index[x] >= shape.sizes.back(); }))
      return false;
    const Universe& kinds = model_.universes[shape.leaf];
    const Bits keys = model_.keys_of(model_.game.expressions().map(cell));
    std::vector<Group> groups;
    for (const std::size_t x : way.possible) {
      Bindings with = bindings(static_cast<std::uint32_t>(x), way);
      with.emplace_back(cell, SymbolId());
      const std::optional<Bits> before = written(map, index[x], x, way);
      Bits yes(kinds.size());
      Bits no(kinds.size());
      for (std::uint32_t k = 0; k < kinds.size(); ++k) {
        if (before ? !before->test(k) : !can_hold(map, index[x], k)) continue;
        with.back().second = kinds.symbols[k];
        const std::optional<bool> result = model_.holds(step, with);
        if (!result) return false;
        (*result ? yes : no).set(k);
      }
      if (yes.none()) continue;
      if (no.none()) {
        condition.sure.set(x);
        continue;
      }
      // A read of a key that the map lacks gives its default, which need not lie in the words of the board.
      if (before || !keys.test(index[x])) return false;
      const auto fits = std::ranges::find_if(
          groups, [&](const Group& group) { return !group.yes.intersects(no) && !group.no.intersects(yes); });
      Group& group = fits != groups.end() ? *fits : groups.emplace_back(Group{yes, no, {}});
      group.yes |= yes;
      group.no |= no;
      add_shift(group, index[x], x);
    }
    return std::ranges::all_of(groups, [&](const Group& group) {
      const auto source = contents_source(model_.game.expressions().map(asked.cell), group);
      return source && ask(source_number(*source), group, asked.index, condition);
    });
  }

  bool ask(std::size_t source, const Group& group, const Codes& index, SetCondition& condition) {
    if (group.shifts.size() <= kCosts.shifts) {
      for (const auto& [delta, where] : group.shifts) condition.asked.push_back({source, delta, where, {}});
      return true;
    }
    Shifted gathered{source, 0, Bits(size_), Codes(gathered_cells(), 0)};
    for (const auto& [delta, where] : group.shifts) gathered.where |= where;
    for (const std::size_t x : gathered.where) {
      if (x >= gathered.cell.size() || (index[x] >= gathered.cell.size() && !bounds_.for_single_value)) return false;
      gathered.cell[x] = index[x];
    }
    condition.asked.push_back(std::move(gathered));
    return true;
  }

  void add_shift(Group& group, std::uint32_t cell, std::size_t x) {
    const auto delta = static_cast<std::int64_t>(cell) - static_cast<std::int64_t>(x);
    group.shifts.try_emplace(delta, size_).first->second.set(x);
    found_.words = std::max<std::size_t>(found_.words, cell / 64 + 1);
  }

  [[nodiscard]] bool can_hold(VarId map, std::uint32_t cell, std::uint32_t code) const {
    if (!model_.variable_values[map.value].test(code)) return false;
    return !model_.values->usable() || !model_.values->knows_cells(map) || model_.variable_shape(map).keys.size() > 1 ||
           model_.values->cell_can_hold(map, cell, code);
  }

  [[nodiscard]] std::optional<CellPredicate> contents_source(ExprId board, const Group& group) const {
    CellPredicate source;
    source.board = board;
    const Bits& yes = group.yes;
    const Bits& no = group.no;
    const bool many = model_.universes[*model_.universe_of(board)].size() > kMostKinds;
    const auto list = [&](const Bits& codes) {
      for (const std::size_t k : codes) source.codes.push_back(static_cast<std::uint32_t>(k));
    };
    if (yes.count() > 1 && (no.count() == 1 || (many && no.count() < yes.count()))) {
      source.negated = true;
      list(no);
    } else {
      list(yes);
    }
    const bool row = model_.game.expressions().kind(board) != ExprKind::variable;
    if (source.codes.size() > kCosts.compared_contents && (row || many)) return std::nullopt;
    return source;
  }

  // board[f(x)] compared with what was set before.
  bool compare_outer(const Asked& asked, SetCondition& condition) {
    const auto& [step, way, cell, map, index] = asked;
    const ExprId other = step.lhs == cell ? step.rhs : step.lhs;
    bool outer = step.lhs == cell || step.rhs == cell;
    model_.for_each_read(other, [&](VarId v) { outer = outer && !changed(v, asked.way); });
    if (!outer) return false;
    const Bits possible = model_.possible(other, model_.variable_shape(map).leaf);
    Group group;
    for (const std::size_t x : way.possible) {
      if (written(map, index[x], x, way)) return false;
      bool can = false;
      for (const std::size_t k : possible) can = can || can_hold(map, index[x], static_cast<std::uint32_t>(k));
      if (can)
        add_shift(group, index[x], x);
      else if (step.negated)
        condition.sure.set(x);
    }
    CellPredicate source;
    source.kind = CellPredicate::Kind::expression;
    source.board = model_.game.expressions().map(cell);
    source.expression = other;
    source.negated = step.negated;
    if (group.shifts.empty()) return true;
    return ask(source_number(std::move(source)), group, index, condition);
  }

  // A function of board[f(x)] and of what was set before, such as `owner[board[up[x]]] == opponent[me]`.
  bool compare_kinds(const Asked& asked, VarId outer, SetCondition& condition) {
    const auto& [step, way, cell, map, index] = asked;
    const auto& e = model_.game.expressions();
    if (e.kind(e.map(cell)) != ExprKind::variable) return false;
    const Universe& kinds = model_.universe(map);
    const Universe& others = model_.universe(outer);
    const std::size_t lanes = kind_lanes(kinds.size());
    if (kinds.size() > kMostKinds || others.size() * lanes > kSizes.set_table) return false;
    auto source = predicate_of_kinds(model_, {step.number}, cell, outer);
    if (!source) return false;
    Bits ever(kinds.size());
    Bits always = Bits::full(kinds.size());
    for (std::size_t i = 0; i < source->table.size(); ++i) {
      if (i % lanes >= kinds.size()) continue;
      if (source->table[i] != 0)
        ever.set(i % lanes);
      else
        always.reset(i % lanes);
    }
    Group group;
    for (const std::size_t x : way.possible) {
      const std::optional<Bits> before = written(map, index[x], x, way);
      bool can = false;
      bool must = true;
      for (std::uint32_t k = 0; k < kinds.size(); ++k) {
        if (before ? !before->test(k) : !can_hold(map, index[x], k)) continue;
        can = can || ever.test(k);
        must = must && always.test(k);
      }
      if (!can) continue;
      if (must) {
        condition.sure.set(x);
        continue;
      }
      if (before) return false;
      add_shift(group, index[x], x);
    }
    return group.shifts.empty() || ask(source_number(std::move(*source)), group, index, condition);
  }

  std::size_t source_number(CellPredicate source) {
    const auto it = std::ranges::find(found_.sources, source);
    if (it != found_.sources.end()) return static_cast<std::size_t>(it - found_.sources.begin());
    found_.sources.push_back(std::move(source));
    return found_.sources.size() - 1;
  }

  // --- Other steps. ---

  bool step(const CodeContext& context, const Step& step, const SetWay& way, std::vector<SetItem>& into) {
    SetWay next = way;
    ++next.depth;
    switch (step.kind) {
      case Deed::assign:
        if (step.ends_move && context.purpose != Purpose::check) return end(step, way, into);
        if (facts_.assignment_live(context, step)) {
          if (const VarId outer = split_by(step, way); outer.valid()) return split(context, step, outer, way, into);
          if (!assign(step, next)) return fail("an assigned value is no function of the value");
        }
        break;
      case Deed::assign_any:
        if (facts_.assignment_live(context, step)) return choose(context, step, way, into);
        break;
      case Deed::tag:
        if (context.purpose == Purpose::moves)
          next.tags.push_back({Codes(size_, model_.tag_of.at(step.symbol.value)), VarId()});
        break;
      case Deed::tag_variable:
        if (context.purpose == Purpose::moves) next.tags.push_back(shown(step.variable, way));
        break;
      default:
        break;
    }
    return follow(context, step.to, next, into);
  }

  // What is assigned is a function of x for each of few values of this variable, which was set before.
  [[nodiscard]] VarId split_by(const Step& step, const SetWay& way) const {
    if (!model_.scalar(step.variable)) return {};
    bool depends = false;
    std::set<VarId> outers;
    model_.for_each_read(step.rhs, [&](VarId v) {
      if (way.values.contains(v.value))
        depends = true;
      else
        outers.insert(v);
    });
    if (!depends || outers.size() != 1 || !model_.scalar(*outers.begin())) return {};
    return model_.variable_values[outers.begin()->value].count() <= kEfforts.split_values ? *outers.begin() : VarId();
  }

  // From here on the variable has one of its values.
  bool split(const CodeContext& context, const Step& at, VarId outer, const SetWay& way, std::vector<SetItem>& into) {
    for (const std::size_t code : model_.variable_values[outer.value]) {
      SetItem made = item(SetItem::Kind::when, &at, way);
      made.split = {outer, static_cast<std::uint32_t>(code)};
      SetWay with = way;
      with.values[outer.value].assign(size_, static_cast<std::uint32_t>(code));
      if (!step(context, at, with, made.inside)) return false;
      if (!made.inside.empty()) into.push_back(std::move(made));
    }
    return true;
  }

  [[nodiscard]] SetTag shown(VarId variable, const SetWay& way) const {
    const auto it = way.values.find(variable.value);
    if (it == way.values.end()) return {{}, variable};
    SetTag tag;
    tag.tags.assign(size_, 0);
    const Universe& u = model_.universe(variable);
    for (const std::size_t x : way.possible) tag.tags[x] = u.tags[it->second[x]];
    return tag;
  }

  bool assign(const Step& step, SetWay& way) const {
    if (model_.scalar(step.variable)) {
      auto values = by_value(step.rhs, model_.variable_shape(step.variable).leaf, way);
      if (!values) return false;
      way.values[step.variable.value] = std::move(*values);
      return true;
    }
    const auto& e = model_.game.expressions();
    const ArrayShape& shape = model_.variable_shape(step.variable);
    const bool cell = e.kind(step.lhs) == ExprKind::access && shape.keys.size() == 1;
    auto index = cell ? by_value(e.index(step.lhs), shape.keys[0], way) : std::nullopt;
    const Bits keys = cell ? model_.keys_of(e.map(step.lhs)) : Bits();
    if (!index || !std::ranges::all_of(way.possible, [&](std::size_t x) { return keys.test((*index)[x]); })) {
      way.clobbered.insert(step.variable.value);
      return true;
    }
    auto value = by_value(step.rhs, shape.leaf, way);
    bool outer = !value;
    model_.for_each_read(step.rhs, [&](VarId v) { outer = outer && model_.scalar(v) && !changed(v, way); });
    way.writes.push_back({step.variable, std::move(*index), std::move(value), model_.possible(step.rhs, shape.leaf),
                          outer ? step.rhs : ExprId()});
    return true;
  }

  bool choose(const CodeContext& context, const Step& step, const SetWay& way, std::vector<SetItem>& into) {
    if (!model_.scalar(step.variable)) return false;
    const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
    if (codes.size() > kEfforts.second_choice) return fail("a second choice has many values");
    return std::ranges::all_of(codes, [&](std::uint32_t code) {
      SetWay next = way;
      ++next.depth;
      next.values[step.variable.value].assign(size_, code);
      return follow(context, step.to, next, into);
    });
  }

  bool end(const Step& step, const SetWay& way, std::vector<SetItem>& into) {
    if (way.may_duplicate) return fail("a move might be found twice");
    SetItem made = item(SetItem::Kind::moves, &step, way);
    made.tags = way.tags;
    into.push_back(std::move(made));
    found_.lists = true;
    ++ends_;
    return true;
  }
  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& main_;
  const WalkBounds bounds_;
  CodePlan plan_;
  std::uint32_t universe_ = 0;
  std::uint32_t size_ = 0;  // of the universe of x
  std::size_t steps_ = 0;
  bool allow_scalar_ = false;  // walks can be followed one by one from some place on
  bool in_asked_ = false;      // behind a node where one value could go on alone
  bool many_ = false;          // values of x
  std::size_t each_ = 0, ends_ = 0;
  std::pair<std::uint32_t, VarId> around_;  // where walks around a cycle start
  std::vector<std::uint32_t> nodes_;        // of the exploration, from the start to where the walk is
  SetWalks found_;
  std::string why_;
};

}  // namespace

std::optional<Needed> needed_behind(const SetItem& item, const Needed& before) {
  if (item.kind != SetItem::Kind::narrow || item.conditions.size() != 1) return std::nullopt;
  const SetCondition& condition = item.conditions[0];
  Needed next(before.size());
  for (std::size_t x = 0; x < before.size(); ++x) {
    if (!before[x]) continue;
    if (condition.sure.test(x)) next[x] = before[x];
    for (const Shifted& asked : condition.asked) {
      if (!asked.where.test(x)) continue;
      next[x] = before[x];
      (*next[x])[asked.source].set(asked.cell_of(x));
    }
  }
  return next;
}

std::size_t cost_of(const std::vector<SetItem>& items) {
  std::size_t result = 0;
  for (const SetItem& item : items) {
    for (const SetCondition& condition : item.conditions) result += kCosts.mask * condition.asked.size();
    result += (item.kind == SetItem::Kind::moves ? kCosts.add_moves : 1) + cost_of(item.inside) + cost_of(item.check);
  }
  return result;
}

std::optional<SetWalks> find_set_walks(NumberedGame& model, const GameFacts& facts, const CodeContext& context,
                                       std::uint32_t node, VarId variable, WalkBounds bounds, std::string* why) {
  Follower follower(model, facts, context, std::move(bounds));
  auto result = follower.run(node, variable);
  if (why != nullptr && !result) *why = follower.why();
  return result;
}

std::optional<SetWalks> find_set_walks(NumberedGame& model, const GameFacts& facts, const CodeContext& context,
                                       const Step& any, WalkBounds bounds, std::string* why) {
  if (context.purpose != Purpose::moves && context.purpose != Purpose::check) return std::nullopt;
  Follower follower(model, facts, context, std::move(bounds));
  auto result = follower.run(any);
  if (why != nullptr && !result) *why = follower.why();
  return result;
}

}  // namespace rgtrans::cpp
