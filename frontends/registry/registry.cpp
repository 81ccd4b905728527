#include "frontends/registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontends/gdl/gdl.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/linegames/linegames.hpp"
#include "frontends/ludax/ludax.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {

std::span<const Frontend* const> frontends() {
  static const std::array kTable = {
      &rg::frontend(),  &rg::json_frontend(), &hrg::frontend(),
      &rbg::frontend(), &gdl::frontend(),     &linegames::frontend(), &ludax::frontend(),
  };
  return kTable;
}

const Frontend* find_frontend(std::string_view name) {
  const auto table = frontends();
  const auto it = std::ranges::find(table, name, [](const Frontend* f) { return f->name; });
  return it == table.end() ? nullptr : *it;
}

namespace {

std::string language_list() {
  std::string names;
  for (const Frontend* frontend : frontends()) {
    if (!names.empty()) names += ", ";
    names += frontend->name;
  }
  return names;
}

}  // namespace

const Frontend& choose_frontend(const std::filesystem::path& path, std::string_view text) {
  const std::string extension = path.extension().string();
  const Frontend* best = nullptr;
  int best_score = 0;
  for (const Frontend* frontend : frontends()) {
    const auto known = frontend->extensions;
    const bool by_extension = std::ranges::find(known, extension) != known.end();
    // Two languages may share an extension (.json); the text decides between them.
    const int score = frontend->looks_like(text) + (by_extension ? 1000 : 0);
    if (score > best_score) {
      best = frontend;
      best_score = score;
    }
  }
  if (best != nullptr) return *best;
  throw Error(fmt::format("{}: cannot tell the language from the name or the text", path.string()),
              fmt::format("name it with --from; there are {}", language_list()));
}

const Frontend& frontend_for(std::string_view language, const std::filesystem::path& path, std::string_view text) {
  if (language.empty()) return choose_frontend(path, text);
  if (const Frontend* frontend = find_frontend(language)) return *frontend;
  throw Error(fmt::format("unknown language {}", language), "there are " + language_list());
}

ir::Game load_text(std::string name, std::string text, const Frontend& frontend, Diagnostics& diagnostics,
                   const FrontendOptions& options, bool warnings) {
  const Sources::File& file = diagnostics.sources()->add(std::move(name), std::move(text));
  ir::Game game = frontend.load(file, diagnostics, options);
  diagnostics.throw_if_errors();
  ir::verify(game, diagnostics, {.warnings = warnings && frontend.is_rg});
  diagnostics.throw_if_errors();
  return game;
}

ir::Game load_game(const LoadRequest& request, Diagnostics& diagnostics) {
  std::string text = read_file(request.path);
  const Frontend& frontend = frontend_for(request.language, request.path, text);
  const std::string name = request.path == "-" ? "<stdin>" : request.path.string();
  return load_text(name, std::move(text), frontend, diagnostics, request.options, request.warnings);
}

}  // namespace rgtrans
