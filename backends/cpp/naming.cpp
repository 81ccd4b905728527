// The names and the heads of generated files, chosen so that several games can be parts of one program.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>

#include "backends/cpp/model.hpp"
#include "backends/cpp/project.hpp"
#include "backends/cpp/shared.hpp"
#include "core/support/digest.hpp"

namespace rgtrans::cpp {

namespace {

bool in_word(char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; }

// Replaces a text where no word continues to its left.
void replace_words(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    if (at == 0 || !in_word(text[at - 1])) text.replace(at, from.size(), to);
  }
}

// Names of functions begin like this, and names of folders are this.
std::string plain_name(const std::string& title) {
  std::string name;
  for (const char c : title) name += in_word(c) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "game_");
  return name;
}

// Names that CMake keeps for itself.
bool is_taken_target(const std::string& name) {
  static constexpr std::array kTaken = {
      "all",     "clean",          "depend",     "edit_cache",    "help", "install", "list_install_components",
      "package", "package_source", "preinstall", "rebuild_cache", "test"};
  return std::ranges::find(kTaken, name) != kTaken.end();
}

std::string head_of(const GenerateOptions& options) {
  std::string head = fmt::format("Generated from {} by rgtrans {}.",
                                 in_comment(options.source.empty() ? options.title : options.source), RGTRANS_VERSION);
  if (!options.source.empty()) head += " The game: " + in_comment(options.title) + ".";
  return head;
}

// As lines of comments in C and C++, or in CMake's language. A backslash at the end would join two lines.
std::string commented(const std::string& text, std::string_view mark) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    std::erase_if(line, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; });
    while (line.ends_with(' ')) line.pop_back();
    if (line.ends_with('\\')) line.back() = '/';
    result += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
    at = end + 1;
  }
  return result;
}

void write_heads(std::vector<GeneratedFile>& files, const GenerateOptions& options) {
  std::string head = head_of(options) + "\n";
  if (!options.licence.empty()) head += "\n" + options.licence;
  for (GeneratedFile& file : files) {
    if (file.name.ends_with(".options")) continue;  // arguments of a compiler
    const std::string_view mark = file.name.ends_with(".txt") ? "#" : "//";
    file.text.insert(0, commented(head, mark));
  }
}

}  // namespace

bool is_name(const std::string& name) { return !name.empty() && Identifiers().make(name) == name; }

ProjectNames names_of(const GenerateOptions& options) {
  ProjectNames names;
  names.game = plain_name(options.title);
  names.target = is_taken_target(names.game) ? names.game + "_game" : names.game;
  names.space = options.space.empty() ? "reasoner" : options.space;
  names.macros = options.space.empty() ? "REASONER_" : boost::to_upper_copy(options.space) + "_";
  names.getter = (options.prefix.empty() ? names.game : options.prefix) + "_get_reasoner";
  return names;
}

std::string with_getter(std::string text, const ProjectNames& names) {
  constexpr std::string_view kBegin = "\n#if !defined(RGTRANS_STATIC)\n", kEnd = "#endif\n";
  boost::replace_all(text, "@GETTER@", names.getter);
  if (names.getter == kGetter) {
    const std::size_t begin = text.find(kBegin);
    text.erase(begin, text.find(kEnd, begin) + kEnd.size() - begin);
  }
  return text;
}

void name_files(std::vector<GeneratedFile>& files, const GenerateOptions& options) {
  const ProjectNames names = names_of(options);
  // Objects of two games differ by their names even if nobody has chosen a namespace.
  const std::string space =
      options.space.empty() ? "namespace reasoner::inline game_" + names.game : "namespace " + names.space;
  Digest print;
  for (const GeneratedFile& file : files) print.field(file.name).field(file.text);
  const std::string id = print.hex().substr(0, 16);
  for (GeneratedFile& file : files) {
    boost::replace_first(file.text, "@GAME_ID@", id);
    if (file.name == "basics.hpp") boost::replace_first(file.text, "@VERSION@", RGTRANS_VERSION);
    if (file.name == "CMakeLists.txt") {
      boost::replace_all(file.text, "@NAME@", names.target);
      continue;
    }
    if (file.name == "interface.h") {
      const std::string declaration = "const rgtrans_reasoner* " + names.getter + "(uint32_t version);\n";
      boost::replace_all(
          file.text, "/* @GETTER@ */\n",
          names.getter == kGetter
              ? ""
              : "/* The same of this game only: any number of games can be linked to one program. */\n" + declaration);
    }
    if (file.name == "library.cpp") file.text = with_getter(file.text, names);
    replace_words(file.text, "namespace reasoner::", space + "::");  // first: the next writes such names
    replace_words(file.text, "namespace reasoner {", space + " {");
    if (options.space.empty()) continue;
    replace_words(file.text, "}  // namespace reasoner", "}  // namespace " + names.space);
    replace_words(file.text, "reasoner::", names.space + "::");
    replace_words(file.text, "using namespace reasoner;", "using namespace " + names.space + ";");
    replace_words(file.text, "REASONER_", names.macros);
  }
  write_heads(files, options);
}

}  // namespace rgtrans::cpp
