// A second implementation of RG's semantics, written for simplicity instead of speed. States are vectors of values;
// moves are found by plain search that stores everything. It shares no code with the engines, which are compared with
// it. It also plays games before and after passes in lock-step.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::naive {

struct State {
  ir::NodeId node;
  std::vector<ir::ValueId> values;  // by variable
  auto operator<=>(const State&) const = default;
};

// Thrown if the description is improper (recursive checks, endless moves) or takes too long.
struct TooHard : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  // The search uses the game's pragmas, and observed violations of them are reported.
  bool trust = false;
  // Labelings in the engines' form: without artificial tags and without marks for hidden ones.
  bool plain = false;
  // Factor for the limits on the size of one exploration.
  std::size_t effort = 1;
  // Edges that all explorations together may look at; more are TooHard.
  std::size_t steps = SIZE_MAX;
};

class Evaluator {
 public:
  explicit Evaluator(const ir::Game& game, const Options& options = {});

  State initial();
  // All labelings with the states that they lead to (one state, unless the description is ambiguous).
  std::map<std::string, std::set<State>> moves(const State& from);
  // The same for plain labelings, with marks for hidden tags.
  std::map<std::string, std::set<State>> marked_moves(const State& from);
  // The result of a legal move according to the patterns of @simpleApply, or none if no pattern applies.
  std::optional<State> apply(const State& from, const std::string& labeling);
  std::uint64_t perft(const State& state, unsigned depth);

  std::string mover(const State& s) const { return text(s.values[game_.player().value]); }
  bool final(const State& s) const { return s.node == game_.end(); }
  std::string goals(const State& s) const;
  // The cells of a variable by their keys; a scalar is one cell without keys.
  std::map<std::vector<std::string>, std::string> cells(const State& s, ir::VarId variable) const;

 private:
  using Walk = std::pair<State, std::string>;  // a state with its labeling

  std::string text(ir::ValueId symbol) const { return game_.symbols.str(game_.values.as_symbol(symbol)); }
  void read_pragmas();
  std::string hidden(const State& s) const;
  std::string shown(const State& s, const ir::Label& label) const;
  ir::ValueId fit(ir::ValueId value, ir::TypeId type);
  ir::ValueId eval(ir::ExprId id, const State& s);
  void keys(ir::ExprId lhs, const State& s, std::vector<SymbolId>& out);
  ir::ValueId replace(ir::ValueId map, ir::TypeId type, const std::vector<SymbolId>& path, std::size_t at,
                      ir::ValueId value);
  void store(State& s, const State& before, ir::ExprId lhs, ir::ValueId value);
  bool equal(ir::ValueId a, ir::ValueId b, ir::TypeId type_of_a, ir::TypeId type_of_b) const;
  State key(const State& s) const;
  void check_tag_index(ir::NodeId node, const std::string& tags) const;
  void check_disjoint(const State& s);
  std::vector<State> step(const State& s, ir::EdgeId edge);
  std::vector<State> plain_step(const State& s, ir::EdgeId edge);
  bool holds(const ir::Reachability& check, const State& s);
  const ir::SimpleApply* match(const std::vector<ir::SimpleApply>& patterns, const std::vector<std::string>& tags,
                               std::size_t at);

  Options options_;
  ir::Game game_;  // a copy, because evaluation interns values
  std::vector<bool> artificial_;
  std::vector<ir::ValueId> constants_;                                // by constant, over the keys of its type
  std::map<ir::NodeId, std::optional<std::vector<ir::VarId>>> keys_;  // none: no test for second visits
  std::map<ir::NodeId, ir::Disjoint> disjoint_;
  std::map<ir::NodeId, std::vector<ir::SimpleApply>> apply_;
  std::map<ir::NodeId, ir::TagIndex> tag_index_;
  std::map<SymbolId, SymbolId> bindings_;
  std::vector<std::pair<ir::NodeId, ir::NodeId>> pending_;  // checks that are being evaluated
  std::size_t steps_ = 0;                                   // see Options::steps
};

// Plays both games in lock-step through all moves up to some depth. Returns "" or a description of the first
// difference. Throws TooHard if a game is improper in this range (no move, several results of one labeling).
std::string compare(Evaluator& a, Evaluator& b, const State& sa, const State& sb, int depth,
                    const std::string& path = "");
std::string compare(const ir::Game& a, const ir::Game& b, int depth, bool trust = false);

// A game that passes must keep: unambiguous, never stuck, with an end in sight of every state. Throws TooHard.
bool all_plays_end(const ir::Game& game, int depth, std::size_t steps = SIZE_MAX);

}  // namespace rgtrans::naive
