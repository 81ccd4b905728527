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

#include "frontends/gdl/lifted/dependencies.hpp"
#include "frontends/gdl/lifted/recursion.hpp"
#include "frontends/gdl/lifted/tables.hpp"

namespace rgtrans::gdl::lifted {

class Walks {
 public:
  // The state of a body that is being written.
  struct BodyState {
    const LiftedRule* rule = nullptr;
    std::vector<std::optional<Value>> values;         // per variable
    std::vector<std::uint32_t> open;                  // literals still to be written
    std::set<std::uint32_t> absent;                   // literals of `open` that mean: no fact has this key
    std::vector<bool> wanted;                         // variables that are used after the body
    std::map<std::uint32_t, const Register*> places;  // the register that a variable should use
    std::set<ir::VarId> busy;                         // registers in use
    std::string pool;                                 // of the registers
    std::size_t region = 0;                           // the check or walk that contains the body

    void want(Pattern p) {
      if (p.is_variable()) wanted[p.number()] = true;
    }
    void want(const std::vector<Pattern>& all) {
      for (const Pattern p : all) want(p);
    }
  };

  Walks(Model& model, const Dependencies& dependencies, Tables& tables, ir::Game& game)
      : m_(model), t_(tables), game_(game), derived_(model, dependencies) {}

