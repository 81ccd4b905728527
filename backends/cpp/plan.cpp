// See plan.hpp.
#include "backends/cpp/plan.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

CodePlan::CodePlan(NumberedGame& model, const GameFacts& facts, const CodeContext& context)
    : model_(model), facts_(facts), context_(context), next_tags_(model_, context_, kEfforts.next_tags) {}

Bits CodePlan::tag_counts(std::uint32_t node) {
  if (context_.at(node).tags_max >= kManyTags) return {};
  if (tag_counts_.empty()) {
    tag_counts_.assign(context_.nodes.size(), Bits(kManyTags + 1));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work;  // nodes and numbers of tags
    const auto reach = [&](std::uint32_t at, std::uint32_t count) {
      if (!context_.contains(at) || count > std::min(context_.at(at).tags_max, kManyTags)) return;
      if (tag_counts_[context_.local.at(at)].test(count)) return;
      tag_counts_[context_.local.at(at)].set(count);
      work.emplace_back(at, count);
    };
    for (const std::uint32_t entry : context_.entries) reach(entry, 0);
    while (!work.empty()) {
      const auto [at, count] = work.back();
      work.pop_back();
      for (const Step& step : model_.steps_at(context_.at(at).out)) {
        if (!step.ends_move) reach(step.to, count + (is_tag(step) ? 1 : 0));
      }
    }
  }
  return tag_counts_[context_.local.at(node)];
}

// Ways meet here, or a second visit must be recognised. A short way to the end is repeated instead.
bool CodePlan::own_function(std::uint32_t node, const Steps& excluded) const {
  if (context_.is_goal(node)) return false;
  const CodeContext::Node* info = &context_.at(node);
  if (info->test || (context_.purpose == Purpose::moves && facts_.waits[node])) return true;
  if (writes_loop(node, excluded)) return context_.in_degree(node) > 2;
  if (begins_rays(node)) return true;
  // A cycle through tags is met again at its entrance, which can be the start of a move.
  const bool entrance = info->tag_cycle && std::ranges::find(context_.entries, node) != context_.entries.end();
  if (context_.in_degree(node) < 2 && !entrance) return false;
  for (int i = 0; i < 3; ++i) {
    if (info->test || info->out.size() != 1 || !info->loop.empty()) return true;
    const Step& step = model_.steps[info->out[0]];
    if (step.ends_move && context_.purpose != Purpose::check) return false;
    if (step.kind == Deed::assign_any || step.kind == Deed::check) return true;
    if (context_.is_goal(step.to)) return false;
    info = &context_.at(step.to);
  }
  return true;
}

// A direction is chosen here, and a cycle follows it: where one variable is all that matters, the places that are
// reached may be listed for each of its values.
bool CodePlan::begins_rays(std::uint32_t node) const {
  const CodeContext::Node& info = context_.at(node);
  if (context_.purpose != Purpose::moves || info.out.size() != 1) return false;
  const Step& step = model_.steps[info.out[0]];
  return step.kind == Deed::assign_any && !context_.is_goal(step.to) && context_.contains(step.to) &&
         !context_.at(step.to).loop.empty() && model_.member_codes(step.type).size() <= kCosts.directions &&
         facts_.parameters(context_, node).size() == 1;
}

// A cycle that ends by itself and changes no variable whose change would begin a new epoch.
bool CodePlan::writes_loop(std::uint32_t node, const Steps& excluded) const {
  const CodeContext::Node& info = context_.at(node);
  return !info.loop.empty() && std::ranges::none_of(info.loop, [&](std::uint32_t s) {
    const Step& step = model_.steps[s];
    return excluded.contains(s) ||
           (step.kind == Deed::assign && info.reaches_test && context_.begins_epoch.test(step.variable.value));
  });
}

