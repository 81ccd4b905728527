// Limits on quantities that grow with the input: nesting, expansion, products of domains, tables, automata, states.
// Each limit has a name, a default, an option (--limit NAME=VALUE) and a message that names the quantity and the place.
// Some limits protect the stack or the range of a number type; they can be raised only up to most().
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
  operator std::uint64_t() const { return value(); }  // lets code use the limit like a constant

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view what() const { return what_; }
  [[nodiscard]] std::uint64_t standard() const { return default_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  // Returns false if the value is 0 or exceeds most().
  bool set(std::uint64_t value);
  // The hint of the error message: how to raise the limit, if it can be raised.
  [[nodiscard]] std::string advice() const;

 private:
  std::string_view name_;
  std::string_view what_;
  std::uint64_t default_;
  std::uint64_t most_;
  std::atomic<std::uint64_t> value_;
};

// The maximum for limits that only time and memory bound. Products of it with factors up to 16 do not overflow.
inline constexpr std::uint64_t kAnyLimit = UINT64_MAX / 16;

// The limits of file readers and back ends. Each language has its own in `frontends/LANGUAGE/limits.hpp`; the registry
// of front ends lists all of them.
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
