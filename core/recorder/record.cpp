// Derives the record of a pass. Passes keep the ids of most edges. If an edge leads to another node, or reads another
// variable, than before, the new one took the place of the old one.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/recorder/recorder.hpp"
#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

namespace {

class Recorder {
 public:
  Recorder(const ir::Game& before, const ir::Game& after) : before_(before), after_(after) {}

  PassRecord run() {
    for (const ir::EdgeId edge : after_.graph.edges()) {
      if (edge.value >= before_.graph.edge_bound() || !before_.graph.alive(edge)) continue;
      // A node that was there gets edges of others when prefixes are joined: it takes nobody's place.
      if (!alive(before_, after_.graph.source(edge))) pair(after_.graph.source(edge), before_.graph.source(edge));
      pair(after_.graph.target(edge), before_.graph.target(edge));
      compare(after_.graph.label(edge), before_.graph.label(edge));
    }
    sort_unique(record_.nodes);
    follow();
    sort_unique(record_.origins);
    unread();
    return std::move(record_);
  }

 private:
  void pair(ir::NodeId after, ir::NodeId before) {
    if (after != before) record_.nodes.emplace_back(after, before);
  }

  using Nodes = std::pair<ir::NodeId, ir::NodeId>;  // (after, before)

  // Behind a removed node, equal edges lead to the nodes that took the place of further ones.
  void follow() {
    std::set<Nodes> known(record_.nodes.begin(), record_.nodes.end());
    const std::size_t first = record_.nodes.size();
    const auto add = [&](ir::NodeId now, ir::NodeId then) {
      if (!alive(after_, then) && known.emplace(now, then).second) record_.nodes.emplace_back(now, then);
    };
    for (std::size_t i = 0; i < record_.nodes.size(); ++i) {
      const auto [now, then] = record_.nodes[i];
      if (alive(after_, then) || !alive(after_, now)) continue;
      for (const ir::EdgeId old : before_.graph.out_edges(then)) {
        for (const ir::EdgeId edge : after_.graph.out_edges(now)) {
          const ir::Label &a = after_.graph.label(edge), &b = before_.graph.label(old);
          const auto *check = std::get_if<ir::Reachability>(&a), *other = std::get_if<ir::Reachability>(&b);
          const bool checks = check != nullptr && other != nullptr;
          if (a != b && !checks) continue;
          add(after_.graph.target(edge), before_.graph.target(old));
          if (checks) add(check->from, other->from), add(check->to, other->to);
        }
      }
    }
    keep_bisimilar(first, std::move(known));
  }

  // Edges with one label may lead to several nodes. Of the nodes that could have taken the place of one, those that are
  // bisimilar to it stay, if there are any.
  void keep_bisimilar(std::size_t first, std::set<Nodes> bisimilar) {
    const auto paired = [&](ir::NodeId now, ir::NodeId then) { return now == then || bisimilar.contains({now, then}); };
    const auto equal = [&](ir::EdgeId now, ir::EdgeId then) {
      const ir::Label &a = after_.graph.label(now), &b = before_.graph.label(then);
      if (a.index() != b.index() || !paired(after_.graph.target(now), before_.graph.target(then))) return false;
      const auto *check = std::get_if<ir::Reachability>(&a), *other = std::get_if<ir::Reachability>(&b);
      if (check == nullptr) return a == b;
      return check->negated == other->negated && paired(check->from, other->from) && paired(check->to, other->to);
    };
    const auto differ = [&](const Nodes& nodes) {
      if (!alive(after_, nodes.first)) return true;
      const auto now = after_.graph.out_edges(nodes.first);
      const auto then = before_.graph.out_edges(nodes.second);
      const auto is_found = [&](ir::EdgeId a) {
        return std::ranges::any_of(then, [&](auto b) { return equal(a, b); });
      };
      const auto has_one = [&](ir::EdgeId b) { return std::ranges::any_of(now, [&](auto a) { return equal(a, b); }); };
      return !std::ranges::all_of(now, is_found) || !std::ranges::all_of(then, has_one);
    };
    while (std::erase_if(bisimilar, differ) > 0) continue;
    std::set<ir::NodeId> found;
    for (const Nodes& nodes : bisimilar) found.insert(nodes.second);
    const auto guesses = record_.nodes.begin() + static_cast<std::ptrdiff_t>(first);
    const auto other = [&](const Nodes& nodes) { return found.contains(nodes.second) && !bisimilar.contains(nodes); };
    record_.nodes.erase(std::remove_if(guesses, record_.nodes.end(), other), record_.nodes.end());
  }

  static bool alive(const ir::Game& game, ir::NodeId n) {
    return n.value < game.graph.node_bound() && game.graph.alive(n);
  }

