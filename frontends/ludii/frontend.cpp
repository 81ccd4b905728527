// The entry in the table of front ends.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/ludii/description.hpp"
#include "frontends/ludii/drawing.hpp"
#include "frontends/ludii/editing.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/format.hpp"
#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/ludii.hpp"
#include "frontends/ludii/rules/lower.hpp"
#include "frontends/ludii/spelling.hpp"
#include "frontends/ludii/text/defines.hpp"

namespace rgtrans::ludii {

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".lud"};

constexpr std::array<LanguageOption, 1> kOptions = {{
    {.name = "ludii",
     .value = "PATH",
     .help = "Ludii.jar or a folder of Ludii, whose defines games can use (default: LUDII_HOME, or a folder def upward "
             "from the file)",
     .text = true,
     .of_commands = true},
}};

ReadOptions read_options(const FrontendOptions& options, Range where) {
  constexpr std::string_view kBound = "bound ";
  constexpr int kMostBound = 2000;
  ReadOptions result;
  for (const auto& [name, value] : options.values) {
    if (!name.starts_with(kBound)) {
      (name == "ludii" ? result.ludii : result.choices[name]) = value;
      continue;
    }
    int bound = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bound);
    if (error != std::errc() || end != value.data() + value.size() || bound < 1 || bound > kMostBound)
      throw Refused(where, fmt::format("{}={} is no bound", name, value),
                    fmt::format("a number from 1 to {}", kMostBound));
    result.bounds[name.substr(kBound.size())] = bound;
  }
  return result;
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  ir::Game game(diagnostics.sources());
  try {
    const Description description =
        read_description(file, *diagnostics.sources(), read_options(options, file.range(0, 0)));
    check_spelling(*description.game, diagnostics);
    if (diagnostics.has_errors()) return game;
    const Equipment equipment = read_equipment(*description.players, *description.equipment);
    const std::vector<Refusal> refusals = lower(description, equipment, game);
    for (const Refusal& one : refusals) report(Refused(one.where, one.message, one.hint), diagnostics);
    if (!refusals.empty()) return game;
    // The test of a move asks for moves that have this test.
    for (const ir::CheckOf& check : ir::reachability_checks(game.graph)) {
      if (check.recursive)
        throw Refused(game.graph.where(check.edge), "a test of moves that depends on itself is not translated yet");
    }
    add_drawing(equipment, game);
  } catch (const Refused& refused) {
    report(refused, diagnostics);
    return game;
  }
  ir::add_builtins(game, diagnostics);
  return game;
}

// Recognises a game with players. No other language of lists has braces.
int looks_like(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  const bool game = has("(game \"") && has("(players ");
  return (game || has("(match \"")) && has("{") ? 97 : 0;
}

}  // namespace

std::vector<std::filesystem::path> other_files(const std::string& name, const FrontendOptions& options) {
  const auto given = options.values.find("ludii");
  return files_of_defines(name, given == options.values.end() ? "" : given->second);
}

const Frontend& frontend() {
  static const Frontend kRow{.name = "ludii",
                             .title = "Ludii (.lud), board games in ludemes",
                             .extensions = kExtensions,
                             .looks_like = looks_like,
                             .load = load,
                             .format = format,
                             .options = kOptions,
                             .limits = limits::all,
                             .own_options = true,
                             .editing = &editing()};
  return kRow;
}

}  // namespace rgtrans::ludii
