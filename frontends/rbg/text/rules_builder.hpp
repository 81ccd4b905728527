// Puts the rules together while their section is read, with a stack of finished expressions.
#pragma once

#include <span>
#include <vector>

#include "frontends/rbg/text/names.hpp"

namespace rgtrans::rbg {

class RulesBuilder {
 public:
  // Thrown when there are too many actions; the exponent that makes them, if it is one.
  struct TooLarge {
    const Token* exponent = nullptr;
  };

  // The arguments must outlive this object.
  RulesBuilder(Description& description, const DeclaredNames& names, const Macros& macros)
      : d_(description), names_(names), macros_(macros) {}

  // --- Items, which go on the stack. ---
  void shift(const Token& label);
  void to_player(const Token& name);
  void to_keeper(Range where) { push(Kind::to_keeper, where); }
  void noop(Range where) { push(Kind::noop, where); }

  // --- What is made of the items on top. ---
  void begin_list() { lists_.push_back(stack_.size()); }
  void end_list(Kind kind, Range where);
  void star(Range where) { stack_.back() = d_.expressions.star(stack_.back(), where); }
  void repeat(const Token& exponent);
  void pattern(bool negated, Range where) { stack_.back() = d_.expressions.pattern(stack_.back(), negated, where); }

  // --- Tests and actions in braces and square brackets, piece by piece. ---
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

  // --- Arithmetic, on a stack of its own. ---
  void number(const Token& token);
  void operand(const Token& name);
  void combine(Arith kind);

  // After the whole section.
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
  std::vector<std::size_t> lists_;  // where the open lists begin in the stack
  std::vector<ArithId> arith_;
  std::vector<std::uint32_t> set_;  // of pieces
  std::size_t set_begin_ = 0;       // in the stack
  const Token* assigned_ = nullptr;
  Comparison relation_ = Comparison::equal;
};

}  // namespace rgtrans::rbg
