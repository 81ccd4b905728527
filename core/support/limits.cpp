#include "core/support/limits.hpp"

#include <fmt/format.h>

#include <array>

namespace rgtrans {

bool Limit::set(std::uint64_t value) {
  if (value == 0 || value > most_) return false;
  value_.store(value, std::memory_order_relaxed);
  return true;
}

std::string Limit::advice() const {
  if (value() >= most_) return fmt::format("the limit {} cannot be raised", name_);
  return fmt::format("--limit {}=N allows more, up to {}", name_, most_);
}

namespace limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
}  // namespace

constinit Limit input_bytes("input-bytes", 1U << 30U, UINT32_MAX, "bytes of a file that is read");
constinit Limit text_bytes("text-bytes", 32U << 20U, UINT32_MAX, "bytes of the text of a game");
constinit Limit rg_text_symbols("rg-text-symbols", 100 * kMillion, kAnyLimit,
                                "symbols in the values of a printed RG text");
constinit Limit json_text_symbols("json-text-symbols", 20 * kMillion, kAnyLimit, "the same of a printed JSON text");
constinit Limit cpp_cells("cpp-cells", 1U << 24U, 1U << 30U, "cells of a state or a table of a compiled reasoner");
constinit Limit cpp_code("cpp-code", 16 * kMillion, kAnyLimit,
                         "characters of code; larger reasoners are made of tables");

std::span<Limit* const> shared() {
  static constexpr std::array kAll = {&input_bytes,       &text_bytes, &rg_text_symbols,
                                      &json_text_symbols, &cpp_cells,  &cpp_code};
  return kAll;
}

}  // namespace limits

}  // namespace rgtrans
