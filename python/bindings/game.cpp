// Loading, optimizing and writing games. Work that takes time runs without Python's global lock.
#include "bindings/game.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "backends/claims/claims.hpp"
#include "backends/cpp/cpp.hpp"
#include "backends/dot/dot.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "backends/rules/rules.hpp"
#include "backends/stats/stats.hpp"
#include "bindings/bindings.hpp"
#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/library/library.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

using Options = std::map<std::string, std::string, std::less<>>;

const Frontend& frontend_for(const std::string& language, const std::string& name, const std::string& text) {
  if (language.empty()) return choose_frontend(name, text);
  if (const Frontend* frontend = find_frontend(language)) return *frontend;
  std::string names;
  for (const Frontend* f : frontends()) names += (names.empty() ? "" : ", ") + std::string(f->name);
  throw py::value_error(fmt::format("unknown language '{}'; allowed: {}", language, names));
}

Game load(const std::string& text, const std::string& name, const std::string& language, const Options& options,
          bool assert_proofs) {
  Diagnostics diagnostics;
  const Frontend& frontend = frontend_for(language, name, text);
  Game result;
  {
    const py::gil_scoped_release unlocked;
    result.game =
        std::make_shared<const ir::Game>(load_text(name, text, frontend, diagnostics, {options, assert_proofs}, true));
    if (frontend.name == gdl::frontend().name)
      result.rules = std::make_shared<const RuleText>(RuleText{text, name, options.contains("fold-case")});
    result.warnings_json = render_json(diagnostics.all(), *diagnostics.sources());
    if (assert_proofs)
      result.claim_rules = rule_reader(frontend, *result.game->sources()->file_of(1), {options, assert_proofs});
  }
  return result;
}

// All files of the reasoner in one text, each after a line that names it.
std::string cpp_text(const ir::Game& game) {
  std::string result;
  for (const cpp::GeneratedFile& file : cpp::generate(game)) {
    result += fmt::format("// ===== {} =====\n{}", file.name, file.text);
  }
  return result;
}

std::map<std::string, std::string> cpp_files(const Game& game, const std::string& title) {
  std::map<std::string, std::string> result;
  for (cpp::GeneratedFile& file : cpp::generate(*game.game, {title})) result.emplace(file.name, std::move(file.text));
  return result;
}

struct Form {
  std::string_view name;
  std::string (*emit)(const ir::Game& game);
};

constexpr std::array kForms = {
    Form{"rg", [](const ir::Game& game) { return rg::print(game); }},
    Form{"json", [](const ir::Game& game) { return json::print(game) + "\n"; }},
    Form{"dot", [](const ir::Game& game) { return dot::print(game); }},
    Form{"cpp", cpp_text},
};

std::string emit(const Game& game, const std::string& form) {
  for (const Form& f : kForms) {
    if (f.name != form) continue;
    const py::gil_scoped_release unlocked;
    return f.emit(*game.game);
  }
  std::string names;
  for (const Form& f : kForms) names += (names.empty() ? "" : ", ") + std::string(f.name);
  throw py::value_error(fmt::format("a game cannot be written as '{}'; allowed: {}", form, names));
}

std::pair<Game, py::dict> optimize(const Game& game, int level, const std::optional<std::vector<std::string>>& names) {
  auto copy = std::make_shared<ir::Game>(*game.game);
  passes::OptimizeOptions options;
  options.level = level;
  options.passes = names;
  passes::OptimizeReport report;
  {
    const py::gil_scoped_release unlocked;
    report = passes::optimize(*copy, options);
  }
  py::dict result;
  result["seconds"] = report.seconds;
  result["pass_runs"] = report.pass_runs;
  py::list timings;
  for (const passes::PassTiming& t : report.timings) {
    py::dict row;
    row["name"] = std::string(t.name);
    row["runs"] = t.runs;
    row["changes"] = t.changes;
    row["seconds"] = t.seconds;
    timings.append(row);
  }
  result["passes"] = timings;
  return {Game{.game = std::move(copy),
               .warnings_json = game.warnings_json,
               .claim_rules = game.claim_rules,
               .rules = game.rules},
          result};
}

// Ctrl-C ends the compilers.
std::unique_ptr<Reasoner> make_compiled(const ir::Game& game) {
  cpp::BuildOptions options;
  options.stop = watch_compilers;
  try {
    return cpp::make_cpp_reasoner(game, options);
  } catch (const cpp::Stopped&) {
    const py::gil_scoped_acquire locked;
    throw py::error_already_set();
  }
}

struct Engine {
  std::string_view name;
  std::unique_ptr<Reasoner> (*make)(const ir::Game& game);  // without Python's lock
};

constexpr std::array kEngines = {
    Engine{"interpreter", [](const ir::Game& game) { return make_interpreter(game); }},
    Engine{"cpp", make_compiled},
};

constexpr std::string_view kRules = "rules";

std::vector<std::string> engines() {
  std::vector<std::string> result;
  for (const Engine& e : kEngines) result.emplace_back(e.name);
  return result;
}

// The engines of every game, and those of its own language.
std::vector<std::string> engines_of(const Game& game) {
  std::vector<std::string> result = engines();
  if (game.rules != nullptr) result.emplace_back(kRules);
  return result;
}

std::vector<std::string> players(const Game& game) {
  std::vector<std::string> result;
  for (const SymbolId id : game.game->players()) result.push_back(game.game->symbols.str(id));
  return result;
}

