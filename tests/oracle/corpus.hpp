// The games of the corpus and the tables of the oracle, for the tests of the optimizer.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/linegames/linegames.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/frontends/linegames/published.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::corpus {

// Of a kind of games; those in low-level RBG are a kind of their own.
inline std::string language(const std::string& kind) { return kind == "rbg-low" ? "rbg" : kind; }

struct CorpusGame {
  std::string kind, name;
  fs::path path;
  std::string text;  // of a line game, which has no file
};
inline void PrintTo(const CorpusGame& game, std::ostream* out) { *out << game.kind << " " << game.name; }

inline std::vector<CorpusGame> all_games(bool more = false) {
  std::vector<CorpusGame> games;
  for (const auto& [kind, folder, extension] :
       {std::tuple("rg", "rg", ".rg"), std::tuple("hrg", "hrg", ".hrg"), std::tuple("rbg", "rbg/high", ".rbg"),
        std::tuple("rbg-low", "rbg/low", ".rbg"), std::tuple("gdl", "gdl/rg-kif", ".kif")}) {
    if (kind == std::string("rbg-low") || kind == std::string("gdl")) {
      if (!more) continue;
    }
    const fs::path path = shared() / "corpus" / folder;
    if (!fs::exists(path) || find_frontend(language(kind)) == nullptr) continue;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == extension)
        games.push_back({kind, entry.path().stem().string(), entry.path(), {}});
    }
  }
  // The other GDL games, hundreds, are listed for long runs only: `ctest` starts a process for each test it knows. Two
  // are no games: a rule has a variable that nothing binds.
  if (more && full()) {
    std::set<std::string> unsafe;
    for (Row& row : table(shared() / "oracle" / "gdl_ground.tsv")) {
      if (row["status"].starts_with("unsafe rule")) unsafe.insert(row["game"]);
    }
    for (const char* const folder : {"rg", "ggp-base", "ggp-repository", "ggpserver", "ggpserver-sql"}) {
      const fs::path path = shared() / "corpus" / "gdl" / folder;
      if (!fs::exists(path)) continue;
      for (const auto& entry : fs::directory_iterator(path)) {
        const std::string name = folder + ("/" + entry.path().stem().string());
        if (entry.path().extension() == ".kif" && !unsafe.contains(name))
          games.push_back({"gdl", name, entry.path(), {}});
      }
    }
  }
  for (const auto& [name, published] : linegames::published_games(true))
    games.push_back({"line", name, {}, published.json});
  std::ranges::sort(games, {}, [](const CorpusGame& g) { return std::pair(g.kind, g.name); });
  return games;
}

inline ir::Game load(const CorpusGame& game) {
  Diagnostics diagnostics;
  if (game.kind == "line") return load_text(game.name + ".linegame", game.text, linegames::frontend(), diagnostics);
  return load_game({game.path, language(game.kind), {}, false}, diagnostics);
}

}  // namespace rgtrans::corpus
