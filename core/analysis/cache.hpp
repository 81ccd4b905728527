// Analyses of one game that several passes share, computed on first use and dropped when the game changes. Results that
// depend only on the shape of the automaton survive label changes.
#pragma once

#include <memory>

#include "core/analysis/liveness.hpp"
#include "core/analysis/value_sets.hpp"
#include "core/analysis/versions.hpp"

namespace rgtrans::analysis {

class Cache {
 public:
  explicit Cache(ir::Game& game) : game_(game) {}

  const Flow& flow() { return get(flow_, game_); }
  const Liveness& liveness() { return get(liveness_, game_, flow()); }
  const Dominators& dominators() { return get(dominators_, flow()); }
  const Versions& versions() { return get(versions_, game_, flow(), dominators(), liveness()); }
  ValueSets& values() { return get(values_, game_, flow()); }

  // Call after a change of the game.
  void refresh() {
    values_.reset();
    versions_.reset();
    liveness_.reset();
    if (shape_ == game_.graph.shape_changes()) return;
    shape_ = game_.graph.shape_changes();
    dominators_.reset();
    flow_.reset();
  }

 private:
  template <class T, class... Args>
  static T& get(std::unique_ptr<T>& slot, Args&&... args) {
    if (!slot) slot = std::make_unique<T>(args...);
    return *slot;
  }

  ir::Game& game_;
  std::uint64_t shape_ = game_.graph.shape_changes();
  std::unique_ptr<Flow> flow_;
  std::unique_ptr<Liveness> liveness_;
  std::unique_ptr<Dominators> dominators_;
  std::unique_ptr<Versions> versions_;
  std::unique_ptr<ValueSets> values_;
};

}  // namespace rgtrans::analysis
