// Helpers shared by several passes.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::passes {

// Numbers labels. Equal labels (up to the order of a comparison's sides) have equal numbers.
class LabelNumbers {
 public:
  explicit LabelNumbers(const ir::Game& game) : game_(game) {}
  std::uint32_t of(const ir::Label& label) {
    const ir::Label key = canonical(game_, label);
    const auto fresh = static_cast<std::uint32_t>(labels_.size());
    const std::uint32_t row =
        index_.find_or_insert(ir::hash_label(key), fresh, [&](std::uint32_t r) { return labels_[r] == key; });
    if (row == fresh) labels_.push_back(key);
    return row;
  }

 private:
  const ir::Game& game_;
  std::vector<ir::Label> labels_;
  IndexSet index_;
};

// The edges that a pass must examine if its decision depends on one edge alone: all edges in its first run, and those
// that changed since the last run afterwards.
std::vector<ir::EdgeId> changed_edges(const ir::Game& game, const PassContext& context);

// Bound on the number of edges beyond which a game counts as large. Passes then use cheaper methods.
inline constexpr std::size_t kLargeGame = 20'000;
// Records, once, a note on work that a pass skips because the game is large.
void leave_out(const PassContext& context, std::string_view note);

// Relabels edges and claims that each new label has the same effect as the old one.
class Relabelling {
 public:
  Relabelling(ir::Game& game, std::string_view pass) : game_(game), pass_(pass) {}
  // Sets the label and claims the resulting fact about the old one: a condition that became empty always holds.
  void set_label(ir::EdgeId edge, const ir::Label& label);
  // The same if other code sets the label, which may change again until claim() is called.
  void note(ir::EdgeId edge);
  void forget(ir::EdgeId edge);
  void claim();

 private:
  void claim(ir::EdgeId edge, const ir::Label& before, const ir::Label& now);

  ir::Game& game_;
  std::string_view pass_;
  std::vector<std::pair<ir::EdgeId, ir::Label>> noted_;
  std::set<ir::EdgeId> forgotten_;
};

// Claims that no walk can take the edge.
inline void claim_impassable(ir::Game& game, std::string_view pass, ir::EdgeId edge) {
  game.claims.add(pass, ir::Passable{edge, false}, game.graph.where(edge));
}

// Removes a node without edges, unless it is begin, end or an end point of a check.
bool remove_if_isolated(ir::Game& game, ir::NodeId node, const analysis::EndPoints& ends);

// Removes edges that no play takes, and returns their number. Keeps them if `end` would become unreachable, since a
// game must have a path to `end`.
std::size_t remove_unwalked(ir::Game& game, const std::vector<ir::EdgeId>& edges);

// Replaces end points of checks: node n becomes map[n] if that is valid. Returns the number of changed labels.
std::size_t rename_end_points(ir::Game& game, const std::vector<ir::NodeId>& map);

// Replaces every read of a variable in an expression. Must not be called with the root of a left side.
ir::ExprId substitute(ir::Game& game, ir::ExprId in, ir::VarId variable, ir::ExprId by);
// Replaces every read of a variable in a label. A tag variable becomes a tag or another tag variable; returns none if
// neither is possible.
std::optional<ir::Label> substitute(ir::Game& game, const ir::Label& label, ir::VarId variable, ir::ExprId by);

// Whether the expressions are equal, ignoring casts.
bool same_value(ir::Game& game, ir::ExprId a, ir::ExprId b);

// Calls f(ExprId) for all parts of the expressions in labels and in effects of pragmas.
template <class F>
void for_all_parts(const ir::Game& game, F&& f) {
  const auto visit = [&](ir::ExprId expression) {
    ir::visit_parts(game.expressions(), expression, [&](ir::ExprId part) {
      f(part);
      return true;
    });
  };
  for (ir::EdgeId edge : game.graph.edges()) ir::for_each_expression(game.graph.label(edge), visit);
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* p = std::get_if<ir::SimpleApply>(&pragma.content)) {
      for (const auto& effect : p->effects) {
        visit(effect.lhs);
        visit(effect.rhs);
      }
    }
  }
}

// The reached nodes in order of creation, so that the output does not depend on the order of the search.
std::vector<ir::NodeId> reached_nodes(const ir::Game& game, const analysis::Flow& flow);

// Replaces all pragmas of the given kinds. Returns the number of pragmas written, at least 1, or 0 if nothing changed.
template <class... Kinds>
std::size_t replace_pragmas(ir::Game& game, std::vector<ir::Pragma> fresh) {
  std::vector<ir::PragmaContent> old;
  std::erase_if(game.pragmas, [&](const ir::Pragma& p) {
    if (!(std::holds_alternative<Kinds>(p.content) || ...)) return false;
    old.push_back(p.content);
    return true;
  });
  bool same = old.size() == fresh.size();
  for (std::size_t i = 0; same && i < old.size(); ++i) same = old[i] == fresh[i].content;
  const std::size_t changes = same ? 0 : std::max<std::size_t>(1, fresh.size());
  game.pragmas.insert(game.pragmas.end(), fresh.begin(), fresh.end());
  return changes;
}

// Removes input pragmas that are invalid after a structural change, such as those that name removed nodes.
void drop_stale_pragmas(ir::Game& game);

// The type for a new declaration: an alias of exactly this set if there is one, otherwise the set itself.
ir::TypeId alias_of(ir::Game& game, ir::TypeId type);
// A named type with exactly these members of `of`. Defines one with a similar name if there is none.
ir::TypeId named_set(ir::Game& game, ir::TypeId of, const std::vector<SymbolId>& members);
// A constant with this type and value. Defines one whose name begins with `stem` if there is none.
ir::ExprId named_constant(ir::Game& game, const std::string& stem, ir::TypeId type, ir::ValueId value, Range where);

// Whether the comparison compares symbols and reads only this variable.
bool reads_only(const ir::Game& game, const ir::Compare& compare, ir::VarId variable);
// Whether such a comparison holds if the variable has this value.
bool holds_for(const ir::Game& game, const ir::Compare& compare, SymbolId value);

}  // namespace rgtrans::passes
