// Converts a compiled game to tables: numbers tags and players, and keeps only the parts of the layout needed for play.
#include "backends/interpreter/tables.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "backends/interpreter/compiled.hpp"
#include "backends/interpreter/interpreter.hpp"

namespace rgtrans {

namespace interpreter {

namespace {

class Export {
 public:
  explicit Export(const Compiled& compiled) : compiled_(compiled), game_(compiled.game), layout_(compiled.layout) {}

  WrittenTables run() {
    name_symbols();
    number_tags();
    tables_.initial = layout_.initial();
    for (std::uint32_t cell = 0; cell < layout_.cell_count(); ++cell) {
      if (layout_.is_trash(cell)) tables_.trash.push_back(cell);
    }
    tables_.player_cell = compiled_.player_cell;
    tables_.goal_cells = compiled_.goal_cells;
    tables_.visibility = compiled_.visibility;
    tables_.hiding = compiled_.hiding;
    add_variables();
    add_dead_cells();
    place_variables();
    TableWriter writer;
    transfer(writer, std::as_const(tables_));
    result_.text = writer.text();
    return std::move(result_);
  }

 private:
  void name_symbols() {
    result_.cells = layout_.cell_count();
    for (std::uint32_t code = 0; code < layout_.code_count(); ++code) {
      result_.symbols.push_back(compiled_.symbol_text(code));
    }
    result_.keeper = layout_.code(game_.keeper());
    result_.random = layout_.code(game_.random());
    for (SymbolId player : game_.players()) result_.players.push_back(layout_.code(player));
    result_.player_cell = compiled_.player_cell;
    result_.random_moves = layout_.variable(game_.player()).possible.contains(result_.random);
    result_.scores = layout_.variable(game_.goals()).codes;
    const std::vector<Start>& starts = compiled_.program.starts;
    result_.end = static_cast<std::uint32_t>(starts.size());
    for (std::uint32_t i = 0; i < starts.size(); ++i) {
      result_.starts.push_back(compiled_.node_names[starts[i].node]);
      if (compiled_.final_start[i]) result_.end = i;
    }
  }

  // Numbers the tags that moves can show, and no others.
  void number_tags() {
    result_.tags.emplace_back();
    tables_.program = compiled_.program;
    tables_.program.live_cells.clear();
    tables_.tag_of_code.assign(layout_.code_count(), 0);
    for (Instruction& instruction : tables_.program.code) {
      if (instruction.op == Op::tag) {
        instruction.a = tag_number(instruction.a);
      } else if (instruction.op == Op::tag_cell) {
        number_tags_of(instruction.a);
      } else if (instruction.op == Op::tags || instruction.op == Op::tail) {
        for (std::uint32_t i = instruction.b; i < instruction.b + instruction.c; ++i) {
          std::uint32_t& tag = tables_.program.lists[i];
          if ((tag & kCellTag) == 0) {
            tag = tag_number(tag);
          } else if ((tag & kMark) == 0) {  // a copied tail shows the cell for other values
            number_tags_of(tag - kCellTag);
          }
        }
      }
    }
  }
  void number_tags_of(std::uint32_t cell) {
    for (std::uint32_t code : layout_.variable(compiled_.variable_of_cell[cell]).codes) {
      tables_.tag_of_code[code] = tag_number(compiled_.symbol_of_code[code]);
    }
  }
  std::uint32_t tag_number(std::uint32_t symbol) {
    const auto [it, fresh] = tag_of_symbol_.try_emplace(symbol, static_cast<std::uint32_t>(result_.tags.size()));
    if (fresh) result_.tags.push_back(game_.symbols.str(SymbolId(symbol)));
    return it->second;
  }

  void add_variables() {
    for (const ir::VarId id : game_.living_variables()) {
      const VariableLayout& variable = layout_.variable(id);
      CellRange& range = tables_.ranges.emplace_back();
      range.first = variable.offset;
      range.count = variable.shape.size;
      range.codes.assign(layout_.code_count() / 64 + 1, 0);
      for (std::uint32_t code : variable.codes) range.codes[code / 64] |= std::uint64_t{1} << (code % 64);
      while (range.codes.back() == 0) range.codes.pop_back();
      const std::vector<Level>& levels = variable.shape.levels;
      if (levels.size() > 1) continue;
      result_.variables.push_back(game_.symbols.str(game_.variable(id).name));
      tables_.variables.push_back({variable.offset, !levels.empty(), {}});
      if (!levels.empty()) tables_.variables.back().keys = levels[0].keys;
    }
  }

  void add_dead_cells() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (const std::vector<std::uint32_t>& places : compiled_.dead_places) {
      const auto [it, fresh] = known.try_emplace(places, static_cast<std::uint32_t>(tables_.dead.size()));
      tables_.dead_at.push_back(it->second);
      if (!fresh) continue;
      std::vector<CellRange>& ranges = tables_.dead.emplace_back();
      for (const std::uint32_t place : places) {
        const std::uint32_t cell = compiled_.state_cells[place];
        if (cell == tables_.player_cell) continue;  // callers ask who moves
        if (ranges.empty() || ranges.back().first + ranges.back().count != cell) ranges.push_back({cell, 0, {}});
        ++ranges.back().count;
      }
    }
  }

  void place_variables() {
    for (const ir::VarId id : game_.living_variables()) {
      if (game_.built_in(id)) continue;
      WrittenTables::Placed& placed = result_.placed.emplace_back();
      placed.name = game_.symbols.str(game_.variable(id).name);
      placed.first = layout_.variable(id).offset;
      for (const std::vector<bool>& alive : compiled_.alive) placed.alive.push_back(alive[id.value] ? 1 : 0);
      placed.alive.push_back(0);
      for (const Level& level : layout_.variable(id).shape.levels) {
        std::vector<std::string>& keys = placed.keys.emplace_back(level.blocks());
        for (std::size_t k = 0; k < level.keys.size(); ++k) keys[k] = compiled_.symbol_text(level.keys[k]);
      }
    }
  }

  const Compiled& compiled_;
  const ir::Game& game_;
  const StateLayout& layout_;
  MachineTables tables_;
  WrittenTables result_;
  std::unordered_map<std::uint32_t, std::uint32_t> tag_of_symbol_;
};

}  // namespace

}  // namespace interpreter

WrittenTables write_tables(const ir::Game& game, const InterpreterOptions& options) {
  return interpreter::Export(interpreter::Compiled(game, options)).run();
}

}  // namespace rgtrans
