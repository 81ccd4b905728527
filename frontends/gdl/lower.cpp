// The automaton of a ground program. One turn of its circle is one step of the game:
//
//   start:   compute the conditions that several places read; terminal? then finish
//   choose:  per phase of the game, one decision after the other by the roles that really decide
//   reveal:  everybody learns the joint move (GDL-I), or each player its percepts (GDL-II)
//   update:  by the move where one role decides, else every variable that some move can matter to; each variable as
//            soon as nobody needs the old value any more
//
// emit.hpp says how conditions look, updates.hpp what has to change.
#include "frontends/gdl/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <charconv>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/support/limits.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/conditions.hpp"
#include "frontends/gdl/declarations.hpp"
#include "frontends/gdl/emit.hpp"
#include "frontends/gdl/exclusion.hpp"
#include "frontends/gdl/updates.hpp"

namespace rgtrans::gdl {

namespace {

using ir::ExprId;
using ir::NodeId;

constexpr std::uint32_t kNone = 0xffffffffU;

struct Goal {
  std::uint32_t role;
  int value;
  GroundLiteral when;
};

// Goals of the players, the highest first; nothing when one is no number.
std::optional<std::vector<Goal>> read_goals(const GroundProgram& program, Diagnostics& diagnostics) {
  std::vector<Goal> goals;
  bool players = false;
  for (std::uint32_t r = 0; r < program.roles.size(); ++r) players = players || r != program.random;
  if (!players) {
    diagnostics.error({}, "the only role is random: nobody plays");
    return std::nullopt;
  }
  for (const auto& goal : program.goals) {
    if (goal.role == program.random) continue;
    const std::string text = program.text(goal.value);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) {
      diagnostics.error({}, fmt::format("the goal value '{}' is no number", text), "goals are numbers from 0 to 100");
      return std::nullopt;
    }
    goals.push_back({goal.role, value, goal.when});
  }
  std::ranges::stable_sort(goals, [](const Goal& a, const Goal& b) { return a.value > b.value; });
  return goals;
}

class Lowering {
 public:
  Lowering(const GroundProgram& program, ir::Game& game, std::vector<Goal> goals, std::vector<FactGroup> groups,
           TurnStructure turns, Conditions conditions)
      : p_(program),
        game_(game),
        goals_(std::move(goals)),
        groups_(std::move(groups)),
        turns_(std::move(turns)),
        c_(std::move(conditions)),
        plan_(plan_steps(p_, c_, groups_, turns_)),
        d_(p_, groups_, game_),
        e_(game_, d_, c_) {}

  void declare(Diagnostics& diagnostics) {
    std::vector<int> scores = {0};
    for (const Goal& goal : goals_) scores.push_back(goal.value);
    std::ranges::sort(scores);
    scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
    d_.players_and_scores(scores);
    d_.moves();
    d_.facts();
    d_.computed(c_);
    ir::add_builtins(game_, diagnostics);
  }

  void emit() {
    plan_stages();
    const NodeId begin = game_.node("begin");
    const NodeId start = e_.node();
    e_.skip(begin, start);
    NodeId at = e_.compute(always_, start);
    const NodeId finish = e_.node();
    const NodeId choose = e_.node();
    e_.branch(c_.terminal, at, finish, choose);
    const NodeId update = emit_phases(choose, start);
    emit_update(update, start);
    emit_finish(finish);
    e_.emit_checks();
    e_.remove_dead();
    game_.words = d_.words();
  }

  void tell(LoweredNames& names) {
    names.groups = groups_;
    names.turns = turns_;
    names.computed = c_.computed.size();
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) names.roles.push_back(game_.symbols.str(d_.role(r)));
    for (std::uint32_t m = 0; m < p_.moves.size(); ++m) names.moves.push_back(game_.symbols.str(d_.move(m)));
  }

 private:
  // --- What is computed when. ---
  void add_wires(const std::vector<Update>& updates, std::vector<Wire>& out) const {
    for (const Update& update : updates) {
      for (const Lookup& lookup : update.lookups) {
        out.push_back(lookup.when);
        if (const auto* source = c_.computed_variable(lookup.source)) out.push_back(source->handle);
      }
      for (const auto& [value, wire] : update.effects) out.push_back(wire);
      for (const auto& [values, wire] : update.keeps) out.push_back(wire);
    }
  }

