// Lowers the rules of a game to an automaton.
//
// Every ply has a copy for each player, so that Mover is known. Integers are symbols: sites, components, players and
// numbers alike. A term that depends on the position in a few parts becomes a table over the values of these parts.
// Questions are sub-automata: ask(condition, from, yes, no) leads from one node to one of two others. The values that a
// variable can have are found by lowering the game again until no assignment adds one.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/depth.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/rules/env.hpp"
#include "frontends/ludii/rules/lower.hpp"
#include "frontends/ludii/rules/signature.hpp"

namespace rgtrans::ludii {

class Lowering : private ir::DefinedOnce {
 public:
  Lowering(const Description& description, const Equipment& equipment, ir::Game& game, Domains& domains);
  // One refusal for each ludeme that is not translated.
  std::vector<Refusal> run();

 private:
  using NodeId = ir::NodeId;
  using ExprId = ir::ExprId;
  struct Made {
    Value from, to;
  };
  using Body = std::function<void(NodeId at, const Made& made)>;
  using Pairs = std::set<std::pair<int, int>>;
  using Commit = std::function<NodeId(NodeId)>;
  using Parts = std::vector<const Node*>;

  // --- Rows of the tables of ludemes. ---
  using ConditionRow = void(const Call&, NodeId from, NodeId yes, NodeId no, const Env&);
  using NumberRow = Value(const Call&, NodeId& at, const Env&);
  using MoveRow = void(const Call&, NodeId from, const Env&, const Body&);
  // A simple effect evaluates its arguments, and gives back a function that acts.
  using SimpleRow = Commit(const Call&, NodeId& at, const Env&, bool hold);
  using EffectRow = NodeId(const Call&, NodeId at, const Env&);
  using Condition = ConditionRow Lowering::*;
  using Number = NumberRow Lowering::*;
  using Move = MoveRow Lowering::*;
  using Simple = SimpleRow Lowering::*;
  using Effect = EffectRow Lowering::*;
  using Ask = std::function<void(NodeId from, NodeId yes, NodeId no)>;
  struct Region {
    std::vector<int> sites;  // those that may belong to it
    Ask ask;
    bool exact = false;  // all of the sites belong to it
  };
  using AreaRow = Region(const Call&, const Value& site, NodeId& at, const Env&);
  using Area = AreaRow Lowering::*;
  static std::span<const Ludeme<Condition>> conditions();
  static std::span<const Ludeme<Number>> numbers();
  static std::span<const Ludeme<Area>> areas();
  static std::span<const Ludeme<Move>> generators();
  static std::span<const Ludeme<Simple>> simple_effects();
  static std::span<const Ludeme<Effect>> effects();

  // Runs a part of the lowering; a refusal is recorded, and the rest is still looked at.
  template <class F>
  void guarded(F&& f) {
    try {
      f();
    } catch (const Refused& refused) {
      record(refused);
    }
  }
  void record(const Refused& refused);

