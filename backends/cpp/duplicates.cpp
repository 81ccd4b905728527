// Can two different walks of one move have the same labeling? Pairs of walks are followed from the node where they
// part: each side runs alone to its next tag, then both pass their tags together if these can be equal. What keeps
// them apart is a relation "the value of u on the first walk differs from that of v on the second", which starts
// at an any-assignment (or at two constants) and follows copies. A pair that reaches two ends is a possible duplicate.
// Before that, the first tags of both sides are compared for each value of one variable where the walks part, so that
// rays in different directions, which lead to different squares, are told apart. Where all walks have passed a
// comparison of two variables, for each two values that pass it, so that the orders in which two different dice are
// played are. Of walks that come by a test for second visits with one value of what it is about one alone goes on: of
// those that do, the values differ. Sound: what is not understood counts as possibly equal; too many pairs count as a
// duplicate.
#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/facts.hpp"
#include "backends/cpp/way_tags.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

namespace {

using Differences = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A side is at a node, or has chosen a step that passes a tag or ends the move.
struct Side {
  std::uint32_t at = 0;
  bool chosen = false;
  // The last node with a test where it was, while its key has the value that it had there; and whether that was after
  // the walks had parted.
  std::uint32_t visited = kNone;
  bool alone = false;
  bool operator==(const Side&) const = default;
};

struct Pair {
  Side first, second;
  std::uint32_t differ = 0;  // Differences, by number
  bool epochs = false;       // visits of one side mean nothing to the other any more
  bool operator==(const Pair&) const = default;
};

struct PairHash {
  std::size_t operator()(const Pair& pair) const {
    std::size_t seed = pair.differ;
    for (const Side& side : {pair.first, pair.second}) {
      boost::hash_combine(seed, side.at * 4 + (side.chosen ? 1U : 0U) + (side.alone ? 2U : 0U));
      boost::hash_combine(seed, side.visited);
    }
    boost::hash_combine(seed, pair.epochs);
    return seed;
  }
};

class Search {
 public:
  Search(NumberedGame& model, const GameFacts& facts)
      : model_(model), facts_(facts), context_(facts.moves), tags_(model, facts.moves) {}

  // Takes into account that walks end where one was before. False when there is no such place.
  bool look_at_visits() {
    for (const std::uint32_t node : context_.nodes) {
      if (const VarId key = facts_.sole_key(context_, node); key.valid()) key_at_.emplace(node, key);
    }
    return !key_at_.empty();
  }

  // Nodes where walks part that may have the same labeling; nothing when there are too many pairs to follow.
  std::optional<std::vector<std::uint32_t>> run() {
    std::vector<std::uint32_t> bad;
    for (std::size_t i = 0; i < context_.nodes.size(); ++i) {
      node_ = context_.nodes[i];
      tags_.go_to(node_);
      if (!diverges(context_.info[i].out)) continue;
      if (followed_ > kEfforts.pairs) return std::nullopt;
      bad.push_back(context_.nodes[i]);
    }
    return bad;
  }

 private:
  static bool passes(const Step& step) { return is_tag(step) || step.ends_move; }

  bool diverges(const std::vector<std::uint32_t>& out) {
    const Side here{node_, false, visited_before(node_), false};
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Step& a = model_.steps[out[i]];
      if (a.kind == Deed::assign_any && facts_.assignment_live(context_, a)) {
        Differences differ;
        if (model_.scalar(a.variable)) differ.emplace_back(a.variable.value, a.variable.value);
        if (model_.game.members(a.type).size() > 1 && meet(parted(here, a, here, a, number(differ))) &&
            !tags_.show_choice(a)) {
          return true;
        }
      }
      for (std::size_t k = i + 1; k < out.size(); ++k) {
        const Step& b = model_.steps[out[k]];
        const bool conditions = is_condition(a) && is_condition(b);
        if ((conditions && a.to == b.to) || facts_.exclusive(a, b)) continue;
        const Differences differ =
            different_constants(a, b) ? Differences{{a.variable.value, a.variable.value}} : Differences();
        if (meet(parted(here, a, here, b, number(differ))) && !tags_.show_branch(a, b)) return true;
      }
    }
    return false;
  }

  Pair parted(const Side& here, const Step& a, const Side& there, const Step& b, std::uint32_t differ) const {
    Pair pair{here, there, differ};
    go(pair.first, a, pair);
    go(pair.second, b, pair);
    return pair;
  }

