// Lowers the rules of a game to an automaton.
//
// Every ply has a copy for each player, so that Mover is known. Integers are symbols: sites, components, players and
// numbers alike. A term that depends on the position in a few parts becomes a table over the values of these parts.
// Questions are sub-automata: ask(condition, from, yes, no) leads from one node to one of two others.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/statics.hpp"

namespace rgtrans::ludii {

// A number that is known, or an expression with all its possible values in ascending order.
struct Value {
  std::optional<int> constant;
  ir::ExprId expr;
  std::vector<int> domain;

  [[nodiscard]] bool may_be(int value) const { return std::ranges::binary_search(domain, value); }
};

// The circumstances of an evaluation.
struct Env {
  std::array<std::optional<Value>, kSlots> slots;  // none: -1
  int mover = 1;
  int component = 0;        // the piece that is being moved, if known
  bool silent = false;      // only whether there is a move matters
  bool after_move = false;  // within consequences and end rules
  bool forced_pass = false;
  std::optional<Value> prev;

  [[nodiscard]] const std::optional<Value>& operator[](Slot slot) const {
    return slots[static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] std::optional<Value>& operator[](Slot slot) { return slots[static_cast<std::size_t>(slot)]; }
};

class Lowering : private ir::DefinedOnce {
 public:
  Lowering(const Description& description, const Equipment& equipment, ir::Game& game);
  // Throws Refused.
  void run();

 private:
  using NodeId = ir::NodeId;
  using ExprId = ir::ExprId;
  using Body = std::function<void(NodeId at, const Env& env)>;
  using Pairs = std::set<std::pair<int, int>>;

  // --- Edges. ---
  NodeId node() { return g_.graph.add_node({}, where_); }
  void edge(NodeId from, NodeId to, ir::Label label);
  void jump(NodeId from, NodeId to) {
    if (to.valid()) edge(from, to, ir::Empty{});
  }
  NodeId assign(NodeId from, ExprId variable, ExprId value);
  void ask_equal(NodeId from, NodeId yes, NodeId no, ExprId a, ExprId b);
  // The walk goes on if the two are equal, or are not.
  NodeId check(NodeId from, ExprId a, ExprId b, bool equal = true);

  // --- Symbols, types, tables. ---
  ExprId number(int value) { return g_.symbol(DefinedOnce::number(value)); }
  ir::ValueId number_value(int value) { return g_.values.symbol(DefinedOnce::number(value)); }
  ir::TypeId type_of(const std::vector<int>& values);
  ExprId variable(const std::string& name, const std::vector<int>& values, int initial);
  // The value of f for each of the values of an expression.
  Value table(const Value& key, const std::function<int(int)>& f);
  Value table(const Value& first, const Value& second, const std::function<int(int, int)>& f);
  Value constant(int value) { return {value, number(value), {value}}; }
  Value value_of(ExprId expr, std::vector<int> domain) { return {std::nullopt, expr, std::move(domain)}; }
  // lists[site][way] as a table; -1 where there is nothing. `ways`: the variable that chooses a way.
  ExprId lookup(const std::string& name, const std::vector<std::vector<int>>& lists, ExprId first, ExprId second);
  static void limit_size(const Node& node, std::size_t entries);