  // --- Edges. ---
  NodeId node() { return g_.graph.add_node({}, where_); }
  void spend(std::uint64_t entries);
  void edge(NodeId from, NodeId to, ir::Label label);
  void jump(NodeId from, NodeId to) {
    if (to.valid()) edge(from, to, ir::Empty{});
  }
  NodeId assign(NodeId from, ExprId variable, ExprId value);
  // Assigns to a variable, or a place in a map, whose possible values are found during the lowering.
  NodeId store(NodeId from, const std::string& name, ExprId variable, const Value& value);
  void ask_equal(NodeId from, NodeId yes, NodeId no, const Value& a, const Value& b);
  void ask_equal(NodeId from, NodeId yes, NodeId no, const Value& a, int b);
  void ask_order(const Value& a, const Value& b, NodeId from, NodeId less, NodeId equal, NodeId greater);
  // A value of a number with a limit. Where it is beyond, the play stops when the move has been made.
  Value limited(const std::string& name, const Value& value, NodeId& at);
  // The walk goes on if the two are equal, or are not.
  NodeId check(NodeId from, const Value& a, int b, bool equal = true);
  NodeId holds(const Node& condition, NodeId from, const Env& env);
  // The node behind a test that the value passes.
  NodeId after_test(const Value& value, NodeId from, NodeId no, const std::function<bool(int)>& test);
  // Questions for when().
  template <class V>
  Ask equals(const Value& a, const V& b) {
    return [this, a, b](NodeId from, NodeId yes, NodeId no) { ask_equal(from, yes, no, a, b); };
  }
  Ask differs(const Value& a, int b) {
    return [this, a, b](NodeId from, NodeId yes, NodeId no) { ask_equal(from, no, yes, a, b); };
  }
  Ask passes(const Value& value, const std::function<bool(int)>& test) {
    return [this, value, test](NodeId from, NodeId yes, NodeId no) { ask_test(value, from, yes, no, test); };
  }
  // Acts if the answer is yes; both ways join behind. An assignment leads there at once.
  template <class Act>
  NodeId when(NodeId at, const Ask& ask, const Act& act) {
    const NodeId yes = node(), behind = node();
    ask(at, yes, behind);
    if constexpr (std::is_same_v<Act, ir::Assign>) {
      edge(yes, behind, act);
    } else if constexpr (std::is_same_v<std::invoke_result_t<const Act&, NodeId>, ir::Assign>) {
      edge(yes, behind, act(yes));
    } else {
      jump(act(yes), behind);
    }
    return behind;
  }
  template <class Act>
  NodeId if_player(NodeId at, const Value& who, const Act& act) {
    return when(at, passes(who, [this](int p) { return is_player(p); }), act);
  }
  [[nodiscard]] bool is_player(int player) const { return player >= 1 && player <= n_; }
  // A loop over values in ascending order; the body gives the node behind.
  NodeId loop(const std::vector<int>& values, const Value& variable, NodeId at,
              const std::function<NodeId(NodeId)>& body);

  // --- Symbols, types, tables. ---
  SymbolId symbol(int value) {
    const auto [it, is_new] = symbols_.try_emplace(value);
    if (is_new) it->second = DefinedOnce::number(value);
    return it->second;
  }
  ExprId number(int value) { return g_.symbol(symbol(value)); }
  ir::ValueId number_value(int value) { return g_.values.symbol(symbol(value)); }
  ir::TypeId type_of(const std::vector<int>& values);
  // The type of values is made first, so that every compiler numbers the names of types in the same order.
  ir::TypeId arrow_type(const std::vector<int>& keys, ir::TypeId values) {
    return g_.types.arrow(type_of(keys), values);
  }
  ExprId variable(const std::string& name, const std::vector<int>& values, int initial);
  ExprId map_variable(const std::string& name, const std::vector<int>& keys, const std::vector<int>& values,
                      const std::function<int(int)>& initial);
  // A variable whose possible values are found during the lowering.
  Value found(const std::string& name, int initial);
  ExprId found_map(const std::string& name, const std::vector<int>& keys, const std::function<int(int)>& initial);
  std::vector<int> domain(const std::string& name, const std::set<int>& initial = {});
  Value temporary(const Value& value, NodeId& at, const std::optional<std::vector<int>>& domain = {});
  Value flag(NodeId& at) { return temporary(constant(0), at, std::vector<int>{0, 1}); }
  // Some value of the list, whichever is wanted.
  Value guess(ExprId variable, const std::vector<int>& values, NodeId& at);
  ir::ValueId map_of(const std::vector<int>& keys, const std::function<ir::ValueId(int)>& value);
  Value number_variable(const std::string& name, const std::vector<int>& values, int initial) {
    return value_of(variable(name, values, initial), values);
  }
  // Whether a value is new.
  bool note_values(const std::string& name, const std::vector<int>& values);
  // A map from places to 0 and 1, all 0.
  ExprId marks(NodeId& at);
  Value marked(ExprId map, const Value& site) { return value_of(g_.access(map, site.expr), {0, 1}); }
  ir::Assign marking(ExprId map, const Value& site) { return {g_.access(map, site.expr), number(1)}; }
  NodeId mark(NodeId at, ExprId map, const Value& site) { return assign(at, g_.access(map, site.expr), number(1)); }
  // A map that marks the sites of a region.
  ExprId mark_region(const Node& region, NodeId& at, const Env& env);
  // The value of f for each of the values of an expression.
  Value table(const Value& key, const std::function<int(int)>& f);
  // A large table that is needed often is kept under a name.
  Value table(const Value& first, const Value& second, const std::function<int(int, int)>& f,
              const std::string& kept = {});
  Value constant(int value) { return {value, number(value), {value}}; }
  static Value value_of(ExprId expr, std::vector<int> domain) { return {std::nullopt, expr, std::move(domain)}; }
  static void limit_size(const Node& node, std::size_t entries);

