// What is known about each graph before any is lowered: whom it calls, what it may assign, how it is left. The
// same walk reports jumps without a loop, statements behind a jump, wrong calls and recursion.
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
  std::vector<std::uint32_t> calls;     // called or checked for reachability
  std::vector<bool> assigns;            // by VarId: assigned here or in a called graph
  std::vector<bool> tagged;             // by parameter: shown with $$
  std::vector<ir::TypeId> param_types;  // none where the type is wrong
  bool returns = false;                 // contains return()
  bool ends = false;                    // contains end(), or calls a graph that does
};

// Fills one GraphInfo a graph; false when lowering makes no sense, after reporting why.
bool analyse_graphs(Environment& env, const Builtins& builtins, std::vector<GraphInfo>& graphs);

}  // namespace rgtrans::hrg
