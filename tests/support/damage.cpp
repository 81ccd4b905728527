#include "tests/support/damage.hpp"

#include <optional>
#include <utility>

namespace rgtrans::test {

namespace {

class Damage {
 public:
  Damage(ir::Game& game, const std::vector<ir::EdgeId>& edges, Choices& choices)
      : game_(game), graph_(game.graph), choices_(choices) {
    for (const ir::EdgeId edge : graph_.edges()) all_.push_back(edge);
    edge_ = edges.empty() ? one_of(all_) : one_of(edges);
    other_ = one_of(all_);
    label_ = graph_.label(edge_);
  }

  std::string run(std::size_t kind) {
    switch (kind) {
      case 0:
        return empty() || ir::is_assignment(label_) ? "" : put("drop a condition or tag", ir::Empty{});
      case 1:
        return empty() || !ir::is_assignment(label_) ? "" : put("drop an assignment", ir::Empty{});
      case 2:
        return ir::is_condition(label_) ? put("negate a condition", ir::negated(label_)) : "";
      case 3:
        return other_operand();
      case 4:
        return other_symbol();
      case 5:
        return other_type();
      case 6:
        return other_check();
      case 7:
        graph_.remove_edge(edge_);
        return "drop an edge";
      case 8: {
        const ir::NodeId target = graph_.target(edge_);
        graph_.set_target(edge_, graph_.target(other_));
        graph_.set_target(other_, target);
        return "exchange targets";
      }
      case 9:
        graph_.add_edge(graph_.source(edge_), graph_.target(other_), label_);
        return "add a walk";
      case 10:
        return merge_nodes();
      case 11:
        return move_label();
      default:
        return other_begin();
    }
  }

 private:
  template <class T>
  T one_of(const std::vector<T>& all) {
    return all[choices_.below(all.size())];
  }
  [[nodiscard]] bool empty() const { return std::holds_alternative<ir::Empty>(label_); }

  std::string put(const char* name, const ir::Label& label) {
    if (label == label_ || !ir::well_typed(game_, label)) return "";
    graph_.set_label(edge_, label);
    return name;
  }
  std::string put_right(const char* name, ir::ExprId value) {
    ir::Label now = label_;
    if (auto* compare = std::get_if<ir::Compare>(&now)) {
      compare->rhs = value;
    } else if (auto* assign = std::get_if<ir::Assign>(&now)) {
      assign->rhs = value;
    } else {
      return "";
    }
    return put(name, now);
  }

  [[nodiscard]] std::optional<ir::ExprId> right(const ir::Label& label) const {
    if (const auto* compare = std::get_if<ir::Compare>(&label)) return compare->rhs;
    if (const auto* assign = std::get_if<ir::Assign>(&label)) return assign->rhs;
    return std::nullopt;
  }

  std::string other_operand() {
    const std::optional<ir::ExprId> value = right(graph_.label(other_));
    return value ? put_right("exchange an operand", *value) : "";
  }

  std::string other_symbol() {
    const std::optional<ir::ExprId> value = right(label_);
    if (!value) return "";
    const ir::TypeId type = game_.expressions().type(*value);
    if (!game_.is_set(type) || game_.members(type).empty()) return "";
    const auto members = game_.members(type);
    return put_right("change a constant", game_.symbol(members[choices_.below(members.size())]));
  }

  std::string other_type() {
    auto* any = std::get_if<ir::AssignAny>(&label_);
    const auto* other = std::get_if<ir::AssignAny>(&graph_.label(other_));
    return any == nullptr || other == nullptr ? "" : put("change the choices", ir::AssignAny{any->lhs, other->type});
  }

  std::string other_check() {
    const auto* check = std::get_if<ir::Reachability>(&label_);
    if (check == nullptr) return "";
    return put("change a check", ir::Reachability{check->from, graph_.target(other_), check->negated});
  }

  std::string merge_nodes() {
    const ir::NodeId from = graph_.target(edge_), to = graph_.target(other_);
    if (from == to || from == game_.end() || from == game_.begin()) return "";
    std::vector<ir::EdgeId> in, out;
    for (const ir::EdgeId edge : graph_.in_edges(from)) in.push_back(edge);
    for (const ir::EdgeId edge : graph_.out_edges(from)) out.push_back(edge);
    for (const ir::EdgeId edge : in) graph_.set_target(edge, to);
    for (const ir::EdgeId edge : out) graph_.set_source(edge, to);
    return "merge two nodes";
  }

  std::string move_label() {
    std::vector<ir::EdgeId> next;
    for (const ir::EdgeId edge : graph_.out_edges(graph_.target(edge_))) next.push_back(edge);
    if (next.empty()) return "";
    const ir::EdgeId later = one_of(next);
    const ir::Label behind = graph_.label(later);
    if (later == edge_ || behind == label_) return "";
    graph_.set_label(later, label_);
    graph_.set_label(edge_, behind);
    return "move a label over the next one";
  }

  std::string other_begin() {
    const ir::VarId variable = ir::written_variable(game_, label_);
    if (!variable.valid() || !game_.is_set(game_.variable(variable).type)) return "";
    const auto members = game_.members(game_.variable(variable).type);
    const ir::ValueId value = game_.values.symbol(members[choices_.below(members.size())]);
    if (std::exchange(game_.variables()[variable.value].initial, value) == value) return "";
    return "change an initial value";
  }

  ir::Game& game_;
  ir::Automaton& graph_;
  Choices& choices_;
  std::vector<ir::EdgeId> all_;
  ir::EdgeId edge_, other_;
  ir::Label label_;
};

}  // namespace

std::vector<ir::EdgeId> changed_edges(const ir::Game& before, const ir::Game& after) {
  std::vector<ir::EdgeId> changed;
  const ir::Automaton &then = before.graph, &now = after.graph;
  for (const ir::EdgeId edge : now.edges()) {
    const bool same = edge.value < then.edge_bound() && then.alive(edge) && then.source(edge) == now.source(edge) &&
                      then.target(edge) == now.target(edge) && then.label(edge) == now.label(edge);
    if (!same) changed.push_back(edge);
  }
  return changed;
}

std::string damage(ir::Game& game, std::size_t kind, const std::vector<ir::EdgeId>& edges, Choices& choices) {
  return Damage(game, edges, choices).run(kind);
}

}  // namespace rgtrans::test
