// Small things that several passes need.
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

// Numbers labels: equal ones (up to the order of a comparison) have the same number.
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

// The living edges that a pass has to look at when nothing but an edge itself decides what it does: all of them in its
// first run, later those that changed since.
std::vector<ir::EdgeId> changed_edges(const ir::Game& game, const PassContext& context);

// Games with more edges than this are large: what is worth its time elsewhere is done in a simpler way there.
inline constexpr std::size_t kLargeGame = 20'000;
// Tells, once, what a pass leaves out because the game is large.
void leave_out(const PassContext& context, std::string_view note);

// Claims that the edges, whose labels are those that they have had, do nothing else when they have their new labels.
class Relabelling {
 public:
  Relabelling(ir::Game& game, std::string_view pass) : game_(game), pass_(pass) {}
  // Sets the label, and claims what it says about the old one: a condition that became empty always holds.
  void set_label(ir::EdgeId edge, const ir::Label& label);
  // The same, where the label has to be set by somebody else, and may change again until claim() is called.
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

// Removes a node that no edge touches any more, unless it is begin, end or the end point of a check.
bool remove_if_isolated(ir::Game& game, ir::NodeId node, const analysis::EndPoints& ends);

// Removes edges that no play ever walks; returns how many. They stay where the end could not be reached without them: a
// game has a way to its end, even if no play goes it.
std::size_t remove_unwalked(ir::Game& game, const std::vector<ir::EdgeId>& edges);

// Replaces end points of checks: node n becomes map[n] where that is valid. Returns how many labels changed.
std::size_t rename_end_points(ir::Game& game, const std::vector<ir::NodeId>& map);

// The expression with every reading of a variable replaced. The root of a left side must not be passed here.
ir::ExprId substitute(ir::Game& game, ir::ExprId in, ir::VarId variable, ir::ExprId by);
// In all that the label reads. A tag variable becomes a tag or another tag variable; nothing is returned when
// neither is possible.
std::optional<ir::Label> substitute(ir::Game& game, const ir::Label& label, ir::VarId variable, ir::ExprId by);

// Equal but for casts.
bool same_value(ir::Game& game, ir::ExprId a, ir::ExprId b);

// f(ExprId) for all parts of the expressions in labels and in effects of pragmas.
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

// Reached nodes in order of creation, so that the output does not depend on the shape of the search.
std::vector<ir::NodeId> reached_nodes(const ir::Game& game, const analysis::Flow& flow);

// Replaces all pragmas of some kinds; returns whether anything is different now.
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

// Pragmas of an input name nodes that may be removed by a structural change. Drops what no longer makes sense.
void drop_stale_pragmas(ir::Game& game);

// Types for new declarations: an alias of exactly this set if there is one, else the set itself.
ir::TypeId alias_of(ir::Game& game, ir::TypeId type);
// A named type of exactly these members of a set type; it is defined, with a name like that one's, when there is none.
ir::TypeId named_set(ir::Game& game, ir::TypeId of, const std::vector<SymbolId>& members);
// A reference to a constant of this type and value; it is defined, with a name that begins so, when there is none.
ir::ExprId named_constant(ir::Game& game, const std::string& stem, ir::TypeId type, ir::ValueId value, Range where);

// A comparison of sets that reads nothing but one variable.
bool reads_only(const ir::Game& game, const ir::Compare& compare, ir::VarId variable);
// Whether such a comparison holds where the variable has this value.
bool holds_for(const ir::Game& game, const ir::Compare& compare, SymbolId value);

}  // namespace rgtrans::passes
