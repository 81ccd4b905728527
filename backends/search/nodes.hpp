// The memory of a tree search: nodes with their positions, found by a key of the position, and the edges of each node
// in one array. No node or edge moves after it was added, so threads read nodes and follow edges while other threads
// add some. Each thread reserves memory in large pieces and fills them alone. A node has a lock for its changes;
// members that are read without the lock are atomic.
//
// Compiled reasoners include this text, so it uses the standard library alone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace rgtrans::search {

// No node, no outcome: not known yet.
inline constexpr std::uint32_t kUnknown = 0xffffffffU;
// The distance between data that two threads write often.
inline constexpr std::size_t kLine = 64;

// A lock for work that takes less time than waking a thread. A thread that waits long yields the processor.
class MomentLock {
 public:
  void lock() {
    constexpr unsigned kPatience = 200;
    while (held_.exchange(true, std::memory_order_acquire)) {
      for (unsigned looks = 0; held_.load(std::memory_order_relaxed); ++looks) {
        if (looks > kPatience) std::this_thread::yield();
      }
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_ = false;
};

// Choosing among edges reads only their mean and the width of their interval. Both are renewed with each result.
struct TreeEdge {
  double sum = 0;  // of results, of the one who moves
  float mean = 0;
  float width = 0;  // one by the root of the visits
  std::uint32_t visits = 0;
  std::atomic<std::uint32_t> child = kUnknown;
  std::uint32_t move = 0;
  std::uint32_t outcome = kUnknown;  // of the child where it is known to be proven

  // All but the child.
  void assign(const TreeEdge& other) {
    sum = other.sum;
    mean = other.mean;
    width = other.width;
    visits = other.visits;
    move = other.move;
    outcome = other.outcome;
  }
  void renew() {
    const auto count = static_cast<float>(visits);
    mean = static_cast<float>(sum) / count;
    width = 1 / std::sqrt(count);
  }
};
static_assert(sizeof(TreeEdge) == 32);

// Data that only some options need.
struct EdgeExtra {
  std::uint64_t key = 0;
  double later_sum = 0;  // RAVE
  std::uint32_t later_visits = 0;
  float line = 0;  // at the end of the most visited line, of the one who moves
};

struct alignas(8) TreeNode {
  std::atomic<TreeEdge*> list = nullptr;  // null: not listed yet
  std::uint32_t edges = 0;                // fixed for the life of the node
  std::uint32_t tried = 0;                // so many of its edges, which are the first ones
  std::uint32_t visits = 0;
  std::atomic<std::uint32_t> outcome = kUnknown;  // proven
  std::uint32_t least = kUnknown;                 // an outcome that the mover can have anyway
  std::uint16_t mover = 0;
  MomentLock lock;

  [[nodiscard]] bool listed() const { return list.load(std::memory_order_acquire) != nullptr; }
  [[nodiscard]] bool proven() const { return outcome.load(std::memory_order_acquire) != kUnknown; }
  // Of a listed node.
  [[nodiscard]] TreeEdge* begin() const { return list.load(std::memory_order_relaxed); }
  [[nodiscard]] TreeEdge* end() const { return begin() + edges; }
  [[nodiscard]] TreeEdge* end_of_tried() const { return begin() + tried; }
  // Stored after the edges, in their order.
  [[nodiscard]] EdgeExtra* extras() const { return reinterpret_cast<EdgeExtra*>(end()); }
  [[nodiscard]] EdgeExtra& extra(const TreeEdge& edge) const { return extras()[&edge - begin()]; }
  // The position is stored after the node.
  [[nodiscard]] std::byte* state() { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const std::byte* state() const { return reinterpret_cast<const std::byte*>(this + 1); }
};
static_assert(sizeof(TreeNode) == 32);

struct Freeing {
  void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t(kLine)); }
};
using LineMemory = std::unique_ptr<std::byte, Freeing>;
inline LineMemory allocate(std::size_t size) {
  return LineMemory(static_cast<std::byte*>(::operator new(size, std::align_val_t(kLine))));
}

// Things by numbers that stay where they are while more of them come: in blocks, of which each has as many as all
// before it.
struct BlockPlan {
  static constexpr std::uint32_t kFirst = 64;  // in the first one
  static constexpr std::size_t kMost = 27;     // blocks

