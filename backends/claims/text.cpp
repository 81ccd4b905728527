// Claims in words, and those that the pragmas of a game make.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/claims/claims.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/rg/rg.hpp"

namespace rgtrans::claims {

using ir::EdgeId;
using ir::NodeId;

namespace {

class ClaimText {
 public:
  explicit ClaimText(const ir::Game& game) : game_(game), names_(game.node_names()) {}

  [[nodiscard]] std::string of(const ir::Claim& claim) const {
    return std::visit(
        ir::Overloaded{
            [&](const ir::Holds& c) {
              std::string text = at(c.place) + ": ";
              if (!c.premises.empty())
                text += (c.conclusions.empty() ? "not all of " : "if ") + list(c.premises, " and ");
              if (!c.premises.empty() && !c.conclusions.empty()) text += ", then ";
              return text + list(c.conclusions, " or ");
            },
            [&](const ir::Passable& c) { return edge(c.edge) + (c.always ? " is passable" : " is not passable"); },
            [&](const ir::Unreached& c) { return at(c.place); },
            [&](const ir::OneOf& c) {
              return fmt::format("{}: {} is one of {}", at(c.place), expression(c.expression), symbols(c.values));
            },
            [&](const ir::OnlyHolds& c) {
              return fmt::format("{} holds {}", game_.symbols.text(game_.variable(c.variable).name), symbols(c.values));
            },
            [&](const ir::Alternatives& c) { return edges(c.edges); },
            [&](const ir::Unread& c) {
              const std::string value =
                  c.variable.valid() ? game_.symbols.str(game_.variable(c.variable).name) : std::string("the value");
              return fmt::format("{} behind {}", value, edge(c.edge));
            },
            [&](const ir::Unaffected& c) {
              return fmt::format("{} and {}", edge(c.edge), rg::print_label(game_, c.condition, names_));
            },
            [&](const ir::SameEffect& c) {
              const std::string label = rg::print_label(game_, c.label, names_);
              return fmt::format("{} as {}", edge(c.edge), label.empty() ? "an empty edge" : label);
            },
            [&](const ir::TagsBefore& c) {
              return fmt::format("{} {} before {}", c.exactly ? "exactly" : "at most", c.tags, edge(c.edge));
            },
            [&](const ir::KnownEffect& c) {
              return rg::print_pragma(game_, {c.pattern, {}}, names_);
            },
            [&](const ir::Once& c) { return node(c.node); },
            [&](const ir::ToldApart& c) {
              std::string text = node(c.node) + " by";
              for (const ir::VarId v : c.variables) text += " " + game_.symbols.str(game_.variable(v).name);
              return text;
            },
            [&](const ir::Distinct& c) { return "the moves from " + node(c.start); },
            [&](const ir::SameFuture& c) { return node(c.first) + " and " + node(c.second); },
            [&](const ir::Determined& c) { return edges(c.edges); },
            [&](const ir::RuleClaim& c) { return c.text; },
        },
        claim.content);
  }

 private:
  [[nodiscard]] std::string node(NodeId id) const { return "node " + names_[id.value]; }
  [[nodiscard]] std::string edge(EdgeId id) const { return "`" + rg::print_edge(game_, id, names_) + "`"; }
  [[nodiscard]] std::string edges(const std::vector<EdgeId>& ids) const {
    std::string text;
    for (const EdgeId id : ids) text += (text.empty() ? "" : ", ") + edge(id);
    return text;
  }
  [[nodiscard]] std::string at(const ir::ClaimPlace& place) const {
    return place.node.valid() ? "at " + node(place.node) : "on " + edge(place.edge);
  }
  [[nodiscard]] std::string expression(ir::ExprId id) const {
    const std::string label = rg::print_label(game_, ir::Compare{id, id, false}, names_);
    return label.substr(0, label.find(" == "));
  }
  [[nodiscard]] std::string list(const std::vector<ir::Compare>& conditions, std::string_view between) const {
    std::string text;
    for (const ir::Compare& c : conditions)
      text += (text.empty() ? "" : std::string(between)) + rg::print_label(game_, c, names_);
    return text;
  }
  [[nodiscard]] std::string symbols(const std::vector<SymbolId>& list) const {
    constexpr std::size_t kShown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(list.size(), kShown); ++i)
      text += (i > 0 ? ", " : "") + game_.symbols.str(list[i]);
    return list.size() > kShown ? text + ", …" : text;
  }

  const ir::Game& game_;
  const std::vector<std::string> names_;
};

// A target that is listed several times means as many of the edges to it; one that is listed once, any of the edges.
void add_alternatives(const ir::Game& game, const ir::Disjoint& disjoint, std::vector<ir::Claim>& claims, Range where) {
  ir::Alternatives group{{}, true, disjoint.exhaustive};
  std::map<NodeId, std::size_t> listed;
  for (const NodeId target : disjoint.targets) ++listed[target];
  for (const EdgeId edge : game.graph.out_edges(disjoint.node)) {
    const auto it = listed.find(game.graph.target(edge));
    if (it == listed.end() || it->second == 0) continue;
    --it->second;
    group.edges.push_back(edge);
  }
  claims.push_back({std::move(group), "@disjoint", where});
}

}  // namespace

std::string text(const ir::Game& game, const ir::Claim& claim) { return ClaimText(game).of(claim); }

std::vector<ir::Claim> claims_of_pragmas(const ir::Game& game) {
  std::vector<ir::Claim> claims;
  for (const ir::Pragma& pragma : game.pragmas) {
    const auto add = [&](ir::ClaimContent content, std::string name) {
      claims.push_back({std::move(content), std::move(name), pragma.where});
    };
    std::visit(ir::Overloaded{
                   [&](const ir::Disjoint& p) { add_alternatives(game, p, claims, pragma.where); },
                   [&](const ir::Unique& p) {
                     for (const NodeId node : p.nodes) add(ir::Once{node, true, true, std::nullopt}, "@unique");
                   },
                   [&](const ir::Repeat& p) {
                     for (const NodeId node : p.nodes) add(ir::ToldApart{node, p.variables}, "@repeat");
                   },
                   [&](const ir::SimpleApply& p) { add(ir::KnownEffect{p}, "@simpleApply"); },
                   [&](const ir::TagIndex& p) {
                     for (const NodeId node : p.nodes)
                       for (const EdgeId edge : game.graph.out_edges(node))
                         if (ir::is_tag(game.graph.label(edge)))
                           add(ir::TagsBefore{edge, p.index, !p.maximum}, "@tagIndex");
                   },
                   [](const auto&) {},
               },
               pragma.content);
  }
  return claims;
}

std::vector<std::unique_ptr<Follower>> followers_of(const ir::Game& game) {
  std::vector<std::unique_ptr<Follower>> followers;
  for (const auto& version : game.stages) followers.push_back(make_follower(version));
  ir::Game last = game;
  last.stages.clear();
  last.claims.want();
  last.claims.add(claims_of_pragmas(game));
  last.claims.add(claims_of_interpreter(game));
  followers.push_back(make_follower(std::make_shared<const ir::Game>(std::move(last))));
  return followers;
}

}  // namespace rgtrans::claims
