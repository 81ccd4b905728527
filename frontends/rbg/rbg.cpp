#include "frontends/rbg/rbg.hpp"

#include <array>

#include "frontends/rbg/format.hpp"
#include "frontends/rbg/lower.hpp"
#include "frontends/rbg/parser.hpp"
#include "frontends/rbg/print.hpp"
#include "frontends/rbg/tokens.hpp"
#include "frontends/rbg/words.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".rbg"};

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions&) {
  auto description = parse(file, diagnostics);
  if (!description) return ir::Game(diagnostics.sources());
  ir::Game game = lower(*description, file, diagnostics);
  if (!diagnostics.has_errors()) add_words(*description, game);
  return game;
}

// Sections begin with '#' and one of five words, which no other language has.
int looks_like(std::string_view text) {
  int found = 0;
  for (std::string_view section : {"#players", "#pieces", "#variables", "#rules", "#board"}) {
    if (text.find(section) != std::string_view::npos) ++found;
  }
  return found == 5 ? 95 : found >= 3 ? 60 : found * 10;
}

}  // namespace

const Frontend& frontend() {
  static const Frontend kFrontend{
      "rbg", "Regular Boardgames (.rbg), high-level and low-level", kExtensions, looks_like, load, format};
  return kFrontend;
}

std::string to_low_level(const Sources::File& file, Diagnostics& diagnostics) {
  const auto description = parse(file, diagnostics);
  return description ? print(*description) : std::string();
}

}  // namespace rgtrans::rbg
