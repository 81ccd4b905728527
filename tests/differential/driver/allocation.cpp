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

namespace rgtrans::differential {

namespace {

constexpr std::size_t kUnit = 16, kMostBytes = 1024, kClasses = kMostBytes / kUnit;
constexpr std::size_t kSlab = std::size_t{1} << 16U;
constexpr std::size_t kArena = std::size_t{1} << 35U;  // of addresses; pages are there when they are used

struct Block {
  Block* next;
};

// Threads have lists of their own; a block goes to those of the thread that frees it.
thread_local std::array<Block*, kClasses> t_free{};
std::mutex g_mutex;                   // for the variables below
std::atomic<char*> g_arena{nullptr};  // read without it
char* g_next = nullptr;               // the first slab that nobody has; null: the arena is full, or there is none
std::array<std::uint8_t, kArena / kSlab> g_class_of{};
bool g_started = false;

// A slab for blocks of this class; null where there is none.
char* take_slab(std::size_t size_class) {
  const std::lock_guard lock(g_mutex);
  if (!g_started) {
    g_started = true;
    void* const memory =
        mmap(nullptr, kArena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;  // where the address space is limited
    g_next = static_cast<char*>(memory);
    g_arena = g_next;
  }
  char* const slab = g_next;
  if (slab == nullptr) return nullptr;
  g_class_of[static_cast<std::size_t>(slab - g_arena.load()) / kSlab] = static_cast<std::uint8_t>(size_class);
  g_next = slab + kSlab == g_arena.load() + kArena ? nullptr : slab + kSlab;
  return slab;
}

[[nodiscard]] bool fill(std::size_t size_class) {
  char* const slab = take_slab(size_class);
  if (slab == nullptr) return false;
  const std::size_t bytes = (size_class + 1) * kUnit;
  Block* list = nullptr;
  for (std::size_t at = kSlab / bytes; at-- > 0;) list = new (slab + at * bytes) Block{list};
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
  char* const arena = g_arena.load(std::memory_order_relaxed);
  const auto offset = reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(arena);
  if (arena == nullptr || offset >= kArena) {
    std::free(memory);
    return;
  }
  Block*& list = t_free[g_class_of[offset / kSlab]];
  list = new (memory) Block{list};
}

}  // namespace

}  // namespace rgtrans::differential

void* operator new(std::size_t bytes) { return rgtrans::differential::take_memory(bytes); }
void operator delete(void* memory) noexcept { rgtrans::differential::give_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { rgtrans::differential::give_memory(memory); }

#endif
