// Computes the exact value that a strategy guarantees. It walks through all plays in which one player follows the
// strategy, in the original game. Two positions count as equal if they differ only in variables that no later move
// reads; it takes no other shortcut.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/search/positions.hpp"

namespace rgtrans::search {

// Goals and their averages, without rounding.
using Worth = boost::multiprecision::cpp_rational;
// "50", "62.5", "187/3".
[[nodiscard]] std::string text(const Worth& worth);

// The game as the author wrote it, ready for proofs: pragmas are not trusted, and keeper has no choice.
class WrittenGame {
 public:
  explicit WrittenGame(const ir::Game& game);
  [[nodiscard]] const GameInfo& info() const { return reasoner_->info(); }
  // Throws Error where a position has no value of its own, or values of more than two players would be needed.
  void require_provable() const;
  // The value of an endless play for the first player.
  [[nodiscard]] Worth endless() const;
  // Of the printed game.
  [[nodiscard]] const std::string& digest() const { return digest_; }
  // The position after these moves, keeper's included.
  [[nodiscard]] Walker at(const std::vector<std::string>& path) const;

 private:
  std::unique_ptr<Reasoner> reasoner_;
  std::string digest_;
};

// Knows the strategy and follows the walk.
class Guide {
 public:
  virtual ~Guide() = default;
  virtual std::size_t choose(Walker& at) = 0;
  virtual void down(Walker& /*at*/, std::size_t /*index*/) {}
  virtual void up() {}
};

// The chooser follows a strategy for or against the first player's goal. Without a chooser (then `chooser` is the
// number of players), the walk follows all moves. It visits each position once: the chooser's by one move, others by
// all moves, in the order of their texts. Other players choose the worst for the strategy, random counts as its
// average.
class StrategyWalk {
 public:
  StrategyWalk(const Walker& start, std::size_t chooser, bool at_least, Worth endless, Guide& guide,
               SolveLimits& limits);
  // The value that the strategy guarantees; throws Error if it is unknown.
  Worth run();
  [[nodiscard]] std::uint64_t positions() const { return entries_.size(); }
  // Random has had a choice.
  [[nodiscard]] bool chance() const { return chance_; }

 private:
  enum : std::uint32_t { kNew, kOpen, kWorths };  // entries; from kWorths on, a number of worths_
  struct Frame {
    Key key;
    std::vector<std::uint32_t> moves;
    bool random = false;
    std::size_t next = 0;
    std::optional<Worth> worth;  // a sum where random moves
  };
  std::optional<Worth> enter();
  void collect(Frame& frame, const Worth& worth) const;
  std::uint32_t number_of(const Worth& worth);
  [[nodiscard]] Key key() const;

  Walker at_;
  std::size_t chooser_;
  bool at_least_;
  Worth endless_;
  Guide& guide_;
  SolveLimits& limits_;
  KeyTable<std::uint32_t> entries_;
  std::map<Worth, std::uint32_t> numbers_;
  std::vector<Worth> worths_;
  std::vector<Frame> stack_;
  std::uint64_t secret_;
  bool chance_ = false, repeats_ = false;
};

}  // namespace rgtrans::search
