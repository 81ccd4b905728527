// Value versions: at every node, each variable has one version number. The initial state, an assignment, or a merge of
// different versions creates a version. Two places with the same version of a variable see the same value.
//
// This is static single assignment form without renaming. Merges are placed on iterated dominance frontiers, even where
// the variable is dead: a pass that wants to read it there must see that it changed.
//
//   begin, a: x = 1;   begin, b: ;   a, c: ;   b, c: ;      at c, a merge of 1 and the initial value
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/flow.hpp"
#include "core/analysis/liveness.hpp"

namespace rgtrans::analysis {

// Immediate dominators of the flow graph.
class Dominators {
 public:
  explicit Dominators(const Flow& flow);
  // The dominator of a flow index; the entry is its own.
  [[nodiscard]] std::uint32_t parent(std::uint32_t index) const { return parent_[index]; }
  // The dominator tree as nested intervals.
  [[nodiscard]] std::uint32_t first(std::uint32_t index) const { return first_[index]; }
  [[nodiscard]] std::uint32_t last(std::uint32_t index) const { return last_[index]; }
  [[nodiscard]] bool dominates(std::uint32_t a, std::uint32_t b) const {
    return first_[a] <= first_[b] && first_[b] <= last_[a];
  }

 private:
  std::vector<std::uint32_t> parent_, first_, last_;
};

using Version = std::uint32_t;

class Versions {
 public:
  enum class Kind : std::uint8_t { initial, assignment, merge };
  struct Row {
    Kind kind;
    ir::VarId variable;
    ir::EdgeId edge;     // the edge of an assignment
    std::uint32_t node;  // flow index from which the version holds
  };

  Versions(const ir::Game& game, const Flow& flow, const Dominators& dominators, const Liveness& liveness);

  // `node` must be reached.
  [[nodiscard]] Version at(ir::VarId variable, ir::NodeId node) const;
  // The version that an assignment creates.
  [[nodiscard]] Version made_by(ir::EdgeId edge) const { return by_edge_[edge.value]; }
  [[nodiscard]] const Row& row(Version version) const { return rows_[version]; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // False for a merge whose arguments are all one version.
  [[nodiscard]] bool real(Version version) const { return same_as_[version] == version; }
  // Whether the version is an argument of a merge at a node where the variable is live.
  [[nodiscard]] bool merged(Version version) const { return merged_[version]; }

 private:
  // A version that holds from this position of the dominator tree up to the next span.
  struct Span {
    std::uint32_t first;
    Version version;
  };

  [[nodiscard]] Version lookup(std::uint32_t variable, std::uint32_t index) const;
  [[nodiscard]] Version find(Version version) const {
    while (same_as_[version] != version) version = same_as_[version];
    return version;
  }
  void simplify_merges(const ir::Game& game, const Flow& flow, const Liveness& liveness);

  const Flow* flow_;
  const Dominators* dominators_;
  std::vector<Row> rows_;
  std::vector<Version> same_as_;
  std::vector<Version> by_edge_;
  std::vector<bool> merged_;
  std::vector<std::vector<Span>> spans_;  // by variable
};

}  // namespace rgtrans::analysis
