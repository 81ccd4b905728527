// The Datalog engine: relations, rules compiled into join plans, semi-naive evaluation. No rule is joined twice with
// the same tuples, so each completed join emits its ground instance at once.
//
//   (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
//
// runs once for each new tuple of `path`, and probes the index of `edge` on its first column.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/support/effort.hpp"
#include "frontends/gdl/datalog/relation.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

using RelId = Id<struct RelationTag>;

// Tuples of a dynamic relation are atoms. A fact or move has two atoms with consecutive numbers: it holds (`true`,
// `does`), and it is derived (`next`, `legal`).
struct RelationInfo {
  enum class Kind : std::uint8_t { ordinary, fact, move };

  Kind kind = Kind::ordinary;
  PredId predicate;  // of an ordinary relation
  SymbolId functor;  // of a fact or move; its columns are the arguments, for a move after the role
  bool dynamic = false;
  bool recursive = false;  // grows while the current component is evaluated
  bool cyclic = false;     // belongs to a recursive component
  std::unique_ptr<Relation> tuples;
  std::unique_ptr<Relation> ghosts;  // tuples that occurred in negated literals before they were derived
  std::vector<std::uint32_t> atoms, ghost_atoms;
  struct Trigger {
    std::uint32_t rule, literal;
  };
  // The literals to which new tuples are joined. If a literal has a constant, only tuples with that constant trigger
  // it.
  std::vector<Trigger> triggers;
  std::map<std::uint32_t, std::unordered_map<std::uint32_t, std::vector<Trigger>>> keyed_triggers;  // by column, value
  bool touched = false;  // has tuples that no round has processed
};

struct EngineLiteral {
  RelId relation;  // none for `distinct`, and for a negated literal on a fact or move that is a variable
  RelationInfo::Kind kind = RelationInfo::Kind::ordinary;
  bool negated = false;
  bool dynamic = false;
  bool derived = false;  // refers to the derived atom of the two
  std::vector<Pattern> arguments;
  Range where = {};  // in the description; unknown for a literal that a rewrite made

  [[nodiscard]] bool mentions(Pattern p) const { return std::ranges::find(arguments, p) != arguments.end(); }
  // No argument contains a variable below its top level.
  [[nodiscard]] bool flat() const { return std::ranges::none_of(arguments, &Pattern::is_compound); }
  // The arguments that are variables.
  [[nodiscard]] std::set<std::uint32_t> variables() const;
  // Ignores the place.
  bool operator==(const EngineLiteral& other) const {
    return relation == other.relation && kind == other.kind && negated == other.negated && dynamic == other.dynamic &&
           derived == other.derived && arguments == other.arguments;
  }
};

// One literal of a join, in execution order.
struct JoinStep {
  enum class Kind : std::uint8_t { scan, probe, member, absent, distinct };
  enum class Limit : std::uint8_t { all, old, delta };
  struct Source {
    Pattern pattern;  // ground, a bound variable, or a compound with bound variables only
  };
  struct Op {
    enum class Kind : std::uint8_t { bind, same, constant, expand };
    Kind kind;
    bool from_row;  // the value is in a column, else in a register
    std::uint32_t from;
    std::uint32_t value;  // variable, register or term; of expand, the first register for the arguments
    SymbolId symbol;      // of expand
    std::uint32_t arity = 0;
  };

  Kind kind = Kind::scan;
  Limit limit = Limit::all;
  std::uint32_t literal = 0;
  Relation* relation = nullptr;
  Index* index = nullptr;
  std::vector<Source> key;
  std::vector<Op> ops;
  std::vector<std::uint32_t> scratch;
};

struct Plan {
  std::vector<JoinStep> steps;
  std::uint32_t registers = 0;
  int emit_level = 0;                // last step that binds a variable of the instance
  bool may_repeat = false;           // several bindings may emit the same instance
  std::vector<std::uint32_t> sizes;  // of the relations when the plan was made
};