  // --- Integers and conditions. ---
  Known known(const Env& env) const;
  Value integer(const Node& node, const Env& env);
  std::optional<Value> leaf(const Node& node, const Env& env);
  struct Leaf {
    const Node* node;
    std::optional<Slot> slot;
    Value value;
  };
  // Returns false if the term cannot become a table.
  bool collect_leaves(const Node& node, const Env& env, std::vector<Leaf>& leaves, bool bound);
  // A table of f over the values of the leaves in the node; f may not know the result.
  std::optional<Value> tabulate(const Node& node, const Env& env,
                                const std::function<std::optional<int>(const Known&)>& f,
                                std::optional<std::pair<Slot, Value>> extra = {});
  Value role_value(const Node& word, const Env& env);
  Value slot_value(Slot slot, const Env& env);
  ExprId piece_on(ExprId site) { return g_.access(board_, site); }
  Value what(const Value& site);
  Value who(const Value& site);
  int owner_of(int component) const;
  void ask(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_is(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_no(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_all_sites(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_line(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_test(const Value& value, const std::function<bool(int)>& test, NodeId from, NodeId yes, NodeId no);
  void ask_parts(const std::vector<const Node*>& parts, bool every, NodeId from, NodeId yes, NodeId no, const Env& env);
  void ask_exists(NodeId from, NodeId yes, NodeId no, const std::function<void(NodeId start, NodeId found)>& build);

  // --- Regions. ---
  void ask_member(const Node& region, const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env);
  // Chooses a site of the region; the walk goes on at the node.
  std::pair<Value, NodeId> choose(const Node& region, const std::string& name, NodeId from, const Env& env);
  std::vector<int> possible_sites(const Node& region, const Env& env);
  std::set<int> components_of(std::string_view role, const Env& env);

  // --- Moves. `behind` receives every move when it has been made. ---
  void moves(const Node& node, NodeId from, const Env& env, const Body& behind);
  void move_clause(const Node& node, NodeId from, const Env& env, const Body& behind);
  void for_each_piece(const Node& node, NodeId from, const Env& env, const Body& behind);
  void add(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void step(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void slide(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void hop(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void leap(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void from_to(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void remove(Arguments& arguments, NodeId from, const Env& env, const Body& behind);
  void select(Arguments& arguments, NodeId from, const Env& env, const Body& behind);

  struct To {
    const Node* region = nullptr;
    const Node* test = nullptr;
    const Node* effect = nullptr;
    const Node* effect_test = nullptr;
  };
  To read_to(const Node* clause);
  // The arguments of a move along lines: the lines, the sites on the way, and those at the end.
  struct Route {
    const Node* directions;
    const Node* between_clause;
    To between, to;
    const Node* then;
  };
  Route read_route(Arguments& arguments);
  Value start_site(Arguments& arguments, NodeId& at, Env& env);
  // For each site, the lists of sites in the given directions.
  std::vector<std::vector<Radial>> lines_of(const Node* directions, const Env& env, bool one_step);
  // Chooses one of the lists of the site; the walk goes on at the node.
  struct Beam {
    ExprId table, way;
    std::size_t length;
  };
  Beam choose_beam(const std::string& name, const std::vector<std::vector<Radial>>& lines, const Value& from,
                   NodeId& at);
  // Shows and makes a move of the piece, with effects before it.
  void finish_move(const Node& where, NodeId at, const Value& from, const Value& to, const Env& env,
                   const std::vector<std::pair<const To*, Env>>& effects, const Node* then, Pairs pairs,
                   const Body& behind);
  // The results of moves with equal texts differ only if their outcomes do. `pairs`: the possible starts and ends.
  struct Outcome {
    NodeId shown, behind;  // where a further tag can tell it from another outcome
    std::string text;
    Pairs pairs;
    int component;
  };
  NodeId show(NodeId at, const Value& from, const Value& to, const Env& env, std::string outcome, Pairs pairs);
  void tell_outcomes_apart();
  static Pairs pairs_of(const std::vector<std::vector<Radial>>& lines, std::size_t first, std::size_t last);
  Pairs pairs_of(const Value& from, const Value& to) const;
  void consequences(const Node* then, NodeId at, const Value& from, const Value& to, const Env& env,
                    const Body& behind);

  // --- Effects. ---
  NodeId effect(const Node& node, NodeId at, const Env& env);

  // --- The play. ---
  void read_rules();
  void place(const Node& rule);
  void place_one(const Node& rule);
  void lower_player(int player);
  void finish_ply(NodeId at, const Env& env);
  void end_rule(const Node& rule, NodeId at, NodeId next, const Env& env);
  NodeId result(const Node& clause, NodeId at, const Env& env);
  NodeId won(int player);
  NodeId drawn();
  bool mentions(std::string_view word) const;

  const Description& d_;
  const Equipment& e_;
  ir::Game& g_;
  Statics statics_;
  Range where_;
  std::vector<int> places_, pieces_;  // the values of sites with -1, and of components with 0
  std::vector<int> start_;            // by place
  ExprId board_;
  Value last_from_, last_to_, next_, prev_, passes_;
  std::vector<SymbolId> player_symbols_;
  const Node *play_ = nullptr, *end_ = nullptr;
  int last_placed_ = kOff;
  bool has_start_ = false, uses_last_ = false, uses_prev_ = false, uses_next_ = false;
  std::array<NodeId, 3> begin_, won_;
  NodeId drawn_;
  std::vector<ExprId> stuck_;
  std::vector<Outcome> outcomes_;  // of the play of one player
  std::set<SymbolId> asides_;
  std::map<std::vector<int>, ir::TypeId> types_;
  std::map<std::string, std::pair<ExprId, std::vector<int>>> variables_;
  std::uint64_t instances_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace rgtrans::ludii
