// pragma-simple-apply: writes the effect of the next tag, for engines that follow a legal move tag by tag without a
// search. It covers the starts of moves and the nodes after tags:
//
//   @simpleApply A B [t] x = e, …;    the rest of a legal move begins with t: it leads to B, with these assignments
//   @simpleApplyExhaustive …          and every legal move that passes A begins with one of A's patterns
//
// From A, the pass follows all walks without tags; each node stores one list of assignments, or "several". A pattern is
// kept if only one walk leads to its tag (or several with the same effect), and if no other pattern of A matches the
// tag.
//
// A tag variable binds its value to a name. The any-assignment that chose the value becomes an assignment of that name,
// if the variable was not changed in between. An any-assignment that no tag shows invalidates the pattern, unless the
// variable is dead behind it. Assignments that are dead at B are omitted.
//
//   q, a: pos = Pos(*);   a, b: board[pos] == me;   b, c: $$ pos;
//   =>   @simpleApplyExhaustive q c [pos_1: Pos] pos = Pos(pos_1);
#include <algorithm>
#include <map>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::Label;
using ir::NodeId;
using ir::VarId;

namespace {

// An assignment on the walk. A hole is an any-assignment, whose value is not known yet.
struct Step {
  ExprId lhs;
  ExprId rhs;       // none for a hole
  ir::TypeId type;  // type of a hole
  bool operator==(const Step&) const = default;
};
using Steps = std::vector<Step>;

class SimpleApply {
 public:
  SimpleApply(ir::Game& game, analysis::Cache& analyses)
      : game_(game),
        graph_(game.graph),
        flow_(analyses.flow()),
        liveness_(analyses.liveness()),
        values_(analyses.values()) {}

  std::vector<ir::Pragma> run() {
    std::vector<NodeId> places = analysis::move_starts(game_, flow_);
    for (NodeId node : graph_.nodes()) {
      if (!flow_.main(node)) continue;
      for (EdgeId e : graph_.in_edges(node)) {
        if (!ir::is_tag(graph_.label(e)) || !flow_.main(graph_.source(e))) continue;
        places.push_back(node);
        break;
      }
    }
    sort_unique(places);
    std::size_t budget = (graph_.edge_count() > kLargeGame ? 1 : 40) * (graph_.edge_count() + 1000);
    for (NodeId place : places) {
      if (place != game_.end()) patterns(place, budget);
    }
    return std::move(pragmas_);
  }

 private:
  struct Reach {
    bool several = false;
    Steps steps;
  };
  struct Pattern {
    EdgeId edge;
    NodeId target;
    bool several = false;  // there are walks with different effects
    Steps steps;
    analysis::SetId symbols = analysis::SymbolSets::kEmpty;  // possible symbols of its tag
    bool variable = false;
    bool move_end = false;
  };

  // The steps that can matter at a node, given its live variables.
  Steps needed(const Steps& steps, NodeId at, VarId also = {}) const {
    Bits live = liveness_.at(at);
    if (also.valid()) live.set(also.value);
    Steps kept;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const VarId written = game_.assigned_variable(step->lhs);
      if (!live.test(written.value)) continue;
      kept.push_back(*step);
      const bool whole = game_.expressions().kind(game_.expressions().uncast(step->lhs)) == ir::ExprKind::variable;
      if (whole) live.reset(written.value);
      auto read = [&](VarId v) { live.set(v.value); };
      ir::for_each_index_variable(game_, step->lhs, read);
      if (step->rhs.valid()) game_.for_each_variable(step->rhs, read);
    }
    std::ranges::reverse(kept);
    return kept;
  }

