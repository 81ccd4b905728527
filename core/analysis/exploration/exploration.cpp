#include "core/analysis/exploration/exploration.hpp"

#include <algorithm>

#include "core/support/reach.hpp"

namespace rgtrans::analysis {

void Deeds::add(const Row& row, std::span<const ir::VarId> reads) {
  rows_.push_back(row);
  reads_.insert(reads_.end(), reads.begin(), reads.end());
  reads_begin_.push_back(reads_.size());
}

void Deeds::finish() {
  out_ = Grouped(nodes_, rows_.size(), [&](std::uint32_t number) { return rows_[number].from; });
}

void NodeNumbers::assign(const std::vector<std::uint32_t>& nodes, std::size_t bound) {
  constexpr std::size_t kSparse = 16;
  dense_.clear();
  sparse_.clear();
  if (nodes.size() * kSparse >= bound) dense_.assign(bound, kNone);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) (dense_.empty() ? sparse_[nodes[i]] : dense_[nodes[i]]) = i;
}

void Exploration::link() {
  out = Grouped(nodes.size(), edges.size(), [&](std::uint32_t i) { return edges[i].source; });
  in = Grouped(nodes.size(), edges.size(),
               [&](std::uint32_t i) { return edges[i].deed == Deed::end_move ? kNone : edges[i].target; });
}

namespace {

Exploration::Edge edge_of(const Deeds& deeds, std::uint32_t number, const Question& question) {
  const Deeds::Row& row = deeds[number];
  Exploration::Edge edge;
  edge.deed = row.deed;
  edge.number = number;
  edge.edge = row.edge;
  if (question.target) {
    if (shows(row.deed) || row.deed == Deed::artificial_tag) edge.deed = Deed::nothing;
  } else if (row.ends_move) {
    edge.deed = Deed::end_move;
  }
  return edge;
}

// All nodes and edges reachable from the starts. Nodes are numbered in the order of discovery.
Exploration find_all(const Deeds& deeds, const Question& question) {
  Exploration found;
  std::vector<std::uint32_t> number_of(deeds.node_bound(), kNone);
  const auto number = [&](std::uint32_t node) {
    if (number_of[node] == kNone) {
      number_of[node] = static_cast<std::uint32_t>(found.nodes.size());
      found.nodes.push_back(node);
    }
    return number_of[node];
  };
  for (const std::uint32_t start : question.starts) {
    const std::size_t before = found.nodes.size();
    const std::uint32_t local = number(start);
    if (found.nodes.size() > before) found.starts.push_back(local);
  }
  std::vector<bool> is_start(found.nodes.size(), true);
  for (std::uint32_t i = 0; i < found.nodes.size(); ++i) {
    if (question.target == found.nodes[i]) {
      found.target = i;
      continue;
    }
    for (const std::uint32_t at : deeds.out(found.nodes[i])) {
      Exploration::Edge edge = edge_of(deeds, at, question);
      edge.source = i;
      const bool end = edge.deed == Deed::end_move;
      if (!end || question.all_moves) edge.target = number(deeds[at].to);
      found.edges.push_back(edge);
      if (!end || !question.all_moves) continue;
      is_start.resize(found.nodes.size(), false);
      if (!is_start[edge.target]) found.starts.push_back(edge.target);
      is_start[edge.target] = true;
    }
  }
  found.link();
  return found;
}

// By local node: whether the target or an end of a move is reachable from it.
std::vector<bool> useful_nodes(const Exploration& all) {
  std::vector<std::uint32_t> goals;
  if (all.target != kNone) goals.push_back(all.target);
  for (const Exploration::Edge& edge : all.edges) {
    if (edge.deed == Deed::end_move) goals.push_back(edge.source);
  }
  return before(all, goals);
}

void prune(Exploration& all, const Question& question) {
  const std::vector<bool> useful = useful_nodes(all);
  std::vector<bool> kept = useful;
  if (question.keep_starts) {
    for (const std::uint32_t start : all.starts) kept[start] = true;
  }
  std::vector<std::uint32_t> number_of(all.nodes.size(), kNone);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < all.nodes.size(); ++i) {
    if (!kept[i]) continue;
    number_of[i] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(all.nodes[i]);
  }
  all.nodes = std::move(nodes);
  std::erase_if(all.edges,
                [&](const Exploration::Edge& edge) { return edge.deed != Deed::end_move && !useful[edge.target]; });
  for (Exploration::Edge& edge : all.edges) {
    edge.source = number_of[edge.source];
    if (edge.target != kNone) edge.target = number_of[edge.target];
  }
  std::erase_if(all.starts, [&](std::uint32_t start) { return !kept[start]; });
  for (std::uint32_t& start : all.starts) start = number_of[start];
  if (all.target != kNone) all.target = number_of[all.target];
  all.link();
}

// Merges into `live` the variables that are live before the edge, given those that are live behind it.
void pass_back(const Exploration::Edge& edge, const Deeds& deeds, const Reading& reading, const Bits& behind,
               Bits& live) {
  const auto read = [&] {
    for (const ir::VarId v : deeds.reads(edge.number)) live.set(v.value);
  };
  const Deeds::Row& row = deeds[edge.number];
  if (writes(edge.deed) || edge.deed == Deed::end_move) {
    const bool needed = edge.deed == Deed::end_move || behind.test(row.written.value);
    const bool kept = !row.whole || live.test(row.written.value);
    live |= behind;
    if (!kept) live.reset(row.written.value);
    if (needed) read();
    return;
  }
  live |= behind;
  if (edge.deed == Deed::nothing || edge.deed == Deed::artificial_tag) return;
  read();
  if (edge.deed == Deed::check) live |= reading.by_check(row.check);
  if (shows(edge.deed) && reading.by_tags.valid()) live.set(reading.by_tags.value);
}

}  // namespace

