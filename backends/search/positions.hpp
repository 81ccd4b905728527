// Positions for exact search: a reasoner that moves down and up, a key for its current position, and a table by keys.
// Keys are 128 bits of hash. The check of a proof finds every error that a collision could cause.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backends/search/search.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::search {

struct Key {
  std::uint64_t a = 0, b = 0;
  friend bool operator==(const Key&, const Key&) = default;
};
Key key_of(std::span<const std::byte> state);
inline Key canonical_key(const Reasoner& reasoner, bool symmetries = true) {
  std::vector<std::byte> state = reasoner.state_bytes();
  reasoner.canonical(state, symmetries);
  return key_of(state);
}

// Down by a move and keeper's, and up again.
class Walker {
 public:
  // `strict`: keeper's moves must all lead to the same.
  explicit Walker(const Reasoner& start, bool strict = false) : reasoner_(start.clone()), strict_(strict) { keeper(); }
  Walker(const Walker& other) : reasoner_(other.reasoner_->clone()), strict_(other.strict_), moves_(other.moves_) {}
  Walker& operator=(const Walker&) = delete;
  [[nodiscard]] Reasoner& at() const { return *reasoner_; }
  // With `symmetries`, equal for positions that are images of each other.
  [[nodiscard]] Key key(bool symmetries = true) const { return canonical_key(*reasoner_, symmetries); }
  void down(std::size_t index) {
    reasoner_->apply(index);
    moves_.push_back(1 + keeper());
  }
  void up() {
    for (std::size_t i = 0; i < moves_.back(); ++i) reasoner_->undo();
    moves_.pop_back();
  }
  // The moves of the present position; throws where there is none.
  std::size_t list() {
    const std::size_t count = reasoner_->move_count();
    if (count == 0) throw std::runtime_error("the play is stuck: a player has no move, and the play is not over");
    return count;
  }

 private:
  static constexpr std::size_t kMostKeeper = 1'000'000;
  // How many moves keeper has made.
  std::size_t keeper() {
    std::size_t moves = 0;
    for (; reasoner_->keeper_moves(); ++moves) {
      const std::size_t count = reasoner_->move_count();
      if (count == 0 || moves > kMostKeeper) throw std::runtime_error("keeper has no way on");
      if (strict_ && count > 1) compare_keeper_moves(count);
      reasoner_->apply(0);
    }
    return moves;
  }
  void compare_keeper_moves(std::size_t count);

  std::unique_ptr<Reasoner> reasoner_;
  bool strict_;
  std::vector<std::size_t> moves_;
};

// A table by keys with open addressing; nothing is removed.
template <class Value>
class KeyTable {
 public:
  KeyTable() { slots_.resize(1024); }
  // Null when there is none.
  Value* find(const Key& key) {
    Slot& slot = slots_[place(key)];
    return slot.used ? &slot.value : nullptr;
  }
  Value& operator[](const Key& key) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    if (!slot.used) {
      slot.used = true;
      slot.key = key;
      ++count_;
    }
    return slot.value;
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  // The next growth is counted beforehand, because old and new table exist side by side then.
  [[nodiscard]] std::uint64_t bytes() const {
    return slots_.size() * sizeof(Slot) * ((count_ + 2) * 2 > slots_.size() ? 3 : 1);
  }

 private:
  struct Slot {
    Key key;
    Value value{};
    bool used = false;
  };
  std::size_t place(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key.a & mask;
    while (slots_[i].used && !(slots_[i].key == key)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.used) slots_[place(slot.key)] = std::move(slot);
    }
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

// Ends a search from within.
struct OutOfTime {
  const char* what;
  [[nodiscard]] std::string why() const;
};
class SolveLimits {
 public:
  explicit SolveLimits(const SolveOptions& options);
  // The same share of the memory and of the time that is left.
  [[nodiscard]] SolveLimits part(double share) const;
  // Throws OutOfTime.
  void check(std::uint64_t bytes) {
    if (bytes > memory_) throw OutOfTime{"memory"};
    if (++asked_ % 256 != 0) return;
    if (Clock::now() >= until_) throw OutOfTime{"time"};
    if (following_.stopped()) throw OutOfTime{nullptr};
    following_.tell([&] { return fmt::format("{} MiB of positions", bytes >> 20U); });
  }

 private:
  std::uint64_t memory_;
  std::uint64_t asked_ = 0;
  Clock::time_point until_;
  Following following_;
};

struct Repeats {};      // a position came back
struct Chance {};       // random moves, where only players were expected
struct NotConstant {};  // the gain of one player is not the loss of the other
// The first player's goal where a play of two has ended; throws NotConstant.
double constant_sum_value(const Reasoner& end);

// A strategy to be proved: the chooser makes the goal of a player at least, or at most, this value. Without a chooser
// all plays have such a goal.
struct ProofClaim {
  std::size_t chooser = 0;  // as many as there are players: nobody
  std::size_t player = 0;   // whose goal
  bool at_least = true;
  double value = 0;
  [[nodiscard]] bool holds(double goal) const { return at_least ? goal >= value : goal <= value; }
};
// Returns the number of a move that keeps the claim true.
using Adviser = std::function<std::size_t(Walker& at, const ProofClaim& claim)>;
// Writes a proof of this value of the position of `start`, which has been solved; throws Error where the adviser's
// moves prove something else.
void write_proof(const Reasoner& start, const ProofRequest& request, double value, const Adviser& adviser,
                 SolveLimits& limits);

}  // namespace rgtrans::search
