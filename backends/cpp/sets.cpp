// Follows walks with sets of values; see sets.hpp.
#include "backends/cpp/sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/plan.hpp"
#include "backends/cpp/set_conditions.hpp"

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
    const std::size_t least = main_.purpose == Purpose::check ? kCosts.checked_values_least : kCosts.set_values_least;
    if (codes.size() < least && !bounds_.for_single_value)
      return no(fmt::format("{} values, at least {} pay", codes.size(), least));
    if (found_.words > most_words(codes.size())) return no("a set has too many words");
    SetWay way;
    way.may_duplicate = bounds_.may_duplicate;
    way.possible = model_.members(any.type);
    Codes& values = way.values[any.variable.value];
    for (std::uint32_t c = 0; c < size_; ++c) values.push_back(c);
    allow_scalar_ = !bounds_.for_single_value;
    if (bounds_.may_assume) conditions_.assume_besides(universe_, way.possible);
    many_ = codes.size() > 64 * kSizes.set_words;
    if (!follow(main_, any.to, way, found_.items)) return std::nullopt;
    if (found_.items.empty()) return no("nothing follows");
    if (found_.words > most_words(codes.size())) return no("a set has too many words");
    if (each_ > ends_ || each_ > kEfforts.scalarized_places) return no("most values go on one by one");
    if (!bounds_.for_single_value && !sets_pay(model_, found_)) return no("few values have many walks");
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
      into.push_back(item_of(SetItem::Kind::goal, nullptr, way));
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
    SetWay fresh = way;
    for (const Visit& visit : visits_) {
      if (visit.context == &context && visit.node == node) fresh.drop_repeated(visit.way);
    }
    if (fresh.possible.none()) return true;
    // What follows has no masks for the values that are left out, so the set must not have them.
    SetItem rest = item_of(SetItem::Kind::narrow, nullptr, way);
    rest.constant = true;
    rest.conditions.push_back({fresh.possible, {}});
    visits_.push_back({&context, node, fresh});
    const bool followed = follow_out(context, node, fresh, fresh.possible == way.possible ? into : rest.inside);
    visits_.pop_back();
    if (!rest.inside.empty()) into.push_back(std::move(rest));
    return followed;
  }

  // Steps that are known to hold, or are walked elsewhere, are so when the walk first comes to their node: a cycle
  // comes back with other values.
  [[nodiscard]] bool is_bounded(const CodeContext& context, const std::set<std::uint32_t>& steps,
                                std::uint32_t step) const {
    const auto is_here = [&](const Visit& visit) {
      return visit.context == &main_ && visit.node == model_.steps[step].from;
    };
    return &context == &main_ && steps.contains(step) && std::ranges::count_if(visits_, is_here) <= 1;
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
      SetItem made = item_of(SetItem::Kind::check_deferrable, nullptr, way);
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
    SetItem made = item_of(SetItem::Kind::loop_back, nullptr, way);
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

  // From here on one value after the other is followed.
  bool scalarize(std::uint32_t node, const SetWay& way, std::vector<SetItem>& into) const {
    SetItem made = item_of(SetItem::Kind::scalarize, nullptr, way);
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
      return go_on(context, arm.target, way, item_of(SetItem::Kind::when, &first, way), into);
    }
    if (first.kind == Deed::check) return arm.steps.size() == 1 && check(context, first, way, into);
    SetItem made = item_of(SetItem::Kind::narrow, &first, way);
    SetWay next = way;
    next.possible.clear();
    made.constant = true;
    for (const Step& step : model_.steps_at(arm.steps)) {
      if (step.kind != Deed::compare || !depends(step, way)) return false;
      SetCondition condition;
      if (!conditions_.compare(step, way, condition)) return fail("a condition is no function of the value");
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
      return std::ranges::any_of(live, [&](std::size_t v) { return way.changes(VarId(v)); });
    }
    bool result = false;
    for (const ExprId side : {step.lhs, step.rhs}) {
      model_.for_each_read(side, [&](VarId v) { result = result || way.changes(v); });
    }
    return result;
  }

  bool check(const CodeContext& context, const Step& step, const SetWay& way, std::vector<SetItem>& into) {
    const CodeContext& asked = facts_.checks[step.check];
    SetItem made = item_of(SetItem::Kind::check, &step, way);
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
      SetItem made = item_of(SetItem::Kind::when, &at, way);
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
      auto values = conditions_.by_value(step.rhs, model_.variable_shape(step.variable).leaf, way);
      if (!values) return false;
      way.values[step.variable.value] = std::move(*values);
      return true;
    }
    const auto& e = model_.game.expressions();
    const ArrayShape& shape = model_.variable_shape(step.variable);
    const bool cell = e.kind(step.lhs) == ExprKind::access && shape.keys.size() == 1;
    auto index = cell ? conditions_.by_value(e.index(step.lhs), shape.keys[0], way) : std::nullopt;
    const Bits keys = cell ? model_.keys_of(e.map(step.lhs)) : Bits();
    if (!index || !std::ranges::all_of(way.possible, [&](std::size_t x) { return keys.test((*index)[x]); })) {
      way.clobbered.insert(step.variable.value);
      return true;
    }
    auto value = conditions_.by_value(step.rhs, shape.leaf, way);
    bool outer = !value;
    model_.for_each_read(step.rhs, [&](VarId v) { outer = outer && model_.scalar(v) && !way.changes(v); });
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
    SetItem made = item_of(SetItem::Kind::moves, &step, way);
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
  // The nodes of the walk, from the start to where it is.
  struct Visit {
    const CodeContext* context;
    std::uint32_t node;
    SetWay way;
  };
  std::vector<Visit> visits_;
  SetWalks found_;
  SetConditions conditions_{model_, found_, size_, bounds_.for_single_value};
  std::string why_;
};

}  // namespace

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
