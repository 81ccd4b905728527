// A value of a definition, identified by its row in the tree of the text.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/json_tree.hpp"

namespace rgtrans::linegames {

inline constexpr std::size_t kMaxJsonDepth = 16;

// Empty for a member that the object does not have.
class JsonValue {
 public:
  using Kind = JsonTree::Kind;

  JsonValue() = default;
  JsonValue(const JsonTree& tree, JsonTree::Row row) : tree_(&tree), row_(row) {}
  explicit operator bool() const { return row_ != kNone; }

  [[nodiscard]] Kind kind() const { return tree_->kind(row_); }
  // The place of the value; a string's place includes its quotes.
  [[nodiscard]] Range where() const { return kind() == Kind::string ? quoted(tree_->where(row_)) : tree_->where(row_); }
  [[nodiscard]] std::string text() const { return std::string(tree_->text(row_)); }
  [[nodiscard]] bool is_true() const { return tree_->text(row_) == "true"; }
  [[nodiscard]] double number() const {
    const std::string_view digits = tree_->text(row_);
    double number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  // The elements of an array or the members of an object.
  [[nodiscard]] std::vector<JsonValue> items() const {
    std::vector<JsonValue> items;
    for (JsonTree::Row row = tree_->first(row_); row != kNone; row = tree_->next(row)) items.emplace_back(*tree_, row);
    return items;
  }
  [[nodiscard]] JsonValue member(std::string_view key) const { return {*tree_, tree_->member(row_, key)}; }
  // For a member of an object: its key, and the place of the key including its quotes.
  [[nodiscard]] std::string_view key() const { return tree_->key(row_); }
  [[nodiscard]] Range key_range() const { return quoted(tree_->key_range(row_)); }

 private:
  static Range quoted(Range inside) { return {inside.begin - 1, inside.end + 1}; }

  const JsonTree* tree_ = nullptr;
  JsonTree::Row row_ = kNone;
};

}  // namespace rgtrans::linegames
