// The walks of one exploration that remain to be followed. All share one array of cells: a walk is stored as its writes
// to the state of its parent. The last walk goes first, so its parent is always on the way to the current walk, and a
// trail leads back to it. Walks that agree in node, tags and cells are merged exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/interpreter/visited.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::interpreter {

class WalkStack {
 public:
  using Cells = std::vector<std::uint32_t>;

  // `merging`, by node: walks that differ before the node can agree there.
  WalkStack(Cells& cells, const std::vector<bool>& merging) : cells_(cells), merging_(merging) {}

  // Begins with one walk at `node`, in the state that the cells have.
  void begin(ir::NodeId node) {
    touched_.assign(cells_.size(), false);
    trail_.clear();
    changed_.clear();
    todo_.clear();
    writes_.clear();
    tags_.clear();
    tries_.clear();
    pending_ = 0;
    depth_ = 0;
    if (++epoch_ == 0) {
      met_.forget();
      epoch_ = 1;
    }
    first_ = node;
    is_new(node, TagTrie::kRoot);
    todo_.push_back({node, 0, 0, 0, TagTrie::kRoot, {}});
  }
  // Goes to the walk that was added last. False if none is left.
  bool next() {
    if (todo_.empty()) return false;
    const Walk walk = todo_.back();
    todo_.pop_back();
    undo(walk.depth);
    make_writes(walk.first_write);
    writes_.resize(walk.first_write);
    pending_ = walk.first_write;
    tags_.resize(walk.tags);
    if (walk.tag.valid()) tags_.push_back(walk.tag);
    node_ = walk.node;
    prefix_ = walk.prefix;
    depth_ = trail_.size();
    return true;
  }
  // Restores the cells of begin().
  void end() { undo(0); }

  [[nodiscard]] ir::NodeId node() const { return node_; }
  [[nodiscard]] const std::vector<SymbolId>& tags() const { return tags_; }

  // A write of the walk that is added next.
  void write(std::uint32_t cell, std::uint32_t value) { writes_.push_back({cell, value}); }
  // Adds the current walk with these writes and this tag (or none) unless it was met.
  void add(ir::NodeId node, SymbolId tag = {}) {
    const std::uint32_t prefix = tag.valid() ? tries_.child(prefix_, tag.value) : prefix_;
    if (merging_[node.value] || node == first_) {
      make_writes(pending_);
      const bool fresh = is_new(node, prefix);
      undo(depth_);
      if (!fresh) {
        writes_.resize(pending_);
        return;
      }
    }
    todo_.push_back({node, depth_, tags_.size(), pending_, prefix, tag});
    pending_ = writes_.size();
  }
  // Calls f() in the state of the current walk with these writes, and forgets them.
  template <class F>
  void try_writes(const F& f) {
    make_writes(pending_);
    f();
    undo(depth_);
    writes_.resize(pending_);
  }

 private:
  struct Walk {
    ir::NodeId node;
    std::size_t depth;        // of the parent's trail
    std::size_t tags;         // of the parent
    std::size_t first_write;  // of its own, which are the last ones when it is next
    std::uint32_t prefix;     // the number of its tags
    SymbolId tag;             // its own, or none
  };
  struct Write {
    std::uint32_t cell;
    std::uint32_t value;
  };
  struct Step {
    std::uint32_t cell;
    std::uint32_t old;
    bool first;  // of this cell on the trail
  };

  void make_writes(std::size_t from) {
    for (std::size_t i = from; i < writes_.size(); ++i) {
      const auto [cell, value] = writes_[i];
      trail_.push_back({cell, cells_[cell], !touched_[cell]});
      if (!touched_[cell]) {
        touched_[cell] = true;
        changed_.push_back({cell, cells_[cell]});
      }
      cells_[cell] = value;
    }
  }
  void undo(std::size_t depth) {
    for (; trail_.size() > depth; trail_.pop_back()) {
      const Step& step = trail_.back();
      cells_[step.cell] = step.old;
      if (!step.first) continue;
      touched_[step.cell] = false;
      changed_.pop_back();
    }
  }
  // A key lists the cells that differ from those of begin().
  bool is_new(ir::NodeId node, std::uint32_t prefix) {
    words_.clear();
    for (const Write& before : changed_) {
      const std::uint32_t value = cells_[before.cell];
      if (value != before.value) words_.push_back(std::uint64_t{before.cell} << 32U | value);
    }
    return met_.insert_any_order(epoch_, std::uint64_t{node.value} << 32U | prefix, words_, [&](std::uint64_t word) {
      return cells_[word >> 32U] == static_cast<std::uint32_t>(word);
    });
  }

  Cells& cells_;
  const std::vector<bool>& merging_;
  std::vector<Walk> todo_;
  std::vector<Write> writes_;  // of the walks in todo_, in the same order, and of the one that is added next
  std::size_t pending_ = 0;    // the first write of the latter
  std::vector<Step> trail_;
  std::vector<Write> changed_;  // the cells on the trail with their first values
  std::vector<bool> touched_;   // by cell: it is on the trail
  std::size_t depth_ = 0;       // the trail of the current walk
  ir::NodeId node_, first_;
  std::vector<SymbolId> tags_;
  std::uint32_t prefix_ = TagTrie::kRoot;
  TagTrie tries_;
  KeySet met_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace rgtrans::interpreter
