#include "backends/proper/formulas.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "backends/proper/solver.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::proper {

CellFormulas::CellFormulas() {
  rows_.push_back({Kind::constant, 0, {}, {}});
  rows_.push_back({Kind::constant, 1, {}, {}});
}

CellFormulas::Id CellFormulas::intern(Row row) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(row.kind), row.cell, row.symbol.value};
  key.insert(key.end(), row.parts.begin(), row.parts.end());
  const auto [it, fresh] = index_.try_emplace(std::move(key), static_cast<Id>(rows_.size()));
  if (fresh) rows_.push_back(std::move(row));
  return it->second;
}

CellFormulas::Id CellFormulas::atom(std::uint32_t cell, SymbolId symbol) {
  return intern({Kind::atom, cell, symbol, {}});
}

CellFormulas::Id CellFormulas::negation(Id part) {
  if (part <= kTrue) return part == kTrue ? kFalse : kTrue;
  if (rows_[part].kind == Kind::negation) return rows_[part].parts[0];
  return intern({Kind::negation, 0, {}, {part}});
}

CellFormulas::Id CellFormulas::join(Kind kind, std::vector<Id> parts) {
  const Id neutral = kind == Kind::all ? kTrue : kFalse;
  const Id decisive = kind == Kind::all ? kFalse : kTrue;
  sort_unique(parts);
  std::erase(parts, neutral);
  for (const Id part : parts) {
    if (part == decisive) return decisive;
    if (rows_[part].kind == Kind::negation && std::ranges::binary_search(parts, rows_[part].parts[0])) return decisive;
  }
  if (parts.empty()) return neutral;
  return parts.size() == 1 ? parts[0] : intern({kind, 0, {}, std::move(parts)});
}

namespace {

// At most one of the terms holds: `some` says whether one of those so far does. Pairs would be too many.
void at_most_one(TruthProblem& problem, const std::vector<TruthProblem::Term>& terms) {
  const auto implies = [&](TruthProblem::Term a, TruthProblem::Term b) {
    const std::array<TruthProblem::Term, 2> either{problem.negation(a), b};
    problem.require(problem.any(either));
  };
  TruthProblem::Term some = problem.constant(false);
  for (const TruthProblem::Term term : terms) {
    implies(term, problem.negation(some));
    const TruthProblem::Term before = some;
    some = problem.fresh();
    implies(before, some);
    implies(term, some);
  }
}

}  // namespace

bool CellFormulas::contradict(std::span<const Id> required, const Domain& domain, double seconds) const {
  if (std::ranges::find(required, kFalse) != required.end()) return true;
  if (!solver_found()) return false;
  TruthProblem problem(seconds);
  std::vector<TruthProblem::Term> terms(rows_.size(), nullptr);
  std::map<std::uint32_t, std::map<SymbolId, TruthProblem::Term>> atoms;  // by cell
  std::vector<Id> stack(required.begin(), required.end());
  while (!stack.empty()) {
    const Id at = stack.back();
    if (terms[at] != nullptr) {
      stack.pop_back();
      continue;
    }
    const Row& row = rows_[at];
    const std::size_t before = stack.size();
    std::vector<TruthProblem::Term> parts;
    for (const Id part : row.parts) {
      if (terms[part] == nullptr) stack.push_back(part);
      parts.push_back(terms[part]);
    }
    if (stack.size() > before) continue;
    switch (row.kind) {
      case Kind::constant:
        terms[at] = problem.constant(at == kTrue);
        break;
      case Kind::unknown:
        terms[at] = problem.fresh();
        break;
      case Kind::atom:
        terms[at] = atoms[row.cell][row.symbol] = problem.fresh();
        break;
      case Kind::negation:
        terms[at] = problem.negation(parts[0]);
        break;
      case Kind::all:
        terms[at] = problem.all(parts);
        break;
      case Kind::any:
        terms[at] = problem.any(parts);
        break;
    }
    stack.pop_back();
  }
  for (const auto& [cell, by_symbol] : atoms) {
    const std::vector<SymbolId> symbols = domain(cell);
    std::vector<TruthProblem::Term> named;
    for (const auto& [symbol, term] : by_symbol) {
      if (std::ranges::find(symbols, symbol) == symbols.end()) {
        problem.require(problem.negation(term));
      } else {
        named.push_back(term);
      }
    }
    if (named.size() == symbols.size()) problem.require(problem.any(named));
    at_most_one(problem, named);
  }
  for (const Id formula : required) problem.require(terms[formula]);
  return problem.impossible();
}

}  // namespace rgtrans::proper
