// Facts about one version of a game that a certificate relies on. Each is inductive over the edges: it holds at the
// begin, and each edge preserves it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/certificate/terms.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::certificate {

// The variables that are needed at nodes, and the nodes that matter. One object answers for walks of the play, others
// for walks of checks that end at one node.
class Needs {
 public:
  explicit Needs(const ir::Game& game);

  class At {
   public:
    // Whether some walk from the node ends a move or arrives.
    [[nodiscard]] bool matters(ir::NodeId node) const { return row_of_[node.value] + 1 < rows_.size(); }
    // Empty at nodes that do not matter.
    [[nodiscard]] const Bits& live(ir::NodeId node) const { return rows_[row_of_[node.value]]; }

   private:
    friend class Needs;
    std::vector<std::uint32_t> row_of_;  // by node
    std::vector<Bits> rows_;             // the last one is empty
    bool done_ = false;
  };
  // `target`: of walks that end at this node; none: of plays.
  const At& until(ir::NodeId target);

 private:
  struct Check {
    ir::NodeId source, from;
  };
  [[nodiscard]] std::vector<std::uint32_t> region(ir::NodeId target) const;
  void compute(ir::NodeId target, At& at);
  void add_reads(ir::EdgeId edge, ir::NodeId target, const At& so_far, Bits& live);

  const ir::Game& game_;
  std::vector<std::uint32_t> first_read_;  // by edge
  std::vector<ir::VarId> reads_;
  std::map<ir::NodeId, std::vector<Check>> checks_;  // by target
  std::map<ir::NodeId, std::unique_ptr<At>> known_;
  At everything_;
};

class Facts {
 public:
  explicit Facts(const ir::Game& game);
  [[nodiscard]] const ir::Game& game() const { return game_; }

  [[nodiscard]] bool reached(ir::NodeId node) const { return reached_[node.value]; }
  // Whether some edge that is reached assigns to the variable.
  [[nodiscard]] bool written(ir::VarId variable) const { return written_[variable.value]; }
  // The values that a variable, or a cell of a map, can have at a node.
  [[nodiscard]] SymbolSet values(ir::NodeId node, ir::VarId variable) const;
  // Comparisons that hold at the node.
  template <class F>
  void for_each_condition(ir::NodeId node, F&& f) const {
    if (!reached(node)) return;
    for (const std::size_t i : holds_[node.value]) f(conditions_[i]);
  }

 private:
  // Of all edges with one label.
  struct Effect {
    ir::VarId written;                                            // the comparisons that read it are forgotten, and
    bool whole = false;                                           // all its values
    std::vector<std::size_t> removed, added;                      // values
    std::vector<std::pair<std::size_t, std::size_t>> added_with;  // a value that comes with one that was there
    std::uint32_t made = kNone;                                   // the comparison that holds from now on
  };
  struct HashLabel {
    std::size_t operator()(const ir::Label& label) const { return ir::hash_label(label); }
  };

  void find_values();
  void find_effects();
  void flow();
  void add_values(const ir::Label& label, std::vector<std::pair<ir::VarId, ir::VarId>>& copies);
  std::uint32_t number(const ir::Compare& compare);
  // The one variable without keys that decides the expressions, if there is one.
  [[nodiscard]] ir::VarId only_variable(std::initializer_list<ir::ExprId> expressions) const;
  [[nodiscard]] Effect effect(const ir::Label& label);
  void assign(ir::VarId variable, const ir::Label& label, Effect& effect);
  // The expression for each value of the variable.
  const std::vector<ir::Folded>& images(ir::ExprId expression, ir::VarId variable);

  const ir::Game& game_;
  std::vector<SymbolSet> ever_;     // by variable
  std::vector<std::size_t> first_;  // by variable: the number of its first value in sets
  std::size_t bits_ = 0;
  std::vector<bool> reached_, written_;
  std::vector<Bits> sets_, holds_;  // by node
  std::vector<ir::Compare> conditions_;
  std::map<std::tuple<ir::ExprId, ir::ExprId, bool>, std::uint32_t> numbers_;
  std::vector<Bits> read_by_;            // by variable: the conditions that read it
  std::vector<ir::Label> labels_;        // of edges that are reached
  std::vector<Effect> effects_;          // by label
  std::vector<std::uint32_t> label_of_;  // by edge
  std::map<std::pair<ir::ExprId, ir::VarId>, std::vector<ir::Folded>> images_;
};

// What the checker finds about a version, once.
struct Version::Known {
  std::optional<Needs> needs;
  std::optional<Facts> facts;
};

}  // namespace rgtrans::certificate
