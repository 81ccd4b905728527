#include "core/support/effort.hpp"

#include <fmt/format.h>

#include <utility>

namespace rgtrans {

namespace {

thread_local NoteListener current;

// amount * percent / 100, without overflow.
std::uint64_t share(std::uint64_t amount, std::uint64_t percent) {
  return amount > UINT64_MAX / percent ? amount / 100 * percent : amount * percent / 100;
}

}  // namespace

void listen_to_notes(NoteListener listener) { current = std::move(listener); }

void tell_note(const std::string& note) {
  if (current) current(note);
}

Effort::Effort(std::string_view purpose, std::uint64_t amount, const Limit& percent)
    : Effort(purpose, share(amount, percent)) {}

std::string Effort::why() const {
  if (!ended_) return {};
  return fmt::format("{}: the effort ended before the work did", purpose_);
}

void Effort::end() {
  ended_ = true;
  left_ = 0;
  tell_note(why());
}

}  // namespace rgtrans
