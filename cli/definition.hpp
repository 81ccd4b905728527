// The command line as data, from which the manual page and the completions of shells are generated.
#pragma once

#include <string>
#include <vector>

namespace rgtrans::cli {

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; empty for a positional one
  std::string value;               // "FILE"; "" for a flag, and for positional ones their name
  std::vector<std::string> choices;
  std::string help;
  std::string standard;  // the default, where help shows one
  bool required = false, repeated = false;

  [[nodiscard]] bool positional() const { return names.empty(); }
  [[nodiscard]] bool takes_value() const { return !positional() && !value.empty(); }
  [[nodiscard]] bool takes_file() const { return value == "FILE" || value == "FOLDER"; }
};

struct CommandText {
  std::string name, help, example;
  std::vector<OptionText> options;  // positional ones first
};

// All commands, as their own definitions in CLI11 say.
std::vector<CommandText> definition();

std::string manual_page();
// Of "bash", "zsh" or "fish".
std::string completion(const std::string& shell);

}  // namespace rgtrans::cli
