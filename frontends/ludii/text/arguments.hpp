// The arguments of a clause, taken one by one. An argument that nobody takes is an error, so that nothing is ignored.
#pragma once

#include <string_view>
#include <vector>

#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

class Arguments {
 public:
  explicit Arguments(const Node& clause);

  [[nodiscard]] const Node& clause() const { return clause_; }
  // The next argument without a label, or null.
  [[nodiscard]] const Node* peek() const;
  const Node* next();
  // All that are left without a label; the clauses of an array count each.
  std::vector<const Node*> rest();
  // The next argument without a label; an error names `what` if there is none.
  const Node& need(std::string_view what);
  // Takes the next argument if it is this word.
  bool take(std::string_view word);
  // Takes the next argument if it is a clause of that name, a string, a site type.
  const Node* take_clause(std::string_view name);
  const Node* take_string();
  // The argument with that label, or null.
  const Node* named(std::string_view label);
  [[nodiscard]] bool flag(std::string_view label, bool otherwise = false);
  // Takes arguments with labels that do not matter to the rules.
  void ignore(std::string_view label) { named(label); }
  void finish() const;

 private:
  const Node& clause_;
  std::vector<const Node*> plain_, named_;
  std::size_t at_ = 0;
};

// Refuses a construct by its name.
[[noreturn]] void refuse(const Node& node, std::string_view what = {});

}  // namespace rgtrans::ludii
