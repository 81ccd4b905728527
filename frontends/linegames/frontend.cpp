// The entry in the table of front ends. A JSON definition is translated to an HRG program, which hrg loads.
#include <fmt/format.h>

#include "frontends/hrg/hrg.hpp"
#include "frontends/linegames/editing.hpp"
#include "frontends/linegames/format.hpp"
#include "frontends/linegames/limits.hpp"
#include "frontends/linegames/linegames.hpp"

namespace rgtrans::linegames {
namespace {

constexpr std::array<std::string_view, 2> kExtensions = {".linegame", ".json"};

constexpr LanguageOption kOptions[] = {{"published", "", "labels and stepwise captures of the published games"}};

int looks_like(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return 0;
  const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  if (!has("\"board\"")) return 0;
  return has("\"pieces\"") || has("\"kind\"") ? 90 : 30;
}

// Adds the places of the points and the lines between them.
void add_places(const LineGame& definition, ir::Game& game) {
  auto words = game.words != nullptr ? std::make_shared<ir::Words>(*game.words) : std::make_shared<ir::Words>();
  const auto& points = definition.board.points();
  const auto symbol = [&](std::uint32_t point) { return game.symbols.intern(points[point].name); };
  words->shape = ir::CellShape::point;
  words->asides.insert(game.symbols.intern("NORMAL"));  // a move is NORMAL unless it captures
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    words->places[symbol(i)] = {points[i].place.x, points[i].place.y};
    for (const std::uint32_t next : points[i].next) {
      if (next != kNone && i < next) words->lines.emplace_back(symbol(i), symbol(next));
    }
  }
  game.words = std::move(words);
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  auto game = read_definition(file, diagnostics);
  if (!game) return ir::Game(diagnostics.sources());
  if (options.has("published")) game->rules.compat = Compat::published;
  try {
    ir::Game loaded = hrg::load(fmt::format("{} (as HRG)", file.name), game->to_hrg(), diagnostics);
    add_places(*game, loaded);
    return loaded;
  } catch (const ArgumentError& error) {  // kings or flying pieces in the published form
    const Diagnostic& first = error.diagnostics().front();
    diagnostics.error(file.range(0, 0), first.message, first.hint);
    return ir::Game(diagnostics.sources());
  }
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kRow{.name = "linegames",
                                 .title = "definitions of line games (Alquerque and its family) in JSON",
                                 .extensions = kExtensions,
                                 .looks_like = looks_like,
                                 .load = load,
                                 .format = format,
                                 .options = kOptions,
                                 .limits = limits::all,
                                 .editing = &kEditing};
  return kRow;
}

}  // namespace rgtrans::linegames