// Conditions that lead to one node are one arm: the node is entered once, whichever of them hold.
std::vector<Arm> CodePlan::arms_of(const std::vector<std::uint32_t>& steps) const {
  std::vector<Arm> arms;
  std::unordered_map<std::uint32_t, std::size_t> guarded_to;
  for (const std::uint32_t s : steps) {
    const Step& step = model_.steps[s];
    const bool guarded = is_condition(step);
    if (guarded) {
      const auto [same, fresh] = guarded_to.try_emplace(step.to, arms.size());
      if (!fresh) {
        arms[same->second].steps.push_back(s);
        continue;
      }
    }
    arms.push_back({step.to, guarded, {s}});
  }
  return arms;
}

bool CodePlan::excludes(const Arm& a, const Arm& b) const {
  for (const std::uint32_t x : a.steps) {
    for (const std::uint32_t y : b.steps) {
      if (!facts_.conditions_exclude(model_.steps[x], model_.steps[y])) return false;
    }
  }
  return true;
}

// The constants that `lhs` is compared with, when that is all the arm does.
std::optional<std::vector<std::uint32_t>> CodePlan::arm_codes(const Arm& arm, ExprId lhs) const {
  if (model_.steps[arm.steps[0]].kind != Deed::compare) return std::nullopt;
  const auto universe = model_.universe_of(lhs);
  if (!universe) return std::nullopt;
  std::vector<std::uint32_t> codes;
  for (const Step& step : model_.steps_at(arm.steps)) {
    if (step.kind != Deed::compare || step.negated || step.lhs != lhs) return std::nullopt;
    const Folded constant = model_.fold(step.rhs);
    if (!constant.symbol.valid() || !model_.has(*universe, constant.symbol)) return std::nullopt;
    codes.push_back(model_.code(*universe, constant.symbol));
  }
  return codes;
}

std::optional<CodePlan::Switch> CodePlan::switch_on(const std::vector<Arm>& arms) const {
  if (arms.size() < kCosts.switch_least) return std::nullopt;
  const ExprId lhs = model_.steps[arms[0].steps[0]].lhs;
  Switch result;
  std::set<std::uint32_t> used;
  for (const Arm& arm : arms) {
    auto mine = arm_codes(arm, lhs);
    if (!mine || std::ranges::any_of(*mine, [&](std::uint32_t code) { return !used.insert(code).second; }))
      return std::nullopt;
    result.codes.push_back(std::move(*mine));
  }
  result.universe = *model_.universe_of(lhs);
  return result;
}

Bits CodePlan::first_tags(const Step& step) const {
  Bits tags(model_.tags.size());
  if (step.ends_move) {
    tags.set(0);
  } else if (step.kind == Deed::tag) {
    tags.set(model_.tag_of.at(step.symbol.value));
  } else if (step.kind == Deed::tag_variable) {
    const Universe& u = model_.universe(step.variable);
    const Bits& values = model_.variable_values[step.variable.value];
    for (const std::size_t c : values) tags.set(u.tags[c]);
  } else if (context_.contains(step.to)) {
    return first_[context_.local.at(step.to)];
  }
  return tags;
}

// Which tags can come next, by node: a least fixed point against the steps. Number 0 is the end of the move.
void CodePlan::find_first_tags() {
  const std::size_t count = context_.nodes.size();
  if (context_.purpose != Purpose::apply || count * model_.tags.size() > kSizes.first_tags) return;
  first_.assign(count, Bits(model_.tags.size()));
  std::vector<std::vector<std::uint32_t>> users(count);
  std::vector<std::uint32_t> work(count);
  std::vector<bool> queued(count, true);
  for (std::uint32_t i = 0; i < count; ++i) {
    work[i] = i;
    for (const Step& step : model_.steps_at(context_.info[i].out)) {
      if (!step.ends_move) users[context_.local.at(step.to)].push_back(i);
    }
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    queued[i] = false;
    Bits tags = first_[i];
    for (const std::uint32_t s : context_.info[i].out) tags |= first_tags(model_.steps[s]);
    if (tags == first_[i]) continue;
    first_[i] = std::move(tags);
    for (const std::uint32_t user : users[i]) {
      if (!queued[user]) {
        queued[user] = true;
        work.push_back(user);
      }
    }
  }
}

