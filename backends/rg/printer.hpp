// Appends the canonical text of parts of a game to one buffer. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/rg/rg.hpp"

namespace rgtrans::rg {

class Printer {
 public:
  Printer(const ir::Game& game, std::string& out, const std::vector<std::string>* node_names = nullptr)
      : game_(game), out_(out), node_names_(node_names) {}

  void type(ir::TypeId id);
  void value(ir::ValueId id, ir::TypeId type);
  // Prints the value of a definition. A long map of maps takes one line per entry.
  void defined_value(ir::ValueId id, ir::TypeId type);
  void expression(ir::ExprId id);
  void label(const ir::Label& label);
  void edge(ir::EdgeId id);
  void pragma(const ir::Pragma& pragma);

 private:
  void text(std::string_view part) { out_ += part; }
  void symbol(SymbolId id) { out_ += game_.symbols.text(id); }
  void node(ir::NodeId id) { out_ += (*node_names_)[id.value]; }
  void variable(ir::VarId id) { symbol(game_.variable(id).name); }
  void nodes(const std::vector<ir::NodeId>& list);
  void symbols(const std::vector<SymbolId>& list);
  void simple_apply(const ir::SimpleApply& apply);
  ir::TypeId target_of(ir::TypeId type) const;
  void map(ir::ValueId id, ir::TypeId type, bool lines);

  const ir::Game& game_;
  std::string& out_;
  const std::vector<std::string>* node_names_;
};

}  // namespace rgtrans::rg