struct EngineRule {
  EngineLiteral head;  // without relation if the fact or move is a variable
  std::vector<EngineLiteral> body;
  std::uint32_t variables = 0;
  const Rule* source = nullptr;
  std::vector<std::optional<Plan>> plans;  // one per literal that may be the delta; the last has no delta

  [[nodiscard]] EngineRule unplanned() const { return {head, body, variables, source, {}}; }
  // Calls f for the head and for each literal of the body.
  template <class F>
  void for_each_literal(F&& f) const {
    f(head);
    std::ranges::for_each(body, f);
  }
  template <class F>
  void for_each_literal(F&& f) {
    f(head);
    std::ranges::for_each(body, f);
  }
  [[nodiscard]] bool flat() const { return head.flat() && std::ranges::all_of(body, &EngineLiteral::flat); }
};

// Ground rules in the order of emission: heads[i] with literals [ends[i-1], ends[i]). A literal is its atom number
// times two, plus one if negated.
struct GroundRules {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> literals;
  std::vector<std::uint32_t> rule_of;  // index of the engine's rule

  [[nodiscard]] std::size_t size() const { return heads.size(); }
  [[nodiscard]] std::span<const std::uint32_t> body(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return {literals.data() + begin, static_cast<std::size_t>(ends[i] - begin)};
  }
};

struct EngineLimits {
  std::uint64_t max_rules = limits::rules;
  std::uint64_t max_memory = limits::memory << 20U;
  std::uint64_t max_seconds = 0;  // processor time of this thread since `since`; 0: no limit
  double since = 0;
  std::uint64_t max_steps = 0;  // tuples tried; 0: no limit
  std::uint32_t max_depth = static_cast<std::uint32_t>(limits::term_depth);
  // Called once, when evaluation has emitted more than `budget` ground rules or tried 20 times as many tuples. If it
  // returns true, evaluation throws BudgetSpent.
  std::uint64_t budget = 0;
  std::function<bool()> on_budget;
};

struct BudgetSpent {};

// Thrown when a limit is reached; the grounder turns it into a diagnostic.
struct GroundingStopped {
  Range where;
  std::string message, hint;
};

class Engine {
 public:
  Engine(Program& program, EngineLimits limits);

  Program& program;
  std::deque<RelationInfo> relations;
  struct Atom {
    RelId relation;
    std::uint32_t row = 0;
    bool ghost = false;
  };
  std::vector<Atom> atoms;
  GroundRules ground;

  RelId ordinary(PredId predicate, bool dynamic);
  // The relation of facts f(…) or of moves; creates it on the first call.
  RelId shape(RelationInfo::Kind kind, SymbolId functor, std::uint32_t arity);
  [[nodiscard]] std::span<const RelId> shapes(RelationInfo::Kind kind) const {
    return kind == RelationInfo::Kind::fact ? fact_shapes_ : move_shapes_;
  }

  // Inserts a tuple and, in a dynamic relation, numbers its atom.
  std::uint32_t insert(RelId relation, const std::uint32_t* tuple);
  // The atom of an existing tuple, or the atom of a ghost.
  std::uint32_t atom_or_ghost(RelId relation, const std::uint32_t* tuple);

  std::uint32_t add_rule(EngineRule rule);
  // Evaluates the rules [first, last) to their least fixpoint. `growing` are the relations that they define.
  void evaluate(std::uint32_t first, std::span<const RelId> growing, std::uint32_t last = kAllRules);
  // Evaluates one component of the dependency graph. The caller opens it, adds its rules and then completes it; other
  // relations that they read must be complete.
  void open_component(std::span<const RelId> members, bool recursive);
  void complete_component(std::uint32_t first, std::span<const RelId> members, std::uint32_t last = kAllRules);
  void add_instance(std::uint32_t head, std::uint32_t rule);
  // The different tuples that a body of static literals gives for the head's arguments, which are kNone where no
  // literal binds them. Null if the effort ends, which counts tried tuples, or if a test has a variable that no literal
  // binds.
  using Tuples = std::set<std::vector<std::uint32_t>>;
  std::optional<Tuples> query(const EngineRule& rule, Effort& effort);
  // Removes the rules from `first` on and all tuples of dynamic relations. Shapes stay known.
  void restart(std::uint32_t first);
  void set_budget(std::uint64_t budget, std::function<bool()> on_budget);

