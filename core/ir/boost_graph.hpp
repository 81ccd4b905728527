// Adapts the automaton to Boost's incidence and vertex list concepts, so that boost::strong_components or
// depth_first_search run on it directly. Edge descriptors are EdgeIds, so parallel edges remain distinct.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

#include "core/ir/automaton.hpp"

namespace rgtrans::ir {

// Ids are dense already and serve as indices.
struct NodeIndexMap {
  using value_type = std::size_t;
  using reference = std::size_t;
  using key_type = NodeId;
  using category = boost::readable_property_map_tag;
};
inline std::size_t get(NodeIndexMap, NodeId node) { return node.value; }

inline NodeId source(EdgeId edge, const Automaton& g) { return g.source(edge); }
inline NodeId target(EdgeId edge, const Automaton& g) { return g.target(edge); }
inline auto out_edges(NodeId node, const Automaton& g) {
  const auto view = g.out_edges(node);
  return std::pair(view.begin(), view.end());
}
inline std::size_t out_degree(NodeId node, const Automaton& g) { return g.out_degree(node); }
inline auto vertices(const Automaton& g) {
  const auto view = g.nodes();
  return std::pair(view.begin(), view.end());
}
// The bound of the ids, because arrays indexed through NodeIndexMap need that size.
inline std::size_t num_vertices(const Automaton& g) { return g.node_bound(); }
inline NodeIndexMap get(boost::vertex_index_t, const Automaton&) { return {}; }
inline std::size_t get(boost::vertex_index_t, const Automaton&, NodeId node) { return node.value; }

}  // namespace rgtrans::ir

template <>
struct boost::graph_traits<rgtrans::ir::Automaton> {
  using vertex_descriptor = rgtrans::ir::NodeId;
  using edge_descriptor = rgtrans::ir::EdgeId;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  using vertex_iterator = rgtrans::ir::Automaton::NodeIterator;
  using edge_iterator = rgtrans::ir::Automaton::EdgeIterator;  // only its type is needed, by filtered graphs
  using out_edge_iterator = rgtrans::ir::Automaton::AdjacencyIterator;
  using in_edge_iterator = out_edge_iterator;  // likewise
  static vertex_descriptor null_vertex() { return {}; }
};

template <>
struct boost::property_map<rgtrans::ir::Automaton, boost::vertex_index_t> {
  using type = rgtrans::ir::NodeIndexMap;
  using const_type = rgtrans::ir::NodeIndexMap;
};
