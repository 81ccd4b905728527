// The form of a check that reads the cells of one board (patterns.hpp). What the cells hold becomes bit masks, one
// vector comparison each; clauses become bit sets in tables, by the values of what they depend on. They take these
// forms:
//   needed   what all clauses need;
//   any      clauses of one cell: the mask meets a set;
//   meeting  clauses of one decisive cell and others that hold one thing (an attacker, and nothing between): for each
//            decisive cell that there is, the others are one set;
//   sets     the rest: each clause a set for each thing that cells hold, all of a row compared at once.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "backends/cpp/patterns.hpp"
#include "backends/cpp/planner.hpp"

namespace rgtrans::cpp {

// What a cell must hold: one of some values, or none of them; and these places it must not be.
struct CellKind {
  std::vector<std::uint32_t> values;
  bool negated = false;
  std::vector<std::uint32_t> except{};
  auto operator<=>(const CellKind&) const = default;
};

// A clause whose cells hold one of several values.
struct PatternCase {
  using Given = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // parameter, code
  using Need = std::pair<std::uint32_t, CellKind>;                     // a cell and what it must hold
  Given given;
  std::vector<Need> needs;  // sorted

  [[nodiscard]] std::map<CellKind, std::uint64_t> sets() const;
};

// Cases of one form that share a table.
struct PatternGroup {
  std::vector<CellKind> kinds;  // decisive ones; of sets: all
  CellKind other;               // of a meeting
  std::vector<PatternCase> cases;
};

class PatternPlan {
 public:
  PatternPlan(const CheckPatterns& patterns, const NumberedGame& model, bool for_device);

  enum class Verdict : std::uint8_t { good, worse, large };
  // Whether this is better than other code, worse, or too large. `waits`: a cell of the board has just been written, so
  // that a processor waits before it reads whole vectors of it.
  Verdict choose(bool waits);
  // Whether numbers of so many bits are better taken apart once than compared with each of the values.
  [[nodiscard]] bool in_planes(unsigned bits) const;
  // How many conditions other code would test when all fail, on average; and how many pay for the masks.
  [[nodiscard]] double tested() const { return tested_; }
  [[nodiscard]] double least() const { return least_; }

  // By form.
  std::vector<PatternGroup> needed, any, meetings, sets;

  // The parameters of a group, in order; how many values each has; the rows of its tables.
  [[nodiscard]] static std::vector<std::uint32_t> parameters(const PatternGroup& group);
  [[nodiscard]] std::uint32_t size(std::uint32_t parameter) const { return sizes_[parameter]; }
  // By row: cells that must hold something of a kind in one of the cases; by decisive cell, too, the others; the sets
  // of the cases, as many in each row.
  [[nodiscard]] std::vector<std::uint64_t> cells(const PatternGroup& group, const CellKind& kind) const;
  [[nodiscard]] std::vector<std::uint64_t> others(const PatternGroup& group) const;
  [[nodiscard]] std::vector<std::uint64_t> case_sets(const PatternGroup& group, const CellKind& kind) const;
  [[nodiscard]] std::uint64_t rows(const std::vector<std::uint32_t>& parameters) const;
  [[nodiscard]] bool has_empty_row(const PatternGroup& group) const;
  // All cells that cases need of a kind.
  [[nodiscard]] static std::uint64_t used(const PatternGroup& group, const CellKind& kind);

 private:
  using Cases = std::vector<PatternCase>;
  void take_out_needed(Cases& cases);
  void place(const PatternCase& made, const std::map<CellKind, bool>& single, bool meet);
  [[nodiscard]] bool fits(const PatternGroup& group, std::uint64_t words) const;
  [[nodiscard]] bool fits_sets(const PatternGroup& group) const;
  [[nodiscard]] bool fits_all() const;
  template <class F>
  void for_each_row(const std::vector<std::uint32_t>& all, const PatternCase& c, F&& f) const;
  [[nodiscard]] std::vector<std::vector<const PatternCase*>> by_row(const PatternGroup& group) const;

  const CheckPatterns& patterns_;
  const bool for_device_;
  std::vector<std::uint32_t> sizes_;  // by parameter
  std::size_t values_ = 0;            // that are compared
  double tested_ = 0, least_ = 0;
};

// A check as a comparison of sets of cells, or as one expression; else neither.
struct CheckForm {
  std::shared_ptr<const CheckPatterns> patterns{};
  std::shared_ptr<const PatternPlan> plan{};
  bool expression = false;
  // Nothing is assumed, so no other code must follow.
  [[nodiscard]] bool complete() const {
    return expression || (patterns && patterns->assumed.empty() && patterns->inside.empty());
  }
};

class CheckPlanner : PlannerPart {
 public:
  explicit CheckPlanner(const PlanningPlace& at) : PlannerPart(at) {}
  CheckForm choose();
  // The last choice was neither, and why.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  [[nodiscard]] bool is_expression() const;
  [[nodiscard]] std::size_t comparisons_from(std::uint32_t node, std::size_t depth) const;
};

}  // namespace rgtrans::cpp