// The arguments of with_rules(), for pickles; a text need not be UTF-8.
py::object rule_arguments(const Game& game) {
  if (game.rules == nullptr) return py::none();
  return py::make_tuple(py::bytes(game.rules->text), game.rules->name, game.rules->fold_case);
}

Game with_rules(const Game& game, const std::string& text, const std::string& name, bool fold_case) {
  Game result = game;
  result.rules = std::make_shared<const RuleText>(RuleText{text, name, fold_case});
  result.played = std::make_shared<Played>();
  return result;
}

std::vector<std::string> scores(const Game& game) {
  std::vector<std::string> result;
  for (const SymbolId id : game.game->scores()) result.push_back(game.game->symbols.str(id));
  return result;
}

// Whether `random` can become the player.
bool chance(const Game& game) {
  const ir::Game& g = *game.game;
  for (const ir::EdgeId edge : g.graph.edges()) {
    const ir::Label& label = g.graph.label(edge);
    if (!g.is_player_assignment(label)) continue;
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (assign == nullptr) return true;
    ir::ExprId value = assign->rhs;
    while (g.expressions().kind(value) == ir::ExprKind::cast) value = g.expressions().operand(value);
    const auto symbol = g.constant_symbol(value);
    if (symbol ? *symbol == g.random() : g.index_of(g.expressions().type(value), g.random()) >= 0) return true;
  }
  return false;
}

py::list languages() {
  py::list result;
  for (const Frontend* f : frontends()) {
    py::list extensions;
    for (const std::string_view e : f->extensions) extensions.append(std::string(e));
    result.append(py::make_tuple(std::string(f->name), std::string(f->title), extensions));
  }
  return result;
}

std::vector<std::string> forms() {
  std::vector<std::string> result;
  for (const Form& f : kForms) result.emplace_back(f.name);
  return result;
}

std::string format(const std::string& text, const std::string& name, const std::string& language) {
  const Frontend& frontend = frontend_for(language, name, text);
  if (frontend.format == nullptr) {
    throw py::value_error(fmt::format("there is no formatter for language '{}'", frontend.name));
  }
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(name, text);
  std::string result = frontend.format(file, diagnostics);
  diagnostics.throw_if_errors();
  return result;
}

}  // namespace

bool watch_compilers() {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) return true;
  py::module_::import("rgtrans._progress").attr("tick")();
  return false;
}

std::unique_ptr<Reasoner> make_reasoner(const Game& game, std::string_view engine) {
  if (engine == kRules && game.rules != nullptr) {
    if (game.game->claims.wanted())
      throw Error("the engine \"rules\" proves nothing", "load the game without assert_proofs");
    return rules::follow(game.rules->text, game.rules->name, game.rules->fold_case);
  }
  for (const Engine& e : kEngines) {
    if (e.name != engine) continue;
    // The versions that claims are about are kept with this copy of the game.
    if (game.game->claims.wanted()) return claims::assert_proofs(e.make(*game.game), *game.game, game.claim_rules);
    Diagnostics diagnostics;
    return e.make(load_text("<the game>", rg::print(*game.game), rg::frontend(), diagnostics));
  }
  throw Error(fmt::format("there is no engine '{}'", engine));
}

void bind_game(py::module_& module) {
  py::class_<Game>(module, "Game")
      .def("cpp_files", &cpp_files, py::arg("title"))
      .def("emit", &emit, py::arg("form"))
      .def("optimize", &optimize, py::arg("level"), py::arg("passes"))
      .def("stats", [](const Game& game) { return stats::json(stats::collect(*game.game)); })
      .def_property_readonly("players", &players)
      .def_property_readonly("engines", &engines_of)
      // A copy that has the rules of another game, from which the same automaton was made.
      .def("with_rules", &with_rules, py::arg("text"), py::arg("name"), py::arg("fold_case"))
      .def_property_readonly("rules", &rule_arguments)
      .def_property_readonly(
          "size",
          [](const Game& game) { return py::make_tuple(game.game->graph.node_count(), game.game->graph.edge_count()); })
      .def_property_readonly("scores", &scores)
      .def_property_readonly("hidden", [](const Game& game) { return ir::hides_moves(*game.game); })
      .def_property_readonly("chance", &chance)
      .def_property_readonly("warnings_json", [](const Game& game) { return py::bytes(game.warnings_json); });
  module.def("load", &load, py::arg("text"), py::arg("name"), py::arg("language"), py::arg("options"),
             py::arg("assert_proofs") = false);
  module.def("format", &format, py::arg("text"), py::arg("name"), py::arg("language"));
  module.def("languages", &languages);
  module.def("forms", &forms);
  // Names and paths of the games that come with the program.
  module.def("library_games", [] {
    std::vector<std::pair<std::string, std::string>> games;
    for (const std::string& name : library_names()) games.emplace_back(name, find_game(name)->path);
    return games;
  });
  // The path and the text of the game with this name, or None.
  module.def("library_game", [](const std::string& name) -> std::optional<std::pair<std::string, py::bytes>> {
    const LibraryGame* const game = find_game(name);
    if (game == nullptr) return std::nullopt;
    return std::pair(std::string(game->path), py::bytes(game->text.data(), game->text.size()));
  });
  module.def("engines", &engines);
}

}  // namespace rgtrans::python
