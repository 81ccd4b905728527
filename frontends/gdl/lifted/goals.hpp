// Writes the goals of all roles at the end of a game.
#pragma once

#include <utility>
#include <vector>

#include "frontends/gdl/lifted/solutions.hpp"

namespace rgtrans::gdl::lifted {

class Goals {
 public:
  Goals(Model& model, Tables& tables, Walks& walks, ir::Game& game)
      : m_(model), t_(tables), w_(walks), game_(game), solutions_(model, tables, walks, game) {}

  // Throws NotLifted if a goal is no number.
  void find();
  [[nodiscard]] RelId relation() const { return goal_; }
  // With their terms, highest first.
  [[nodiscard]] const std::vector<std::pair<int, TermId>>& scores() const { return scores_; }
  ir::NodeId emit(ir::NodeId at);

 private:
  ir::NodeId emit_answers(ir::NodeId at);
  [[nodiscard]] bool determines_score(const LiftedRule& rule, std::size_t r);
  ir::NodeId emit(std::size_t r, ir::NodeId at);
  [[nodiscard]] const std::vector<TermId>& roles() const { return m_.program().roles; }

  Model& m_;
  Tables& t_;
  Walks& w_;
  ir::Game& game_;
  Solutions solutions_;
  RelId goal_;
  std::vector<std::pair<int, TermId>> scores_;
};

}  // namespace rgtrans::gdl::lifted