// On every way the value assigned here is shown, unchanged, by the k-th tag from here; the smallest such k.
int CodePlan::shown_after(const Step& step) const {
  if (!model_.scalar(step.variable)) return -1;
  const auto is_shown_after = [&](int k) {
    std::set<std::pair<std::uint32_t, int>> seen;
    std::vector<std::pair<std::uint32_t, int>> work = {{step.to, 0}};
    while (!work.empty()) {
      const auto [node, passed] = work.back();
      work.pop_back();
      if (!seen.insert({node, passed}).second) continue;
      if (seen.size() > kEfforts.shown_nodes) return false;
      for (const Step& next : model_.steps_at(context_.at(node).out)) {
        if (next.ends_move || (next.variable == step.variable && is_assignment(next))) return false;
        if (!is_tag(next) || passed != k)
          work.emplace_back(next.to, passed + (is_tag(next) ? 1 : 0));
        else if (next.kind != Deed::tag_variable || next.variable != step.variable)
          return false;
      }
    }
    return true;
  };
  for (int k = 0; k < kEfforts.shown_after; ++k) {
    if (is_shown_after(k)) return k;
  }
  return -1;
}

// The tag that all ways from a node pass next, or one of several that lead to one node and show the same. Adds the
// scalars that the ways change before; none if they change a map.
const Step* CodePlan::next_tag(std::uint32_t node, Bits& changed) const {
  const Step* result = nullptr;
  std::set<std::uint32_t> seen = {node};
  std::vector<std::uint32_t> work = {node};
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (!context_.contains(at)) continue;
    for (const Step& step : model_.steps_at(context_.at(at).out)) {
      if (step.ends_move) return nullptr;
      if (is_tag(step)) {
        if (result != nullptr && (result->variable != step.variable || result->to != step.to)) return nullptr;
        result = &step;
        continue;
      }
      if (is_assignment(step) && facts_.assignment_live(context_, step)) {
        if (!model_.scalar(step.variable)) return nullptr;
        changed.set(step.variable.value);
      }
      if (seen.insert(step.to).second) work.push_back(step.to);
      if (seen.size() > kEfforts.shown_nodes) return nullptr;
    }
  }
  return result != nullptr && context_.contains(result->to) ? result : nullptr;
}

std::optional<CodePlan::ShownNext> CodePlan::shown_next(std::uint32_t node) const {
  ShownNext result{{}, node};
  Bits changed(model_.game.variables().size());
  while (result.variables.size() < kEfforts.shown_tags) {
    const Step* const tag = next_tag(result.to, changed);
    if (tag == nullptr) return std::nullopt;
    const bool shows = tag->kind == Deed::tag_variable && changed.test(tag->variable.value);
    if (shows) changed.reset(tag->variable.value);
    result.variables.push_back(shows ? tag->variable : VarId());
    result.to = tag->to;
    if (!(facts_.exact ? changed.any() : changed.intersects(context_.live_at(result.to)))) return result;
  }
  return std::nullopt;
}

// Entries from which common nodes can be reached belong to one function.
std::vector<std::vector<std::uint32_t>> CodePlan::separate_entries() const {
  boost::disjoint_sets_with_storage<> parts(context_.nodes.size());
  for (std::uint32_t i = 0; i < context_.nodes.size(); ++i) {
    for (const Step& step : model_.steps_at(context_.info[i].out))
      if (!step.ends_move) parts.union_set(i, context_.local.at(step.to));
  }
  std::vector<std::vector<std::uint32_t>> groups;
  std::map<std::size_t, std::size_t> group_of;  // by part
  for (const std::uint32_t entry : context_.entries) {
    if (!context_.contains(entry)) continue;
    const auto [it, fresh] = group_of.try_emplace(parts.find_set(context_.local.at(entry)), groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(entry);
  }
  return groups;
}

// Groups that the next tag tells apart, in the order of the last step of each.
std::vector<std::vector<std::uint32_t>> CodePlan::groups_by_tag(const std::vector<std::uint32_t>& steps) const {
  boost::disjoint_sets_with_storage<> sets(steps.size());
  std::vector<std::size_t> first(model_.tags.size(), steps.size());  // step that has the tag
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Bits tags = first_tags(model_.steps[steps[i]]);
    for (const std::size_t t : tags) {
      if (first[t] == steps.size()) first[t] = i;
      sets.union_set(first[t], i);
    }
  }
  std::vector<std::size_t> last(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) last[sets.find_set(i)] = i;
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) groups[last[sets.find_set(i)]].push_back(steps[i]);
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [position, group] : groups) result.push_back(std::move(group));
  return result;
}