  void plan_stages() {
    std::vector<Wire> percepts, updates, ends;
    for (const auto& sees : p_.sees) percepts.push_back(c_.wire(sees.when));
    if (!p_.imperfect) percepts.clear();
    add_wires(plan_.all, updates);
    for (const Goal& goal : goals_) ends.push_back(c_.wire(goal.when));
    std::vector<Wire> all = {c_.terminal};
    for (const auto* list : {&percepts, &updates, &ends}) all.insert(all.end(), list->begin(), list->end());
    for (const PhasePlan& phase : plan_.phases) {
      all.insert(all.end(), phase.legal.begin(), phase.legal.end());
      add_wires(phase.common, all);
      for (const auto& list : phase.by_move) add_wires(list, all);
    }
    e_.count_uses(all);
    name_conditions();
    std::vector<Wire> first = e_.steady_iterations();
    first.push_back(c_.terminal);
    always_ = e_.stage(first, true);
    e_.enter(always_);
    for (const PhasePlan& phase : plan_.phases) {
      choices_.push_back(e_.stage(phase.legal, false));
      std::vector<Wire> common, own;
      add_wires(phase.common, common);
      for (const auto& list : phase.by_move) add_wires(list, own);
      own = e_.computed_below(own);
      common.insert(common.end(), own.begin(), own.end());
      common_.push_back(e_.stage(common, false));
    }
    percepts_ = e_.stage(percepts, false);
    updates_ = e_.stage(updates, false);
    ends_ = e_.stage(ends, false);
    e_.leave(always_);
    e_.declare_bits();
  }

