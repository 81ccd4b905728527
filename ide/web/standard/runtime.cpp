// Exceptions for a C++ ABI library that was built without them: raising, catching, and the choice of a handler from the
// tables that the compiler writes. WebAssembly itself unwinds the stack; so there is one phase, and a destructor's
// landing pad needs nothing from here. Functions that the library itself contains, such as std::string::at, still end
// the program instead of throwing. Memory is here, too: where it ends, std::bad_alloc is thrown.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

// The kind of exception that all landing pads catch: an address.
__asm__(
    ".globl __cpp_exception\n"
    ".tagtype __cpp_exception i32\n"
    "__cpp_exception:\n");

// Types of the ABI, as its library defines them.
namespace __cxxabiv1 {

// The layout of its table of virtual functions is that of the library's class, which is in no header.
class __shim_type_info : public std::type_info {
 public:
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

}  // namespace __cxxabiv1

namespace {

// In front of each thrown object. A rethrown std::exception_ptr throws a header that refers to the first one.
struct Header {
  std::type_info* type;
  void* (*destroy)(void*);  // a destructor returns its object here
  Header* primary;          // this one, or the one with the object
  Header* next;             // of those that are being handled
  void* adjusted;           // the object as its handler sees it
  std::uint32_t owners;     // exception pointers, handlers, and the flight
  std::int32_t handlers;
};
constexpr std::size_t kRoom = (sizeof(Header) + 15) / 16 * 16;

void* object_of(Header* header) { return reinterpret_cast<std::byte*>(header) + kRoom; }
Header* header_of(void* object) { return reinterpret_cast<Header*>(static_cast<std::byte*>(object) - kRoom); }

Header* handled = nullptr;  // innermost first
unsigned in_flight = 0;

[[noreturn]] void raise(Header* header) {
  ++in_flight;
  __builtin_wasm_throw(0, header);
}

void release(Header* header) {
  if (--header->owners > 0) return;
  if (header->primary != header) {
    release(header->primary);
  } else if (header->destroy != nullptr) {
    header->destroy(object_of(header));
  }
  std::free(header);
}

Header* room_for(std::size_t size) {
  auto* header = static_cast<Header*>(std::malloc(kRoom + size));
  if (header == nullptr) std::terminate();
  std::memset(header, 0, kRoom);
  header->primary = header;
  return header;
}

// A number of variable length.
std::uint32_t read_number(const std::uint8_t*& at, bool has_sign) {
  std::uint32_t value = 0, shift = 0;
  std::uint8_t byte = 0;
  do {
    byte = *at++;
    value |= (byte & 0x7fU) << shift;
    shift += 7;
  } while ((byte & 0x80U) != 0);
  if (has_sign && (byte & 0x40U) != 0 && shift < 32) value |= ~0U << shift;
  return value;
}
std::uint32_t read_unsigned(const std::uint8_t*& at) { return read_number(at, false); }
std::int32_t read_signed(const std::uint8_t*& at) { return static_cast<std::int32_t>(read_number(at, true)); }

}  // namespace

// Between a landing pad and the function below: the number of the pad and the table of its function; then the handler.
struct LandingPad {
  std::uint32_t index;
  const std::uint8_t* table;
  std::int32_t selector;
};

extern "C" {

LandingPad __wasm_lpad_context;

// Called by landing pads that have handlers for certain types.
int _Unwind_CallPersonality(void* thrown) {
  auto* header = static_cast<Header*>(thrown);
  LandingPad& pad = __wasm_lpad_context;
  pad.selector = 0;
  const std::uint8_t* at = pad.table;
  if (at == nullptr) return 0;
  constexpr std::uint8_t kOmitted = 0xff;
  if (*at++ != kOmitted) std::abort();  // the start of the pads: always that of the function
  const std::uint8_t* types = nullptr;
  if (*at++ != kOmitted) {
    const std::uint32_t distance = read_unsigned(at);
    types = at + distance;
  }
  ++at;  // the encoding of the sites: numbers of variable length
  const std::uint32_t length = read_unsigned(at);
  const std::uint8_t* const actions = at + length;
  // Each site is a pad and an action, in the order of their numbers.
  std::uint32_t action = 0;
  for (std::uint32_t i = 0; at < actions && i <= pad.index; ++i) {
    read_unsigned(at);
    action = read_unsigned(at);
  }
  if (action == 0) return 0;
  for (const std::uint8_t* entry = actions + action - 1;;) {
    const std::int32_t filter = read_signed(entry);
    if (filter > 0) {
      const __cxxabiv1::__shim_type_info* handler = nullptr;
      std::memcpy(&handler, types - 4 * static_cast<std::ptrdiff_t>(filter), 4);
      void* object = object_of(header->primary);
      const auto* type = static_cast<const __cxxabiv1::__shim_type_info*>(header->primary->type);
      if (handler == nullptr || handler->can_catch(type, object)) {
        header->adjusted = object;
        pad.selector = filter;
        return 0;
      }
    }
    const std::uint8_t* const here = entry;
    const std::int32_t next = read_signed(entry);
    if (next == 0) return 0;
    entry = here + next;
  }
}

void* __cxa_allocate_exception(std::size_t size) noexcept { return object_of(room_for(size)); }
void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Header* const header = header_of(object);
  header->type = type;
  header->destroy = destroy;
  header->owners = 1;
  raise(header);
}

void* __cxa_get_exception_ptr(void* thrown) noexcept { return static_cast<Header*>(thrown)->adjusted; }

void* __cxa_begin_catch(void* thrown) noexcept {
  auto* header = static_cast<Header*>(thrown);
  // Negative: it is being rethrown by its handler.
  header->handlers = header->handlers < 0 ? 1 - header->handlers : header->handlers + 1;
  --in_flight;
  if (handled != header) {
    header->next = handled;
    handled = header;
  }
  return header->adjusted;
}

void __cxa_end_catch() {
  Header* const header = handled;
  if (header->handlers < 0) {
    // Its flight goes on.
    if (++header->handlers == 0) handled = header->next;
    return;
  }
  if (--header->handlers > 0) return;
  handled = header->next;
  release(header);
}

[[noreturn]] void __cxa_rethrow() {
  if (handled == nullptr) std::terminate();
  handled->handlers = -handled->handlers;
  raise(handled);
}

bool __cxa_uncaught_exception() noexcept { return in_flight > 0; }
unsigned __cxa_uncaught_exceptions() noexcept { return in_flight; }

// --- std::exception_ptr: the address of the object. ---

void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object != nullptr) ++header_of(object)->owners;
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object != nullptr) release(header_of(object));
}
void* __cxa_current_primary_exception() noexcept {
  if (handled == nullptr) return nullptr;
  ++handled->primary->owners;
  return object_of(handled->primary);
}
void __cxa_rethrow_primary_exception(void* object) {
  if (object == nullptr) return;
  Header* const header = room_for(0);
  header->primary = header_of(object);
  ++header->primary->owners;
  header->owners = 1;
  raise(header);
}

}  // extern "C"

// --- The end of a thread, and damaged stacks. ---

extern "C" {

// Objects of the only thread live as long as the module.
int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*library*/) noexcept { return 0; }

// The library's functions compare this word before they return.
std::uintptr_t __stack_chk_guard = 0x595e9fbd;
[[noreturn]] void __stack_chk_fail() { std::abort(); }

}  // extern "C"

// --- Memory. ---

namespace {

void* room(std::size_t size) {
  void* const place = std::malloc(size == 0 ? 1 : size);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}
void* room(std::size_t size, std::size_t alignment) {
  void* const place = ::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}

}  // namespace

void* operator new(std::size_t size) { return room(size); }
void* operator new[](std::size_t size) { return room(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return room(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return room(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t /*size*/) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t /*size*/) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t /*alignment*/) noexcept { std::free(place); }
void operator delete[](void* place, std::align_val_t /*alignment*/) noexcept { std::free(place); }
void operator delete(void* place, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(place); }
