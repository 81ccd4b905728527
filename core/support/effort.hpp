// Work that is worth its time only up to a point: proofs, searches for a better form. An Effort counts it. When it
// ends, the stage goes on without the rest, and the result is right but may be larger or slower; that this happened,
// and for what, can be asked for (`--notes`).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/support/limits.hpp"

namespace rgtrans {

// Gets what was left out, in words; one call for each thing.
using NoteListener = std::function<void(const std::string& note)>;

// Who listens on this thread; nobody at first.
void listen_to_notes(NoteListener listener);
// For what is left out without an Effort, such as an analysis of a board that is too large.
void tell_note(const std::string& note);

class Effort {
 public:
  // `purpose` says what the work is for, as in "telling conditions apart"; it must outlive this object.
  Effort(std::string_view purpose, std::uint64_t amount) : purpose_(purpose), left_(amount) {}
  // As much of `amount` as the language's limit on effort says, in percent.
  Effort(std::string_view purpose, std::uint64_t amount, const Limit& percent);

  // Takes from what is left. False when that does not suffice: then the effort has ended.
  bool spend(std::uint64_t amount = 1) {
    if (amount <= left_) {
      left_ -= amount;
      return true;
    }
    if (!ended_) end();
    return false;
  }
  // More may be spent than was thought, unless it has ended.
  void allow(std::uint64_t amount) {
    if (!ended_) left_ += amount;
  }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // Why it ended, in words; "" while it has not.
  [[nodiscard]] std::string why() const;

 private:
  void end();

  std::string_view purpose_;
  std::uint64_t left_;
  bool ended_ = false;
};

}  // namespace rgtrans