  void name_conditions() {
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d) {
      const Wire wire = c_.atoms[p_.derived_begin() + d];
      const auto& name = p_.names[d];
      std::string wish = Names::readable(p_.symbols.str(name.predicate));
      for (std::uint32_t i = 0; i < name.count && i < 4; ++i)
        wish += "_" + Names::readable(p_.text(p_.name_arguments[name.first + i]));
      e_.name(node_of(wire), (is_inverted(wire) ? "not_" : "") + wish);
    }
  }

  // --- Choices. ---
  [[nodiscard]] static std::size_t decisions(const TurnStructure::Phase& phase) {
    return static_cast<std::size_t>(std::ranges::count(phase.forced, TurnStructure::kDecides));
  }
  [[nodiscard]] bool hidden(const TurnStructure::Phase& phase) const { return p_.imperfect || decisions(phase) > 1; }

  NodeId emit_phases(NodeId choose, NodeId start) {
    uses_visible_ = std::ranges::any_of(turns_.phases, [&](const auto& phase) { return hidden(phase); });
    const NodeId update = e_.node();
    for (std::size_t i = 0; i < turns_.phases.size(); ++i) {
      NodeId at = choose;
      if (turns_.phases.size() > 1) {
        at = e_.node();
        for (const std::uint32_t v : turns_.phases[i].values)
          e_.edge(choose, at, ir::Compare{group_place().expression, game_.symbol(group_place().values[v]), false});
      }
      emit_phase(i, at, start, update);
    }
    return update;
  }
  [[nodiscard]] const Place& group_place() const { return d_.of_group(turns_.group); }

  void emit_phase(std::size_t index, NodeId at, NodeId start, NodeId update) {
    const auto& phase = turns_.phases[index];
    const PhasePlan& plan = plan_.phases[index];
    at = e_.compute(choices_[index], at);
    if (!plan.dispatch || p_.imperfect) {
      for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
        if (phase.forced[r] != TurnStructure::kDecides) at = assign_move(r, phase.forced[r], at);
    }
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
      if (phase.forced[r] == TurnStructure::kDecides) at = emit_decision(phase, plan, r, at);
    if (uses_visible_ && !p_.imperfect) {
      at = show(at, kNone);
      if (hidden(phase)) {
        for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
          if (d_.has_moves(r)) at = e_.then(at, ir::TagVariable{d_.move_variable(r)});
      }
    }
    if (p_.imperfect) at = emit_percepts(at);
    if (plan.dispatch) {
      emit_dispatch(index, at, start);
    } else {
      e_.skip(at, update);
    }
    e_.leave(choices_[index]);
  }

  [[nodiscard]] bool several_moves(std::uint32_t role) const { return d_.of_role(role).values.size() > 1; }
  NodeId assign_move(std::uint32_t role, std::uint32_t move, NodeId at) {
    return several_moves(role) ? e_.then(at, e_.assign(d_.of_role(role), d_.move(move))) : at;
  }

  // Makes tags visible to one role only, or to all for kNone.
  NodeId show(NodeId at, std::uint32_t role) {
    if (!uses_visible_) return at;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const ExprId cell = game_.access(game_.variable_ref(game_.visible()), game_.symbol(d_.role(r)));
      at = e_.then(at, ir::Assign{cell, game_.symbol(d_.bit(role == kNone || role == r))});
    }
    return at;
  }

  // Each move ends with an edge of its own to keeper, so that the walks of two moves never meet before.
  NodeId emit_decision(const TurnStructure::Phase& phase, const PhasePlan& plan, std::uint32_t role, NodeId at) {
    at = show(at, hidden(phase) ? role : kNone);
    at = e_.then(at, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(d_.role(role))});
    const NodeId chosen = e_.node();
    for (const std::uint32_t m : phase.moves[role]) {
      if (plan.legal[m] == kNever) continue;
      const NodeId legal = e_.node();
      e_.branch(plan.legal[m], at, legal, NodeId());
      const NodeId tagged = e_.then(assign_move(role, m, legal), ir::Tag{d_.move(m)});
      e_.edge(tagged, chosen, ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
    }
    return chosen;
  }

  NodeId emit_percepts(NodeId at) {
    at = e_.compute(percepts_, at);
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random || std::ranges::none_of(p_.sees, [&](const auto& s) { return s.role == r; })) continue;
      at = show(at, r);
      for (const auto& sees : p_.sees) {
        if (sees.role != r) continue;
        const NodeId yes = e_.node();
        const NodeId out = e_.node();
        e_.branch(c_.wire(sees.when), at, yes, out);
        e_.edge(yes, out, ir::Tag{d_.symbol(d_.names().term(sees.term))});
        at = out;
      }
    }
    at = show(at, kNone);
    e_.leave(percepts_);
    return e_.reset(percepts_, at);
  }

  // --- Updates. ---
  // By the move of the only role that decides.
  void emit_dispatch(std::size_t index, NodeId at, NodeId start) {
    const PhasePlan& plan = plan_.phases[index];
    const auto& phase = turns_.phases[index];
    at = e_.compute(common_[index], at);
    std::unordered_set<std::uint32_t> read;
    std::vector<std::uint32_t> list;
    for (const auto& updates : plan.by_move)
      for (const Update& update : updates) reads_of(update, list);
    read.insert(list.begin(), list.end());
    known_phase_ = &phase;
    const Buffers buffers = emit_updates(plan.common, at, &read);
    // What is changed for some moves above and for others here gets its new value in the same buffer.
    for (const auto& [group, buffer] : buffers) pending_.emplace(group, buffer);
    if (plan.decider != PhasePlan::kNobody) {
      const auto& moves = phase.moves[plan.decider];
      const Place& place = d_.of_role(plan.decider);
      const NodeId done = e_.node();
      for (std::size_t i = 0; i < moves.size(); ++i) {
        if (plan.legal[moves[i]] == kNever) continue;
        NodeId own = plan.by_move[i].empty() ? done : e_.node();
        if (several_moves(plan.decider)) {
          e_.edge(at, own, ir::Compare{place.expression, game_.symbol(d_.move(moves[i])), false});
        } else {
          e_.skip(at, own);
        }
        if (plan.by_move[i].empty()) continue;
        commit(emit_updates(plan.by_move[i], own, nullptr), own);
        e_.skip(own, done);
      }
      at = done;
    }
    known_phase_ = nullptr;
    pending_.clear();
    commit(buffers, at);
    e_.leave(common_[index]);
    e_.skip(forget_moves(e_.reset(common_[index], at)), start);
  }

  void emit_update(NodeId at, NodeId start) {
    if (std::ranges::all_of(plan_.phases, &PhasePlan::dispatch)) return;
    at = e_.compute(updates_, at);
    commit(emit_updates(plan_.all, at, nullptr), at);
    e_.leave(updates_);
    e_.skip(forget_moves(e_.reset(updates_, at)), start);
  }

  NodeId forget_moves(NodeId at) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
      if (several_moves(r)) at = e_.then(at, e_.assign(d_.of_role(r), d_.of_role(r).initial));
    return at;
  }

  using Buffers = std::vector<std::pair<std::uint32_t, Place>>;

  // The updates in an order in which few old values are overwritten too early; those that are get a buffer, as do the
  // variables that are read later by others. `at` becomes the node behind.
  Buffers emit_updates(const std::vector<Update>& updates, NodeId& at,
                       const std::unordered_set<std::uint32_t>* read_later) {
    Buffers buffers;
    std::vector<std::vector<std::uint32_t>> reads(updates.size());
    const std::vector<std::uint32_t> order = order_of(updates, reads);
    std::unordered_map<std::uint32_t, std::uint32_t> last_reader;
    for (std::uint32_t k = 0; k < order.size(); ++k)
      for (const std::uint32_t other : reads[order[k]]) last_reader[updates[other].group] = k;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const Update& update = updates[order[k]];
      const auto last = last_reader.find(update.group);
      Place target = d_.of_group(update.group);
      if (const auto pending = pending_.find(update.group); pending != pending_.end()) {
        target = pending->second;
      } else if ((last != last_reader.end() && last->second > k) ||
                 (read_later != nullptr && read_later->contains(update.group))) {
        target = buffer(update.group);
        buffers.emplace_back(update.group, target);
      }
      at = emit_update_of(update, target, at);
    }
    return buffers;
  }

  void commit(const Buffers& buffers, NodeId& at) {
    for (const auto& [g, buffer] : buffers) {
      at = e_.then(at, ir::Assign{d_.of_group(g).expression, buffer.expression});
      at = e_.then(at, e_.assign(buffer, buffer.initial));
    }
  }

  const Place& buffer(std::uint32_t g) {
    const auto [it, fresh] = buffers_.try_emplace(g);
    if (fresh) it->second = d_.copy_of(d_.of_group(g), "new_" + std::to_string(g));
    return it->second;
  }

  void reads_of(const Update& update, std::vector<std::uint32_t>& out) {
    if (update.by_rule) return;
    for (const Lookup& lookup : update.lookups) {
      e_.collect_reads(lookup.when, out);
      if (!lookup.table.empty() && c_.is_group(lookup.source)) out.push_back(lookup.source);
    }
    for (const auto& [value, wire] : update.effects) e_.collect_reads(wire, out);
    for (const auto& [values, wire] : update.keeps) e_.collect_reads(wire, out);
  }

  // Readers before what they read, as far as there are no cycles. `reads`: per update, the other updates whose variable
  // it reads.
  std::vector<std::uint32_t> order_of(const std::vector<Update>& updates,
                                      std::vector<std::vector<std::uint32_t>>& reads) {
    const auto count = static_cast<std::uint32_t>(updates.size());
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    if (count < 2) return order;
    std::unordered_map<std::uint32_t, std::uint32_t> index;
    for (std::uint32_t i = 0; i < count; ++i) index.emplace(updates[i].group, i);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < count; ++i) {
      list.clear();
      reads_of(updates[i], list);
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const std::uint32_t g : list) {
        const auto at = index.find(g);
        if (at == index.end() || at->second == i) continue;
        reads[i].push_back(at->second);
        edges.emplace_back(i, at->second);
      }
    }
    if (edges.empty()) return order;
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), count);
    std::vector<std::uint32_t> component(count);
    boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    // Components are numbered targets first; readers must come first.
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return component[i]; });
    return order;
  }

  NodeId emit_update_of(const Update& update, const Place& target, NodeId at) {
    const Place& own = d_.of_group(update.group);
    if (update.by_rule) return e_.then(at, ir::Assign{target.expression, successor(update.group, own)});
    if (update.one_lookup() && update.unless.empty())
      return e_.then(at, ir::Assign{target.expression, looked_up(update.lookups[0], update.group, own)});
    if (target.expression != own.expression && !pending_.contains(update.group))
      at = e_.then(at, ir::Assign{target.expression, own.expression});
    const NodeId out = e_.node();
    at = emit_guard(update, at, out);
    for (const Lookup& lookup : update.lookups) {
      const NodeId yes = lookup.table.empty() ? out : e_.node();
      const bool last = lookup.when == kAlways;
      const NodeId no = last ? NodeId() : e_.node();
      e_.branch(lookup.when, at, yes, no);
      if (!lookup.table.empty()) e_.edge(yes, out, ir::Assign{target.expression, looked_up(lookup, update.group, own)});
      if (last) return out;
      at = no;
    }
    for (const auto& [value, wire] : update.effects) {
      const NodeId yes = e_.node();
      const NodeId no = e_.node();
      e_.branch(wire, at, yes, no);
      e_.edge(yes, out, e_.assign(target, own.values[value]));
      at = no;
    }
    const std::size_t facts = groups_[update.group].facts.size();
    for (const auto& [values, wire] : update.keeps) {
      if (values.size() == facts && wire == kNever) {
        e_.edge(at, out, e_.assign(target, own.values.back()));
        return out;
      }
      NodeId inside = at;
      const NodeId no = e_.node();
      if (values.size() < facts) {
        inside = e_.node();
        d_.test(own, values, at, inside, no);
      }
      const NodeId gone = e_.node();
      e_.branch(wire, inside, out, gone);
      e_.edge(gone, out, e_.assign(target, own.values.back()));
      if (values.size() == facts) return out;
      at = no;
    }
    e_.skip(at, out);
    return out;
  }

  // Behind: one of the moves that matter was made; else on to `out`.
  NodeId emit_guard(const Update& update, NodeId at, NodeId out) {
    if (!update.unless.empty()) {
      const NodeId inside = e_.node();
      const std::uint32_t role = p_.moves[update.unless[0]].role;
      std::vector<std::uint32_t> values;
      for (const std::uint32_t m : update.unless) values.push_back(c_.move_value[m]);
      d_.test(d_.of_role(role), values, at, out, inside);
      at = inside;
    }
    if (update.guard.empty()) return at;
    const NodeId inside = e_.node();
    for (std::size_t i = 0; i < update.guard.size(); ++i) {
      const auto& [role, moves] = update.guard[i];
      const NodeId next = i + 1 == update.guard.size() ? out : e_.node();
      d_.test(d_.of_role(role), moves, at, inside, next);
      at = next;
    }
    return inside;
  }

  ExprId successor(std::uint32_t g, const Place& own) {
    const auto& after = groups_[g].successor;
    if (known_phase_ != nullptr && turns_.group == g && known_phase_->values.size() == 1)
      return game_.symbol(own.values[after[known_phase_->values[0]]]);
    std::vector<SymbolId> to;
    for (const std::uint32_t i : after) to.push_back(own.values[i]);
    return d_.mapped(own, to, own.type, "after_" + game_.symbols.str(own.type).substr(5));
  }

  ExprId looked_up(const Lookup& lookup, std::uint32_t group, const Place& own) {
    const Place& from = d_.of(c_, lookup.source);
    std::vector<SymbolId> to;
    for (const std::uint32_t v : lookup.table) to.push_back(own.values[v]);
    if (std::ranges::all_of(to, [&](SymbolId value) { return value == to[0]; })) return game_.symbol(to[0]);
    if (to == from.values && from.type == own.type) return from.expression;
    return d_.mapped(from, to, own.type, "next_" + std::to_string(group));
  }

  // --- The end. ---
  void emit_finish(NodeId at) {
    at = e_.compute(ends_, at);
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const ExprId cell = game_.access(game_.variable_ref(game_.goals()), game_.symbol(d_.role(r)));
      const NodeId out = e_.node();
      for (const Goal& goal : goals_) {
        if (goal.role != r) continue;
        const NodeId yes = e_.node();
        const NodeId no = e_.node();
        e_.branch(c_.wire(goal.when), at, yes, no);
        e_.edge(yes, out, ir::Assign{cell, game_.symbol(d_.symbol(std::to_string(goal.value)))});
        at = no;
      }
      e_.edge(at, out, ir::Assign{cell, game_.symbol(d_.bit(false))});
      at = out;
    }
    e_.edge(at, game_.node("end"), ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
    e_.leave(ends_);
  }

  const GroundProgram& p_;
  ir::Game& game_;
  std::vector<Goal> goals_;
  std::vector<FactGroup> groups_;
  TurnStructure turns_;
  Conditions c_;
  StepPlan plan_;
  Declarations d_;
  Emitter e_;
  Emitter::Stage always_, percepts_, updates_, ends_;
  std::vector<Emitter::Stage> choices_, common_;  // per phase
  std::unordered_map<std::uint32_t, Place> buffers_;
  std::unordered_map<std::uint32_t, Place> pending_;  // buffers that hold the present value when a move's updates begin
  const TurnStructure::Phase* known_phase_ = nullptr;
  bool uses_visible_ = false;
};

