// The folders know each other in one direction only. This reads every #include line and fails on an arrow that
// is not in the list.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/layout/sources.hpp"

namespace rgtrans::test {
namespace {

std::string top_of(const std::string& part) { return part.substr(0, part.find('/')); }

bool allowed(const std::string& from, const std::string& to) {
  if (from == to || from == "tests") return true;
  static const std::vector<std::string> kCore = {"core/support", "core/ir", "core/analysis", "core/form",
                                                 "core/passes"};
  const auto level = [](const std::string& part) {
    const auto it = std::ranges::find(kCore, part);
    return it == kCore.end() ? -1 : static_cast<int>(it - kCore.begin());
  };
  // The checker of certificates shares no code with the analyses and passes that it checks.
  if (from == "core/certificate") return to == "core/support" || to == "core/ir";
  if (from == "core/recorder") return to == "core/support" || to == "core/ir" || to == "core/certificate";
  if (to == "core/certificate" || to == "core/recorder") return from == "cli";
  if (level(from) >= 0) return level(to) >= 0 && level(to) < level(from);
  if (from == "cli" || from == "python") return to != "tests" && (to != "cli" || from == "cli");
  if (top_of(from) == "frontends") {
    if (level(to) >= 0 || to == "frontends") return true;
    if (from == "frontends/registry") return top_of(to) == "frontends";
    return from == "frontends/linegames" && to == "frontends/hrg";
  }
  // The programs behind editors and the studio use everything that makes and plays games, but no command. The servers
  // use the workbench and do not know each other.
  if (top_of(from) == "ide" && top_of(to) == "ide") {
    static const std::map<std::string, std::set<std::string>> kIde = {
        {"ide/workbench", {"ide/bundle"}},
        {"ide/rpc", {"ide/workbench"}},
        {"ide/desk", {"ide/rpc", "ide/workbench"}},
        {"ide/service", {"ide/rpc", "ide/workbench"}},
        {"ide/web", {"ide/rpc", "ide/desk", "ide/service"}}};
    return kIde.contains(from) && kIde.at(from).contains(to);
  }
  if (top_of(from) == "ide") return to != "cli" && to != "python" && to != "tests";
  // An engine of one language: the rules themselves are played.
  if (from == "backends/rules" && to == "frontends/gdl") return true;
  if (top_of(from) == "backends") return level(to) >= 0 || top_of(to) == "backends";
  return false;
}

// The stages of a front end, in the order in which a game passes them: a stage knows only earlier ones. Files in the
// folder itself are the vocabulary of the front end and its way through the stages. The text of RBG needs the board
// only to build it, and no other stage needs the text.
const std::map<std::string, std::vector<std::string>> kRooms = {
    {"frontends/rbg", {"board", "text", "flow", "proofs", "passes", "emit"}},
    {"frontends/gdl", {"syntax", "datalog", "ground", "direct", "network", "circuit", "lower", "lifted"}},
    {"frontends/ludii", {"text", "board", "equipment", "rules"}},
};

// "proofs" for "frontends/rbg/proofs/liveness.cpp", nothing for a file outside of the stages.
std::string room_of(const std::string& path) {
  const std::string part = part_of(path);
  const std::size_t end = path.find('/', part.size() + 1);
  return !kRooms.contains(part) || end == std::string::npos ? "" : path.substr(part.size() + 1, end - part.size() - 1);
}

bool room_allowed(const std::string& file, const std::string& target) {
  const std::string part = part_of(file), from = room_of(file), to = room_of(target);
  if (part != part_of(target) || from.empty() || to.empty()) return true;
  const auto& rooms = kRooms.at(part);
  return std::ranges::find(rooms, to) <= std::ranges::find(rooms, from) &&
         std::ranges::find(rooms, from) != rooms.end();
}

struct Include {
  std::string file, target;
};

std::vector<Include> project_includes() {
  std::vector<Include> found;
  for (const std::string& file : source_files()) {
    for (const std::string& target : includes_of(file))
      if (is_source(target)) found.push_back({file, target});
  }
  return found;
}

TEST(Layout, IncludesPointOnlyDownwards) {
  const auto includes = project_includes();
  ASSERT_GT(includes.size(), 20U);
  for (const Include& include : includes) {
    EXPECT_TRUE(allowed(part_of(include.file), part_of(include.target)))
        << include.file << " includes " << include.target;
  }
}

// The layers of the generator of C++ that know a game but no code: another target needs them as they are.
TEST(Layout, PlansOfTheGeneratorDoNotKnowItsWriters) {
  static const std::set<std::string> kPlanning = {
      "values",           "model",          "facts",         "tag_counts",    "next_tags",      "duplicates",
      "progress",         "waiting",        "patterns",      "plan",          "sets",           "pairs",
      "rounds",           "cell_predicate", "planner",       "set_plan",      "targets",        "reached",
      "guesses",          "loop_plan",      "pattern_plan",  "straight_plan", "set_conditions", "set_gain",
      "pattern_literals", "way_tags",       "subset",        "forms",         "value_filters",  "universes",
      "identifiers",      "labels",         "function_plan", "set_simpler",   "set_way",        "bit_planes"};
  const auto layer = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  std::set<std::string> seen;
  for (const Include& include : project_includes()) {
    if (part_of(include.file) != "backends/cpp" || !kPlanning.contains(layer(include.file))) continue;
    seen.insert(layer(include.file));
    EXPECT_TRUE(part_of(include.target) != "backends/cpp" || kPlanning.contains(layer(include.target)) ||
                layer(include.target) == "cost_model" || layer(include.target) == "techniques")
        << include.file << " includes " << include.target;
  }
  EXPECT_EQ(seen, kPlanning);
}

// A checker is trusted because one can read it.
TEST(Layout, TheCheckerOfCertificatesIsSmall) {
  std::size_t lines = 0;
  for (const std::string& file : source_files()) {
    if (part_of(file) != "core/certificate") continue;
    std::istringstream text(read_source(file));
    for (std::string line; std::getline(text, line);) lines += line.empty() ? 0 : 1;
  }
  EXPECT_GT(lines, 0U);
  EXPECT_LE(lines, 2500U);
}

// The module for browsers has another compiler, and a list of parts of its own. Files that it leaves out are named
// there.
TEST(Layout, TheModuleForBrowsersHasThePartsItIncludes) {
  const std::regex separators("[\\s()]+");
  const std::string text = read_source("ide/web/CMakeLists.txt");
  const std::set<std::string> words(std::sregex_token_iterator(text.begin(), text.end(), separators, -1), {});
  const auto named = [&](const std::string& name) { return words.contains(name); };
  ASSERT_TRUE(named("core/ir"));
  for (const Include& include : project_includes()) {
    const std::string from = part_of(include.file), to = part_of(include.target);
    if (!named(from) || named(std::filesystem::path(include.file).filename())) continue;
    EXPECT_TRUE(named(to) || to.find('/') == std::string::npos) << include.file << " includes " << include.target;
  }
}

TEST(Layout, RoomsOfFrontEndsKnowTheRoomsBeforeThem) {
  for (const Include& include : project_includes()) {
    EXPECT_TRUE(room_allowed(include.file, include.target)) << include.file << " includes " << include.target;
  }
  for (const auto& [part, rooms] : kRooms) {
    std::set<std::string> folders;
    for (const std::string& file : source_files()) {
      const std::string room = part_of(file) == part ? room_of(file) : "";
      if (room.empty()) continue;
      folders.insert(room);
      EXPECT_NE(std::ranges::find(rooms, room), rooms.end()) << part << "/" << room << " has no place in the order";
    }
    EXPECT_EQ(folders.size(), rooms.size()) << part;
  }
}

// Other folders are included through their public header: the one named like the folder. Some headers of core/support
// are included by themselves. Everything includes support.hpp, and few files have a grammar or a limit, look for
// components of graphs, have data per id, solve equations in sweeps, hold sets of symbols, show progress, count depths
// or ranges, read JSON, lay out comments, look at a clock, write pages or paths of plays, stream files, read archives,
// compute digests, derive seeds or take names of any script.
TEST(Layout, FoldersAreEnteredThroughTheirPublicHeader) {
  for (const Include& include : project_includes()) {
    const std::string from = part_of(include.file);
    const std::string to = part_of(include.target);
    if (from == to || to.find('/') == std::string::npos) continue;
    static const std::set<std::string> kOwn = {
        "actions.hpp",       "archive.hpp",     "bits.hpp",      "clock.hpp",     "comments.hpp",     "components.hpp",
        "coverage.hpp",      "depth.hpp",       "digest.hpp",    "effort.hpp",    "following.hpp",    "id_vector.hpp",
        "ids.hpp",           "interval.hpp",    "json_text.hpp", "json_tree.hpp", "json_integer.hpp", "letters.hpp",
        "limits.hpp",        "outline.hpp",     "packed.hpp",    "pieces.hpp",    "play_path.hpp",    "progress.hpp",
        "progress_line.hpp", "proof_error.hpp", "reach.hpp",     "secrets.hpp",   "sorted.hpp",       "sweeps.hpp",
        "symbol_set.hpp",    "text.hpp",        "truth.hpp",     "unicode.hpp"};
    if (to == "core/support" && kOwn.contains(include.target.substr(to.size() + 1))) continue;
    if (include.target == "ide/service/session.hpp") continue;  // all that is public of the service is a session
    // The program of the machine, for a back end that translates it.
    if (include.target == "backends/interpreter/tables.hpp" && from == "backends/wasm") continue;
    EXPECT_EQ(include.target, to + to.substr(to.find('/')) + ".hpp") << "in " << include.file;
  }
}

// The workbench also runs where there are neither files nor threads nor programs.
TEST(Layout, TheWorkbenchNeedsNoMachine) {
  const std::regex machine(
      R"(#\s*include\s+(<(thread|future|filesystem|fstream|iostream|condition_variable)>|"backends/cpp/.*))");
  std::size_t files = 0;
  for (const std::string& path : source_files()) {
    if (!path.starts_with("ide/workbench/")) continue;
    ++files;
    EXPECT_FALSE(std::regex_search(read_source(path), machine)) << path;
  }
  EXPECT_GT(files, 10U);
}

TEST(Layout, RulesRejectWrongArrows) {
  EXPECT_FALSE(allowed("core/ir", "core/passes"));
  EXPECT_FALSE(allowed("core/analysis", "frontends/rg"));
  EXPECT_FALSE(allowed("frontends/rbg", "frontends/hrg"));
  EXPECT_FALSE(allowed("backends/rg", "frontends/rg"));
  EXPECT_FALSE(allowed("backends/rg", "cli"));
  EXPECT_FALSE(allowed("ide/desk", "ide/service"));
  EXPECT_FALSE(allowed("ide/workbench", "ide/rpc"));
  EXPECT_FALSE(room_allowed("frontends/rbg/flow/flow.hpp", "frontends/rbg/proofs/liveness.hpp"));
  EXPECT_FALSE(room_allowed("frontends/gdl/syntax/terms.hpp", "frontends/gdl/lower/lower.hpp"));
  EXPECT_FALSE(room_allowed("frontends/gdl/attic/terms.hpp", "frontends/gdl/lower/lower.hpp"));
  EXPECT_TRUE(room_allowed("frontends/rbg/proofs/liveness.hpp", "frontends/rbg/flow/flow.hpp"));
  EXPECT_TRUE(room_allowed("frontends/rbg/lower.cpp", "frontends/rbg/flow/flow.hpp"));
  EXPECT_TRUE(allowed("frontends/linegames", "frontends/hrg"));
  EXPECT_TRUE(allowed("cli", "backends/cpp"));
  EXPECT_TRUE(allowed("ide/service", "ide/workbench"));
}

}  // namespace
}  // namespace rgtrans::test