  [[nodiscard]] const EngineRule& rule(std::uint32_t index) const { return rules_[index]; }
  // Removes the rules from `first` on, which must not have been evaluated.
  void forget_rules(std::uint32_t first) { rules_.resize(first); }
  [[nodiscard]] std::size_t rule_count() const { return rules_.size(); }
  [[nodiscard]] std::span<const EngineRule> rules() const { return rules_; }
  // Called when evaluation creates a relation of facts or moves.
  std::function<void(RelId)> on_new_shape;
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr std::uint32_t kAllRules = 0xffffffffU;
  static constexpr int kContinue = 0x7fffffff;
  static constexpr std::uint64_t kCheckInterval = 100'000;   // emissions between two checks of the limits
  static constexpr std::uint64_t kStepInterval = 1'000'000;  // tuples tried between two checks of the limits
  static constexpr std::uint64_t kStepsPerRule = 20;         // of the budget

  Plan make_plan(const EngineRule& rule, std::size_t delta);
  double cost(const EngineLiteral& literal, const std::vector<bool>& bound);
  void add_step(Plan& plan, const EngineRule& rule, std::size_t literal, std::size_t delta, std::vector<bool>& bound);
  void compile_match(Plan& plan, JoinStep& step, bool from_row, std::uint32_t from, Pattern pattern,
                     std::vector<bool>& bound);
  [[nodiscard]] bool stale(const EngineRule& rule, const Plan& plan) const;
  bool next_round();
  void run_triggers(const std::vector<RelationInfo::Trigger>& triggers, std::uint32_t rule_end);
  void touch(RelId relation);
  void execute(std::uint32_t rule, std::size_t delta);
  int run(int level);
  int run_scan(JoinStep& step, int level);
  int run_probe(JoinStep& step, int level);
  bool match(const JoinStep& step, const std::uint32_t* row);
  int emit();
  void emit_instance(std::uint32_t head);
  std::uint32_t head_row(RelId& relation);
  std::pair<RelId, std::vector<std::uint32_t>> dispatch(const EngineLiteral& literal);
  // The value of a pattern with bound variables only; kNone if no such term exists.
  std::uint32_t value(Pattern pattern) const;
  // Likewise, but interns new terms.
  std::uint32_t build(Pattern pattern);
  void check_limits();
  void check_budget();
  [[noreturn]] void fail(const std::string& message, const std::string& hint) const;

  EngineLimits limits_;
  std::vector<EngineRule> rules_;
  std::vector<RelId> ordinary_;
  std::vector<RelId> fact_shapes_, move_shapes_;
  std::map<std::tuple<RelationInfo::Kind, SymbolId, std::uint32_t>, RelId> shape_index_;
  std::vector<RelId> touched_, active_;
  std::uint64_t emitted_ = 0;
  std::uint64_t next_check_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t next_step_check_ = kStepInterval;
  std::uint64_t budget_steps_end_ = 0;
  IndexSet repeats_;
  // State of the running join.
  Effort* query_effort_ = nullptr;  // of a query
  Tuples* found_ = nullptr;         // its result
  const EngineRule* rule_ = nullptr;
  std::uint32_t rule_index_ = 0;
  Plan* plan_ = nullptr;
  std::vector<std::uint32_t> binding_;
  std::vector<std::uint32_t> matched_;
  std::vector<std::uint32_t> tuple_;
};

}  // namespace rgtrans::gdl
