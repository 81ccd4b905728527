// Generated code is data until it is printed (backends/cpp/code.hpp), and decisions are taken before code is written.
// Nothing searches printed text. A function that writes returns no answer, so a choice is a value that a test can read.
// The number of constants outside of the cost model only falls.
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "tests/layout/sources.hpp"

namespace rgtrans::test {
namespace {

// Files that may search texts: the generator did not print it, or the search is still to be removed.
const std::map<std::string, const char*> kMay = {
    {"backends/cpp/build.cpp", "paths, and messages of a compiler"},
    {"backends/cpp/kept.cpp", "lists of files in the cache"},
    {"backends/cpp/identifiers.cpp", "names of the author's"},
    {"backends/cpp/naming.cpp", "the names of a project, in every finished file: to be printed there instead"},
    {"backends/cpp/project.cpp", "the place behind the includes, in every finished file: to be printed there instead"},
    {"backends/cpp/device_form.cpp", "headers of other folders that a project carries"},
    {"backends/cpp/table_form.cpp", "the automaton as data, in lines"},
};

// Calls f(path, number, line) for each line of the room.
void for_each_line(const std::function<void(const std::string&, int, const std::string&)>& f,
                   const std::string& room = "backends/cpp") {
  for (const std::string& path : source_files()) {
    if (!path.starts_with(room + "/")) continue;
    std::istringstream text(read_source(path));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) f(path, number, line);
  }
}

TEST(Layout, NothingSearchesPrintedCode) {
  static const std::regex kSearch(
      R"(\.(r?find(_first_of|_first_not_of|_last_of)?\([^)]*["']|substr\(|replace\(|starts_with\("|ends_with\(["']))"
      R"(|(replace|erase)_(all|first)|std::regex|all_digits\(|std::stou?l)");
  std::map<std::string, int> found;
  for_each_line([&](const std::string& path, int number, const std::string& line) {
    if (!std::regex_search(line, kSearch) || line.find("symbols.find(") != std::string::npos) return;
    ++found[path];
    EXPECT_TRUE(kMay.contains(path)) << path << ":" << number << ": " << line;
  });
  for (const auto& [path, reason] : kMay)
    EXPECT_TRUE(found.contains(path)) << path << " needs no exception: " << reason;
}

TEST(Layout, WritersOfCodeAnswerNothing) {
  static const std::regex kWriter(
      R"(^ *(\[\[nodiscard\]\] )?(bool|std::optional<.*>) (\w+::)?(write|walk|straight)(_\w+)?\()");
  static const std::regex kPlain(R"(^ *void (\w+::)?write)");
  int writers = 0;
  for_each_line([&](const std::string& path, int number, const std::string& line) {
    writers += std::regex_search(line, kPlain) ? 1 : 0;
    EXPECT_FALSE(std::regex_search(line, kWriter)) << path << ":" << number << ": " << line;
  });
  EXPECT_GT(writers, 20);  // the pattern finds writers
}

TEST(Layout, ConstantsThatDecideBecomeFewer) {
  const std::map<std::string, int> most = {{"backends/cpp", 16}, {"frontends/gdl", 35}};
  static const std::regex kConstant(
      R"(^ *((inline|static) )*constexpr (std::size_t|std::u?int\d+_t|int|unsigned|double) k[A-Z])");
  for (const auto& [room, allowed] : most) {
    int constants = 0;
    for_each_line([&](const std::string&, int,
                      const std::string& line) { constants += std::regex_search(line, kConstant) ? 1 : 0; },
                  room);
    EXPECT_LE(constants, allowed) << room;
    EXPECT_GT(constants, 0) << room;
  }
}

TEST(Layout, FilesOfTheGeneratorAreShort) {
  std::map<std::string, int> lines;
  for_each_line([&](const std::string& path, int number, const std::string&) { lines[path] = number; });
  EXPECT_GT(lines.size(), 80U);
  for (const auto& [path, count] : lines) EXPECT_LE(count, 500) << path;
}

// Lines of a class that declare or begin a function, outside of its inner classes.
TEST(Layout, ClassesOfTheGeneratorHaveFewMethods) {
  static const std::regex kClass(R"(^(class|struct) (\w+)( final)?( : .*)? \{$)");
  static const std::regex kMethod(R"(^  [A-Za-z\[~][^=(]*\w\()");
  static const std::regex kOther(R"(^  (template|requires|using|friend|static_assert|if|for|while|return)\b)");
  std::map<std::string, int> methods;
  std::string inside;
  for_each_line([&](const std::string& path, int, const std::string& line) {
    std::smatch match;
    if (std::regex_search(line, match, kClass)) inside = path + ": " + match[2].str();
    if (line.starts_with("};") || line.starts_with("}  //")) inside.clear();
    if (!inside.empty() && std::regex_search(line, kMethod) && !std::regex_search(line, kOther)) ++methods[inside];
  });
  EXPECT_GT(methods.size(), 60U);
  for (const auto& [name, count] : methods) EXPECT_LE(count, 40) << name;
}

}  // namespace
}  // namespace rgtrans::test
