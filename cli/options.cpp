#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <type_traits>

#include "cli/command.hpp"

namespace rgtrans::cli {

template <class F>
Option* Option::apply(F&& f) {
  for (CLI::Option* option : options_) f(*option);
  return this;
}

Option* Option::type_name(const std::string& name) {
  return apply([&](CLI::Option& o) { o.type_name(name); });
}

Option* Option::group(const std::string& name) {
  return apply([&](CLI::Option& o) { o.group(name); });
}

Option* Option::required() {
  return apply([&](CLI::Option& o) { o.required(); });
}

Option* Option::capture_default_str() {
  return apply([&](CLI::Option& o) { o.capture_default_str(); });
}

Option* Option::take_all() {
  return apply([&](CLI::Option& o) { o.take_all(); });
}

Option* Option::delimiter(char separator) {
  return apply([&](CLI::Option& o) { o.delimiter(separator); });
}

Option* Option::excludes(const Option* other) {
  return apply([&](CLI::Option& o) {
    for (CLI::Option* excluded : other->options_) o.excludes(excluded);
  });
}

Option* Option::replaces(Option* old) {
  old->group("")->excludes(this);
  // Help would show an exclusion of a name that it hides; the old name's own entry is enough to refuse both.
  for (CLI::Option* option : options_)
    for (CLI::Option* hidden : old->options_) option->remove_excludes(hidden);
  options_.insert(options_.end(), old->options_.begin(), old->options_.end());
  return this;
}

Option* Option::one_of(const std::vector<std::string>& values) {
  return apply([&](CLI::Option& o) { o.check(CLI::IsMember(values)); });
}

namespace {

// "" if the text is a number from `least` to `most`, else the problem. The whole text must be a number: no "1e9x", no
// "nan", no "-5" that wraps around.
template <class T>
std::string range_problem(const std::string& text, T least, T most) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = problem != std::errc::invalid_argument && end == text.data() + text.size();
  if (number && problem == std::errc{} && value >= least && value <= most) return "";
  constexpr const char* kKind = std::is_floating_point_v<T> ? "number" : "whole number";
  const bool open = most == std::numeric_limits<T>::max();
  if (open && std::is_signed_v<T> && least == std::numeric_limits<T>::lowest())
    return fmt::format("'{}' is no {}", text, kKind);
  if (open) return fmt::format("'{}' is no {} from {} up", text, kKind, least);
  return fmt::format("'{}' is no {} from {} to {}", text, kKind, least, most);
}

// Somebody forgot the number, as in `--dynamic chess.hrg`, or swapped it with the file, as in `perft 3 chess.hrg`.
std::string instead_of_number(const std::string& text) {
  std::error_code problem;
  return std::filesystem::exists(text, problem) ? ", but a file; a number is expected here" : "";
}

}  // namespace

template <class T>
Option* Option::between(T least, T most) {
  return apply([&](CLI::Option& o) {
    o.check([least, most](const std::string& text) {
      const std::string wrong = range_problem(text, least, most);
      return wrong.empty() ? wrong : wrong + instead_of_number(text);
    });
  });
}
template Option* Option::between(int, int);
template Option* Option::between(unsigned, unsigned);
template Option* Option::between(std::uint64_t, std::uint64_t);
template Option* Option::between(double, double);

// "-o,--output" is named by "-o", "-ofile", "-qo" and "--output=file".
bool OptionSet::can_be_named(const std::string& names) const {
  if (arguments_.empty() || names.front() != '-') return true;
  std::string_view rest = names;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    const bool named = std::ranges::any_of(arguments_, [&](std::string_view argument) {
      if (name.starts_with("--")) return argument.substr(0, argument.find('=')) == name;
      return argument.starts_with('-') && !argument.starts_with("--") && argument.find(name[1]) != argument.npos;
    });
    if (named) return true;
  }
  return false;
}

namespace {

// An option that may be given several times takes one value each time, so a file may follow it.
void take_one(const std::string& names, CLI::Option* option) {
  if (option != nullptr && names.front() == '-') option->allow_extra_args(false);
}

}  // namespace

template <class T>
Option* OptionSet::add_option(const std::string& names, T& target, const std::string& help) {
  CLI::Option* const added = can_be_named(names) ? app_.add_option(names, target, help) : nullptr;
  Option* option = &options_.emplace_back(added);
  if constexpr (std::is_arithmetic_v<T>)
    option->between(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
  else
    take_one(names, added);
  return option;
}
template Option* OptionSet::add_option(const std::string&, int&, const std::string&);
template Option* OptionSet::add_option(const std::string&, unsigned&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* OptionSet::add_option(const std::string&, double&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::string&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::filesystem::path&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<std::filesystem::path>&, const std::string&);

Option* OptionSet::add_flag(const std::string& names, bool& target, const std::string& help) {
  return &options_.emplace_back(can_be_named(names) ? app_.add_flag(names, target, help) : nullptr);
}

Option* OptionSet::add_option_function(const std::string& names,
                                       const std::function<void(const std::vector<std::string>&)>& function,
                                       const std::string& help) {
  CLI::Option* const added =
      can_be_named(names) ? app_.add_option_function<std::vector<std::string>>(names, function, help) : nullptr;
  take_one(names, added);
  return &options_.emplace_back(added);
}

Option* OptionSet::add_language_option(const LanguageOption& option, FrontendOptions& target) {
  const std::string names = "--" + std::string(option.name), help(option.help);
  if (!can_be_named(names)) return &options_.emplace_back(nullptr);
  const std::string key(option.name);
  if (option.value.empty()) {
    const auto set = [key, &target](std::int64_t) { target.values[key]; };
    return &options_.emplace_back(app_.add_flag_function(names, set, help));
  }
  return add_option_function(
             names,
             [key, &target](const std::vector<std::string>& values) {
               set_language_option(target, key, values.back(), "--" + key);
             },
             help)
      ->type_name(std::string(option.value));
}

}  // namespace rgtrans::cli
