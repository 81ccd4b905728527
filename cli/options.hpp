// The options of a command: CLI11 behind an interface of our own. Its headers are large, and every file that includes
// them makes its own copies of its validators before main() begins, which a run of a millisecond can feel.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/registry/registry.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rgtrans::cli {

// Lives as long as its OptionSet. Its functions are those of CLI11; one that is not registered does nothing.
class Option {
 public:
  explicit Option(CLI::Option* option) {
    if (option != nullptr) options_.push_back(option);
  }

  Option* type_name(const std::string& name);
  Option* group(const std::string& name);
  Option* required();
  Option* capture_default_str();
  Option* take_all();
  Option* delimiter(char separator);
  Option* excludes(const Option* other);
  // Accepts the names of another option as old ones of its own: help does not show them, and nobody gives both.
  Option* replaces(Option* old);
  Option* one_of(const std::vector<std::string>& values);
  // int, unsigned, std::uint64_t and double.
  template <class T>
  Option* between(T least, T most);

 private:
  template <class F>
  Option* apply(F&& f);

  std::vector<CLI::Option*> options_;  // itself under its names and under old ones, if they are registered
};

class OptionSet {
 public:
  // An option that no argument can name is not registered, which costs more than reading a small game. Without
  // arguments all are, as help wants them.
  explicit OptionSet(CLI::App& app, std::vector<std::string> arguments = {})
      : app_(app), arguments_(std::move(arguments)) {}

  // int, unsigned, std::uint64_t, double, strings, paths, and vectors of the last two. A number is written in decimal
  // digits and nothing else, and is in the range of its type.
  template <class T>
  Option* add_option(const std::string& names, T& target, const std::string& help);
  Option* add_flag(const std::string& names, bool& target, const std::string& help);
  Option* add_option_function(const std::string& names,
                              const std::function<void(const std::vector<std::string>&)>& function,
                              const std::string& help);
  // An option of a language under its own name.
  Option* add_language_option(const LanguageOption& option, FrontendOptions& target);

 private:
  [[nodiscard]] bool can_be_named(const std::string& names) const;

  CLI::App& app_;
  std::vector<std::string> arguments_;
  std::deque<Option> options_;
};

}  // namespace rgtrans::cli
