// CMake's arrows are those of the #include lines: each part of the house links the folders and libraries whose headers
// its sources include, and no other.
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/layout/sources.hpp"

namespace rgtrans::test {
namespace {

using Arrows = std::map<std::string, std::set<std::string>>;

// The libraries that are linked, by the first folder or the whole name of their headers, as CMake's lists name them.
const std::map<std::string, std::string> kLibraries = {
    {"boost", "Boost::headers"},     {"nlohmann", "nlohmann_json::nlohmann_json"},
    {"range", "range-v3::range-v3"}, {"tao", "${pegtl}"},
    {"CLI", "CLI11::CLI11"},         {"thread", "Threads::Threads"},
    {"future", "Threads::Threads"},  {"condition_variable", "Threads::Threads"},
    {"dlfcn.h", "${CMAKE_DL_LIBS}"}};

// A header directly in frontends/ or backends/ belongs to no library: a file that includes it includes everything that
// it includes.
bool shared_header(const std::string& path) {
  return (path.starts_with("frontends/") || path.starts_with("backends/")) &&
         part_of(path).find('/') == std::string::npos;
}

void add_included(const std::string& part, const std::string& file, Arrows& arrows) {
  for (const std::string& target : includes_of(file)) {
    if (is_source(target)) {
      if (shared_header(target)) {
        add_included(part, target, arrows);
      } else if (part_of(target) != part) {
        arrows[part].insert(part_of(target));
      }
    } else if (const auto library = kLibraries.find(target.substr(0, target.find('/'))); library != kLibraries.end()) {
      arrows[part].insert(library->second);
    }
  }
}

Arrows included() {
  Arrows arrows;
  for (const std::string& file : source_files()) {
    if (!shared_header(file)) add_included(part_of(file), file, arrows);
  }
  // The module for browsers is a project of its own, with the objects of all parts.
  arrows.erase("ide/web");
  // pybind11_add_module links its own; threads and dlopen are not called from Python's bindings.
  return arrows;
}

// rgtrans_part(FOLDER …) and rgtrans_link(rgtrans_TARGET KIND …) of the lists; cli and python link by the second.
Arrows linked() {
  Arrows arrows;
  for (const char* list : {"CMakeLists.txt", "python/CMakeLists.txt"}) {
    const std::string text = read_source(list);
    const std::regex call(R"((rgtrans_part|rgtrans_link)\(([a-z_/]+)\s*([^)]*)\))");
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
      std::string part = (*it)[2];
      if (part.starts_with("rgtrans_")) part = part.starts_with("rgtrans_cli") ? "cli" : "python";
      const std::string dependencies = (*it)[3];
      const std::regex word(R"([^\s]+)");
      for (std::sregex_iterator w(dependencies.begin(), dependencies.end(), word); w != end; ++w) {
        const std::string name = w->str();
        if (name != "PUBLIC" && name != "PRIVATE" && !name.starts_with("rgtrans_")) arrows[part].insert(name);
      }
    }
  }
  return arrows;
}

TEST(LinkedParts, AreThoseWhoseHeadersAreIncluded) {
  const Arrows expected = included(), actual = linked();
  EXPECT_GT(actual.size(), 30U);
  for (const auto& [part, dependencies] : expected) {
    const auto found = actual.find(part);
    EXPECT_EQ(found == actual.end() ? std::set<std::string>() : found->second, dependencies) << part;
  }
  for (const auto& [part, dependencies] : actual) EXPECT_TRUE(expected.contains(part) || dependencies.empty()) << part;
}

TEST(LinkedParts, ListsAreReadAsWritten) {
  const Arrows arrows = linked();
  EXPECT_THAT(arrows.at("core/ir"), testing::IsSupersetOf({"core/support", "range-v3::range-v3"}));
  EXPECT_FALSE(arrows.at("core/ir").contains("core/analysis"));
}

}  // namespace
}  // namespace rgtrans::test
