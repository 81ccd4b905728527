// Derives the record of a pass. Passes keep the ids of most edges. If an edge leads to another node, or reads another
// variable, than before, the new one took the place of the old one.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/certificate/certificate.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

namespace {

class Recorder {
 public:
  Recorder(const ir::Game& before, const ir::Game& after) : before_(before), after_(after) {}

  PassRecord run() {
    for (const ir::EdgeId edge : after_.graph.edges()) {
      if (edge.value >= before_.graph.edge_bound() || !before_.graph.alive(edge)) continue;
      pair(after_.graph.source(edge), before_.graph.source(edge));
      pair(after_.graph.target(edge), before_.graph.target(edge));
      compare(after_.graph.label(edge), before_.graph.label(edge));
    }
    sort_unique(record_.nodes);
    follow();
    sort_unique(record_.origins);
    return std::move(record_);
  }

 private:
  void pair(ir::NodeId after, ir::NodeId before) {
    if (after != before) record_.nodes.emplace_back(after, before);
  }

  // Behind a removed node, equal edges lead to the nodes that took the place of further ones.
  void follow() {
    std::set<std::pair<ir::NodeId, ir::NodeId>> known(record_.nodes.begin(), record_.nodes.end());
    const auto gone = [&](ir::NodeId n) { return n.value >= after_.graph.node_bound() || !after_.graph.alive(n); };
    for (std::size_t i = 0; i < record_.nodes.size(); ++i) {
      const auto [now, then] = record_.nodes[i];
      if (!gone(then) || gone(now)) continue;
      for (const ir::EdgeId old : before_.graph.out_edges(then)) {
        if (!gone(before_.graph.target(old))) continue;
        for (const ir::EdgeId edge : after_.graph.out_edges(now)) {
          const ir::Label &a = after_.graph.label(edge), &b = before_.graph.label(old);
          if (a != b && !std::holds_alternative<ir::Reachability>(a)) continue;
          const std::pair next(after_.graph.target(edge), before_.graph.target(old));
          if (a.index() == b.index() && known.insert(next).second) record_.nodes.push_back(next);
        }
      }
    }
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