  // Takes a step, or chooses it when a tag is passed or the move ends.
  void go(Side& side, const Step& step, Pair& pair) const {
    if (passes(step)) {
      side.at = step.number;
      side.chosen = true;
      return;
    }
    side.at = step.to;
    if (is_assignment(step)) {
      if (context_.begins_epoch.test(step.variable.value)) pair.epochs = true;
      if (side.visited != kNone && key_at_.at(side.visited) == step.variable) side.visited = kNone;
    }
    if (pair.epochs || !key_at_.contains(step.to)) return;
    side.visited = step.to;
    side.alone = true;
  }

  // The node with a test that every walk to this one has come by, with no tag and no change of its key since.
  [[nodiscard]] std::uint32_t visited_before(std::uint32_t node) const {
    for (const auto& [tested, key] : key_at_) {
      std::set<std::uint32_t> seen{node};
      std::vector<std::uint32_t> work{node};
      bool always = true;
      while (always && !work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        if (at == tested) continue;
        always = std::ranges::find(context_.entries, at) == context_.entries.end();
        for (const Step& step : model_.steps_at(model_.in[at])) {
          if (!context_.contains(step.from) || step.ends_move) continue;
          const bool changes =
              is_assignment(step) && (step.variable == key || context_.begins_epoch.test(step.variable.value));
          always = always && !is_tag(step) && !changes;
          if (seen.insert(step.from).second) work.push_back(step.from);
        }
      }
      if (always) return tested;
    }
    return kNone;
  }

