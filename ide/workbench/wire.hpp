// Messages as structs. A struct names its fields once:
//
//     struct PerftRequest {
//       static constexpr std::string_view kName = "PerftRequest";
//       unsigned depth = 3;
//       static void fields(auto& visit) { visit.maybe("depth", &PerftRequest::depth, "moves deep", Between{1, 100}); }
//     };
//
// From that list it is read, with the path of a field that has another form, written, and declared in TypeScript.
// `visit` names a field that is always there, `visit.maybe` one that keeps its default when it is left out. An optional
// member is left out of an object, and null in a list. A struct with kTuple travels as a list of its fields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/support/json_integer.hpp"

namespace rgtrans::ide {

using Json = nlohmann::json;

// A message has another form than its receiver expects: "path[2]: expected a text, found 7".
class BadField : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The numbers that a field may hold.
struct Between {
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();
};

// The texts of the values of an enumeration, in their order.
template <class Enum>
struct EnumWords;

namespace wire {

// The place of a value in its message.
struct FieldPath {
  const FieldPath* outer = nullptr;
  std::string_view key{};
  std::size_t index = 0;
  [[nodiscard]] std::string text() const;
};
[[noreturn]] void refuse(const FieldPath& path, std::string_view expected, const Json& found);
void check_bounds(const FieldPath& path, const Json& found, double value, Between bounds);

template <class T, template <class...> class Template>
inline constexpr bool kIs = false;
template <class... Arguments, template <class...> class Template>
inline constexpr bool kIs<Template<Arguments...>, Template> = true;
template <class T>
concept Message = requires {
  T::kName;
};
template <class T>
concept TupleMessage = requires {
  T::kTuple;
};

// --- Reading. ---

template <class T>
void read(const Json& json, T& value, const FieldPath& path);

template <class T>
struct FieldReader {
  T& message;
  const Json& json;
  const FieldPath& path;
  std::size_t count = 0;

  template <class Owner, class Value>
  void operator()(std::string_view name, Value Owner::*member, const char* /*help*/ = "", Between bounds = {}) {
    one(name, message.*member, bounds, kIs<Value, std::optional>);
  }
  template <class Owner, class Value>
  void maybe(std::string_view name, Value Owner::*member, const char* /*help*/ = "", Between bounds = {}) {
    one(name, message.*member, bounds, true);
  }

 private:
  template <class Value>
  void one(std::string_view name, Value& value, Between bounds, bool may_lack) {
    static const Json kNull;
    const Json* found = &kNull;
    FieldPath here{&path, name};
    if constexpr (TupleMessage<T>) {
      here = {&path, {}, count};
      if (count < json.size()) found = &json[count];
      ++count;
    } else if (const auto it = json.find(name); it != json.end()) {
      found = &*it;
    }
    if (found->is_null() && may_lack) return;
    read(*found, value, here);
    if (found->is_number()) check_bounds(here, *found, found->template get<double>(), bounds);
  }
};

template <class Integer>
void read_integer(const Json& json, Integer& value, const FieldPath& path) {
  const std::optional<Integer> integer = integer_of<Integer>(json);
  if (!integer) refuse(path, "a whole number", json);
  value = *integer;
}

// The first alternative that fits.
template <std::size_t I = 0, class... Alternatives>
void read_variant(const Json& json, std::variant<Alternatives...>& value, const FieldPath& path) {
  if constexpr (I == sizeof...(Alternatives)) {
    refuse(path, "another form", json);
  } else {
    std::variant_alternative_t<I, std::variant<Alternatives...>> alternative{};
    try {
      read(json, alternative, path);
      value = std::move(alternative);
    } catch (const BadField&) {
      read_variant<I + 1>(json, value, path);
    }
  }
}

template <class T>
void read(const Json& json, T& value, const FieldPath& path) {
  if constexpr (std::is_same_v<T, Json>) {
    value = json;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) refuse(path, "true or false", json);
    value = json.get<bool>();
  } else if constexpr (std::is_enum_v<T>) {
    const auto& words = EnumWords<T>::kWords;
    const std::string word = json.is_string() ? json.get<std::string>() : std::string();
    const std::ptrdiff_t found = std::ranges::find(words, word) - words.begin();
    if (found == std::ssize(words)) refuse(path, "a word that has a meaning here", json);
    value = static_cast<T>(found);
  } else if constexpr (std::is_integral_v<T>) {
    read_integer(json, value, path);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number()) refuse(path, "a number", json);
    value = json.get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) refuse(path, "a text", json);
    value = json.get<std::string>();
  } else if constexpr (kIs<T, std::optional>) {
    if (json.is_null()) return value.reset();
    read(json, value.emplace(), path);
  } else if constexpr (kIs<T, std::vector>) {
    if (!json.is_array()) refuse(path, "a list", json);
    value.clear();
    for (std::size_t i = 0; i < json.size(); ++i) read(json[i], value.emplace_back(), {&path, {}, i});
  } else if constexpr (kIs<T, std::map>) {
    if (!json.is_object()) refuse(path, "an object", json);
    for (const auto& [key, entry] : json.items()) read(entry, value[key], {&path, key});
  } else if constexpr (kIs<T, std::tuple>) {
    if (!json.is_array() || json.size() != std::tuple_size_v<T>) refuse(path, "a list of another length", json);
    std::apply(
        [&, i = std::size_t{0}](auto&... parts) mutable {
          ((read(json[i], parts, {&path, {}, i}), ++i), ...);
        },
        value);
  } else if constexpr (kIs<T, std::variant>) {
    read_variant(json, value, path);
  } else {
    static_assert(Message<T>);
    if (TupleMessage<T> ? !json.is_array() : !json.is_object())
      refuse(path, TupleMessage<T> ? "a list" : "an object", json);
    FieldReader<T> reader{value, json, path};
    T::fields(reader);
  }
}

