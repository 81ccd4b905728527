// Arithmetic in RG, which has no arithmetic of its own: an expression becomes a lookup in a table over its operands, or
// in a table of tables. A step that assigns a value outside the variable's range is impossible.
#pragma once

#include <memory>
#include <vector>

#include "frontends/rbg/emit/vocabulary.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

class Formulas {
 public:
  // Bound on the values of variables and of intermediate results in tables.
  static std::int64_t max_integer();

  // `arithmetic`, `vocabulary` and the others must outlive this object.
  Formulas(const Description& description, const Arithmetic& arithmetic, Vocabulary& vocabulary, ir::Game& game,
           Diagnostics& diagnostics);
  ~Formulas();

  // The RG expressions of the operands. Fill this before the first use.
  struct Cells {
    std::vector<ir::ExprId> variables;  // players first
    ir::ExprId counters;                // numbers of pieces
    Interval count_range;
  };
  Cells cells;

  // Append the labels of a step. Return false if the step is never possible. `tags` are placed between the tests and
  // the assignment.
  bool assign(const FlowStep& step, const std::vector<ir::Label>& tags, std::vector<ir::Label>& labels);
  bool compare(const FlowStep& step, std::vector<ir::Label>& labels);

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace rgtrans::rbg