  // --- Integers. ---
  Known known(const Env& env) const;
  Value integer(const Node& node, const Env& env, NodeId& at);
  Value integer_or(const Node* node, const Value& otherwise, const Env& env, NodeId& at) {
    return node == nullptr ? otherwise : integer(*node, env, at);
  }
  std::optional<Value> leaf(const Node& node, const Env& env);
  struct Leaf {
    const Node* node;
    std::optional<Slot> slot;
    Value value;
  };
  // Returns false if the term cannot become a table.
  bool collect_leaves(const Node& node, const Env& env, std::vector<Leaf>& leaves, bool bound);
  std::optional<Value> tabulate(const Node& node, const Env& env,
                                const std::function<std::optional<int>(const Known&)>& f,
                                std::optional<std::pair<Slot, Value>> extra = {});
  Value player(const Node& node, const Env& env, NodeId& at);
  Value slot_value(Slot slot, const Env& env);
  Value piece_on(const Value& site) { return value_of(g_.access(board_, site.expr), pieces_); }
  Value count_on(const Value& site);
  Value as_place(const Value& site);
  Value what(const Value& site);
  Value who(const Value& site);
  int owner_of(int component) const;
  Value sum(const Value& a, const Value& b);
  Value at_of(const Call& call, NodeId& at, const Env& env);
  SiteType type_in(const Call& call) const;
  std::optional<int> fixed_player(const Call& call, std::string_view name, std::optional<int> otherwise, NodeId& at,
                                  const Env& env);
  NumberRow arithmetic;
  Value fold_results(const Node& results, const std::string& name, NodeId& at, const Env& env);
  NumberRow number_if, to_int, number_who, number_what, number_layer, number_value_of_player, number_pending,
      number_count, number_sites, number_pieces, number_groups, number_group_size, number_liberties, number_moves,
      number_last, number_score, number_var, number_where, number_track, number_steps, number_size_of_array,
      number_active, number_of_terms, number_ahead, number_stack, number_region_site, number_territory, number_pips,
      number_face;

