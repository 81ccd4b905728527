// The games of the corpus and the tables of the oracle, for the tests of the optimizer.
#pragma once

#include <gtest/gtest.h>

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

class InterpreterPlay final : public passes::Play {
 public:
  explicit InterpreterPlay(const ir::Game& game) : reasoner_(make_interpreter(game)) {}
  void reset() override { reasoner_->reset(); }
  [[nodiscard]] bool terminal() const override { return reasoner_->terminal(); }
  [[nodiscard]] std::string mover() const override { return std::to_string(reasoner_->mover()); }
  [[nodiscard]] std::string goals() const override {
    std::string text;
    for (std::size_t p = 0; p < reasoner_->info().players.size(); ++p) text += reasoner_->goal(p) + " ";
    return text;
  }
  std::vector<std::string> moves() override {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) {
      std::string text = reasoner_->move_text(i);
      for (std::size_t p = 0; p < reasoner_->info().players.size(); ++p)
        text += "|" + reasoner_->observed_move_text(i, p);
      list.push_back(std::move(text));
    }
    return list;
  }
  void apply(std::size_t index) override { reasoner_->apply(index); }

 private:
  std::unique_ptr<Reasoner> reasoner_;
};

}  // namespace rgtrans::corpus
