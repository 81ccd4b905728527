// Which functions of generated code call which, read from their texts: those that may call themselves, and those that a
// compiler for a GPU must not copy to every place that calls them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/letters.hpp"

namespace rgtrans::cpp {

// Calls f(name) for each word of the text that is called.
template <class F>
void for_each_call(std::string_view text, F&& f) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at && end < text.size() && text[end] == '(') f(text.substr(at, end - at));
    at = end + 1;
  }
}

class CallGraph {
 public:
  // Of functions that begin with `head`, such as "REASONER_DEVICE ". The texts must stay where they are.
  CallGraph(const std::vector<std::string>& functions, std::string_view head);

  // The name of the function that a text defines; "" when it is none.
  [[nodiscard]] std::string_view defined_by(std::string_view text) const;
  // Those that may call themselves, also by way of others.
  [[nodiscard]] const std::set<std::string_view>& recursive() const { return recursive_; }
  // Those that are better compiled once and called. A compiler for a GPU inlines all that it can, and its time grows
  // faster than its code; but where everything is one function, more of a state can stay in registers. So a game that
  // is small enough stays whole, but for what calls itself; else what is called from several places is apart, unless it
  // is short.
  [[nodiscard]] std::set<std::string_view> apart(const std::vector<std::string_view>& entries) const;
  // Lines of these functions with all that they call.
  [[nodiscard]] std::uint64_t lines(const std::vector<std::string_view>& entries) const;

 private:
  struct Function {
    std::string_view name;
    std::uint64_t lines = 0;
    std::vector<std::uint32_t> calls;  // as often as they are written
  };
  // Lines of a function with all that is inlined in it.
  std::uint64_t inlined_lines(std::uint32_t function, const std::vector<bool>& apart,
                              std::vector<std::uint64_t>& known) const;

  std::string_view head_;
  std::vector<Function> functions_;
  std::map<std::string_view, std::uint32_t> number_;
  std::set<std::string_view> recursive_;
};

}  // namespace rgtrans::cpp
