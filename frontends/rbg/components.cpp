#include "frontends/rbg/components.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace rgtrans::rbg {

std::vector<std::uint32_t> strong_components(std::size_t vertices,
                                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& arcs,
                                             std::uint32_t& count) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint32_t, std::uint32_t>;
  const Graph graph(boost::edges_are_sorted, arcs.begin(), arcs.end(), static_cast<std::uint32_t>(vertices));
  std::vector<std::uint32_t> component(vertices);
  count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  return component;
}

}  // namespace rgtrans::rbg