// --- Writing. ---

template <class T>
[[nodiscard]] Json write(const T& value);

template <class T>
struct FieldWriter {
  const T& message;
  Json json;

  template <class Owner, class Value>
  void operator()(std::string_view name, Value Owner::*member, const char* /*help*/ = "", Between /*bounds*/ = {}) {
    const Value& value = message.*member;
    if constexpr (kIs<Value, std::optional>) {
      if (!value) return;  // of a list such a field is the last one
    }
    if constexpr (TupleMessage<T>) {
      json.push_back(write(value));
    } else {
      json[std::string(name)] = write(value);
    }
  }
  template <class Owner, class Value>
  void maybe(std::string_view name, Value Owner::*member, const char* help = "", Between bounds = {}) {
    (*this)(name, member, help, bounds);
  }
};

template <class T>
Json write(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return EnumWords<T>::kWords[static_cast<std::size_t>(value)];
  } else if constexpr (kIs<T, std::optional>) {
    return value ? write(*value) : Json();
  } else if constexpr (kIs<T, std::vector>) {
    Json list = Json::array();
    for (const auto& one : value) list.push_back(write(one));
    return list;
  } else if constexpr (kIs<T, std::map>) {
    Json object = Json::object();
    for (const auto& [key, entry] : value) object[key] = write(entry);
    return object;
  } else if constexpr (kIs<T, std::tuple>) {
    return std::apply([](const auto&... parts) { return Json::array({write(parts)...}); }, value);
  } else if constexpr (kIs<T, std::variant>) {
    return std::visit([](const auto& one) { return write(one); }, value);
  } else if constexpr (Message<T>) {
    FieldWriter<T> writer{value, TupleMessage<T> ? Json::array() : Json::object()};
    T::fields(writer);
    return std::move(writer.json);
  } else {
    return Json(value);
  }
}

// --- Declaring. ---

// Declarations in TypeScript of all requested types, and of those that they consist of.
class Typescript {
 public:
  // How a type is written.
  template <class T>
  std::string type();
  void declare(std::string text) { declarations_.push_back(std::move(text)); }
  [[nodiscard]] std::string text() const;

 private:
  template <class T>
  struct FieldTyper;
  static std::string field_line(const std::string& field, char end, std::string_view help);
  std::vector<std::string> declarations_;
  std::set<std::string_view> known_;
};

template <class T>
struct Typescript::FieldTyper {
  Typescript& out;
  std::string text{};

  template <class Owner, class Value>
  void operator()(std::string_view name, Value Owner::* /*member*/, const char* help = "", Between /*bounds*/ = {}) {
    one<Value>(name, help, kIs<Value, std::optional>);
  }
  template <class Owner, class Value>
  void maybe(std::string_view name, Value Owner::* /*member*/, const char* help = "", Between /*bounds*/ = {}) {
    one<Value>(name, help, true);
  }

 private:
  template <class Value>
  void one(std::string_view name, std::string_view help, bool may_lack) {
    std::string type;
    if constexpr (kIs<Value, std::optional>) {
      type = out.type<typename Value::value_type>();
    } else {
      type = out.type<Value>();
    }
    text += field_line(std::string(name) + (may_lack ? "?: " : ": ") + type, TupleMessage<T> ? ',' : ';', help);
  }
};

template <class T>
std::string Typescript::type() {
  if constexpr (std::is_same_v<T, Json>) {
    return "unknown";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else if constexpr (std::is_enum_v<T>) {
    std::string text;
    for (const std::string_view word : EnumWords<T>::kWords)
      text += (text.empty() ? "'" : " | '") + std::string(word) + "'";
    return text;
  } else if constexpr (kIs<T, std::optional>) {
    return type<typename T::value_type>() + " | null";
  } else if constexpr (kIs<T, std::vector>) {
    using Element = typename T::value_type;
    const std::string element = type<Element>();
    const bool is_union = kIs<Element, std::optional> || kIs<Element, std::variant> || std::is_enum_v<Element>;
    return is_union ? "(" + element + ")[]" : element + "[]";
  } else if constexpr (kIs<T, std::map>) {
    return "Record<string, " + type<typename T::mapped_type>() + ">";
  } else if constexpr (kIs<T, std::tuple>) {
    return [this]<class... Parts>(std::tuple<Parts...>*) {
      std::string text;
      ((text += (text.empty() ? "[" : ", ") + this->template type<Parts>()), ...);
      return text + "]";
    }(static_cast<T*>(nullptr));
  } else if constexpr (kIs<T, std::variant>) {
    return [this]<class... Parts>(std::variant<Parts...>*) {
      std::string text;
      ((text += (text.empty() ? "" : " | ") + this->template type<Parts>()), ...);
      return text;
    }(static_cast<T*>(nullptr));
  } else {
    static_assert(Message<T>);
    if (known_.insert(T::kName).second) {
      FieldTyper<T> typer{*this};
      T::fields(typer);
      const std::string name(T::kName);
      if constexpr (TupleMessage<T>) {
        declare("export type " + name + " = [\n" + typer.text + "];\n");
      } else if (typer.text.empty()) {
        declare("export type " + name + " = Record<string, never>;\n");
      } else {
        declare("export interface " + name + " {\n" + typer.text + "}\n");
      }
    }
    return std::string(T::kName);
  }
}

}  // namespace wire

// Throws BadField.
template <class T>
[[nodiscard]] T from_json_message(const Json& json, std::string_view name = "params") {
  T message{};
  wire::read(json, message, {nullptr, name});
  return message;
}
template <class T>
[[nodiscard]] Json to_json_message(const T& message) {
  return wire::write(message);
}

}  // namespace rgtrans::ide
