// The entry in the table of front ends.
#include <fmt/format.h>

#include <array>

#include "frontends/ludax/check.hpp"
#include "frontends/ludax/editing.hpp"
#include "frontends/ludax/format.hpp"
#include "frontends/ludax/limits.hpp"
#include "frontends/ludax/lower.hpp"
#include "frontends/ludax/ludax.hpp"
#include "frontends/ludax/plan.hpp"
#include "frontends/ludax/reader.hpp"
#include "frontends/ludax/tables.hpp"

namespace rgtrans::ludax {

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".ldx"};
constexpr std::int64_t kMostPlies = 10'000;
constexpr std::int64_t kMostScore = 10'000;

constexpr std::array<LanguageOption, 2> kOptions = {{
    {"score-limit", "N", "scores stay between -N and N", kMostScore},
    {"max-plies", "N", "a play is a draw after N placements and passes", kMostPlies},
}};

std::optional<std::int64_t> number_option(const FrontendOptions& options, std::string_view name) {
  if (!options.has(name)) return std::nullopt;
  return static_cast<std::int64_t>(options.number(name, 1));
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  ir::Game game(diagnostics.sources());
  const PlanOptions plan_options{number_option(options, "score-limit")};
  const LowerOptions lower_options{number_option(options, "max-plies")};
  const auto description = read_description(file, diagnostics);
  if (!description) return game;
  check(*description, diagnostics);
  if (diagnostics.has_errors()) return game;
  try {
    const Plan plan(*description, plan_options, diagnostics);
    if (diagnostics.has_errors()) return game;
    check(*description, plan, lower_options.max_plies.has_value(), diagnostics);
    lower(plan, lower_options, game);
  } catch (const TableTooLarge&) {
    diagnostics.error(description->board_where, "the numbers of this game need tables that are too large",
                      limits::table.advice());
  } catch (const NumberTooLarge&) {
    diagnostics.error(description->board_where, "numbers of this game become larger than 1000000000");
  }
  if (!diagnostics.has_errors()) ir::add_builtins(game, diagnostics);
  return game;
}

// Recognises a list that begins with `game`, and words that no other list-based language has.
int looks_like(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  if (first == std::string_view::npos) return 0;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (!has("(game") || !has("(equipment") || !has("(board")) return 0;
  return has("(destination") ? 96 : 40;
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kRow{.name = "ludax",
                                 .title = "Ludax (.ldx), placement games for two",
                                 .extensions = kExtensions,
                                 .looks_like = looks_like,
                                 .load = load,
                                 .format = format,
                                 .options = kOptions,
                                 .limits = limits::all,
                                 .editing = &kEditing};
  return kRow;
}

}  // namespace rgtrans::ludax
