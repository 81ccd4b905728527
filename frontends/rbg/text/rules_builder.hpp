// Builds the rules while their section is read, with a stack of finished expressions.
#pragma once

#include <span>
#include <vector>

#include "frontends/rbg/text/names.hpp"

namespace rgtrans::rbg {

class RulesBuilder {
 public:
  // Thrown if there are too many actions. `exponent`: the exponent that causes them, if one does.
  struct TooLarge {
    const Token* exponent = nullptr;
  };

  // The arguments must outlive this object.
  RulesBuilder(Description& description, const DeclaredNames& names, const Macros& macros)
      : d_(description), names_(names), macros_(macros) {}

  // --- Items, pushed onto the stack. ---
  void shift(const Token& label);
  void to_player(const Token& name);
  void to_keeper(Range where) { push(Kind::to_keeper, where); }
  void noop(Range where) { push(Kind::noop, where); }

  // --- Operations on the topmost items. ---
  void begin_list() { lists_.push_back(stack_.size()); }
  void end_list(Kind kind, Range where);
  void star(Range where) { stack_.back() = d_.expressions.star(stack_.back(), where); }
  void repeat(const Token& exponent);
  void pattern(bool negated, Range where) { stack_.back() = d_.expressions.pattern(stack_.back(), negated, where); }

  // --- Tests and actions in braces and square brackets, part by part. ---
  void begin_set();
  void on_piece(const Token& name);
  void on(Range where);
  void off_piece(const Token& name);
  void off(Range where) { end_set(Kind::sum, where); }
  void assigned(const Token& variable) { assigned_ = &variable; }
  void assign(Range where);
  void assignment(Range where) { end_set(Kind::concat, where); }
  void relation(Comparison relation) { relation_ = relation; }
  void compare(Range where);

  // --- Arithmetic, with a separate stack. ---
  void number(const Token& token);
  void operand(const Token& name);
  void combine(Arith kind);

  // Call after the whole section.
  [[nodiscard]] ExprId result() const { return stack_.back(); }

 private:
  void push(ExprNode node);
  void push(Kind kind, Range where, std::uint32_t index = 0);
  void end_set(Kind kind, Range where);
  // Replaces the last `replaced` items.
  void push_list(Kind kind, std::span<const ExprId> parts, std::size_t replaced, Range where);
  ArithId pop_arith();

  Description& d_;
  const DeclaredNames& names_;
  const Macros& macros_;
  std::vector<ExprId> stack_;
  std::vector<std::size_t> lists_;  // begins of the open lists in the stack
  std::vector<ArithId> arith_;
  std::vector<std::uint32_t> set_;  // pieces
  std::size_t set_begin_ = 0;       // position in the stack
  const Token* assigned_ = nullptr;
  Comparison relation_ = Comparison::equal;
};

}  // namespace rgtrans::rbg
