// Resolves terms as written for one player to act; logic.hpp describes the result.
#pragma once

#include "frontends/ludax/ast.hpp"
#include "frontends/ludax/logic.hpp"

namespace rgtrans::ludax {

class Resolver {
 public:
  Resolver(const Board& board, Player mover) : board_(board), mover_(mover) {}

  [[nodiscard]] Mask mask(const ast::Term& term) const;
  // Both throw NumberTooLarge.
  [[nodiscard]] Linear function(const ast::Term& term) const;
  [[nodiscard]] Condition condition(const ast::Term& term) const;
  // `side` must not be `both`.
  [[nodiscard]] Player player(ast::Side side) const;

 private:
  [[nodiscard]] std::vector<Mask> masks(const ast::Term& term) const;
  [[nodiscard]] std::vector<Mask> targets(const ast::Term& term) const;
  [[nodiscard]] Mask custodial(const ast::Term& term) const;
  [[nodiscard]] Linear line(const ast::Term& term) const;
  [[nodiscard]] Linear connected(const ast::Term& term) const;
  [[nodiscard]] Condition passed(Player player) const;
  [[nodiscard]] Linear count(Mask mask) const;

  const Board& board_;
  Player mover_;
};

}  // namespace rgtrans::ludax
