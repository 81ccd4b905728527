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

// What is wrong with a text, or suspicious.
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

// What a front end made of a text: its game, where it has no errors, and what was found on the way.
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
  const std::string path;         // "" for what is no file
  const std::int64_t version;
  const std::string text;
  const Lines lines;
  const Frontend* const language;  // null where it cannot be told

  // Read when it is first asked for; empty for a language that tells nothing.
  [[nodiscard]] const outline::Outline& outline() const;
  // What can be told soon: all mistakes where making a game takes no time, else those that need none.
  [[nodiscard]] std::vector<Finding> check() const;
  // Whether load() can tell more than check() did.
  [[nodiscard]] bool checked_in_part() const;
  // The front end's whole work; done once, by whoever comes first. Throws Abandoned when `wanted` says so.
  std::shared_ptr<const Loaded> load(const std::function<void()>& check_wanted) const;
  // What load() gave, if it is there.
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
