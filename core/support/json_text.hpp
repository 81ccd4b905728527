// JSON that others have written: messages, and lines of files.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace rgtrans {

// Copies, comparisons and texts of values recur into them, so a deeper value could exhaust the stack.
inline constexpr std::size_t kMaxJsonDepth = 500;
[[nodiscard]] bool nests_too_deeply(std::string_view json);

// The byte 0, which JSON has nowhere, or npos. For nlohmann-json the text ends there.
[[nodiscard]] inline std::size_t find_zero_byte(std::string_view json) { return json.find('\0'); }

// Discarded if the text is no JSON, or nests too deeply.
template <class Json>
Json parse_json(std::string_view text) {
  const bool bad = nests_too_deeply(text) || find_zero_byte(text) != std::string_view::npos;
  return bad ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

}  // namespace rgtrans
