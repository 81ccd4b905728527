// Satisfiability and linear arithmetic, by Z3: one library for both, exact in its arithmetic. It is loaded at the first
// problem, because that takes longer than most commands run. A program built without its headers, or one that does not
// find the library, has no solver; then no proof that needs one is found.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rgtrans::proper {

using Rational = boost::multiprecision::cpp_rational;

[[nodiscard]] bool solver_found();

class SolverContext;

// Conditions over truth values.
class TruthProblem {
 public:
  explicit TruthProblem(double seconds);
  ~TruthProblem();
  TruthProblem(const TruthProblem&) = delete;
  TruthProblem& operator=(const TruthProblem&) = delete;

  using Term = void*;
  Term fresh();
  Term constant(bool value);
  Term negation(Term term);
  Term all(std::span<const Term> terms);
  Term any(std::span<const Term> terms);
  void require(Term term);
  // Whether no truth values meet all conditions. False also if the time ran out.
  [[nodiscard]] bool impossible();

 private:
  std::unique_ptr<SolverContext> context_;
};

// Linear conditions over real numbers.
class LinearProblem {
 public:
  explicit LinearProblem(double seconds);
  ~LinearProblem();
  LinearProblem(const LinearProblem&) = delete;
  LinearProblem& operator=(const LinearProblem&) = delete;

  using Sum = std::span<const std::pair<std::uint32_t, int>>;  // variables with their factors
  std::uint32_t fresh();
  void at_most(Sum sum, int bound);
  // The values of all variables for which the sum is largest. None if there are none, or if the time ran out.
  [[nodiscard]] std::optional<std::vector<Rational>> maximize(Sum sum);

 private:
  void* term(Sum sum);

  std::unique_ptr<SolverContext> context_;
  std::vector<void*> variables_;
};

}  // namespace rgtrans::proper