  static unsigned block_of(std::uint32_t number) { return static_cast<unsigned>(std::bit_width(number / kFirst)); }
  static std::size_t first_of(unsigned block) { return block == 0 ? 0 : std::size_t{kFirst} << (block - 1); }
  static std::size_t size_of(unsigned block) { return block == 0 ? kFirst : first_of(block); }
};

// Equal pieces of memory by numbers. Unclaimed pieces are not touched.
class MemoryPieces {
 public:
  static constexpr std::uint32_t kAtOnce = BlockPlan::kFirst;

  explicit MemoryPieces(std::size_t size) : size_(size) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* operator[](std::uint32_t number) const {
    const unsigned block = BlockPlan::block_of(number);
    return blocks_[block].get() + (number - BlockPlan::first_of(block)) * size_;
  }
  // The first of kAtOnce new ones.
  std::uint32_t claim() {
    const std::lock_guard lock(lock_);
    if (claimed_ == kMost) throw std::bad_alloc();
    const unsigned block = BlockPlan::block_of(claimed_);
    if (claimed_ == BlockPlan::first_of(block)) blocks_[block] = allocate(size_ * BlockPlan::size_of(block));
    return std::exchange(claimed_, claimed_ + kAtOnce);
  }

 private:
  static constexpr std::uint32_t kMost = 1U << 31U;

  std::size_t size_;
  std::array<LineMemory, BlockPlan::kMost> blocks_;
  std::uint32_t claimed_ = 0;
  std::mutex lock_;  // held to claim a block; other threads see a number only after its block exists
};

// The nodes of one tree.
class TreeNodes {
 public:
  // The part that a thread claimed and has not used yet.
  class Share {
    friend class TreeNodes;
    std::uint32_t next = 0, end = 0;  // nodes
    std::vector<LineMemory> blocks;
    std::byte* free = nullptr;  // of the last block
    std::size_t left = 0, block = kFirstBlock;
  };

  TreeNodes(std::size_t state_size, std::uint64_t memory, bool extras)
      : state_size_(state_size),
        memory_(memory),
        edge_size_(sizeof(TreeEdge) + (extras ? sizeof(EdgeExtra) : 0)),
        pieces_((sizeof(TreeNode) + state_size + kRounding - 1) / kRounding * kRounding),
        used_(sizeof(Shard) * kShards) {
    for (Shard& shard : shards_) resize(shard, kFewestSlots);
  }

  TreeNode& operator[](std::uint32_t id) const { return *std::launder(reinterpret_cast<TreeNode*>(pieces_[id])); }
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t count = 0;
    for (const Shard& shard : shards_) count += shard.count;
    return count;
  }
  // Bytes that were claimed.
  [[nodiscard]] std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // The next move copies the nodes that it keeps; the rest of the memory is reserved for the copy.
  [[nodiscard]] bool full() const { return used() > memory_ / 8 * 5; }

  // A number for a node that is not in the tree yet: always the same one until it is inserted. Its position is to be
  // written.
  std::uint32_t spare(Share& share) {
    if (share.next == share.end) {
      share.next = pieces_.claim();
      share.end = share.next + MemoryPieces::kAtOnce;
      used_.fetch_add(MemoryPieces::kAtOnce * pieces_.size(), std::memory_order_relaxed);
    }
    new (pieces_[share.next]) TreeNode;
    return share.next;
  }
  // The node of the position of a spare one, which becomes part of the tree if there is none yet; second: it does.
  std::pair<std::uint32_t, bool> insert(Share& share) {
    const std::byte* state = (*this)[share.next].state();
    const std::uint32_t hashed = hash(state);
    Shard& shard = shard_of(hashed);
    const std::lock_guard lock(shard.lock);
    Slot* slot = place(shard, state, hashed);
    if (slot->id != kUnknown) return {slot->id, false};
    *slot = {share.next, hashed};
    ++shard.count;
    if (std::size_t{shard.count} * 2 > shard.slots.size()) resize(shard, shard.slots.size() * 2);
    return {share.next++, true};
  }
  // kUnknown where there is none.
  std::uint32_t find(const std::byte* state) {
    const std::uint32_t hashed = hash(state);
    Shard& shard = shard_of(hashed);
    const std::lock_guard lock(shard.lock);
    return place(shard, state, hashed)->id;
  }

  // Room for the edges of a node, and for their extras. The last one may be given back.
  TreeEdge* edges(Share& share, std::uint32_t count) {
    const std::size_t bytes = count * edge_size_;
    if (bytes > share.left) add_block(share, bytes);
    std::byte* room = share.free;
    share.free += bytes;
    share.left -= bytes;
    TreeEdge* const list = reinterpret_cast<TreeEdge*>(room);
    for (std::uint32_t i = 0; i < count; ++i) (new (list + i) TreeEdge)->move = i;
    return list;
  }
  void give_back(Share& share, std::uint32_t count) {
    share.free -= count * edge_size_;
    share.left += count * edge_size_;
  }