  void patterns(NodeId place, std::size_t& budget) {
    constexpr std::size_t kLongest = 64;
    std::map<NodeId, Reach> reached;
    std::vector<NodeId> work{place};
    reached[place] = {};
    std::map<EdgeId, Pattern> ends;  // by the edge with the tag or the player assignment
    while (!work.empty()) {
      const NodeId node = work.back();
      work.pop_back();
      const Reach here = reached.at(node);
      if (!values_.possible(node)) continue;
      for (EdgeId edge : graph_.out_edges(node)) {
        if (budget-- == 0) {
          budget = 1;
          return;
        }
        const Label& label = graph_.label(edge);
        const NodeId target = graph_.target(edge);
        if (ir::is_tag(label) || game_.is_player_assignment(label)) {
          finish(ends, edge, here);
          continue;
        }
        Reach there = here;
        const VarId written = ir::written_variable(game_, label);
        if (written.valid() && !there.several) {
          const auto* assign = std::get_if<ir::Assign>(&label);
          const auto* any = std::get_if<ir::AssignAny>(&label);
          there.steps.push_back(assign != nullptr ? Step{assign->lhs, assign->rhs, {}} : Step{any->lhs, {}, any->type});
          if (there.steps.size() > kLongest) there = {true, {}};
        }
        if (!there.several) there.steps = needed(there.steps, target);
        const auto [it, fresh] = reached.try_emplace(target, there);
        if (!fresh) {
          if (it->second.several || (!there.several && it->second.steps == there.steps)) continue;
          it->second = {true, {}};
        }
        work.push_back(target);
      }
    }
    emit(place, ends);
  }

