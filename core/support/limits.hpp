// The limits on what the size of an input decides: nesting, expansion, products of domains, tables, automata,
// states. Each has a name, a default, an option (--limit NAME=VALUE) and a message that says what grew and where. A
// limit that keeps a recursion off the end of the stack, or a number inside its type, can be lowered but raised only so
// far.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rgtrans {

class Limit {
 public:
  constexpr Limit(std::string_view name, std::uint64_t value, std::uint64_t most, std::string_view what)
      : name_(name), what_(what), default_(value), most_(most), value_(value) {}
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }
  operator std::uint64_t() const { return value(); }  // so that a limit reads like the constant that it stands for

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view what() const { return what_; }
  [[nodiscard]] std::uint64_t standard() const { return default_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  // False when the value is 0 or beyond most().
  bool set(std::uint64_t value);
  // For the hint of the message: how to allow more, where that is possible.
  [[nodiscard]] std::string advice() const;

 private:
  std::string_view name_;
  std::string_view what_;
  std::uint64_t default_;
  std::uint64_t most_;
  std::atomic<std::uint64_t> value_;
};

// For limits that nothing but time and memory bounds; products with small factors do not overflow.
inline constexpr std::uint64_t kAnyLimit = UINT64_MAX / 16;

// Those of reading files and of back ends. A language has its own, in `frontends/LANGUAGE/limits.hpp`; the registry of
// front ends lists all.
namespace limits {

extern constinit Limit input_bytes, text_bytes, rg_text_symbols, json_text_symbols, cpp_cells, cpp_code;

std::span<Limit* const> shared();

}  // namespace limits

}  // namespace rgtrans

template <>
struct fmt::formatter<rgtrans::Limit> : fmt::formatter<std::uint64_t> {
  template <class Context>
  auto format(const rgtrans::Limit& limit, Context& context) const {
    return fmt::formatter<std::uint64_t>::format(limit.value(), context);
  }
};
