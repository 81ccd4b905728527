// Facts about one version of a game that a certificate relies on. Each is inductive over the edges: it holds at the
// begin, and each edge preserves it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
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
  std::map<ir::NodeId, std::vector<Check>> checks_;  // by target
  std::map<ir::NodeId, std::unique_ptr<At>> known_;
  At everything_;
};

class Facts {
 public:
  // A comparison that holds at a node. Behind `x = f[a]` and `x = g[x]`, x is g[f[a]]: the second assignment is the
  // comparison, x is `variable`, and `inner` is the number of the condition that the first one makes.
  struct Condition {
    ir::Compare compare;
    ir::VarId variable;
    std::uint32_t inner = kNone;
  };

  explicit Facts(const ir::Game& game);
  [[nodiscard]] const ir::Game& game() const { return game_; }

  [[nodiscard]] bool reached(ir::NodeId node) const { return reached_[node.value]; }
  // Whether some edge that is reached assigns to the variable.
  [[nodiscard]] bool written(ir::VarId variable) const { return written_[variable.value]; }
  // The values that a variable, or a cell of a map, can have at a node. Found on the first call for the variable or one
  // whose values depend on it.
  [[nodiscard]] SymbolSet values(ir::NodeId node, ir::VarId variable);
  // The conditions that hold at the node. Found on the first call.
  template <class F>
  void for_each_condition(ir::NodeId node, F&& f) {
    if (!reached(node)) return;
    if (broken_.empty()) find_conditions();
    std::size_t first = 0;
    for (const Flow& flow : broken_) {
      for (std::size_t i = 0; i < flow.size; ++i)
        if (!flow.at[node.value].test(i)) f(conditions_[first + i]);
      first += flow.size;
    }
  }
  [[nodiscard]] const Condition& condition(std::uint32_t number) const { return conditions_[number]; }
  // The side of the condition that is equal to the variable, or none.
  [[nodiscard]] ir::ExprId equal_to(ir::VarId variable, const Condition& condition) const;
  template <class F>
  void for_each_read(const Condition& condition, F&& f) const {
    for (const Condition* part = &condition; part != nullptr;
         part = part->inner == kNone ? nullptr : &conditions_[part->inner])
      ir::for_each_read(game_, part->compare, f);
  }

 private:
  // Of a label.
  struct Effect {
    Bits removed, added;                                          // first the ones, then the others
    std::vector<std::pair<std::size_t, std::size_t>> added_with;  // one that comes with one that was there
  };
  // Which of some statements may be true at the nodes.
  struct Flow {
    std::unordered_map<std::uint32_t, Effect> effects;  // by label
    std::vector<Bits> at;                               // by node
    std::size_t size = 0;                               // of each of them
  };
  // Variables whose values depend on each other. A statement is that a variable has a value.
  struct Group {
    std::vector<ir::VarId> variables;
    std::vector<std::uint32_t> labels;  // that change or restrict them
    bool known = false;
    Flow flow;
  };

  void number_labels();
  void group_variables();
  ir::VarId leader(ir::VarId variable) const;
  void find_values(Group& group);
  void find_conditions();
  // By label: the condition that it makes, and the number of the inner one in the last flow.
  using Made = std::multimap<std::uint32_t, std::pair<std::size_t, std::size_t>>;
  // Conditions around those of the last flow.
  Made outer_conditions();
  // Finds where the conditions hold that have no flow yet.
  void follow(const Made& made);
  // `inner`: the flow that has the statements which the others come with.
  void run(Flow& flow, const Bits& begin, const Flow& inner) const;
  [[nodiscard]] std::optional<std::vector<SymbolId>> constant_values(const ir::Label& label) const;
  // Adds the values that an assignment gives to its variable. Returns whether some are new.
  bool add_values(const ir::Label& label);
  // The one variable without keys that decides the expressions, if there is one.
  [[nodiscard]] ir::VarId only_variable(std::initializer_list<ir::ExprId> expressions) const;
  // The variable whose value decides the value of the expression, if there is one.
  [[nodiscard]] ir::VarId source(ir::ExprId expression) const;
  [[nodiscard]] Effect effect(const ir::Label& label, std::size_t size);
  // The number of the statement that the variable has this value.
  [[nodiscard]] std::size_t value_number(ir::VarId variable, SymbolId symbol) const;
  void assign(ir::VarId variable, const ir::Label& label, Effect& effect);
  // The expression for each value of the variable.
  std::vector<ir::Folded> images(ir::ExprId expression, ir::VarId variable);

  const ir::Game& game_;
  std::vector<bool> reached_, written_;
  std::vector<ir::Label> labels_;        // of edges that are reached
  std::vector<std::uint32_t> label_of_;  // by edge
  std::vector<ir::VarId> joined_;        // by variable: another one of its group, or itself
  std::map<ir::VarId, Group> groups_;    // by leader
  std::vector<SymbolSet> ever_;          // by variable: its values
  std::vector<std::size_t> first_;       // by variable: the number of its first value
  std::vector<Condition> conditions_;
  std::vector<Flow> broken_;  // the conditions that may not hold
};

// What the checker finds about a version, once.
struct Version::Known {
  std::optional<Needs> needs;
  std::optional<Facts> facts;
};

}  // namespace rgtrans::certificate
