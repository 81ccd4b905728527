// Numbers for the moves of two games: moves have equal numbers if their names are equal under a renaming.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/lockstep/equal.hpp"
#include "backends/lockstep/saved.hpp"

namespace rgtrans::lockstep {

// Shared by all threads.
class MoveNames {
 public:
  MoveNames(const EqualOptions& options, std::vector<std::size_t> players, std::size_t systems);

  // The number of a move of the mover, who is numbered as in that game.
  std::uint32_t of(std::size_t game, std::size_t mover, const std::string& text);
  // Of one of the moves with this number; "" if the game has none yet.
  [[nodiscard]] std::string text(std::size_t game, std::uint32_t number) const;
  // The mover of the first game for one of the second.
  [[nodiscard]] std::size_t first_mover(std::size_t mover) const { return first_mover_[mover]; }
  // Entries of the renaming with a text that was not met.
  [[nodiscard]] std::vector<NameMap::Move> unused() const;
  void save(SavedWriter& out) const;
  void load(SavedReader& in);

 private:
  const EqualOptions& options_;
  std::vector<std::size_t> first_mover_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::array<std::string, 2>> texts_;
  std::array<std::unordered_set<std::string>, 2> met_;
};

// The numbers of the moves of one game, kept by one thread.
class NameCache {
 public:
  NameCache(MoveNames& names, std::size_t game) : names_(names), game_(game) {}

  std::uint32_t number(Reasoner& play, std::size_t mover, std::size_t index);

 private:
  struct Hash {
    std::size_t operator()(const std::u32string& tags) const {
      std::uint64_t sum = tags.size();
      for (const char32_t tag : tags) sum = (sum ^ tag) * 0x9e3779b97f4a7c15ULL;
      return sum ^ sum >> 32U;
    }
  };
  MoveNames& names_;
  std::size_t game_;
  std::unordered_map<std::u32string, std::uint32_t, Hash> numbers_;
  std::u32string key_;
};

// Whether what players see is equal under a renaming that is found on the way: every text of one game stands for one
// text of the other.
class Views {
 public:
  explicit Views(bool identical) : identical_(identical) {}
  // Whether the player, numbered as in the first game, may see these two texts.
  bool fit(std::size_t player, const std::string& first, const std::string& second);
  void save(SavedWriter& out) const;
  void load(SavedReader& in);

 private:
  bool identical_;
  std::mutex mutex_;
  std::array<std::unordered_map<std::string, std::string>, 2> other_;
};

}  // namespace rgtrans::lockstep
