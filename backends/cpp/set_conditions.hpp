// A comparison behind a choice, for all values of the choice at once (sets.hpp): the values for which it holds in every
// state, and the cells that decide for the others.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

class SetConditions {
 public:
  // Adds sources and words to `found`. `size`: of the universe of x.
  SetConditions(NumberedGame& model, SetWalks& found, const std::uint32_t& size, bool for_single_value)
      : model_(model), found_(found), size_(size), for_single_value_(for_single_value) {}
  // Other cells of a board with keys of this universe may be assumed to hold what they held at first, if they are few.
  void assume_besides(std::uint32_t universe, const Bits& values) {
    others_ = universe;
    values_ = values;
  }

  // The expression as a function of x.
  [[nodiscard]] std::optional<Codes> by_value(ExprId expression, std::uint32_t universe, const SetWay& way) const;
  bool compare(const Step& step, const SetWay& way, SetCondition& condition);

 private:
  // The atoms of a comparison.
  struct Sides {
    std::vector<ExprId> cells;
    std::vector<VarId> outers;  // scalars that were set before, outside of indices
  };
  // A comparison of a cell: where it lies for each x, in which row of cells.
  struct Asked {
    const Step& step;
    const SetWay& way;
    ExprId cell;
    VarId map;
    const Codes& index;
  };
  // Contents that have to be told apart, and where the cells lie.
  struct Group {
    Bits yes, no;
    std::map<std::int64_t, Bits> shifts;
  };

  [[nodiscard]] Sides sides_of(const Step& step, const SetWay& way) const;
  [[nodiscard]] Bindings bindings(std::uint32_t x, const SetWay& way) const;
  bool compare_values(const Step& step, const SetWay& way, SetCondition& condition) const;
  bool compare_table(const Step& step, const SetWay& way, VarId outer, SetCondition& condition);
  [[nodiscard]] std::optional<VarId> row_of(ExprId cell, const SetWay& way) const;
  [[nodiscard]] static std::optional<Bits> written(VarId map, std::uint32_t cell, std::size_t x, const SetWay& way);
  bool compare_contents(const Asked& asked, SetCondition& condition);
  bool ask(std::size_t source, const Group& group, const Codes& index, SetCondition& condition);
  void add_shift(Group& group, std::uint32_t cell, std::size_t x);
  [[nodiscard]] Bits contents(const Asked& asked, std::uint32_t cell, const std::optional<Bits>& written);
  [[nodiscard]] std::optional<CellPredicate> contents_source(ExprId board, const Group& group) const;
  bool compare_outer(const Asked& asked, SetCondition& condition);
  bool compare_kinds(const Asked& asked, VarId outer, SetCondition& condition);
  std::size_t source_number(CellPredicate source);
  [[nodiscard]] std::size_t gathered_cells() const;

  NumberedGame& model_;
  SetWalks& found_;
  const std::uint32_t& size_;
  bool for_single_value_;
  std::optional<std::uint32_t> others_;
  Bits values_;
};

}  // namespace rgtrans::cpp
