// Of a large automaton, only the changed parts and their neighbours are drawn. The data of a page are compressed,
// because the drawings of successive steps have much in common.
#include "backends/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <set>
#include <unordered_map>

#include "backends/drawing/drawing.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "backends/trace/difference.hpp"
#include "core/support/packed.hpp"
#include "core/support/text.hpp"

namespace rgtrans::trace {

namespace {

using nlohmann::json;

constexpr std::size_t kMostDrawn = 1200;     // edges in a drawing
constexpr std::size_t kMostExplained = 400;  // nodes with a new pragma
constexpr std::size_t kContext = 2;          // equal lines around a change
constexpr std::size_t kMostLines = 4000;     // lines of one change

// One of the two games. An edge counts as changed if no edge of the other game has the same text.
struct Side {
  const ir::Game& game;
  std::vector<std::string> names;  // by node
  std::vector<std::string> texts;  // by edge; "" for removed ones
  std::vector<bool> changed;       // by edge

  explicit Side(const ir::Game& of) : game(of), names(of.node_names()), texts(of.graph.edge_bound()) {
    for (const ir::EdgeId edge : game.graph.edges()) {
      texts[edge.value] =
          fmt::format("{}, {}: {}", names[game.graph.source(edge).value], names[game.graph.target(edge).value],
                      rg::print_label(game, game.graph.label(edge), names));
    }
  }

  void compare_with(const Side& other) {
    std::unordered_map<std::string_view, std::size_t> left;
    for (const std::string& text : other.texts) ++left[text];
    changed.assign(texts.size(), false);
    for (const ir::EdgeId edge : game.graph.edges()) {
      const auto it = left.find(texts[edge.value]);
      changed[edge.value] = it == left.end() || it->second == 0;
      if (!changed[edge.value]) --it->second;
    }
  }
};

// The text of a pragma about a node. A pragma about no node has its full text.
using PragmaFact = std::pair<std::string, ir::NodeId>;

std::set<PragmaFact> pragma_facts(const ir::Game& game) {
  std::set<PragmaFact> facts;
  const auto add = [&](std::string name, ir::NodeId node) { facts.emplace(std::move(name), node); };
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* p = std::get_if<ir::Disjoint>(&pragma.content)) {
      add(p->exhaustive ? "@disjointExhaustive" : "@disjoint", p->node);
    } else if (const auto* p = std::get_if<ir::Iterator>(&pragma.content)) {
      add("@iterator", p->a);
    } else if (const auto* p = std::get_if<ir::Repeat>(&pragma.content)) {
      for (const ir::NodeId node : p->nodes) add("@repeat", node);
    } else if (const auto* p = std::get_if<ir::Unique>(&pragma.content)) {
      for (const ir::NodeId node : p->nodes) add("@unique", node);
    } else if (const auto* p = std::get_if<ir::SimpleApply>(&pragma.content)) {
      add(p->exhaustive ? "@simpleApplyExhaustive" : "@simpleApply", p->from);
    } else if (const auto* p = std::get_if<ir::TagIndex>(&pragma.content)) {
      for (const ir::NodeId node : p->nodes) add(p->maximum ? "@tagMaxIndex" : "@tagIndex", node);
    } else if (std::holds_alternative<ir::ArtificialTag>(pragma.content)) {
      add("@artificialTag", {});
    } else if (std::holds_alternative<ir::Integer>(pragma.content)) {
      add("@integer", {});
    }
  }
  return facts;
}

// The nodes of changed edges and changed pragmas in either game, as many as fit into a drawing with all their edges.
// Both drawings show the same nodes, so that no difference comes from omission.
std::vector<bool> nodes_near(const Side& before, const Side& after) {
  std::vector<bool> near(std::max(before.game.graph.node_bound(), after.game.graph.node_bound()));
  std::size_t drawn = 0;
  const auto add = [&](const Side& side, ir::NodeId node) {
    if (near[node.value]) return;
    const std::size_t edges = side.game.graph.in_degree(node) + side.game.graph.out_degree(node);
    if (drawn > 0 && drawn + edges > kMostDrawn) return;
    near[node.value] = true;
    drawn += edges;
  };
  for (const Side* side : {&before, &after}) {
    const ir::Automaton& graph = side->game.graph;
    for (const ir::EdgeId edge : graph.edges()) {
      if (!side->changed[edge.value]) continue;
      add(*side, graph.source(edge));
      add(*side, graph.target(edge));
    }
  }
  const std::set<PragmaFact> old_facts = pragma_facts(before.game), new_facts = pragma_facts(after.game);
  for (const PragmaFact& fact : new_facts) {
    if (fact.second.valid() && !old_facts.contains(fact)) add(after, fact.second);
  }
  // If nothing in the drawing has changed, draw the beginning of the automaton.
  if (drawn == 0) {
    for (const ir::NodeId node : after.game.graph.nodes()) add(after, node);
  }
  return near;
}

