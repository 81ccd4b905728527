// An opened game: created once, shared by all verbs that work on it, also at the same time. Slow parts are created on
// first use, so a user who types waits for the text alone.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"
#include "core/ir/ir.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "ide/workbench/messages.hpp"
#include "ide/workbench/play_messages.hpp"

namespace rgtrans::ide {

class OpenedGame {
 public:
  // Of a position that was set up, `base` is the game of the text.
  OpenedGame(std::string name, std::shared_ptr<const ir::Game> written, passes::OptimizeOptions options = {},
             std::shared_ptr<const ir::Game> base = nullptr);

  // Of the text, or its address.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const ir::Game& written() const { return *written_; }
  // The game of the text, also where `written` begins in another position. Boards are found in this one.
  [[nodiscard]] const ir::Game& base() const { return base_ == nullptr ? *written_ : *base_; }
  // Not everybody sees every move.
  [[nodiscard]] bool hides() const { return hides_; }

  // The form that a request names; `standard` is the level where it names none.
  [[nodiscard]] const ir::Game& form(const WhichGame& which, int standard = 0) const;
  // The game as opened, which is played.
  [[nodiscard]] const ir::Game& optimized() const;
  // The game that people see, because the optimizer may take boards apart. But passes that are named one by one may
  // change the texts of moves, which those of the pipeline do not.
  [[nodiscard]] const ir::Game& shown() const { return options_.passes ? optimized() : written(); }
  [[nodiscard]] const scene::Painter& painter() const;
  [[nodiscard]] const scene::Wording& wording() const;

  // A reasoner at the start of a play.
  [[nodiscard]] std::unique_ptr<Reasoner> start() const;
  // The same after these moves, and after those of the keeper behind them that show nothing. Throws Error.
  [[nodiscard]] std::unique_ptr<Reasoner> position(const PlayPath& path) const;
  // The moves of a path that are not made by themselves.
  [[nodiscard]] std::vector<std::string> moves_of(const PlayPath& path) const;

 private:
  template <class T, class Make>
  const T& once(std::unique_ptr<const T>& kept, Make make) const;
  [[nodiscard]] const ir::Game& at_level(int level) const;

  std::string name_;
  std::shared_ptr<const ir::Game> written_;
  std::shared_ptr<const ir::Game> base_;  // null where `written` is the game of the text
  bool hides_;
  passes::OptimizeOptions options_;

  mutable std::recursive_mutex mutex_;  // of the members below
  mutable std::unique_ptr<const ir::Game> optimized_;
  mutable std::map<int, std::unique_ptr<const ir::Game>> levels_;
  mutable std::unique_ptr<const scene::Painter> painter_;
  mutable std::unique_ptr<const scene::Wording> wording_;
  mutable std::unique_ptr<const Reasoner> start_;
};
using GamePointer = std::shared_ptr<const OpenedGame>;

// A text whose game verbs are about. It is there, too, where its game has not been made, or cannot be.
struct Document {
  std::string name, text;
  const Frontend* language = nullptr;
  std::function<GamePointer()> load;  // throws Error with the mistakes, Abandoned
};
using DocumentPointer = std::shared_ptr<const Document>;

// Reads the text of a request at once. Throws Error.
DocumentPointer open_document(const OpenRequest& request);
// The game that begins in this position. Throws Error where that does not fit the game.
ir::Game set_up(const ir::Game& written, const PositionSetup& setup);
// Throws Error for a pass that is none.
passes::OptimizeOptions options_of(const OptimizerSettings& settings);

std::optional<TextPlace> place_of(const Sources& sources, Range range);
std::vector<Complaint> complaints_of(const Error& error);
std::vector<Complaint> complaints_of(std::span<const Diagnostic> diagnostics, const Sources* sources);

// Makes these moves, and after each of them those of the keeper that show nothing. Throws Error.
void follow(Reasoner& reasoner, const std::vector<std::string>& moves);
std::size_t index_of(Reasoner& reasoner, const std::string& move);
inline constexpr std::size_t kMostAlone = 100'000;  // moves of the keeper in a row

}  // namespace rgtrans::ide
