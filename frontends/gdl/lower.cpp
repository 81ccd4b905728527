// The automaton of a ground program. One turn of its circle is one step of the game:
//
//   start:   compute the derived atoms that several places read; terminal? then finish
//   choose:  per phase of the game, one decision after the other by the roles that really decide
//   reveal:  everybody learns the joint move (GDL-I), or each player its percepts (GDL-II)
//   update:  every variable gets its next value, each as soon as nobody needs the old one any more
//
// A condition is a decision diagram: each test has an edge for either outcome, so that keeper has exactly one walk and
// nothing is tried in vain. Derived atoms that are used once are spliced in where they are used; only recursive ones
// and those that matter at the end alone are checked by reachability.
#include "frontends/gdl/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <charconv>
#include <map>
#include <ranges>

#include "core/support/limits.hpp"
#include "frontends/gdl/names.hpp"

namespace rgtrans::gdl {

namespace {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;

// Beyond this the game is refused: no tool could work with it.
const Limit& kMaxEdges = limits::gdl_edges;
// Derived atoms are spliced in to this depth.
constexpr int kMaxSplice = 200;
constexpr std::uint32_t kNone = 0xffffffffU;

class Lowering {
 public:
  Lowering(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
           Diagnostics& diagnostics)
      : p_(program), options_(options), diagnostics_(diagnostics), game_(sources), names_(program), network_(program) {}

  ir::Game run(LoweredNames* names) {
    if (!read_goals()) return std::move(game_);
    groups_ = options_.groups ? find_groups(p_, network_) : single_groups();
    turns_ = find_turns(p_, network_, groups_, options_.keep_forced);
    group_of_.assign(p_.facts.size(), {});
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      for (std::uint32_t i = 0; i < groups_[g].facts.size(); ++i) group_of_[groups_[g].facts[i]] = {g, i};
    analyse_derived();
    declare();
    ir::add_builtins(game_, diagnostics_);
    if (diagnostics_.has_errors()) return std::move(game_);
    emit();
    if (names != nullptr) tell(*names);
    return std::move(game_);
  }

 private:
  struct TooLarge {};

  [[nodiscard]] std::vector<FactGroup> single_groups() const {
    std::vector<FactGroup> result;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) result.push_back({{f}, false, false, {}});
    return result;
  }

