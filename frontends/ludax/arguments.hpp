// What stands behind the head of a list: arguments by position, and those with a name, which may stand anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/ludax/tree.hpp"

namespace rgtrans::ludax {

// Thrown when something was reported; caught where reading can go on.
struct Failed {};

class Arguments {
 public:
  // `list` begins with a word. Throws Failed for a name without a value and for one that is there twice.
  Arguments(const Node& list, Diagnostics& diagnostics);

  [[nodiscard]] const Node* peek() const { return next_ < positional_.size() ? positional_[next_] : nullptr; }
  const Node* next() { return next_ < positional_.size() ? positional_[next_++] : nullptr; }
  // The next one, which must be there; `what` says in words what is missing otherwise.
  const Node& need(std::string_view what);
  // The value of an argument with a name, if it is given.
  const Node* named(std::string_view name);
  // Reports what nobody asked for.
  void finish();

  [[nodiscard]] const Node& list() const { return list_; }
  [[nodiscard]] std::string_view head() const { return list_.head(); }
  [[nodiscard]] Range closing() const { return {list_.where.end - 1, list_.where.end}; }

 private:
  struct Named {
    const Node* name;
    const Node* value;
    bool used = false;
  };

  const Node& list_;
  Diagnostics& diagnostics_;
  std::vector<const Node*> positional_;
  std::vector<Named> named_;
  std::size_t next_ = 0;
};

// As messages show it: `word`, or `(head …)`.
std::string shown(const Node& node);

}  // namespace rgtrans::ludax
