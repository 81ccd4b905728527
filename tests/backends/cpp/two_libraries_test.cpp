// Generated libraries side by side in one process, as somebody builds and loads them who knows nothing of rgtrans but
// the text of the project: plain compiler, dlopen, C interface.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/interface.h"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/output.hpp"

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

  // docs/reasoner.md has this command.
  fs::path library_of(const std::string& name, const GenerateOptions& options = {}) {
    Diagnostics diagnostics;
    const std::string file = name + ".hrg";
    ir::Game game = load_text(file, read_file(fs::path(RGTRANS_SOURCE_DIR) / "games/hrg" / file), *find_frontend("hrg"),
                              diagnostics);
    passes::optimize(game);
    const fs::path here = folder_ / name;
    fs::create_directories(here);
    for (const GeneratedFile& source : generate(game, options)) write_file(here / source.name, source.text);
    const fs::path library = folder_ / (name + ".so");
    const std::string command =
        fmt::format("cd {} && g++ -std=c++20 -O0 -fPIC -shared -o {} reasoner*.cpp library.cpp 2>&1", here.string(),
                    library.string());
    const std::string said = output_of(command);
    EXPECT_EQ(said, "") << command;
    return library;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("rgtrans-two-libraries-{}", getpid());
};

// They share none of their names, either, so that a loader may let libraries see those of each other.
TEST_F(TwoLibraries, PlayTogetherAsTheyPlayAlone) {
  const std::vector<fs::path> libraries = {library_of("nim"), library_of("kuhn-poker")};
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