  void finish(std::map<EdgeId, Pattern>& ends, EdgeId edge, const Reach& here) {
    const Label& label = graph_.label(edge);
    const auto [it, fresh] = ends.try_emplace(edge);
    Pattern& p = it->second;
    if (fresh) {
      p.edge = edge;
      p.target = graph_.target(edge);
      p.move_end = game_.is_player_assignment(label);
      if (const auto* tag = std::get_if<ir::Tag>(&label)) p.symbols = values_.sets().one(tag->symbol);
      if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
        p.variable = true;
        const NodeId source = graph_.source(edge);
        if (values_.possible(source)) p.symbols = values_.values(game_.variable_ref(tag->variable), source);
      }
    }
    // A node is processed again only when its state becomes "several".
    p.several = p.several || here.several;
    p.steps = here.steps;
  }

  // Binds the name and fills every hole. Returns false if a hole remains.
  bool fill(Pattern& p, ir::SimpleApply& pragma) {
    const Label label = graph_.label(p.edge);
    if (p.move_end) {
      const auto& assign = std::get<ir::Assign>(label);
      p.steps.push_back({assign.lhs, assign.rhs, {}});
      // The steps were filtered for the edge's source, so they include the inputs of `player = e`.
      p.steps = needed(p.steps, p.target, game_.player());
    } else if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
      const VarId v = tag->variable;
      const ir::TypeId type = game_.variable(v).type;
      const SymbolId name = bound_name(v);
      pragma.tags.push_back({name, type});
      const ExprId value = game_.cast(type, game_.symbol(name));
      for (auto step = p.steps.rbegin(); step != p.steps.rend(); ++step) {
        if (game_.assigned_variable(step->lhs) != v) continue;
        const bool whole = game_.expressions().kind(game_.expressions().uncast(step->lhs)) == ir::ExprKind::variable;
        if (whole && !step->rhs.valid()) step->rhs = value;
        break;
      }
      p.steps = needed(p.steps, p.target);
    } else {
      pragma.tags.push_back({std::get<ir::Tag>(label).symbol, {}});
      p.steps = needed(p.steps, p.target);
    }
    for (const Step& step : p.steps) {
      if (!step.rhs.valid()) return false;
      pragma.effects.push_back({step.lhs, step.rhs});
    }
    return true;
  }

  // Collects names that would have another meaning in an expression.
  void collect_taken() {
    for (const ir::Constant& c : game_.constants()) taken_.insert(c.name);
    for (const ir::Variable& v : game_.variables()) taken_.insert(v.name);
    for (const ir::TypeDef& def : game_.type_defs()) {
      const auto members = game_.members(def.type);
      taken_.insert(members.begin(), members.end());
    }
    for (EdgeId e : graph_.edges()) {
      if (const auto* tag = std::get_if<ir::Tag>(&graph_.label(e))) taken_.insert(tag->symbol);
    }
  }

  SymbolId bound_name(VarId v) {
    if (taken_.empty()) collect_taken();
    const std::string stem = game_.symbols.str(game_.variable(v).name);
    for (std::size_t i = 1;; ++i) {
      const SymbolId name = game_.symbols.intern(stem + "_" + std::to_string(i));
      if (!taken_.contains(name)) return name;
    }
  }

  // For each set of symbols, the sorted positions of all sets that intersect it. Sets of one symbol are compared with
  // larger sets only, because there can be many of them.
  std::map<analysis::SetId, std::vector<std::size_t>> positions_meeting(
      const std::map<analysis::SetId, std::vector<std::size_t>>& with_set) const {
    std::vector<analysis::SetId> larger;
    for (const auto& [set, positions] : with_set) {
      if (values_.sets().of(set).size() > 1) larger.push_back(set);
    }
    std::map<analysis::SetId, std::vector<std::size_t>> meeting = with_set;
    const auto note = [&](analysis::SetId set, analysis::SetId other) {
      meeting[set].insert(meeting[set].end(), with_set.at(other).begin(), with_set.at(other).end());
    };
    for (const analysis::SetId set : larger) {
      for (const auto& [other, positions] : with_set) {
        if (other == set || values_.sets().disjoint(set, other)) continue;
        note(set, other);
        if (values_.sets().of(other).size() == 1) note(other, set);
      }
    }
    meeting[analysis::SymbolSets::kEmpty].clear();
    for (auto& [set, positions] : meeting) std::ranges::sort(positions);
    return meeting;
  }

  void emit(NodeId place, std::map<EdgeId, Pattern>& ends) {
    // Patterns with the same tag must be a single walk with a single effect.
    std::vector<Pattern*> list;
    for (auto& [edge, p] : ends) list.push_back(&p);
    bool exhaustive = true;
    std::vector<bool> dropped(list.size(), false);
    std::vector<ir::SimpleApply> made(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      Pattern& p = *list[i];
      made[i].from = place;
      made[i].to = p.target;
      if (p.several || !fill(p, made[i])) dropped[i] = true;
    }
    std::map<analysis::SetId, std::vector<std::size_t>> with_set;
    std::vector<std::size_t> ending;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i]->move_end) {
        ending.push_back(i);
      } else {
        with_set[list[i]->symbols].push_back(i);
      }
    }
    // A pattern with a variable matches its whole type. If that includes the tag of another pattern, it is narrowed to
    // the variable's possible values.
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i]->variable || made[i].tags.empty()) continue;
      const bool takes = std::ranges::any_of(with_set, [&](const auto& same) {
        const bool others = same.second.size() > 1 || same.second[0] != i;
        return others && std::ranges::any_of(values_.sets().of(same.first),
                                             [&](SymbolId s) { return game_.index_of(made[i].tags[0].type, s) >= 0; });
      });
      if (takes) made[i].tags[0].type = game_.types.set(values_.sets().of(list[i]->symbols));
    }
    // Only patterns with a common symbol, or two that end the move, can match the same move.
    const auto meeting = positions_meeting(with_set);
    std::vector<bool> same_as_earlier(list.size(), false);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::vector<std::size_t>& others = list[i]->move_end ? ending : meeting.at(list[i]->symbols);
      for (auto later = std::ranges::upper_bound(others, i); later != others.end(); ++later) {
        const std::size_t j = *later;
        const bool equal = !dropped[i] && !dropped[j] && !list[i]->variable && !list[j]->variable &&
                           made[i].to == made[j].to && made[i].effects == made[j].effects;
        if (equal) {
          same_as_earlier[j] = true;
        } else {
          dropped[i] = dropped[j] = true;
        }
      }
    }
    for (std::size_t i = 0; i < list.size(); ++i) exhaustive = exhaustive && !dropped[i];
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (dropped[i] || same_as_earlier[i]) continue;
      made[i].exhaustive = exhaustive;
      pragmas_.push_back({std::move(made[i]), {}});
    }
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
  analysis::ValueSets& values_;
  std::set<SymbolId> taken_;
  std::vector<ir::Pragma> pragmas_;
};

}  // namespace

std::size_t pragma_simple_apply(ir::Game& game, const PassContext& context) {
  return replace_pragmas<ir::SimpleApply>(game, SimpleApply(game, *context.analyses).run());
}

}  // namespace rgtrans::passes
