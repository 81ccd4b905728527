// The entry in the table of front ends.
#include <fmt/format.h>

#include <array>

#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/ludii.hpp"
#include "frontends/ludii/rules/lower.hpp"

namespace rgtrans::ludii {

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".lud"};

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions&) {
  ir::Game game(diagnostics.sources());
  try {
    const Description description = read_description(file, *diagnostics.sources());
    const Equipment equipment = read_equipment(*description.players, *description.equipment);
    const std::vector<Refusal> refusals = lower(description, equipment, game);
    for (const Refusal& one : refusals) diagnostics.error(one.where, one.message, one.hint);
    if (!refusals.empty()) return game;
  } catch (const Refused& refused) {
    diagnostics.error(refused.where, refused.what(), refused.hint);
    return game;
  }
  ir::add_builtins(game, diagnostics);
  return game;
}

// Recognises a list that begins with a game, its players and its equipment.
int looks_like(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (!has("(game") || !has("(equipment") || !has("(players")) return 0;
  return has("(piece") && has("(play") ? 60 : 30;
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kRow{.name = "ludii",
                                 .title = "Ludii (.lud), board games in ludemes",
                                 .extensions = kExtensions,
                                 .looks_like = looks_like,
                                 .load = load,
                                 .limits = limits::all};
  return kRow;
}

}  // namespace rgtrans::ludii