  void compare(const ir::Label& after, const ir::Label& before) {
    if (after == before || after.index() != before.index()) return;
    if (const auto* check = std::get_if<ir::Reachability>(&after)) {
      pair(check->from, std::get<ir::Reachability>(before).from);
      pair(check->to, std::get<ir::Reachability>(before).to);
    }
    std::vector<ir::ExprId> now, then;
    ir::for_each_expression(after, [&](ir::ExprId e) { now.push_back(e); });
    ir::for_each_expression(before, [&](ir::ExprId e) { then.push_back(e); });
    for (std::size_t i = 0; i < now.size(); ++i) compare(now[i], then[i]);
    if (const auto* tag = std::get_if<ir::TagVariable>(&after))
      origin(tag->variable, std::get<ir::TagVariable>(before).variable, {});
  }

  void compare(ir::ExprId after, ir::ExprId before) {
    const ir::Expressions& now = after_.expressions();
    const ir::Expressions& then = before_.expressions();
    after = now.uncast(after);
    before = then.uncast(before);
    if (now.kind(after) == ir::ExprKind::access && then.kind(before) == ir::ExprKind::access) {
      compare(now.map(after), then.map(before));
      compare(now.index(after), then.index(before));
      return;
    }
    if (now.kind(after) != ir::ExprKind::variable) return;
    std::vector<SymbolId> keys;
    for (; then.kind(before) == ir::ExprKind::access; before = then.uncast(then.map(before))) {
      const ir::Folded key = ir::fold(before_, then.index(before));
      if (!key.symbol.valid()) return;
      keys.insert(keys.begin(), key.symbol);
    }
    if (then.kind(before) == ir::ExprKind::variable)
      origin(now.variable(after), then.variable(before), std::move(keys));
  }

  // Constant keys of the cell that a label writes; none for other labels.
  static std::vector<SymbolId> keys_of(const ir::Game& game, const ir::Label& label) {
    std::vector<SymbolId> keys;
    if (!ir::is_assignment(label)) return keys;
    for (const ir::ExprId index : ir::indices_of(game.expressions(), ir::left_side(label))) {
      keys.push_back(ir::fold(game, index).symbol);
      if (!keys.back().valid()) return {};
    }
    return keys;
  }

  // Behind an assignment to a cell that was emptied, the games differ in the cell until it is written again.
  void unread() {
    std::map<std::pair<ir::VarId, std::vector<SymbolId>>, std::vector<std::uint32_t>> begins;
    for (const ir::EdgeId edge : before_.graph.edges()) {
      if (!after_.graph.alive(edge) || !std::holds_alternative<ir::Empty>(after_.graph.label(edge))) continue;
      const ir::Label& label = before_.graph.label(edge);
      if (std::vector<SymbolId> keys = keys_of(before_, label); !keys.empty())
        begins[{ir::written_variable(before_, label), std::move(keys)}].push_back(after_.graph.target(edge).value);
    }
    for (const auto& [cell, nodes] : begins) {
      const auto& [variable, keys] = cell;
      const auto written_again = [&, v = variable, &k = keys](const ir::Label& label) {
        if (ir::written_variable(after_, label) != v) return false;
        const auto* assign = std::get_if<ir::Assign>(&label);
        if (assign != nullptr && ir::reads(after_, assign->rhs, v)) return false;
        return ir::writes_whole(after_, label) || keys_of(after_, label) == k;
      };
      const std::vector<bool> differ =
          reached_from(after_.graph.node_bound(), nodes, [&](std::uint32_t node, auto&& reach) {
            for (const ir::EdgeId edge : after_.graph.out_edges(ir::NodeId(node))) {
              const ir::Label& label = after_.graph.label(edge);
              if (!written_again(label)) reach(after_.graph.target(edge).value);
              if (const auto* check = std::get_if<ir::Reachability>(&label)) reach(check->from.value);
            }
          });
      PassRecord::Unread found{variable, keys, {}};
      for (std::uint32_t node = 0; node < differ.size(); ++node)
        if (differ[node]) found.nodes.emplace_back(node);
      record_.unread.push_back(std::move(found));
    }
  }

  void origin(ir::VarId after, ir::VarId before, std::vector<SymbolId> keys) {
    if (after != before || !keys.empty()) record_.origins.push_back({after, before, std::move(keys)});
  }

  const ir::Game& before_;
  const ir::Game& after_;
  PassRecord record_;
};

}  // namespace

PassRecord derive_record(const ir::Game& before, const ir::Game& after) { return Recorder(before, after).run(); }

}  // namespace rgtrans::certificate
