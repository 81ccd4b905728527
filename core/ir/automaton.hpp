// The automaton: flat arrays of nodes and edges. Doubly linked adjacency lists run through the edge array. Adding,
// removing or redirecting an edge takes constant time, and every list keeps its order. Removed nodes and edges keep
// their ids; nothing is renumbered. core/ir/boost_graph.hpp adapts the automaton to the Boost graph library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <variant>
#include <vector>

#include "core/ir/expressions.hpp"
#include "core/ir/types.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

using NodeId = Id<struct NodeTag>;
using EdgeId = Id<struct EdgeTag>;

struct Empty {
  bool operator==(const Empty&) const = default;
};
struct Compare {  // lhs == rhs, or lhs != rhs when negated
  ExprId lhs, rhs;
  bool negated = false;
  bool operator==(const Compare&) const = default;
};
struct Assign {  // lhs = rhs
  ExprId lhs, rhs;
  bool operator==(const Assign&) const = default;
};
struct AssignAny {  // lhs = type(*)
  ExprId lhs;
  TypeId type;
  bool operator==(const AssignAny&) const = default;
};
struct Reachability {  // ? from -> to, or ! from -> to when negated
  NodeId from, to;
  bool negated = false;
  bool operator==(const Reachability&) const = default;
};
struct Tag {  // $ symbol
  SymbolId symbol;
  bool operator==(const Tag&) const = default;
};
struct TagVariable {  // $$ variable
  VarId variable;
  bool operator==(const TagVariable&) const = default;
};

using Label = std::variant<Empty, Compare, Assign, AssignAny, Reachability, Tag, TagVariable>;

// Lets std::visit take one lambda per alternative.
template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::uint64_t hash_label(const Label& label);

class Automaton {
 public:
  NodeId add_node(SymbolId name = {}, Range where = {});
  EdgeId add_edge(NodeId source, NodeId target, Label label, Range where = {});

  void remove_edge(EdgeId edge);
  // Removes a node, which must have no edges.
  void remove_node(NodeId node);
  // Both append the edge to the adjacency list of its new node.
  void set_source(EdgeId edge, NodeId source);
  void set_target(EdgeId edge, NodeId target);
  void set_label(EdgeId edge, Label label);

  [[nodiscard]] NodeId source(EdgeId edge) const { return edges_[edge.value].source; }
  [[nodiscard]] NodeId target(EdgeId edge) const { return edges_[edge.value].target; }
  [[nodiscard]] const Label& label(EdgeId edge) const { return edges_[edge.value].label; }
  [[nodiscard]] Range where(EdgeId edge) const { return edges_[edge.value].where; }
  [[nodiscard]] bool alive(EdgeId edge) const { return edges_[edge.value].alive; }

  // None for a node created by a translation; the printer gives it a number.
  [[nodiscard]] SymbolId name(NodeId node) const { return nodes_[node.value].name; }
  void set_name(NodeId node, SymbolId name) { nodes_[node.value].name = name; }
  [[nodiscard]] Range where(NodeId node) const { return nodes_[node.value].where; }
  void set_where(NodeId node, Range where) { nodes_[node.value].where = where; }
  [[nodiscard]] bool alive(NodeId node) const { return nodes_[node.value].alive; }
  [[nodiscard]] std::uint32_t out_degree(NodeId node) const { return nodes_[node.value].out_degree; }
  [[nodiscard]] std::uint32_t in_degree(NodeId node) const { return nodes_[node.value].in_degree; }

  // Journal of changes for incremental readers: every edge that was added, removed, redirected or relabelled, in this
  // order, with repetitions. It may contain removed edges. A reader remembers the length of the journal that it has
  // processed.
  [[nodiscard]] std::span<const EdgeId> journal() const { return journal_; }
  // Counts all changes but those of labels. A label change counts if the old or the new label is a reachability check.
  [[nodiscard]] std::uint64_t shape_changes() const { return shape_changes_; }

  // One more than the largest id ever used: the size of an array indexed by id.
  [[nodiscard]] std::size_t node_bound() const { return nodes_.size(); }
  [[nodiscard]] std::size_t edge_bound() const { return edges_.size(); }
  [[nodiscard]] std::size_t node_count() const { return live_nodes_; }
  [[nodiscard]] std::size_t edge_count() const { return live_edges_; }

  class EdgeIterator;
  class NodeIterator;
  class AdjacencyIterator;
  template <class Iterator>
  struct View {
    Iterator first, last;
    [[nodiscard]] Iterator begin() const { return first; }
    [[nodiscard]] Iterator end() const { return last; }
    [[nodiscard]] bool empty() const { return first == last; }
  };