// By value of `base` and next tag: the alternative that goes on with this tag, and the number of alternatives where
// none does. Nothing if two of them do.
std::optional<std::vector<std::uint64_t>> CodePlan::told_apart(std::uint32_t node, VarId base, std::size_t alternatives,
                                                               const TagsOf& tags_of) const {
  const std::size_t size = model_.universe(base).size();
  const std::size_t tags = model_.tags.size();
  if (size * tags > kSizes.arm_table) return std::nullopt;
  const PossibleValues::Codes row = model_.values->values_at(node);
  std::vector<std::uint64_t> result(size * tags, alternatives);
  const bool apart = std::ranges::all_of(model_.values->codes_of(row, base), [&](std::uint32_t code) {
    if (!next_tags_.may_try(node)) return false;
    PossibleValues::Codes fixed = row;
    model_.values->fix(fixed, base, code);
    for (std::size_t i = 0; i < alternatives; ++i) {
      for (const NextTags::Fronts& fronts : tags_of(i, fixed)) {
        for (const auto& [tag, front] : fronts) {
          std::uint64_t& known = result[code * tags + tag];
          if (known != alternatives && known != i) return false;
          known = i;
        }
      }
    }
    return true;
  });
  return apart ? std::optional(std::move(result)) : std::nullopt;
}

// Ways that the next tag tells apart once the value of some variable is known.
std::optional<CodePlan::ByValue> CodePlan::by_value(const std::vector<std::uint32_t>& steps) const {
  const std::uint32_t node = model_.steps[steps[0]].from;
  if (!next_tags_.may_try(node)) return std::nullopt;
  std::vector<Arm> arms = arms_of(steps);
  if (arms.size() < 2 || arms.size() > kSizes.arms) return std::nullopt;
  for (const VarId base : next_tags_.candidates(node)) {
    auto arm_of = told_apart(node, base, arms.size(), [&](std::size_t arm, const PossibleValues::Codes& row) {
      std::vector<NextTags::Fronts> result;
      for (const Step& step : model_.steps_at(arms[arm].steps)) result.push_back(next_tags_.behind(step, row));
      return result;
    });
    if (arm_of) return ByValue{base, std::move(arms), std::move(*arm_of)};
  }
  return std::nullopt;
}

std::optional<CodePlan::ChosenByTag> CodePlan::chosen_by_tag(const Step& any) const {
  if (!next_tags_.may_try(any.from) || !model_.scalar(any.variable)) return std::nullopt;
  const std::vector<std::uint32_t> codes = model_.member_codes(any.type);
  const std::size_t none = model_.universe(any.variable).size();
  if (none > kSizes.arms) return std::nullopt;
  for (const VarId base : next_tags_.candidates(any.from)) {
    if (base == any.variable) continue;
    auto chosen = told_apart(any.from, base, codes.size(), [&](std::size_t i, const PossibleValues::Codes& row) {
      PossibleValues::Codes fixed = row;
      model_.values->fix(fixed, any.variable, codes[i]);
      return std::vector<NextTags::Fronts>{next_tags_.behind(NextTags::Front{{any.to, std::move(fixed)}})};
    });
    if (!chosen) continue;
    for (std::uint64_t& i : *chosen) i = i < codes.size() ? codes[i] : none;
    return ChosenByTag{base, std::move(*chosen)};
  }
  return std::nullopt;
}

}  // namespace rgtrans::cpp