std::vector<FactGroup> single_groups(const GroundProgram& program) {
  std::vector<FactGroup> result;
  for (std::uint32_t f = 0; f < program.facts.size(); ++f) result.emplace_back().facts = {f};
  return result;
}

// The relation with the most conditions in the bodies of its atoms, for messages about size: in words, and its place.
std::pair<std::string, Range> largest_relation(const GroundProgram& program) {
  std::map<SymbolId, std::size_t> conditions;
  for (std::uint32_t d = 0; d < program.derived_count(); ++d) {
    std::size_t& count = conditions[program.names[d].predicate];
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b) count += program.body(b).size();
  }
  if (conditions.empty()) return {};
  const auto most = std::ranges::max_element(conditions, {}, [](const auto& row) { return row.second; });
  const auto mention = program.mentions.find(most->first);
  return {fmt::format("; most conditions, {}, are those of '{}'", most->second, program.symbols.str(most->first)),
          mention == program.mentions.end() ? Range{} : mention->second};
}

void warn(const GroundProgram& program, const Oddities& oddities, Diagnostics& diagnostics) {
  for (std::uint32_t r = 0; r < program.roles.size(); ++r) {
    const std::string role = program.text(program.roles[r]);
    if (oddities.stuck[r]) {
      diagnostics.warning(
          {}, fmt::format("in a random playout the role {} has no legal move though the game is not over", role),
          "a play that comes there ends with an error; 'rgtrans check' tells the way");
    }
    if (oddities.no_goal[r])
      diagnostics.warning({}, fmt::format("a random playout ends without a goal value for {}: it counts as 0", role));
    if (oddities.several_goals[r])
      diagnostics.warning(
          {}, fmt::format("a random playout ends with several goal values for {}: the highest counts", role));
  }
}

}  // namespace

