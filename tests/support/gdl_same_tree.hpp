// Compares a description in every form and engine: the rules as written, the network of the ground program, and the
// ground and the lifted automaton, each unoptimized and optimized.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core/passes/passes.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "tests/support/equal.hpp"
#include "tests/support/gdl_lifted.hpp"
#include "tests/support/gdl_lock_step.hpp"
#include "tests/support/gdl_steps.hpp"

namespace rgtrans::gdl {

class SameTree {
 public:
  explicit SameTree(const std::string& text) : text_(text) {}

  // The first difference in the numbers of joint moves up to a depth, or in several complete plays, or "". Returns an
  // error if the description is wrong or cannot be lifted.
  std::string difference(unsigned depth, std::uint64_t plays = 40) {
    Diagnostics diagnostics(sources_);
    const Sources::File& file = sources_->add("game.kif", text_);
    GroundOptions options;
    const GroundProgram plain = ground(file, diagnostics, options);
    options.cone = true;
    const GroundProgram small = ground(file, diagnostics, options);
    const Program rules = read_program(file, diagnostics, false);
    if (diagnostics.has_errors()) return render(diagnostics.all(), *sources_);
    const JointPerft expected = joint_perft(plain, depth);
    Direct direct(text_);
    NetworkSteps network{GroundProgram(plain)};
    for (std::uint64_t seed = 1; seed <= plays; ++seed)
      if (std::string d = test::difference(direct, network, seed, kSteps); !d.empty()) return "network: " + d;
    for (const bool keep_forced : {true, false}) {
      LowerOptions lowering;
      lowering.keep_forced = keep_forced;
      LoweredNames names;
      const ir::Game grounded = lower(small, sources_, lowering, diagnostics, &names);
      lifted::LiftOptions lifting;
      lifting.keep_forced = keep_forced;
      std::string why;
      lifted::LiftedNames words;
      const auto lifted = lifted::lift(rules, sources_, {}, lifting, why, &words);
      if (!lifted) return "not lifted: " + why;
      if (std::string d = verified(grounded) + verified(*lifted); !d.empty()) return d;
      for (const bool optimized : {false, true}) {
        const ir::Game one = copy(grounded, optimized);
        const ir::Game other = copy(*lifted, optimized);
        const std::string how = fmt::format(" ({}{})", keep_forced ? "all moves shown" : "forced moves left out",
                                            optimized ? ", optimized" : "");
        LockStep lock(plain, small, names, one);
        LiftedPlay play(make_interpreter(other), words);
        for (std::uint64_t seed = 1; seed <= plays; ++seed) {
          if (std::string d = lock.play(seed, kSteps); !ended(d)) return "ground: " + d + how;
          if (std::string d = play.beside(direct, mix_hash(seed), kSteps); !ended(d)) return "lifted: " + d + how;
        }
        if (!keep_forced) continue;  // otherwise every role moves in every step
        const auto roles = static_cast<unsigned>(plain.roles.size());
        if (std::string d = perft(one, roles, expected); !d.empty()) return "ground: " + d + how;
        if (std::string d = perft(other, roles, expected); !d.empty()) return "lifted: " + d + how;
      }
    }
    return "";
  }

 private:
  static constexpr unsigned kSteps = 30;

  // Whether there is no difference, possibly because some role has no move.
  static bool ended(const std::string& difference) { return difference.empty() || difference.ends_with("stuck"); }

  std::string verified(const ir::Game& game) {
    Diagnostics diagnostics(sources_);
    ir::verify(game, diagnostics, {.warnings = false});
    return diagnostics.has_errors() ? render(diagnostics.all(), *sources_) : test::lost_in_text(game);
  }
  static ir::Game copy(const ir::Game& game, bool optimized) {
    ir::Game result = game;
    if (optimized) passes::optimize(result);
    return result;
  }
  static std::string perft(const ir::Game& game, unsigned roles, const JointPerft& expected) {
    const auto reasoner = make_interpreter(game);
    reasoner->reset();
    for (unsigned depth = 0; depth < expected.rows.size(); ++depth) {
      const std::uint64_t ours = reasoner->perft(depth * roles);
      if (ours != expected.rows[depth].leaves)
        return fmt::format("perft {}: {} for {}", depth, ours, expected.rows[depth].leaves);
    }
    return "";
  }

  std::string text_;
  std::shared_ptr<Sources> sources_ = std::make_shared<Sources>();
};

inline std::string same_tree(const std::string& text, unsigned depth) { return SameTree(text).difference(depth); }

}  // namespace rgtrans::gdl