  // --- Goals. ---
  bool read_goals() {
    scores_ = {0};
    bool players = false;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) players = players || r != p_.random;
    if (!players) {
      diagnostics_.error({}, "the only role is random: nobody plays");
      return false;
    }
    for (const auto& goal : p_.goals) {
      if (goal.role == p_.random) continue;
      const std::string text = p_.text(goal.value);
      int value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size() || value < 0) {
        diagnostics_.error({}, fmt::format("the goal value '{}' is no number", text),
                           "goals are numbers from 0 to 100");
        return false;
      }
      scores_.push_back(value);
      goals_.push_back({goal.role, value, goal.when});
    }
    std::ranges::sort(scores_);
    scores_.erase(std::unique(scores_.begin(), scores_.end()), scores_.end());
    std::ranges::stable_sort(goals_, [](const Goal& a, const Goal& b) { return a.value > b.value; });
    return true;
  }

  // --- Derived atoms. ---
  [[nodiscard]] bool is_derived(GroundLiteral l) const { return !is_constant(l) && atom_of(l) >= p_.derived_begin(); }
  [[nodiscard]] std::uint32_t derived(GroundLiteral l) const { return atom_of(l) - p_.derived_begin(); }
  template <class F>
  void for_each_literal(std::uint32_t d, F&& f) const {
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b)
      for (const GroundLiteral l : p_.body(b)) f(l);
  }

  void analyse_derived() {
    const std::uint32_t count = p_.derived_count();
    reads_move_.assign(count, false);
    uses_.assign(count, 0);
    early_.assign(count, false);
    find_cycles();
    const auto use = [&](GroundLiteral l, bool early) {
      if (!is_derived(l)) return;
      ++uses_[derived(l)];
      if (early) early_[derived(l)] = true;
    };
    use(p_.terminal, true);
    for (const GroundLiteral l : p_.legal) use(l, true);
    for (const GroundLiteral l : p_.next) use(l, true);
    for (const auto& sees : p_.sees) use(sees.when, true);
    for (const Goal& goal : goals_) use(goal.when, false);
    for (std::uint32_t d = 0; d < count; ++d) for_each_literal(d, [&](GroundLiteral l) { use(l, false); });
    // Users come after what they use, except in cycles.
    for (std::uint32_t pass = 0; pass < 2; ++pass) {
      for (auto d = order_.rbegin(); d != order_.rend(); ++d) {
        if (!early_[*d]) continue;
        for_each_literal(*d, [&](GroundLiteral l) {
          if (is_derived(l)) early_[derived(l)] = true;
        });
      }
      for (const std::uint32_t d : order_) {
        for_each_literal(d, [&](GroundLiteral l) {
          if (is_derived(l) ? static_cast<bool>(reads_move_[derived(l)]) : atom_of(l) >= p_.move_begin())
            reads_move_[d] = true;
        });
      }
    }
    stored_.assign(count, {});
    for (std::uint32_t d = 0; d < count; ++d) {
      Cycle* const cycle = cycle_of(d);
      if (cycle != nullptr) {
        for (const std::uint32_t m : cycle->members) {
          reads_move_[d] = reads_move_[d] || reads_move_[m];
          early_[d] = early_[d] || early_[m];
        }
      }
    }
    for (std::uint32_t d = 0; d < count; ++d) {
      const Cycle* const cycle = cycle_of(d);
      is_stored_.push_back((cycle != nullptr && !cycle->linear) || (uses_[d] > 1 && early_[d]));
    }
  }

  // Derived atoms that depend on each other. In a linear cycle each body has at most one of them.
  struct Cycle {
    std::vector<std::uint32_t> members;
    bool linear = true;
    NodeId done;
  };

  void find_cycles() {
    const std::uint32_t count = p_.derived_count();
    cycle_index_.assign(count, kNone);
    if (count == 0) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t d = 0; d < count; ++d)
      for_each_literal(d, [&](GroundLiteral l) {
        if (is_derived(l)) edges.emplace_back(d, derived(l));
      });
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), count);
    std::vector<std::uint32_t> component(count);
    const std::uint32_t components = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::vector<std::uint32_t>> members(components);
    for (std::uint32_t d = 0; d < count; ++d) members[component[d]].push_back(d);
    for (const auto& list : members) order_.insert(order_.end(), list.begin(), list.end());
    for (auto& list : members) {
      if (list.size() < 2) continue;
      for (const std::uint32_t d : list) cycle_index_[d] = static_cast<std::uint32_t>(cycles_.size());
      Cycle cycle;
      cycle.members = std::move(list);
      for (const std::uint32_t d : cycle.members) {
        for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b) {
          const auto inside = std::ranges::count_if(
              p_.body(b), [&](GroundLiteral l) { return is_derived(l) && cycle_index_[derived(l)] == cycles_.size(); });
          if (inside > 1) cycle.linear = false;
        }
      }
      cycles_.push_back(std::move(cycle));
    }
  }
  Cycle* cycle_of(std::uint32_t d) { return cycle_index_[d] == kNone ? nullptr : &cycles_[cycle_index_[d]]; }

  // --- Declarations. ---
  SymbolId intern(std::string_view text) { return game_.symbols.intern(text); }
  ExprId symbol(SymbolId s) { return game_.symbol(s); }

  struct Variable {
    ir::VarId id;
    ExprId expression;
    ir::TypeId type;
    std::vector<SymbolId> values;
    SymbolId initial;
  };

  Variable declare_variable(std::string_view wish, ir::TypeId type, std::vector<SymbolId> values, SymbolId initial) {
    Variable v;
    v.id = game_.define_variable(intern(names_.fresh(wish)), type, game_.values.symbol(initial));
    v.expression = game_.variable_ref(v.id);
    v.type = type;
    v.values = std::move(values);
    v.initial = initial;
    return v;
  }
  Variable declare_bool(std::string_view wish, bool initial) {
    return declare_variable(wish, game_.types.alias(intern("Bool")), {zero_, one_}, initial ? one_ : zero_);
  }

  void declare() {
    zero_ = intern("0");
    one_ = intern("1");
    std::vector<SymbolId> players;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      role_symbols_.push_back(r == p_.random ? intern("random") : intern(names_.term(p_.roles[r])));
      if (r != p_.random) players.push_back(role_symbols_[r]);
    }
    game_.define_type(intern("Player"), game_.types.set(players));
    std::vector<SymbolId> scores;
    for (const int s : scores_) scores.push_back(intern(std::to_string(s)));
    game_.define_type(intern("Score"), game_.types.set(scores));
    game_.define_type(intern("Bool"), game_.types.set(std::vector<SymbolId>{zero_, one_}));
    for (const auto& move : p_.moves) move_symbols_.push_back(intern(names_.term(move.term)));
    declare_moves();
    for (const FactGroup& group : groups_) declare_group(group);
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d) {
      if (!is_stored_[d]) continue;
      const auto& name = p_.names[d];
      std::string wish = Names::readable(game_text(name.predicate));
      for (std::uint32_t i = 0; i < name.count && i < 4; ++i)
        wish += "_" + Names::readable(p_.text(p_.name_arguments[name.first + i]));
      stored_[d] = declare_bool("is_" + wish, false);
    }
  }
  [[nodiscard]] std::string game_text(SymbolId s) const { return p_.symbols.str(s); }

  void declare_moves() {
    does_.resize(p_.roles.size());
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      std::vector<SymbolId> values;
      for (std::uint32_t m = 0; m < p_.moves.size(); ++m)
        if (p_.moves[m].role == r) values.push_back(move_symbols_[m]);
      if (values.empty()) continue;
      const std::string role = game_.symbols.str(role_symbols_[r]);
      const SymbolId type = intern(names_.fresh("Moves_" + role));
      game_.define_type(type, game_.types.set(values));
      does_[r] = declare_variable("does_" + role, game_.types.alias(type), values, values[0]);
    }
  }

  void declare_group(const FactGroup& group) {
    const std::string text = Names::readable(p_.text(p_.facts[group.facts[0]]));
    if (group.facts.size() == 1) {
      variables_.push_back(declare_bool(text, p_.initial[group.facts[0]]));
      return;
    }
    const std::string functor = Names::readable(game_text(p_.terms.symbol(p_.facts[group.facts[0]])));
    std::vector<SymbolId> values;
    SymbolId initial;
    for (const std::uint32_t f : group.facts) {
      values.push_back(intern(names_.term(p_.facts[f])));
      if (p_.initial[f]) initial = values.back();
    }
    if (!group.exact) {
      values.push_back(intern(names_.fresh("no_" + functor)));
      if (!initial.valid()) initial = values.back();
    }
    const SymbolId type = intern(names_.fresh("Type_" + functor));
    game_.define_type(type, game_.types.set(values));
    variables_.push_back(declare_variable("the_" + functor, game_.types.alias(type), values, initial));
  }

  // --- Edges. ---
  NodeId node() { return game_.graph.add_node(); }
  void edge(NodeId from, NodeId to, ir::Label label) {
    if (game_.graph.edge_bound() > kMaxEdges) throw TooLarge();
    game_.graph.add_edge(from, to, std::move(label));
  }
  void skip(NodeId from, NodeId to) { edge(from, to, ir::Empty()); }
  // Extends a straight line: the node behind the new edge.
  NodeId then(NodeId from, ir::Label label) {
    const NodeId to = node();
    edge(from, to, std::move(label));
    return to;
  }
  ir::Label assign(const Variable& v, SymbolId value) { return ir::Assign{v.expression, symbol(value)}; }

  // Two edges for a comparison; an absent node means that nothing is to happen then.
  void compare(const Variable& v, SymbolId value, NodeId from, NodeId yes, NodeId no) {
    if (yes.valid()) edge(from, yes, ir::Compare{v.expression, symbol(value), false});
    if (no.valid()) edge(from, no, ir::Compare{v.expression, symbol(value), true});
  }

  [[nodiscard]] SymbolId value_of(std::uint32_t fact) const {
    const auto [g, i] = group_of_[fact];
    return groups_[g].facts.size() == 1 ? one_ : variables_[g].values[i];
  }

  void branch(GroundLiteral l, NodeId from, NodeId yes, NodeId no, int depth = 0) {
    if (is_constant(l)) {
      const NodeId to = l == kTrue ? yes : no;
      if (to.valid()) skip(from, to);
      return;
    }
    if (is_negated(l)) std::swap(yes, no);
    const std::uint32_t atom = atom_of(l);
    if (atom < p_.move_begin()) {
      const auto [g, i] = group_of_[atom];
      if (g == known_group_) {
        const NodeId to = i == known_value_ ? yes : no;
        if (to.valid()) skip(from, to);
        return;
      }
      compare(variables_[g], value_of(atom), from, yes, no);
    } else if (atom < p_.derived_begin()) {
      const auto& move = p_.moves[atom - p_.move_begin()];
      compare(does_[move.role], move_symbols_[atom - p_.move_begin()], from, yes, no);
    } else {
      branch_derived(atom - p_.derived_begin(), from, yes, no, depth);
    }
  }

  void branch_derived(std::uint32_t d, NodeId from, NodeId yes, NodeId no, int depth) {
    if (is_stored_[d]) {
      compare(stored_[d], one_, from, yes, no);
      return;
    }
    if (cycle_of(d) == nullptr && uses_[d] == 1 && depth < kMaxSplice) {
      branch_bodies(d, from, yes, no, depth);
      return;
    }
    const auto [begin, end] = check(d);
    if (yes.valid()) edge(from, yes, ir::Reachability{begin, end, false});
    if (no.valid()) edge(from, no, ir::Reachability{begin, end, true});
  }

  // Body after body; where one fails the next is tried.
  void branch_bodies(std::uint32_t d, NodeId from, NodeId yes, NodeId no, int depth) {
    const std::uint32_t end = p_.first_body[d + 1];
    for (std::uint32_t b = p_.first_body[d]; b < end; ++b) {
      const auto body = p_.body(b);
      if (body.empty()) {
        if (yes.valid()) skip(from, yes);
        return;
      }
      const NodeId next = b + 1 == end ? no : node();
      for (std::size_t i = 0; i < body.size(); ++i) {
        const NodeId to = i + 1 == body.size() ? yes : node();
        branch(body[i], from, to, next, depth + 1);
        from = to;
      }
      from = next;
    }
  }

  // The nodes between which a derived atom is checked; its automaton is made later.
  std::pair<NodeId, NodeId> check(std::uint32_t d) {
    const auto [it, fresh] = checks_.try_emplace(d);
    if (fresh) {
      it->second.first = node();
      Cycle* const cycle = cycle_of(d);
      if (cycle == nullptr) {
        it->second.second = node();
      } else {
        if (!cycle->done.valid()) cycle->done = node();
        it->second.second = cycle->done;
      }
      open_checks_.push_back(d);
    }
    return it->second;
  }

  void emit_checks() {
    while (!open_checks_.empty()) {
      const std::uint32_t d = open_checks_.back();
      open_checks_.pop_back();
      const auto [begin, end] = checks_.at(d);
      if (cycle_of(d) == nullptr) {
        branch_bodies(d, begin, end, NodeId(), 1);
      } else {
        emit_walk(d, begin, end);
      }
    }
  }

  // A recursive atom is a node; a body that needs another atom of the cycle is a path to that one's node.
  void emit_walk(std::uint32_t d, NodeId begin, NodeId done) {
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b) {
      NodeId target = done;
      std::vector<GroundLiteral> tests;
      for (const GroundLiteral l : p_.body(b)) {
        if (is_derived(l) && cycle_index_[derived(l)] == cycle_index_[d]) {
          target = check(derived(l)).first;
        } else {
          tests.push_back(l);
        }
      }
      NodeId from = begin;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        const NodeId to = i + 1 == tests.size() ? target : node();
        branch(tests[i], from, to, NodeId(), 1);
        from = to;
      }
      if (tests.empty()) skip(begin, target);
    }
  }

  // --- The step. ---
  void emit() try {
    const NodeId begin = game_.node("begin");
    const NodeId start = node();
    skip(begin, start);
    const NodeId ready = store(start, false);
    const NodeId finish = node();
    const NodeId choose = node();
    branch(p_.terminal, ready, finish, choose);
    const NodeId update = emit_choices(choose);
    if (update.valid()) emit_update(update, start);
    emit_finish(finish);
    emit_checks();
    remove_dead();
    if (game_.graph.in_degree(game_.end()) == 0) {
      diagnostics_.error(
          {}, "no play of this game ends: terminal can never hold",
          "check the rules of terminal, and what they depend on; 'rgtrans ground' shows what is left of them");
    }
  } catch (const TooLarge&) {
    diagnostics_.error(
        {},
        fmt::format("the game in RG would have more than {} edges ({} facts, {} moves, {} bodies of derived atoms)",
                    kMaxEdges, p_.facts.size(), p_.moves.size(), p_.body_count()),
        "play it with 'rgtrans perft --joint' or print it with 'rgtrans ground'; " + kMaxEdges.advice());
  }

  // Diagrams may leave nodes that cannot be reached.
  void remove_dead() {
    std::vector<bool> seen(game_.graph.node_bound());
    std::vector<NodeId> open;
    const auto reach = [&](NodeId n) {
      if (seen[n.value]) return;
      seen[n.value] = true;
      open.push_back(n);
    };
    reach(game_.begin());
    reach(game_.end());
    for (const auto& [d, nodes] : checks_) {
      reach(nodes.first);
      reach(nodes.second);
    }
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      for (const EdgeId e : game_.graph.out_edges(n)) reach(game_.graph.target(e));
    }
    for (std::uint32_t n = 0; n < seen.size(); ++n) {
      if (seen[n] || !game_.graph.alive(NodeId(n))) continue;
      for (const EdgeId e : game_.graph.out_edge_list(NodeId(n))) game_.graph.remove_edge(e);
    }
    for (std::uint32_t n = 0; n < seen.size(); ++n)
      if (!seen[n] && game_.graph.alive(NodeId(n))) game_.graph.remove_node(NodeId(n));
  }

  // Gives the stored atoms that read (or do not read) the joint move their values.
  NodeId store(NodeId at, bool after_move) {
    std::vector<bool> done(cycles_.size());
    for (const std::uint32_t d : order_) {
      if (!is_stored_[d] || reads_move_[d] != after_move) continue;
      if (Cycle* const cycle = cycle_of(d); cycle != nullptr && !cycle->linear) {
        if (done[cycle_index_[d]]) continue;
        done[cycle_index_[d]] = true;
        at = iterate(*cycle, at);
        continue;
      }
      const NodeId yes = node();
      const NodeId no = node();
      const NodeId next = node();
      if (cycle_of(d) == nullptr) {
        branch_bodies(d, at, yes, no, 1);
      } else {
        const auto [begin, end] = check(d);
        edge(at, yes, ir::Reachability{begin, end, false});
        edge(at, no, ir::Reachability{begin, end, true});
      }
      edge(yes, next, assign(stored_[d], one_));
      edge(no, next, assign(stored_[d], zero_));
      at = next;
    }
    return at;
  }

  // Non-linear recursion: from "all false", set what follows until nothing new does.
  NodeId iterate(const Cycle& cycle, NodeId at) {
    if (!changed_.id.valid()) changed_ = declare_bool("changed", false);
    for (const std::uint32_t d : cycle.members) at = then(at, assign(stored_[d], zero_));
    const NodeId round = node();
    skip(at, round);
    at = then(round, assign(changed_, zero_));
    for (const std::uint32_t d : cycle.members) {
      const NodeId next = node();
      const NodeId open = node();
      const NodeId yes = node();
      compare(stored_[d], one_, at, next, open);
      branch_bodies(d, open, yes, next, 1);
      edge(then(yes, assign(stored_[d], one_)), next, assign(changed_, one_));
      at = next;
    }
    const NodeId out = node();
    compare(changed_, one_, at, round, out);
    return out;
  }

  // --- Choices. ---
  [[nodiscard]] std::size_t decisions(const TurnStructure::Phase& phase) const {
    return static_cast<std::size_t>(std::ranges::count(phase.forced, TurnStructure::kDecides));
  }
  [[nodiscard]] bool hidden(const TurnStructure::Phase& phase) const { return p_.imperfect || decisions(phase) > 1; }

  NodeId emit_choices(NodeId choose) {
    uses_visible_ = std::ranges::any_of(turns_.phases, [&](const auto& phase) { return hidden(phase); });
    const NodeId update = node();
    for (std::size_t i = 0; i < turns_.phases.size(); ++i) {
      const auto& phase = turns_.phases[i];
      NodeId at = choose;
      if (turns_.phases.size() > 1) {
        at = node();
        for (const std::uint32_t v : phase.values)
          compare(variables_[turns_.group], variables_[turns_.group].values[v], choose, at, NodeId());
        if (phase.values.size() == 1) {
          known_group_ = turns_.group;
          known_value_ = phase.values[0];
        }
      }
      emit_phase(phase, at, update);
      known_group_ = kNone;
    }
    return update;
  }

  void emit_phase(const TurnStructure::Phase& phase, NodeId at, NodeId update) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (phase.forced[r] != TurnStructure::kDecides && does_[r].id.valid() && does_[r].values.size() > 1)
        at = then(at, assign(does_[r], move_symbols_[phase.forced[r]]));
    }
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
      if (phase.forced[r] == TurnStructure::kDecides) at = emit_decision(phase, r, at);
    if (uses_visible_ && !p_.imperfect) {
      at = show(at, kNone);
      if (hidden(phase)) {
        for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
          if (does_[r].id.valid()) at = then(at, ir::TagVariable{does_[r].id});
      }
    }
    skip(at, update);
  }

  // Makes tags visible to one role only, or to all for kNone.
  NodeId show(NodeId at, std::uint32_t role) {
    if (!uses_visible_) return at;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const ExprId cell = game_.access(game_.variable_ref(game_.visible()), symbol(role_symbols_[r]));
      at = then(at, ir::Assign{cell, symbol(role == kNone || role == r ? one_ : zero_)});
    }
    return at;
  }

  NodeId emit_decision(const TurnStructure::Phase& phase, std::uint32_t role, NodeId at) {
    at = show(at, hidden(phase) ? role : kNone);
    at = then(at, ir::Assign{game_.variable_ref(game_.player()), symbol(role_symbols_[role])});
    const NodeId chosen = node();
    for (const std::uint32_t m : phase.moves[role]) {
      const NodeId legal = node();
      branch(p_.legal[m], at, legal, NodeId());
      const NodeId tagged = does_[role].values.size() > 1 ? then(legal, assign(does_[role], move_symbols_[m])) : legal;
      edge(tagged, chosen, ir::Tag{move_symbols_[m]});
    }
    return then(chosen, ir::Assign{game_.variable_ref(game_.player()), symbol(game_.keeper())});
  }

  // --- Update. ---
  void emit_update(NodeId at, NodeId start) {
    at = store(at, true);
    at = emit_percepts(at);
    const std::vector<std::uint32_t> order = update_order();
    std::vector<std::pair<std::uint32_t, Variable>> buffers;
    std::vector<std::uint32_t> last_reader = last_readers(order);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const std::uint32_t g = order[k];
      if (keeps_value(g)) continue;
      const bool buffered = last_reader[g] != kNone && last_reader[g] > k;
      Variable target = variables_[g];
      if (buffered) {
        target = declare_variable(game_.symbols.str(game_.variable(variables_[g].id).name) + "_next",
                                  variables_[g].type, variables_[g].values, variables_[g].values[0]);
        buffers.emplace_back(g, target);
      }
      at = emit_group(g, target, at);
    }
    for (const auto& [g, buffer] : buffers) {
      at = then(at, ir::Assign{variables_[g].expression, buffer.expression});
      at = then(at, assign(buffer, buffer.initial));
    }
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
      if (does_[r].id.valid() && does_[r].values.size() > 1) at = then(at, assign(does_[r], does_[r].initial));
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d)
      if (is_stored_[d] && reads_move_[d]) at = then(at, assign(stored_[d], zero_));
    skip(at, start);
  }

  [[nodiscard]] bool keeps_value(std::uint32_t g) const {
    const FactGroup& group = groups_[g];
    return group.facts.size() == 1 && p_.next[group.facts[0]] == 2 * group.facts[0];
  }

  NodeId emit_group(std::uint32_t g, const Variable& target, NodeId at) {
    const FactGroup& group = groups_[g];
    const NodeId out = node();
    if (group.deterministic) {
      edge(at, out, ir::Assign{target.expression, successor(g)});
      return out;
    }
    if (group.facts.size() == 1) {
      const GroundLiteral next = p_.next[group.facts[0]];
      // A copy of another two-valued variable.
      if (!is_constant(next) && !is_negated(next) && atom_of(next) < p_.move_begin() &&
          groups_[group_of_[atom_of(next)].first].facts.size() == 1) {
        edge(at, out, ir::Assign{target.expression, variables_[group_of_[atom_of(next)].first].expression});
        return out;
      }
    }
    for (std::size_t i = 0; i < group.facts.size(); ++i) {
      const NodeId yes = node();
      const NodeId no = node();
      branch(p_.next[group.facts[i]], at, yes, no);
      edge(yes, out, assign(target, group.facts.size() == 1 ? one_ : variables_[g].values[i]));
      at = no;
    }
    edge(at, out, assign(target, group.facts.size() == 1 ? zero_ : variables_[g].values.back()));
    return out;
  }

  ExprId successor(std::uint32_t g) {
    const FactGroup& group = groups_[g];
    const Variable& v = variables_[g];
    std::vector<ir::Values::Entry> entries;
    for (std::size_t i = 0; i < group.facts.size(); ++i)
      entries.push_back({v.values[i], game_.values.symbol(v.values[group.successor[i]])});
    const ir::ValueId map = game_.values.map(game_.values.symbol(v.values[group.successor[0]]), entries);
    const std::string name =
        names_.fresh("after_" + Names::readable(game_text(p_.terms.symbol(p_.facts[group.facts[0]]))));
    const ir::ConstId constant = game_.define_constant(intern(name), game_.types.arrow(v.type, v.type), map);
    return game_.access(game_.constant_ref(constant), v.expression);
  }

  // The groups that the next value of a group reads, with repetitions.
  void collect_reads(GroundLiteral l, std::vector<std::uint32_t>& out) {
    if (is_constant(l)) return;
    if (atom_of(l) < p_.move_begin()) {
      out.push_back(group_of_[atom_of(l)].first);
    } else if (is_derived(l)) {
      const std::uint32_t d = derived(l);
      if (is_stored_[d] || stamp_[d] == current_stamp_) return;
      stamp_[d] = current_stamp_;
      for_each_literal(d, [&](GroundLiteral inner) { collect_reads(inner, out); });
    }
  }

  const std::vector<std::vector<std::uint32_t>>& reads() {
    if (!reads_.empty() || groups_.empty()) return reads_;
    stamp_.assign(p_.derived_count(), 0);
    reads_.resize(groups_.size());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      ++current_stamp_;
      std::vector<std::uint32_t>& list = reads_[g];
      if (groups_[g].deterministic) {
        list = {g};
      } else {
        for (const std::uint32_t f : groups_[g].facts) collect_reads(p_.next[f], list);
      }
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return reads_;
  }

  // Readers before what they read, as far as there are no cycles.
  std::vector<std::uint32_t> update_order() {
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, std::uint32_t, std::uint32_t>;
    std::vector<std::uint32_t> order(groups_.size());
    for (std::uint32_t g = 0; g < order.size(); ++g) order[g] = g;
    if (groups_.empty()) return order;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      for (const std::uint32_t other : reads()[g]) edges.emplace_back(g, other);
    const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), static_cast<std::uint32_t>(groups_.size()));
    std::vector<std::uint32_t> component(groups_.size());
    boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    // Components are numbered targets first; readers must come first.
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t g) { return component[g]; });
    return order;
  }

  // Per group the last place in the order that still reads its old value (not counting its own).
  std::vector<std::uint32_t> last_readers(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> last(groups_.size(), kNone);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      if (keeps_value(order[k])) continue;
      for (const std::uint32_t g : reads()[order[k]])
        if (g != order[k]) last[g] = k;
    }
    return last;
  }

  NodeId emit_percepts(NodeId at) {
    if (!p_.imperfect) return at;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random || std::ranges::none_of(p_.sees, [&](const auto& s) { return s.role == r; })) continue;
      at = show(at, r);
      for (const auto& sees : p_.sees) {
        if (sees.role != r) continue;
        const NodeId yes = node();
        const NodeId out = node();
        branch(sees.when, at, yes, out);
        edge(yes, out, ir::Tag{intern(names_.term(sees.term))});
        at = out;
      }
    }
    return show(at, kNone);
  }

  // --- The end. ---
  void emit_finish(NodeId at) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const ExprId cell = game_.access(game_.variable_ref(game_.goals()), symbol(role_symbols_[r]));
      const NodeId out = node();
      for (const Goal& goal : goals_) {
        if (goal.role != r) continue;
        const NodeId yes = node();
        const NodeId no = node();
        branch(goal.when, at, yes, no);
        edge(yes, out, ir::Assign{cell, symbol(intern(std::to_string(goal.value)))});
        at = no;
      }
      edge(at, out, ir::Assign{cell, symbol(intern("0"))});
      at = out;
    }
    edge(at, game_.node("end"), ir::Assign{game_.variable_ref(game_.player()), symbol(game_.keeper())});
  }

  void tell(LoweredNames& names) const {
    names.groups = groups_;
    names.turns = turns_;
    for (const SymbolId s : role_symbols_) names.roles.push_back(game_.symbols.str(s));
    for (const SymbolId s : move_symbols_) names.moves.push_back(game_.symbols.str(s));
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) {
      names.facts.emplace_back(game_.symbols.str(game_.variable(variables_[group_of_[f].first].id).name),
                               game_.symbols.str(value_of(f)));
    }
  }

  struct Goal {
    std::uint32_t role;
    int value;
    GroundLiteral when;
  };

  const GroundProgram& p_;
  const LowerOptions& options_;
  Diagnostics& diagnostics_;
  ir::Game game_;
  Names names_;
  Network network_;
  std::vector<int> scores_;
  std::vector<Goal> goals_;
  std::vector<FactGroup> groups_;
  TurnStructure turns_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> group_of_;  // per fact: group and position in it
  // Derived atoms.
  std::vector<Cycle> cycles_;
  std::vector<std::uint32_t> cycle_index_;
  std::vector<std::uint32_t> order_;  // derived atoms, each after those that it depends on
  std::vector<bool> reads_move_;      // depends on the joint move
  std::vector<bool> early_;           // needed before the end of the game
  std::vector<std::uint32_t> uses_;
  std::vector<bool> is_stored_;
  std::vector<Variable> stored_;
  std::map<std::uint32_t, std::pair<NodeId, NodeId>> checks_;
  std::vector<std::uint32_t> open_checks_;
  Variable changed_;
  // Names and variables.
  SymbolId zero_, one_;
  std::vector<SymbolId> role_symbols_, move_symbols_;
  std::vector<Variable> does_;       // per role
  std::vector<Variable> variables_;  // per group
  std::uint32_t known_group_ = kNone;
  std::uint32_t known_value_ = 0;
  bool uses_visible_ = false;
  std::vector<std::vector<std::uint32_t>> reads_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t current_stamp_ = 0;
};

}  // namespace

ir::Game lower(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
               Diagnostics& diagnostics, LoweredNames* names) {
  return Lowering(program, sources, options, diagnostics).run(names);
}

}  // namespace rgtrans::gdl
