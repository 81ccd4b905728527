// See components.hpp.
#include "core/support/components.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace rgtrans {

Components strong_components(std::size_t vertices, const Arcs& arcs) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint32_t, std::uint32_t>;
  const Graph graph(boost::edges_are_unsorted_multi_pass, arcs.begin(), arcs.end(),
                    static_cast<std::uint32_t>(vertices));
  Components components;
  components.of.resize(vertices);
  components.count = boost::strong_components(
      graph, boost::make_iterator_property_map(components.of.begin(), get(boost::vertex_index, graph)));
  return components;
}

}  // namespace rgtrans
