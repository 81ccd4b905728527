// Small things that several passes need.
#pragma once

#include <optional>
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

// Removes a node that no edge touches any more, unless it is begin, end or the end point of a check.
bool remove_if_isolated(ir::Game& game, ir::NodeId node, const analysis::EndPoints& ends);

// Replaces end points of checks: node n becomes map[n] where that is valid. Returns how many labels changed.
std::size_t rename_end_points(ir::Game& game, const std::vector<ir::NodeId>& map);

// The expression with every reading of a variable replaced. The root of a left side must not be passed here.
ir::ExprId substitute(ir::Game& game, ir::ExprId in, ir::VarId variable, ir::ExprId by);
// In all that the label reads. A tag variable becomes a tag or another tag variable; nothing is returned when
// neither is possible.
std::optional<ir::Label> substitute(ir::Game& game, const ir::Label& label, ir::VarId variable, ir::ExprId by);

// Pragmas of an input name nodes that may be gone after a structural change. Drops what no longer makes sense.
void drop_stale_pragmas(ir::Game& game);

// Types for new declarations: an alias of exactly this set if there is one, else the set itself.
ir::TypeId alias_of(const ir::Game& game, ir::TypeId type);
// A named type of exactly these members of a set type; it is defined, with a name like that one's, when there is none.
ir::TypeId named_set(ir::Game& game, ir::TypeId of, const std::vector<SymbolId>& members);

}  // namespace rgtrans::passes
