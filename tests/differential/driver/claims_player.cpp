// Plays with proofs asserted: of any language, and of both forms of GDL.
#include <cstdint>
#include <string>

#include "backends/claims/claims.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/differential/driver/players.hpp"

namespace rgtrans::differential {

namespace {

constexpr std::uint64_t kPlays = 3;
constexpr std::uint64_t kLongest = 30;  // moves

FrontendOptions options_of(const EngineName& engine, std::uint64_t rules) {
  FrontendOptions options;
  options.claims = true;
  if (engine.form == Form::rules || engine.form == Form::network) throw Error("nothing is claimed of the rules");
  if (engine.form == Form::lifted) options.values.emplace("lifted", "");
  if (engine.form != Form::ground) return options;
  options.values.emplace("ground", "");
  if (rules > 0) options.values.emplace("max-rules", std::to_string(rules));
  return options;
}

}  // namespace

FailedClaim failed_claim(const Sample& sample, const EngineName& engine, std::uint64_t rules) {
  const FrontendOptions options = options_of(engine, rules);
  const Frontend& language = choose_frontend(sample.name, sample.text);
  Diagnostics diagnostics;
  ir::Game game = load_text(sample.name, sample.text, language, diagnostics, options);
  if (engine.level > 0) {
    passes::OptimizeOptions optimize;
    optimize.level = engine.level;
    passes::optimize(game, optimize);
  }
  const auto play =
      claims::assert_proofs(make_interpreter(game), game, rule_reader(language, *game.sources()->file_of(1), options));
  try {
    play->playouts({.count = kPlays, .seed = sample.seed, .max_moves = kLongest});
  } catch (const ProofError& error) {
    const std::string& message = error.diagnostics().front().message;
    const std::size_t kind = message.find(": ");
    return {error.what(), message.substr(0, kind == std::string::npos ? kind : message.find(':', kind + 1))};
  } catch (const Error&) {
    // A play that cannot go on.
  }
  return {};
}

}  // namespace rgtrans::differential
