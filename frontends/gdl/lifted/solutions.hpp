// Enumerates the solutions of a body: loops of keeper over the variables to choose, and tests with an edge for either
// outcome. The choice with the lowest expected cost comes next.
//
// Example: for p(X) <- q(X, Y), r(Y), with q a function of X, keeper loops over X, looks Y up and tests r(Y).
#pragma once

#include <functional>

#include "frontends/gdl/lifted/chains.hpp"

namespace rgtrans::gdl::lifted {

class Solutions {
 public:
  // Writes the continuation of a solution between two nodes; inside a loop, the second one ends the iteration. Without
  // a solution, control continues at `out`.
  using Done = std::function<void(BodyState&, ir::NodeId, ir::NodeId)>;

  Solutions(Model& model, Tables& tables, Walks& walks, ir::Game& game)
      : m_(model), t_(tables), w_(walks), game_(game), chains_(model, walks) {}

  // Executes `done` at least once for each binding of the wanted variables that satisfies the body.
  void each(BodyState& f, ir::NodeId at, ir::NodeId out, const Done& done);
  // The same, after unifying the arguments of a literal with the known values.
  using Values = std::vector<std::optional<Value>>;
  void each_with(BodyState& f, const EngineLiteral& literal, const Values& values, ir::NodeId at, ir::NodeId out,
                 const Done& done);
  // The expected total cost.
  [[nodiscard]] double expected_steps(const BodyState& f);
  // The same, but tests `literals`, which are part of the body, first. Continues at `elsewhere` if one of them fails.
  void each_behind(BodyState& f, const std::vector<std::uint32_t>& literals, ir::NodeId at, ir::NodeId elsewhere,
                   ir::NodeId out, const Done& done);
  // Chooses only the roles of moves in the body.
  void with_role(BodyState& f, ir::NodeId at, ir::NodeId out, const Done& done);

 private:
  // Writes from a node on; returns the node after it, or an invalid one if it never holds.
  using Line = std::function<ir::NodeId(BodyState&, ir::NodeId)>;

  void other_outcomes(ir::NodeId first, ir::NodeId last, ir::NodeId out);
  void line(BodyState& f, ir::NodeId at, ir::NodeId out, const Line& make, const Done& done);
  void certain(BodyState& f, ir::NodeId at, ir::NodeId out, const Done& done);
  void loop(BodyState& f, std::uint32_t variable, ir::NodeId at, ir::NodeId out, const Done& done);
  [[nodiscard]] std::optional<std::uint32_t> unknown_role(const BodyState& f) const;
  // The next choice: a variable, or all unbound arguments of a chain.
  struct Next {
    std::optional<std::uint32_t> variable, followed;
    double steps = 0;
  };
  [[nodiscard]] Next next(const BodyState& f);

  // --- Chains. ---
  [[nodiscard]] std::optional<std::uint32_t> followed(const BodyState& f);
  [[nodiscard]] double steps_following(const BodyState& f, std::uint32_t literal);
  using Places = std::vector<std::pair<std::size_t, const Register*>>;
  void follow(BodyState& f, std::uint32_t literal, ir::NodeId at, ir::NodeId out, const Done& done);
  ir::NodeId put(const BodyState& f, const std::vector<Pattern>& head, const Places& places, ir::NodeId at);

  Model& m_;
  Tables& t_;
  Walks& w_;
  ir::Game& game_;
  Chains chains_;
};

}  // namespace rgtrans::gdl::lifted
