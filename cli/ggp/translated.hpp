// A match followed on the translated game. The translator keeps the variables of a large description, so legal moves
// and a search are there in seconds where grounding takes a minute and gigabytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cli::ggp {

class Translated {
 public:
  // Throws Error where the description cannot be followed like this: it is wrong, or roles do not see everything.
  explicit Translated(const std::string& rules);

  [[nodiscard]] const std::vector<std::string>& roles() const { return roles_; }
  [[nodiscard]] std::optional<std::uint32_t> find_role(const std::string& name) const;
  [[nodiscard]] const ir::Game& game() const { return game_; }
  // Plays on with another engine of game().
  void use(std::unique_ptr<Reasoner> engine);

  // A step was made: the moves of all roles, in order, as terms. Throws Error when one is not legal.
  void step(const std::vector<std::string>& joint);
  // The same for a position of another play, which begins here.
  void step(Reasoner& position, const std::vector<std::string>& joint) const;
  [[nodiscard]] std::unique_ptr<Reasoner> beginning() const { return beginning_->clone(); }

  // The decision of a role in the present step.
  struct Decision {
    std::unique_ptr<Reasoner> position;  // where it is this role's turn; roles before it made any of their moves
    std::vector<std::string> moves;      // as terms, in the order of the position; none when the play is over
    bool alone = true;                   // no other role has a choice
  };
  Decision decide(std::uint32_t role);
  // The position after this move of a role in the present step and the forced moves of others, up to the first that is
  // not known; null where the play is over.
  [[nodiscard]] std::unique_ptr<Reasoner> after(std::uint32_t role, const std::string& move) const;
  // A move of the game as a term of the description.
  [[nodiscard]] std::string term(const std::string& move) const;

 private:
  [[nodiscard]] std::uint32_t role_to_move(const Reasoner& position) const;
  void apply(Reasoner& position, const std::string& move) const;

  std::vector<std::string> roles_;
  ir::Game game_;
  scene::Wording wording_;
  std::unique_ptr<const Reasoner> beginning_;
  std::unique_ptr<Reasoner> reasoner_;  // at the beginning of the present step
  std::vector<std::uint32_t> role_of_;  // by player
  std::uint32_t random_role_;
  std::vector<std::vector<std::string>> played_;
};

}  // namespace rgtrans::cli::ggp
