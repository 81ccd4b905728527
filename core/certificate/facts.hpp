// Facts about one version of a game that a certificate relies on. Each is inductive over the edges: it holds at the
// begin, and each edge preserves it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/certificate/terms.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::certificate {

// A set of small numbers.
class NumberRow {
 public:
  explicit NumberRow(std::size_t size = 0, bool full = false)
      : words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) {}
  [[nodiscard]] bool has(std::size_t i) const {
    return i / 64 < words_.size() && ((words_[i / 64] >> (i % 64)) & 1U) != 0;
  }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  // Each returns whether the set has changed.
  bool unite(const NumberRow& other);
  bool intersect(const NumberRow& other);
  void subtract(const NumberRow& other);
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        f(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The variables that are needed at nodes, and the nodes that matter. One object answers for walks of the play, others
// for walks of checks that end at one node.
class Needs {
 public:
  explicit Needs(const ir::Game& game) : game_(game) {}

  struct At {
    std::vector<NumberRow> live;  // by node; empty sets at nodes that do not matter
    std::vector<bool> matters;    // by node: some walk from there ends a move or arrives
  };
  // `target`: of walks that end at this node; none: of plays.
  const At& until(ir::NodeId target);

 private:
  void compute(ir::NodeId target, At& at);
  void add_reads(const ir::Label& label, ir::NodeId target, const std::vector<NumberRow>& so_far, NumberRow& live);

  const ir::Game& game_;
  std::map<ir::NodeId, std::unique_ptr<At>> known_;
  At everything_;
};

class Facts {
 public:
  explicit Facts(const ir::Game& game);

  [[nodiscard]] bool reached(ir::NodeId node) const { return reached_[node.value]; }
  // Whether some edge that is reached assigns to the variable.
  [[nodiscard]] bool written(ir::VarId variable) const { return written_[variable.value]; }
  // The values that a variable, or a cell of a map, can have at a node.
  [[nodiscard]] SymbolSet values(ir::NodeId node, ir::VarId variable) const;
  // Comparisons that hold at the node.
  template <class F>
  void for_each_condition(ir::NodeId node, F&& f) const {
    if (reached(node)) holds_[node.value].for_each([&](std::size_t i) { f(conditions_[i]); });
  }

 private:
  void find_values();
  void find_conditions();
  void flow();
  [[nodiscard]] bool add_values(const ir::Label& label);
  std::uint32_t number(const ir::Compare& compare);
  // The one variable without keys that decides the expressions, if there is one.
  [[nodiscard]] ir::VarId only_variable(std::initializer_list<ir::ExprId> expressions) const;
  void step(ir::EdgeId edge, NumberRow& sets, NumberRow& holds) const;
  void assign(ir::VarId variable, const ir::Label& label, const NumberRow& old, NumberRow& sets) const;
  [[nodiscard]] ir::Folded folded_for(ir::ExprId expression, ir::VarId variable, SymbolId value) const;

  const ir::Game& game_;
  std::vector<SymbolSet> ever_;       // by variable
  std::vector<std::uint32_t> first_;  // by variable: the number of its first value in sets, or kNone
  std::size_t bits_ = 0;
  std::vector<bool> reached_, written_;
  std::vector<NumberRow> sets_, holds_;  // by node
  std::vector<ir::Compare> conditions_;
  std::map<std::tuple<ir::ExprId, ir::ExprId, bool>, std::uint32_t> numbers_;
  std::vector<NumberRow> read_by_;      // by variable: the conditions that read it
  std::vector<std::uint32_t> made_by_;  // by edge: the condition that its label establishes, or kNone
};

}  // namespace rgtrans::certificate
