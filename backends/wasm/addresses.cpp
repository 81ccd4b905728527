#include "backends/wasm/addresses.hpp"

#include <algorithm>
#include <bit>

namespace rgtrans::wasm {

namespace {
constexpr std::size_t kMostCombinations = 1U << 14U;
constexpr std::uint32_t kNoPair = 0xffffffffU;
}  // namespace

const std::vector<std::uint32_t>& Addresses::codes(std::uint32_t cell) {
  static const std::vector<std::uint32_t> kNone;
  const auto range = std::ranges::find_if(tables_.ranges, [&](const interpreter::CellRange& candidate) {
    return cell >= candidate.first && cell - candidate.first < candidate.count;
  });
  if (range == tables_.ranges.end()) return kNone;
  const auto [it, fresh] = codes_.try_emplace(range->first);
  for (std::uint32_t word = 0; fresh && word < range->codes.size(); ++word) {
    for (std::uint64_t rest = range->codes[word]; rest != 0; rest &= rest - 1) {
      it->second.push_back(64 * word + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  return it->second;
}

CellSpan Addresses::span(std::uint32_t b, std::uint32_t a) { return span(b, a, 1, kNoPair); }

CellSpan Addresses::span(std::uint32_t b, std::uint32_t a, std::uint32_t w, std::uint32_t e) {
  const auto [it, fresh] = known_.try_emplace({b, a, w, e});
  if (!fresh) return it->second;
  const std::vector<std::uint32_t> none{0};
  const std::vector<std::uint32_t>& first = codes(a);
  const std::vector<std::uint32_t>& second = e == kNoPair ? none : codes(e);
  if (first.empty() || second.empty() || first.size() * second.size() > kMostCombinations) return it->second;
  CellSpan span{0xffffffffU, 0};
  for (const std::uint32_t x : first) {
    for (const std::uint32_t y : second) {
      const std::uint32_t place = b + x * w + y;
      if (place >= tables_.program.tables.size()) return it->second;
      span.first = std::min(span.first, tables_.program.tables[place]);
      span.last = std::max(span.last, tables_.program.tables[place]);
    }
  }
  it->second = span;
  return span;
}

}  // namespace rgtrans::wasm
