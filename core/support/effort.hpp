// A budget for optional work, such as proofs and searches for a better form. When it runs out, the stage skips the rest
// of that work: the result is still correct but may be larger or slower. `--notes` lists each budget that ran out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/support/limits.hpp"

namespace rgtrans {

// Receives a description of each piece of work that a stage skipped, in one call per piece.
using NoteListener = std::function<void(const std::string& note)>;

// Sets the listener of this thread. Initially there is none.
void listen_to_notes(NoteListener listener);
// Reports work that was skipped without an Effort, such as an analysis of a board that is too large.
void tell_note(const std::string& note);

class Effort {
 public:
  // `purpose` names the work, as in "telling conditions apart". The text must outlive this object.
  Effort(std::string_view purpose, std::uint64_t amount) : purpose_(purpose), left_(amount) {}
  // A budget of `amount`, scaled by the percentage in the language's limit on effort.
  Effort(std::string_view purpose, std::uint64_t amount, const Limit& percent);

  // Takes `amount` from the budget. Returns false, and ends the effort, if the budget is too small.
  bool spend(std::uint64_t amount = 1) {
    if (amount <= left_) {
      left_ -= amount;
      return true;
    }
    if (!ended_) end();
    return false;
  }
  // Raises the budget, unless the effort has ended.
  void allow(std::uint64_t amount) {
    if (!ended_) left_ += amount;
  }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  // The reason why the effort ended, in words, or "" if it has not.
  [[nodiscard]] std::string why() const;

 private:
  void end();

  std::string_view purpose_;
  std::uint64_t left_;
  bool ended_ = false;
};

}  // namespace rgtrans
