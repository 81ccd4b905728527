// The bytes choose a random RG game, and passes in random order or a level of the pipeline. The naive evaluator must
// find the same game tree before and after.
#include <algorithm>

#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

constexpr int kDepth = 3;

// Whether the moves to this depth can be listed, and are the same twice.
bool playable(const ir::Game& game, int depth) {
  try {
    return naive::compare(game, game, depth).empty();
  } catch (const naive::TooHard&) {
    return false;
  }
}

void target(std::string_view bytes) {
  test::Choices choices(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
  passes::OptimizeOptions options;
  options.level = choices.pick(1, 2);
  std::string names;
  if (choices.coin(70)) {
    options.passes.emplace();
    const auto all = passes::all_passes();
    for (int i = choices.pick(1, 10); i > 0; --i) {
      const passes::Pass& pass = all[choices.below(all.size())];
      if (pass.effect == passes::PassEffect::none) options.passes->emplace_back(pass.name);
    }
    // Pragmas are written last.
    std::stable_partition(options.passes->begin(), options.passes->end(),
                          [](const auto& n) { return passes::find_pass(n)->phase != passes::PassPhase::pragmas; });
    for (const std::string& name : *options.passes) names += name + " ";
  }
  const std::string text = test::random_game(choices);
  const ir::Game game = rg::parse_game(text);
  {
    ir::Game copy = game;
    Diagnostics diagnostics(game.sources());
    ir::verify(copy, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) return;
  }
  if (!playable(game, kDepth)) return;
  ir::Game optimized = game;
  passes::optimize(optimized, options);
  Diagnostics diagnostics;
  ir::verify(optimized, diagnostics, {.warnings = false});
  if (diagnostics.has_errors()) {
    // Recursion that each play meets may lie deeper.
    constexpr int kDeep = 20;
    require(!playable(game, kDeep), "the passes make an illegal game of it: " + names,
            text + render(diagnostics.all(), *diagnostics.sources()));
    return;
  }
  std::string difference;
  try {
    difference = naive::compare(game, optimized, kDepth);
    if (difference.empty() && !optimized.pragmas.empty()) {
      difference = naive::compare(game, optimized, kDepth, true);
      if (!difference.empty()) difference = "trusting pragmas: " + difference;
    }
  } catch (const naive::TooHard&) {
    return;
  } catch (const Finding&) {
    throw;
  } catch (const std::logic_error& error) {
    difference = error.what();
  }
  require(difference.empty(), "the passes change the game: " + names,
          difference + "\n" + text + "\nbecomes\n" + rg::print(optimized));
}
const Registration kRegistration("passes", target);

}  // namespace
}  // namespace rgtrans::fuzz
