// Which functions of generated code call which: those that may call themselves, and those that a compiler for a GPU
// must not copy to every place that calls them.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "backends/cpp/functions.hpp"

namespace rgtrans::cpp {

class CallGraph {
 public:
  // Of the functions that are defined.
  explicit CallGraph(const FunctionTable& table);

  // Those that may call themselves, also by way of others.
  [[nodiscard]] const std::set<FunctionId>& recursive() const { return recursive_; }
  // Those that are better compiled once and called. A compiler for a GPU inlines all that it can, and its time grows
  // faster than its code; but where everything is one function, more of a state can stay in registers. So a game that
  // is small enough stays whole, but for what calls itself; else what is called from several places is apart, unless it
  // is short.
  [[nodiscard]] std::set<FunctionId> apart(const std::set<FunctionId>& entries) const;
  // Lines of these functions with all that they call.
  [[nodiscard]] std::uint64_t lines(const std::set<FunctionId>& entries) const;

 private:
  struct Node {
    FunctionId id;
    std::uint64_t lines = 0;           // without comments
    std::vector<std::uint32_t> calls;  // as often as they are written
  };
  // Lines of a function with all that is inlined in it.
  std::uint64_t inlined_lines(std::uint32_t function, const std::vector<bool>& apart,
                              std::vector<std::uint64_t>& known) const;

  std::vector<Node> nodes_;
  std::set<FunctionId> recursive_;
};

}  // namespace rgtrans::cpp
