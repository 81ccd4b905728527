// Verifies labels. Expressions are hash-consed, so each is checked once, even if many edges use it.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/relations.hpp"
#include "core/ir/verifier_parts.hpp"

namespace rgtrans::ir {

namespace {

class Labels {
 public:
  Labels(const Game& game, Diagnostics& diagnostics)
      : game_(game), diagnostics_(diagnostics), relations_(game), checked_(game.expressions().size(), Checked::no) {}

  void run() {
    for (EdgeId edge : game_.graph.edges()) {
      if (diagnostics_.full()) return;
      where_ = game_.graph.where(edge);
      std::visit([this](const auto& label) { check(label); }, game_.graph.label(edge));
    }
    for (const Pragma& pragma : game_.pragmas) {
      where_ = pragma.where;
      if (const auto* apply = std::get_if<SimpleApply>(&pragma.content)) check_apply(*apply);
    }
  }

 private:
  enum class Checked : std::uint8_t { no, good, bad };

  void check(const Empty&) {}
  void check(const Tag&) {}
  void check(const Reachability&) {}

  void check(const TagVariable& tag) {
    const Variable& variable = game_.variable(tag.variable);
    if (game_.is_set(variable.type)) return;
    diagnostics_.error(where_, fmt::format("$$ {}: only a variable of a set type can be a tag, not one of type {}",
                                           game_.symbols.text(variable.name), describe_type(game_, variable.type)));
  }

  void check(const Compare& compare) {
    if (!well_typed(compare.lhs) || !well_typed(compare.rhs)) return;
    if (relations_.overlap(type(compare.lhs), type(compare.rhs))) return;
    mismatch(compare.lhs, compare.rhs, compare.negated ? "!=" : "==", "cannot be compared: no value is in both types");
  }

  void check(const Assign& assign) {
    if (!assignable(assign.lhs) || !well_typed(assign.lhs) || !well_typed(assign.rhs)) return;
    if (relations_.overlap(type(assign.lhs), type(assign.rhs))) return;
    mismatch(assign.lhs, assign.rhs, "=", "cannot be assigned: no value is in both types");
  }

  void check(const AssignAny& assign) {
    if (!assignable(assign.lhs) || !well_typed(assign.lhs)) return;
    if (!known_type(assign.type)) return;
    if (!game_.is_set(assign.type)) {
      diagnostics_.error(
          where_, fmt::format("{}(*): only the members of a set can be enumerated", describe_type(game_, assign.type)));
      return;
    }
    const ExprId lhs = game_.expressions().uncast(assign.lhs);
    if (game_.expressions().kind(lhs) == ExprKind::variable && game_.expressions().variable(lhs) == game_.player()) {
      diagnostics_.error(where_, "player cannot be assigned with (*)",
                         "who moves next must be decided by the rules: assign one player");
      return;
    }
    if (!relations_.includes(type(assign.lhs), assign.type)) {
      diagnostics_.error(where_,
                         fmt::format("{} = {}(*): not every member of {} is a value of {}",
                                     describe_expression(game_, assign.lhs), describe_type(game_, assign.type),
                                     describe_type(game_, assign.type), describe_type(game_, type(assign.lhs))));
    }
  }

  void check_apply(const SimpleApply& apply) {
    for (const SimpleApply::TagPattern& tag : apply.tags) {
      if (tag.type.valid() && known_type(tag.type) && !game_.is_set(tag.type)) {
        diagnostics_.error(where_, fmt::format("the tag {} must have a set type", game_.symbols.text(tag.name)));
      }
    }
    for (const SimpleApply::Effect& effect : apply.effects) assignable(effect.lhs);
  }

  TypeId type(ExprId e) const { return game_.expressions().type(e); }

  // The root of an assigned expression must be a variable.
  bool assignable(ExprId lhs) {
    const Expressions& e = game_.expressions();
    const ExprId root = e.root(lhs);
    if (e.kind(root) == ExprKind::variable) return true;
    if (e.kind(root) == ExprKind::constant) {
      diagnostics_.error(where_,
                         fmt::format("{} is a constant and cannot be assigned", describe_expression(game_, root)),
                         "declare it with var");
    } else {
      unknown(e.symbol(root), "is not a variable and cannot be assigned", variable_names());
    }
    return false;
  }

  bool well_typed(ExprId id) {
    Checked& state = checked_[id.value];
    if (state == Checked::no) state = compute(id) ? Checked::good : Checked::bad;
    return state == Checked::good;
  }

  bool compute(ExprId id) {
    const Expressions& e = game_.expressions();
    switch (e.kind(id)) {
      case ExprKind::symbol:
      case ExprKind::constant:
      case ExprKind::variable:
        return true;
      case ExprKind::cast: {
        if (!known_type(e.cast_type(id)) || !well_typed(e.operand(id))) return false;
        if (relations_.overlap(e.cast_type(id), type(e.operand(id)))) return true;
        mismatch_text(fmt::format("{} cannot be cast: no value of {} is in {}", describe_expression(game_, id),
                                  describe_type(game_, type(e.operand(id))), describe_type(game_, e.cast_type(id))),
                      e.operand(id), e.cast_type(id));
        return false;
      }
      case ExprKind::access:
        return compute_access(id);
    }
    return true;
  }

