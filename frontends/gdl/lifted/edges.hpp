// Writes nodes and edges of the automaton, with their places in the description: tests, assignments and loops over
// values. Nodes that equal labels reach from one node are recorded as equal, so that walks share what follows.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/body.hpp"

namespace rgtrans::gdl::lifted {

class EdgeWriter {
 public:
  EdgeWriter(Model& model, Tables& tables, ir::Game& game) : m_(model), t_(tables), game_(game) {}

  struct TooLarge {};

  // The place in the description of all nodes and edges from now on. An unknown one changes nothing.
  void at(Range place) {
    if (place.known()) place_ = place;
  }
  ir::NodeId node() { return game_.graph.add_node({}, place_); }
  ir::EdgeId edge(ir::NodeId from, ir::NodeId to, ir::Label label);
  ir::NodeId then(ir::NodeId from, ir::Label label);
  // Repeats `body` for each value. It gets the value and a first node, and returns its last node.
  ir::NodeId loop(std::string_view wish, SortId sort, std::set<ir::VarId>& busy, ir::NodeId from,
                  const std::function<ir::NodeId(const Value&, ir::NodeId)>& body);
  ir::NodeId loop_over(const Register& r, ir::NodeId from, const std::function<ir::NodeId(ir::NodeId)>& body);
  // Resets the registers that walks between the nodes may have changed.
  ir::NodeId forget(ir::NodeId begin, ir::NodeId at);

  // Removes the parts of bodies that can never hold.
  void remove_unreachable();

  [[nodiscard]] std::optional<Value> value(const BodyState& f, Pattern p);
  // The cell of a stored fact.
  ir::ExprId cell(ir::VarId map, const std::vector<Value>& key) { return lookup(game_.variable_ref(map), key); }
  ir::ExprId lookup(ir::ExprId table, const std::vector<Value>& keys);
  // Tests that values belong to sorts, unless that is certain.
  ir::NodeId guard(const std::vector<std::pair<Value, SortId>>& what, ir::NodeId from);
  // A parallel assignment: every value is read before it is overwritten.
  ir::NodeId assign(std::vector<std::pair<const Register*, Value>> places, std::set<ir::VarId> busy,
                    const std::string& pool, ir::NodeId from);
  ir::NodeId test_equal(const Value& a, const Value& b, ir::NodeId from, bool negated = false);

 protected:
  ir::NodeId negate_walk(ir::NodeId first, ir::NodeId last, ir::NodeId from);
  [[nodiscard]] std::optional<ir::Compare> only_comparison(ir::NodeId first, ir::NodeId last) const;
  void add_negated_edge(ir::NodeId first, ir::NodeId last, ir::NodeId from, ir::NodeId to);
  // The first node that is reached from the same node by the same labels.
  [[nodiscard]] ir::NodeId alike(ir::NodeId n) const {
    const auto found = alike_.find(n);
    return found == alike_.end() ? n : found->second;
  }
  // While an object exists, nodes that equal labels reach from one node are recorded as equal.
  class Sharing {
   public:
    explicit Sharing(EdgeWriter& edges) : edges_(edges), before_(std::exchange(edges.sharing_, true)) {}
    ~Sharing() { edges_.sharing_ = before_; }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

   private:
    EdgeWriter& edges_;
    bool before_;
  };

  Model& m_;
  Tables& t_;
  ir::Game& game_;
  Range place_;

 private:
  bool sharing_ = false;
  std::set<ir::NodeId> walked_;
  std::map<ir::NodeId, ir::NodeId> alike_;
};

}  // namespace rgtrans::gdl::lifted
