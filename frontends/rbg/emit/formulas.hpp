// Arithmetic in RG, which has none: an expression becomes a look-up in a table of its operands, or a table of tables.
// Values that a variable cannot have make the step impossible.
#pragma once

#include <memory>
#include <vector>

#include "frontends/rbg/emit/vocabulary.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

class Formulas {
 public:
  // Of a variable, or of an intermediate result in a table.
  static std::int64_t max_integer();

  // `arithmetic`, `vocabulary` and the others must outlive this object.
  Formulas(const Description& description, const Arithmetic& arithmetic, Vocabulary& vocabulary, ir::Game& game,
           Diagnostics& diagnostics);
  ~Formulas();

  // What the operands are in RG; to be filled before the first use.
  struct Cells {
    std::vector<ir::ExprId> variables;  // players first
    ir::ExprId counters;                // of pieces
    Interval count_range;
  };
  Cells cells;

  // Add what the step does; false when it is never possible. `tags` come after the tests and before the assignment.
  bool assign(const FlowStep& step, const std::vector<ir::Label>& tags, std::vector<ir::Label>& labels);
  bool compare(const FlowStep& step, std::vector<ir::Label>& labels);

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace rgtrans::rbg