  bool compute_access(ExprId id) {
    const Expressions& e = game_.expressions();
    const ExprId map = e.map(id);
    const ExprId index = e.index(id);
    if (!well_typed(map)) return false;
    if (!game_.is_arrow(type(map))) {
      if (e.kind(map) == ExprKind::symbol) {
        unknown(e.symbol(map), "is not a map", map_names());
      } else {
        diagnostics_.error(where_, fmt::format("{} is of type {} and cannot be indexed",
                                               describe_expression(game_, map), describe_type(game_, type(map))));
      }
      return false;
    }
    if (!well_typed(index)) return false;
    const TypeId from = game_.types.from(game_.resolve(type(map)));
    if (!game_.is_set(type(index))) {
      diagnostics_.error(where_, fmt::format("{} is a map and cannot be an index", describe_expression(game_, index)));
      return false;
    }
    if (relations_.overlap(from, type(index))) return true;
    mismatch_text(
        fmt::format("{} cannot index {}: no value of {} is in {}", describe_expression(game_, index),
                    describe_expression(game_, map), describe_type(game_, type(index)), describe_type(game_, from)),
        index, from);
    return false;
  }

  bool known_type(TypeId type) {
    if (game_.resolve(type).valid()) return true;
    std::vector<std::string_view> names;
    for (const TypeDef& def : game_.type_defs()) names.push_back(game_.symbols.text(def.name));
    const std::string name = describe_type(game_, type);
    diagnostics_.error(where_, fmt::format("unknown type {}", name), did_you_mean(name, names));
    return false;
  }

  void mismatch(ExprId lhs, ExprId rhs, std::string_view op, std::string_view what) {
    const Expressions& e = game_.expressions();
    const std::string text =
        fmt::format("{} {} {}: {} and {} {}", describe_expression(game_, lhs), op, describe_expression(game_, rhs),
                    describe_type(game_, type(lhs)), describe_type(game_, type(rhs)), what);
    const bool left_is_name = e.kind(e.uncast(lhs)) == ExprKind::symbol;
    mismatch_text(text, left_is_name ? lhs : rhs, type(left_is_name ? rhs : lhs));
  }

  // If a single symbol does not fit, its spelling is the likely mistake.
  void mismatch_text(std::string text, ExprId culprit, TypeId expected) {
    const Expressions& e = game_.expressions();
    const ExprId inner = e.uncast(culprit);
    std::string hint;
    if (e.kind(inner) == ExprKind::symbol) {
      std::vector<std::string_view> names = variable_names();
      for (const Constant& c : game_.constants()) names.push_back(game_.symbols.text(c.name));
      for (SymbolId member : game_.members(expected)) names.push_back(game_.symbols.text(member));
      hint = did_you_mean(game_.symbols.text(e.symbol(inner)), names);
      if (hint.empty() && !is_member_of_any_type(e.symbol(inner))) {
        hint =
            fmt::format("{} is no variable, no constant and no member of a type", game_.symbols.text(e.symbol(inner)));
      }
    }
    diagnostics_.error(where_, std::move(text), std::move(hint));
  }

  void unknown(SymbolId symbol, std::string_view what, const std::vector<std::string_view>& names) {
    diagnostics_.error(where_, fmt::format("{} {}", game_.symbols.text(symbol), what),
                       did_you_mean(game_.symbols.text(symbol), names));
  }

  std::vector<std::string_view> variable_names() const {
    std::vector<std::string_view> names;
    for (const Variable& v : game_.variables()) names.push_back(game_.symbols.text(v.name));
    return names;
  }

  std::vector<std::string_view> map_names() const {
    std::vector<std::string_view> names;
    for (const Variable& v : game_.variables()) {
      if (game_.is_arrow(v.type)) names.push_back(game_.symbols.text(v.name));
    }
    for (const Constant& c : game_.constants()) {
      if (game_.is_arrow(c.type)) names.push_back(game_.symbols.text(c.name));
    }
    return names;
  }

  bool is_member_of_any_type(SymbolId symbol) const {
    return std::ranges::any_of(game_.type_defs(),
                               [&](const TypeDef& def) { return def.alive && game_.index_of(def.type, symbol) >= 0; });
  }

  const Game& game_;
  Diagnostics& diagnostics_;
  TypeRelations relations_;
  std::vector<Checked> checked_;
  Range where_;
};

}  // namespace

void verify_labels(const Game& game, Diagnostics& diagnostics) { Labels(game, diagnostics).run(); }

}  // namespace rgtrans::ir
