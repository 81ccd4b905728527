#include "core/ir/values.hpp"

#include <algorithm>

namespace rgtrans::ir {

ValueId Values::symbol(SymbolId symbol) {
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(mix_hash(symbol.value), fresh, [&](std::uint32_t r) {
    return rows_[r].end == kSymbol && rows_[r].a == symbol.value;
  });
  if (row == fresh) rows_.push_back({symbol.value, 0, kSymbol, 1});
  return ValueId(row);
}

ValueId Values::map(ValueId default_value, std::span<const Entry> entries) {
  std::vector<Entry> kept(entries.begin(), entries.end());
  auto by_key = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  if (!std::is_sorted(kept.begin(), kept.end(), by_key)) std::stable_sort(kept.begin(), kept.end(), by_key);
  kept.erase(std::unique(kept.begin(), kept.end(), [](const Entry& a, const Entry& b) { return a.key == b.key; }),
             kept.end());
  std::erase_if(kept, [&](const Entry& e) { return e.value == default_value; });

  std::uint64_t hash = combine_hash(0x51, default_value.value);
  for (const Entry& e : kept) hash = combine_hash(combine_hash(hash, e.key.value), e.value.value);
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    return rows_[r].end != kSymbol && rows_[r].a == default_value.value &&
           std::ranges::equal(exceptions(ValueId(r)), kept);
  });
  if (row == fresh) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
    std::uint64_t written = rows_[default_value.value].written_size;
    for (const Entry& e : kept) written = std::min(kMost, written + rows_[e.value.value].written_size + 1);
    const auto begin = static_cast<std::uint32_t>(entries_.size());
    entries_.insert(entries_.end(), kept.begin(), kept.end());
    rows_.push_back({default_value.value, begin, static_cast<std::uint32_t>(entries_.size()), written});
  }
  return ValueId(row);
}

ValueId Values::at(ValueId map, SymbolId key) const {
  const auto list = exceptions(map);
  const auto it = std::lower_bound(list.begin(), list.end(), key, [](const Entry& e, SymbolId k) { return e.key < k; });
  return it != list.end() && it->key == key ? it->value : default_of(map);
}

}  // namespace rgtrans::ir
