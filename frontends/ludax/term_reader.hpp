// Reads masks, functions and predicates from the tree. The context determines which of the three is required; a term of
// another kind is reported by name.
#pragma once

#include "frontends/ludax/arguments.hpp"
#include "frontends/ludax/ast.hpp"
#include "frontends/ludax/words.hpp"

namespace rgtrans::ludax {

class TermReader {
 public:
  explicit TermReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // `user`: the word that requires the term. All functions throw Failed after reporting an error.
  ast::Term mask(const Node& node, std::string_view user) { return read(node, user, WordKind::mask); }
  ast::Term function(const Node& node, std::string_view user) { return read(node, user, WordKind::function); }
  ast::Term predicate(const Node& node, std::string_view user) { return read(node, user, WordKind::predicate); }

  // Reads mover or opponent, if the next argument is one of them.
  ast::Side side_or(Arguments& arguments, ast::Side standard);
  ast::Side side(Arguments& arguments);
  ast::Side player(const Node& node);
  bool boolean(const Node& node, std::string_view name);
  std::int64_t number(const Node& node);

  [[noreturn]] void fail(Range where, std::string message, std::string hint = {});

 private:
  [[noreturn]] void mismatch(const Node& node, std::string_view user, WordKind wanted);
  const Word& word_of(const Node& node, std::string_view user, WordKind wanted);
  // A number is accepted as a predicate.
  ast::Term read(const Node& node, std::string_view user, WordKind wanted);
  void read_arguments(Arguments& arguments, ast::Term& term);
  // `what` describes the operand if it is missing.
  void operand(Arguments& arguments, std::string_view what, WordKind wanted, ast::Term& term);
  void operands(Arguments& arguments, std::string_view what, WordKind wanted, ast::Term& term);  // one or more
  void targets(const Node& node, ast::Term& term);
  void edge(const Node& node, ast::Term& term);
  void passed(const Node& node, ast::Term& term);
  void directions(Arguments& arguments, std::string_view name, ast::Term& term);
  void length(const Node& node, ast::Term& term);

  Diagnostics& diagnostics_;
};

}  // namespace rgtrans::ludax
