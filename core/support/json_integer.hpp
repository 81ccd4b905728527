// Reads integers from untrusted JSON text. nlohmann-json converts any number to any integer type, and converting a
// number out of range is undefined behaviour. This reader refuses such numbers.
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

// The integer under a key of an object, or zero if the key is missing.
template <std::integral Integer>
Integer integer_at(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? Integer{} : integer_of<Integer>(*found).value_or(Integer{});
}

}  // namespace rgtrans
