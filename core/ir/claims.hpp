// Claims: facts that a front end, a pass or an engine has proved about a game and relies on. They are recorded as data,
// so that an engine can test them during play. Example: a pass that drops a condition claims that the condition always
// held there.
//
// A rewrite records a claim when it drops a condition or merges states, and when it keeps one value although several
// seemed possible. An engine records one when it skips the test for a second visit. A claim is about the game at the
// time of recording; a pass records its claims before it changes the game.
//
// Recording is off by default: `if (game.claims.wanted()) game.claims.add("my-pass", ir::Holds{…}, where)`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/automaton.hpp"
#include "core/ir/pragmas.hpp"

namespace rgtrans::ir {

// The place of a claim: each arrival at a node, or each traversal of an edge, in the state before the label takes
// effect.
struct ClaimPlace {
  NodeId node;
  EdgeId edge;
  ClaimPlace() = default;
  ClaimPlace(NodeId at) : node(at) {}        // NOLINT(google-explicit-constructor)
  ClaimPlace(EdgeId taken) : edge(taken) {}  // NOLINT(google-explicit-constructor)
  bool operator==(const ClaimPlace&) const = default;
};

// If all premises hold, at least one conclusion holds. Without conclusions: the premises are never true at the same
// time.
struct Holds {
  ClaimPlace place;
  std::vector<Compare> premises;
  std::vector<Compare> conclusions;
  bool operator==(const Holds&) const = default;
};
// Every walk that reaches the edge's source can take the edge (always), or none can. Includes walks of checks.
struct Passable {
  EdgeId edge;
  bool always = true;
  bool operator==(const Passable&) const = default;
};
// No walk reaches this place; with `by_moves`, only walks of moves are excluded and walks of checks may reach it.
struct Unreached {
  ClaimPlace place;
  bool by_moves = false;
  bool operator==(const Unreached&) const = default;
};
// The expression has no other values than these. For a map: its cells have no other values.
struct OneOf {
  ClaimPlace place;
  ExprId expression;
  std::vector<SymbolId> values;
  bool operator==(const OneOf&) const = default;
};
// The variable, or its cells, have no other values than these in any state.
struct OnlyHolds {
  VarId variable;
  std::vector<SymbolId> values;
  bool operator==(const OnlyHolds&) const = default;
};
// At most one of these edges from a common source can be taken in a state (exclusive); at least one (covering).
struct Alternatives {
  std::vector<EdgeId> edges;
  bool exclusive = true;
  bool covering = false;
  bool operator==(const Alternatives&) const = default;
};
// Nothing reads the value that the edge writes or, if a variable is given, that variable's value after the edge. The
// readers are exempt: the next version of the game no longer reads the value there.
struct Unread {
  EdgeId edge;
  VarId variable;
  std::vector<EdgeId> readers;
  bool operator==(const Unread&) const = default;
};
// The condition, a comparison or a check, has the same truth value before and after the edge.
struct Unaffected {
  EdgeId edge;
  Label condition;
  bool operator==(const Unaffected&) const = default;
};
// In each state that reaches the edge's source, this label has the same effect as the edge's own label.
struct SameEffect {
  EdgeId edge;
  Label label;
  bool operator==(const SameEffect&) const = default;
};
// In a move, this number of tags (including artificial ones) precedes the edge: exactly, or at most.
struct TagsBefore {
  EdgeId edge;
  std::uint32_t tags = 0;
  bool exactly = true;
  bool operator==(const TagsBefore&) const = default;
};
// The rest of a move after the node begins with tags whose combined effect the pattern gives; see SimpleApply.
struct KnownEffect {
  SimpleApply pattern;
  bool operator==(const KnownEffect&) const = default;
};
// No exploration reaches the node twice in the same state and after the same tags.
struct Once {
  NodeId node;
  bool artificial = false;         // artificial tags also distinguish arrivals
  bool everywhere = true;          // in all explorations; otherwise only in `in`
  std::optional<Reachability> in;  // the exploration of this check, or of moves if empty
  bool operator==(const Once&) const = default;
};
// Scope as in Once: two arrivals that agree on these variables agree on everything that matters.
struct ToldApart {
  NodeId node;
  std::vector<VarId> variables;
  bool operator==(const ToldApart&) const = default;
};
// The moves that start at this node have pairwise different labelings.
struct Distinct {
  NodeId start;
  bool operator==(const Distinct&) const = default;
};
// Both nodes have the same future: in any state that reaches one of them, the same labelings lead to the same results.
struct SameFuture {
  NodeId first, second;
  bool operator==(const SameFuture&) const = default;
};
// In one move, these edges never write different values to the same cell: one set of columns determines another.
struct Determined {
  std::vector<EdgeId> edges;
  bool operator==(const Determined&) const = default;
};
// A claim in the author's language: rules for a relation `violated` without arguments, which must be false in every
// state. In GDL (prefix form) the rules may use all relations of the description and define others. Rules that use
// `does` are evaluated for each joint move of the play. `kind` is a name of claim_kinds() or a new one.
struct RuleClaim {
  std::string kind;
  std::string text;
  bool operator==(const RuleClaim&) const = default;
};

using ClaimContent =
    std::variant<Holds, Passable, Unreached, OneOf, OnlyHolds, Alternatives, Unread, Unaffected, SameEffect, TagsBefore,
                 KnownEffect, Once, ToldApart, Distinct, SameFuture, Determined, RuleClaim>;

struct Claim {
  ClaimContent content;
  std::string rewrite;  // the pass, or the step of a front end or an engine, that relies on the claim
  Range where;          // the author's rule
};

// The kind of the claim as words for tables and messages: "condition holds".
[[nodiscard]] std::string_view kind_of(const Claim& claim);
// All node and edge ids that occur in the claim.
[[nodiscard]] std::vector<NodeId> nodes_of(const Claim& claim);
[[nodiscard]] std::vector<EdgeId> edges_of(const Claim& claim);

// The claims about one game. A front end without a game yet collects claims in an object of its own.
class Claims {
 public:
  // Whether claims will be evaluated; otherwise add() records nothing.
  [[nodiscard]] bool wanted() const { return wanted_; }
  void want(bool wanted = true) { wanted_ = wanted; }
  void add(std::string_view rewrite, ClaimContent content, Range where = {}) {
    if (wanted_) list_.push_back({std::move(content), std::string(rewrite), where});
  }
  void add(std::vector<Claim> claims);
  [[nodiscard]] const std::vector<Claim>& list() const { return list_; }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  // Returns all claims and leaves the list empty.
  std::vector<Claim> take() { return std::exchange(list_, {}); }

 private:
  bool wanted_ = false;
  std::vector<Claim> list_;
};

}  // namespace rgtrans::ir
