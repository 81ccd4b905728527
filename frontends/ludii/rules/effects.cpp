// Effects: a move can change the board in other places than those where its piece starts and ends.
#include <fmt/format.h>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

NodeId Lowering::effect(const Node& clause, NodeId at, const Env& env) {
  if (!clause.is_clause()) refuse(clause);
  Arguments arguments(clause);
  const std::string& name = clause.text;
  if (name == "if") {
    const Node& test = arguments.need("a condition");
    const Node& then = arguments.need("an effect");
    const Node* const otherwise = arguments.next();
    arguments.finish();
    const NodeId holds = node(), fails = node(), behind = otherwise == nullptr ? fails : node();
    ask(test, at, holds, fails, env);
    jump(effect(then, holds, env), behind);
    if (otherwise != nullptr) jump(effect(*otherwise, fails, env), behind);
    return behind;
  }
  if (name == "and" || name == "or") {
    std::vector<const Node*> parts;
    while (const Node* const item = arguments.next()) {
      if (!item->is_array()) {
        parts.push_back(item);
        continue;
      }
      for (const Node& part : item->items) parts.push_back(&part);
    }
    // All parts see the state before the first one acts, so only the last to be applied may test something.
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (!parts[i]->is_clause("moveAgain") && !parts[i]->is_clause("remove")) refuse(*parts[i]);
    }
    for (const Node* part : parts) at = effect(*part, at, env);
    return at;
  }
  if (name == "moveAgain") {
    const Node* const then = arguments.take_clause("then");
    if (then != nullptr) refuse(*then);
    arguments.finish();
    if (!env.after_move) refuse(clause);
    return assign(at, next_.expr, number(env.mover));
  }
  if (name == "remove") {
    const Node& where = arguments.need("a site");
    const Node* const then = arguments.take_clause("then");
    arguments.finish();
    if (then != nullptr) refuse(*then);
    if (!find_slot(where) && !where.is_clause("last") && !where.is_clause("ahead")) refuse(where);
    if (find_slot(where) == Slot::from) refuse(where);
    const Value site = integer(where, env);
    if (site.constant && !e_.is_site(*site.constant)) return at;
    const NodeId there = node(), behind = node();
    ask_test(
        site, [this](int s) { return e_.is_site(s); }, at, there, behind);
    jump(assign(there, piece_on(site.expr), number(0)), behind);
    return behind;
  }
  if (name == "promote") {
    const Node& where = arguments.need("a site");
    const Node* const piece = arguments.take_clause("piece");
    const Node* const role = arguments.next();
    arguments.finish();
    if (piece == nullptr || piece->items.size() != 1 || !piece->items[0].is_string() || !where.is_clause("last"))
      refuse(clause);
    int component = e_.find_component(piece->items[0].text);
    if (role != nullptr) {
      const auto owner = statics_.role(role->text, known(env));
      const auto found = owner ? statics_.components_like(piece->items[0].text, *owner) : std::vector<int>();
      if (found.empty()) refuse(clause);
      component = found.front();
    }
    if (component == 0) refuse(clause);
    const Value site = integer(where, env);
    const NodeId there = node(), behind = node();
    ask_test(
        site, [this](int s) { return e_.is_site(s); }, at, there, behind);
    jump(assign(there, piece_on(site.expr), number(component)), behind);
    return behind;
  }
  refuse(clause);
}

}  // namespace rgtrans::ludii
