// The step of a lifted game, which applies the rules of `next`. A fact stays untouched if its frames (rules that keep
// it) cannot fail. The other keys are visited: directly if the move or a scalar determines them, else in a loop. The
// causes, which are all rules that are no frames, add the facts that they derive.
//
//   (<= (next (cell ?x ?y ?p)) (does ?r (mark ?x ?y)) (piece ?r ?p))               a cause: assigns one key.
//
//   (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (marked ?x ?y)))        a frame: fails at that key only
#pragma once

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/lifted/solutions.hpp"
#include "frontends/gdl/lifted/unfold.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

class LiftedStep {
 public:
  LiftedStep(Model& model, const Dependencies& dependencies, Tables& tables, Walks& walks, ir::Game& game)
      : m_(model),
        t_(tables),
        w_(walks),
        game_(game),
        unfolder_(model),
        solutions_(model, tables, walks, game),
        refuter_(model, dependencies, "proofs about the rules of a step", kLiftedEfforts.steps) {}

  // The only fact of its functor that the step has added, while `several` is 0 and `one` is 1.
  struct Record {
    std::vector<Register> columns;
    ir::VarId one, several;
  };
  // Records added facts of this functor. The record has its initial value before each step.
  const Record& record(RelId fact);
  [[nodiscard]] const std::map<RelId, Record>& records() const { return records_; }

  // The value of a scalar's column before the step.
  const Register& before(RelId scalar, std::uint32_t column);
  [[nodiscard]] const std::map<std::pair<RelId, std::uint32_t>, Register>& all_before() const { return before_; }

  // Writes the whole step; returns the node after it.
  ir::NodeId emit(ir::NodeId at);
  // Number of edges that only claims need.
  [[nodiscard]] std::size_t claim_edges() const { return claim_edges_; }

 private:
  // A set of facts. Some columns equal a variable of the frame, a constant or an argument of a move, and the guards
  // (literals about some of the keys) fail. Or a walk through a rule enumerates the set.
  struct ColumnTerm {
    std::optional<Pattern> pattern;  // null: an argument of a move
    Pattern role;
    std::size_t argument = 0;
    SortId sort;
    bool operator==(const ColumnTerm& o) const {
      return pattern == o.pattern && role == o.role && argument == o.argument;
    }
  };
  struct FactSet {
    std::map<std::uint32_t, ColumnTerm> equal;
    std::set<std::pair<std::uint32_t, std::uint32_t>> unequal;  // column, constant
    std::set<std::pair<const LiftedRule*, std::uint32_t>> guards;
    const LiftedRule* found = nullptr;
    std::set<std::uint32_t> given;  // variables of that rule that the prefix binds
    bool certain = false;           // the frames do fail for all of these facts
    bool operator==(const FactSet&) const = default;
    // Nothing restricts the set.
    [[nodiscard]] bool whole() const { return equal.empty() && guards.empty() && found == nullptr; }
  };
  using FactSets = std::vector<FactSet>;  // a union
  struct Frames {
    std::vector<const LiftedRule*> rules;
    std::vector<std::uint32_t> prefix;  // literals without variables of the fact
    FactSets failing;                   // the facts for which all rules fail, given the prefix
  };

  void plan();
  void collect_reads(RelId fact, std::set<RelId>& out) const;
  void reads_of(const EngineLiteral& literal, std::set<RelKey>& seen, std::set<RelId>& out) const;
  [[nodiscard]] const std::vector<ir::VarId>& target(RelId fact) {
    return copied_.contains(fact) ? t_.copies(fact) : t_.stored_of(fact).maps;
  }

  ir::NodeId emit_fact(RelId fact, ir::NodeId at);
  ir::NodeId clear(RelId fact, ir::NodeId at);
  ir::NodeId remove(RelId fact, ir::NodeId at);
  void want_sorts(BodyState& f) const;
  ir::NodeId remove_at(BodyState f, const FactSets& parts, ir::NodeId at, ir::NodeId out);
  ir::NodeId visit_facts(const FactSet& part, const BodyState& f, ir::NodeId at);
  ir::NodeId visit_found(const FactSet& part, const BodyState& state, ir::NodeId at);
  ir::NodeId set_key(std::size_t k, const Value& value, ir::NodeId at, ir::NodeId out);
  using Guards = std::set<std::pair<const LiftedRule*, std::uint32_t>>;
  ir::NodeId loop_keys(std::vector<std::uint32_t> open, Guards guards, ir::NodeId at);
  ir::NodeId guard(const LiftedRule& rule, std::uint32_t literal, ir::NodeId at, ir::NodeId holds);
  [[nodiscard]] std::set<std::uint32_t> keys_of(const LiftedRule& rule, std::uint32_t literal) const;
  [[nodiscard]] bool can_guard(const LiftedRule& rule, std::uint32_t literal) const;
  ir::NodeId visit_key(ir::NodeId at);
  ir::NodeId clear_key(ir::NodeId at);
  ir::NodeId clear_certain(ir::NodeId at);
  void claim_gone(ir::NodeId at);
  void emit_stays();

