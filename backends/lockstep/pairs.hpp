// A set of pairs of states, in order of arrival, for many threads. Each pair knows the pair and the move that led to
// it.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/lockstep/saved.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

class Pairs {
 public:
  using Id = std::uint64_t;
  static constexpr Id kNoPair = ~Id{0};

  explicit Pairs(std::size_t bytes) : bytes_(bytes), stride_((kHead + bytes + 7) / 8 * 8) {}

  // The number of the pair with these bytes, and whether it is new.
  std::pair<Id, bool> insert(std::span<const std::byte> bytes, Id parent, std::uint32_t move) {
    const std::uint64_t hash =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Shard& shard = shards_[hash % kShards];
    const std::lock_guard lock(shard.mutex);
    if (std::uint64_t{shard.count} * 3 >= shard.table.size() * 2) grow(shard);
    const std::uint32_t mark = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = (hash / kShards) & (shard.table.size() - 1);
    for (; shard.table[at].index != kFree; at = (at + 1) & (shard.table.size() - 1)) {
      const Slot& slot = shard.table[at];
      if (slot.mark == mark && std::memcmp(record(shard, slot.index) + kHead, bytes.data(), bytes_) == 0)
        return {slot.index * kShards + hash % kShards, false};
    }
    const std::uint32_t index = shard.count++;
    shard.table[at] = {mark, index};
    std::byte* const place = add(shard, index);
    std::memcpy(place, &parent, sizeof parent);
    std::memcpy(place + sizeof parent, &move, sizeof move);
    std::memcpy(place + kHead, bytes.data(), bytes_);
    count_.fetch_add(1, std::memory_order_relaxed);
    return {index * kShards + hash % kShards, true};
  }

  // Of pairs that were inserted before all threads met last.
  [[nodiscard]] std::span<const std::byte> bytes(Id pair) const { return {at(pair) + kHead, bytes_}; }
  [[nodiscard]] Id parent(Id pair) const { return read<Id>(at(pair)); }
  [[nodiscard]] std::uint32_t move(Id pair) const { return read<std::uint32_t>(at(pair) + sizeof(Id)); }

  void save(SavedWriter& out) const {
    for (const Shard& shard : shards_) {
      out.number(shard.count);
      for (std::uint32_t i = 0; i < shard.count; ++i) out.bytes({record(shard, i), kHead + bytes_});
    }
  }
  // Into an empty set. Numbers stay as they were.
  void load(SavedReader& in) {
    std::vector<std::byte> one(kHead + bytes_);
    for (std::size_t number = 0; number < kShards; ++number) {
      const std::uint64_t count = in.number();
      for (std::uint64_t i = 0; i < count; ++i) {
        in.bytes(one);
        const auto [id, fresh] =
            insert(std::span(one).subspan(kHead), read<Id>(one.data()), read<std::uint32_t>(one.data() + sizeof(Id)));
        if (!fresh || id != i * kShards + number) throw Error("the file was written by another version of rgtrans");
      }
    }
  }

  [[nodiscard]] std::uint64_t size() const { return count_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t memory() const { return memory_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kShards = 64;
  static constexpr std::size_t kHead = sizeof(Id) + sizeof(std::uint32_t);
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::size_t kFirstBlock = 64;  // records; each further block is as long as all before it

  struct Slot {
    std::uint32_t mark = 0, index = kFree;
  };
  struct Shard {
    std::mutex mutex;
    std::uint32_t count = 0;
    std::vector<Slot> table = std::vector<Slot>(64);
    std::array<std::unique_ptr<std::byte[]>, 32> blocks;
  };

  template <class T>
  static T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  // The block of a record, and its place there.
  static std::pair<std::size_t, std::size_t> place_of(std::uint32_t index) {
    const std::size_t block = static_cast<std::size_t>(std::bit_width(index / kFirstBlock));
    return {block, block == 0 ? index : index - (kFirstBlock << (block - 1))};
  }
  [[nodiscard]] const std::byte* record(const Shard& shard, std::uint32_t index) const {
    const auto [block, place] = place_of(index);
    return shard.blocks[block].get() + place * stride_;
  }
  [[nodiscard]] const std::byte* at(Id pair) const {
    return record(shards_[pair % kShards], static_cast<std::uint32_t>(pair / kShards));
  }
  std::byte* add(Shard& shard, std::uint32_t index) {
    const auto [block, place] = place_of(index);
    if (shard.blocks[block] == nullptr) {
      const std::size_t size = (block == 0 ? kFirstBlock : kFirstBlock << (block - 1)) * stride_;
      shard.blocks[block] = std::make_unique_for_overwrite<std::byte[]>(size);
      memory_.fetch_add(size, std::memory_order_relaxed);
    }
    return shard.blocks[block].get() + place * stride_;
  }
  void grow(Shard& shard) {
    memory_.fetch_add(shard.table.size() * sizeof(Slot), std::memory_order_relaxed);
    const std::size_t mask = shard.table.size() * 2 - 1;
    std::vector<Slot> table(mask + 1);
    for (const Slot& slot : shard.table) {
      if (slot.index == kFree) continue;
      const std::string_view bytes(reinterpret_cast<const char*>(record(shard, slot.index)) + kHead, bytes_);
      std::size_t at = std::hash<std::string_view>()(bytes) / kShards & mask;
      while (table[at].index != kFree) at = (at + 1) & mask;
      table[at] = slot;
    }
    shard.table = std::move(table);
  }

  std::size_t bytes_, stride_;
  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> count_ = 0, memory_ = 0;
};

}  // namespace rgtrans::lockstep
