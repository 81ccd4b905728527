// rgtrans completion: completion of commands, options and their values in shells, generated from the definitions of the
// commands.
#include <fmt/format.h>

#include <array>
#include <boost/algorithm/string/replace.hpp>

#include "cli/command.hpp"
#include "cli/definition.hpp"

namespace rgtrans::cli {

namespace {

using boost::algorithm::replace_all_copy;

constexpr std::array<const char*, 3> kShells = {"bash", "zsh", "fish"};

// Inside '…' of a shell.
std::string shell_quoted(const std::string& text) { return replace_all_copy(text, "'", "'\\''"); }

std::string names_of(const std::vector<CommandText>& commands) {
  std::string names;
  for (const CommandText& c : commands) names += (names.empty() ? "" : " ") + c.name;
  return names;
}

// --- bash ---

std::string bash(const std::vector<CommandText>& commands) {
  std::string text = fmt::format(R"(# bash completion of rgtrans, written by "rgtrans completion bash"
_rgtrans() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=translate word
  COMPREPLY=()
  case " {0} " in *" ${{COMP_WORDS[1]}} "*) ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}} ;; esac
  case "$command $prev" in
)",
                                 names_of(commands));
  for (const CommandText& command : commands) {
    for (const OptionText& option : command.options) {
      if (!option.takes_value()) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", command.name, name);
      std::string reply;
      if (!option.choices.empty()) {
        reply = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(option.choices, " "));
      } else if (option.takes_file()) {
        reply = "COMPREPLY=($(compgen -f -- \"$cur\"))";
      } else {
        reply = ":";
      }
      text += fmt::format("    {}) {}; return ;;\n", patterns, reply);
    }
  }
  text += "  esac\n  if [[ $cur == -* ]]; then\n    case $command in\n";
  for (const CommandText& command : commands) {
    std::string names = "--help";
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) {
        if (name != "--help") names += " " + name;
      }
    }
    text += fmt::format("      {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")) ;;\n", command.name, names);
  }
  text += fmt::format(R"(    esac
    return
  fi
  COMPREPLY=($(compgen -f -- "$cur"))
  ((COMP_CWORD == 1)) && COMPREPLY+=($(compgen -W '{}' -- "$cur"))
}}
complete -o filenames -F _rgtrans rgtrans
)",
                      names_of(commands));
  return text;
}

// --- zsh ---

// Brackets, colons and backslashes have a meaning in the specifications of _arguments.
std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"}) text = replace_all_copy(text, special, std::string("\\") + special);
  return shell_quoted(text);
}

std::string zsh_action(const OptionText& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  return option.takes_file() ? "_files" : " ";
}

std::string zsh(const std::vector<CommandText>& commands) {
  std::string text =
      "#compdef rgtrans\n# zsh completion, written by \"rgtrans completion zsh\"\n_rgtrans() {\n  local -a commands\n  "
      "commands=(\n";
  for (const CommandText& c : commands) text += fmt::format("    '{}:{}'\n", c.name, zsh_text(c.help));
  text += R"(  )
  local command=translate
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands
    _files
    return
  fi
  if [[ -n ${(M)commands:#$words[2]:*} ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
)";
  for (const CommandText& command : commands) {
    text += fmt::format("    {})\n      _arguments -S", command.name);
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) {
        text += fmt::format(" \\\n        '*{}{}[{}]", name, option.takes_value() && name.starts_with("--") ? "=" : "",
                            zsh_text(option.help));
        if (option.takes_value()) text += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option));
        text += "'";
      }
    }
    text += " \\\n        '*:file:_files'\n      ;;\n";
  }
  text += "  esac\n}\nif [[ $funcstack[1] == _rgtrans ]]; then _rgtrans \"$@\"; else compdef _rgtrans rgtrans; fi\n";
  return text;
}

// --- fish ---

std::string fish_quoted(const std::string& text) {
  return replace_all_copy(replace_all_copy(text, "\\", "\\\\"), "'", "\\'");
}

std::string fish(const std::vector<CommandText>& commands) {
  const std::string names = names_of(commands);
  std::string text = "# fish completion of rgtrans, written by \"rgtrans completion fish\"\n";
  for (const CommandText& c : commands) {
    text += fmt::format("complete -c rgtrans -n 'not __fish_seen_subcommand_from {}' -a {} -d '{}'\n", names, c.name,
                        fish_quoted(c.help));
  }
  for (const CommandText& command : commands) {
    // The default command needs no name.
    const std::string when =
        command.name == "translate"
            ? fmt::format("__fish_seen_subcommand_from translate; or not __fish_seen_subcommand_from {}", names)
            : "__fish_seen_subcommand_from " + command.name;
    for (const OptionText& option : command.options) {
      if (option.positional()) continue;
      text += fmt::format("complete -c rgtrans -n '{}'", when);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty()) {
        text += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      } else if (option.takes_value()) {
        text += option.takes_file() ? " -r -F" : " -x";
      }
      text += fmt::format(" -d '{}'\n", fish_quoted(option.help));
    }
  }
  return text;
}

}  // namespace

std::string completion(const std::string& shell) {
  const std::vector<CommandText> commands = definition();
  return shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands);
}

const Command kCompletion = {"completion", "print the completion of commands and options for a shell",
                             "rgtrans completion bash > ~/.local/share/bash-completion/completions/rgtrans",
                             [](OptionSet& app) -> std::function<int()> {
                               auto shell = std::make_shared<std::string>();
                               app.add_option("SHELL", *shell, "bash, zsh or fish")
                                   ->required()
                                   ->one_of(std::vector<std::string>(kShells.begin(), kShells.end()))
                                   ->type_name("");
                               return [shell] {
                                 write_file("-", completion(*shell));
                                 return kSuccess;
                               };
                             }};

}  // namespace rgtrans::cli
