// The games in games/ that are texts. Each has a file with its expected perft next to it.
#pragma once

#include <algorithm>

#include "frontends/registry/registry.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::own_games {

inline std::filesystem::path folder() { return std::filesystem::path(RGTRANS_SOURCE_DIR) / "games"; }

// Relative paths, as used in test names.
inline std::vector<std::string> all() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
    const std::filesystem::path& path = entry.path();
    std::filesystem::path sidecar = path;
    sidecar.replace_extension(".perft");
    const std::string extension = path.extension().string();
    if (extension == ".perft" || extension == ".py" || extension == ".md" || !std::filesystem::exists(sidecar))
      continue;
    found.push_back(std::filesystem::relative(path, folder()).string());
  }
  std::ranges::sort(found);
  return found;
}

inline ir::Game load(const std::string& game) {
  Diagnostics diagnostics;
  return load_game({.path = folder() / game, .language = {}, .options = {}}, diagnostics);
}

}  // namespace rgtrans::own_games