ir::Game lower(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
               Diagnostics& diagnostics, LoweredNames* names) {
  ir::Game game(sources);
  auto goals = read_goals(program, diagnostics);
  if (!goals) return game;
  const auto tell = [&](std::string_view what) {
    tell_phase(fmt::format("{} for {} facts, {} moves, {} bodies of derived atoms", what, program.facts.size(),
                           program.moves.size(), program.body_count()));
  };
  tell("looking for groups of facts");
  std::vector<FactGroup> groups;
  std::vector<DerivedGroups> derived;
  TurnStructure turns;
  {
    const Network network(program);
    groups = options.groups ? find_groups(program, network) : single_groups(program);
    turns = find_turns(program, network, groups, options.keep_forced);
    if (options.groups) {
      Oddities oddities;
      Exclusive exclusive = find_exclusions(program, network, groups, turns, options.derived, oddities);
      groups = std::move(exclusive.groups);
      derived = std::move(exclusive.derived);
      warn(program, oddities, diagnostics);
    }
  }
  tell("planning the automaton");
  try {
    Conditions conditions(program, groups, Conditions::Scope::everything, derived);
    Lowering lowering(program, game, std::move(*goals), std::move(groups), std::move(turns), std::move(conditions));
    lowering.declare(diagnostics);
    if (diagnostics.has_errors()) return game;
    tell("making the automaton");
    lowering.emit();
    if (game.graph.in_degree(game.end()) == 0) {
      diagnostics.error({}, "no play of this game ends: terminal can never hold",
                        "check the rules of terminal, and what they depend on; 'rgtrans ground' shows what is left");
    }
    if (names != nullptr) lowering.tell(*names);
  } catch (const Emitter::TooLarge&) {
    const auto [largest, place] = largest_relation(program);
    diagnostics.error(
        place,
        fmt::format("the game in RG would have more than {} edges ({} facts, {} moves, {} bodies of derived atoms{})",
                    limits::gdl_edges, program.facts.size(), program.moves.size(), program.body_count(), largest),
        "play it with 'rgtrans perft --joint' or print it with 'rgtrans ground'; " + limits::gdl_edges.advice());
  }
  return game;
}

}  // namespace rgtrans::gdl
