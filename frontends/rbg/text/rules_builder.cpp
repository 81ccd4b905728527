#include "frontends/rbg/text/rules_builder.hpp"

namespace rgtrans::rbg {

namespace {

ExprNode make(Kind kind, Range where, std::uint32_t index = 0) {
  ExprNode node;
  node.kind = kind;
  node.where = where;
  node.index = index;
  return node;
}

}  // namespace

void RulesBuilder::push(ExprNode node) {
  if (d_.expressions.size() >= 4 * kMaxActions) throw TooLarge{};
  stack_.push_back(d_.expressions.leaf(node));
}

void RulesBuilder::push(Kind kind, Range where, std::uint32_t index) { push(make(kind, where, index)); }

void RulesBuilder::shift(const Token& label) {
  const auto index = names_.resolve(NameKind::label, label);
  push(index ? Kind::shift : Kind::noop, label.where, index.value_or(0));
}

void RulesBuilder::to_player(const Token& name) {
  push(Kind::to_player, name.where, names_.resolve(NameKind::player, name).value_or(0));
}

void RulesBuilder::push_list(Kind kind, std::span<const ExprId> parts, std::size_t replaced, Range where) {
  if (d_.expressions.child_count() > 8 * kMaxActions) throw TooLarge{};
  const ExprId list = d_.expressions.list(kind, parts, where);
  if (d_.expressions[list].actions > kMaxActions) throw TooLarge{};
  stack_.resize(stack_.size() - replaced);
  stack_.push_back(list);
}

void RulesBuilder::end_list(Kind kind, Range where) {
  const auto parts = std::span(stack_).subspan(lists_.back());
  lists_.pop_back();
  push_list(kind, parts, parts.size(), where);
}

void RulesBuilder::repeat(const Token& exponent) {
  const std::uint32_t times = number_of(exponent, d_.symbols);
  if (times == 0) {
    macros_.error(exponent, "the exponent must be at least 1", "leave the item out instead");
    return;
  }
  const std::uint64_t actions = std::uint64_t{d_.expressions[stack_.back()].actions} * times;
  if (actions > kMaxActions) throw TooLarge{&exponent};
  const std::vector<ExprId> copies(times, stack_.back());
  push_list(Kind::concat, copies, 1, exponent.where);
}

void RulesBuilder::begin_set() {
  set_.clear();
  set_begin_ = stack_.size();
}

void RulesBuilder::end_set(Kind kind, Range where) {
  const auto parts = std::span(stack_).subspan(set_begin_);
  push_list(kind, parts, parts.size(), where);
}

void RulesBuilder::on_piece(const Token& name) {
  if (const auto piece = names_.resolve(NameKind::piece, name)) set_.push_back(*piece);
}

void RulesBuilder::on(Range where) { push(Kind::on, where, d_.expressions.piece_set(set_)); }

void RulesBuilder::off_piece(const Token& name) {
  push(Kind::off, name.where, names_.resolve(NameKind::piece, name).value_or(0));
}

void RulesBuilder::assign(Range where) {
  ExprNode node = make(Kind::assign, where, names_.resolve_variable(*assigned_).value_or(0));
  node.left = pop_arith();
  push(node);
}

void RulesBuilder::compare(Range where) {
  ExprNode node = make(Kind::compare, where);
  node.relation = relation_;
  node.right = pop_arith();
  node.left = pop_arith();
  push(node);
}

void RulesBuilder::number(const Token& token) {
  arith_.push_back(d_.expressions.arith({Arith::number, number_of(token, d_.symbols), {}, {}}));
}

void RulesBuilder::operand(const Token& name) {
  if (const auto piece = names_.find(NameKind::piece, name.text)) {
    arith_.push_back(d_.expressions.arith({Arith::piece, *piece, {}, {}}));
    return;
  }
  const auto index = names_.resolve_variable(name);
  arith_.push_back(d_.expressions.arith({index ? Arith::variable : Arith::number, index.value_or(0), {}, {}}));
}

ArithId RulesBuilder::pop_arith() {
  const ArithId top = arith_.back();
  arith_.pop_back();
  return top;
}

void RulesBuilder::combine(Arith kind) {
  const ArithId right = pop_arith();
  const ArithId left = pop_arith();
  arith_.push_back(d_.expressions.arith({kind, 0, left, right}));
}

}  // namespace rgtrans::rbg
