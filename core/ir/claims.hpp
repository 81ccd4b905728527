// Claims: what a front end, a pass or an engine has proved about a game and relies on, as data, so that an engine can
// evaluate during play what the proof concluded. A claim is recorded where a condition is dropped, states are merged,
// second arrivals are not recognised, or one value is kept where several could hold. It says what must be true of the
// game as it is when the claim is made; a pass makes its claims about the game before it changes anything.
//
// Nothing is recorded unless somebody wants it: `if (game.claims.wanted()) game.claims.add("my-pass", ir::Holds{…},
// where)`.
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

// Where a claim is made: at each arrival at a node, or each time when a walk takes an edge, in the state before the
// label acts.
struct ClaimPlace {
  NodeId node;
  EdgeId edge;
  ClaimPlace() = default;
  ClaimPlace(NodeId at) : node(at) {}        // NOLINT(google-explicit-constructor)
  ClaimPlace(EdgeId taken) : edge(taken) {}  // NOLINT(google-explicit-constructor)
  bool operator==(const ClaimPlace&) const = default;
};

// If all premises hold, one of the conclusions does; without conclusions the premises never hold together.
struct Holds {
  ClaimPlace place;
  std::vector<Compare> premises;
  std::vector<Compare> conclusions;
  bool operator==(const Holds&) const = default;
};
// Each walk that comes to the source of the edge can take it (always), or none can. What a check asks is asked, too.
struct Passable {
  EdgeId edge;
  bool always = true;
  bool operator==(const Passable&) const = default;
};
// No walk comes here; or no walk of a move, though those of checks may.
struct Unreached {
  ClaimPlace place;
  bool by_moves = false;
  bool operator==(const Unreached&) const = default;
};
// These are the only values that the expression can have. Of a map: the only values of its cells.
struct OneOf {
  ClaimPlace place;
  ExprId expression;
  std::vector<SymbolId> values;
  bool operator==(const OneOf&) const = default;
};
// These are the only values that the variable, or its cells, can have in any state.
struct OnlyHolds {
  VarId variable;
  std::vector<SymbolId> values;
  bool operator==(const OnlyHolds&) const = default;
};
// Of these edges from one node at most one can be taken in a state; at least one, if `covering`.
struct Alternatives {
  std::vector<EdgeId> edges;
  bool exclusive = true;
  bool covering = false;
  bool operator==(const Alternatives&) const = default;
};
// Nothing reads the value that the edge writes; or, with a variable, the value that this one has behind the edge. The
// readers may: they do no longer read it in the next version.
struct Unread {
  EdgeId edge;
  VarId variable;
  std::vector<EdgeId> readers;
  bool operator==(const Unread&) const = default;
};
// The condition, a comparison or a check, has the same truth in front of the edge and behind it.
struct Unaffected {
  EdgeId edge;
  Label condition;
  bool operator==(const Unaffected&) const = default;
};
// In each state that comes to the source of the edge, this label does the same as its own.
struct SameEffect {
  EdgeId edge;
  Label label;
  bool operator==(const SameEffect&) const = default;
};
// In a move, so many tags (artificial ones included) come before the edge: exactly, or at most.
struct TagsBefore {
  EdgeId edge;
  std::uint32_t tags = 0;
  bool exactly = true;
  bool operator==(const TagsBefore&) const = default;
};
// What follows of a move behind the node begins with tags of which a pattern knows the effect: see SimpleApply.
struct KnownEffect {
  SimpleApply pattern;
  bool operator==(const KnownEffect&) const = default;
};
// No exploration arrives at the node twice in the same state and with the same tags before.
struct Once {
  NodeId node;
  bool artificial = false;         // artificial tags before tell arrivals apart, too
  bool everywhere = true;          // in all explorations; else in
  std::optional<Reachability> in;  // that of this check, or that of moves
  bool operator==(const Once&) const = default;
};
// In the same sense, two arrivals at the node in which these variables are equal are equal in all that matters.
struct ToldApart {
  NodeId node;
  std::vector<VarId> variables;
  bool operator==(const ToldApart&) const = default;
};
// The walks of the moves that start here have different labelings.
struct Distinct {
  NodeId start;
  bool operator==(const Distinct&) const = default;
};
// Both nodes have the same future: the same labelings with the same results, in any state that arrives at one of them.
struct SameFuture {
  NodeId first, second;
  bool operator==(const SameFuture&) const = default;
};
// In one move, these edges together write no cell twice with different values: one set of columns determines another.
struct Determined {
  std::vector<EdgeId> edges;
  bool operator==(const Determined&) const = default;
};
// Said in the author's language: rules for a relation without arguments `violated` that must not hold in any state.
// In GDL (prefix form) they may use all relations of the description and define others; where they use `does`, they are
// asked for each joint move that is made. `kind` is one of the names of claim_kinds(), or a new one.
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
  std::string rewrite;  // the pass, or the step of a front end or an engine, that relies on it
  Range where;          // the author's rule
};

// What kind of claim it is, in words for tables and messages: "condition holds".
[[nodiscard]] std::string_view kind_of(const Claim& claim);
// All node and edge ids that it names.
[[nodiscard]] std::vector<NodeId> nodes_of(const Claim& claim);
[[nodiscard]] std::vector<EdgeId> edges_of(const Claim& claim);

// The claims about one game. Front ends that have no game yet collect theirs in one of their own.
class Claims {
 public:
  // Whether somebody is going to evaluate them; nothing is recorded otherwise.
  [[nodiscard]] bool wanted() const { return wanted_; }
  void want(bool wanted = true) { wanted_ = wanted; }
  void add(std::string_view rewrite, ClaimContent content, Range where = {}) {
    if (wanted_) list_.push_back({std::move(content), std::string(rewrite), where});
  }
  void add(std::vector<Claim> claims);
  [[nodiscard]] const std::vector<Claim>& list() const { return list_; }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  // Hands all over, and has none then.
  std::vector<Claim> take() { return std::exchange(list_, {}); }

 private:
  bool wanted_ = false;
  std::vector<Claim> list_;
};

}  // namespace rgtrans::ir
