#include "core/support/intern.hpp"

#include <utility>

namespace rgtrans {

void IndexSet::grow() {
  std::vector<Slot> old = std::exchange(slots_, {});
  slots_.resize(old.empty() ? 16 : old.size() * 2);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.row == kNone) continue;
    std::size_t i = slot.hash_low & mask;
    while (slots_[i].row != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

namespace {

std::uint64_t hash_text(std::string_view text) { return mix_hash(std::hash<std::string_view>{}(text)); }

}  // namespace

SymbolId Symbols::intern(std::string_view text) {
  const auto fresh = static_cast<std::uint32_t>(size());
  const std::uint32_t row =
      index_.find_or_insert(hash_text(text), fresh, [&](std::uint32_t r) { return this->text(SymbolId(r)) == text; });
  if (row == fresh) {
    characters_.insert(characters_.end(), text.begin(), text.end());
    starts_.push_back(static_cast<std::uint32_t>(characters_.size()));
  }
  return SymbolId(row);
}

SymbolId Symbols::find(std::string_view text) const {
  return SymbolId(index_.find(hash_text(text), [&](std::uint32_t r) { return this->text(SymbolId(r)) == text; }));
}

}  // namespace rgtrans
