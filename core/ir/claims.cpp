#include "core/ir/claims.hpp"

#include <iterator>

namespace rgtrans::ir {

std::string_view kind_of(const Claim& claim) {
  return std::visit(Overloaded{
                        [](const Holds& c) -> std::string_view {
                          return c.conclusions.empty() ? "conditions exclude each other" : "condition holds";
                        },
                        [](const Passable& c) -> std::string_view {
                          return c.always ? "edge is always passable" : "edge is never passable";
                        },
                        [](const Unreached&) -> std::string_view { return "no walk comes here"; },
                        [](const OneOf&) -> std::string_view { return "values of an expression"; },
                        [](const OnlyHolds&) -> std::string_view { return "values of a variable"; },
                        [](const Alternatives& c) -> std::string_view {
                          if (!c.covering) return "edges exclude each other";
                          return c.exclusive ? "exactly one edge is passable" : "at least one edge is passable";
                        },
                        [](const Unread&) -> std::string_view { return "value is not read"; },
                        [](const Unaffected&) -> std::string_view { return "edge leaves a condition alone"; },
                        [](const SameEffect&) -> std::string_view { return "label has the same effect"; },
                        [](const TagsBefore&) -> std::string_view { return "number of tags before"; },
                        [](const KnownEffect&) -> std::string_view { return "tags have a known effect"; },
                        [](const ToldApart&) -> std::string_view { return "variables tell arrivals apart"; },
                        [](const Once&) -> std::string_view { return "nobody arrives twice"; },
                        [](const Distinct&) -> std::string_view { return "list has no duplicates"; },
                        [](const SameFuture&) -> std::string_view { return "nodes have the same future"; },
                        [](const Determined&) -> std::string_view { return "columns determine a value"; },
                        [](const RuleClaim& c) -> std::string_view { return c.kind; },
                    },
                    claim.content);
}

std::vector<NodeId> nodes_of(const Claim& claim) {
  std::vector<NodeId> nodes;
  const auto place = [&](const ClaimPlace& at) {
    if (at.node.valid()) nodes.push_back(at.node);
  };
  std::visit(Overloaded{
                 [&](const Holds& c) { place(c.place); },
                 [&](const Unreached& c) { place(c.place); },
                 [&](const OneOf& c) { place(c.place); },
                 [&](const Once& c) { nodes.push_back(c.node); },
                 [&](const ToldApart& c) { nodes.push_back(c.node); },
                 [&](const KnownEffect& c) {
                   nodes = {c.pattern.from, c.pattern.to};
                 },
                 [&](const Distinct& c) { nodes.push_back(c.start); },
                 [&](const SameFuture& c) {
                   nodes = {c.first, c.second};
                 },
                 [](const auto&) {},
             },
             claim.content);
  return nodes;
}

std::vector<EdgeId> edges_of(const Claim& claim) {
  std::vector<EdgeId> edges;
  const auto place = [&](const ClaimPlace& at) {
    if (at.edge.valid()) edges.push_back(at.edge);
  };
  std::visit(Overloaded{
                 [&](const Holds& c) { place(c.place); },
                 [&](const Unreached& c) { place(c.place); },
                 [&](const OneOf& c) { place(c.place); },
                 [&](const Passable& c) { edges.push_back(c.edge); },
                 [&](const Alternatives& c) { edges = c.edges; },
                 [&](const Unread& c) { edges.push_back(c.edge); },
                 [&](const Unaffected& c) { edges.push_back(c.edge); },
                 [&](const SameEffect& c) { edges.push_back(c.edge); },
                 [&](const TagsBefore& c) { edges.push_back(c.edge); },
                 [&](const Determined& c) { edges = c.edges; },
                 [](const auto&) {},
             },
             claim.content);
  return edges;
}

void Claims::add(std::vector<Claim> claims) {
  if (!wanted_) return;
  list_.insert(list_.end(), std::make_move_iterator(claims.begin()), std::make_move_iterator(claims.end()));
}

}  // namespace rgtrans::ir