std::string draw(const Side& before, const Side& after, bool whole) {
  const std::vector<bool> near = whole ? std::vector<bool>() : nodes_near(before, after);
  const auto half = [&](const Side& side) {
    drawing::Half half{side.game, {}, [&side](ir::EdgeId edge) { return side.changed[edge.value]; }};
    if (!whole) {
      half.filter = [&side, &near](ir::EdgeId edge) {
        return near[side.game.graph.source(edge).value] || near[side.game.graph.target(edge).value];
      };
    }
    return half;
  };
  return drawing::svg(drawing::pair(half(before), half(after)));
}

json lines_between(const ir::Game& before, const ir::Game& after) {
  const std::string old_text = rg::print(before), new_text = rg::print(after);
  json lines = json::array();
  for (const LinePair& pair : side_by_side(old_text, new_text, kContext)) {
    if (lines.size() >= kMostLines) break;
    const auto line = [](std::optional<std::string_view> text) { return text ? json(*text) : json(); };
    if (pair.skipped > 0) {
      lines.push_back(pair.skipped);
    } else if (pair.before == pair.after) {
      lines.push_back({*pair.before});
    } else {
      lines.push_back({line(pair.before), line(pair.after)});
    }
  }
  return lines;
}

// Nodes with the same reason are listed together.
json pragmas_between(const Side& before, const Side& after) {
  const std::set<PragmaFact> old_facts = pragma_facts(before.game), new_facts = pragma_facts(after.game);
  json told = json::array();
  std::unique_ptr<Explainer> explainer;
  const auto why = [&](const PragmaFact& fact) -> std::string {
    if (!fact.second.valid()) return "";
    if (explainer == nullptr) explainer = std::make_unique<Explainer>(after.game);
    for (Explainer::Reason& reason : explainer->reasons(fact.second)) {
      if (reason.pragma != fact.first) continue;
      return reason.text.starts_with("yes, ") || reason.text.starts_with("yes; ") ? reason.text.substr(5) : reason.text;
    }
    return "";
  };
  const auto tell = [&](const std::set<PragmaFact>& facts, const std::set<PragmaFact>& others, const Side& side,
                        bool gained) {
    std::map<std::pair<std::string, std::string>, json> groups;
    std::size_t explained = 0;
    for (const PragmaFact& fact : facts) {
      if (others.contains(fact)) continue;
      const bool ask = gained && explained++ < kMostExplained;
      json& nodes = groups.try_emplace({fact.first, ask ? why(fact) : ""}, json::array()).first->second;
      if (fact.second.valid()) nodes.push_back(side.names[fact.second.value]);
    }
    for (auto& [key, nodes] : groups) {
      told.push_back({{"name", key.first}, {"nodes", std::move(nodes)}, {"why", key.second}, {"gained", gained}});
    }
  };
  tell(new_facts, old_facts, after, true);
  tell(old_facts, new_facts, before, false);
  return told;
}

}  // namespace

json change_of(const passes::PassEvent& event) {
  const ir::Game empty;
  Side before(event.before != nullptr ? *event.before : empty), after(event.after);
  before.compare_with(after);
  after.compare_with(before);
  const bool whole = std::max(before.game.graph.edge_count(), after.game.graph.edge_count()) <= kMostDrawn;
  return {{"lines", lines_between(before.game, after.game)},
          {"svg", draw(before, after, whole)},
          {"part", !whole},
          {"pragmas", pragmas_between(before, after)}};
}

RunOfPasses::RunOfPasses(const ir::Game& start) : before_(json::parse(stats::json(stats::collect(start)))) {}

void RunOfPasses::add(const passes::PassEvent& event) {
  rows_.push_back({{"number", event.number},
                   {"pass", event.pass.name},
                   {"help", event.pass.help},
                   {"changes", event.changes},
                   {"nodes", event.after.graph.node_count()},
                   {"edges", event.after.graph.edge_count()}});
}

json RunOfPasses::told(const ir::Game& end, const passes::OptimizeReport& report) const {
  json timings = json::array();
  for (const passes::PassTiming& timing : report.timings) {
    timings.push_back({{"pass", timing.name},
                       {"runs", timing.runs},
                       {"changes", timing.changes},
                       {"seconds", timing.seconds},
                       {"nodes", timing.nodes},
                       {"edges", timing.edges}});
  }
  return {{"rows", rows_},         {"timings", std::move(timings)},
          {"notes", report.notes}, {"seconds", report.seconds},
          {"before", before_},     {"after", json::parse(stats::json(stats::collect(end)))}};
}

void Page::add(const passes::PassEvent& event) {
  run_.add(event);
  changes_.push_back(change_of(event));
}

std::string Page::html(std::string_view page, const ir::Game& end, const passes::OptimizeReport& report) const {
  const json data = {{"title", title_}, {"run", run_.told(end, report)}, {"changes", changes_}};
  std::string html(page);
  boost::algorithm::replace_all(html, "@TITLE@", xml_escaped(title_));
  boost::algorithm::replace_first(html, "@DATA@", packed(data.dump(-1, ' ', false, json::error_handler_t::replace)));
  return html;
}

}  // namespace rgtrans::trace