  // The state before a body is written. A procedure with results returns only to callers in the same region, so no
  // check can be left through it.
  BodyState body_state(const LiftedRule& rule, std::size_t region);
  std::size_t new_region() { return ++regions_; }
  // Unifies the arguments of a literal with the known values; returns an invalid node if that fails.
  ir::NodeId unify(BodyState& f, const EngineLiteral& literal, const std::vector<std::optional<Value>>& values,
                   ir::NodeId from);
  // The plan of a body: the order of its literals, which planning decides before a walk is written.
  struct PlanNode {
    enum class Kind : std::uint8_t { test, key_lookup, range_scan, choose, call, exists, not_exists };
    Kind kind = Kind::test;
    std::uint32_t index = kNone;           // the literal, or the variable to choose
    double values = 1;                     // that a choice tries
    std::vector<std::uint32_t> apart{};    // the literals of an existence test of its own
    std::vector<PlanNode> inside{};        // their plan
    std::vector<std::uint32_t> open{};     // literals to write behind it
    std::vector<std::uint8_t> bindings{};  // of the variables behind it: bindings_of()
  };
  using BodyPlan = std::vector<PlanNode>;
  [[nodiscard]] BodyPlan plan_body(BodyState f);
  // One line for each node of the plan.
  [[nodiscard]] std::string plan_text(const LiftedRule& rule, const BodyPlan& plan, std::size_t indent = 1) const;
  // Writes the whole body with all choices; returns the node after it, or an invalid one if it never holds.
  ir::NodeId run(BodyState& f, ir::NodeId from) { return execute(f, plan_body(f), from); }
  // Writes only tests and lookups of determined values.
  ir::NodeId run_certain(BodyState& f, ir::NodeId from);
  // Writes the two edges of the test whether the rest of the body holds for some values of the unbound variables.
  void branch_rest(const BodyState& f, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  // Tests a derived relation.
  void branch(RelKey key, const std::vector<std::optional<Value>>& arguments, ir::NodeId from, ir::NodeId yes,
              ir::NodeId no);
  // Tests a derived relation by some of its rules.
  using Which = std::function<bool(const LiftedRule&)>;
  void branch(RelKey key, const Which& which, const std::vector<std::optional<Value>>& arguments, ir::NodeId from,
              ir::NodeId yes, ir::NodeId no);
  // Functional dependency: in each state, `key` determines `values` in a derived relation.
  [[nodiscard]] bool determines(RelKey relation, const std::vector<std::uint32_t>& key,
                                const std::vector<std::uint32_t>& values) {
    return derived_.holds(relation, key, values);
  }
  // Tests a derived relation by the check that bodies share.
  void branch_shared(RelKey key, const std::vector<TermId>& arguments, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  // Tests the static relations of a chosen variable while other arguments are unbound.
  ir::NodeId narrow(BodyState& f, std::uint32_t variable, ir::NodeId from);
  void emit_procedures();

  // The variables with which a plan for the rest of a body could begin.
  [[nodiscard]] std::vector<std::uint32_t> choosable(const BodyState& f);
  // The expected cost of the rest of the body if this variable is chosen next.
  [[nodiscard]] double expected_steps(const BodyState& f, std::uint32_t variable);
  // The expected cost of the rest of a body, and the number of walks that reach its end.
  struct Estimate {
    double walks = 1;
    double steps = 0;
  };
  [[nodiscard]] Estimate expected(const BodyState& f);
  // Binds the variable in a simulation; returns the number of its values if it was unbound.
  double suppose(BodyState& f, Pattern p);
  // After the arguments of this literal are bound, the rest of the body determines all of `what` without a choice.
  [[nodiscard]] bool determines(const LiftedRule& rule, std::uint32_t literal, const std::vector<Pattern>& what);

  // Binds a variable of the body, and tests that the value belongs to its sort.
  ir::NodeId bind(BodyState& f, std::uint32_t variable, Value value, ir::NodeId from, bool keep = false);
  [[nodiscard]] std::optional<Value> value(const BodyState& f, Pattern p);
  // The cell of a stored fact.
  ir::ExprId cell(ir::VarId map, const Stored& stored, const std::vector<Value>& key);
  // Tests that values belong to sorts, unless that is certain.
  ir::NodeId guard(const std::vector<std::pair<Value, SortId>>& what, ir::NodeId from);
  // A parallel assignment: every value is read before it is overwritten.
  ir::NodeId assign(std::vector<std::pair<const Register*, Value>> places, std::set<ir::VarId> busy,
                    const std::string& pool, ir::NodeId from);
  ir::NodeId test_equal(const Value& a, const Value& b, ir::NodeId from, bool negated = false);

  // The moves of all roles: maps from roles.
  struct Does {
    ir::VarId functor;
    std::vector<ir::VarId> arguments;
    bool shared = false;  // the arguments are plain variables, of the only deciding role
  };
  Does does;
  [[nodiscard]] SymbolId move_symbol(RelId shape);
  ir::ExprId does_argument(const Value& role, std::size_t place);
  // The index of the variable that stores a column of a move.
  [[nodiscard]] std::size_t place(RelId shape, std::uint32_t column) const {
    return move_places_.at(shape)[column - 1];
  }
  [[nodiscard]] SortId argument_sort(std::size_t index) const { return argument_sorts_[index]; }
  void declare_moves(bool shared);

  // The place in the description of all nodes and edges from now on. An unknown one changes nothing.
  void at(Range place) {
    if (place.known()) place_ = place;
  }
  ir::NodeId node() { return game_.graph.add_node({}, place_); }
  ir::EdgeId edge(ir::NodeId from, ir::NodeId to, ir::Label label);
  ir::NodeId then(ir::NodeId from, ir::Label label);
  // Repeats `body` for each value. It gets the value and a first node, and returns its last node.
  ir::NodeId loop(std::string_view wish, SortId sort, std::set<ir::VarId>& busy, ir::NodeId from,
                  const std::function<ir::NodeId(const Value&, ir::NodeId)>& body);
  // The same for the values of a variable of a rule; `body` gets a state in which it is bound.
  ir::NodeId loop_values(const BodyState& f, std::uint32_t variable, ir::NodeId from,
                         const std::function<ir::NodeId(BodyState&, ir::NodeId)>& body);
  ir::NodeId loop_over(const Register& r, ir::NodeId from, const std::function<ir::NodeId(ir::NodeId)>& body);
  // Resets the registers that walks between the nodes may have changed.
  ir::NodeId forget(ir::NodeId begin, ir::NodeId at);
  void define_return_types();

  // Bools with the results of relations for constants; bodies that are written from now on use them.
  using Answers = std::map<std::pair<RelKey, std::vector<std::uint32_t>>, ir::ExprId>;
  void take_answers(Answers answers) { answers_ = std::move(answers); }

  struct TooLarge {};

 private:
  enum class Use : std::uint8_t { known, ignored, result };
  struct Procedure {
    RelKey key;
    std::vector<Use> uses;
    std::vector<const Register*> places;  // null for ignored arguments
    ir::NodeId entry, exit;
    ir::VarId back;  // names the caller; invalid without results
    SymbolId back_type;
    std::vector<SymbolId> callers;
    std::string name;
    std::size_t region = 0;
  };
  struct Plan {
    enum class Kind : std::uint8_t { none, literal, choose } kind = Kind::none;
    std::uint32_t index = 0;       // of a literal, or of a variable
    std::uint32_t key_of = kNone;  // the fact whose key contains the variable
    bool operator==(const Plan&) const = default;
  };
  // --- Planning. ---
  [[nodiscard]] bool known(const BodyState& f, Pattern p) const {
    return p.is_ground() || f.values[p.number()].has_value();
  }
  [[nodiscard]] std::size_t occurrences(const BodyState& f, std::uint32_t variable) const;
  // No other argument uses the unbound variable.
  [[nodiscard]] bool singleton(const BodyState& f, Pattern p) const {
    return p.is_variable() && !known(f, p) && occurrences(f, p.number()) == 1 && !f.wanted[p.number()];
  }
  // Of each variable: unbound, bound, or bound to a constant.
  [[nodiscard]] static std::vector<std::uint8_t> bindings_of(const BodyState& f);
  [[nodiscard]] PlanNode node_of(const BodyState& f, const Plan& next);
  [[nodiscard]] PlanNode exists(const BodyState& f, std::vector<std::uint32_t> literals);
  // Binds the variables that a step of the plan binds.
  void assume(BodyState& f, const Plan& next);
  ir::NodeId execute(BodyState& f, const BodyPlan& plan, ir::NodeId from);
  [[nodiscard]] int readiness(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] Plan plan(const BodyState& f);
  [[nodiscard]] double choice_bits(const BodyState& f, std::uint32_t variable);
  [[nodiscard]] std::pair<double, double> choices(const BodyState& f, const EngineLiteral& literal,
                                                  std::uint32_t& variable);
  [[nodiscard]] std::size_t fan_out(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] bool callable(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] bool passes_results_on(RelKey key, const std::vector<Use>& uses) const;
  // A recursion to evaluate forwards, because its calls do not pass results on unchanged; null if it may not terminate.
  [[nodiscard]] const Recursion* forwards(RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] Plan ready(const BodyState& f);
  [[nodiscard]] Plan greedy(const BodyState& f);
  [[nodiscard]] Plan next_of(const BodyState& f, std::uint32_t key_of);
  [[nodiscard]] bool only_derived(const BodyState& f, Pattern p) const;
  [[nodiscard]] std::vector<Plan> options(const BodyState& f);
  [[nodiscard]] std::vector<Plan> calls_for_results(const BodyState& f);
  [[nodiscard]] Estimate simulate(BodyState f, Plan next, double most);
  [[nodiscard]] Estimate of_literal(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] double share(RelId fact, std::uint32_t column, SortId values);
  [[nodiscard]] bool determines_results(RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] Estimate of_relation(RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] Estimate of_rule(const LiftedRule& rule, RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] double possible_values(RelKey key, std::uint32_t column);
  [[nodiscard]] double possible_results(RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] Estimate reached(RelKey key, const std::vector<Use>& uses);
  [[nodiscard]] bool gives_results(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] bool few_results(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] std::pair<double, double> result_bits(const BodyState& f, const EngineLiteral& literal);
  [[nodiscard]] double presence(const BodyState& f, const EngineLiteral& literal);

  [[nodiscard]] std::vector<std::uint32_t> independent_literals(const BodyState& f) const;
  [[nodiscard]] std::vector<std::uint32_t> required_facts(const BodyState& f, std::uint32_t call);
  [[nodiscard]] static BodyState apart_from(const BodyState& f, const std::vector<std::uint32_t>& literals);
  ir::NodeId test_existence(const BodyState& f, const PlanNode& test, ir::NodeId from);
  [[nodiscard]] bool holds_at_first(const LiftedRule& rule, const EngineLiteral& fact);

  // --- Static relations. ---
  using Tuple = std::vector<std::uint32_t>;
  using Row = const std::uint32_t*;
  struct Rows {
    Tuple columns;        // of the literal, one for each different variable
    Tuple values;         // of these columns, tuple after tuple
    std::size_t count{};  // number of tuples, which differ
  };
  // The tuples of a static literal that satisfy its companions, restricted to the sorts of its variables.
  const Rows& rows_of(const LiftedRule& rule, const EngineLiteral& literal);
  // The companions: other static literals and `distinct` over the variables of this static literal. Its tuples are
  // filtered by them, so they need no test after it.
  [[nodiscard]] std::vector<std::uint32_t> companions(const LiftedRule& rule, const EngineLiteral& literal) const;
  // The binding pattern of a column: open, known, or kConstant plus a constant.
  enum : std::uint64_t { kOpen, kKnown, kConstant };
  using Signature = std::vector<std::uint64_t>;
  [[nodiscard]] Signature signature(const BodyState& f, const EngineLiteral& literal, const Rows& rows);
  // The tuples with the constants of a signature.
  [[nodiscard]] static std::vector<Row> fitting(const Rows& rows, const Signature& signature);
  // The tuples for a binding pattern, prepared for tests and tables.
  struct BoundRows {
    const Rows& rows;
    Signature signature;
    std::vector<Row> tuples;
    std::vector<std::size_t> columns{};  // known columns that are not constants
    std::vector<SortId> sorts{};         // of these columns
    std::vector<Value> keys{};           // of these columns
    double cells = 1;                    // of a table over them
  };
  BoundRows bound_rows(const BodyState& f, const EngineLiteral& literal);
  ir::ExprId lookup(ir::ExprId table, const std::vector<Value>& keys);
  // A static literal that allows few values of a variable for each binding of the others, so that they are listed.
  struct Lister {
    std::uint32_t literal = 0;
    double values = 0;  // on average
  };
  [[nodiscard]] std::optional<Lister> lister(const BodyState& f, std::uint32_t variable);
  const Tables::List& list_of(const BodyState& f, std::uint32_t variable, const EngineLiteral& literal,
                              const BoundRows& asked);

  // --- Literals. ---
  // Removes a literal and its companions from the open ones.
  void finish(BodyState& f, std::uint32_t index);
  ir::NodeId advance(BodyState& f, std::uint32_t index, ir::NodeId from);
  ir::NodeId positive(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId negative(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fixed(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fixed_test(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId test_present(BodyState& f, std::uint32_t variable, Value& value, ir::NodeId from);
  // A test in which a known value may be `none`; an invalid node if it takes more than one lookup.
  ir::NodeId test_with_none(const BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  // The projection of the tuples to the known columns.
  const std::vector<Tuple>& known_of(const BoundRows& asked);
  using Split = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
  const Split& split_of(const std::vector<Tuple>& tuples, std::size_t columns);
  ir::NodeId function_test(const BoundRows& asked, const std::string& name, const std::vector<Tuple>& tuples,
                           ir::NodeId from);
  void merge_negated_facts(BodyState& f);
  ir::NodeId negate_walk(ir::NodeId first, ir::NodeId last, ir::NodeId from);
  ir::NodeId with_key(const BodyState& f, const EngineLiteral& literal, std::vector<Value>& key, ir::NodeId from);
  ir::NodeId some_fact(const BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId fact(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId move(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId derived(BodyState& f, const EngineLiteral& literal, ir::NodeId from);
  ir::NodeId choose(BodyState& f, std::uint32_t variable, ir::NodeId from);
  ir::NodeId match(BodyState& f, Pattern p, const Value& value, ir::NodeId from);
  [[nodiscard]] std::optional<ir::Compare> only_comparison(ir::NodeId first, ir::NodeId last) const;
  void add_negated_edge(ir::NodeId first, ir::NodeId last, ir::NodeId from, ir::NodeId to);

  // The Bool that stores the result of the literal, if there is one.
  [[nodiscard]] ir::ExprId answer(const BodyState& f, const EngineLiteral& literal);

  // --- Procedures. ---
  ir::NodeId call(Procedure& p, ir::NodeId from);
  std::size_t procedure(RelKey key, const std::vector<Use>& uses, std::size_t region);
  std::vector<Use> uses_of(const BodyState& f, const EngineLiteral& literal) const;
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

  Model& m_;
  Tables& t_;
  ir::Game& game_;
  DerivedDependencies derived_;
  Answers answers_;
  std::deque<Procedure> procedures_;
  std::map<std::tuple<RelKey, std::vector<Use>, std::size_t>, std::size_t> index_;
  // While an object exists, nodes that equal labels reach from one node are recorded as equal.
  class Sharing {
   public:
    explicit Sharing(Walks& walks) : walks_(walks), before_(std::exchange(walks.sharing_, true)) {}
    ~Sharing() { walks_.sharing_ = before_; }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

   private:
    Walks& walks_;
    bool before_;
  };
  // The first node that is reached from the same node by the same labels.
  [[nodiscard]] ir::NodeId alike(ir::NodeId n) const {
    const auto found = alike_.find(n);
    return found == alike_.end() ? n : found->second;
  }
  Range place_;
  bool sharing_ = false;
  std::set<ir::NodeId> walked_;
  std::map<ir::NodeId, ir::NodeId> alike_;
  std::map<std::pair<ir::NodeId, ir::NodeId>, ir::NodeId> calls_;  // by the calling node and the procedure
  std::map<std::pair<ir::NodeId, std::vector<std::tuple<ir::ExprId, SortId, bool>>>, ir::NodeId> checks_;
  std::size_t regions_ = 0;
  std::vector<std::size_t> unwritten_;
  std::map<std::pair<RelId, std::vector<std::uint64_t>>, Rows> rows_;
  std::map<std::pair<const Rows*, Signature>, ir::ExprId> tables_, tables_with_none_;
  std::map<std::pair<const Rows*, Signature>, std::vector<Tuple>> known_of_;
  std::map<const std::vector<Tuple>*, Split> splits_;
  std::map<std::pair<const Rows*, Signature>, Tables::List> lists_;
  std::map<std::pair<const Rows*, Signature>, std::size_t> fan_outs_;
  std::map<std::pair<const Rows*, Signature>, double> presences_;
  std::map<std::pair<RelKey, std::vector<Use>>, Estimate> estimates_;
  std::map<RelKey, std::optional<Recursion>> forwards_;  // that terminate
  std::map<std::tuple<RelId, std::uint32_t, SortId>, double> shares_;
  std::map<std::tuple<RelKey, std::size_t, std::size_t>, std::optional<TermPairs>> possible_;
  using Columns = std::pair<std::size_t, std::size_t>;
  std::map<std::tuple<RelKey, Columns, std::vector<SortId>, std::vector<bool>>, ir::ExprId> possible_tables_;
  void find_place(RelId shape, SortId sort);
  std::vector<SortId> argument_sorts_;  // of all places
  std::map<RelId, std::vector<std::size_t>> move_places_;
  std::map<RelId, SymbolId> move_symbols_;
};

}  // namespace rgtrans::gdl::lifted
