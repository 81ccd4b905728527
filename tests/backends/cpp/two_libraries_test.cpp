// Generated libraries side by side in one process: built by a plain compiler or CMake from the text of the project
// alone, or by rgtrans build --shared; loaded through the C interface.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/interface.h"
#include "backends/cpp/project.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/output.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::cpp {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// All that the interface says about a game, one play, and the results of many.
std::string play(const fs::path& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return dlerror();
  const auto get = reinterpret_cast<const rgtrans_reasoner* (*)(std::uint32_t)>(dlsym(handle, "rgtrans_get_reasoner"));
  const rgtrans_reasoner& r = *get(RGTRANS_REASONER_VERSION);
  std::string out = r.game;
  const auto names = [&](std::uint32_t count, const char* const* texts) {
    for (std::uint32_t i = 0; i < count; ++i) out += fmt::format(" {}", texts[i]);
    out += ";";
  };
  names(r.players, r.player_names);
  names(r.scores, r.score_names);
  names(r.tags - 1, r.tag_names + 1);
  const std::size_t size = (r.state_size + 63) / 64 * 64;
  const std::unique_ptr<void, void (*)(void*)> state(std::aligned_alloc(64, size), std::free);
  const std::unique_ptr<void, void (*)(void*)> cache(r.new_cache(), r.delete_cache);
  r.initial(state.get());
  out += fmt::format(" perft {};", r.perft(state.get(), 3));
  rgtrans_playouts playouts{};
  std::vector<std::uint64_t> scores(std::size_t{r.players} * r.scores), wins(r.players);
  playouts.scores = scores.data();
  playouts.wins = wins.data();
  r.playouts(state.get(), 5000, 0, 1, UINT64_MAX, &playouts);
  out += fmt::format(" {} moves, wins {}, scores {};", playouts.moves, fmt::join(wins, " "), fmt::join(scores, " "));
  while (r.terminal(state.get()) == 0) {
    if (r.mover(state.get()) == r.players) {
      r.apply_tags(state.get(), cache.get(), nullptr, 0);
    } else {
      const std::size_t count = r.list_moves(state.get(), cache.get());
      r.apply_listed(state.get(), cache.get(), count / 2);
    }
  }
  std::string text(r.describe(state.get(), nullptr, 0), '\0');
  r.describe(state.get(), text.data(), text.size());
  return out + text.c_str();
}

// The same in a process of its own.
std::string play_alone(const fs::path& library) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = play(library);
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : "it failed";
}

class TwoLibraries : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  enum class Way { plain, cmake, build };
  // docs/reasoner.md has these commands.
  fs::path library_of(const std::string& path, Way way) {
    ir::Game game = own_games::load(path);
    passes::optimize(game);
    GenerateOptions options;
    options.title = fs::path(path).stem().string();
    if (way == Way::build) {
      BuildOptions building;
      building.generate = options;
      building.extra_flags = {"-O0"};
      building.cache = folder_ / "cache";
      return build(game, building).library;
    }
    const fs::path here = folder_ / options.title;
    fs::create_directories(here);
    for (const GeneratedFile& source : generate(game, options)) write_file(here / source.name, source.text);
    if (way == Way::plain) {
      const fs::path library = folder_ / (options.title + ".so");
      const std::string command =
          fmt::format("cd {} && g++ -std=c++20 -O0 -fPIC -shared -o {} reasoner*.cpp library.cpp 2>&1", here.string(),
                      library.string());
      EXPECT_EQ(output_of(command), "") << command;
      return library;
    }
    const std::string command = fmt::format(
        "cd {0} && cmake -S . -B built -DCMAKE_BUILD_TYPE=None -DREASONER_NATIVE=OFF 2>&1 && cmake --build built "
        "--target {1}_shared 2>&1",
        here.string(), names_of(options).target);
    const std::string said = output_of(command);
    const fs::path library = here / "built" / fmt::format("lib{}.so", names_of(options).target);
    EXPECT_TRUE(fs::exists(library)) << said;
    return library;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("rgtrans-two-libraries-{}", getpid());
};

// They share none of their names, either, so that a loader may let libraries see those of each other.
TEST_F(TwoLibraries, PlayTogetherAsTheyPlayAlone) {
  std::vector<fs::path> libraries = {library_of("hrg/nim.hrg", Way::plain),
                                     library_of("hrg/kuhn-poker.hrg", Way::build)};
  std::vector<std::string> alone;
  for (const fs::path& library : libraries) alone.push_back(play_alone(library));
  EXPECT_THAT(alone[0], HasSubstr("first second; 50 0 100;"));
  EXPECT_THAT(alone[1], HasSubstr("alice bob; 50 30 40 60 70;"));
  for (std::size_t i = 0; i < libraries.size(); ++i) EXPECT_EQ(play(libraries[i]), alone[i]);
  // The remaining ones are functions of the standard library.
  for (const fs::path& library : libraries) {
    EXPECT_EQ(output_of("nm -D --defined-only " + library.string() + " | grep -E ' u |_ZNK?8reasoner'"), "");
    EXPECT_THAT(output_of("nm -D --defined-only " + library.string()), HasSubstr(" T rgtrans_get_reasoner\n"));
  }
  EXPECT_THAT(output_of("nm -D --defined-only " + libraries[1].string()), HasSubstr(" T kuhn_poker_get_reasoner\n"));
}

