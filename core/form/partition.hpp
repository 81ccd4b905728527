// An ordered partition of the vertices of a graph. Refining it splits cells until the members of a cell have equally
// many arcs of each kind to every other cell. All choices depend on the positions of cells and not on the numbers of
// vertices, so isomorphic graphs are split alike.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/form/part_graph.hpp"

namespace rgtrans::form {

class Partition {
 public:
  using Vertex = PartGraph::Vertex;

  // One cell for each colour.
  explicit Partition(const PartGraph& graph);

  [[nodiscard]] bool discrete() const { return cells_ == order_.size(); }
  // The vertices, cell by cell; and the place of a vertex among them.
  [[nodiscard]] const std::vector<Vertex>& order() const { return order_; }
  [[nodiscard]] std::uint32_t place(Vertex v) const { return place_[v]; }
  // The members of the first one of the smallest cells that have several.
  [[nodiscard]] std::vector<Vertex> smallest_cell() const;
  // Puts a vertex in front of the other members of its cell, as a cell of its own. Returns where it begins.
  std::uint32_t separate(Vertex v);

 private:
  friend class Refiner;

  std::vector<Vertex> order_;
  std::vector<std::uint32_t> place_;   // by vertex
  std::vector<std::uint32_t> begin_;   // by vertex: the first place of its cell
  std::vector<std::uint32_t> length_;  // of the cell that begins at a place
  std::size_t cells_ = 0;
};

class Refiner {
 public:
  explicit Refiner(const PartGraph& graph);

  // Splits by all cells, or by the one that begins at a place and those that it splits off. The result is equal for
  // isomorphic graphs and corresponding partitions.
  std::uint64_t refine_all(Partition& partition);
  std::uint64_t refine(Partition& partition, std::uint32_t by);
  // Arcs followed so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  using Vertex = PartGraph::Vertex;
  struct Touched {
    std::uint32_t cell;
    std::uint64_t sum;
    Vertex vertex;
    auto operator<=>(const Touched&) const = default;
  };

  std::uint64_t run(Partition& p);
  void push(std::uint32_t cell);
  void count_arcs(const Partition& p, std::uint32_t cell);
  void split(Partition& p, std::size_t first, std::size_t last);

  const PartGraph& graph_;
  std::vector<std::uint64_t> sums_;  // by vertex: of its arcs to the present cell
  std::vector<bool> seen_;
  std::vector<Touched> touched_;
  std::vector<std::uint32_t> queue_;  // cells by which others are split
  std::vector<bool> queued_;
  std::uint64_t work_ = 0;
};

}  // namespace rgtrans::form
