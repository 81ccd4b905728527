// Writes bodies of rules as walks through the automaton, literal by literal in the order of a join plan: tests first,
// then lookups of determined values, then choices. A derived relation is a procedure. If all relevant arguments are
// bound it is a check; otherwise it is a walk with results, which returns to its caller by a variable that names the
// caller.
//
//   p(X, Z) <- q(X, Y), succ(Y, Z), not r(Z)     with X known, q a function.
//       y = q[x];  y != none;  z = next[y];  z != none;  r[z] != 1
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/edges.hpp"
#include "frontends/gdl/lifted/moves.hpp"
#include "frontends/gdl/lifted/planner.hpp"

namespace rgtrans::gdl::lifted {

class Walks : public EdgeWriter {
 public:
  Walks(Model& model, const Dependencies& dependencies, Tables& tables, ir::Game& game)
      : EdgeWriter(model, tables, game),
        statics(model),
        planner(model, dependencies, tables, statics),
        does(model, tables, game) {}

  StaticTables statics;
  BodyPlanner planner;
  Moves does;

  // The state before a body is written, whose place everything gets from now on.
  BodyState body_state(const LiftedRule& rule, std::size_t region) {
    at(rule.rule->source->where);
    return planner.body_state(rule, region);
  }
  std::size_t new_region() { return ++regions_; }
  // Unifies the arguments of a literal with the known values; returns an invalid node if that fails.
  ir::NodeId unify(BodyState& f, const EngineLiteral& literal, const std::vector<std::optional<Value>>& values,
                   ir::NodeId from);
  // Writes the whole body with all choices; returns the node after it, or an invalid one if it never holds.
  ir::NodeId run(BodyState& f, ir::NodeId from) { return execute(f, planner.plan_body(f), from); }
  // Writes only tests and lookups of determined values.
  ir::NodeId run_certain(BodyState& f, ir::NodeId from);
  // Writes the two edges of the test whether the rest of the body holds for some values of the unbound variables.
  void branch_rest(const BodyState& f, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  // Tests a derived relation by some of its rules.
  using Which = std::function<bool(const LiftedRule&)>;
  void branch(
      RelKey key, const std::vector<std::optional<Value>>& arguments, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
      const Which& which = [](const LiftedRule&) { return true; });
  // Tests a derived relation by the check that bodies share.
  void branch_shared(RelKey key, const std::vector<TermId>& arguments, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  // Tests the static relations of a chosen variable while other arguments are unbound.
  ir::NodeId narrow(BodyState& f, std::uint32_t variable, ir::NodeId from);
  void emit_procedures();
  // Binds a variable of the body, and tests that the value belongs to its sort.
  ir::NodeId bind(BodyState& f, std::uint32_t variable, Value value, ir::NodeId from, bool keep = false);
  // Repeats `body` for the values of a variable of a rule; it gets a state in which the variable is bound.
  ir::NodeId loop_values(const BodyState& f, std::uint32_t variable, ir::NodeId from,
                         const std::function<ir::NodeId(BodyState&, ir::NodeId)>& body);
  void define_return_types();

  // Bools with the results of relations for constants; bodies that are written from now on use them.
  using Answers = std::map<std::pair<RelKey, std::vector<std::uint32_t>>, ir::ExprId>;
  void take_answers(Answers answers) { answers_ = std::move(answers); }

 private:
  struct Procedure {
    RelKey key;
    std::vector<ArgumentUse> uses;
    std::vector<const Register*> places;  // null for ignored arguments
    ir::NodeId entry, exit;
    ir::VarId back;  // names the caller; invalid without results
    SymbolId back_type;
    std::vector<SymbolId> callers;
    std::string name;
    std::size_t region = 0;
  };
  using BoundRows = StaticTables::BoundRows;
  using Row = StaticTables::Row;
  using Signature = StaticTables::Signature;
  using Tuple = StaticTables::Tuple;

  ir::NodeId execute(BodyState& f, const BodyPlan& plan, ir::NodeId from);
  ir::NodeId test_existence(const BodyState& f, const PlanNode& test, ir::NodeId from);
  const Tables::List& list_of(const BodyState& f, std::uint32_t variable, const EngineLiteral& literal,
                              const BoundRows& asked);

  // --- Literals. ---
  ir::NodeId advance(BodyState& f, std::uint32_t index, ir::NodeId from);
  ir::NodeId positive(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId negative(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fixed(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fixed_test(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId test_present(BodyState& f, std::uint32_t variable, Value& value, ir::NodeId from);
  // A test in which a known value may be `none`; an invalid node if it takes more than one lookup.
  ir::NodeId test_with_none(const BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId function_test(const BoundRows& asked, const std::string& name, const std::vector<Tuple>& tuples,
                           ir::NodeId from);
  ir::NodeId with_key(const BodyState& f, const EngineLiteral& literal, std::vector<Value>& key, ir::NodeId from);
  ir::NodeId some_fact(const BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fact(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId move(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId derived(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId choose(BodyState& f, std::uint32_t variable, ir::NodeId from);
  ir::NodeId match(BodyState& f, Pattern p, const Value& value, ir::NodeId from);

  // The Bool that stores the result of the literal, if there is one.
  [[nodiscard]] ir::ExprId answer(const BodyState& f, const EngineLiteral& literal);

  // --- Procedures. ---
  ir::NodeId call(Procedure& p, ir::NodeId from);
  std::size_t procedure(RelKey key, const std::vector<ArgumentUse>& uses, std::size_t region);
  // Passes the arguments; returns the node from which the procedure can be entered.
  ir::NodeId pass(const Procedure& p, const std::vector<std::optional<Value>>& arguments, ir::NodeId from);
  ir::NodeId test_possible(const Procedure& p, const std::vector<std::optional<Value>>& arguments, ir::NodeId from);
  [[nodiscard]] const std::optional<TermPairs>& possible_of(RelKey key, std::size_t a, std::size_t b);
  [[nodiscard]] double possible_share(RelKey key, std::size_t a, std::size_t b, const Value& first,
                                      const Value& second);
  ir::NodeId check_of(const Procedure& p, const std::vector<std::optional<Value>>& arguments);
  std::vector<std::optional<Value>> values_of(const BodyState& f, const EngineLiteral& literal);
  void emit(std::size_t index);
  void emit_rule(std::size_t index, const LiftedRule& rule);
  void emit_forwards(std::size_t index, const Recursion& recursion);
  ir::NodeId repeat(BodyState& f, std::size_t index, const EngineLiteral& call, ir::NodeId from);

  Answers answers_;
  std::deque<Procedure> procedures_;
  std::map<std::tuple<RelKey, std::vector<ArgumentUse>, std::size_t>, std::size_t> index_;
  std::map<std::pair<ir::NodeId, ir::NodeId>, ir::NodeId> calls_;  // by the calling node and the procedure
  std::map<std::pair<ir::NodeId, std::vector<std::tuple<ir::ExprId, SortId, bool>>>, ir::NodeId> checks_;
  std::size_t regions_ = 0;
  std::vector<std::size_t> unwritten_;
  using Question = std::pair<const StaticTables::Rows*, Signature>;
  std::map<Question, ir::ExprId> tables_, tables_with_none_;
  std::map<Question, Tables::List> lists_;
  std::map<std::tuple<RelKey, std::size_t, std::size_t>, std::optional<TermPairs>> possible_;
  using Columns = std::pair<std::size_t, std::size_t>;
  std::map<std::tuple<RelKey, Columns, std::vector<SortId>, std::vector<bool>>, ir::ExprId> possible_tables_;
};

}  // namespace rgtrans::gdl::lifted