// RGTRANS_FULL=1: twenty, built in three ways and loaded in random order.
TEST_F(TwoLibraries, AnyNumberPlaysAsAlone) {
  std::vector<std::string> paths = {"hrg/tic-tac-toe.hrg"};
  if (std::getenv("RGTRANS_FULL") != nullptr) {
    paths = {"hrg/tic-tac-toe.hrg", "hrg/kuhn-poker.hrg",   "hrg/nim.hrg",         "hrg/breakthrough.hrg",
             "hrg/chess.hrg",       "hrg/amazons.hrg",      "hrg/ataxx.hrg",       "hrg/checkers.hrg",
             "hrg/clobber.hrg",     "hrg/connect-four.hrg", "hrg/domineering.hrg", "hrg/hex.hrg",
             "hrg/gomoku.hrg",      "hrg/oware.hrg",        "hrg/pentago.hrg",     "hrg/quarto.hrg",
             "hrg/reversi.hrg",     "hrg/skirmish.hrg",     "hrg/liars-dice.hrg",  "hrg/knightthrough.hrg"};
  }
  std::vector<std::pair<fs::path, std::string>> libraries;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path library = library_of(paths[i], std::array{Way::cmake, Way::build, Way::plain}.at(i % 3));
    libraries.emplace_back(library, play_alone(library));
    EXPECT_THAT(libraries.back().second, HasSubstr(" perft ")) << paths[i];
  }
  std::ranges::shuffle(libraries, std::mt19937(1));
  for (int turn = 0; turn < 2; ++turn) {
    for (const auto& [library, alone] : libraries) EXPECT_EQ(play(library), alone) << library;
  }
}

// Objects of two games can be parts of one program without any option.
TEST_F(TwoLibraries, NamesOfGamesDiffer) {
  GenerateOptions plain, chosen;
  plain.title = "2048 game";
  chosen.title = "nim";
  chosen.source = "nim.hrg";
  chosen.space = "mine";
  chosen.prefix = "my";
  chosen.licence = "Copyright Ada\\\nAs you like \xc3\xa4\n";
  const ir::Game game = own_games::load("hrg/nim.hrg");
  const auto text = [](const std::vector<GeneratedFile>& files, std::string_view name) {
    const auto it = std::ranges::find(files, name, &GeneratedFile::name);
    return it == files.end() ? std::string() : it->text;
  };
  const auto files = generate(game, plain), others = generate(game, chosen);
  EXPECT_THAT(text(files, "reasoner.hpp"), HasSubstr("namespace reasoner::inline game_game_2048_game {"));
  EXPECT_THAT(text(files, "interface.h"), HasSubstr("* game_2048_game_get_reasoner(uint32_t version);"));
  EXPECT_THAT(text(others, "library.cpp"), HasSubstr("* my_get_reasoner(std::uint32_t version) {"));
  const std::string head = fmt::format(
      "// Generated from nim.hrg by rgtrans {}. The game: nim.\n//\n// Copyright Ada/\n// As you like \xc3\xa4\n",
      RGTRANS_VERSION);
  for (const GeneratedFile& file : others) {
    if (file.name == "CMakeLists.txt") continue;
    EXPECT_EQ(file.text.substr(0, head.size()), head) << file.name;
    EXPECT_THAT(file.text, Not(HasSubstr("namespace reasoner"))) << file.name;
    EXPECT_THAT(file.text, Not(testing::ContainsRegex("(^|[^A-Z_])REASONER_"))) << file.name;
    EXPECT_THAT(file.text, Not(HasSubstr("@"))) << file.name;
  }
  EXPECT_LT(std::ranges::count(text(others, "reasoner.hpp"), '\n'), 150);
  EXPECT_TRUE(is_name("mine"));
  for (const char* bad : {"", "a b", "int", "1st", "a::b"}) EXPECT_FALSE(is_name(bad)) << bad;
}

// By construction, in all forms of a project.
TEST_F(TwoLibraries, EveryFileThatDeclaresSomethingHidesIt) {
  Diagnostics diagnostics;
  const std::string text = read_file(fs::path(RGTRANS_SOURCE_DIR) / "games/hrg/nim.hrg");
  const ir::Game game = load_text("nim.hrg", text, *find_frontend("hrg"), diagnostics);
  GenerateOptions device, all;
  device.device = true;
  all.search = all.env = true;
  for (const GenerateOptions& options : {GenerateOptions{}, all, device}) {
    for (const GeneratedFile& file : generate(game, options)) {
      const std::size_t named = file.text.find("\nnamespace ");
      // The stand-ins for the functions of CUDA are the same for all games.
      if (named == std::string::npos || file.name == "device.cuh") continue;
      const std::size_t hidden = file.text.find("#pragma GCC visibility push(hidden)\n");
      EXPECT_LT(hidden, named) << file.name;
      const std::size_t shown = file.text.find("#pragma GCC visibility pop\n", hidden);
      ASSERT_NE(shown, std::string::npos) << file.name;
      EXPECT_THAT(file.text.substr(hidden, shown - hidden), Not(HasSubstr("\n#include"))) << file.name;
      EXPECT_THAT(file.text.substr(shown), Not(HasSubstr("\nnamespace "))) << file.name;
    }
  }
}

}  // namespace
}  // namespace rgtrans::cpp
