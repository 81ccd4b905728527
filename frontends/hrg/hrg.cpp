#include "frontends/hrg/hrg.hpp"

#include <algorithm>

#include "frontends/hrg/analysis.hpp"
#include "frontends/hrg/editing.hpp"
#include "frontends/hrg/environment.hpp"
#include "frontends/hrg/evaluator.hpp"
#include "frontends/hrg/format.hpp"
#include "frontends/hrg/limits.hpp"
#include "frontends/hrg/lowering.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

namespace {

// Defines functions as constants, in an order in which each refers only to earlier ones.
void define_constants(Environment& env, Evaluator& evaluator) {
  for (std::uint32_t i = 0; i < env.functions.size(); ++i) {
    FunctionInfo& info = env.functions[i];
    const ast::Function& function = env.program.functions[i];
    try {
      evaluator.table(i);
    } catch (const Failed&) {
      if (env.full()) throw;
      continue;
    }
    info.constant = env.game.define_constant(function.name.symbol, info.type, info.value, function.where);
  }
}

void define_variables(Environment& env, Evaluator& evaluator) {
  for (std::size_t i = 0; i < env.program.variables.size(); ++i) {
    const ast::VariableRule& variable = env.program.variables[i];
    const ir::TypeId type = env.variable_types[i];
    if (!type.valid()) continue;
    ir::ValueId initial = env.first_value(type);
    try {
      if (variable.initial.valid()) initial = evaluator.value_of(variable.initial, type);
    } catch (const Failed&) {
      evaluator.abandon();
    }
    env.variables[i] = env.game.define_variable(variable.name.symbol, type, initial, variable.where);
  }
  ir::add_builtins(env.game, env.diagnostics());
  env.add_builtin_variables();
}

void lower(ast::Program& program, ir::Game& game, Diagnostics& diagnostics) {
  Environment env(program, game, diagnostics);
  try {
    env.declare();
    if (!game.players().empty() && !game.scores().empty()) {
      Evaluator evaluator(env);
      evaluator.resolve();
      define_constants(env, evaluator);
      define_variables(env, evaluator);
      const Builtins builtins(game.symbols);
      std::vector<GraphInfo> infos;
      analyse_graphs(env, builtins, infos);
      Lowering(env, evaluator, builtins, infos).run();
      auto words = std::make_shared<ir::Words>();
      env.terms.add_words(*words);
      for (const ir::Variable& variable : game.variables()) {
        const auto same = [&](const ast::VariableRule& written) { return written.name.symbol == variable.name; };
        if (std::ranges::none_of(program.variables, same)) words->asides.insert(variable.name);
      }
      game.words = std::move(words);
    }
  } catch (const Failed&) {
    // The error has been reported.
  }
}

ir::Game load_file(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  ir::Game game(diagnostics.sources());
  game.claims.want(options.claims);
  ast::Program program = parse(file, game.symbols, diagnostics);
  if (!diagnostics.has_errors()) lower(program, game, diagnostics);
  return game;
}

// Words that begin a line in HRG but in no other language.
int looks_like(std::string_view text) {
  int score = 0;
  for (std::string_view word : {"domain ", "graph ", "reusable graph "}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      if (at > 0 && text[at - 1] != '\n') continue;
      score += 40;
      break;
    }
  }
  return std::min(score, 90);
}

constexpr std::string_view kExtensions[] = {".hrg"};

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kFrontend{.name = "hrg",
                                      .title = "High-level Regular Games",
                                      .extensions = kExtensions,
                                      .looks_like = looks_like,
                                      .load = load_file,
                                      .format = format,
                                      .limits = limits::all,
                                      .editing = &kEditing};
  return kFrontend;
}

ir::Game load(std::string name, std::string text, Diagnostics& diagnostics) {
  return load_file(diagnostics.sources()->add(std::move(name), std::move(text)), diagnostics, {});
}

}  // namespace rgtrans::hrg
