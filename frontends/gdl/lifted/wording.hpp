// The words of a lifted game: which variables are facts, and how facts and terms print, as in the description.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>

#include "frontends/gdl/lifted/cells.hpp"
#include "frontends/gdl/lifted/classes.hpp"
#include "frontends/gdl/lifted/tables.hpp"
#include "frontends/gdl/lifted/turns.hpp"

namespace rgtrans::gdl::lifted {

class LiftedWords {
 public:
  LiftedWords(Model& model, Tables& tables, const Parted& parted, const Cells& cells, const Turns& turns,
              ir::Game& game)
      : m_(model), t_(tables), parted_(parted), cells_(cells), turns_(turns), game_(game) {}

  // Positions consist of the facts; terms print as in the description.
  [[nodiscard]] std::shared_ptr<const ir::Words> words();
  // The terms that appear as tags of moves.
  [[nodiscard]] std::set<std::uint32_t> shown_terms();
  // Cells print as their coordinates.
  [[nodiscard]] std::string text(std::uint32_t term) const;

 private:
  void place_cells(ir::Words& words);
  [[nodiscard]] bool turn_is_mover() const;
  [[nodiscard]] ir::Words::Relation relation_of(std::span<const Part> parts);
  [[nodiscard]] const std::vector<TermId>& roles() const { return m_.program().roles; }

  Model& m_;
  Tables& t_;
  const Parted& parted_;
  const Cells& cells_;
  const Turns& turns_;
  ir::Game& game_;
};

}  // namespace rgtrans::gdl::lifted
