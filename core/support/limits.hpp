// The limits on whatever the size of an input decides: nesting, expansion, products of domains, tables, automata,
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

namespace limits {

extern constinit Limit input_bytes;

extern constinit Limit rg_nesting, rg_json_values, rg_text_symbols, json_text_symbols;

extern constinit Limit hrg_nesting, hrg_operators, hrg_domain_elements, hrg_table_cells, hrg_call_depth,
    hrg_expression_depth, hrg_evaluation_steps, hrg_edges, hrg_statements, hrg_block_depth;

extern constinit Limit rbg_nesting, rbg_actions, rbg_board_edges, rbg_tokens, rbg_expansion_steps, rbg_macro_calls,
    rbg_macro_depth, rbg_integer, rbg_table;

extern constinit Limit gdl_nesting, gdl_alternatives, gdl_rules, gdl_memory, gdl_term_depth, gdl_edges;

extern constinit Limit linegames_points, linegames_values;

extern constinit Limit ludax_nesting, ludax_cells, ludax_table;

extern constinit Limit cpp_cells, cpp_code;

// In the order in which they are shown.
std::span<Limit* const> all();
Limit* find(std::string_view name);
// "NAME=VALUE"; throws Error where that says nothing.
void set(std::string_view assignment);

}  // namespace limits

}  // namespace rgtrans

template <>
struct fmt::formatter<rgtrans::Limit> : fmt::formatter<std::uint64_t> {
  template <class Context>
  auto format(const rgtrans::Limit& limit, Context& context) const {
    return fmt::formatter<std::uint64_t>::format(limit.value(), context);
  }
};
