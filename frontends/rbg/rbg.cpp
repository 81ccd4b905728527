#include "frontends/rbg/rbg.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "frontends/rbg/editing.hpp"
#include "frontends/rbg/emit/words.hpp"
#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/lower.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/text/format.hpp"
#include "frontends/rbg/text/parser.hpp"
#include "frontends/rbg/text/print.hpp"
#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::array<std::string_view, 1> kExtensions = {".rbg"};

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  auto description = parse(file, diagnostics);
  if (!description) return ir::Game(diagnostics.sources());
  ir::Game game = lower(*description, diagnostics, options.claims);
  if (!diagnostics.has_errors()) add_words(*description, game);
  return game;
}

// Recognises RBG by '#' followed by one of five section names, which no other language uses.
int looks_like(std::string_view text) {
  int found = 0;
  for (std::string_view section : {"#players", "#pieces", "#variables", "#rules", "#board"}) {
    if (text.find(section) != std::string_view::npos) ++found;
  }
  return found == 5 ? 95 : found >= 3 ? 60 : found * 10;
}

std::string write_low_level(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions&) {
  return to_low_level(file, diagnostics);
}

constexpr std::array<TextForm, 1> kForms = {
    {{"rbg-ll", "RBG with macros expanded and the board as a graph", {}, write_low_level}}};

std::vector<Measure> measure(const Sources::File& file, Diagnostics& diagnostics) {
  const auto found = straightness(file, diagnostics);
  if (!found) return {};
  const std::string move = to_string(found->move), main = to_string(found->main),
                    everywhere = to_string(found->applicational);
  return {{"straightness",
           fmt::format("{} in a move, {} outside of patterns, {} everywhere", move, main, everywhere),
           {{"move", move}, {"main", main}, {"applicational", everywhere}}}};
}

std::span<const NamedRewrite> rewrites() {
  static const std::vector<NamedRewrite> names = [] {
    std::vector<NamedRewrite> all;
    for (const FlowPass& pass : passes()) all.push_back({pass.name, pass.help});
    return all;
  }();
  return names;
}

}  // namespace

const Frontend& frontend() {
  static constexpr Frontend kFrontend{.name = "rbg",
                                      .title = "Regular Boardgames (.rbg), high-level and low-level",
                                      .extensions = kExtensions,
                                      .looks_like = looks_like,
                                      .load = load,
                                      .format = format,
                                      .limits = limits::all,
                                      .forms = kForms,
                                      .rewrites = rewrites,
                                      .measure = measure,
                                      .editing = &kEditing};
  return kFrontend;
}

std::string to_low_level(const Sources::File& file, Diagnostics& diagnostics) {
  const auto description = parse(file, diagnostics);
  return description ? print(*description) : std::string();
}

}  // namespace rgtrans::rbg
