// Integers from JSON text that others may have written. nlohmann-json converts any number to any integer type, and the
// conversion of a number out of range is undefined; this one refuses it.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace rgtrans {

template <std::integral Integer>
std::optional<Integer> integer_of(const nlohmann::json& json) {
  if (json.is_number_unsigned()) {
    const auto number = json.get<std::uint64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  } else if (json.is_number_integer()) {
    const auto number = json.get<std::int64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  }
  return std::nullopt;
}

// The integer under a key of an object; zero where there is none.
template <std::integral Integer>
Integer integer_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? Integer{} : integer_of<Integer>(*found).value_or(Integer{});
}

}  // namespace rgtrans
