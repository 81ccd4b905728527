// The arguments of a list: positional ones, and named ones, which may occur anywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/ludax/tree.hpp"

namespace rgtrans::ludax {

// Thrown after an error was reported; caught where reading can continue.
struct Failed {};

class Arguments {
 public:
  // `list` must begin with a word. Throws Failed for a name without a value and for a repeated name.
  Arguments(const Node& list, Diagnostics& diagnostics);

  [[nodiscard]] const Node* peek() const { return next_ < positional_.size() ? positional_[next_] : nullptr; }
  const Node* next() { return next_ < positional_.size() ? positional_[next_++] : nullptr; }
  // The next positional argument. Reports an error if there is none; `what` names the missing argument.
  const Node& need(std::string_view what);
  // The value of a named argument, or null.
  const Node* named(std::string_view name);
  // Reports arguments that were never read.
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

// The node as text for messages: `word`, or `(head …)`.
std::string shown(const Node& node);

}  // namespace rgtrans::ludax
