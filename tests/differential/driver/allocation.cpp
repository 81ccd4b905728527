// The translation of a small game allocates and frees so many small blocks that malloc takes a quarter of the time of
// a comparison. In this program `new` takes blocks of up to kMostBytes from lists of free blocks, one list per size.
// Slabs are never given back: the next game uses them. A sanitizer keeps its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RGTRANS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RGTRANS_SANITIZED
#endif
#endif

#ifndef RGTRANS_SANITIZED

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace rgtrans::differential {

namespace {

constexpr std::size_t kUnit = 16, kMostBytes = 1024, kClasses = kMostBytes / kUnit;
constexpr std::size_t kSlab = std::size_t{1} << 16U;
// Chunks are mapped one by one: a limit of the address space may come when the program runs already.
constexpr unsigned kChunkBits = 26, kAddressBits = 48;
constexpr std::size_t kChunk = std::size_t{1} << kChunkBits;

struct Block {
  Block* next;
};

// Threads have lists of their own; a block goes to those of the thread that frees it.
thread_local std::array<Block*, kClasses> t_free{};
std::array<std::atomic<bool>, std::size_t{1} << (kAddressBits - kChunkBits)> g_is_chunk{};  // by the upper bits
std::mutex g_mutex;                                                                         // for the variables below
char *g_next = nullptr, *g_end = nullptr;  // the slabs of the last chunk that nobody has
bool g_full = false;

// A chunk at a multiple of its size; null where there is none.
char* map_chunk() {
  void* const memory =
      mmap(nullptr, 2 * kChunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(memory);
  const std::size_t before = (kChunk - reinterpret_cast<std::uintptr_t>(begin) % kChunk) % kChunk;
  char* const chunk = begin + before;
  if (before > 0) munmap(begin, before);
  munmap(chunk + kChunk, kChunk - before);
  g_is_chunk[reinterpret_cast<std::uintptr_t>(chunk) >> kChunkBits] = true;
  return chunk;
}

// A slab for blocks of this class, whose first unit tells it; null where there is none.
char* take_slab(std::size_t size_class) {
  const std::lock_guard lock(g_mutex);
  if (g_next == g_end && !g_full) {
    g_next = map_chunk();
    g_full = g_next == nullptr;
    g_end = g_full ? nullptr : g_next + kChunk;
  }
  if (g_full) return nullptr;
  char* const slab = std::exchange(g_next, g_next + kSlab);
  new (slab) std::size_t(size_class);
  return slab;
}

[[nodiscard]] bool fill(std::size_t size_class) {
  char* const slab = take_slab(size_class);
  if (slab == nullptr) return false;
  const std::size_t bytes = (size_class + 1) * kUnit;
  Block* list = nullptr;
  for (std::size_t at = (kSlab - kUnit) / bytes; at-- > 0;) list = new (slab + kUnit + at * bytes) Block{list};
  t_free[size_class] = list;
  return true;
}

void* from_system(std::size_t bytes) {
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

void* take_memory(std::size_t bytes) {
  if (bytes > kMostBytes) return from_system(bytes);
  const std::size_t size_class = bytes == 0 ? 0 : (bytes - 1) / kUnit;
  if (t_free[size_class] == nullptr && !fill(size_class)) return from_system(bytes);
  Block* const block = t_free[size_class];
  t_free[size_class] = block->next;
  return block;
}

void give_memory(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t chunk = address >> kChunkBits;
  if (chunk >= g_is_chunk.size() || !g_is_chunk[chunk].load(std::memory_order_relaxed)) {
    std::free(memory);
    return;
  }
  const auto* const slab = static_cast<const char*>(memory) - address % kSlab;
  Block*& list = t_free[*reinterpret_cast<const std::size_t*>(slab)];
  list = new (memory) Block{list};
}

}  // namespace

}  // namespace rgtrans::differential

void* operator new(std::size_t bytes) { return rgtrans::differential::take_memory(bytes); }
void operator delete(void* memory) noexcept { rgtrans::differential::give_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { rgtrans::differential::give_memory(memory); }

#endif