  // --- Conditions. ---
  void ask(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_test(const Value& value, NodeId from, NodeId yes, NodeId no, const std::function<bool(int)>& test);
  void ask_parts(const Parts& parts, bool every, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_exists(NodeId from, NodeId yes, NodeId no, const std::function<void(NodeId start, NodeId found)>& build);
  // Whether something holds of some site.
  using AskSite = std::function<void(const Value& site, NodeId at, NodeId found)>;
  void ask_some(const Node& area, NodeId from, NodeId yes, NodeId no, const Env& env, const AskSite& ask_one);
  void ask_some(const std::vector<int>& sites, NodeId from, NodeId yes, NodeId no, const AskSite& ask_one);
  void ask_can_move(const Node& moves, NodeId from, NodeId yes, NodeId no, const Env& env);
  std::pair<NodeId, NodeId> search_for_moves(int player, const Env& env);
  // The site that is asked about, and what it held before the piece was put there.
  Value threatened() { return value_of(variable("threatened", places_, kOff), places_); }
  Value stood_here() { return value_of(variable("stood_here", pieces_, 0), pieces_); }
  std::pair<NodeId, NodeId> search_for_threat(int component, int enemy, const Node* list, const Value& target,
                                              const Env& env);
  Value first_with(const Value& component, const std::optional<Value>& state, NodeId& at);
  ConditionRow is_not, is_and, is_xor, is_if, is_compared, is_empty, is_enemy, is_in, is_turn, is_even, is_line,
      is_pattern, is_connected, is_threatened, is_pending, is_full, is_visited, is_within, is_triggered, is_active,
      is_related, no_moves, no_pieces, all_sites, all_different, all_passed, can_move, was_pass, ask_dice;
  std::map<int, std::set<std::vector<int>>> lines_through(Direction direction, std::size_t length, bool exact,
                                                          bool contiguous = true) const;
  struct Owned;
  void ask_line(const Call& call, const std::map<int, std::set<std::vector<int>>>& windows, std::size_t length,
                const Value& pivot, const std::optional<Owned>& owned, const std::optional<Value>& component,
                NodeId from, NodeId yes, NodeId no, const Env& env);

  // --- Regions. ---
  Region region(const Node& node, const Value& site, NodeId& at, const Env& env);
  void ask_member(const Node& region, const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env);
  // Chooses a site of the region; the walk goes on at the node.
  Value choose(const Node& region, const std::string& name, NodeId& at, const Env& env);
  // Calls the body for every site of the region.
  NodeId for_each_site(const Node& region, NodeId at, const Env& env,
                       const std::function<NodeId(NodeId, const Value&)>& body);
  NodeId node_of_site(NodeId from, const Value& site, NodeId no);
  Region known_region(Sites sites, const Value& site);
  // The container that is named, or the hand of that name of a player.
  const Container* container_of(const Node& named, std::optional<int> owner, const Env& env) const;
  std::vector<int> sites_of(const Container& container) const;
  AreaRow area_empty, area_occupied, area_operation, area_if, area_for_each, area_around, area_direction, area_sight,
      area_group, area_moves, area_pending, area_state, area_start, area_hand, area_track, area_owned;
  Region owned_sites(const Node& owner, const Node* name, const Value& site, NodeId& at, const Env& env);
  AreaRow area_results;
  Region area_list(const Node& array, const Value& site, NodeId& at, const Env& env);
  void refuse_negative(const Node& list, NodeId& at, const Env& env);
  AreaRow area_one, area_expand, area_remembered, area_union_for;
  Region from_marks(ExprId map, std::vector<int> sites, const Value& site);
  Region where_one(std::vector<int> sites, const Value& value);
  using FitsSite = std::function<void(const Value& site, NodeId from, NodeId yes, NodeId no)>;
  FitsSite is_marked(ExprId map);
  // Marks the sites that are reached from marked ones by steps over sites that fit.
  NodeId flood(ExprId map, const std::vector<std::vector<int>>& neighbours, NodeId at, const FitsSite& fits);
  void ask_neighbour(const std::vector<std::vector<int>>& neighbours, const Value& site, NodeId from, NodeId yes,
                     NodeId no, const FitsSite& ask_one);
  ExprId mark_group(const Value& start, const Node* directions, const Node* test, NodeId& at, const Env& env);
  Value count_sites(NodeId& at, std::optional<Value> site, const FitsSite& fits);
  Value one_more(const Value& value);
  Value one_less(const Value& value);
  ir::Assign counting(const Value& number) { return {number.expr, one_more(number).expr}; }
  std::vector<std::vector<int>> neighbours_of(const Node* directions, const Env& env);
  // Whether a component belongs to a role or a player.
  struct Owned {
    std::function<bool(int component, int player)> fits;
    std::optional<Value> player;  // if it is not known
  };
  Owned owned_by(const Node* role, const Env& env, NodeId& at);
  Owned counted_pieces(const Call& call, const Env& env, NodeId& at);
  void ask_owned(const Owned& owned, const Value& component, NodeId from, NodeId yes, NodeId no);

  // The parts of (from …), (to …) and (between …).
  struct To {
    const Node *region = nullptr, *test = nullptr, *effect = nullptr, *effect_test = nullptr, *clause = nullptr;
    const Node *before = nullptr, *after = nullptr, *range = nullptr, *level = nullptr;
  };

  // --- Moves. `behind` receives every move when it has been made. ---
  void moves(const Node& node, NodeId from, const Env& env, const Body& behind);
  // Moves with consequences of the clause around them.
  void with_then(const Node* then, const Env& env, const Body& behind,
                 const std::function<void(const Env&, const Body&)>& build);
  MoveRow move_or, move_if, move_priority, move_do, move_max, move_same, for_each_piece, for_each_site_move,
      for_each_value, for_each_player, for_each_direction, for_each_die;
  Made gather(bool silent, NodeId joined, const std::function<void(const Body&)>& generate);
  NodeId has_piece(const Value& from, NodeId at, const Env& env);
  void turned_direction(const Call&, const Value& start, NodeId at, const Env&, const To& to, const Node* body,
                        const Body& behind);
  MoveRow move_add, move_step, move_slide, move_hop;
  void finish_slide(const Call&, const std::vector<std::vector<Radial>>& lines, const Value& from, NodeId, const Env&,
                    const Body&);
  void finish_hop(const Call&, const std::vector<std::vector<Radial>>& lines, const Value& from, NodeId, const Env&,
                  const Body&);
  MoveRow move_leap, move_shoot, from_to, move_remove, move_select, move_promote, move_pass, move_swap, move_append;

  [[nodiscard]] To read_to(const Node* clause) const;
  struct Bounds {
    int low, high;
  };
  Bounds bounds_of(const Node* range, Bounds otherwise, const Env& env) const;
  Value start_site(const Node* clause, NodeId& at, Env& env);
  Value first_site(const Call& call, const Value& otherwise, NodeId& at, Env& env);
  using Lines = std::vector<std::vector<Radial>>;
  bool follow_a_piece(const Node* directions, const Env& env) const;
  // Calls the body for the lines of each way that the piece on the site may face.
  void for_each_facing(const Call& call, const Value& from, NodeId at, const Env& env, bool one_step,
                       const std::function<void(NodeId, const Lines&, const Env&)>& body);
  bool has_other_type(const Node& area) const;
  // Calls the body for each value of the parts of directions that depend on the position.
  void for_each_heading(const Node& directions, NodeId at, const Env& env,
                        const std::function<void(NodeId, const Env&)>& body);
  const Node* open_direction(const Node& directions, const Env& env) const;
  Value pick(const Node& region, const std::string& name, NodeId& at, const Env& env);
  // For each site, the lists of sites in the given directions.
  std::vector<std::vector<Radial>> lines_of(const Node* directions, const Env& env, bool one_step);
  // Chooses one of the lists of the site.
  struct Beam {
    ExprId table, way;
    std::size_t length;
    std::vector<int> sites;
  };
  ExprId table_of(const Lines& lines, const std::vector<int>& numbers, const std::vector<int>& indices);
  Beam choose_beam(const std::string& name, const std::vector<std::vector<Radial>>& lines, const Value& from,
                   NodeId& at, bool all = false);
  // Goes along all lines of a site, one after the other.
  NodeId walk_lines(const std::vector<std::vector<Radial>>& lines, const Value& start, NodeId at,
                    const std::function<NodeId(NodeId at, const Beam& beam)>& body);
  NodeId mark_along(const Lines& lines, const Value& start, NodeId at,
                    const std::function<NodeId(NodeId at, const Beam& beam)>& body);
  struct Runner {
    Value index, site;
  };
  Runner run_along(const Beam& beam, NodeId& at);
  NodeId read_site(const Beam& beam, const Runner& runner, NodeId at, NodeId ended);
  NodeId step_on(const Runner& runner, NodeId at);
  struct Applied {
    To to;
    Env env;
  };
  // What a move takes along.
  struct Load {
    const Node *count = nullptr, *level = nullptr;
    bool copy = false, stack = false, keeps_state = false;
  };
  // A move from the site to the second site of one of its lines.
  void finish_step(const Call& call, const std::vector<std::vector<Radial>>& lines, const To& to, const Value& from,
                   NodeId at, const Env& env, const Body& behind, const Load& load);
  // Shows and makes a move of the piece, with effects before it.
  void finish_move(NodeId at, const Value& from, const Value& to, const Env& env, const std::vector<Applied>& applied,
                   const Node* then, Pairs pairs, const Body& behind, const Load& load);
  void make_move(const Call& call, NodeId at, const Made& made, const Env& env, const std::string& outcome,
                 const Body& behind, const std::function<NodeId(NodeId)>& act);
  static std::string whole_then(const Call& call);
  NodeId apply_all(const std::vector<Applied>& applied, NodeId at);
  static std::string text_of(const std::vector<Applied>& applied, const Node* then);
  [[nodiscard]] static bool acts(const Env& env) { return !env.silent || env.checked; }
  NodeId to_keeper(NodeId at, const Env& env);
  NodeId keep_pending(NodeId at, const Env& env);
  NodeId unite(NodeId at, ExprId map, ExprId other);
  void ask_pending(const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env);
  // The results of moves with equal texts differ only if their outcomes do. `pairs`: the possible starts and ends.
  struct Outcome {
    NodeId shown, behind;  // where a further tag can tell it from another outcome
    std::string text;
    Pairs pairs;
    int component;
  };
  NodeId show(NodeId at, const Value& from, const Value& to, const Env& env, std::string outcome, Pairs pairs);
  NodeId tag(NodeId at, const Value& value);
  NodeId over(NodeId at);
  void tell_outcomes_apart();
  static bool hurdles_are_ambiguous(const std::vector<std::vector<Radial>>& lines, int before, int most, int after);
  static Pairs pairs_of(const std::vector<std::vector<Radial>>& lines, std::size_t first, std::size_t last);
  static Pairs pairs_of(const Value& from, const Value& to);
  void consequences(const Node* then, NodeId at, const Made& made, const Env& env, const Body& behind);
  NodeId consequence(const Node* then, NodeId at, const Env& env);
  std::vector<int> components_in(const Node* piece, const Env& env, const Node* role = nullptr);

  // --- Effects. ---
  NodeId effect(const Node& node, NodeId at, const Env& env);
  std::pair<NodeId, Value> watched(NodeId at, const std::function<NodeId(NodeId)>& build);
  NodeId followed(const Node* then, NodeId at, const Env& env, const std::function<NodeId(NodeId)>& build);
  Commit simple(const Call& call, NodeId& at, const Env& env, bool held);
  NodeId mark_done(NodeId at);
  NodeId effect_list(const Parts& parts, NodeId at, const Env& env, const Node* then = nullptr);
  Commit plan(const Node& node, NodeId& at, const Env& env);
  Value hold(const Value& value, NodeId& at, bool held);
  NodeId note_site(NodeId at, const Value& site);
  NodeId set_count(NodeId at, const Value& site, const Value& count);
  NodeId exchange(NodeId at, const Value& a, const Value& b);
  NodeId set_next_(NodeId at);
  NodeId plan_without_then(const Call& call, NodeId at, const Env& env);
  struct Memory {
    std::string name;
    std::vector<int> keys;
    ExprId map;
  };
  Memory memory(const Node* name);
  int count_bound() const;
  Value add_up(NodeId& at, int most,
               const std::function<void(const std::function<NodeId(NodeId, const Value&)>&)>& build);
  NodeId set_layer(NodeId at, const std::string& layer, ExprId map, const Value& site,
                   const std::optional<Value>& level, const Value& amount);
  NodeId clear_site(NodeId at, const Value& site);
  NodeId remove_from(NodeId at, const Value& site);
  NodeId place_on(NodeId at, const Value& site, const Value& component, const std::optional<Value>& count = {},
                  const std::optional<Value>& state = {});
  Value settled(const Value& value, NodeId& at);
  NodeId relocate(NodeId at, const Value& from, const Value& to, const std::optional<Value>& count, bool copy,
                  bool keeps_state = false, bool may_be_gone = false);
  NodeId if_site(NodeId at, const Value& site, const std::function<NodeId(NodeId)>& then);
  SimpleRow do_move_again, do_remove, do_add, do_promote, do_from_to, do_score, do_set_site, do_set_number,
      do_set_player, do_pending, do_next_player, do_remember, do_forget, do_trigger, do_flip, do_nothing,
      do_swap_pieces;
  EffectRow effect_if, effect_and, effect_sites, effect_values, effect_players, effect_direction, effect_seq,
      effect_priority, effect_do, effect_slide, effect_custodial, effect_surround, effect_enclose, effect_intervene,
      effect_sow;
  // Marks what is to be acted on, and then acts on it.
  NodeId act_on_marked(ExprId map, const std::vector<int>& sites, Slot slot, const To& apply, NodeId at,
                       const Env& env);
  using Act = std::function<NodeId(NodeId, const Value& site)>;
  NodeId each_marked(ExprId map, const std::vector<int>& sites, NodeId at, const Act& act);
  NodeId each_marked(ExprId map, const Value& site, NodeId at, const Act& act);
  Act act_of(const Node& action, Slot slot, std::uint32_t written, NodeId& at, const Env& env);
  // The maps of the sites (board, counts, states, values), or copies of them.
  using SiteMaps = std::array<ExprId, 4>;
  std::array<ExprId*, 4> site_maps() { return {&board_, &counts_, &states_, &values_}; }
  SiteMaps freeze(NodeId& at);
  void exchange_maps(SiteMaps& maps);
  Commit plan_frozen(const Node& action, SiteMaps copies, NodeId& at, const Env& env);
  [[nodiscard]] bool can_freeze(const Node& action, std::uint32_t written) const;

  Value seeds_of(const Call& call, NodeId& at, const Env& env);

  // --- The play. ---
  void read_rules();
  void read_state();
  void refuse_open_bounds();
  void start_rule(const Node& rule, Known known);
  void place(const Node& rule, const Known& known);
  void note_start();
  void set_at_start(const Node& rule, const Known& known);
  std::vector<int> start_sites(const Node& where, const Known& known);
  void put(int site, int component, int count, int state, int value, const Node& rule);
  // Stacks.
  void read_stacks();
  void make_stacks();
  Value height(const Value& site);
  Value top_level(const Value& site);
  Value on_level(const std::string& layer, const Value& site, const Value& level);
  Value choose_level(NodeId& at, const std::string& name);
  NodeId take_level(NodeId at, const Value& site, const Value& level);
  NodeId push_on(NodeId at, const Value& site, const std::map<std::string, Value>& contents);
  NodeId restack(NodeId at, const Value& from, const Value& to, const std::optional<Value>& level, bool keeps);
  NodeId apart(NodeId at, NodeId end, const Value& from, const Value& to);
  NodeId restack_block(NodeId at, const Value& from, const Value& to, const Value& size);
  NodeId set_on_level(NodeId at, const std::string& layer, const Value& site, const std::optional<Value>& level,
                      const Value& value);
  void ask_any_level(const Owned& owned, const Value& site, NodeId from, NodeId yes, NodeId no);
  EffectRow effect_level;
  NumberRow number_where_level;
  std::optional<Value> level_in(const Node* level, NodeId& at, const Env& env);

  // Dice.
  void read_dice();
  [[nodiscard]] const std::vector<int>& faces_of(int site) const;
  Value face_on(const Value& die);
  NodeId throw_dice(int player, NodeId at, const Env& env);
  NodeId throw_for(const Node& play, NodeId at, const Env& env, bool asked_again);
  NodeId throw_all(NodeId at);
  void refuse_dice(const Owned& owned, const Node& clause) const;

  void lower_player(int player);
  void finish_ply(NodeId at, const Env& env);
  NodeId phases(NodeId at, const Env& env);
  NodeId end_rules(const Node& end, NodeId at, const Env& env);
  NodeId end_rule(const Node& rule, NodeId at, const Env& env);
  // Returns the node of a play that goes on.
  NodeId result(const Node& clause, NodeId at, const Env& env);
  NodeId by_score(const Node& clause, NodeId at, const Env& env);
  NodeId set_goal(NodeId at, int player, const Value& goal);
  NodeId give_rest(NodeId at, const Value& goal);
  // Whether a player is still in the play.
  void ask_active(NodeId at, NodeId yes, NodeId no, ExprId player) {
    ask_equal(at, yes, no, value_of(g_.access(active_, player), {0, 1}), 1);
  }
  NodeId name_next(NodeId at, int after);
  NodeId eliminate(int player, bool wins, NodeId at);
  void end_play(NodeId at);
  std::vector<SymbolId> all_goals();
  NodeId clear(NodeId at, ExprId map);
  NodeId count_up(NodeId at, const std::string& name);
  void read_phase(const Node& item);
  void finish(const std::vector<double>& ranks, NodeId at);
  void finish_with(const std::vector<int>& goals, NodeId at);
  NodeId drawn();
  void play_of_phase(int player, NodeId at, const std::function<void(const Node& play, NodeId at)>& body);
  [[nodiscard]] bool mentions(std::string_view word) const;
  [[nodiscard]] bool mentions_clause(std::string_view name, std::string_view word = {}) const;
  [[nodiscard]] int others(int player) const { return player % n_ + 1; }
  Value counter(const std::string& name, const Node& where);

  const Description& d_;
  const Equipment& e_;
  ir::Game& g_;
  Domains& domains_;
  Statics statics_;
  int n_;  // players
  Range where_;
  std::vector<Refusal> refusals_;
  std::set<std::pair<std::string, std::uint32_t>> refused_;
  std::vector<int> places_, pieces_;  // the values of sites with -1, and of components with 0
  std::vector<int> players_, player_keys_, all_sites_, dice_;
  std::vector<Value> phase_of_;
  std::map<std::string, int> cycles_;
  struct Square {
    int component = 0, count = 0, state = 0, value = 0;
  };
  std::map<int, Square> start_;
  std::map<int, std::vector<Square>> stacked_;  // in games with stacks
  struct Layer {
    ExprId top, levels;
    std::string name;
  };
  std::vector<Layer> layers_;
  ExprId heights_;
  int highest_ = 0;
  bool has_stacks_ = false;
  std::map<std::string, std::set<int>> remembered_at_start_;
  std::map<int, int> score_at_start_;
  const Node& keep(Node node) { return *kept_nodes_.emplace_back(std::make_unique<Node>(std::move(node))); }
  std::vector<std::unique_ptr<Node>> kept_nodes_;
  ExprId made_pass_, named_next_;
  std::vector<ExprId> did_;
  struct Limit {
    int low, high;
  };
  std::map<std::string, Limit, std::less<>> limits_;  // of numbers that have no proved bound
  Value limit_reached_;
  int score_bound_ = 0, max_count_ = 0;
  int total_ = 0;  // the number of pieces at the start
  ExprId board_, counts_, states_, values_, scores_, player_values_, pending_, old_pending_, planned_pending_,
      to_clear_, visited_, triggered_, active_, die_values_, lost_now_;
  Value winners_, losers_, losers_before_;  // of games with more than two players
  Value last_from_, last_to_, last_after_, next_, prev_, passes_, passed_before_, swapped_, swaps_, plies_, pips_,
      all_equal_;
  std::vector<SymbolId> player_symbols_;
  const Node *play_ = nullptr, *end_ = nullptr, *meta_ = nullptr;
  struct Phase {
    std::string name;
    std::optional<int> owner;
    const Node *play = nullptr, *end = nullptr;
    Parts next;
  };
  std::vector<Phase> phases_;
  int last_placed_ = kOff;
  bool has_start_ = false, uses_prev_ = false, uses_next_ = false, uses_after_ = false, may_eliminate_ = false,
       all_pass_ = true, has_swap_ = false;
  std::map<int, NodeId> begin_;
  std::map<std::vector<int>, NodeId> finished_;
  NodeId drawn_;
  std::vector<ExprId> stuck_;
  std::vector<Outcome> outcomes_;  // of the play of one player
  std::set<SymbolId> asides_;
  std::map<std::vector<int>, ir::TypeId> types_;
  std::unordered_map<int, SymbolId> symbols_;  // of numbers
  std::map<std::tuple<std::string, ir::TypeId, ir::TypeId>, std::pair<ExprId, std::vector<int>>> kept_tables_;
  std::map<std::string, std::pair<ExprId, std::vector<int>>> variables_;
  std::map<std::string, std::pair<NodeId, NodeId>> searches_;
  std::map<Lines, std::pair<ExprId, std::vector<int>>> beams_;  // the table of lines, and the sites on them
  std::uint64_t instances_ = 0, entries_ = 0;                   // edges, and entries of tables
  std::size_t depth_ = 0, temporaries_ = 0;
  Commit* deferred_ = nullptr;                 // takes the action on sites that a planned effect has marked
  std::uint32_t written_ = ~std::uint32_t{0};  // parts of the state that may change before a planned effect acts
};

}  // namespace rgtrans::ludii