  // Both sides of the pair can come to the end of a move with one labeling, as far as the differences show.
  bool meet(const Pair& start) {
    work_.clear();
    fresh_.clear();
    push(start);
    while (!work_.empty()) {
      if (followed_ > kEfforts.pairs) return true;
      const Pair pair = work_.back();
      work_.pop_back();
      if (expand(pair)) {
        // Whoever comes to one of these from elsewhere must find the duplicate again.
        for (const Pair& known : fresh_) seen_.erase(known);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool different_constants(const Step& a, const Step& b) const {
    if (a.kind != Deed::assign || b.kind != Deed::assign || a.variable != b.variable) return false;
    if (a.ends_move || b.ends_move || !model_.scalar(a.variable)) return false;
    const Folded x = model_.fold(a.rhs);
    const Folded y = model_.fold(b.rhs);
    return x.symbol.valid() && y.symbol.valid() && x.symbol != y.symbol;
  }

  void push(const Pair& pair) {
    if (!seen_.insert(pair).second) return;
    ++followed_;
    fresh_.push_back(pair);
    work_.push_back(pair);
  }

  std::uint32_t number(const Differences& differ) {
    const auto [it, fresh] = number_of_.try_emplace(differ, static_cast<std::uint32_t>(differences_.size()));
    if (fresh) differences_.push_back(differ);
    return it->second;
  }

  // True when both walks can end here.
  bool expand(const Pair& pair) {
    if (!pair.first.chosen || !pair.second.chosen) {
      const bool first = !pair.first.chosen;
      const Side& side = first ? pair.first : pair.second;
      for (const Step& step : model_.steps_at(context_.at(side.at).out)) {
        Pair next = pair;
        go(first ? next.first : next.second, step, next);
        if (!passes(step)) next.differ = changed(step, first, pair.differ);
        push(next);
      }
      return false;
    }
    const Step& a = model_.steps[pair.first.at];
    const Step& b = model_.steps[pair.second.at];
    if (a.ends_move && b.ends_move) return true;
    if (a.ends_move || b.ends_move) return false;
    const Differences differ = with_visits(pair);
    if (may_be_equal(a, b, differ)) push({{a.to, false}, {b.to, false}, number(differ), true});
    return false;
  }

  // Where both were at one test, they were there with different values.
  [[nodiscard]] Differences with_visits(const Pair& pair) const {
    Differences differ = differences_[pair.differ];
    const bool known = pair.first.visited != kNone && pair.first.visited == pair.second.visited &&
                       (pair.first.alone || pair.second.alone);
    if (!known || differ.size() >= kEfforts.differences) return differ;
    const std::uint32_t key = key_at_.at(pair.first.visited).value;
    differ.emplace_back(key, key);
    sort_unique(differ);
    return differ;
  }

  [[nodiscard]] bool may_be_equal(const Step& a, const Step& b, const Differences& differ) const {
    if (a.kind == Deed::tag && b.kind == Deed::tag) return a.symbol == b.symbol;
    if (a.kind == Deed::tag_variable && b.kind == Deed::tag_variable) {
      const std::pair wanted(a.variable.value, b.variable.value);
      if (std::ranges::find(differ, wanted) != differ.end()) return false;
      const std::uint32_t ua = model_.variable_shape(a.variable).leaf;
      const std::uint32_t ub = model_.variable_shape(b.variable).leaf;
      if (ua == ub)
        return model_.variable_values[a.variable.value].intersects(model_.variable_values[b.variable.value]);
      for (const SymbolId symbol : model_.universes[ua].symbols) {
        if (holds(a.variable, symbol) && holds(b.variable, symbol)) return true;
      }
      return false;
    }
    return a.kind == Deed::tag ? holds(b.variable, a.symbol) : holds(a.variable, b.symbol);
  }

  [[nodiscard]] bool holds(VarId variable, SymbolId symbol) const {
    const std::uint32_t universe = model_.variable_shape(variable).leaf;
    return model_.has(universe, symbol) && model_.variable_values[variable.value].test(model_.code(universe, symbol));
  }

  // What a step on one side makes of the differences.
  std::uint32_t changed(const Step& step, bool first, std::uint32_t before) {
    if (before == 0 || !is_assignment(step)) return before;
    const auto mine = [&](const auto& d) { return first ? d.first : d.second; };
    Differences next;
    const auto& e = model_.game.expressions();
    const bool copy =
        step.kind == Deed::assign && model_.scalar(step.variable) && e.kind(step.rhs) == ir::ExprKind::variable;
    for (const auto& d : differences_[before]) {
      if (mine(d) != step.variable.value) next.push_back(d);
      if (copy && mine(d) == e.variable(step.rhs).value && next.size() < kEfforts.differences) {
        auto copied = d;
        (first ? copied.first : copied.second) = step.variable.value;
        next.push_back(copied);
      }
    }
    sort_unique(next);
    return number(next);
  }

  NumberedGame& model_;
  const GameFacts& facts_;
  const CodeContext& context_;
  WayTags tags_;
  std::vector<Differences> differences_{Differences{}};
  std::map<Differences, std::uint32_t> number_of_{{Differences{}, 0}};
  std::unordered_set<Pair, PairHash> seen_;
  std::vector<Pair> work_;
  std::vector<Pair> fresh_;                // seen since the present node
  std::map<std::uint32_t, VarId> key_at_;  // nodes where second visits are recognised by one variable
  std::size_t followed_ = 0;
  std::uint32_t node_ = 0;  // where walks part
};

}  // namespace

void GameFacts::find_duplicates() {
  duplicate_entry.assign(model.out.size(), false);
  // What the interpreter goes by needs less time, and mostly it is enough.
  const std::vector<bool> equal =
      analysis::find_equal_labelings(moves, {model.game, deeds_, promises_, *model.held, exclusive_});
  duplicates = std::ranges::find(equal, true) != equal.end();
  if (!duplicates) return;
  auto bad = Search(model, *this).run();
  if (Search again(model, *this); (!bad || !bad->empty()) && again.look_at_visits()) {
    auto found = again.run();
    visit_tests_prove_distinct = found && (!bad || found->size() < bad->size());
    if (visit_tests_prove_distinct) bad = std::move(found);
  }
  duplicates = !bad || !bad->empty();
  if (!duplicates) return;
  may_fork_duplicates.assign(model.out.size(), !bad.has_value());
  std::vector<std::uint32_t> parts;
  for (const std::uint32_t node : bad.value_or(std::vector<std::uint32_t>())) {
    may_fork_duplicates[node] = true;
    parts.push_back(moves.local.at(node));
  }
  // Only moves whose walk came by there can be found twice.
  duplicate_behind = may_fork_duplicates;
  const std::vector<bool> after = analysis::behind(moves, parts);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < after.size(); ++i) {
    if (after[i]) duplicate_behind[moves.nodes[i]] = true;
    if (duplicate_behind[moves.nodes[i]]) found.push_back(i);
  }
  // The starts of moves that can come to such a node.
  const std::vector<bool> reaches = analysis::before(moves, found);
  for (const std::uint32_t node : moves.entries) {
    duplicate_entry[node] = moves.contains(node) ? reaches[moves.local.at(node)] : duplicate_behind[node];
  }
}

}  // namespace rgtrans::cpp
