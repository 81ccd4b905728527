// One version of one document. It never changes, so that threads can look at it while the next version is being typed.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/editing.hpp"
#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

// A mistake or a suspicious place of a text.
struct Finding {
  enum class Grade : std::uint8_t { error, warning, hint };
  struct Related {
    outline::Span where;
    std::string message;
  };
  Grade grade = Grade::error;
  outline::Span where;
  std::string message, hint;
  std::vector<Related> related;
  bool unused = false;
};

// The result of a front end for a text: its game, if it has no errors, and the findings.
struct Loaded {
  std::vector<Finding> findings;
  std::shared_ptr<const ir::Game> game;
  GamePointer opened;  // the same for the workbench
};

class Snapshot {
 public:
  Snapshot(std::string uri, std::string language_id, std::int64_t version, std::string text,
           std::shared_ptr<const ir::Game> earlier = nullptr);

  const std::string uri;
  const std::string language_id;  // as the client calls it
  const std::string path;         // "" if it is no file
  const std::int64_t version;
  const std::string text;
  const Lines lines;
  const Frontend* const language;  // null if it cannot be determined

  // Read on first use; empty for a language without an outline.
  [[nodiscard]] const outline::Outline& outline() const;
  // Fast diagnostics: all of them if the game lowers quickly, else those that need no lowering.
  [[nodiscard]] std::vector<Finding> check() const;
  // Whether load() can find more than check() did.
  [[nodiscard]] bool checked_in_part() const;
  // The whole work of the front end, done once, by the first caller. Throws Abandoned if `check_wanted` does.
  std::shared_ptr<const Loaded> load(const std::function<void()>& check_wanted) const;
  // The result of load(), if it exists.
  [[nodiscard]] std::shared_ptr<const Loaded> loaded() const;
  // The game of this version if it is known, else that of the newest version before it that had one.
  [[nodiscard]] std::shared_ptr<const ir::Game> game() const;

 private:
  const std::shared_ptr<const ir::Game> earlier_;
  mutable std::once_flag outlined_;
  mutable outline::Outline outline_;
  mutable std::mutex loading_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Loaded> loaded_;
};

// "/a b.hrg" for "file:///a%20b.hrg"; "" for other schemes.
std::string path_of(std::string_view uri);
std::string uri_of(std::string_view path);

}  // namespace rgtrans::ide
