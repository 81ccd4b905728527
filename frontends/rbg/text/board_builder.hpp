// Builds the board while its section is read, either vertex by vertex or from the cells of a generator.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "frontends/rbg/board/boards.hpp"
#include "frontends/rbg/text/names.hpp"

namespace rgtrans::rbg {

class BoardBuilder {
 public:
  // The arguments must outlive this object.
  BoardBuilder(Description& description, DeclaredNames& names, const Macros& macros, Diagnostics& diagnostics)
      : d_(description), names_(names), macros_(macros), diagnostics_(diagnostics) {}

  // --- A graph: each vertex with its piece and its edges. ---
  void add_vertex(const Token& name);
  void set_vertex_piece(const Token& piece);
  void begin_edge(const Token& label);
  void end_edge(const Token& target);
  void finish_graph();

  // --- A generator: its directions, then layers of rows of cells. ---
  void add_direction(const Token& name) { names_.declare(NameKind::label, name); }
  void begin_layer(const Token& bracket);
  void begin_row(const Token& bracket);
  void set_cell(const Token& piece);
  void end_cell();
  void end_row();
  using Generator = std::optional<ShapeError> (*)(const BoardCells&, Description&);
  void finish_shape(const Token& name, Generator make);

 private:
  struct Edge {
    std::uint32_t vertex;
    const Token* label;
    const Token* target;
  };
  void resolve(const Edge& edge);

  Description& d_;
  DeclaredNames& names_;
  const Macros& macros_;
  Diagnostics& diagnostics_;
  std::unordered_map<SymbolId, std::uint32_t> vertices_;
  std::vector<Edge> edges_;
  const Token* edge_label_ = nullptr;
  BoardCells layout_;
  bool cell_is_set_ = false;
};

}  // namespace rgtrans::rbg