Deeds deeds_of(const ir::Game& game, const std::function<std::uint32_t(const ir::Reachability&)>& number) {
  const std::vector<bool> artificial = ir::artificial_tags(game);
  const auto deed = [&](const ir::Label& label) {
    return std::visit(
        ir::Overloaded{
            [](const ir::Empty&) { return Deed::nothing; }, [](const ir::Compare&) { return Deed::compare; },
            [](const ir::Assign&) { return Deed::assign; }, [](const ir::AssignAny&) { return Deed::assign_any; },
            [](const ir::Reachability&) { return Deed::check; },
            [&](const ir::Tag& tag) { return artificial[tag.symbol.value] ? Deed::artificial_tag : Deed::tag; },
            [](const ir::TagVariable&) { return Deed::tag_variable; }},
        label);
  };
  Deeds deeds(game.graph.node_bound());
  std::vector<ir::VarId> reads;
  for (std::uint32_t node = 0; node < game.graph.node_bound(); ++node) {
    for (const ir::EdgeId edge : game.graph.out_edges(ir::NodeId(node))) {
      const ir::Label& label = game.graph.label(edge);
      Deeds::Row row;
      row.edge = edge;
      row.from = node;
      row.to = game.graph.target(edge).value;
      row.deed = deed(label);
      row.ends_move = game.is_player_assignment(label);
      row.written = ir::written_variable(game, label);
      row.whole = ir::writes_whole(game, label);
      if (const auto* check = std::get_if<ir::Reachability>(&label)) row.check = number(*check);
      reads.clear();
      ir::for_each_read(game, label, [&](ir::VarId v) { reads.push_back(v); });
      deeds.add(row, reads);
    }
  }
  deeds.finish();
  return deeds;
}

Exploration explore(const Deeds& deeds, const Question& question) {
  Exploration found = find_all(deeds, question);
  if (question.pruned) prune(found, question);
  found.local.assign(found.nodes, deeds.node_bound());
  return found;
}

void find_live(Exploration& exploration, const Deeds& deeds, const Reading& reading) {
  std::vector<Bits>& live = exploration.live;
  live.resize(exploration.nodes.size(), Bits(reading.variables));
  // Liveness also flows backward through the ends of moves.
  const Grouped users(exploration.nodes.size(), exploration.edges.size(),
                      [&](std::uint32_t i) { return exploration.edges[i].target; });
  const Order order = order_of(exploration, /*backward=*/true);
  Worklist work(order, /*all=*/true);
  Bits now;
  work.run([&](std::uint32_t node) {
    now = live[node];
    for (const std::uint32_t i : exploration.out[node]) {
      const Exploration::Edge& edge = exploration.edges[i];
      if (edge.target != kNone) {
        pass_back(edge, deeds, reading, live[edge.target], now);
      } else if (reading.behind_move) {
        pass_back(edge, deeds, reading, reading.behind_move(edge.number), now);
      }
    }
    if (now == live[node]) return true;
    std::swap(live[node], now);
    for (const std::uint32_t i : users[node]) work.queue(exploration.edges[i].source);
    return true;
  });
}

std::vector<Bits> changed_since(Since since, const Exploration& exploration, const Deeds& deeds,
                                std::size_t variables) {
  std::vector<Bits> changed(exploration.nodes.size(), Bits(variables));
  const Order order = order_of(exploration, /*backward=*/false);
  Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t node) {
    for (const std::uint32_t i : exploration.out[node]) {
      const Exploration::Edge& edge = exploration.edges[i];
      if (edge.deed == Deed::end_move || (since == Since::tag && shows(edge.deed))) continue;
      bool grew = changed[edge.target].merge(changed[node]);
      if (writes(edge.deed)) grew |= changed[edge.target].insert(deeds[edge.number].written.value);
      if (grew) work.queue(edge.target);
    }
    return true;
  });
  return changed;
}

std::vector<bool> behind(const Exploration& exploration, std::span<const std::uint32_t> nodes) {
  return reached_from(exploration.nodes.size(), nodes, [&](std::uint32_t node, auto&& reach) {
    for (const std::uint32_t i : exploration.out[node]) {
      if (exploration.edges[i].deed != Deed::end_move) reach(exploration.edges[i].target);
    }
  });
}

std::vector<bool> before(const Exploration& exploration, std::span<const std::uint32_t> nodes) {
  return reached_from(exploration.nodes.size(), nodes, [&](std::uint32_t node, auto&& reach) {
    for (const std::uint32_t i : exploration.in[node]) reach(exploration.edges[i].source);
  });
}

Order order_of(const Exploration& exploration, bool backward) {
  std::vector<std::uint32_t> roots = exploration.starts;
  for (std::uint32_t node = 0; node < exploration.nodes.size(); ++node) roots.push_back(node);
  std::vector<std::uint32_t> order = post_order(exploration.nodes.size(), roots, [&](std::uint32_t node, auto&& f) {
    for (const std::uint32_t i : exploration.out[node]) {
      if (exploration.edges[i].deed != Deed::end_move) f(exploration.edges[i].target);
    }
  });
  if (!backward) std::ranges::reverse(order);
  return Order(std::move(order));
}

}  // namespace rgtrans::analysis
