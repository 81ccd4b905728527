// The row for the table of front ends.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/support/limits.hpp"
#include "frontends/ludax/check.hpp"
#include "frontends/ludax/format.hpp"
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

std::optional<std::int64_t> number_option(const FrontendOptions& options, std::string_view name, std::int64_t most,
                                          const Sources::File& file, Diagnostics& diagnostics) {
  const auto it = options.values.find(name);
  if (it == options.values.end()) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = it->second.data() + it->second.size();
  const auto [read, problem] = std::from_chars(it->second.data(), end, value);
  if (problem != std::errc() || read != end || value < 1 || value > most) {
    diagnostics.error(file.range(0, 0), fmt::format("the option {} cannot be '{}'", name, it->second),
                      fmt::format("--option {}=N with N from 1 to {}", name, most));
    return std::nullopt;
  }
  return value;
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  ir::Game game(diagnostics.sources());
  const PlanOptions plan_options{number_option(options, "score-limit", kMostScore, file, diagnostics)};
  const LowerOptions lower_options{number_option(options, "max-plies", kMostPlies, file, diagnostics)};
  if (diagnostics.has_errors()) return game;
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
                      limits::ludax_table.advice());
  } catch (const NumberTooLarge&) {
    diagnostics.error(description->board_where, "numbers of this game become larger than 1000000000");
  }
  if (!diagnostics.has_errors()) ir::add_builtins(game, diagnostics);
  return game;
}

// A list that begins with `game`, and words that no other language of lists has.
int looks_like(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  if (first == std::string_view::npos) return 0;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (!has("(game") || !has("(equipment") || !has("(board")) return 0;
  return has("(destination") ? 96 : 40;
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kRow = {"ludax", "Ludax (.ldx), placement games for two", kExtensions, looks_like, load,
                                    format};
  return kRow;
}

}  // namespace rgtrans::ludax
