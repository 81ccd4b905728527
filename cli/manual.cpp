// rgtrans manual: the manual page in the language of man, written from the definitions of the commands.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/definition.hpp"

namespace rgtrans::cli {

namespace {

// Text in which nothing is a request or an escape of roff.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_title(const OptionText& option) {
  std::string title;
  for (const std::string& name : option.names) title += (title.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  if (option.positional()) return "\\fI" + roff(option.value) + "\\fR";
  if (option.takes_value()) title += " \\fI" + roff(option.value) + "\\fR";
  return title;
}

void write_option(std::string& page, const OptionText& option) {
  page += ".TP\n" + option_title(option) + "\n" + roff(option.help);
  if (!option.choices.empty() && option.help.find(option.choices.front()) == std::string::npos)
    page += roff(fmt::format(" ({})", fmt::join(option.choices, ", ")));
  if (!option.standard.empty()) page += roff(" [default: " + option.standard + "]");
  page += "\n";
}

void write_command(std::string& page, const CommandText& command) {
  page += ".SS \"rgtrans " + roff(command.name) + "\"\n" + roff(command.help) + ".\n.PP\n.B rgtrans " +
          roff(command.name) + "\n[\\fIOPTION\\fR...]";
  for (const OptionText& option : command.options) {
    if (!option.positional()) break;
    page += " " + option_title(option) + (option.repeated ? "..." : "");
  }
  page += "\n";
  for (const OptionText& option : command.options) write_option(page, option);
  page += ".PP\nExample:\n.PP\n.nf\n.RS\n" + roff(command.example) + "\n.RE\n.fi\n";
}

// Which commands take the flag, with their defaults: "match (100), playouts".
std::string takers(const SharedFlag& flag, const std::vector<CommandText>& commands) {
  std::string text;
  for (const CommandText& command : commands) {
    for (const OptionText& option : command.options) {
      if (std::ranges::find(option.names, flag.name) == option.names.end()) continue;
      text += (text.empty() ? "" : ", ") + command.name + (option.standard.empty() ? "" : " (" + option.standard + ")");
    }
  }
  return text;
}

// As the reference of the command line has it.
std::string shared_flag_table() {
  std::string table = "| flag | meaning | commands (default) |\n|---|---|---|\n";
  const std::vector<CommandText> commands = definition();
  for (const SharedFlag& flag : shared_flags()) {
    const std::string shorthand = *flag.shorthand == '\0' ? "" : fmt::format("`{}`, ", flag.shorthand);
    const std::string value = *flag.value == '\0' ? "" : fmt::format(" {}", flag.value);
    table += fmt::format("| {}`{}{}` | {} | {} |\n", shorthand, flag.name, value, flag.meaning, takers(flag, commands));
  }
  return table;
}

}  // namespace

std::string manual_page() {
  std::string page =
      ".\\\" Written by \"rgtrans manual\".\n.TH RGTRANS 1 \"\" \"rgtrans " RGTRANS_VERSION
      "\" \"User Commands\"\n.SH NAME\nrgtrans \\- translate, optimize and compile game descriptions\n"
      ".SH SYNOPSIS\n.B rgtrans\n[\\fICOMMAND\\fR] [\\fIOPTION\\fR...] \\fIFILE\\fR...\n"
      ".SH DESCRIPTION\nrgtrans reads games and turns each into one small automaton, a Regular Game. It writes\n"
      "the automaton in several forms, plays it, and compiles it to a program. Without a command it translates.\n"
      ".PP\nThe languages are:\n";
  for (const Frontend* f : frontends()) page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(f->name), roff(f->title));
  page += ".SH COMMANDS\n";
  for (const CommandText& command : definition()) write_command(page, command);
  page +=
      ".SH EXIT STATUS\n.TP\n.B 0\nSuccess.\n"
      ".TP\n.B 1\nThe input has a mistake, or a file cannot be read or written; standard error names the place.\n"
      ".TP\n.B 2\nThe command line has a mistake.\n"
      ".TP\n.B 3\nbatch: a game crashed, took too long or too much memory, or could not be read.\n"
      ".TP\n.B 130\nbatch: interrupted; the same command with \\-\\-resume continues.\n"
      ".SH ENVIRONMENT\n.TP\n.B CXX\nthe compiler of build and of \\-\\-engine cpp\n"
      ".TP\n.B XDG_CACHE_HOME\nthe folder of caches; its subfolder rgtrans has compiled games\n"
      ".TP\n.B NO_COLOR\nno colours in messages\n"
      ".SH FILES\n.TP\n.I ~/.cache/rgtrans\ncompiled games; you may delete them at any time\n"
      ".TP\n.I OUT/.rgtrans\\-batch\nthe journal of batch for an output folder\n";
  return page;
}

const Command kManual = {"manual", "print the manual page, for man", "rgtrans manual > rgtrans.1",
                         [](OptionSet& app) -> std::function<int()> {
                           auto flags = std::make_shared<bool>(false);
                           app.add_flag("--flags", *flags, "print the table of shared flags in Markdown instead");
                           return [flags] {
                             write_file("-", *flags ? shared_flag_table() : manual_page());
                             return kSuccess;
                           };
                         }};

}  // namespace rgtrans::cli
