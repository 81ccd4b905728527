// JSON in which every value knows its place in the text, so that a wrong parameter can be pointed at. The
// parsing itself is nlohmann-json's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/limits.hpp"
#include "core/support/support.hpp"

namespace rgtrans::linegames {

struct JsonNode {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
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

std::string_view name_of(JsonNode::Kind kind);

inline constexpr std::size_t kMaxJsonDepth = 16;
inline const Limit& kMaxJsonValues = limits::linegames_values;

// None after a syntax error, which is reported.
std::optional<JsonNode> parse_json(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::linegames
