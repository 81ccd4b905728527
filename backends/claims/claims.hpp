// Asserting proofs: an engine that plays a game and evaluates the claims that front ends, passes and engines have
// proved (core/ir/claims.hpp). A claim is about one version of the game. So a walker per version with claims follows
// the play move by move: it takes every walk on a plain layout of the state and uses no analysis. Its findings are
// independent of the proofs: a condition that was dropped because it always holds is evaluated at its old place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"
#include "core/support/proof_error.hpp"

namespace rgtrans::claims {

// Follows a play move by move and evaluates claims. A claim that fails is thrown as ProofError.
class Follower {
 public:
  virtual ~Follower() = default;
  [[nodiscard]] virtual std::unique_ptr<Follower> clone() const = 0;
  virtual void reset() = 0;
  // Evaluates the claims about the present state and the moves from it, once.
  virtual void look() = 0;
  // The same, then makes the move that reads so; `keeper`: it was keeper's.
  virtual void apply(bool keeper, std::string_view move) = 0;
  virtual bool undo() = 0;
  // How many claims it evaluates, by kind, and how often it has evaluated one.
  struct Counts {
    std::map<std::string, std::uint64_t, std::less<>> claims;
    std::uint64_t evaluated = 0;
    std::uint64_t retired = 0;  // claims about what was not there any more
  };
  virtual void count(Counts& counts) const = 0;
};

// Follows the plays of one version, with the claims in it.
[[nodiscard]] std::unique_ptr<Follower> make_follower(std::shared_ptr<const ir::Game> version);

// All versions that a game remembers, and the game itself: the claims recorded in it, those of its pragmas, and those
// that the interpreter proves when it compiles the game.
[[nodiscard]] std::vector<std::unique_ptr<Follower>> followers_of(const ir::Game& game);

// Claims in the language of the author (RuleClaim) are about any play by the original rules. For each move of a play,
// the follower makes one step of such a play. A step returns the number of a claim that fails, or kNone if all hold.
// Rules reads the claims; each call of its result begins a play. The follower is null if no version has such a claim,
// or if the language has no rules to play.
using RuleStep = std::function<std::uint32_t(std::uint64_t& random)>;
using Rules = std::function<std::function<RuleStep()>(const std::vector<ir::Claim>& claims)>;
[[nodiscard]] std::unique_ptr<Follower> follow_rules(const ir::Game& game, const Rules& rules);

// The followers of all versions and, if `rules` is not null, that of the rules.
[[nodiscard]] std::vector<std::unique_ptr<Follower>> followers_of(const ir::Game& game, const Rules& rules);

// Plays like the engine. Everything that it can do is done move by move, so that the followers see each state.
[[nodiscard]] std::unique_ptr<Reasoner> assert_proofs(std::unique_ptr<Reasoner> engine,
                                                      std::vector<std::unique_ptr<Follower>> followers);
[[nodiscard]] std::unique_ptr<Reasoner> assert_proofs(std::unique_ptr<Reasoner> engine, const ir::Game& game,
                                                      const Rules& rules = {});

// The claims that follow from the pragmas of a game.
[[nodiscard]] std::vector<ir::Claim> claims_of_pragmas(const ir::Game& game);

// The text of a claim, for messages.
[[nodiscard]] std::string text(const ir::Game& game, const ir::Claim& claim);

}  // namespace rgtrans::claims
