// Analyses each graph before lowering: the graphs that it calls, the variables that it may assign, and its exits. The
// same traversal reports jumps outside of loops, unreachable statements, wrong calls and recursion.
#pragma once

#include <vector>

#include "frontends/hrg/environment.hpp"

namespace rgtrans::hrg {

enum class Builtin : std::uint8_t { none, check, end, return_, break_, continue_, not_, reachable, true_, false_ };

class Builtins {
 public:
  explicit Builtins(Symbols& symbols);
  [[nodiscard]] Builtin find(SymbolId name) const;

 private:
  static constexpr std::size_t kCount = 9;
  SymbolId names_[kCount];
};

struct GraphInfo {
  std::vector<std::uint32_t> calls;     // called, or tested for reachability
  std::vector<bool> assigns;            // by VarId: assigned in this graph or in a called one
  std::vector<bool> tagged;             // by parameter: shown with $$
  std::vector<ir::TypeId> param_types;  // none if the type is invalid
  bool returns = false;                 // contains return()
  bool ends = false;                    // contains end() or calls a graph that does
};

// Fills one GraphInfo per graph. Returns false, after reporting the reason, if lowering is impossible.
bool analyse_graphs(Environment& env, const Builtins& builtins, std::vector<GraphInfo>& graphs);

}  // namespace rgtrans::hrg
