// The parts of a game as a graph. Its vertices are symbols, values, types, declarations, expressions, nodes and edges;
// its arcs say which vertex is which part of another. Isomorphic graphs belong to games that differ in names and in the
// order of their lists only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::form {

class PartGraph {
 public:
  using Vertex = std::uint32_t;
  // The numbers only have to differ.
  enum Kind : std::uint32_t { symbol, set, arrow, map, entry, constant, variable, access, cast, node, edge };
  // The kept names: those that results or people depend on, or only those with a meaning in RG. In the second case, the
  // graph has no parts that no play uses.
  enum class Names : std::uint8_t { players, meanings };

  struct Arc {
    std::uint32_t role;
    Vertex to;
    auto operator<=>(const Arc&) const = default;
  };

  PartGraph(const ir::Game& game, Names names);

  [[nodiscard]] std::size_t size() const { return colours_.size(); }
  // Vertices of different colours are no images of each other. Colours of two games can be compared.
  [[nodiscard]] const std::vector<std::uint64_t>& colours() const { return colours_; }
  // Both sorted.
  [[nodiscard]] std::span<const Arc> arcs(Vertex v) const { return forward_.of(v); }
  [[nodiscard]] std::span<const Arc> back(Vertex v) const { return backward_.of(v); }
  [[nodiscard]] bool is_symbol(Vertex v) const { return parts_[v].first == symbol; }
  // The kind of a vertex with details, and the name that it keeps (or "").
  [[nodiscard]] std::uint32_t sort(Vertex v) const { return sorts_[v]; }
  [[nodiscard]] std::string kept_name(Vertex v) const;
  // The kind and the number (of the symbol, variable, node …) of the part that a vertex represents.
  [[nodiscard]] std::pair<Kind, std::uint32_t> part(Vertex v) const { return parts_[v]; }
  [[nodiscard]] std::optional<Vertex> find(Kind kind, std::uint32_t number) const;

 private:
  struct Row {
    Vertex from;
    Arc arc;
  };
  class Arcs {
   public:
    void build(std::size_t vertices, const std::vector<Row>& rows, bool reversed);
    [[nodiscard]] std::span<const Arc> of(Vertex v) const {
      return {arcs_.data() + begin_[v], begin_[v + 1] - begin_[v]};
    }

   private:
    std::vector<std::uint32_t> begin_;
    std::vector<Arc> arcs_;
  };

  // Sorts beyond the kinds.
  enum Sort : std::uint32_t { artificial = 32, begin, end, player, goals, visible, labels = 64 };

  Vertex add_vertex(Kind kind, std::uint32_t number, std::uint32_t sort);
  // The vertex of a part, and whether it is new.
  std::pair<Vertex, bool> vertex(Kind kind, std::uint32_t number);
  void arc(Vertex from, std::uint32_t role, Vertex to) { rows_.push_back({from, {role, to}}); }
  void mark(Vertex v, std::uint32_t sort) { sorts_[v] = sort; }
  void keep_name(SymbolId name);
  void keep_names(Names names);
  Vertex vertex_of(SymbolId name) { return vertex(symbol, name.value).first; }
  Vertex vertex_of(ir::NodeId id) { return vertex(node, id.value).first; }
  Vertex vertex_of(ir::TypeId written);
  Vertex vertex_of(ir::ValueId value);
  Vertex vertex_of(ir::VarId id);
  Vertex vertex_of(ir::ConstId id);
  Vertex vertex_of(ir::ExprId id);
  void add(ir::EdgeId id);
  void colour();

  const ir::Game& game_;
  analysis::Flow flow_;
  analysis::Liveness live_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> sorts_;
  std::vector<std::uint64_t> colours_;
  std::vector<SymbolId> kept_;  // by vertex, where it keeps its name
  std::vector<std::pair<Kind, std::uint32_t>> parts_;
  std::vector<std::vector<Vertex>> vertices_;     // by kind and number
  std::map<std::vector<SymbolId>, Vertex> sets_;  // by members in order of their ids
  Arcs forward_, backward_;
};

}  // namespace rgtrans::form