 private:
  static constexpr std::size_t kRounding = 32;
  static constexpr std::size_t kShards = 64;
  static constexpr unsigned kShardBits = 6;
  static constexpr std::size_t kFewestSlots = 8;
  static constexpr std::size_t kFirstBlock = 4096;  // bytes
  static constexpr std::size_t kMostBlocks = 128;   // as many of the largest ones fill the memory

  struct Slot {
    std::uint32_t id = kUnknown;
    std::uint32_t hash = 0;  // so that others' positions are hardly ever looked at
  };
  // Part of a table with open addressing; a position belongs to one of them.
  struct alignas(kLine) Shard {
    MomentLock lock;
    std::uint32_t count = 0;
    std::vector<Slot> slots;  // a power of two
  };

  Shard& shard_of(std::uint32_t hashed) { return shards_[hashed >> (32U - kShardBits)]; }
  [[nodiscard]] std::uint32_t hash(const std::byte* state) const {
    std::uint64_t h = state_size_ * 0x9e3779b97f4a7c15U;
    const auto mix = [&](std::uint64_t part) {
      h = (h ^ part) * 0xd6e8feb86659fd93U;
      h ^= h >> 32U;
    };
    std::size_t at = 0;
    std::uint64_t part = 0;
    for (; at + sizeof part <= state_size_; at += sizeof part) {
      std::memcpy(&part, state + at, sizeof part);
      mix(part);
    }
    part = 0;
    std::memcpy(&part, state + at, state_size_ - at);
    mix(part);
    mix(part);
    return static_cast<std::uint32_t>(h);
  }
  // The slot of a position, or a free one.
  Slot* place(Shard& shard, const std::byte* state, std::uint32_t hashed) const {
    const std::size_t mask = shard.slots.size() - 1;
    std::size_t i = hashed & mask;
    while (
        shard.slots[i].id != kUnknown &&
        (shard.slots[i].hash != hashed || std::memcmp((*this)[shard.slots[i].id].state(), state, state_size_) != 0)) {
      i = (i + 1) & mask;
    }
    return &shard.slots[i];
  }
  void resize(Shard& shard, std::size_t count) {
    used_.fetch_add((count - shard.slots.size()) * sizeof(Slot), std::memory_order_relaxed);
    const std::vector<Slot> old = std::exchange(shard.slots, std::vector<Slot>(count));
    for (const Slot& slot : old) {
      if (slot.id == kUnknown) continue;
      std::size_t i = slot.hash & (count - 1);
      while (shard.slots[i].id != kUnknown) i = (i + 1) & (count - 1);
      shard.slots[i] = slot;
    }
  }
  void add_block(Share& share, std::size_t least) {
    const std::size_t size = std::max(share.block, least);
    share.blocks.push_back(allocate(size));
    share.free = share.blocks.back().get();
    share.left = size;
    if (share.block * 2 <= memory_ / kMostBlocks) share.block *= 2;
    used_.fetch_add(size, std::memory_order_relaxed);
  }

  std::size_t state_size_;
  std::uint64_t memory_;
  std::size_t edge_size_;
  MemoryPieces pieces_;
  std::array<Shard, kShards> shards_;
  alignas(kLine) std::atomic<std::uint64_t> used_;
};

// The results with which plays ended, each once, by their numbers.
class TreeOutcomes {
 public:
  const double* operator[](std::uint32_t number) const {
    const unsigned block = BlockPlan::block_of(number);
    return blocks_[block][number - BlockPlan::first_of(block)];
  }
  std::uint32_t number(const std::vector<double>& results) {
    const std::lock_guard lock(lock_);
    const auto [it, fresh] = numbers_.try_emplace(results, static_cast<std::uint32_t>(numbers_.size()));
    if (fresh) {
      const unsigned block = BlockPlan::block_of(it->second);
      if (!blocks_[block]) blocks_[block] = std::make_unique<const double*[]>(BlockPlan::size_of(block));
      blocks_[block][it->second - BlockPlan::first_of(block)] = it->first.data();
    }
    return it->second;
  }

 private:
  MomentLock lock_;
  std::map<std::vector<double>, std::uint32_t> numbers_;
  std::array<std::unique_ptr<const double*[]>, BlockPlan::kMost> blocks_;
};

}  // namespace rgtrans::search
