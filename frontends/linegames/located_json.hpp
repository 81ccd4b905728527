// A definition as a tree of values that own their texts and know their places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/json_tree.hpp"

namespace rgtrans::linegames {

struct JsonNode {
  using Kind = JsonTree::Kind;
  Kind kind = Kind::null;
  Range where;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<JsonNode> items;    // of an array, or the values of an object
  std::vector<std::string> keys;  // of an object
  std::vector<Range> key_ranges;

  // The value of a key of an object, or null.
  [[nodiscard]] const JsonNode* find(std::string_view key) const;
};

inline constexpr std::size_t kMaxJsonDepth = 16;

// None after a mistake in the syntax or a key that is given twice, which is reported.
std::optional<JsonNode> parse_json(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::linegames