  // The nodes and edges in the graph, by increasing id. Adding during iteration is allowed; the iterator visits
  // additions.
  [[nodiscard]] View<NodeIterator> nodes() const;
  [[nodiscard]] View<EdgeIterator> edges() const;
  // The edges in order of insertion. Removing the current edge invalidates the iterator: advance it first.
  [[nodiscard]] View<AdjacencyIterator> out_edges(NodeId node) const;
  [[nodiscard]] View<AdjacencyIterator> in_edges(NodeId node) const;
  // Copies of the lists, for loops that change them.
  [[nodiscard]] std::vector<EdgeId> out_edge_list(NodeId node) const;
  [[nodiscard]] std::vector<EdgeId> in_edge_list(NodeId node) const;

 private:
  struct Link {
    EdgeId previous, next;
  };
  struct Edge {
    NodeId source, target;
    Label label;
    Link out, in;
    Range where;
    bool alive = true;
  };
  struct Node {
    SymbolId name;
    Range where;
    EdgeId first_out, last_out, first_in, last_in;
    std::uint32_t out_degree = 0;
    std::uint32_t in_degree = 0;
    bool alive = true;
  };

  void link_out(EdgeId edge);
  void link_in(EdgeId edge);
  void unlink_out(EdgeId edge);
  void unlink_in(EdgeId edge);

  void note_shape(EdgeId edge) {
    journal_.push_back(edge);
    ++shape_changes_;
  }

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<EdgeId> journal_;
  std::uint64_t shape_changes_ = 0;
  std::size_t live_nodes_ = 0;
  std::size_t live_edges_ = 0;

 public:
  class AdjacencyIterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = EdgeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const EdgeId*;
    using reference = EdgeId;

    AdjacencyIterator() = default;
    AdjacencyIterator(const Automaton* graph, EdgeId at, bool out) : graph_(graph), at_(at), out_(out) {}
    EdgeId operator*() const { return at_; }
    AdjacencyIterator& operator++() {
      const Edge& edge = graph_->edges_[at_.value];
      at_ = out_ ? edge.out.next : edge.in.next;
      return *this;
    }
    AdjacencyIterator operator++(int) {
      AdjacencyIterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const AdjacencyIterator& other) const { return at_ == other.at_; }

   private:
    const Automaton* graph_ = nullptr;
    EdgeId at_;
    bool out_ = true;
  };

  template <class IdType, bool kNodes>
  class LiveIterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = IdType;
    using difference_type = std::ptrdiff_t;
    using pointer = const IdType*;
    using reference = IdType;

    LiveIterator() = default;
    LiveIterator(const Automaton* graph, std::uint32_t at) : graph_(graph), at_(at) { skip(); }
    IdType operator*() const { return IdType(at_); }
    LiveIterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    LiveIterator operator++(int) {
      LiveIterator old = *this;
      ++*this;
      return old;
    }
    // All positions past the last row compare equal, also after rows were added.
    bool operator==(const LiveIterator& other) const { return at_ == other.at_ || (past_end() && other.past_end()); }

   private:
    [[nodiscard]] std::size_t bound() const { return kNodes ? graph_->node_bound() : graph_->edge_bound(); }
    [[nodiscard]] bool past_end() const { return graph_ == nullptr || at_ >= bound(); }
    void skip() {
      while (at_ < bound() && !graph_->alive(IdType(at_))) ++at_;
    }

    const Automaton* graph_ = nullptr;
    std::uint32_t at_ = 0;
  };

  class NodeIterator : public LiveIterator<NodeId, true> {
   public:
    using LiveIterator::LiveIterator;
  };
  class EdgeIterator : public LiveIterator<EdgeId, false> {
   public:
    using LiveIterator::LiveIterator;
  };
};

inline Automaton::View<Automaton::NodeIterator> Automaton::nodes() const {
  return {NodeIterator(this, 0), NodeIterator(this, 0xffffffffU)};
}
inline Automaton::View<Automaton::EdgeIterator> Automaton::edges() const {
  return {EdgeIterator(this, 0), EdgeIterator(this, 0xffffffffU)};
}
inline Automaton::View<Automaton::AdjacencyIterator> Automaton::out_edges(NodeId node) const {
  return {{this, nodes_[node.value].first_out, true}, {this, EdgeId(), true}};
}
inline Automaton::View<Automaton::AdjacencyIterator> Automaton::in_edges(NodeId node) const {
  return {{this, nodes_[node.value].first_in, false}, {this, EdgeId(), false}};
}

}  // namespace rgtrans::ir
