// Evaluates the rules without grounding: each query derives its relation anew in each state, bottom-up.
// State-independent relations are derived once. Nothing else is prepared, so the first legal moves are available at
// once, but a state costs much more than on the network.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontends/gdl/datalog/engine.hpp"
#include "frontends/gdl/steps.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class Direct : public Steps {
 public:
  // Throws Error with the diagnostics of the description.
  explicit Direct(const std::string& text, const std::string& name = "<description>", bool fold_case = false);
  // With additional rules in prefix form.
  Direct(const std::string& text, const std::string& name, bool fold_case, const std::string& more);

  [[nodiscard]] std::unique_ptr<Steps> clone() const override;
  [[nodiscard]] const std::vector<std::string>& role_names() const override { return roles_; }
  [[nodiscard]] std::uint32_t random_role() const override { return random_; }
  [[nodiscard]] bool imperfect() const override { return imperfect_; }
  [[nodiscard]] int most_goal() const override { return most_goal_; }
  [[nodiscard]] State initial() override { return initial_; }
  [[nodiscard]] const State& state() const override { return state_; }
  void set_state(const State& state) override;
  [[nodiscard]] std::vector<std::byte> bytes(std::span<const std::uint32_t> joint) const override;
  void read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) override;
  [[nodiscard]] bool terminal() override;
  void legal(std::uint32_t role, std::vector<std::uint32_t>& out) override;
  [[nodiscard]] std::string move_text(std::uint32_t move) const override { return text(TermId(move)); }
  [[nodiscard]] int goal(std::uint32_t role) override;
  [[nodiscard]] std::vector<std::string> percepts(std::span<const std::uint32_t> joint, std::uint32_t role) override;
  void step(std::span<const std::uint32_t> joint) override;
  // Tests a relation without arguments under the joint move. Without moves, the relation must not depend on `does`.
  [[nodiscard]] bool holds(const std::string& relation, std::span<const std::uint32_t> joint);
  [[nodiscard]] std::vector<std::string> facts() const override;

 private:
  // A state-dependent component of the dependency graph, derived on its first query.
  struct Stage {
    std::vector<RelId> members;
    std::vector<const Fact*> facts;     // of the description
    std::uint32_t first = 0, last = 0;  // rules
    bool recursive = false;
    bool moves = false;  // also depends on the moves
    bool done = false;
  };
  // `true` and `does` by functor, so joins find facts by their arguments.
  struct Shape {
    SymbolId functor;
    std::uint32_t arity = 0;
    RelId relation;
  };

  Direct(Program program, std::shared_ptr<Sources> sources);

  void prepare();
  void describe();
  void sort_into_stages();
  Stage make_stage(std::span<const PredId> members, std::span<const Rule* const> rules, bool recursive);
  EngineRule compile(const Rule& rule);
  EngineLiteral compile(const Literal& literal);
  RelId shape(std::vector<Shape>& shapes, SymbolId functor, std::uint32_t arity, std::uint32_t columns);
  [[nodiscard]] RelId relation(PredId predicate) { return engine_->ordinary(predicate, false); }
  [[nodiscard]] Relation& tuples(RelId id) { return *engine_->relations[id.value].tuples; }
  void insert(const Fact& fact);

  void clear(Stage& stage);
  void complete(Stage& stage);
  // The tuples of a predicate in the current state; null if there is no such predicate.
  const Relation* ask(PredId predicate);
  void set_moves(std::span<const std::uint32_t> joint);
  void forget(PredId predicate, std::span<const Shape> shapes);
  void add(PredId predicate, std::span<const Shape> shapes, std::span<const std::uint32_t> tuple);
  void settle(PredId predicate, std::span<const Shape> shapes);
  // The second columns of the tuples for a role.
  std::vector<TermId> ask(PredId predicate, std::uint32_t role);
  [[nodiscard]] const std::string& text(TermId term) const;

  std::shared_ptr<Sources> sources_;
  Program program_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::string> roles_;
  std::uint32_t random_ = kNone;
  bool imperfect_ = false;
  int most_goal_ = 0;
  PredId fact_, does_, legal_, terminal_, goal_, next_, sees_;
  std::vector<Stage> stages_;                           // bodies first
  std::vector<std::vector<std::uint32_t>> stages_for_;  // by predicate: the stages to complete before a query
  std::vector<Shape> fact_shapes_, move_shapes_;
  State initial_, state_;  // sorted term numbers
  mutable std::unordered_map<std::uint32_t, std::string> texts_;
};

}  // namespace rgtrans::gdl