  // --- Facts that are removed and derived at the same key. ---
  // A cause that contains the conditions of a removal, so one walk removes facts and derives the new ones.
  struct Renewal {
    const LiftedRule* cause = nullptr;
    const LiftedRule* walk = nullptr;  // the cause, with the literals to test at each key first
    std::uint32_t left = 0;            // number of these literals
  };
  [[nodiscard]] std::optional<Renewal> renewal(const FactSet& part);
  [[nodiscard]] std::optional<Renewal> renewed_by(const LiftedRule& cause, const FactSet& part, bool whole);
  [[nodiscard]] bool determined_by_key(const LiftedRule& cause, const std::set<std::uint32_t>& said) const;
  ir::NodeId renew(const Renewal& renewal, ir::NodeId at);

  // --- Causes. ---
  // Splits a rule: unfolds conditions that depend on the move, and others if that finds the head sooner.
  std::vector<const LiftedRule*> split_rule(const LiftedRule& rule, const std::set<std::uint32_t>& given);
  [[nodiscard]] double steps_of(const LiftedRule& rule, const std::set<std::uint32_t>& given);
  void take_causes();
  // Continues at `elsewhere`, if given, if the move of the cause was not made: the next causes test for the same move.
  ir::NodeId cause(BodyState f, ir::NodeId at, ir::NodeId elsewhere = {});
  void derive(BodyState& f, ir::NodeId from, ir::NodeId to);
  ir::NodeId record_fact(const Record& record, const BodyState& f, ir::NodeId from);
  // The literals that test for one shape of move by the role whose turn it is, if they have no other effect.
  struct Moved {
    std::vector<std::uint32_t> literals;
    std::pair<RelId, RelId> what;  // the shape, and the scalar that equals the role
  };
  [[nodiscard]] std::optional<Moved> moved(const LiftedRule& rule);
  ir::NodeId emit_causes(ir::NodeId at);

  // --- Failing frames. ---
  [[nodiscard]] FactSet cheapest_failure(const LiftedRule& frame, std::uint32_t literal,
                                         const std::set<std::uint32_t>& given);
  [[nodiscard]] std::optional<EngineLiteral> complement_of(const LiftedRule& frame, const EngineLiteral& literal);
  [[nodiscard]] double steps_finding(const LiftedRule& found, const std::set<std::uint32_t>& given);
  [[nodiscard]] double steps_testing(const LiftedRule& frame, std::uint32_t literal,
                                     const std::set<std::uint32_t>& given);
  std::vector<Frames> frames_of(RelId fact);
  FactSets failing(const LiftedRule& frame, const EngineLiteral& literal, const std::vector<Pattern>& head);
  FactSets fails(const LiftedRule& frame, const EngineLiteral& literal, const std::vector<Pattern>& arguments,
                 const std::vector<Pattern>& head, unsigned depth);
  FactSets fails_rule(const LiftedRule& frame, const LiftedRule& rule, const std::vector<Pattern>& arguments,
                      const std::vector<Pattern>& head, unsigned depth);
  [[nodiscard]] SortId sort_of(const LiftedRule& frame, Pattern p) {
    return p.is_ground() ? m_.single(p.term()) : frame.sorts[p.number()];
  }
  FactSets fixed_fails(const LiftedRule& frame, const EngineLiteral& literal, const std::vector<Pattern>& arguments,
                       const std::vector<Pattern>& head);
  // Given the prefix, no frame of another group keeps a fact of the set.
  [[nodiscard]] bool excludes_others(const Frames& group, const FactSet& part);
  // Some cause overwrites each fact of the set, whatever the frames do.
  [[nodiscard]] bool overwritten(const Frames& group, const FactSet& part);
  static bool follows(const LiftedRule& cause, std::vector<std::optional<Pattern>> is, std::size_t literal,
                      const std::vector<const EngineLiteral*>& known);
  static FactSets both(const FactSets& a, const FactSets& b);
  static FactSets either(const FactSets& a, const FactSets& b);

  Model& m_;
  Tables& t_;
  Walks& w_;
  ir::Game& game_;
  Unfolder unfolder_;
  Solutions solutions_;
  std::map<RelId, Record> records_;
  std::map<std::pair<RelId, std::uint32_t>, Register> before_;
  Refuter refuter_;
  std::vector<RelId> order_;
  std::set<RelId> copied_;
  // State of the fact whose frames are being written.
  RelId fact_;
  std::vector<const LiftedRule*> causes_;                   // after the frames
  std::map<const LiftedRule*, const LiftedRule*> written_;  // the original rule of each cause
  std::vector<const LiftedRule*> at_keys_;                  // at each visited key
  std::vector<Register> keys_;
  ir::NodeId stays_begin_, stays_end_;
  std::size_t claim_edges_ = 0;
};

}  // namespace rgtrans::gdl::lifted
