// The coverage of a run: constructs of the language, rewrites of GDL and RBG, passes that changed a game, and
// techniques of the C++ generator that changed a program. The report also lists those that never occurred.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"
#include "core/passes/passes.hpp"
#include "core/support/coverage.hpp"
#include "tests/differential/driver/samples.hpp"
#include "tests/support/constructs.hpp"

namespace rgtrans::differential {

class Coverage {
 public:
  // Counts what this thread does from now on.
  Coverage() { count_coverage(&counts_); }
  ~Coverage() { count_coverage(nullptr); }
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  void text(const Sample& sample);
  void passes(const passes::OptimizeReport& report);
  void techniques(const ir::Game& game);
  // Lines "reached", number, name.
  void print() const;

 private:
  std::map<std::string, test::ConstructCount> constructs_;  // by language
  CoverageCounts counts_;
};

}  // namespace rgtrans::differential
